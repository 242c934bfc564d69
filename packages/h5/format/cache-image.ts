// A metadata cache image: structures of the file as its last writer had them in memory, which may be newer than those
// at their own addresses (H5Cimage.c; the specification does not describe it).

import { CHECKSUM_SIZE, checkChecksum, withChecksum } from './checksum.ts'
import { FieldReader, type Widths } from './field-reader.ts'
import { FieldWriter } from './field-writer.ts'

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

/** Encodes entries, with neutral values for the fields that only a cache needs. */
export function encodeCacheImageEntries(entries: readonly CacheImageEntry[], widths: Widths): Uint8Array {
  const writer = new FieldWriter(widths)
  const entrySize = ENTRY_PREFIX + widths.offsets + widths.lengths
  const sizes = entries.map(({ bytes }) => entrySize + bytes.length)
  const headerSize = SIGNATURE.length + 2 + widths.lengths + 4
  writer.signature(SIGNATURE)
  writer.u8(0)
  writer.u8(0)
  writer.length(sizes.reduce((sum, size) => sum + size, headerSize) + CHECKSUM_SIZE)
  writer.u32(entries.length)
  for (const { address, bytes } of entries) {
    writer.put(new Uint8Array(ENTRY_PREFIX))
    writer.address(address)
    writer.length(bytes.length)
    writer.put(bytes)
  }
  return withChecksum(writer)
}
