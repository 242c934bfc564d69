// Members of the log's line about a request: the address that proxies report, the user name that was tried, and its
// domain. They never contain credentials, and of the query, which may contain a key, only the names of the domain and
// the bucket.

import type { IncomingMessage } from 'node:http'
import { pathInBucket } from '../../service/domains/path-names.ts'
import { parseAuthorization, shownName } from '../auth/authorization.ts'
import { bucketName } from '../dialect/buckets.ts'
import type { Dialect, NamingSettings } from '../dialect/dialect.ts'
import type { Target } from '../message/target.ts'

export interface LoggedDomain {
  readonly bucket?: string
  /** The path in the request, at which there need not be a domain. */
  readonly domain?: string
}

export interface LoggedOrigin {
  /**
   * The address that proxies report in a header, which any client that reaches the service without a proxy can send,
   * too.
   */
  readonly forwardedFor?: string
  /** The name that came with a rejected password. */
  readonly tried?: string
}

/** Characters of members that the client may choose freely. @limit safety, characters */
const MAX_LENGTH = 200

export function loggedDomain(
  target: Target,
  { headers }: Pick<IncomingMessage, 'headers'>,
  dialect: Dialect,
  settings: NamingSettings,
): LoggedDomain {
  try {
    const { path } = dialect.nameDomain(target, headers, settings)
    return { bucket: bucketName(path, settings.buckets), domain: pathInBucket(path) }
  } catch {
    // The request was rejected for its name, and the answer has the reason.
    return {}
  }
}

export function loggedOrigin(
  { headers }: Pick<IncomingMessage, 'headers'>,
  status: number | undefined,
): LoggedOrigin {
  const forwarded = headers['x-forwarded-for']
  const tried = status === 401 ? nameIn(headers.authorization) : undefined
  return {
    ...(forwarded && { forwardedFor: String(forwarded).slice(0, MAX_LENGTH) }),
    ...(tried && { tried: tried.slice(0, MAX_LENGTH) }),
  }
}

function nameIn(authorization: string | undefined): string | undefined {
  try {
    const credentials = parseAuthorization(authorization, true)
    return credentials && 'name' in credentials ? shownName(credentials.name) : undefined
  } catch {
    return undefined
  }
}
