// The pages that the service shows to people in a browser: /ui shows the data (docs/decisions/030), /docs describes the
// API, lists the errors and has the guide (docs/decisions/029). scripts/pages.mjs makes their files.

import { type Assets, assetReply, assetRoutes } from '../assets/assets.ts'
import type { Identity } from '../auth/authenticate.ts'
import { STRING } from '../message/schema.ts'
import { noSuchPath } from '../message/target.ts'
import { optionalQuery } from '../route/parameter.ts'
import { type Route, serviceRoute } from '../route/route.ts'

/** The files of each page. */
export interface Pages {
  readonly docs: Assets
  readonly ui: Assets
  /** Origins whose pages may show /ui in a frame. Absent: none. */
  readonly frameAncestors?: readonly string[]
  /** The parts of the service that search engines may visit. Absent: nothing. */
  readonly robots?: 'nothing' | 'pages'
}

/** A browser gets this page at `/` too, where other clients get the domain. */
export const START_PAGE = '/ui'

/** The same page for the address of a domain: it loads the viewer beside its program and not after it. */
const DOMAIN_PAGE = 'domain'
const SHOWN_DOMAIN = optionalQuery({
  name: 'domain',
  description: 'The path of the domain that the page shows; the program of the page reads it and the rest.',
  schema: STRING,
  parse: text => text,
})

/** Its declaration in the routes of `/`. */
export const START_PAGE_ANSWER = {
  'text/html': 'The page of /ui: without a query, where `Accept` prefers it to JSON.',
}

export function pageRoutes({ docs, ui, frameAncestors = [], robots = 'nothing' }: Pages): Route[] {
  const files = new Map(ui)
  files.delete(DOMAIN_PAGE)
  return [
    ...assetRoutes({
      name: 'ui',
      path: START_PAGE,
      summary: 'Shows folders, domains and their data in a browser.',
      assets: files,
      variant: { parameter: SHOWN_DOMAIN, asset: ui.get(DOMAIN_PAGE) },
      headers: ({ identity }) =>
        safety({
          images: "'self' data: blob:",
          frameAncestors: framesOf(identity, frameAncestors),
        }),
    }),
    ...assetRoutes({
      name: 'docs',
      path: '/docs',
      summary: 'Shows the API, the list of errors and the guide in a browser.',
      assets: docs,
      // The style sheet of the library has images as `data:` addresses.
      headers: () => safety({ images: "'self' data:", frameAncestors: [] }),
    }),
    serviceRoute({
      name: 'get-robots',
      method: 'GET',
      path: '/robots.txt',
      summary:
        'Says which addresses search engines may visit: pages where the operator allows it, never data.',
      identifies: 'no',
      answers: {
        200: { description: 'The rules of RFC 9309.', formats: { 'text/plain': 'Lines of rules.' } },
      },
      answer: () => ({
        status: 200,
        headers: { 'Cache-Control': 'public, max-age=3600' },
        text: { contentType: 'text/plain; charset=utf-8', text: ROBOTS[robots] },
      }),
    }),
    serviceRoute({
      name: 'get-favicon',
      method: 'GET',
      path: '/favicon.ico',
      summary: 'The icon of the pages.',
      identifies: 'no',
      answers: { 200: { description: 'The icon.', formats: { 'image/svg+xml': 'A drawing.' } } },
      answer: (_, { headers, target }) => {
        // A server without pages has no icon.
        const icon = docs.get('icon.svg')
        if (!icon) throw noSuchPath(target)
        return assetReply(icon, headers, { 'Cache-Control': 'public, max-age=86400' })
      },
    }),
  ]
}

const ROBOTS = {
  nothing: 'User-agent: *\nDisallow: /\n',
  pages: `User-agent: *\nAllow: ${START_PAGE}\nAllow: /docs\nAllow: /favicon.ico\nDisallow: /\n`,
}

/** The allowed origins; below the address of a share, those of them that its user has chosen. */
function framesOf({ login }: Identity, allowed: readonly string[]): readonly string[] {
  const chosen = login?.frameAncestors
  return chosen === undefined ? allowed : allowed.filter(origin => chosen.includes(origin))
}

interface Sources {
  readonly images: string
  readonly frameAncestors: readonly string[]
}

/**
 * Pages send requests only to the service itself, have no script or style in the HTML, and are in frames of pages of
 * these origins only. A browser without `frame-ancestors` shows them in no frame, unless some origin may.
 */
function safety({ images, frameAncestors }: Sources): Readonly<Record<string, string>> {
  const isClosed = frameAncestors.length === 0
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src ${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${isClosed ? "'none'" : frameAncestors.join(' ')}`,
  ]
  return { 'Content-Security-Policy': policy.join('; '), ...(isClosed && { 'X-Frame-Options': 'DENY' }) }
}
