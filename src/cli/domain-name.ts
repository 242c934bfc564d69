// Names of domains that a command is given.

import { DEFAULT_BUCKET, type DomainPath, parseDnsName } from '../hdf5/domain-path.ts'
import { parseBucketPath } from '../http/dialect/buckets.ts'
import { bucketsOf, type Settings } from './config.ts'

/** A path such as /test/tall, archive/test/tall in another bucket, or a DNS name. Throws what the parser of either throws. */
export function parseDomainName(text: string, settings: Settings): DomainPath {
  return text.includes('/') ? parsePath(text, settings) : parseDnsName(text, settings.baseDomain)
}

/** `/home/x`, or `archive/home/x` in another bucket than the default one. */
export function parsePath(text: string, settings: Settings): DomainPath {
  return parseBucketPath(text, DEFAULT_BUCKET, bucketsOf(settings))
}
