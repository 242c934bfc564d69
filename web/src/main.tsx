// The page of the service: folders, domains and their contents.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { provideClipboard } from './clipboard.ts'
import { Embedded } from './Embedded.tsx'
import { isEmbedded } from './embedding.ts'
import { Page } from './Page.tsx'
import './page.css'

provideClipboard()
const element = document.getElementById('page')
if (!element) throw new Error('the page has no element for its contents')
createRoot(element).render(<StrictMode>{isEmbedded() ? <Embedded /> : <Page />}</StrictMode>)
