// The path before those of the service: that of `public_url`, or the one that a proxy names in a header
// (docs/decisions/109). It is found and checked once, before anything else reads the request, and is in one header from
// then on. All that makes addresses asks `prefixOf`.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'

/** Traefik, nginx and others send the first, jupyter-server-proxy the others. The first that is not empty counts. */
const NAMES = ['x-forwarded-prefix', 'x-forwarded-context', 'x-proxycontextpath'] as const
const [NAME] = NAMES

/** Characters of the prefix in a header. @limit safety, characters */
const MAX_PREFIX = 1024

/** RFC 3986, 3.3, without the characters that end the path of a cookie, or a quoted text. */
const PREFIX = /^(\/([\w\-.~!$&()*+=:@]|%[\da-f]{2})+)*$/i
/** Segments that a client resolves, and encoded slashes and control characters. */
const UNSAFE = /\/(\.|%2e){1,2}(\/|$)|%([01]|2f|5c|7f)/i

const rejected = new WeakMap<IncomingMessage, string>()

type TakePrefix = (request: IncomingMessage) => void

/** The function that finds the prefix of a request. Call it once, before its headers and its address are read. */
export function prefixTaker(publicUrl: string | undefined): TakePrefix {
  if (publicUrl === undefined) return takeFromHeader
  const path = new URL(publicUrl).pathname.replace(/\/+$/, '')
  const names = path.split('/').slice(1).map(decoded)
  return request => {
    request.headers[NAME] = path
    if (path !== '') request.url = withoutPath(request.url ?? '/', names)
  }
}

function takeFromHeader(request: IncomingMessage): void {
  const { headers } = request
  const sent = NAMES.map(name => headers[name]).find(value => value !== undefined && value !== '')
  if (sent === undefined) return
  const prefix = parsePrefix(String(sent))
  if (prefix === undefined) rejected.set(request, String(sent))
  // It stays there if it is empty: the request comes from a proxy.
  headers[NAME] = prefix ?? ''
}

/**
 * The prefix in a header, or undefined if it is none. Each of several proxies adds its own, the first one that of the
 * beginning.
 */
export function parsePrefix(header: string): string | undefined {
  // Node decodes the bytes of headers as Latin-1.
  const text = header.replace(/[\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  const parts = text.split(',').map(part => part.trim().replace(/\/$/, ''))
  const prefix = parts.join('')
  const isPath = parts.every(part => PREFIX.test(part)) && !UNSAFE.test(prefix)
  return isPath && prefix.length <= MAX_PREFIX ? prefix : undefined
}

/** The target without the names at its beginning, if it has them: a proxy may leave them there, or encode them anew. */
function withoutPath(url: string, names: readonly string[]): string {
  const end = url.search(/[?#]|$/)
  const segments = url.slice(0, end).split('/').slice(1)
  if (!names.every((name, i) => segments[i] !== undefined && decoded(segments[i]) === name)) return url
  return `/${segments.slice(names.length).join('/')}${url.slice(end)}`
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Throws for a request whose proxy named something else than a prefix. */
export function requirePrefix(request: IncomingMessage): void {
  const sent = rejected.get(request)
  if (sent === undefined) return
  throw new HyperslabError(
    'malformed-request',
    `the header X-Forwarded-Prefix or X-Forwarded-Context ${excerpt(sent)} must be a path such as /data, of up to ` +
      `${MAX_PREFIX} characters, without empty segments, "." and ".."`,
  )
}

/** The path before those of the service, without a slash at its end: empty, or it begins with a slash. */
export function prefixOf(headers: IncomingHttpHeaders): string {
  const prefix = headers[NAME]
  return typeof prefix === 'string' ? prefix : ''
}

/** The beginning of addresses for readers that know the host: the public address, or the prefix alone. */
export function nearBaseOf(headers: IncomingHttpHeaders, publicUrl: string | undefined): string {
  return publicUrl ?? prefixOf(headers)
}
