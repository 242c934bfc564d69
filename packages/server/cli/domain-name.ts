// Names of domains: those in the arguments of a command, and the short DNS names of the classic dialect in its output.

import {
  DEFAULT_BUCKET,
  type DomainPath,
  FILE_EXTENSION,
  formatDnsName,
  parseDnsName,
  parseDomainPath,
} from '@hyperslab/model/names'
import { parseBucketPath } from '../http/dialect/buckets.ts'
import { bucketsOf, type Settings } from './settings/config.ts'

/** A path such as /test/tall, archive/test/tall in another bucket, or a DNS name. Throws the error of either parser. */
export function parseDomainName(text: string, settings: Settings): DomainPath {
  return text.includes('/') ? parsePath(text, settings) : parseDnsName(text, settings.baseDomain)
}

/** `/home/x`, or `archive/home/x` in another bucket than the default one. */
export function parsePath(text: string, settings: Settings): DomainPath {
  return parseBucketPath(text, DEFAULT_BUCKET, bucketsOf(settings))
}

/** `tall.test.hdfgroup.org` for `/test/tall.h5`, unless that is the name of another domain, as `isDomain` says. */
export async function classicName(
  path: DomainPath,
  baseDomain: string,
  isDomain: (path: DomainPath) => Promise<boolean>,
): Promise<string> {
  const short = withoutExtension(path)
  return formatDnsName(short !== path && (await isDomain(short)) ? path : short, baseDomain)
}

/** The path without the extension of a file; the path itself, if it has none. */
function withoutExtension(path: DomainPath): DomainPath {
  const short = path.slice(0, -FILE_EXTENSION.length)
  const hasName = path.endsWith(FILE_EXTENSION) && !short.endsWith('/')
  return hasName ? parseDomainPath(short) : path
}
