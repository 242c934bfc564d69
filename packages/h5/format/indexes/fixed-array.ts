// The fixed array, an index of chunks (VII.C): a header, and a data block with an element for each chunk up to the
// maximum extents. Above a number of elements the block has them in pages, each with a checksum of its own, and a
// bitmap of the pages that were ever written.

import { CHECKSUM_SIZE, checkChecksum } from '../checksum.ts'
import { FieldReader, type Widths } from '../field-reader.ts'
import {
  type ChunkEntryForm,
  chunkEntryForm,
  chunkEntrySize,
  type StoredChunk,
} from './chunk-index-record.ts'
import { ARRAY_PREFIX_SIZE, decodeArrayPrefix, decodeChunkEntries } from './chunk-page.ts'

export const FIXED_ARRAY = 'the fixed array of chunks'

const HEADER_SIGNATURE = 'FAHD'
const BLOCK_SIGNATURE = 'FADB'

export interface FixedArray {
  readonly form: ChunkEntryForm
  /** Pages have 2 to this power elements. */
  readonly pageBits: number
  readonly count: number
  /** Absent: no chunk is stored. */
  readonly block?: number
}

export function fixedArrayHeaderSize({ offsets, lengths }: Widths): number {
  return ARRAY_PREFIX_SIZE + 2 + lengths + offsets + CHECKSUM_SIZE
}

/** `chunkLength`: bytes of a chunk that went through no filter. */
export function decodeFixedArray(
  bytes: Uint8Array,
  widths: Widths,
  address: number,
  chunkLength: number,
): FixedArray {
  const fields = new FieldReader(bytes, widths, FIXED_ARRAY, address)
  const isFiltered = decodeArrayPrefix(fields, HEADER_SIGNATURE)
  const form = chunkEntryForm(fields, fields.u8(), isFiltered, chunkLength)
  const pageBits = fields.u8()
  const count = fields.length()
  const block = fields.address()
  checkChecksum(fields)
  return { form, pageBits, count, ...(block !== undefined && { block }) }
}

/** Pages of the data block; 0: it holds the elements itself. */
export function fixedArrayPages({ count, pageBits }: FixedArray): number {
  return count > 2 ** pageBits ? Math.ceil(count / 2 ** pageBits) : 0
}

/** Bytes of the data block without its pages. */
export function fixedArrayBlockSize(array: FixedArray, widths: Widths): number {
  const pages = fixedArrayPages(array)
  const content = pages > 0 ? Math.ceil(pages / 8) : array.count * chunkEntrySize(array.form, widths)
  return ARRAY_PREFIX_SIZE + widths.offsets + content + CHECKSUM_SIZE
}

export type FixedArrayBlock =
  | { readonly elements: readonly (StoredChunk | undefined)[] }
  /** Bit by bit, the most significant first: the pages that were written. */
  | { readonly writtenPages: Uint8Array }

export function decodeFixedArrayBlock(
  bytes: Uint8Array,
  array: FixedArray,
  widths: Widths,
  address: number,
): FixedArrayBlock {
  const fields = new FieldReader(bytes, widths, FIXED_ARRAY, address)
  decodeArrayPrefix(fields, BLOCK_SIGNATURE)
  fields.skip(widths.offsets)
  const pages = fixedArrayPages(array)
  const block =
    pages > 0
      ? { writtenPages: fields.take(Math.ceil(pages / 8)) }
      : { elements: decodeChunkEntries(fields, array.count, array.form) }
  checkChecksum(fields)
  return block
}
