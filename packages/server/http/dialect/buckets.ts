// The names of buckets in requests and answers (hsds-objects 1.2). A setting lists the buckets; only requests of the
// hsds dialect can name one; a request of the classic dialect is about the default bucket.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import {
  type Bucket,
  bucketOf,
  DEFAULT_BUCKET,
  type DomainPath,
  parseDomainPath,
} from '@hyperslab/model/names'
import { isBucketName } from '../../service/domains/path-names.ts'

export interface Buckets {
  /** The name of the bucket of a request that names none. */
  readonly defaultName: string
  readonly otherNames: readonly string[]
}

/** The bucket of that name; `bucket-not-found` if there is none. */
export function bucketNamed(name: string, { defaultName, otherNames }: Buckets): Bucket {
  if (name === defaultName) return DEFAULT_BUCKET
  // The settings hold valid names only.
  if (otherNames.includes(name)) return name as Bucket
  if (!isBucketName(name)) {
    throw new HyperslabError(
      'malformed-parameter',
      `the name of a bucket must have letters, digits, "_", "." and "-" only, not ${excerpt(name)}`,
    )
  }
  const rule = 'a path in the default bucket begins with "/"'
  throw new HyperslabError('bucket-not-found', `there is no bucket "${name}" (${rule})`, { subject: name })
}

/** The path `/home/x` in the bucket, or `archive/home/x` in the bucket that the string names. */
export function parseBucketPath(text: string, bucket: Bucket, buckets: Buckets): DomainPath {
  const slash = text.startsWith('hdf5:/') ? 0 : text.indexOf('/')
  if (slash <= 0) return parseDomainPath(text, bucket)
  return parseDomainPath(text.slice(slash), bucketNamed(text.slice(0, slash), buckets))
}

/** The same of a folder, whose path may end with a slash. */
export function parseBucketFolder(text: string, bucket: Bucket, buckets: Buckets): DomainPath {
  return parseBucketPath(text.replace(/(\/[^/]+)\/$/, '$1'), bucket, buckets)
}

export function bucketName(path: DomainPath, { defaultName }: Buckets): string {
  return bucketOf(path) || defaultName
}
