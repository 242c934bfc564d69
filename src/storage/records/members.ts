// Lists the members of an object, links and attributes alike: by name, or by creation. The tombstone of a deleted
// member keeps its time of creation, so a client can go on from a marker that is no longer there.

import { isTurnOver, nextTurn, sortInTurns } from '../../bounded/turns.ts'
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
/** So few members, of so many bytes of records, are sorted instead: to get each by its name takes longer. */
const MAX_SORTED = 16_384
const MAX_SORTED_BYTES = 4 * 2 ** 20

/** What `decode` makes of the records of the page. By creation, nothing follows a marker that never existed. */
export async function* listMembers<Member extends { readonly created: Timestamp }>(
  reads: Reads,
  owner: ObjectId,
  parts: MemberParts,
  { marker, limit, order = 'name', prefix = '' }: Page,
  decode: (record: Uint8Array) => Member,
): AsyncGenerator<Member> {
  const most = limit === undefined ? {} : { limit }
  if (order === 'name') {
    const all = rangeOf(objectKey(owner, parts.byName, componentPrefix(prefix)))
    const range =
      marker === undefined ? all : rangeAfter(all, objectKey(owner, parts.byName, component(marker)))
    for await (const { value } of reads.range({ ...range, ...most })) yield decode(value)
    return
  }
  if (marker === undefined && (limit === undefined || limit > BATCH)) {
    const few = await fewMembers(reads, owner, parts, limit === undefined ? MAX_SORTED : BATCH, decode)
    if (few) {
      yield* few
      return
    }
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
    for (const record of await recordsAt(reads, keys)) yield decode(record)
    keys = []
  }
  if (keys.length === 0) return
  for (const record of await recordsAt(reads, keys)) yield decode(record)
}

/** All members by creation, if they are few: one range, instead of one and a lookup for each. */
async function fewMembers<Member extends { readonly created: Timestamp }>(
  reads: Reads,
  owner: ObjectId,
  parts: MemberParts,
  most: number,
  decode: (record: Uint8Array) => Member,
): Promise<Member[] | undefined> {
  const range = { ...objectPartRange(owner, parts.byName), limit: most + 1 }
  const members: Member[] = []
  let bytes = 0
  for await (const { value } of reads.range(range)) {
    bytes += value.length
    if (members.length === most || bytes > MAX_SORTED_BYTES) return undefined
    members.push(decode(value))
    if (isTurnOver()) await nextTurn()
  }
  // Members of the same time stay in the order of their names.
  return sortInTurns(members, (a, b) => a.created - b.created)
}

async function recordsAt(reads: Reads, keys: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const records = await reads.getMany(keys)
  return records.map(record => {
    if (record === undefined) throw new Error('an entry by creation has no record')
    return record
  })
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
