// Names of domains in the arguments of a command.

import { DEFAULT_BUCKET, type DomainPath } from '@hyperslab/model/names'
import { parseBucketPath } from '../http/dialect/buckets.ts'
import { parseDnsName } from '../http/dialect/classic/dns-names.ts'
import { bucketsOf } from './settings/config.ts'
import type { Settings } from './settings/table.ts'

/** A path such as /test/tall, archive/test/tall in another bucket, or a DNS name. Throws the error of either parser. */
export function parseDomainName(text: string, settings: Settings): DomainPath {
  return text.includes('/') ? parsePath(text, settings) : parseDnsName(text, settings.baseDomain)
}

/** `/home/x`, or `archive/home/x` in another bucket than the default one. */
export function parsePath(text: string, settings: Settings): DomainPath {
  return parseBucketPath(text, DEFAULT_BUCKET, bucketsOf(settings))
}
