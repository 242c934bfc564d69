// The domain that an hsds request names: a path, in a parameter or a header (hsds-objects 1.1 and 1.2).

import type { IncomingHttpHeaders } from 'node:http'
import { type Bucket, DEFAULT_BUCKET, parseDomainPath, topLevelOf } from '@hyperslab/model/names'
import { rawParameter, type Target } from '../../message/target.ts'
import { bucketNamed, parseBucketPath } from '../buckets.ts'
import type { Naming, NamingSettings } from '../dialect.ts'
import { fromLatin1 } from '../place.ts'

/** X-Hdf-domain, or a Host that is a path, as the oldest h5pyd sends it (clients 2.1). */
export function domainHeader({ host, 'x-hdf-domain': domain }: IncomingHttpHeaders): string | undefined {
  if (domain === undefined) return host?.startsWith('/') ? host : undefined
  return typeof domain === 'string' ? domain : ''
}

/** The domain of an hsds request: parameters have precedence over headers (hsds-objects 1.1 and 1.2). */
export function nameByPath(
  target: Target,
  headers: IncomingHttpHeaders,
  { buckets }: NamingSettings,
): Naming {
  const header = headers['x-hdf-bucket']
  const name = target.query.get('bucket') || (typeof header === 'string' && header)
  const bucket = name ? bucketNamed(name, buckets) : DEFAULT_BUCKET
  const parameter = target.query.get('domain')
  const suffix = suffixOf(target, bucket)
  if (parameter) {
    const path = parseBucketPath(withoutLastSlash(parameter, target), bucket, buckets)
    return { path, dnsName: '', suffix }
  }
  const domain = domainHeader(headers)
  if (domain) {
    const path = parseDomainPath(withoutLastSlash(fromLatin1(domain), target), bucket)
    return { path, dnsName: '', suffix }
  }
  return { path: topLevelOf(bucket), dnsName: '', suffix }
}

/** The part of the query that names the domain, in its original spelling. */
function suffixOf(target: Target, bucket: Bucket): string {
  const domain = target.query.get('domain') ? `?domain=${rawParameter(target, 'domain')}` : ''
  if (bucket === DEFAULT_BUCKET || !target.query.get('bucket')) return domain
  return `${domain}${domain === '' ? '?' : '&'}bucket=${rawParameter(target, 'bucket')}`
}

/** The name of a folder to list may end with a slash (hsds-objects 8.5); that of a top level stays. */
function withoutLastSlash(text: string, { path }: Target): string {
  return path === '/domains' && /\/.*[^/]\/$/s.test(text) ? text.slice(0, -1) : text
}
