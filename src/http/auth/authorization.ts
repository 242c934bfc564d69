// The `Authorization` header, read; who it is is decided elsewhere.

import { HyperslabError } from '../../errors.ts'

export interface Password {
  readonly name: string
  readonly password: string
}

/** What a caller proves himself by: a name and a password (Basic), or a token (Bearer). */
export type Credentials = Password | { readonly token: string }

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** RFC 6750, 2.1. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

/**
 * The credentials of a header, or undefined for none. A lenient reading takes another scheme, no data, an empty user
 * or an empty password for no credentials (classic 13.1); a strict one refuses them (hsds-objects 3.1).
 */
export function parseAuthorization(header: string | undefined, lenient: boolean): Credentials | undefined {
  if (header === undefined) return undefined
  const [, scheme = '', data = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(header) ?? []
  const odd = (why: string): undefined => {
    if (lenient) return undefined
    throw new HyperslabError('malformed-credentials', `the Authorization header ${why}`)
  }
  const isBearer = scheme.toLowerCase() === 'bearer'
  if (!isBearer && scheme.toLowerCase() !== 'basic') return odd('has a scheme other than Basic and Bearer')
  if (data === '') return odd('has no data after its scheme')
  if (isBearer)
    return TOKEN.test(data) ? { token: data } : odd('has something else than a token after its scheme')
  if (!BASE64.test(data)) {
    throw new HyperslabError('malformed-credentials', 'the data of the Authorization header is not Base64')
  }
  const text = Buffer.from(data, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) {
    throw new HyperslabError(
      'malformed-credentials',
      'the Authorization header holds no colon between name and password',
    )
  }
  const credentials = { name: text.slice(0, colon), password: text.slice(colon + 1) }
  if (credentials.name === '' || credentials.password === '') return odd('has an empty name or password')
  return credentials
}
