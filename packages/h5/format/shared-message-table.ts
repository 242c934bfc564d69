// The shared message table (file format specification, III.H, "SMTB"): the indexes of messages that objects of the file
// share. Of each index only the fractal heap is needed to read a message, since objects name messages by heap id; the
// lists (SMLI) and B-trees of an index are for a writer that searches for an existing message.

import { CHECKSUM_SIZE, checkChecksum } from './checksum.ts'
import { FieldReader, type Widths } from './field-reader.ts'

const SIGNATURE = 'SMTB'

export interface SharedMessageIndex {
  readonly isBTree: boolean
  /** Bit n: messages of type n (messages/message-type.ts). */
  readonly messageTypes: number
  /** Shorter messages are not shared. */
  readonly minMessageSize: number
  /** The index is a B-tree beyond this number of messages. */
  readonly maxListSize: number
  /** The index is a list again below this number. */
  readonly minBTreeSize: number
  readonly messageCount: number
  /** The address of the list or B-tree. Absent: there are no messages. */
  readonly index?: number
  /** The address of the fractal heap. */
  readonly heap?: number
}

export function sharedMessageTableSize(indexCount: number, { offsets }: Widths): number {
  return 4 + indexCount * indexSize(offsets) + CHECKSUM_SIZE
}

function indexSize(offsets: number): number {
  return 14 + 2 * offsets
}

/** `bytes`: sharedMessageTableSize of them. */
export function decodeSharedMessageTable(
  bytes: Uint8Array,
  indexCount: number,
  widths: Widths,
  address: number,
): readonly SharedMessageIndex[] {
  const fields = new FieldReader(bytes, widths, 'the shared message table', address)
  fields.expectSignature(SIGNATURE)
  const indexes = fields.list(indexCount, indexSize(widths.offsets), () => decodeIndex(fields))
  checkChecksum(fields)
  return indexes
}

function decodeIndex(fields: FieldReader): SharedMessageIndex {
  fields.version([0])
  const indexType = fields.u8()
  if (indexType > 1) throw fields.error(`there is no index of type ${indexType}`)
  const messageTypes = fields.u16()
  const minMessageSize = fields.u32()
  const maxListSize = fields.u16()
  const minBTreeSize = fields.u16()
  const messageCount = fields.u16()
  const index = fields.address()
  const heap = fields.address()
  return {
    isBTree: indexType === 1,
    messageTypes,
    minMessageSize,
    maxListSize,
    minBTreeSize,
    messageCount,
    ...(index !== undefined && { index }),
    ...(heap !== undefined && { heap }),
  }
}
