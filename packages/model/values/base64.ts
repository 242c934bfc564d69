// Base64 with the standard alphabet (RFC 4648, section 4). Line breaks are skipped; other characters are errors, and so
// is missing padding, which may mean that the string was cut off.

import { HyperslabError } from '@hyperslab/base/errors'
import { GrowingBytes } from './growing-bytes.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PADDING = 64
const LINE_BREAK = 65
const INVALID = 66

const CODES = Uint8Array.from(ALPHABET, character => character.charCodeAt(0))
const EQUALS = 0x3d
const decoder = new TextDecoder()

const VALUES = new Uint8Array(256).fill(INVALID)
for (let value = 0; value < ALPHABET.length; value++) VALUES[ALPHABET.charCodeAt(value)] = value
VALUES['='.charCodeAt(0)] = PADDING
VALUES['\n'.charCodeAt(0)] = LINE_BREAK
VALUES['\r'.charCodeAt(0)] = LINE_BREAK

export function encodeBase64(bytes: Uint8Array, from = 0, to = bytes.length): string {
  const text = new GrowingBytes()
  appendBase64(text, bytes, from, to)
  return decoder.decode(text.used())
}

/** Appends the characters; with padding, unless the number of bytes needs none. */
export function appendBase64(out: GrowingBytes, bytes: Uint8Array, from: number, to: number): void {
  let end = out.reserve(4 * Math.ceil((to - from) / 3))
  const text = out.bytes
  for (let offset = from; offset < to; offset += 3) {
    // Bytes after the last one count as zero, and their characters are padding.
    const left = to - offset
    const bits =
      (bytes[offset] << 16) | (left > 1 ? bytes[offset + 1] << 8 : 0) | (left > 2 ? bytes[offset + 2] : 0)
    text[end++] = CODES[bits >> 18]
    text[end++] = CODES[(bits >> 12) & 63]
    text[end++] = left > 1 ? CODES[(bits >> 6) & 63] : EQUALS
    text[end++] = left > 2 ? CODES[bits & 63] : EQUALS
  }
}

export function decodeBase64(text: string): Uint8Array {
  const pieces = [...decodeBase64Pieces(text, text.length)]
  const decoded = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    decoded.set(piece, offset)
    offset += piece.length
  }
  return decoded
}

/** Decodes Base64 in pieces of a number of characters, each made when it is requested. */
export function* decodeBase64Pieces(text: string, length: number): Generator<Uint8Array> {
  const decoder = new Base64Decoder()
  const encoder = new TextEncoder()
  for (let offset = 0; offset < text.length; offset += length) {
    yield decoder.decode(encoder.encode(text.slice(offset, offset + length)))
  }
  yield decoder.finish()
}

/** Decodes text that arrives in pieces. */
export class Base64Decoder {
  #bits = 0
  /** Characters of the group of four that has begun, and padding seen. */
  #characters = 0
  #padding = 0

  /** The bytes that this piece completes. */
  decode(text: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(((text.length + 3) * 3) / 4))
    let length = 0
    for (let offset = 0; offset < text.length; offset++) {
      const value = VALUES[text[offset]]
      if (value >= PADDING || this.#padding > 0) {
        this.#takeOther(value)
        continue
      }
      this.#bits = (this.#bits << 6) | value
      if (++this.#characters === 4) {
        bytes[length++] = this.#bits >> 16
        bytes[length++] = this.#bits >> 8
        bytes[length++] = this.#bits
        this.#characters = 0
      }
    }
    return bytes.subarray(0, length)
  }

  /** The bytes of a last group that was not full. */
  finish(): Uint8Array {
    const characters = this.#characters
    const isWhole = characters === 0 ? this.#padding === 0 : characters + this.#padding === 4
    if (!isWhole || characters === 1) {
      throw malformedBase64('its length is wrong')
    }
    if (characters === 2) return Uint8Array.of(this.#bits >> 4)
    if (characters === 3) return Uint8Array.of(this.#bits >> 10, this.#bits >> 2)
    return new Uint8Array(0)
  }

  #takeOther(value: number): void {
    if (value === LINE_BREAK) return
    if (value !== PADDING) throw malformedBase64('it holds characters outside the standard alphabet')
    this.#padding++
  }
}

function malformedBase64(reason: string): HyperslabError {
  return new HyperslabError('malformed-value', `the string is not Base64: ${reason}`)
}
