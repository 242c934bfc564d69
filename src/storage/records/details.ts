// Some objects with their attributes and the number of their chunks, for what goes through whole domains. To open a range of records
// takes longer than to read the few attributes of an object. So they are looked for under the names that those of the object before
// have: when there are as many as the object counts, these are all.

import type { ObjectId } from '../../hdf5/object-id.ts'
import type { Reads } from '../changes.ts'
import type { Attribute, ObjectDetails } from '../store.ts'
import { decodeAttribute, type OpenLargeValue } from './attributes.ts'
import { counterOf } from './counters.ts'
import type { DecodedRecords } from './decoded-records.ts'
import { objectKey, objectPartRange, restOfObjectKey } from './keys.ts'
import { rememberedObject } from './objects.ts'

/** Attributes of one object, and bytes of the records of all attributes: beyond, they are left out. */
const MAX_ATTRIBUTES = 64
const MAX_BYTES = 2 ** 20

/** Records of attributes and their names as they stand in keys, in the order of the names. */
interface AttributeRecords {
  readonly names: readonly Uint8Array[]
  readonly records: readonly Uint8Array[]
}

export async function getDetails(
  reads: Reads,
  ids: readonly ObjectId[],
  decoded: DecodedRecords | undefined,
  open: OpenLargeValue,
): Promise<readonly (ObjectDetails | undefined)[]> {
  const keys = ids.flatMap(id => [
    objectKey(id, 'record'),
    objectKey(id, 'attributeCount'),
    objectKey(id, 'chunkCount'),
  ])
  const found = await reads.getMany(keys)
  const details: (ObjectDetails | undefined)[] = []
  /** The last of those that had as many. */
  const likely: (readonly Uint8Array[])[] = []
  let bytesLeft = MAX_BYTES
  for (const [index, id] of ids.entries()) {
    const record = found[3 * index]
    if (record === undefined) {
      details.push(undefined)
      continue
    }
    const object = rememberedObject(id, record, decoded)
    const chunks = counterOf(found[3 * index + 2])
    const count = counterOf(found[3 * index + 1])
    if (count > MAX_ATTRIBUTES || bytesLeft <= 0) {
      details.push({ object, chunks })
      continue
    }
    const { names, records } = await recordsOfAttributes(reads, id, count, likely[count])
    likely[count] = names
    for (const { length } of records) bytesLeft -= length
    const attributes = byCreation(records.map(bytes => decodeAttribute(bytes, open)))
    details.push({ object, attributes, chunks })
  }
  return details
}

async function recordsOfAttributes(
  reads: Reads,
  owner: ObjectId,
  count: number,
  likely: readonly Uint8Array[] | undefined,
): Promise<AttributeRecords> {
  if (count === 0) return { names: [], records: [] }
  if (likely) {
    const found = await reads.getMany(likely.map(name => objectKey(owner, 'attribute', name)))
    const records = found.filter(record => record !== undefined)
    if (records.length === count) return { names: likely, records }
  }
  const names: Uint8Array[] = []
  const records: Uint8Array[] = []
  for await (const { key, value } of reads.range(objectPartRange(owner, 'attribute'))) {
    names.push(restOfObjectKey(key))
    records.push(value)
  }
  return { names, records }
}

/** Those of the same time stay in the order of their names. */
function byCreation(attributes: Attribute[]): readonly Attribute[] {
  return attributes.sort((a, b) => a.created - b.created)
}
