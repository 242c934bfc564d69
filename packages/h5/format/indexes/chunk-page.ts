// The common parts of fixed and extensible arrays, both indexes of chunks: the beginning of their structures, elements
// in a row, and pages, which are elements with a checksum after them (VII.C and VII.D).

import { CHECKSUM_SIZE, checkChecksum } from '../checksum.ts'
import type { FieldReader, Widths } from '../field-reader.ts'
import {
  type ChunkEntryForm,
  chunkEntrySize,
  decodeChunkEntry,
  type StoredChunk,
} from './chunk-index-record.ts'

/** Signature, version, client. */
export const ARRAY_PREFIX_SIZE = 6
/** The client: chunks that went through filters, or not. */
const FILTERED_CHUNKS = 1

/** Undefined: the chunk is not stored. */
export type ChunkEntries = readonly (StoredChunk | undefined)[]

/** True: the chunks are filtered. */
export function decodeArrayPrefix(fields: FieldReader, signature: string): boolean {
  fields.expectSignature(signature)
  fields.version([0])
  const client = fields.u8()
  if (client > FILTERED_CHUNKS) throw fields.error(`its client ${client} is not known`)
  return client === FILTERED_CHUNKS
}

/**
 * The most elements of a block or a page, which is decoded in one piece. The library makes pages of 1,024.
 * @limit memory, entries
 */
const MAX_ENTRIES = 2 ** 14

export function decodeChunkEntries(fields: FieldReader, count: number, form: ChunkEntryForm): ChunkEntries {
  if (count > MAX_ENTRIES) throw fields.error(`it has ${count} elements, and ${MAX_ENTRIES} are the most`)
  return fields.list(count, chunkEntrySize(form, fields.widths), () => decodeChunkEntry(fields, form))
}

/** Bytes of a page of `count` elements. */
export function chunkPageSize(count: number, form: ChunkEntryForm, widths: Widths): number {
  return count * chunkEntrySize(form, widths) + CHECKSUM_SIZE
}

export function decodeChunkPage(fields: FieldReader, count: number, form: ChunkEntryForm): ChunkEntries {
  const entries = decodeChunkEntries(fields, count, form)
  checkChecksum(fields)
  return entries
}
