// What the log's line about a request holds besides its figures: the address it came from, the user that was tried, and
// the domain it is about. Never its credentials, and of its query, which may hold a key, the names of domain and bucket
// only.

import type { IncomingMessage } from 'node:http'
import { pathInBucket } from '../../hdf5/domain-path.ts'
import { parseAuthorization } from '../auth/authorization.ts'
import { bucketName } from '../dialect/buckets.ts'
import type { Dialect, NamingSettings } from '../dialect/dialect.ts'
import type { Target } from '../message/target.ts'

export interface LoggedDomain {
  readonly bucket?: string
  /** The path that the request named, which a domain need not have. */
  readonly domain?: string
}

export interface LoggedOrigin {
  readonly address: string | undefined
  /** What proxies say of the address: a header, which any client that reaches the service without a proxy can send. */
  readonly forwardedFor?: string
  /** The name that came with a rejected password. */
  readonly tried?: string
}

/** Characters of what the client may choose freely. */
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
    // The request was rejected for its name, and the answer said why.
    return {}
  }
}

export function loggedOrigin(
  { headers }: Pick<IncomingMessage, 'headers'>,
  status: number | undefined,
  address: string | undefined,
): LoggedOrigin {
  const forwarded = headers['x-forwarded-for']
  const tried = status === 401 ? nameIn(headers.authorization) : undefined
  return {
    address,
    ...(forwarded && { forwardedFor: String(forwarded).slice(0, MAX_LENGTH) }),
    ...(tried && { tried: tried.slice(0, MAX_LENGTH) }),
  }
}

function nameIn(authorization: string | undefined): string | undefined {
  try {
    const credentials = parseAuthorization(authorization, true)
    return credentials && 'name' in credentials ? credentials.name : undefined
  } catch {
    return undefined
  }
}
