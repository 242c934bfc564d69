// The page, drawn.

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { provideClipboard } from './common/clipboard.ts'
import type { Opening } from './opening.ts'
import { parsePlace } from './shell/address.ts'
import { Embedded } from './shell/Embedded.tsx'
import { isEmbedded } from './shell/embedding.ts'
import { Page } from './shell/Page.tsx'
import { preloadViewer } from './viewer/parts.ts'

export function drawPage(opening: Opening): void {
  if (parsePlace(window.location.search).kind === 'domain') preloadViewer()
  provideClipboard()
  const element = document.getElementById('page')
  if (!element) throw new Error('the page has no element for its contents')
  createRoot(element).render(
    <StrictMode>{isEmbedded() ? <Embedded opening={opening} /> : <Page opening={opening} />}</StrictMode>,
  )
}
