// The page of the service: folders, domains and their contents.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { provideClipboard } from './common/clipboard.ts'
import { parsePlace } from './shell/address.ts'
import { Embedded } from './shell/Embedded.tsx'
import { isEmbedded } from './shell/embedding.ts'
import { Page } from './shell/Page.tsx'
import './shell/page.css'
import { loginOfBrowser } from './account/use-login.ts'
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
