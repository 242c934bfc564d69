// JSON strings straight from stored bytes. Valid UTF-8 is copied; other bytes become \udc80 to \udcff, escaped, since
// raw they would spoil the whole text for strict readers (clients 9.4).

import { BACKSLASH, CONTROL_ESCAPES, FIRST_PRINTABLE, QUOTE } from '../json-syntax.ts'
import type { GrowingBytes } from './growing-bytes.ts'
import { sequenceLength } from './text.ts'

const HEX = '0123456789abcdef'

/** The letter behind the backslash for a control character that has a short escape. */
const SHORT_ESCAPES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(CONTROL_ESCAPES).map(([letter, code]) => [code, letter]),
)

/** Bytes that are written between two checks for room. */
const BLOCK = 4096
/** The longest escape of one byte, `\u001f`. */
const MAX_ESCAPE = 6

/** Appends the quoted text of `bytes` from `from` to `to`. */
export function appendJsonText(out: GrowingBytes, bytes: Uint8Array, from: number, to: number): void {
  out.appendByte(QUOTE)
  for (let at = from; at < to; ) at = appendBlock(out, bytes, at, to)
  out.appendByte(QUOTE)
}

/** The same, in steps of a block each. */
export function* appendJsonTextInSteps(
  out: GrowingBytes,
  bytes: Uint8Array,
  from: number,
  to: number,
): Generator<void> {
  out.appendByte(QUOTE)
  for (let at = from; at < to; ) {
    at = appendBlock(out, bytes, at, to)
    yield
  }
  out.appendByte(QUOTE)
}

/** Writes the next block, whole UTF-8 sequences only, and returns where it ended. */
function appendBlock(out: GrowingBytes, bytes: Uint8Array, from: number, to: number): number {
  const blockEnd = Math.min(to, from + BLOCK)
  let end = out.ensure((blockEnd - from + 3) * MAX_ESCAPE)
  const target = out.bytes
  let at = from
  while (at < blockEnd) {
    const byte = bytes[at]
    if (byte < 0x80) {
      if (byte >= FIRST_PRINTABLE && byte !== QUOTE && byte !== BACKSLASH) target[end++] = byte
      else end = writeEscape(target, end, byte)
      at++
      continue
    }
    const length = sequenceLength(bytes, at, to)
    if (length === 0) end = writeUnicodeEscape(target, end, 0xdc00 + bytes[at++])
    else for (let i = 0; i < length; i++) target[end++] = bytes[at++]
  }
  out.length = end
  return at
}

function writeEscape(target: Uint8Array, at: number, byte: number): number {
  const letter = SHORT_ESCAPES[byte]
  if (byte >= FIRST_PRINTABLE || letter !== undefined) {
    target[at] = BACKSLASH
    target[at + 1] = letter === undefined ? byte : letter.charCodeAt(0)
    return at + 2
  }
  return writeUnicodeEscape(target, at, byte)
}

function writeUnicodeEscape(target: Uint8Array, at: number, code: number): number {
  target[at] = BACKSLASH
  target[at + 1] = 0x75
  for (let digit = 0; digit < 4; digit++) {
    target[at + 2 + digit] = HEX.charCodeAt((code >> (12 - 4 * digit)) & 15)
  }
  return at + 6
}
