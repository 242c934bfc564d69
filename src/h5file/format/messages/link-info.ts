// The link info message (0x02): a new-style group's numbers, and where its links are if they are many (file format
// specification, IV.A.2.c).

import type { FieldReader } from '../field-reader.ts'
import type { FieldWriter } from '../field-writer.ts'

export interface LinkInfo {
  readonly tracksOrder: boolean
  /** One more than the creation order of any link. */
  readonly nextOrder?: number
  /** The fractal heap of the links. Absent: they are in the object header. */
  readonly heap?: number
  /** The version 2 B-tree of the links by name. */
  readonly nameIndex?: number
  /** The version 2 B-tree of the links by creation order. */
  readonly orderIndex?: number
}

const ORDER_TRACKED = 1
const ORDER_INDEXED = 2

export function decodeLinkInfo(fields: FieldReader): LinkInfo {
  fields.version([0])
  const flags = fields.u8()
  const tracksOrder = (flags & ORDER_TRACKED) !== 0
  const nextOrder = tracksOrder ? fields.unsigned(8) : undefined
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

export function encodeLinkInfo(writer: FieldWriter, info: LinkInfo): void {
  writer.u8(0)
  writer.u8((info.tracksOrder ? ORDER_TRACKED : 0) | (info.orderIndex === undefined ? 0 : ORDER_INDEXED))
  if (info.tracksOrder) writer.unsigned(info.nextOrder ?? 0, 8)
  writer.address(info.heap)
  writer.address(info.nameIndex)
  if (info.orderIndex !== undefined) writer.address(info.orderIndex)
}
