// What the log's line about a request tells besides its figures: who asked from where, about which domain. Never its
// credentials nor its query, which may hold a key: of the query nothing is told but the names of domain and bucket.

import type { IncomingMessage } from 'node:http'
import { pathInBucket } from '../../hdf5/domain-path.ts'
import { parseAuthorization } from '../auth/authorization.ts'
import { bucketName } from '../dialect/buckets.ts'
import type { Dialect, NamingSettings } from '../dialect/dialect.ts'
import type { Target } from '../target.ts'

export interface LoggedPlace {
  readonly bucket?: string
  /** The path that the request named, which a domain need not have. */
  readonly domain?: string
}

export interface LoggedOrigin {
  readonly address: string | undefined
  /** What proxies say of the address: a header, which anybody can send who reaches the service without one. */
  readonly forwardedFor?: string
  /** The name that was given with a password that was refused. */
  readonly tried?: string
}

/** Characters of what the client may choose freely. */
const LONGEST = 200

export function loggedPlace(
  target: Target,
  { headers }: Pick<IncomingMessage, 'headers'>,
  dialect: Dialect,
  settings: NamingSettings,
): LoggedPlace {
  try {
    const { path } = dialect.nameDomain(target, headers, settings)
    return { bucket: bucketName(path, settings.buckets), domain: pathInBucket(path) }
  } catch {
    // The request was refused for its name, and the answer said why.
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
    ...(forwarded && { forwardedFor: String(forwarded).slice(0, LONGEST) }),
    ...(tried && { tried: tried.slice(0, LONGEST) }),
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
