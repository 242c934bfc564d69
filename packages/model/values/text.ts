// Text in elements: UTF-8 whatever the character set says (classic 15.4). Stored bytes that are not UTF-8 become
// lone surrogates U+DC80 to U+DCFF, one per byte, and come back as those bytes: Python's "surrogateescape", which
// h5pyd sends and expects (clients 9.4).

import { HyperslabError } from '@hyperslab/base/errors'
import type { StringType } from '../datatype/datatype.ts'
import { isWellFormed } from '../names/utf8.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The bytes of the UTF-8 sequence at `offset`; 0 when none is there (Unicode 15, table 3-7). */
export function sequenceLength(bytes: Uint8Array, offset: number, end: number): number {
  const lead = bytes[offset]
  if (lead < 0x80) return 1
  if (lead < 0xc2 || lead > 0xf4) return 0
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  if (offset + length > end) return 0
  const second = bytes[offset + 1]
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  if (second < lowest || second > highest) return 0
  for (let i = 2; i < length; i++) if (!isContinuation(bytes[offset + i])) return 0
  return length
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/** The first byte from `from` on that begins no UTF-8 sequence; `to` when all is UTF-8. */
export function endOfUtf8(bytes: Uint8Array, from: number, to: number): number {
  let offset = from
  while (offset < to) {
    if (bytes[offset] < 0x80) {
      offset++
      continue
    }
    const length = sequenceLength(bytes, offset, to)
    if (length === 0) return offset
    offset += length
  }
  return to
}

export function decodeText(bytes: Uint8Array, from: number, to: number): string {
  if (endOfUtf8(bytes, from, to) === to) return decoder.decode(bytes.subarray(from, to))
  let text = ''
  for (let offset = from; offset < to; ) {
    const valid = endOfUtf8(bytes, offset, to)
    text += decoder.decode(bytes.subarray(offset, valid))
    if (valid < to) text += String.fromCharCode(0xdc00 + bytes[valid])
    offset = valid + 1
  }
  return text
}

export function encodeText(text: string): Uint8Array {
  if (isWellFormed(text)) return encoder.encode(text)
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00)
    else if (code >= 0xd800 && code <= 0xdfff) throw loneSurrogate(code)
    else bytes.push(...encoder.encode(character))
  }
  return Uint8Array.from(bytes)
}

export function loneSurrogate(code: number): HyperslabError {
  return new HyperslabError(
    'malformed-value',
    `a string must not hold \\u${code.toString(16)}, half of a surrogate pair`,
  )
}

/** Fixed strings: a type whose length is known. */
export type FixedStringType = StringType & { readonly length: number }

export function isFixedString(type: StringType): type is FixedStringType {
  return type.length !== 'H5T_VARIABLE'
}

const SPACE = 0x20

/**
 * Stores `text` from `from` to `to` as the fixed string at `offset` of `target`: cut to the type's length, at a
 * character, and padded.
 */
export function writeFixedText(
  type: FixedStringType,
  text: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  offset: number,
): void {
  let length = Math.min(to - from, type.length)
  if (length < to - from) length = cutBefore(text, from, length, to)
  if (length < 32) for (let i = 0; i < length; i++) target[offset + i] = text[from + i]
  else target.set(text.subarray(from, from + length), offset)
  target.fill(type.strPad === 'H5T_STR_SPACEPAD' ? SPACE : 0, offset + length, offset + type.length)
}

/** The longest length up to `length` that does not cut a UTF-8 sequence. */
function cutBefore(text: Uint8Array, from: number, length: number, to: number): number {
  for (let back = 1; back <= 3 && back <= length; back++) {
    const offset = from + length - back
    if (!isContinuation(text[offset])) return sequenceLength(text, offset, to) > back ? length - back : length
  }
  return length
}

/**
 * The end of the fixed string at `offset` without its padding: the spaces of space-padded types, and NULs. Spaces
 * before NULs belong to the text, as in libhdf5: values that were written over HTTP end with NULs whatever their type
 * says.
 */
export function endOfFixedText(type: FixedStringType, bytes: Uint8Array, offset: number): number {
  let end = offset + type.length
  if (type.strPad === 'H5T_STR_SPACEPAD') while (end > offset && bytes[end - 1] === SPACE) end--
  while (end > offset && bytes[end - 1] === 0) end--
  return end
}
