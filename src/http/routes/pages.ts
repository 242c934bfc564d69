// The pages that the service shows to people in a browser: /ui shows the data (docs/decisions/030), /docs describes the
// API and lists the errors (docs/decisions/029). scripts/pages.mjs makes their files.

import { type Assets, assetRoutes } from '../assets/assets.ts'
import type { Route } from '../route/route.ts'

/** The files of each page. */
export interface Pages {
  readonly docs: Assets
  readonly ui: Assets
}

/** A browser gets this page at `/` too, where other clients get the domain. */
export const START_PAGE = '/ui'

export function pageRoutes({ docs, ui }: Pages): Route[] {
  return [
    ...assetRoutes({
      name: 'ui',
      path: START_PAGE,
      summary: 'Shows folders, domains and their data in a browser.',
      assets: ui,
      // The viewer's library of arrays (ndarray) compiles its loops with `new Function`.
      contentSecurityPolicy: policy({ scripts: "'self' 'unsafe-eval'", images: "'self' data: blob:" }),
    }),
    ...assetRoutes({
      name: 'docs',
      path: '/docs',
      summary: 'Shows the API and the list of errors in a browser.',
      assets: docs,
      // The style sheet of the library has images as `data:` addresses.
      contentSecurityPolicy: policy({ scripts: "'self'", images: "'self' data:" }),
    }),
  ]
}

/**
 * Pages send requests only to the service itself, have no script or style in the HTML, and are in no frame of another
 * page.
 */
function policy({ scripts, images }: { readonly scripts: string; readonly images: string }): string {
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
