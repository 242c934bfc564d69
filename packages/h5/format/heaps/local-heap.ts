// The local heap (file format specification, III.D): the names of the links of one symbol table, and the values of its
// soft links. The header names a data segment; an offset into the segment names a string that ends with NUL.

import { FieldReader, type Widths } from '../field-reader.ts'

const SIGNATURE = 'HEAP'

export interface LocalHeapHeader {
  readonly segmentAddress: number
  readonly segmentSize: number
  /** The offset of the first free block in the segment; 1: there is none (H5HL_FREE_NULL). */
  readonly freeBlock: number
}

export function localHeapHeaderSize({ offsets, lengths }: Widths): number {
  return 8 + 2 * lengths + offsets
}

export function decodeLocalHeapHeader(bytes: Uint8Array, widths: Widths, address: number): LocalHeapHeader {
  const fields = new FieldReader(bytes, widths, 'the local heap', address)
  fields.expectSignature(SIGNATURE)
  fields.version([0])
  fields.skip(3)
  const segmentSize = fields.length()
  // All bits set in files of some writers, which no number can hold.
  const freeBlock = fields.lengthOrUnlimited() ?? 1
  return { segmentAddress: fields.definedAddress('its data segment'), segmentSize, freeBlock }
}
