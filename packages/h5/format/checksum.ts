// The checksum of metadata: Bob Jenkins' lookup3 with an initial value of 0 (HDF5 file format specification,
// "checksum").

import type { FieldReader } from './field-reader.ts'
import type { FieldWriter } from './field-writer.ts'

export const CHECKSUM_SIZE = 4

/**
 * The longest structure whose checksum is computed, which blocks the event loop for some milliseconds. No real
 * structure is as long.
 * @limit safety, bytes
 */
const MAX_CHECKED_BYTES = 12 * 2 ** 20

/**
 * Reads the checksum at the current position, and compares it with the bytes before it, from the beginning of the
 * structure.
 */
export function checkChecksum(fields: FieldReader): void {
  requireCheckable(fields, fields.position)
  const computed = lookup3(fields.bytes.subarray(0, fields.position))
  const stored = fields.u32()
  if (stored !== computed) throw fields.error('its checksum does not fit its bytes: it is damaged')
}

/** Throws when a structure is too long for its checksum to be computed. */
export function requireCheckable(fields: FieldReader, length: number): void {
  if (length <= MAX_CHECKED_BYTES) return
  throw fields.error(
    `it has ${length} bytes, and structures with a checksum have ${MAX_CHECKED_BYTES} at most`,
  )
}

/** The bytes that were written, and their checksum. */
export function withChecksum(writer: FieldWriter): Uint8Array {
  writer.u32(lookup3(writer.bytes))
  return writer.bytes
}

/** An unsigned 32-bit number. */
export function lookup3(bytes: Uint8Array): number {
  let length = bytes.length
  let offset = 0
  let a = (0xdeadbeef + length) | 0
  let b = a
  let c = a
  const view = new DataView(bytes.buffer, bytes.byteOffset, length)
  while (length > 12) {
    a = (a + view.getInt32(offset, true)) | 0
    b = (b + view.getInt32(offset + 4, true)) | 0
    c = (c + view.getInt32(offset + 8, true)) | 0
    a = (a - c) ^ rotate(c, 4)
    c = (c + b) | 0
    b = (b - a) ^ rotate(a, 6)
    a = (a + c) | 0
    c = (c - b) ^ rotate(b, 8)
    b = (b + a) | 0
    a = (a - c) ^ rotate(c, 16)
    c = (c + b) | 0
    b = (b - a) ^ rotate(a, 19)
    a = (a + c) | 0
    c = (c - b) ^ rotate(b, 4)
    b = (b + a) | 0
    offset += 12
    length -= 12
  }
  if (length === 0) return c >>> 0
  // Missing bytes count as zero.
  const word = (start: number) =>
    (bytes[start] ?? 0) |
    ((bytes[start + 1] ?? 0) << 8) |
    ((bytes[start + 2] ?? 0) << 16) |
    ((bytes[start + 3] ?? 0) << 24)
  a = (a + word(offset)) | 0
  b = (b + word(offset + 4)) | 0
  c = (c + word(offset + 8)) | 0
  c = (c ^ b) - rotate(b, 14)
  a = (a ^ c) - rotate(c, 11)
  b = (b ^ a) - rotate(a, 25)
  c = (c ^ b) - rotate(b, 16)
  a = (a ^ c) - rotate(c, 4)
  b = (b ^ a) - rotate(a, 14)
  c = (c ^ b) - rotate(b, 24)
  return c >>> 0
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}
