// A position in JSON text that arrives in pieces. Reading beyond the text that has arrived throws OUT_OF_BYTES: the
// reader goes back to the beginning of the token, or the element, and tries again when more text has arrived.

import { HyperslabError } from '@hyperslab/base/errors'
import type { GrowingBytes } from '../values/growing-bytes.ts'
import { endOfUtf8, loneSurrogate } from '../values/text.ts'
import type { JsonValue } from './json.ts'
import { MemoryCount, parseJson } from './json-parser.ts'
import {
  BACKSLASH,
  BARE_CONTROL_CHARACTER,
  CONTROL_ESCAPES,
  FIRST_PRINTABLE,
  isBlank,
  isDigit,
  QUOTE,
  WRONG_ESCAPE,
  ZERO,
} from './json-syntax.ts'
import { ValueEnd } from './json-value-end.ts'

export const OUT_OF_BYTES = Symbol('the text goes on in a piece that has not arrived')

/**
 * The longest text of a value that is parsed at once into a tree, as references and parts of messages are.
 * @limit memory, bytes
 */
const MAX_VALUE = 4 << 20
/** Bytes that a value takes as a tree. @limit memory, bytes */
const MAX_TREE = 16 << 20

/** Bytes of the longest character in UTF-8. @limit format, bytes */
const MAX_CHARACTER = 4

export class JsonCursor {
  bytes: Uint8Array = new Uint8Array(0)
  /** Index of the next byte. */
  index = 0
  /** Pieces that have arrived and are not yet part of `bytes`. */
  #waiting: Uint8Array[] = []
  #waitingLength = 0
  /** Bytes of the text before `bytes`. */
  #before = 0
  #isComplete = false
  /** True: the end of a string that has begun has not arrived. */
  #isInText = false

  /**
   * Adds a piece. True: there is enough new text to try again, at least as much as was read before, so that the work
   * stays proportional to the text.
   */
  append(piece: Uint8Array): boolean {
    this.#waiting.push(piece)
    this.#waitingLength += piece.length
    if (this.#waitingLength < this.bytes.length) {
      // The sender may use its memory again.
      this.#waiting[this.#waiting.length - 1] = new Uint8Array(piece)
      return false
    }
    this.#join()
    return true
  }

  complete(): void {
    this.#join()
    this.#isComplete = true
  }

  #join(): void {
    const [first, ...others] = this.#waiting
    if (this.bytes.length === 0 && others.length === 0) {
      // A plain Uint8Array, also for a Buffer: loops over one kind of array are faster.
      if (first) this.bytes = new Uint8Array(first.buffer, first.byteOffset, first.length)
    } else {
      const joined = new Uint8Array(this.bytes.length + this.#waitingLength)
      joined.set(this.bytes)
      let length = this.bytes.length
      for (const piece of this.#waiting) {
        joined.set(piece, length)
        length += piece.length
      }
      this.bytes = joined
    }
    this.#waiting = []
    this.#waitingLength = 0
  }

  /** Drops the text that has been read and copies the rest, because the sender may reuse the memory of its piece. */
  keepRest(): void {
    this.#before += this.index
    // Not `slice`, which does not copy when the piece is a Buffer.
    this.bytes = new Uint8Array(this.bytes.subarray(this.index))
    this.index = 0
    if (this.bytes.length > MAX_VALUE) {
      throw tooLarge(`a value within an element is more than ${MAX_VALUE} bytes of JSON`)
    }
  }

  /** Bytes of the text up to here. */
  get position(): number {
    return this.#before + this.index
  }

  /** True when at most `length` bytes of the arrived text are left, and more text will come. */
  isShort(length: number): boolean {
    return !this.#isComplete && this.bytes.length - this.index <= length
  }

  /** The next byte that is not blank, which is not taken. */
  next(): number {
    const { bytes } = this
    let { index } = this
    while (index < bytes.length && isBlank(bytes[index])) index++
    this.index = index
    return index < bytes.length ? bytes[index] : this.#outOfBytes()
  }

  /** True when only blanks are left. */
  isAtEnd(): boolean {
    while (this.index < this.bytes.length && isBlank(this.bytes[this.index])) this.index++
    return this.index === this.bytes.length
  }

  take(code: number): boolean {
    if (this.next() !== code) return false
    this.index++
    return true
  }

  /** The next value, of whatever kind. If the text ends within it, nothing is consumed. */
  json(): JsonValue {
    const from = this.index
    this.index = this.#endOfValue()
    try {
      return parseJson(this.bytes.subarray(from, this.index), limitedTree())
    } catch (error) {
      if (!(error instanceof HyperslabError)) throw error
      throw new HyperslabError(
        error.code,
        `in the value that begins at byte ${this.#before + from}: ${error.message}`,
        { cause: error },
      )
    }
  }

  #endOfValue(): number {
    const { bytes } = this
    let from = this.index
    while (from < bytes.length && isBlank(bytes[from])) from++
    const end = new ValueEnd().find(bytes, from)
    // A number or a word may be at the end of the text.
    if (end === undefined && (!this.#isComplete || from === bytes.length)) this.#outOfBytes()
    if (end !== from) return end ?? bytes.length
    this.index = from
    throw this.unexpected('a value')
  }

  /**
   * Appends the string at the cursor, which is at its quote, to `out`, its escapes resolved. If the text ends within
   * it, its first part is appended, and the next call continues after that.
   */
  takeText(out: GrowingBytes): void {
    const { bytes } = this
    if (!this.#isInText) this.index++
    this.#isInText = true
    for (;;) {
      const from = this.index
      let end = from
      let code = 0
      let isAscii = true
      for (; end < bytes.length; end++) {
        code = bytes[end]
        if (code === QUOTE || code === BACKSLASH || code < FIRST_PRINTABLE) break
        if (code >= 0x80) isAscii = false
      }
      const isCut = end === bytes.length
      if (!isAscii) end = this.#endOfCharacters(from, end)
      out.append(bytes, from, end - from)
      this.index = end
      if (isCut) this.#outOfBytes()
      if (code === QUOTE) break
      if (code < FIRST_PRINTABLE) throw this.malformed(BARE_CONTROL_CHARACTER)
      this.index = this.#resolveEscape(end, out)
    }
    this.index++
    this.#isInText = false
  }

  /** Appends the meaning of the escape at `offset`, and returns its end. */
  #resolveEscape(offset: number, out: GrowingBytes): number {
    if (offset + 1 >= this.bytes.length) this.#outOfBytes()
    const letter = this.bytes[offset + 1]
    if (letter !== 0x75) {
      const meaning = SHORT_ESCAPES[letter]
      if (meaning === undefined) this.#failAt(offset, WRONG_ESCAPE)
      out.appendByte(meaning)
      return offset + 2
    }
    let code = this.#hexDigits(offset)
    let end = offset + 6
    if (code >= 0xd800 && code < 0xdc00) {
      if (end + 6 > this.bytes.length && !this.#isComplete) this.#outOfBytes()
      const isPair = this.bytes[end] === BACKSLASH && this.bytes[end + 1] === 0x75
      const low = isPair ? this.#hexDigits(end) : 0
      if (low < 0xdc00 || low > 0xdfff) throw loneSurrogate(code)
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
      end += 6
    }
    appendCodePoint(out, code)
    return end
  }

  /** The code of the escape at `start`, whose letter is u. */
  #hexDigits(start: number): number {
    const from = start + 2
    if (from + 4 > this.bytes.length) this.#outOfBytes()
    let code = 0
    for (let offset = from; offset < from + 4; offset++) {
      const digit = hexValue(this.bytes[offset])
      if (digit < 0) this.#failAt(start, WRONG_ESCAPE)
      code = code * 16 + digit
    }
    return code
  }

  /** The end of the last whole character; the one after it may be cut by the end of the text. */
  #endOfCharacters(from: number, to: number): number {
    const end = endOfUtf8(this.bytes, from, to)
    const mayBeCut = to === this.bytes.length && to - end < MAX_CHARACTER && !this.#isComplete
    if (end < to && !mayBeCut) this.#failAt(end, 'not valid UTF-8')
    return end
  }

  #outOfBytes(): never {
    if (!this.#isComplete) throw OUT_OF_BYTES
    this.index = this.bytes.length
    throw this.malformed('the text ends too early')
  }

  #failAt(offset: number, message: string): never {
    this.index = offset
    throw this.malformed(message)
  }

  unexpected(expected: string): HyperslabError {
    return this.malformed(`expected ${expected}, found "${String.fromCharCode(this.bytes[this.index])}"`)
  }

  malformed(message: string): HyperslabError {
    return new HyperslabError(
      'malformed-json',
      `malformed JSON at byte ${this.#before + this.index}: ${message}`,
    )
  }
}

function limitedTree(): MemoryCount {
  let taken = 0
  return new MemoryCount(more => {
    taken += more
    if (taken > MAX_TREE)
      throw tooLarge(`a value within an element takes more than ${MAX_TREE} bytes of memory`)
  })
}

export function tooLarge(problem: string): HyperslabError {
  return new HyperslabError('body-too-large', `${problem}: send values as bytes, or fewer in one element`)
}

const SLASH = 0x2f

/** The character after a backslash, and its meaning. */
const SHORT_ESCAPES: Readonly<Record<number, number>> = {
  [QUOTE]: QUOTE,
  [BACKSLASH]: BACKSLASH,
  [SLASH]: SLASH,
  ...Object.fromEntries(
    Object.entries(CONTROL_ESCAPES).map(([letter, code]) => [letter.charCodeAt(0), code]),
  ),
}

/** -1 for a byte that is not a hexadecimal digit. */
function hexValue(code: number): number {
  if (isDigit(code)) return code - ZERO
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** Appends UTF-8; the lone surrogates U+DC80 to U+DCFF become the bytes that they represent (text.ts). */
function appendCodePoint(out: GrowingBytes, code: number): void {
  if (code < 0x80) {
    out.appendByte(code)
  } else if (code < 0x800) {
    const offset = out.reserve(2)
    out.bytes[offset] = 0xc0 | (code >> 6)
    out.bytes[offset + 1] = 0x80 | (code & 0x3f)
  } else if (code >= 0xdc80 && code <= 0xdcff) {
    out.appendByte(code - 0xdc00)
  } else if (code >= 0xdc00 && code <= 0xdfff) {
    throw loneSurrogate(code)
  } else if (code < 0x10000) {
    const offset = out.reserve(3)
    out.bytes[offset] = 0xe0 | (code >> 12)
    out.bytes[offset + 1] = 0x80 | ((code >> 6) & 0x3f)
    out.bytes[offset + 2] = 0x80 | (code & 0x3f)
  } else {
    const offset = out.reserve(4)
    out.bytes[offset] = 0xf0 | (code >> 18)
    out.bytes[offset + 1] = 0x80 | ((code >> 12) & 0x3f)
    out.bytes[offset + 2] = 0x80 | ((code >> 6) & 0x3f)
    out.bytes[offset + 3] = 0x80 | (code & 0x3f)
  }
}
