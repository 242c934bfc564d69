// Parses the `Authorization` header. authenticate.ts checks the credentials.

import { HyperslabError } from '@hyperslab/base/errors'

export interface PasswordCredentials {
  readonly name: string
  readonly password: string
}

/** The proof of a caller's identity: a name and a password (Basic), or a token (Bearer). */
export type Credentials = PasswordCredentials | { readonly token: string }

/** The beginning of every token of this service; other tokens are those of an identity provider. */
export const TOKEN_PREFIX = 'hyperslab_'

/** A token where a password may be, too: no password has this form. */
export const OWN_TOKEN = /^hyperslab_[\w-]{43}$/

/** The name as logs have it: some programs put a token in its place. */
export function shownName(name: string): string {
  return name.includes(TOKEN_PREFIX) ? 'a token' : name
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** RFC 6750, 2.1. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/

/**
 * The credentials of a header, or undefined for none. A lenient reading treats another scheme, no data, an empty user
 * or an empty password as no credentials (classic 13.1); a strict one rejects them (hsds-objects 3.1).
 */
export function parseAuthorization(header: string | undefined, lenient: boolean): Credentials | undefined {
  if (header === undefined) return undefined
  const [, scheme = '', data = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(header) ?? []
  const rejectUnlessLenient = (reason: string): undefined => {
    if (lenient) return undefined
    throw new HyperslabError('malformed-credentials', `the Authorization header ${reason}`)
  }
  const isBearer = scheme.toLowerCase() === 'bearer'
  if (!isBearer && scheme.toLowerCase() !== 'basic')
    return rejectUnlessLenient('must have the scheme Basic or Bearer')
  if (data === '') return rejectUnlessLenient('must have data after its scheme')
  if (isBearer)
    return TOKEN.test(data)
      ? { token: data }
      : rejectUnlessLenient('must have a token after the scheme Bearer')
  if (!BASE64.test(data)) {
    throw new HyperslabError('malformed-credentials', 'the data of the Authorization header must be Base64')
  }
  const text = Buffer.from(data, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) {
    throw new HyperslabError(
      'malformed-credentials',
      'the Authorization header must have a colon between name and password',
    )
  }
  const credentials = { name: text.slice(0, colon), password: text.slice(colon + 1) }
  if (credentials.name === '' || credentials.password === '')
    return rejectUnlessLenient('has an empty name or password')
  return credentials
}
