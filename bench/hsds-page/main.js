// The viewer h5web with its own provider for the hsds dialect, which reads values as JSON: what the page /ui is
// compared with. The query of its address names the service (`url`), the domain (`domain`) and the object (`path`).

import { App, createBasicFetcher, HsdsProvider } from '@h5web/app'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import '@h5web/app/styles.css'

const { url, domain, path } = Object.fromEntries(new URLSearchParams(window.location.search))
// The domain is public: without credentials the browser asks for no permission before each request (preflight).
const fetcher = createBasicFetcher()
const app = createElement(App, { initialPath: path })
createRoot(document.getElementById('page')).render(
  createElement(HsdsProvider, { url, filepath: domain, fetcher }, app),
)
