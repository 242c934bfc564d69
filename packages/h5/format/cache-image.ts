// A metadata cache image: structures of the file as its last writer had them in memory, which may be newer than those
// at their own addresses (H5Cimage.c; the specification does not describe it).

import { CHECKSUM_SIZE, checkChecksum } from './checksum.ts'
import { FieldReader, type Widths } from './field-reader.ts'

const STRUCTURE = 'the metadata cache image'
const SIGNATURE = 'MDCI'
/** Bytes of an entry before its address. */
const ENTRY_PREFIX = 14

/** The bytes that count at an address. */
export interface CacheImageEntry {
  readonly address: number
  readonly bytes: Uint8Array
}

/** `bytes`: the whole image. Entries are views of it. */
export function decodeCacheImageEntries(
  bytes: Uint8Array,
  widths: Widths,
  address: number,
): readonly CacheImageEntry[] {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  fields.expectSignature(SIGNATURE)
  fields.version([0])
  // Flags: whether the image has data on resizing the cache, which it never has.
  fields.skip(1)
  const size = fields.length()
  if (size !== bytes.length)
    throw fields.error(`it says that it has ${size} bytes, instead of ${bytes.length}`)
  const entries = fields.list(fields.u32(), ENTRY_PREFIX + widths.offsets + widths.lengths, () =>
    decodeEntry(fields),
  )
  fields.skip(fields.left - CHECKSUM_SIZE)
  checkChecksum(fields)
  return entries
}

function decodeEntry(fields: FieldReader): CacheImageEntry {
  // Type, flags, ring and age; the numbers of children and of dirty children of the flush dependency.
  fields.skip(8)
  const parentCount = fields.u16()
  // The rank among the least recently used.
  fields.skip(4)
  const address = fields.definedAddress('an entry')
  const length = fields.length()
  fields.skip(parentCount * fields.widths.offsets)
  return { address, bytes: fields.take(length) }
}
