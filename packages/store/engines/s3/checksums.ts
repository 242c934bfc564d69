// Checksums of blobs: a CRC-32 of each MiB, kept as metadata of the object, which the answers to ranges have too. They
// include the blob's name and the number of the MiB, so bytes of another object or offset are detected as well.

import { crc32 } from 'node:zlib'

/** The bytes that one checksum covers. */
export const CHECKED_BYTES = 2 ** 20

/** Eight digits a checksum, 64 of them at most: S3 takes 2 KiB of metadata. */
const DIGITS = 8
/** Bytes of a blob whose checksums fit into the metadata of its object. @limit format, bytes */
export const MAX_CHECKED = 64 * CHECKED_BYTES

export const CHECKSUM_HEADER = 'x-amz-meta-crc32'

/** The header's value for a blob that was put in parts: its metadata had to be sent before its bytes were known. */
export const UNCHECKED = 'none'

export function checksumsOf(name: string, bytes: Uint8Array): string {
  let checksums = ''
  for (let index = 0; index === 0 || index * CHECKED_BYTES < bytes.length; index++) {
    checksums += checksumOf(name, index, bytes.subarray(index * CHECKED_BYTES, (index + 1) * CHECKED_BYTES))
  }
  return checksums
}

export interface ReadRange {
  readonly name: string
  /** The offset of `bytes` in the blob. */
  readonly offset: number
  readonly bytes: Uint8Array
  /** Bytes of the whole blob. */
  readonly total: number
}

/** Whether each whole MiB within the range has its checksum; one that is only partly in the range cannot be checked. */
export function areIntact({ name, offset, bytes, total }: ReadRange, checksums: string): boolean {
  const count = Math.max(1, Math.ceil(total / CHECKED_BYTES))
  if (checksums.length !== count * DIGITS) return false
  for (let index = Math.ceil(offset / CHECKED_BYTES); index < count; index++) {
    const start = index * CHECKED_BYTES - offset
    const end = Math.min(start + CHECKED_BYTES, total - offset)
    if (end > bytes.length) return true
    const expected = checksums.slice(index * DIGITS, (index + 1) * DIGITS)
    if (checksumOf(name, index, bytes.subarray(start, end)) !== expected) return false
  }
  return true
}

function checksumOf(name: string, index: number, bytes: Uint8Array): string {
  return crc32(bytes, crc32(`${name}/${index}`))
    .toString(16)
    .padStart(DIGITS, '0')
}
