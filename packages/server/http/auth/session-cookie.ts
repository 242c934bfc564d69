// The cookie of a session: its secret, which scripts of pages cannot read and browsers do not send with requests of
// foreign sites. Browsers send a cookie to every port of a host, so its name has the port: two services on one machine
// do not end each other's sessions. Below a prefix the cookie is for that path only, and its name has a digest of it:
// browsers send it to paths further below, too, which may be another service. Behind TLS the name begins with
// `__Host-`, with which browsers accept it from this host only and over TLS only; they want the path `/` then, so below
// a prefix it is `__Secure-`: over TLS only.

import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { hostOf } from '../dialect/place.ts'
import { prefixOf } from '../message/path-prefix.ts'

/** The header that requests with the cookie must have to change something: a form cannot send it. */
export const PAGE_HEADER = 'x-requested-with'

/** Whether the client uses TLS: to this address, or as a proxy says. */
function isSecure(headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith('https:') === true || headers['x-forwarded-proto'] === 'https'
}

/** The name of the cookie of sessions, with which those of all cookies begin. */
export function cookieNameOf(headers: IncomingHttpHeaders, publicUrl: string | undefined): string {
  const port = /:(\d+)$/.exec(publicUrl === undefined ? hostOf(headers) : new URL(publicUrl).host)?.[1]
  const prefix = prefixOf(headers)
  const parts = [
    'hyperslab',
    ...(port === undefined ? [] : [port]),
    ...(prefix === '' ? [] : [digest(prefix)]),
  ]
  const name = parts.join('-')
  if (!isSecure(headers, publicUrl)) return name
  return prefix === '' ? `__Host-${name}` : `__Secure-${name}`
}

function digest(prefix: string): string {
  return createHash('sha256').update(prefix).digest('hex').slice(0, 16)
}

/** The cookies of a request by their names, in the order in which they came. */
export function cookiesIn({ cookie = '' }: IncomingHttpHeaders): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const text of cookie.split(';')) {
    const pair = text.trim()
    const end = pair.indexOf('=')
    const name = pair.slice(0, end)
    // The first one of a name counts.
    if (end > 0 && !cookies.has(name)) cookies.set(name, pair.slice(end + 1))
  }
  return cookies
}

/** The secret of the session that the cookies of a request name. */
export function sessionIn(headers: IncomingHttpHeaders, publicUrl: string | undefined): string | undefined {
  if (headers.cookie === undefined) return undefined
  return cookiesIn(headers).get(cookieNameOf(headers, publicUrl))
}

/** The value of `Set-Cookie`; 0 seconds: the browser removes the cookie. */
export function sessionCookie(
  headers: IncomingHttpHeaders,
  publicUrl: string | undefined,
  secret: string,
  seconds: number,
): string {
  const name = cookieNameOf(headers, publicUrl)
  return setCookie(headers, publicUrl, { name, value: secret, seconds })
}

/** The value of `Set-Cookie` for a cookie that pages cannot read and foreign pages cannot use. */
export function setCookie(
  headers: IncomingHttpHeaders,
  publicUrl: string | undefined,
  { name, value, seconds }: { readonly name: string; readonly value: string; readonly seconds: number },
): string {
  const secure = isSecure(headers, publicUrl) ? '; Secure' : ''
  const path = prefixOf(headers) || '/'
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}
