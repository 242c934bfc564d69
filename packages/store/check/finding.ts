// The findings of a check of a store, as data: the kind, the location, and the expected value. An `error` never results
// from an interruption of the service. An `information` is a state that the API allows (links to deleted objects) or
// that the sweeper will end.

import type { ObjectId } from '@hyperslab/model/names'

export type Severity = 'error' | 'information'

const KINDS = {
  'unknown-key': ['error', 'the key is none that this release writes'],
  'broken-record': ['error', 'the record cannot be decoded'],
  'misplaced-record': ['error', 'the record is stored under the key of another one'],
  'domain-without-root': ['error', 'the root group of the domain is missing'],
  'domain-without-folder': ['information', 'the folder that holds the domain or folder is missing'],
  'folder-without-note': ['error', 'the folder holds a domain, but no table of contents shows it'],
  'contents-without-root': ['error', 'the root group of the contents is missing'],
  'contents-without-domain': ['information', 'no domain has these contents, and nothing removes them'],
  'unfinished-import': ['information', 'the contents are being filled by an import, or one has died'],
  'being-removed': ['information', 'it was deleted, and its contents are still to be removed'],
  'removed-and-there': ['error', 'its contents are to be removed, but it exists'],
  'deleted-and-there': ['error', 'there is a tombstone of it, but it is there'],
  'tombstone-without-owner': ['error', 'the object that held the deleted link or attribute is missing'],
  'parts-without-object': ['error', 'the record of the object is missing, but not its parts'],
  'object-without-index': ['error', 'the object is missing in the index of its kind'],
  'index-without-object': ['error', 'the index names an object that is missing or of another kind'],
  'object-without-stamp': ['error', 'the time of the last change is missing'],
  'member-without-place': ['error', 'the link or attribute is missing in the order of creation'],
  'place-without-member': ['error', 'the order of creation names a link or attribute that is missing'],
  'dangling-link': ['information', 'the object that the hard link points to is missing'],
  'link-of-wrong-kind': [
    'information',
    'the object was deleted, and its id is that of an object of another kind',
  ],
  'link-out-of-domain': ['error', 'the hard link points into another domain'],
  'link-without-back-link': ['error', 'the target of the hard link does not know of it'],
  'back-link-without-link': ['error', 'the target knows of a hard link that is missing'],
  'committed-type-missing': ['information', 'the committed datatype that the type was taken from is missing'],
  'wrong-counter': ['error', 'a counter differs from what it counts'],
  'wrong-charge': ['error', 'the contents are not charged to the quotas that cover the domain'],
  'chunk-without-dataset': ['error', 'the object is not a dataset with chunks'],
  'chunk-outside': ['error', 'the chunk is outside the extents'],
  'wrong-chunk': ['error', 'the record of the chunk does not fit the dataset'],
  'values-without-chunk': ['error', 'no record of a chunk has these values'],
  'missing-values': ['error', 'the values of the chunk are missing'],
  'wrong-length': ['error', 'the stored values are longer or shorter than the record says'],
  'unreadable-values': ['error', 'the values cannot be read'],
  'value-without-attribute': ['error', 'no attribute has this large value'],
  'attribute-without-value': ['error', 'the large value of the attribute is missing'],
  'wrong-value': ['error', 'the value of the attribute does not fit its type and dataspace'],
  'account-without-revision': [
    'error',
    'the record that is new after each change of the accounts is missing',
  ],
  'garbage-in-use': ['error', 'the blob is noted as garbage, but a record names it'],
  'orphaned-blob': ['information', 'no record names the blob: a write is under way, or was interrupted'],
  'foreign-file': ['information', 'the name of the blob is none that the service makes'],
} as const satisfies Record<string, readonly [Severity, string]>

export type FindingKind = keyof typeof KINDS

export interface Finding {
  readonly kind: FindingKind
  /** The path of a domain or folder. */
  readonly domain?: string
  /** An object; for a finding about all contents of a domain, its root group. */
  readonly object?: ObjectId
  /** The name of a link, an attribute or a counter of it, or the coordinates of a chunk. */
  readonly name?: string
  readonly key?: Uint8Array
  readonly blob?: string
  readonly expected?: string | number
  readonly found?: string | number
}

export function severityOf(kind: FindingKind): Severity {
  return KINDS[kind][0]
}

/** The kind in a sentence. */
export function describeKind(kind: FindingKind): string {
  return KINDS[kind][1]
}

/** The numbers of records and blobs that were checked so far. */
export interface Totals {
  domains: number
  objects: number
  records: number
  /** Bytes of the keys and values of the records. */
  recordBytes: number
  /** Blobs that records name. */
  blobs: number
  blobBytes: number
  /** Blobs whose values were read and have no checksums to compare them with. */
  uncomparedBlobs: number
  errors: number
}
