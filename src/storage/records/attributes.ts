// The records of attributes. Beside the attribute by its name there is a key for its position in the order of creation. A short value
// is part of the record. A large one is stored like the values of a dataset (large-values.ts), under an id of its own
// that the record names; a key of the owner, which holds the number of its bytes, has that id too. The id has no
// record: it cannot be opened as an object, and it is given up when its attribute, the owner or the domain goes.

import type { ObjectId } from '../../hdf5/object-id.ts'
import type { Elements } from '../../hdf5/values/elements.ts'
import type { Changes, Reads } from '../changes.ts'
import { component } from '../key-range.ts'
import type { Attribute, LargeValue, Page } from '../store.ts'
import { countAsMember, countMember, recordBytes } from './counters.ts'
import { creationOrder, largeValueKey, objectKey, tombstoneKey } from './keys.ts'
import { KnownBytes } from './known-bytes.ts'
import { listMembers, type MemberParts } from './members.ts'
import { requireRecord } from './objects.ts'
import { type PackedElements, packElements, tailOfElements, unpackElements } from './packed-elements.ts'
import { decodeRecord, encodeRecord, headLength } from './record.ts'
import { dropLargeValue } from './remains.ts'
import { touch } from './status.ts'

const EMPTY = new Uint8Array(0)
const PARTS: MemberParts = {
  byName: 'attribute',
  byCreation: 'attributeByCreation',
  tombstone: 'attribute',
}

type AttributeHead = Omit<Attribute, 'value'>

/** Gives access to the value that is stored under the id of a large value. */
export type OpenLargeValue = (id: ObjectId, attribute: AttributeHead) => LargeValue

export async function getAttribute(
  reads: Reads,
  owner: ObjectId,
  name: string,
  open: OpenLargeValue,
): Promise<Attribute | undefined> {
  const record = await reads.get(objectKey(owner, 'attribute', component(name)))
  return record && decodeAttribute(record, open)
}

export function listAttributes(
  reads: Reads,
  owner: ObjectId,
  page: Page = {},
  open: OpenLargeValue,
): AsyncGenerator<Attribute> {
  return listMembers(reads, owner, PARTS, page, record => decodeAttribute(record, open))
}

export async function wasAttributeDeleted(reads: Reads, owner: ObjectId, name: string): Promise<boolean> {
  return (await reads.get(tombstoneKey(owner, 'attribute', component(name)))) !== undefined
}

/** The chunks of a value that is given by its id are stored, and not counted as part of the owner yet. */
export async function putAttribute(
  changes: Changes,
  owner: ObjectId,
  attribute: AttributeHead,
  value: Elements | ObjectId | undefined,
): Promise<void> {
  const isNew = changes.isFilling(owner)
  if (!isNew) await requireRecord(changes, owner)
  const name = component(attribute.name)
  const key = objectKey(owner, 'attribute', name)
  const before = isNew ? undefined : await changes.get(key)
  if (before) {
    const { large, created } = decodeHead(before)
    changes.delete(creationKey(owner, name, created))
    if (large !== undefined) await giveUpValue(changes, owner, large)
  } else changes.add(objectKey(owner, 'attributeCount'), 1)
  const record = encodeAttribute(attribute, value)
  changes.set(key, record)
  countMember(changes, owner, recordBytes(key, record) - recordBytes(key, before))
  changes.set(creationKey(owner, name, attribute.created), EMPTY)
  if (typeof value === 'string') {
    const bytes = await countAsMember(changes, value, owner)
    changes.set(largeValueKey(owner, value), encodeRecord({ bytes } satisfies ValueSize))
  }
  if (!isNew) changes.delete(tombstoneKey(owner, 'attribute', name))
  touch(changes, owner)
}

export async function deleteAttribute(changes: Changes, owner: ObjectId, name: string): Promise<boolean> {
  const part = component(name)
  const key = objectKey(owner, 'attribute', part)
  const record = await changes.get(key)
  if (!record) return false
  const { large, created } = decodeHead(record)
  if (large !== undefined) await giveUpValue(changes, owner, large)
  changes.delete(key)
  changes.delete(creationKey(owner, part, created))
  changes.add(objectKey(owner, 'attributeCount'), -1)
  countMember(changes, owner, -recordBytes(key, record))
  const tombstone = encodeRecord({ created, deleted: changes.time })
  changes.set(tombstoneKey(owner, 'attribute', part), tombstone)
  touch(changes, owner)
  return true
}

async function giveUpValue(changes: Changes, owner: ObjectId, id: ObjectId): Promise<void> {
  const key = largeValueKey(owner, id)
  const size = await changes.get(key)
  if (size === undefined) throw new Error(`the owner ${owner} does not name its large value ${id}`)
  countMember(changes, owner, -sizeIn(size))
  changes.delete(key)
  await dropLargeValue(changes, id)
}

interface ValueSize {
  readonly bytes: number
}

/** Bytes of a large value, from the record of its key. */
export function sizeIn(record: Uint8Array): number {
  return decodeRecord<ValueSize>(record).bytes
}

function creationKey(owner: ObjectId, name: Uint8Array, created: AttributeHead['created']): Uint8Array {
  return objectKey(owner, 'attributeByCreation', creationOrder(created, name))
}

export type StoredAttribute = AttributeHead & {
  /** The elements of a value that follows the head. */
  readonly packed?: PackedElements
  /** The id of a large value. */
  readonly large?: ObjectId
}

function encodeAttribute(attribute: AttributeHead, value: Elements | ObjectId | undefined): Uint8Array {
  if (value === undefined) return encodeRecord(attribute)
  if (typeof value === 'string') return encodeRecord({ ...attribute, large: value })
  return encodeRecord({ ...attribute, packed: packElements(value) }, ...tailOfElements(value))
}

export function decodeHead(record: Uint8Array): StoredAttribute {
  return decodeRecord<StoredAttribute>(record)
}

export function decodeAttribute(record: Uint8Array, open: OpenLargeValue): Attribute {
  return attributeOf(partsOf(decodeHead(record)), record, headLength(record), open)
}

/** The parts of a record's head. */
interface AttributeParts {
  readonly attribute: AttributeHead
  readonly packed: PackedElements | undefined
  readonly large: ObjectId | undefined
}

/** Longer heads are decoded each time. */
const MAX_KNOWN_HEAD = 4096

/** Decodes the records of many attributes: what equal heads say is decoded once. */
export class AttributeDecoder {
  readonly #heads = new KnownBytes<AttributeParts>()

  decode(record: Uint8Array, open: OpenLargeValue): Attribute {
    const known = this.#heads.find(record)
    if (known) return attributeOf(known.value, record, known.length, open)
    const parts = partsOf(decodeHead(record))
    const length = headLength(record)
    if (length <= MAX_KNOWN_HEAD) this.#heads.add(record, length, parts)
    return attributeOf(parts, record, length, open)
  }
}

function partsOf({ packed, large, ...attribute }: StoredAttribute): AttributeParts {
  return { attribute, packed, large }
}

function attributeOf(
  { attribute, packed, large }: AttributeParts,
  record: Uint8Array,
  tailStart: number,
  open: OpenLargeValue,
): Attribute {
  if (large !== undefined) return { ...attribute, value: open(large, attribute) }
  return packed === undefined ? attribute : { ...attribute, value: unpackElements(packed, record, tailStart) }
}
