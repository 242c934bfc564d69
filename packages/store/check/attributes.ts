// Attributes, their large values, and the committed types that they have.

import { elementCount } from '@hyperslab/model/dataset'
import { elementSize, isVariableSize } from '@hyperslab/model/datatype'
import { idFromHex, type ObjectId } from '@hyperslab/model/names'
import { isSameValue } from '../batch.ts'
import { layoutOfLargeValue } from '../chunk-records/large-values.ts'
import type { HdfObject } from '../interfaces/store.ts'
import { component, rangeOf } from '../key-range.ts'
import { decodeHead, type StoredAttribute, sizeIn } from '../records/attributes.ts'
import { recordBytes } from '../records/counters.ts'
import {
  creationOrder,
  domainRemainsKey,
  idOfLargeValueKey,
  idOfRemainsKey,
  largeValueKey,
  objectKey,
  objectPartRange,
  restOfObjectKey,
} from '../records/keys.ts'
import { listObjects } from '../records/objects.ts'
import { tailOf } from '../records/record.ts'
import { checkChunk } from './chunks.ts'
import { fits, orUndefined, requireRecord } from './lookups.ts'
import { type CheckParts, decoded, LAYOUT_PIECE_BYTES, MOST_UNRESOLVED } from './parts.ts'
import type { DomainWalk, ObjectWalk } from './walks.ts'

export async function checkAttribute(
  parts: CheckParts,
  walk: ObjectWalk,
  key: Uint8Array,
  value: Uint8Array,
): Promise<void> {
  const { id } = walk
  walk.counts.attributeCount++
  walk.counts.memberBytes += recordBytes(key, value)
  const attribute = decoded(parts, { object: id, key }, () => {
    const head = decodeHead(value)
    const name = component(head.name)
    return { head, part: name, order: creationOrder(head.created, name), fault: faultOfValue(head, value) }
  })
  if (attribute === undefined) return
  const { head, part, order, fault } = attribute
  const location = { object: id, name: head.name }
  if (!isSameValue(part, restOfObjectKey(key))) {
    parts.report({ kind: 'misplaced-record', ...location, key })
    return
  }
  if (fault !== undefined) parts.report({ kind: 'wrong-value', ...location, found: fault })
  requireRecord(parts, objectKey(id, 'attributeByCreation', order), {
    kind: 'member-without-place',
    ...location,
  })
  requireCommittedType(parts, id, head)
  if (head.large === undefined) return
  walk.largeAttributes++
  await checkLargeValue(parts, head, head.large, location)
}

/** Checks the chunks of a large value against its attribute. */
async function checkLargeValue(
  parts: CheckParts,
  head: StoredAttribute,
  value: ObjectId,
  location: { readonly object: ObjectId; readonly name: string },
): Promise<void> {
  const layout = decoded(parts, location, () =>
    layoutOfLargeValue(idFromHex(value), head, LAYOUT_PIECE_BYTES),
  )
  if (layout === undefined) return
  let expected: number | undefined = 0
  for await (const entry of parts.reads.range(objectPartRange(value, 'chunk'))) {
    const bytes = checkChunk(
      parts,
      layout,
      { dataset: value, coordinates: restOfObjectKey(entry.key) },
      entry.value,
    )
    expected = bytes === undefined || expected === undefined ? undefined : expected + bytes
    if (parts.later.isFull) await parts.later.flush()
  }
  const size = await parts.reads.get(largeValueKey(location.object, value))
  if (size === undefined) {
    parts.report({ kind: 'attribute-without-value', ...location, found: value })
    return
  }
  const found = orUndefined(() => sizeIn(size))
  if (expected === undefined || found === undefined || expected === found) return
  parts.report({ kind: 'wrong-counter', ...location, expected, found })
}

/** Notes an id with chunks but without a record. */
export async function noteValue(parts: CheckParts, domain: DomainWalk, id: ObjectId): Promise<void> {
  domain.values.add(id)
  if (domain.values.size < MOST_UNRESOLVED) return
  await resolveValues(parts, domain)
}

/** Reports the ids with chunks that are neither large values of an object of the domain nor of a deleted one. */
export async function resolveValues(parts: CheckParts, { root, values }: DomainWalk): Promise<void> {
  if (values.size === 0) return
  for await (const owner of ownersIn(parts, root)) {
    for await (const { key } of parts.reads.range(objectPartRange(owner, 'largeValue'))) {
      values.delete(idOfLargeValueKey(key))
    }
  }
  for (const object of values) parts.report({ kind: 'chunk-without-dataset', object })
  values.clear()
}

async function* ownersIn({ reads }: CheckParts, root: ObjectId): AsyncGenerator<ObjectId> {
  for (const kind of ['group', 'dataset', 'datatype'] as const) yield* listObjects(reads, root, kind)
  for await (const { key } of reads.range(rangeOf(domainRemainsKey(root)))) yield idOfRemainsKey(key)
}

export function requireCommittedType(
  parts: CheckParts,
  id: ObjectId,
  { committedType }: { readonly committedType?: ObjectId },
): void {
  if (committedType === undefined) return
  parts.later.get(objectKey(committedType, 'record'), record => {
    if (fits<HdfObject>(record, ({ kind }) => kind === 'datatype')) return
    parts.report({ kind: 'committed-type-missing', object: id, found: committedType })
  })
}

/** The fault of a short value that does not fit the type and the dataspace. */
function faultOfValue({ packed, type, space }: StoredAttribute, record: Uint8Array): string | undefined {
  if (packed === undefined) return undefined
  const count = elementCount(space)
  if (packed.count !== count) return `${packed.count} elements instead of ${count}`
  const bytes = count * elementSize(type)
  if (packed.dataLength !== bytes) return `elements of ${packed.dataLength} bytes instead of ${bytes}`
  const { length } = tailOf(record)
  if (isVariableSize(type) ? length < bytes : length !== bytes) return `a value of ${length} bytes`
  return undefined
}
