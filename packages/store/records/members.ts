// The members of an object, links and attributes alike: putting, deleting, and listing by name or by creation. The
// tombstone of a deleted member keeps its time of creation, so a client can continue from a marker that was deleted.

import { isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import type { ObjectId, Timestamp } from '@hyperslab/model/names'
import type { Changes, Reads } from '../changes.ts'
import type { Page } from '../interfaces/store.ts'
import { component, componentPrefix, rangeAfter, rangeOf } from '../key-range.ts'
import { countMember, recordBytes } from './counters.ts'
import type { ChangedObject } from './event-notes.ts'
import {
  creationOrder,
  nameOfCreationOrder,
  type ObjectPart,
  objectKey,
  objectPartRange,
  restOfObjectKey,
  tombstoneKey,
} from './keys.ts'
import { changedObject } from './objects.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import { touch } from './status.ts'

const EMPTY = new Uint8Array(0)

export interface MemberParts {
  readonly byName: ObjectPart
  readonly byCreation: ObjectPart
  readonly count: ObjectPart
  readonly tombstone: 'link' | 'attribute'
  readonly change: 'links' | 'attributes'
}

export interface NewMember {
  /** The name as `component` encodes it. */
  readonly name: Uint8Array
  readonly created: Timestamp
  readonly record: Uint8Array
}

/**
 * Creates or replaces members with different names. All share one look-up, one stamp and one change of each counter.
 * `removeRest` removes the other data of a replaced record.
 */
export async function putMembers(
  changes: Changes,
  owner: ObjectId,
  parts: MemberParts,
  members: readonly NewMember[],
  removeRest: (name: Uint8Array, record: Uint8Array) => void | Promise<void>,
): Promise<void> {
  const isNew = changes.isFilling(owner)
  let object: ChangedObject | undefined
  if (!isNew) {
    object = await changedObject(changes, owner)
    await noteNoTombstones(changes, owner, parts, members)
  }
  const keys = members.map(({ name }) => objectKey(owner, parts.byName, name))
  const replaced = isNew ? [] : await changes.getMany(keys)
  let bytes = 0
  let added = 0
  for (const [i, { name, created, record }] of members.entries()) {
    const key = keys[i]
    const before = replaced[i]
    if (before === undefined) added++
    else {
      changes.delete(creationKey(owner, parts, name, before))
      await removeRest(name, before)
    }
    changes.set(key, record)
    changes.set(objectKey(owner, parts.byCreation, creationOrder(created, name)), EMPTY)
    if (!isNew) changes.delete(tombstoneKey(owner, parts.tombstone, name))
    bytes += recordBytes(key, record) - recordBytes(key, before)
  }
  if (added > 0) changes.add(objectKey(owner, parts.count), added)
  countMember(changes, owner, bytes)
  if (object) touch(changes, object, parts.change)
}

/**
 * Notes that an object has no tombstones, which saves a change for each member. This is done only for the first object
 * that a write changes: the look-up takes longer, the more the write has changed.
 */
async function noteNoTombstones(
  changes: Changes,
  owner: ObjectId,
  { tombstone }: MemberParts,
  { length }: readonly NewMember[],
): Promise<void> {
  if (length === 1 || changes.touched.size > 0) return
  const range = rangeOf(tombstoneKey(owner, tombstone))
  for await (const _ of changes.range({ ...range, limit: 1 })) return
  changes.noteEmpty(range)
}

/** Leaves a tombstone; false: there is no such member. */
export async function deleteMember(
  changes: Changes,
  owner: ObjectId,
  parts: MemberParts,
  name: Uint8Array,
  removeRest: (name: Uint8Array, record: Uint8Array) => void | Promise<void>,
): Promise<boolean> {
  const key = objectKey(owner, parts.byName, name)
  const record = await changes.get(key)
  if (record === undefined) return false
  await removeRest(name, record)
  changes.delete(key)
  changes.delete(creationKey(owner, parts, name, record))
  changes.add(objectKey(owner, parts.count), -1)
  countMember(changes, owner, -recordBytes(key, record))
  const tombstone = encodeRecord({ created: createdIn(record), deleted: changes.time })
  changes.set(tombstoneKey(owner, parts.tombstone, name), tombstone)
  touch(changes, await changedObject(changes, owner), parts.change)
  return true
}

/** Records that are read at once when listing by creation. */
const BATCH = 128
/**
 * Members that are read as a range and sorted: reading each by its name takes longer.
 * @limit speed, members, bench/listings.bench.mjs
 */
const MAX_SORTED = 16_384
/** Bytes of the records of these members. @limit memory, bytes */
const MAX_SORTED_BYTES = 4 * 2 ** 20

/** The decoded members of the page. In the order of creation, nothing follows a marker that never existed. */
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
  return record && creationKey(owner, parts, name, record)
}

/** The key by creation of a member; `record` is its record or its tombstone. */
function creationKey(
  owner: ObjectId,
  { byCreation }: MemberParts,
  name: Uint8Array,
  record: Uint8Array,
): Uint8Array {
  return objectKey(owner, byCreation, creationOrder(createdIn(record), name))
}

function createdIn(record: Uint8Array): Timestamp {
  return decodeRecord<{ readonly created: Timestamp }>(record).created
}
