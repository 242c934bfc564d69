// Some objects with their status, their attributes and the number of their chunks, for walks through whole domains.
// Opening a range of records takes longer than reading the few attributes of an object. So the attributes are first
// looked up under the names of the last object of the same kind with the same number of attributes: if all of these
// names exist, the list is complete.

import { Interner } from '@hyperslab/base/bounded'
import type { ObjectId, ObjectKind } from '@hyperslab/model/names'
import type { Reads } from '../changes.ts'
import type { Attribute, HdfObject, ObjectDetails, ObjectStatus } from '../interfaces/store.ts'
import { type AttributeParts, decodeAttribute, type OpenLargeValue } from './attributes.ts'
import { counterOf } from './counters.ts'
import type { DecodedRecords } from './decoded-records.ts'
import { objectKey, objectPartRange, restOfObjectKey } from './keys.ts'
import { rememberedObject } from './objects.ts'
import { statusKeys, statusOf } from './status.ts'

/** Attributes of one object that are read with it; with more, those beyond are left out. @limit memory, attributes */
const MAX_ATTRIBUTES = 64
/** Bytes of the records of these attributes; those beyond are left out. @limit memory, bytes */
const MAX_BYTES = 2 ** 20
/** Attributes that are looked up in one read. @limit speed, attributes, bench/results.md#061-memories-that-pay */
const ATTRIBUTES_AT_ONCE = 128

/** The names and records that one read or write has seen of earlier objects. */
export class KnownDetails {
  /**
   * The names of attributes as they are in keys, in their order, of the last object of a kind with this number of
   * attributes.
   */
  readonly names: Record<ObjectKind, (readonly Uint8Array[])[]> = { group: [], dataset: [], datatype: [] }
  readonly heads = new Interner<AttributeParts>()
  readonly objects = new Interner<HdfObject>()
}

interface Sources {
  readonly reads: Reads
  readonly known: KnownDetails
  readonly decoded: DecodedRecords | undefined
  readonly open: OpenLargeValue
}

interface FoundObject {
  readonly object: HdfObject
  readonly status: ObjectStatus
  readonly chunks: number
}

export async function getDetails(
  sources: Sources,
  ids: readonly ObjectId[],
): Promise<readonly (ObjectDetails | undefined)[]> {
  const objects = await getObjects(sources, ids)
  const details: (ObjectDetails | undefined)[] = []
  let bytesLeft = MAX_BYTES
  while (details.length < objects.length) {
    const some = someFrom(objects, details.length, sources.known)
    const results = await getLikelyAttributes(sources, some)
    for (const [index, object] of some.entries()) {
      if (!object || object.status.attributeCount > MAX_ATTRIBUTES || bytesLeft <= 0) {
        details.push(object)
        continue
      }
      const records = results[index] ?? (await listAttributes(sources, object))
      for (const { length } of records) bytesLeft -= length
      const attributes = records.map(record => decodeAttribute(record, sources.open, sources.known.heads))
      details.push({ ...object, attributes: byCreation(attributes) })
    }
  }
  return details
}

/** Keys of an object that `getObjects` reads. */
const KEYS = 5

async function getObjects(
  { reads, known, decoded }: Sources,
  ids: readonly ObjectId[],
): Promise<readonly (FoundObject | undefined)[]> {
  const keys: Uint8Array[] = []
  for (const id of ids) {
    keys.push(objectKey(id, 'record'), objectKey(id, 'chunkCount'), ...statusKeys(id))
  }
  const found = await reads.getMany(keys)
  return ids.map((id, index) => {
    const [record, chunks, ...status] = found.slice(index * KEYS, (index + 1) * KEYS)
    if (record === undefined) return undefined
    return {
      object: objectOf(id, record, known.objects, decoded),
      status: statusOf(status),
      chunks: counterOf(chunks),
    }
  })
}

/** The object of a record. Objects of equal records share all but the id, to save memory. */
function objectOf(
  id: ObjectId,
  record: Uint8Array,
  objects: Interner<HdfObject>,
  decoded: DecodedRecords | undefined,
): HdfObject {
  const object = objects.intern(record, copy => rememberedObject(id, copy, decoded))
  return object.id === id ? object : { ...object, id }
}

/** The objects from an index on whose attributes are looked up together, up to the first one without likely names. */
function someFrom(
  objects: readonly (FoundObject | undefined)[],
  from: number,
  { names }: KnownDetails,
): readonly (FoundObject | undefined)[] {
  let end = from
  for (let attributes = 0; end < objects.length && attributes < ATTRIBUTES_AT_ONCE; end++) {
    const object = objects[end]
    const count = object?.status.attributeCount ?? 0
    attributes += count
    if (object && count > 0 && !names[object.object.kind][count]) return objects.slice(from, end + 1)
  }
  return objects.slice(from, end)
}

/** The records of the attributes of each object, in the order of their names. Undefined: it may have others. */
async function getLikelyAttributes(
  { reads, known }: Sources,
  objects: readonly (FoundObject | undefined)[],
): Promise<readonly (readonly Uint8Array[] | undefined)[]> {
  const keys: Uint8Array[] = []
  for (const object of objects) {
    const names = object && likelyNames(known, object)
    if (names) for (const name of names) keys.push(objectKey(object.object.id, 'attribute', name))
  }
  const values = keys.length > 0 ? await reads.getMany(keys) : []
  let offset = 0
  return objects.map(object => {
    if (object?.status.attributeCount === 0) return []
    const names = object && likelyNames(known, object)
    if (!names) return undefined
    const records = values.slice(offset, offset + names.length)
    offset += names.length
    return records.every(record => record !== undefined) ? records : undefined
  })
}

function likelyNames(
  { names }: KnownDetails,
  { object, status }: FoundObject,
): readonly Uint8Array[] | undefined {
  return names[object.kind][status.attributeCount]
}

async function listAttributes(
  { reads, known }: Sources,
  { object, status: { attributeCount } }: FoundObject,
): Promise<readonly Uint8Array[]> {
  const names: Uint8Array[] = []
  const records: Uint8Array[] = []
  for await (const { key, value } of reads.range(objectPartRange(object.id, 'attribute'))) {
    names.push(restOfObjectKey(key))
    records.push(value)
  }
  if (names.length === attributeCount) known.names[object.kind][attributeCount] = names
  return records
}

/**
 * Sorts by creation; attributes of the same time stay in the order of their names. Most lists are in order already, and
 * sorting even a short one takes memory.
 */
function byCreation(attributes: Attribute[]): readonly Attribute[] {
  const isSorted = attributes.every(({ created }, i) => i === 0 || attributes[i - 1].created <= created)
  return isSorted ? attributes : attributes.sort((a, b) => a.created - b.created)
}
