// The attributes of an object as messages: in its object header, in a heap of shared messages, or, if they are many, in a fractal
// heap (file format specification, IV.A.2.m and IV.A.2.v).

import { Turns } from '../../turns.ts'
import { ATTRIBUTE_NAMES, type AttributeRecord } from '../format/b-tree-2-records.ts'
import { damaged } from '../format/errors.ts'
import { FieldReader } from '../format/field-reader.ts'
import { type AttributeMessage, decodeAttribute } from '../format/messages/attribute.ts'
import { type AttributeInfo, decodeAttributeInfo } from '../format/messages/attribute-info.ts'
import { MESSAGE, SHARED_FLAG } from '../format/messages/message-type.ts'
import { bTree2Records } from './b-tree-2.ts'
import { openFractalHeap } from './fractal-heap.ts'
import { findMessage, type ObjectHeader, resolveShared } from './object-header.ts'
import type { H5File } from './open-file.ts'

/** In the order of creation if the object tracks it, else by name. */
export async function readAttributeMessages(
  file: H5File,
  header: ObjectHeader,
): Promise<readonly AttributeMessage[]> {
  const { widths } = file.bytes
  const attributes: AttributeMessage[] = []
  for (const message of header.messages) {
    if (message.type !== MESSAGE.attribute) continue
    const body = await resolveShared(file, message)
    const fields = new FieldReader(body, widths, 'an attribute', message.address)
    attributes.push(decodeAttribute(fields, message.creationOrder))
  }
  const info = findMessage(header, MESSAGE.attributeInfo)
  if (info) {
    const fields = new FieldReader(info.body, widths, 'the attribute info message', info.address)
    const decoded = decodeAttributeInfo(fields)
    attributes.push(...(await readDenseAttributes(file, decoded)))
    if (!decoded.tracksOrder) return attributes.sort(compareNames)
  }
  return header.tracksAttributeOrder ? attributes.sort(compareOrder) : attributes.sort(compareNames)
}

async function readDenseAttributes(
  file: H5File,
  { heap, nameIndex, tracksOrder }: AttributeInfo,
): Promise<readonly AttributeMessage[]> {
  if (heap === undefined || nameIndex === undefined) return []
  // The heap itself is not walked: its blocks still hold the bytes of attributes that were deleted.
  const records: AttributeRecord[] = []
  for await (const batch of bTree2Records(file.bytes, nameIndex, ATTRIBUTE_NAMES)) records.push(...batch)
  const own = records.filter(({ flags }) => !(flags & SHARED_FLAG))
  const bodies = await (await openFractalHeap(file.bytes, heap)).objects(own.map(({ heapId }) => heapId))
  const bodyOf = new Map(own.map((record, index) => [record, bodies[index]]))
  const turns = new Turns()
  const attributes: AttributeMessage[] = []
  for (const record of records) {
    const body = bodyOf.get(record) ?? (await readShared(file, record, nameIndex))
    const fields = new FieldReader(body, file.bytes.widths, 'an attribute in the fractal heap', heap)
    attributes.push(decodeAttribute(fields, tracksOrder ? record.creationOrder : undefined))
    if (turns.isOver) await turns.next()
  }
  return attributes
}

async function readShared(file: H5File, { heapId }: AttributeRecord, index: number): Promise<Uint8Array> {
  if (!file.sharedMessages)
    throw damaged('the B-tree of the attributes', index, 'the file has no shared messages')
  return file.sharedMessages.read(MESSAGE.attribute, heapId)
}

function compareOrder(a: AttributeMessage, b: AttributeMessage): number {
  return (a.creationOrder ?? 0) - (b.creationOrder ?? 0)
}

function compareNames(a: AttributeMessage, b: AttributeMessage): number {
  return Buffer.compare(a.name, b.name)
}
