// The attribute info message (0x15): where the attributes of an object are if they are many (file format specification,
// IV.A.2.v).

import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

export interface AttributeInfo {
  readonly tracksOrder: boolean
  /** One more than the creation order of any attribute. */
  readonly nextOrder?: number
  /** The fractal heap of the attributes. Absent: they are in the object header. */
  readonly heap?: number
  /** The version 2 B-tree of the attributes by name. */
  readonly nameIndex?: number
  /** The version 2 B-tree of the attributes by creation order. */
  readonly orderIndex?: number
}

const ORDER_TRACKED = 1
const ORDER_INDEXED = 2

export function decodeAttributeInfo(fields: FieldReader): AttributeInfo {
  fields.version([0])
  const flags = fields.u8()
  const tracksOrder = (flags & ORDER_TRACKED) !== 0
  const nextOrder = tracksOrder ? fields.u16() : undefined
  const heap = fields.address()
  const nameIndex = fields.address()
  const orderIndex = flags & ORDER_INDEXED ? fields.address() : undefined
  return {
    tracksOrder,
    ...(nextOrder !== undefined && { nextOrder }),
    ...(heap !== undefined && { heap }),
    ...(nameIndex !== undefined && { nameIndex }),
    ...(orderIndex !== undefined && { orderIndex }),
  }
}

export function encodeAttributeInfo(writer: FieldWriter, info: AttributeInfo): void {
  writer.u8(0)
  writer.u8((info.tracksOrder ? ORDER_TRACKED : 0) | (info.orderIndex === undefined ? 0 : ORDER_INDEXED))
  if (info.tracksOrder) writer.u16(info.nextOrder ?? 0)
  writer.address(info.heap)
  writer.address(info.nameIndex)
  if (info.orderIndex !== undefined) writer.address(info.orderIndex)
}
