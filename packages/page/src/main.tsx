// The page of the service: folders, domains and their contents.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { parsePlace } from './address.ts'
import { provideClipboard } from './clipboard.ts'
import { Embedded } from './Embedded.tsx'
import { isEmbedded } from './embedding.ts'
import { Page } from './Page.tsx'
import './page.css'
import { loginOfBrowser } from './use-login.ts'
import { preloadViewer } from './viewer/parts.ts'

// The viewer of a domain is loaded while the service says whose session it is.
if (parsePlace(window.location.search).kind === 'domain') preloadViewer()
provideClipboard()
const login = loginOfBrowser()
const element = document.getElementById('page')
if (!element) throw new Error('the page has no element for its contents')
createRoot(element).render(
  <StrictMode>{isEmbedded() ? <Embedded login={login} /> : <Page login={login} />}</StrictMode>,
)
