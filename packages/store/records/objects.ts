// The records of groups, datasets and committed datatypes, under one rule, and the index of ids by kind. A record holds
// the properties that hardly ever change; links, attributes, values, counters and the last change have keys of their
// own.

import { HyperslabError } from '@hyperslab/base/errors'
import { logicalBytes } from '@hyperslab/model/dataset'
import type { Acl, ObjectId, ObjectKind } from '@hyperslab/model/names'
import type { Changes, Reads } from '../changes.ts'
import type {
  ChangeDetail,
  ChangeKind,
  CommittedDatatype,
  Dataset,
  Group,
  HdfObject,
  ObjectStatus,
  Page,
} from '../interfaces/store.ts'
import { rangeAfter } from '../key-range.ts'
import { count, countObject, recordBytes } from './counters.ts'
import type { DecodedRecords } from './decoded-records.ts'
import type { ChangedObject } from './event-notes.ts'
import {
  idOfIndexKey,
  indexKey,
  indexRange,
  objectKey,
  objectRange,
  tombstoneKey,
  tombstonesRange,
} from './keys.ts'
import { type PackedElements, packElements, tailOfElements, unpackElements } from './packed-elements.ts'
import { decodeRecord, encodeRecord, tailOf } from './record.ts'
import { requireNoRemains } from './remains.ts'
import { stampChange, touch } from './status.ts'

const EMPTY = new Uint8Array(0)

type ObjectHead<T> = Omit<T, 'id'>
/** The tail has the fill value and then the element of `filled`. */
type StoredDataset = Omit<ObjectHead<Dataset>, 'filled'> & {
  readonly fill?: PackedElements
  readonly filled?: PackedElements & { readonly heapLength: number; readonly dims: readonly number[] }
}
type StoredObject = ObjectHead<Group> | ObjectHead<CommittedDatatype> | StoredDataset

export async function getObject(
  reads: Reads,
  id: ObjectId,
  decoded?: DecodedRecords,
): Promise<HdfObject | undefined> {
  const record = await reads.get(objectKey(id, 'record'))
  return record && rememberedObject(id, record, decoded)
}

/** Looks up objects together: a write remembers the records that it has read. */
export function lookUpObjects(
  changes: Changes,
  ids: readonly ObjectId[],
): Promise<readonly (Uint8Array | undefined)[]> {
  return changes.getMany(ids.map(id => objectKey(id, 'record')))
}

/** The object of the record, perhaps decoded earlier. */
export function rememberedObject(
  id: ObjectId,
  record: Uint8Array,
  decoded: DecodedRecords | undefined,
): HdfObject {
  return decoded ? decoded.decode(id, record, bytes => decodeObject(id, bytes)) : decodeObject(id, record)
}

export async function* listObjects(
  reads: Reads,
  root: ObjectId,
  kind: ObjectKind,
  { marker, limit }: Page<ObjectId> = {},
): AsyncGenerator<ObjectId> {
  const all = indexRange(kind, root)
  const range = marker === undefined ? all : rangeAfter(all, indexKey(kind, marker))
  for await (const { key } of reads.range({ ...range, ...(limit !== undefined && { limit }) })) {
    yield idOfIndexKey(key)
  }
}

export async function wasObjectDeleted(reads: Reads, id: ObjectId): Promise<boolean> {
  return (await reads.get(tombstoneKey(id, 'object'))) !== undefined
}

export async function createObject(changes: Changes, object: HdfObject): Promise<ObjectStatus> {
  const { id } = object
  if (!changes.isFilling(id)) {
    await requireFreeId(changes, id)
    changes.delete(tombstoneKey(id, 'object'))
    changes.noteEmpty(objectRange(id))
  }
  return createFreshObject(changes, object)
}

/** Creates an object of whose id nothing is stored. */
export function createFreshObject(changes: Changes, object: HdfObject): ObjectStatus {
  const { id, kind, created } = object
  const key = objectKey(id, 'record')
  const record = encodeObject(object)
  changes.set(key, record)
  countObject(changes, object, recordBytes(key, record))
  changes.set(indexKey(kind, id), EMPTY)
  if (!changes.isFilling(id)) changes.event.noteObject(object, 'created')
  const version = stampChange(changes, id, created)
  return { lastModified: created, linkCount: 0, attributeCount: 0, version }
}

/**
 * The same as `requireFreeId` for ids of `ObjectIds` that follow one another: they are almost certainly free, so they
 * are not looked up; the commit checks them. An object that was deleted has a tombstone, whether anything is left of it
 * or not. Several ids are two ranges of keys; for one id two keys take less time.
 */
export function expectFreeIds(changes: Changes, ids: readonly ObjectId[]): void {
  const [first] = ids
  const last = ids[ids.length - 1]
  const range = { start: objectRange(first).start, end: objectRange(last).end }
  if (ids.length > 1) {
    changes.expectEmpty(range)
    changes.expectEmpty({ start: tombstonesRange(first).start, end: tombstonesRange(last).end })
  } else {
    changes.expectAbsent(objectKey(first, 'record'))
    changes.expectAbsent(tombstoneKey(first, 'object'))
    changes.noteEmpty(range)
  }
}

/** Throws unless the id is free: no object has it, and no remains of a deleted object have it. */
export async function requireFreeId(changes: Changes, id: ObjectId): Promise<void> {
  const record = changes.get(objectKey(id, 'record'))
  const [before] = await Promise.all([record, requireNoRemains(changes, id)])
  if (before) throw new Error(`there is already an object with the id ${id}`)
}

/** Throws unless the object exists. Its deletion before the commit is a conflict. */
export async function requireObject(reads: Reads, id: ObjectId): Promise<HdfObject> {
  return decodeObject(id, await requireRecord(reads, id))
}

/** The part of an object that an event tells of; throws unless the object exists. */
export async function changedObject(reads: Reads, id: ObjectId): Promise<ChangedObject> {
  const { kind, acl } = decodeRecord<StoredObject>(await requireRecord(reads, id))
  return { id, kind, acl }
}

/** Requires a record of any kind, without decoding it. */
export async function requireRecord(reads: Reads, id: ObjectId): Promise<Uint8Array> {
  const record = await reads.get(objectKey(id, 'record'))
  if (record) return record
  throw objectNotFound(id)
}

/** Requires several records, with one look-up. */
export async function requireRecords(reads: Reads, ids: readonly ObjectId[]): Promise<void> {
  const records = await reads.getMany(ids.map(id => objectKey(id, 'record')))
  const lost = records.indexOf(undefined)
  if (lost >= 0) throw objectNotFound(ids[lost])
}

function objectNotFound(id: ObjectId): HyperslabError {
  return new HyperslabError('object-not-found', `there is no object with the id ${id}`, { subject: id })
}

/** Writes the record of an object anew, and notes the change. */
export async function replaceObject(
  changes: Changes,
  object: HdfObject,
  change: ChangeKind,
  detail?: ChangeDetail,
): Promise<void> {
  const { id } = object
  const before = await requireRecord(changes, id)
  const record = encodeObject(object)
  changes.set(objectKey(id, 'record'), record)
  count(changes, id, 'metadataBytes', record.length - before.length)
  const replaced = decodeObject(id, before)
  if (object.kind === 'dataset' && replaced.kind === 'dataset') {
    count(changes, id, 'logicalBytes', logicalBytes(object) - logicalBytes(replaced))
  }
  touch(changes, object, change, detail)
}

export async function setAcl(changes: Changes, id: ObjectId, acl: Acl): Promise<void> {
  await replaceObject(changes, { ...(await requireObject(changes, id)), acl }, 'acl')
}

function encodeObject(given: HdfObject): Uint8Array {
  // A copy without a member, in place of one that is undefined, takes longer to make and to encode.
  const object = { ...given, id: undefined }
  if (object.kind !== 'dataset') return encodeRecord(object)
  const { filled } = object
  const { fillValue, ...creationProperties } = object.creationProperties
  const head = {
    ...object,
    creationProperties,
    ...(fillValue && { fill: packElements(fillValue) }),
    ...(filled && {
      filled: {
        ...packElements(filled.element),
        heapLength: filled.element.heap.length,
        dims: filled.dims,
      },
    }),
  }
  const tail = [fillValue, filled?.element].flatMap(element => (element ? tailOfElements(element) : []))
  return encodeRecord(head, ...tail)
}

export function decodeObject(id: ObjectId, record: Uint8Array): HdfObject {
  const stored = decodeRecord<StoredObject>(record)
  if (stored.kind !== 'dataset') return Object.assign(stored, { id })
  const { fill, filled, ...dataset } = stored
  if (fill === undefined && filled === undefined) return Object.assign(dataset, { id })
  const tail = tailOf(record)
  const fillEnd = filled ? tail.length - filled.dataLength - filled.heapLength : tail.length
  const fillValue = fill && unpackElements(fill, tail.subarray(0, fillEnd))
  return {
    ...dataset,
    id,
    creationProperties: { ...dataset.creationProperties, ...(fillValue && { fillValue }) },
    ...(filled && {
      filled: { element: unpackElements(filled, tail.subarray(fillEnd)), dims: filled.dims },
    }),
  }
}
