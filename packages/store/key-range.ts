// Keys and ranges of keys in general: the form of a name in a key, and the order of keys. Keys sort as unsigned bytes.
//
// Names are UTF-8, so they sort by code points. A name longer than `MAX_COMPONENT` bytes is cut and ends with FF and
// the SHA-256 of the whole name (FF never occurs in UTF-8; the whole name is in the record). Such names keep their
// position among others, but those that agree in their first 867 bytes are ordered by hash.

import { createHash } from 'node:crypto'
import type { Timestamp } from '@hyperslab/model/names'
import { dataViewOf } from '@hyperslab/model/values'

/** The keys from `start` (inclusive) to `end` (exclusive). */
export interface Range {
  readonly start: Uint8Array
  readonly end: Uint8Array
}

/** The range of all possible keys. */
export const EVERYTHING: Range = { start: new Uint8Array(0), end: new Uint8Array(8).fill(0xff) }

/** A key as a string of one character per byte: such strings sort like the bytes, and can be names in a Map. */
export type KeyText = string

export function keyTextOf(key: Uint8Array): KeyText {
  const bytes = Buffer.isBuffer(key) ? key : Buffer.from(key.buffer, key.byteOffset, key.byteLength)
  return bytes.toString('latin1')
}

/** The bytes as hexadecimal digits, two for each byte. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

export function byte(value: number): Uint8Array {
  return Uint8Array.of(value)
}

/** The byte of a letter. */
export function code(letter: string): number {
  return letter.charCodeAt(0)
}

/** The bytes of a string of ASCII. */
export function text(ascii: string): Uint8Array {
  return Buffer.from(ascii, 'latin1')
}

/** Bytes of a name in a key; of a longer one a hash is in it. @limit format, bytes */
export const MAX_COMPONENT = 900
const HASH_LENGTH = 32
const LONG_NAME_MARK = 0xff
/** Bytes of a long name that its component begins with. */
const KEPT_LENGTH = MAX_COMPONENT - HASH_LENGTH - 1

/** A name as part of a key. */
export function component(name: string): Uint8Array {
  const bytes = Buffer.from(name)
  if (bytes.length <= MAX_COMPONENT) return bytes
  const kept = bytes.subarray(0, KEPT_LENGTH)
  return Buffer.concat([kept, byte(LONG_NAME_MARK), createHash('sha256').update(bytes).digest()])
}

/** The bytes that begin the components of all names that begin with the prefix. */
export function componentPrefix(prefix: string): Uint8Array {
  return Buffer.from(prefix).subarray(0, KEPT_LENGTH)
}

/** Every key that begins with `prefix`. Trailing FF bytes are carried; no prefix consists only of them. */
export function rangeOf(prefix: Uint8Array): Range {
  let length = prefix.length
  while (prefix[length - 1] === 0xff) length--
  const end = Buffer.from(prefix.subarray(0, length))
  end[length - 1] = (prefix[length - 1] ?? 0) + 1
  return { start: prefix, end }
}

export function isWithin(key: Uint8Array, { start, end }: Range): boolean {
  return Buffer.compare(key, start) >= 0 && Buffer.compare(key, end) < 0
}

/** The part of the range after `key`. */
export function rangeAfter(range: Range, key: Uint8Array): Range {
  const start = successor(key)
  return Buffer.compare(start, range.start) > 0 ? { start, end: range.end } : range
}

/** The least key above `key`. */
export function successor(key: Uint8Array): Uint8Array {
  return Buffer.concat([key, byte(0)])
}

// Times in keys, which sort like them: microseconds in 8 bytes

export const TIME_LENGTH = 8

export function timeBytes(time: Timestamp): Uint8Array {
  const bytes = Buffer.allocUnsafe(TIME_LENGTH)
  bytes.writeUInt32BE(Math.floor(time / 2 ** 32), 0)
  bytes.writeUInt32BE(time % 2 ** 32, 4)
  return bytes
}

export function timeOf(bytes: Uint8Array): Timestamp {
  return Number(dataViewOf(bytes).getBigUint64(0))
}
