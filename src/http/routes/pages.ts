// The pages that the service shows to people in a browser: /docs describes the API and lists the errors
// (docs/decisions/029). scripts/pages.mjs makes their files.

import { type Assets, assetRoutes } from '../assets/assets.ts'
import type { Route } from '../route.ts'

/** The files of each page. */
export interface Pages {
  readonly docs: Assets
}

/** The service's own files, and the images that the style sheet of the library has as `data:` addresses. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function pageRoutes({ docs }: Pages): Route[] {
  return assetRoutes({
    name: 'docs',
    path: '/docs',
    summary: 'Shows the API and the list of errors in a browser.',
    assets: docs,
    contentSecurityPolicy: DOCS_POLICY,
  })
}
