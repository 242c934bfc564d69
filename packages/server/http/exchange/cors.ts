// Pages of other origins. Any page may read, without credentials; writing, and credentials, are for pages of the
// service's own origin and of those in the setting `cors_origins`. A browser holds some requests back by itself
// (preflights) and hides answers from pages, but a simple request takes effect before that: so a write is also rejected
// here. Requests of other clients than browsers have neither `Origin` nor `Sec-Fetch-Site`, and are not checked.
//
// The host of an own origin must be a known name of the service. Otherwise any page could become one: its name can be
// made to point to this machine (DNS rebinding), and then the browser treats it as the same origin.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { HyperslabError } from '@hyperslab/base/errors'
import { isOwnHost } from '../auth/hosts.ts'
import { PAGE_HEADER } from '../auth/session-cookie.ts'
import { shapingHeaders } from '../dialect/place.ts'
import { METHODS } from '../message/message.ts'
import type { Head } from './reply.ts'

export interface OriginSettings {
  /** Origins of other pages that may write and send credentials, as browsers spell them. */
  readonly corsOrigins: readonly string[]
  /** The end of all DNS names of domains, which are names of the service, too. */
  readonly baseDomain: string
  /** The address that callers use, if it is known. */
  readonly publicUrl?: string
}

export class Origins {
  readonly #trusted: ReadonlySet<string>
  readonly #baseDomain: string
  readonly #publicName: string | undefined

  constructor({ corsOrigins, baseDomain, publicUrl }: OriginSettings) {
    const own = publicUrl === undefined ? undefined : new URL(publicUrl)
    this.#trusted = new Set([...corsOrigins, ...(own ? [own.origin] : [])])
    this.#baseDomain = baseDomain
    this.#publicName = own?.hostname
  }

  /** Whether pages of the origin may write and send credentials. */
  isTrusted(origin: string): boolean {
    return this.#trusted.has(origin)
  }

  /** Whether the host of an address, with its port, is the service's. */
  isOwn(host: string): boolean {
    return isOwnHost(host, this.#baseDomain) || host.toLowerCase().replace(/:\d*$/, '') === this.#publicName
  }
}

const EXPOSED = [
  'Access-Control-Expose-Headers',
  'Etag, Link, Location, Content-Location, Accept-Ranges, Content-Range, Retry-After, X-Request-Id',
]

/** The headers of every answer, errors included; without them a browser hides even the status. */
export function corsHeaders({ headers }: IncomingMessage, origins: Origins): Head {
  const { origin } = headers
  const head = ['Vary', shapingHeaders(headers), 'Access-Control-Allow-Origin']
  if (origin === undefined) return [...head, '*']
  if (!origins.isTrusted(origin)) return [...head, '*', ...EXPOSED]
  // With credentials browsers want the origin itself, not `*`.
  return [...head, origin, 'Access-Control-Allow-Credentials', 'true', ...EXPOSED]
}

/**
 * Whether the cookie of a session counts. For a page of another origin it does not, but a person may open an address of
 * the service from any page.
 */
export function mayUseSession({ headers }: Pick<IncomingMessage, 'headers'>, origins: Origins): boolean {
  const { origin, host = '' } = headers
  const site = headers['sec-fetch-site']
  if (origin !== undefined && origins.isTrusted(origin)) return true
  if (origin === undefined) {
    const isOwn = site === undefined || site === 'same-origin' || site === 'none'
    return isOwn || headers['sec-fetch-mode'] === 'navigate'
  }
  return isSameOrigin(origin, site, host, origins)
}

/** Throws if a request with the cookie of a session may change something, and lacks a header that no form can send. */
export function requirePageHeader({
  method = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): void {
  if (method === 'GET' || method === 'HEAD' || headers[PAGE_HEADER] !== undefined) return
  throw new HyperslabError(
    'header-required',
    `${method} with the cookie of a session needs the header X-Requested-With, which forms of other pages cannot send`,
  )
}

export interface PageRequest {
  readonly headers: IncomingMessage['headers']
  /** Whether the request is a write. */
  readonly writes: boolean
  /** Whether callers can be identified. If not, every client that reaches the service has the same permissions. */
  readonly hasAccounts: () => boolean
}

/** Rejects the request of a browser for a page that may not make it. */
export function requireAllowedPage({ headers, writes, hasAccounts }: PageRequest, origins: Origins): void {
  const { origin, host = '' } = headers
  const site = headers['sec-fetch-site']
  if (origin === undefined && site === undefined) return
  if (origin !== undefined && origins.isTrusted(origin)) return
  if (!origins.isOwn(host) && (writes || !hasAccounts())) {
    throw new HyperslabError(
      'host-not-allowed',
      `the browser calls this service ${shown(host)}, which is not one of its names: set public_url to the ` +
        'address in use',
    )
  }
  if (!writes || isSameOrigin(origin, site, host, origins)) return
  throw new HyperslabError(
    'origin-not-allowed',
    `pages of ${origin === undefined ? 'other origins' : shown(origin)} may not write: list them in the setting ` +
      'cors_origins to allow it',
  )
}

/**
 * Whether a page has the same origin: as the browser reports it (`none`: the user, not a page) or, if it does not, by
 * comparing the two names.
 */
function isSameOrigin(
  origin: string | undefined,
  site: string | string[] | undefined,
  host: string,
  origins: Origins,
): boolean {
  const originHost = origin?.replace(/^https?:\/\//, '')
  if (site === undefined) return originHost === host.toLowerCase()
  if (site !== 'same-origin' && site !== 'none') return false
  // A proxy may have replaced the Host.
  return originHost === undefined || originHost === 'null' || origins.isOwn(originHost)
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}

/** A preflight names its origin, and a method that the service has (hsds-objects 1.7). */
export function requirePreflight({ headers }: IncomingMessage): void {
  const method = headers['access-control-request-method']
  if (headers.origin === undefined || method === undefined) {
    throw new HyperslabError(
      'preflight-refused',
      'OPTIONS (a preflight) must have the headers Origin and Access-Control-Request-Method',
    )
  }
  if (METHODS.some(known => known === method)) return
  const problem = `a page of another origin cannot use the method ${method}: the methods are ${METHODS.join(', ')}`
  throw new HyperslabError('preflight-refused', problem)
}

/** POST is among them for the reads that have a body: a POST that writes is rejected when it comes. */
const METHODS_OF_ANY_PAGE: readonly string[] = ['GET', 'HEAD', 'POST']

/** OPTIONS on any path: 200 without a body (classic 2; hsds-objects 1.7). */
export function answerPreflight(
  { headers }: IncomingMessage,
  response: ServerResponse,
  head: Head,
  origins: Origins,
): void {
  const isTrusted = headers.origin !== undefined && origins.isTrusted(headers.origin)
  const method = headers['access-control-request-method']
  if (method !== undefined) {
    const isAllowed = isTrusted || METHODS_OF_ANY_PAGE.includes(method)
    head.push('Access-Control-Allow-Methods', isAllowed ? method : METHODS_OF_ANY_PAGE.join(', '))
  }
  const requested = headers['access-control-request-headers'] ?? 'Content-type,'
  head.push('Access-Control-Allow-Headers', isTrusted ? requested : withoutCredentials(requested))
  // A page of the internet that calls a private network (Private Network Access).
  if (isTrusted && headers['access-control-request-private-network'] === 'true') {
    head.push('Access-Control-Allow-Private-Network', 'true')
  }
  head.push('Access-Control-Max-Age', '600', 'Content-Length', '0')
  response.writeHead(200, head)
  response.end()
}

const HEADERS_OF_OWN_PAGES: ReadonlySet<string> = new Set(['authorization', PAGE_HEADER])

/**
 * Pages that are not trusted cannot try passwords through the browsers of their visitors, nor send the header that
 * changes with a cookie need.
 */
function withoutCredentials(headers: string): string {
  return headers
    .split(',')
    .filter(name => !HEADERS_OF_OWN_PAGES.has(name.trim().toLowerCase()))
    .join(',')
}
