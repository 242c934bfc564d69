// JSON strings straight from stored bytes. Valid UTF-8 is copied; other bytes become \udc80 to \udcff, escaped, since
// raw they would spoil the whole text for strict readers (clients 9.4).

import type { GrowingBytes } from '../values/growing-bytes.ts'
import { sequenceLength } from '../values/text.ts'
import { BACKSLASH, CONTROL_ESCAPES, FIRST_PRINTABLE, QUOTE } from './json-syntax.ts'

const HEX = '0123456789abcdef'

/** The letter after the backslash of a control character that has a short escape. */
const SHORT_ESCAPES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(CONTROL_ESCAPES).map(([letter, code]) => [code, letter]),
)

/** Bytes that are written between two checks for room. */
const BLOCK = 4096
/** The longest escape of one byte, `\u001f`. @limit format, bytes */
const MAX_ESCAPE = 6

/** Appends the quoted text of `bytes` from `from` to `to`. */
export function appendJsonText(out: GrowingBytes, bytes: Uint8Array, from: number, to: number): void {
  out.appendByte(QUOTE)
  for (let offset = from; offset < to; ) offset = appendBlock(out, bytes, offset, to)
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
  for (let offset = from; offset < to; ) {
    offset = appendBlock(out, bytes, offset, to)
    yield
  }
  out.appendByte(QUOTE)
}

/** Writes the next block, whole UTF-8 sequences only, and returns where it ended. */
function appendBlock(out: GrowingBytes, bytes: Uint8Array, from: number, to: number): number {
  const blockEnd = Math.min(to, from + BLOCK)
  let end = out.ensure((blockEnd - from + 3) * MAX_ESCAPE)
  const target = out.bytes
  let offset = from
  while (offset < blockEnd) {
    const byte = bytes[offset]
    if (byte < 0x80) {
      if (byte >= FIRST_PRINTABLE && byte !== QUOTE && byte !== BACKSLASH) target[end++] = byte
      else end = writeEscape(target, end, byte)
      offset++
      continue
    }
    const length = sequenceLength(bytes, offset, to)
    if (length === 0) end = writeUnicodeEscape(target, end, 0xdc00 + bytes[offset++])
    else for (let i = 0; i < length; i++) target[end++] = bytes[offset++]
  }
  out.length = end
  return offset
}

function writeEscape(target: Uint8Array, offset: number, byte: number): number {
  const letter = SHORT_ESCAPES[byte]
  if (byte >= FIRST_PRINTABLE || letter !== undefined) {
    target[offset] = BACKSLASH
    target[offset + 1] = letter === undefined ? byte : letter.charCodeAt(0)
    return offset + 2
  }
  return writeUnicodeEscape(target, offset, byte)
}

function writeUnicodeEscape(target: Uint8Array, offset: number, code: number): number {
  target[offset] = BACKSLASH
  target[offset + 1] = 0x75
  for (let digit = 0; digit < 4; digit++) {
    target[offset + 2 + digit] = HEX.charCodeAt((code >> (12 - 4 * digit)) & 15)
  }
  return offset + 6
}
