// The B-tree 'K' values message (0x13), in the superblock extension, where they are not the library's own (file format
// specification, IV.A.2.t).

import type { FieldReader } from '../field-reader.ts'
import type { NodeSizes } from '../superblock.ts'

export function decodeNodeSizes(fields: FieldReader): NodeSizes {
  fields.version([0])
  const chunkK = fields.u16()
  const groupInternalK = fields.u16()
  const groupLeafK = fields.u16()
  return { groupLeafK, groupInternalK, chunkK }
}
