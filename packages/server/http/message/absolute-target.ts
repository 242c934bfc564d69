// Request targets in absolute form, `GET http://host/path`, as proxies get them: a server takes them, and their host in
// the place of the header `Host` (RFC 9112, 3.2.2).

import type { IncomingMessage } from 'node:http'
import { HyperslabError } from '@hyperslab/base/errors'
import { shownPath } from './target.ts'

const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?#].*)?$/is

/** Makes an absolute target a path and a host. Must be called once, before anything else reads them. */
export function takeAuthority(request: IncomingMessage): void {
  const { url = '' } = request
  if (url.startsWith('/')) return
  const [, authority, path = ''] = ABSOLUTE.exec(url) ?? []
  if (authority === undefined) return
  request.url = path.startsWith('/') ? path : `/${path}`
  request.headers.host = authority
}

/** Throws for a target that is neither a path nor an absolute one of HTTP. */
export function requirePath({ url = '', method }: IncomingMessage): void {
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return
  const message = `the request target ${shownPath(url)} must be a path that begins with a slash, or http://, a host and a path`
  throw new HyperslabError('malformed-request', message)
}
