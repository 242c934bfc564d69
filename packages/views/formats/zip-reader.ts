// The files in a ZIP archive that stores them without compression (APPNOTE 6.3.10; ZIP64 too), found by the directory
// at its end. Their bytes stay where the archive is.

import { crc32 } from 'node:zlib'
import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, partOfText, readRange, type StoredText } from '@hyperslab/model/json'
import { IN_64_BITS } from './zip.ts'

export interface StoredFile {
  readonly name: string
  readonly file: StoredText
  /** All bytes of the file, in pieces that are valid until the next one is requested; throws for a wrong checksum. */
  readonly bytes: () => AsyncGenerator<Uint8Array>
}

/** The first bytes of each structure, and its length without names and other parts of any length. */
const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30
const DIRECTORY_HEADER = 0x02014b50
const DIRECTORY_HEADER_BYTES = 46
const DIRECTORY_END = 0x06054b50
const DIRECTORY_END_BYTES = 22
const LOCATOR_64 = 0x07064b50
const LOCATOR_64_BYTES = 20
const DIRECTORY_END_64 = 0x06064b50
const DIRECTORY_END_64_BYTES = 56
/** The field with numbers of 64 bits. */
const FIELD_64 = 1

const IN_16_BITS = 0xffff

/** Bytes of a comment, which may follow the end of the directory: its length has 16 bits. @limit format, bytes */
const MAX_COMMENT = 2 ** 16 - 1

/** The files in the order of the directory: at most `maxCount`, in a directory of at most `maxBytes`. */
export async function filesInZip(
  archive: StoredText,
  maxCount: number,
  maxBytes: number,
): Promise<readonly StoredFile[]> {
  const { count, size, offset } = await findDirectory(archive)
  if (count > maxCount) {
    throw new HyperslabError(
      'body-too-large',
      `an archive of ${count} files must not have more than ${maxCount}: send several requests`,
    )
  }
  if (size > maxBytes) {
    throw new HyperslabError(
      'body-too-large',
      `the directory of the archive has ${size} bytes, and must not have more than ${maxBytes}, the setting max_json_body`,
    )
  }
  const directory = await bytesAt(archive, offset, size)
  const files: StoredFile[] = []
  for (let at = 0; files.length < count; await nextTurn()) {
    const { entry, length } = entryAt(directory, at)
    at += length
    files.push(await fileOf(archive, entry))
  }
  return files
}

interface Entry {
  readonly name: string
  readonly crc: number
  readonly length: number
  /** The position of its local header. */
  readonly offset: number
}

async function findDirectory(
  archive: StoredText,
): Promise<{ readonly count: number; readonly size: number; readonly offset: number }> {
  const tailFrom = Math.max(0, archive.length - MAX_COMMENT - DIRECTORY_END_BYTES)
  const tail = await bytesAt(archive, tailFrom, archive.length - tailFrom)
  for (let at = tail.byteLength - DIRECTORY_END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) !== DIRECTORY_END) continue
    const found = {
      count: tail.getUint16(at + 10, true),
      size: tail.getUint32(at + 12, true),
      offset: tail.getUint32(at + 16, true),
    }
    const isLong = found.count === IN_16_BITS || found.size === IN_64_BITS || found.offset === IN_64_BITS
    return (isLong && (await findLongDirectory(archive, tailFrom + at))) || found
  }
  throw notZip('it has no directory at its end')
}

/** The directory of a ZIP64 archive whose other end is at `end`; undefined: it is none. */
async function findLongDirectory(
  archive: StoredText,
  end: number,
): Promise<{ readonly count: number; readonly size: number; readonly offset: number } | undefined> {
  if (end < LOCATOR_64_BYTES) return undefined
  const locator = await bytesAt(archive, end - LOCATOR_64_BYTES, LOCATOR_64_BYTES)
  if (locator.getUint32(0, true) !== LOCATOR_64) return undefined
  const record = await bytesAt(archive, long(locator, 8), DIRECTORY_END_64_BYTES)
  if (record.getUint32(0, true) !== DIRECTORY_END_64) throw notZip('its directory has no end')
  return { count: long(record, 32), size: long(record, 40), offset: long(record, 48) }
}

function entryAt(directory: DataView, at: number): { readonly entry: Entry; readonly length: number } {
  const fixed = part(directory, at, DIRECTORY_HEADER_BYTES)
  if (fixed.getUint32(0, true) !== DIRECTORY_HEADER) throw notZip('its directory is damaged')
  const nameLength = fixed.getUint16(28, true)
  const extraLength = fixed.getUint16(30, true)
  const commentLength = fixed.getUint16(32, true)
  const nameAt = at + DIRECTORY_HEADER_BYTES
  const name = new TextDecoder().decode(part(directory, nameAt, nameLength))
  const isEncrypted = (fixed.getUint16(8, true) & 1) !== 0
  const method = fixed.getUint16(10, true)
  if (isEncrypted || method !== 0) {
    throw new HyperslabError(
      'unsupported-media-type',
      `the file ${excerpt(name)} in the archive is ${isEncrypted ? 'encrypted' : 'compressed'}, and must be stored as ` +
        'it is: numpy.savez does so',
    )
  }
  let extra = longNumbers(part(directory, nameAt + nameLength, extraLength))
  const number = (field: number): number => {
    const value = fixed.getUint32(field, true)
    if (value !== IN_64_BITS) return value
    const [first, ...others] = extra
    if (first === undefined) throw notZip('its directory is damaged')
    extra = others
    return first
  }
  const length = number(24)
  if (number(20) !== length) throw notZip(`the file ${excerpt(name)} has two lengths`)
  const entry = { name, crc: fixed.getUint32(16, true), length, offset: number(42) }
  return { entry, length: DIRECTORY_HEADER_BYTES + nameLength + extraLength + commentLength }
}

/** The numbers of 64 bits in the extra fields of an entry. */
function longNumbers(extra: DataView): readonly number[] {
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.getUint16(at + 2, true)) {
    if (extra.getUint16(at, true) !== FIELD_64) continue
    const field = part(extra, at + 4, extra.getUint16(at + 2, true))
    return Array.from({ length: Math.floor(field.byteLength / 8) }, (_, i) => long(field, 8 * i))
  }
  return []
}

async function fileOf(archive: StoredText, { name, crc, length, offset }: Entry): Promise<StoredFile> {
  const header = await bytesAt(archive, offset, LOCAL_HEADER_BYTES)
  if (header.getUint32(0, true) !== LOCAL_HEADER)
    throw notZip(`the file ${excerpt(name)} is not where it should be`)
  const from = offset + LOCAL_HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true)
  if (from + length > archive.length) throw notZip(`the file ${excerpt(name)} is longer than the archive`)
  const file = partOfText(archive, { from, to: from + length })
  async function* bytes(): AsyncGenerator<Uint8Array> {
    let found = 0
    for await (const piece of readRange(file, { from: 0, to: length })) {
      found = crc32(piece, found)
      yield piece
    }
    if (found !== crc) throw notZip(`the file ${excerpt(name)} has another checksum than its bytes`)
  }
  return { name, file, bytes }
}

async function bytesAt(archive: StoredText, offset: number, length: number): Promise<DataView> {
  if (offset + length > archive.length) throw notZip('it is too short')
  const bytes = new Uint8Array(length)
  await archive.read(offset, bytes)
  return new DataView(bytes.buffer)
}

function part(view: DataView, at: number, length: number): DataView {
  if (at + length > view.byteLength) throw notZip('its directory is damaged')
  return new DataView(view.buffer, view.byteOffset + at, length)
}

/** Numbers that are not exact are beyond the archive anyway. */
function long(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true))
}

function notZip(reason: string): HyperslabError {
  return new HyperslabError(
    'malformed-body',
    `the archive must be a ZIP archive, as numpy.savez writes it: ${reason}`,
  )
}
