// The page of the service: folders, domains and their contents. This file, with the client, is loaded before the rest
// of the program, so that its first requests are not behind it.

import './shell/page.css'
import { open } from './opening.ts'
import { parsePlace } from './shell/address.ts'
import { isEmbedded } from './shell/embedding.ts'

const opening = open(parsePlace(window.location.search), !isEmbedded())
// The page imports from this file too: it must not wait for the page.
void import('./page.tsx').then(({ drawPage }) => drawPage(opening))
