// A ZIP archive of members that are stored without compression (APPNOTE 6.3.10), written in one pass: the checksum of a
// member follows it, and the directory is at the end. Lengths are known before, and so is that of the archive.
// Members and archives of 4 GiB and more are ZIP64.

import { crc32 } from 'node:zlib'

export interface ZipMember {
  /** Up to 65,535 bytes of UTF-8. */
  readonly name: string
  /** Bytes of all pieces, each of which is valid until the next one is requested. */
  readonly length: number
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface ZipArchive {
  readonly length: number
  /** Each piece is valid until the next one is requested. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Bytes of a name in a ZIP archive: its length has 16 bits. @limit format, bytes */
export const MAX_NAME_BYTES = 2 ** 16 - 1

export function zipArchive(members: readonly ZipMember[]): ZipArchive {
  const entries: Entry[] = []
  let offset = 0
  for (const { name, length } of members) {
    const entry = { name: Buffer.from(name), length, offset, crc: 0 }
    entries.push(entry)
    offset += localHeader(entry).length + length + descriptor(entry).length
  }
  const directory = offset
  for (const entry of entries) offset += directoryHeader(entry).length
  offset += directoryEnd(entries.length, directory, offset).length
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const [i, member] of members.entries()) {
      const entry = entries[i]
      yield localHeader(entry)
      let count = 0
      for await (const piece of member.bytes) {
        // On Node 20 the checksum of no bytes is 0, whatever came before.
        if (piece.length > 0) entry.crc = crc32(piece, entry.crc)
        count += piece.length
        yield piece
      }
      if (count !== member.length) throw new Error(`a member of ${member.length} bytes has ${count}`)
      yield descriptor(entry)
    }
    let end = directory
    for (const entry of entries) {
      const header = directoryHeader(entry)
      end += header.length
      yield header
    }
    yield directoryEnd(entries.length, directory, end)
  }
  return { length: offset, bytes: bytes() }
}

interface Entry {
  readonly name: Uint8Array
  readonly length: number
  /** The position of its local header. */
  readonly offset: number
  crc: number
}

/** A field of 32 bits with this number says that a field of 64 bits has the value. */
export const IN_64_BITS = 0xffffffff

/** The checksum and the lengths follow the bytes (bit 3), and names are UTF-8 (bit 11). */
const FLAGS = 0x0808
/** The versions that readers need. */
const PLAIN = 20
const ZIP64 = 45
/** A file of Unix that everybody may read. */
const MADE_BY_UNIX = (3 << 8) | ZIP64
const FILE_MODE = 0o100644
/** The first of January 1980, as in archives of NumPy: the same values are the same bytes. */
const DATE = 0x0021

function isLong({ length }: Entry): boolean {
  return length >= IN_64_BITS
}

function localHeader(entry: Entry): Uint8Array {
  const extra = isLong(entry) ? extraField([0, 0]) : new Uint8Array(0)
  const writer = new FieldWriter(30 + entry.name.length + extra.length)
  writer.u32(0x04034b50)
  writer.u16(isLong(entry) ? ZIP64 : PLAIN)
  writeCommon(writer)
  writer.u32(0)
  writer.u32(isLong(entry) ? IN_64_BITS : 0)
  writer.u32(isLong(entry) ? IN_64_BITS : 0)
  writer.u16(entry.name.length)
  writer.u16(extra.length)
  writer.bytes(entry.name)
  writer.bytes(extra)
  return writer.written
}

/** Flags, the method "stored", the time and the date. */
function writeCommon(writer: FieldWriter): void {
  writer.u16(FLAGS)
  writer.u16(0)
  writer.u16(0)
  writer.u16(DATE)
}

function descriptor(entry: Entry): Uint8Array {
  const { length, crc } = entry
  const writer = new FieldWriter(isLong(entry) ? 24 : 16)
  writer.u32(0x08074b50)
  writer.u32(crc)
  for (let i = 0; i < 2; i++) isLong(entry) ? writer.u64(length) : writer.u32(length)
  return writer.written
}

function directoryHeader(entry: Entry): Uint8Array {
  const { name, length, offset, crc } = entry
  const isFar = offset >= IN_64_BITS
  const numbers = [...(isLong(entry) ? [length, length] : []), ...(isFar ? [offset] : [])]
  const extra = numbers.length > 0 ? extraField(numbers) : new Uint8Array(0)
  const writer = new FieldWriter(46 + name.length + extra.length)
  writer.u32(0x02014b50)
  writer.u16(MADE_BY_UNIX)
  writer.u16(numbers.length > 0 ? ZIP64 : PLAIN)
  writeCommon(writer)
  writer.u32(crc)
  writer.u32(isLong(entry) ? IN_64_BITS : length)
  writer.u32(isLong(entry) ? IN_64_BITS : length)
  writer.u16(name.length)
  writer.u16(extra.length)
  // No comment, the first disk, bytes.
  for (let i = 0; i < 3; i++) writer.u16(0)
  writer.u32(FILE_MODE * 2 ** 16)
  writer.u32(isFar ? IN_64_BITS : offset)
  writer.bytes(name)
  writer.bytes(extra)
  return writer.written
}

/** The field with numbers of 64 bits. */
function extraField(numbers: readonly number[]): Uint8Array {
  const writer = new FieldWriter(4 + 8 * numbers.length)
  writer.u16(1)
  writer.u16(8 * numbers.length)
  for (const number of numbers) writer.u64(number)
  return writer.written
}

/** The end of the directory, which is at `from` up to `end`, not included. */
function directoryEnd(count: number, from: number, end: number): Uint8Array {
  const isZip64 = count >= 0xffff || end >= IN_64_BITS
  const writer = new FieldWriter(isZip64 ? 98 : 22)
  if (isZip64) {
    writer.u32(0x06064b50)
    writer.u64(44)
    writer.u16(MADE_BY_UNIX)
    writer.u16(ZIP64)
    writer.u64(0)
    writer.u64(count)
    writer.u64(count)
    writer.u64(end - from)
    writer.u64(from)
    writer.u32(0x07064b50)
    writer.u32(0)
    writer.u64(end)
    writer.u32(1)
  }
  writer.u32(0x06054b50)
  writer.u32(0)
  writer.u16(Math.min(count, 0xffff))
  writer.u16(Math.min(count, 0xffff))
  writer.u32(Math.min(end - from, IN_64_BITS))
  writer.u32(Math.min(from, IN_64_BITS))
  writer.u16(0)
  return writer.written
}

/** Writes fields one after the other, little-endian. */
class FieldWriter {
  readonly written: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(length: number) {
    this.written = new Uint8Array(length)
    this.#view = new DataView(this.written.buffer)
  }

  u16(value: number): void {
    this.#view.setUint16(this.#at, value, true)
    this.#at += 2
  }

  u32(value: number): void {
    this.#view.setUint32(this.#at, value, true)
    this.#at += 4
  }

  u64(value: number): void {
    this.#view.setBigUint64(this.#at, BigInt(value), true)
    this.#at += 8
  }

  bytes(bytes: Uint8Array): void {
    this.written.set(bytes, this.#at)
    this.#at += bytes.length
  }
}
