// The records of attributes, values included. Beside the attribute by its name there is a key for its place by
// creation.

import type { ObjectId } from '../../hdf5/object-id.ts'
import type { Attribute, Page } from '../store.ts'
import type { Changes, Reads } from '../transaction.ts'
import { countMember, recordBytes } from './counters.ts'
import { component, creationOrder, objectKey, tombstoneKey } from './keys.ts'
import { listMembers, type MemberParts } from './members.ts'
import { requireRecord } from './objects.ts'
import { type PackedElements, packElements, tailOfElements, unpackElements } from './packed-elements.ts'
import { decodeRecord, encodeRecord, tailOf } from './record.ts'
import { touch } from './status.ts'

const EMPTY = new Uint8Array(0)
const PARTS: MemberParts = {
  byName: 'attribute',
  byCreation: 'attributeByCreation',
  tombstone: 'attribute',
}

export async function getAttribute(
  reads: Reads,
  owner: ObjectId,
  name: string,
): Promise<Attribute | undefined> {
  return attributeAt(reads, owner, component(name))
}

export async function* listAttributes(
  reads: Reads,
  owner: ObjectId,
  page: Page = {},
): AsyncGenerator<Attribute> {
  for await (const record of listMembers(reads, owner, PARTS, page)) yield decodeAttribute(record)
}

export async function wasAttributeDeleted(reads: Reads, owner: ObjectId, name: string): Promise<boolean> {
  return (await reads.get(tombstoneKey(owner, 'attribute', component(name)))) !== undefined
}

export async function putAttribute(changes: Changes, owner: ObjectId, attribute: Attribute): Promise<void> {
  await requireRecord(changes, owner)
  const name = component(attribute.name)
  const key = objectKey(owner, 'attribute', name)
  const before = await changes.get(key)
  if (before) changes.delete(placeByCreation(owner, name, decodeAttribute(before)))
  else changes.add(objectKey(owner, 'attributeCount'), 1)
  const record = encodeAttribute(attribute)
  changes.set(key, record)
  countMember(changes, owner, recordBytes(key, record) - recordBytes(key, before))
  changes.set(placeByCreation(owner, name, attribute), EMPTY)
  changes.delete(tombstoneKey(owner, 'attribute', name))
  touch(changes, owner)
}

export async function deleteAttribute(changes: Changes, owner: ObjectId, name: string): Promise<boolean> {
  const part = component(name)
  const key = objectKey(owner, 'attribute', part)
  const record = await changes.get(key)
  if (!record) return false
  const attribute = decodeAttribute(record)
  changes.delete(key)
  changes.delete(placeByCreation(owner, part, attribute))
  changes.add(objectKey(owner, 'attributeCount'), -1)
  countMember(changes, owner, -recordBytes(key, record))
  const tombstone = encodeRecord({ created: attribute.created, deleted: changes.time })
  changes.set(tombstoneKey(owner, 'attribute', part), tombstone)
  touch(changes, owner)
  return true
}

function placeByCreation(owner: ObjectId, name: Uint8Array, { created }: Attribute): Uint8Array {
  return objectKey(owner, 'attributeByCreation', creationOrder(created, name))
}

async function attributeAt(reads: Reads, owner: ObjectId, name: Uint8Array): Promise<Attribute | undefined> {
  const record = await reads.get(objectKey(owner, 'attribute', name))
  return record && decodeAttribute(record)
}

type StoredAttribute = Omit<Attribute, 'value'> & { readonly packed?: PackedElements }

function encodeAttribute({ value, ...attribute }: Attribute): Uint8Array {
  if (value === undefined) return encodeRecord(attribute)
  return encodeRecord({ ...attribute, packed: packElements(value) }, ...tailOfElements(value))
}

function decodeAttribute(record: Uint8Array): Attribute {
  const { packed, ...attribute } = decodeRecord<StoredAttribute>(record)
  return packed === undefined ? attribute : { ...attribute, value: unpackElements(packed, tailOf(record)) }
}
