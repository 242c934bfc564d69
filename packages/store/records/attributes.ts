// The records of attributes. Beside the attribute by its name there is a key for its position in the order of creation.
// A short value is part of the record. A large one is stored like the values of a dataset (large-values.ts), under an
// id of its own that the record names; a key of the owner, which holds the number of its bytes, has that id too. The id
// has no record: it cannot be opened as an object, and its values are dropped when its attribute, the owner or the
// domain is deleted.

import type { Interner } from '@hyperslab/base/bounded'
import type { ObjectId } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import type { Changes, Reads } from '../changes.ts'
import type { Attribute, GivenAttribute, LargeValue, Page } from '../interfaces/store.ts'
import { component } from '../key-range.ts'
import { countAsMember, countMember } from './counters.ts'
import { largeValueKey, objectKey, tombstoneKey } from './keys.ts'
import { deleteMember, listMembers, type MemberParts, type NewMember, putMembers } from './members.ts'
import { type PackedElements, packElements, tailOfElements, unpackElements } from './packed-elements.ts'
import { decodeRecord, encodeRecord, headLength } from './record.ts'
import { dropLargeValue } from './remains.ts'

const PARTS: MemberParts = {
  byName: 'attribute',
  byCreation: 'attributeByCreation',
  count: 'attributeCount',
  tombstone: 'attribute',
  change: 'attributes',
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

/** The attributes of these names, in their order; undefined: there is none. */
export async function getAttributes(
  reads: Reads,
  owner: ObjectId,
  names: readonly string[],
  open: OpenLargeValue,
): Promise<readonly (Attribute | undefined)[]> {
  const records = await reads.getMany(names.map(name => objectKey(owner, 'attribute', component(name))))
  return records.map(record => record && decodeAttribute(record, open))
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

/** An attribute with its value as its record has it: elements, or the id of a large one. */
export interface NewAttributeRecord {
  readonly attribute: Omit<GivenAttribute, 'value'>
  readonly value: Elements | ObjectId | undefined
}

/**
 * Puts attributes whose names differ. The chunks of a value with an id of its own are stored already, and not yet
 * counted for the owner.
 */
export async function putAttributes(
  changes: Changes,
  owner: ObjectId,
  attributes: readonly NewAttributeRecord[],
): Promise<void> {
  const members = attributes.map((given): NewMember => {
    const { name, created } = given.attribute
    return { name: component(name), created, record: encodeAttribute(given) }
  })
  await putMembers(changes, owner, PARTS, members, (_, record) => giveUpValue(changes, owner, record))
  for (const { value } of attributes) {
    if (typeof value !== 'string') continue
    const bytes = await countAsMember(changes, value, owner)
    changes.set(largeValueKey(owner, value), encodeRecord({ bytes } satisfies ValueSize))
  }
}

export function deleteAttribute(changes: Changes, owner: ObjectId, name: string): Promise<boolean> {
  return deleteMember(changes, owner, PARTS, component(name), (_, record) =>
    giveUpValue(changes, owner, record),
  )
}

/** Drops the large value, if any, of an attribute that is deleted. */
async function giveUpValue(changes: Changes, owner: ObjectId, record: Uint8Array): Promise<void> {
  const { large: id } = decodeHead(record)
  if (id === undefined) return
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

export type StoredAttribute = AttributeHead & {
  /** The elements of a value that follows the head. */
  readonly packed?: PackedElements
  /** The id of a large value. */
  readonly large?: ObjectId
}

function encodeAttribute({ attribute, value }: NewAttributeRecord): Uint8Array {
  // JSON leaves out undefined members.
  if (value === undefined) return encodeRecord({ ...attribute, value })
  if (typeof value === 'string') return encodeRecord({ ...attribute, value: undefined, large: value })
  const head = { ...attribute, value: undefined, packed: packElements(value) }
  return encodeRecord(head, ...tailOfElements(value))
}

export function decodeHead(record: Uint8Array): StoredAttribute {
  return decodeRecord<StoredAttribute>(record)
}

/** The parts of a record's head. */
export interface AttributeParts {
  readonly attribute: AttributeHead
  readonly packed: PackedElements | undefined
  readonly large: ObjectId | undefined
}

/** Decodes an attribute. `heads` are those of equal records, if many attributes are decoded. */
export function decodeAttribute(
  record: Uint8Array,
  open: OpenLargeValue,
  heads?: Interner<AttributeParts>,
): Attribute {
  const tailStart = headLength(record)
  const { attribute, packed, large } = heads
    ? heads.intern(record.subarray(0, tailStart), partsOf)
    : partsOf(record)
  if (large !== undefined) return { ...attribute, value: open(large, attribute) }
  return packed === undefined ? attribute : { ...attribute, value: unpackElements(packed, record, tailStart) }
}

function partsOf(record: Uint8Array): AttributeParts {
  const { packed, large, ...attribute } = decodeHead(record)
  return { attribute, packed, large }
}
