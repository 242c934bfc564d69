// The record of one chunk in an index of chunks: the elements of fixed and extensible arrays (VII.C and VII.D), and the
// records of types 10 and 11 of version 2 B-trees (III.A.2), which end with the coordinates of the chunk.

import type { FieldReader, Widths } from '../field-reader.ts'

/** The location of the bytes of a chunk. */
export interface StoredChunk {
  readonly address: number
  /** Bytes of the chunk as it is stored. */
  readonly length: number
  /** Bit i: filter i was skipped. */
  readonly mask: number
}

/** A chunk, with its coordinates in the grid of chunks. */
export interface ChunkIndexRecord extends StoredChunk {
  readonly coordinates: readonly number[]
}

/** The form of a chunk in the entries of one index. */
export interface ChunkEntryForm {
  /** Bytes of the length of a filtered chunk; 0: chunks went through no filter, and all have `chunkLength` bytes. */
  readonly lengthWidth: number
  readonly chunkLength: number
}

const MASK_SIZE = 4
export const COORDINATE_SIZE = 8

/** The form in entries of `entrySize` bytes without coordinates, from the header of the index. */
export function chunkEntryForm(
  fields: FieldReader,
  entrySize: number,
  isFiltered: boolean,
  chunkLength: number,
): ChunkEntryForm {
  const lengthWidth = isFiltered ? entrySize - fields.widths.offsets - MASK_SIZE : 0
  const form = { lengthWidth, chunkLength }
  const isSound = isFiltered ? lengthWidth >= 1 && lengthWidth <= 8 : entrySize === fields.widths.offsets
  if (!isSound) throw fields.error(`its entries of ${entrySize} bytes cannot hold a chunk`)
  return form
}

export function chunkEntrySize({ lengthWidth }: ChunkEntryForm, { offsets }: Widths): number {
  return lengthWidth === 0 ? offsets : offsets + lengthWidth + MASK_SIZE
}

/** Undefined: the chunk is not stored. */
export function decodeChunkEntry(fields: FieldReader, form: ChunkEntryForm): StoredChunk | undefined {
  const address = fields.address()
  const length = form.lengthWidth === 0 ? form.chunkLength : fields.unsigned(form.lengthWidth)
  const mask = form.lengthWidth === 0 ? 0 : fields.u32()
  return address === undefined ? undefined : { address, length, mask }
}

export function decodeIndexRecord(fields: FieldReader, form: ChunkEntryForm, rank: number): ChunkIndexRecord {
  const chunk = decodeChunkEntry(fields, form)
  if (!chunk) throw fields.error('the address of a chunk is undefined')
  return { ...chunk, coordinates: fields.list(rank, COORDINATE_SIZE, () => fields.unsigned(COORDINATE_SIZE)) }
}
