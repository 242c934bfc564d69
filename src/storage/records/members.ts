// Lists the members of an object, links and attributes alike: by name, or by creation. The tombstone of a deleted member
// keeps its time of creation, so a client can go on from a marker that is no longer there.

import type { ObjectId } from '../../hdf5/object-id.ts'
import type { Timestamp } from '../../hdf5/timestamp.ts'
import type { Reads } from '../changes.ts'
import { component, componentPrefix, rangeAfter, rangeOf } from '../key-range.ts'
import type { Page } from '../store.ts'
import {
  creationOrder,
  nameOfCreationOrder,
  type ObjectPart,
  objectKey,
  objectPartRange,
  restOfObjectKey,
  tombstoneKey,
} from './keys.ts'
import { decodeRecord } from './record.ts'

export interface MemberParts {
  readonly byName: ObjectPart
  readonly byCreation: ObjectPart
  readonly tombstone: 'link' | 'attribute'
}

/** Records that are got at once when listing by creation. */
const BATCH = 128

/** The records of the page. By creation, nothing follows a marker that never existed. */
export async function* listMembers(
  reads: Reads,
  owner: ObjectId,
  parts: MemberParts,
  { marker, limit, order = 'name', prefix = '' }: Page,
): AsyncGenerator<Uint8Array> {
  const most = limit === undefined ? {} : { limit }
  if (order === 'name') {
    const all = rangeOf(objectKey(owner, parts.byName, componentPrefix(prefix)))
    const range =
      marker === undefined ? all : rangeAfter(all, objectKey(owner, parts.byName, component(marker)))
    for await (const { value } of reads.range({ ...range, ...most })) yield value
    return
  }
  const all = objectPartRange(owner, parts.byCreation)
  const after =
    marker === undefined ? undefined : await findCreationKey(reads, owner, parts, component(marker))
  if (marker !== undefined && after === undefined) return
  const range = after ? rangeAfter(all, after) : all
  let keys: Uint8Array[] = []
  for await (const { key } of reads.range({ ...range, ...most })) {
    keys.push(objectKey(owner, parts.byName, nameOfCreationOrder(restOfObjectKey(key))))
    if (keys.length < BATCH) continue
    yield* recordsAt(reads, keys)
    keys = []
  }
  yield* recordsAt(reads, keys)
}

async function* recordsAt(reads: Reads, keys: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const record of await reads.getMany(keys)) {
    if (record === undefined) throw new Error('an entry by creation has no record')
    yield record
  }
}

/** The key by creation that a member has, or had before it was deleted. */
async function findCreationKey(
  reads: Reads,
  owner: ObjectId,
  parts: MemberParts,
  name: Uint8Array,
): Promise<Uint8Array | undefined> {
  const record =
    (await reads.get(objectKey(owner, parts.byName, name))) ??
    (await reads.get(tombstoneKey(owner, parts.tombstone, name)))
  if (record === undefined) return undefined
  const { created } = decodeRecord<{ readonly created: Timestamp }>(record)
  return objectKey(owner, parts.byCreation, creationOrder(created, name))
}
