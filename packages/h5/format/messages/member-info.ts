// The link info message (0x02) and the attribute info message (0x15): the location of the links of a group, or the
// attributes of an object, if they are many (file format specification, IV.A.2.c and IV.A.2.v). They differ in the
// width of a creation order.

import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

/** A member is a link or an attribute. */
export interface MemberInfo {
  readonly tracksOrder: boolean
  /** One more than the creation order of any member. */
  readonly nextOrder?: number
  /** The fractal heap of the members. Absent: they are in the object header. */
  readonly heap?: number
  /** The version 2 B-tree of the members by name. */
  readonly nameIndex?: number
  /** The version 2 B-tree of the members by creation order. */
  readonly orderIndex?: number
  /** There is no such B-tree, but there will be one when the members are no longer in the object header. */
  readonly indexesOrder?: true
}

const ORDER_TRACKED = 1
const ORDER_INDEXED = 2

const LINK_ORDER_SIZE = 8
const ATTRIBUTE_ORDER_SIZE = 2

export function decodeLinkInfo(fields: FieldReader): MemberInfo {
  return decodeMemberInfo(fields, LINK_ORDER_SIZE)
}

export function encodeLinkInfo(writer: FieldWriter, info: MemberInfo): void {
  encodeMemberInfo(writer, info, LINK_ORDER_SIZE)
}

export function decodeAttributeInfo(fields: FieldReader): MemberInfo {
  return decodeMemberInfo(fields, ATTRIBUTE_ORDER_SIZE)
}

export function encodeAttributeInfo(writer: FieldWriter, info: MemberInfo): void {
  encodeMemberInfo(writer, info, ATTRIBUTE_ORDER_SIZE)
}

function decodeMemberInfo(fields: FieldReader, orderSize: number): MemberInfo {
  fields.version([0])
  const flags = fields.u8()
  const tracksOrder = (flags & ORDER_TRACKED) !== 0
  const nextOrder = tracksOrder ? fields.unsigned(orderSize) : undefined
  const heap = fields.address()
  const nameIndex = fields.address()
  const indexesOrder = (flags & ORDER_INDEXED) !== 0
  const orderIndex = indexesOrder ? fields.address() : undefined
  return {
    tracksOrder,
    ...(nextOrder !== undefined && { nextOrder }),
    ...(heap !== undefined && { heap }),
    ...(nameIndex !== undefined && { nameIndex }),
    ...(orderIndex !== undefined ? { orderIndex } : indexesOrder && { indexesOrder }),
  }
}

function encodeMemberInfo(writer: FieldWriter, info: MemberInfo, orderSize: number): void {
  writer.u8(0)
  const indexesOrder = info.indexesOrder || info.orderIndex !== undefined
  writer.u8((info.tracksOrder ? ORDER_TRACKED : 0) | (indexesOrder ? ORDER_INDEXED : 0))
  if (info.tracksOrder) writer.unsigned(info.nextOrder ?? 0, orderSize)
  writer.address(info.heap)
  writer.address(info.nameIndex)
  if (indexesOrder) writer.address(info.orderIndex)
}
