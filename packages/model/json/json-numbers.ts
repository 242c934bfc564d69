// Numbers parsed straight from the bytes of JSON text: the plain ones, without a string or a boxed number. All other
// values (words, strings, numbers out of range, errors), and the last few bytes of the text, are left to json-leaf.ts.
// Digits of integers are read four at a time from four bytes, those of floats one by one.

import type { Datatype, FloatType, IntegerType } from '../datatype/datatype.ts'
import { isBoolean } from '../datatype/layout.ts'
import { nearestDouble } from '../values/decimal.ts'
import { integerOf, writeFloat } from '../values/numbers.ts'
import type { JsonCursor } from './json-cursor.ts'
import { CLOSE, COMMA, isBlank, isDigit, LETTER_E, MINUS, PLUS, POINT, ZERO } from './json-syntax.ts'

/**
 * Stores up to `room` numbers, which commas and at most one blank each separate, from `offset` of `view` on, and moves
 * the cursor after them. Returns their number; after them is a comma, a bracket or a blank.
 */
export type TakeNumbers = (cursor: JsonCursor, view: DataView, offset: number, room: number) => number

/** Undefined for types that are not numbers. */
export function numbersTaker(type: Datatype): TakeNumbers | undefined {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_BITFIELD':
      return integersTaker(integerOf(type))
    case 'H5T_ENUM':
      return isBoolean(type) ? undefined : integersTaker(type.base)
    case 'H5T_FLOAT':
      return floatsTaker(type)
    default:
      return undefined
  }
}

const BLANK = 0x20
/** Digits that fit into a 32-bit integer, whose arithmetic is the fastest. */
const WORD_DIGITS = 9
/**
 * The longest plain number. A number is read only if this many bytes and one more have arrived.
 * @limit format, bytes
 */
export const MAX_NUMBER_TEXT = 40
const POWERS = Int32Array.from({ length: WORD_DIGITS + 1 }, (_, exponent) => 10 ** exponent)

function integersTaker(type: IntegerType): TakeNumbers {
  return type.size === 8 ? wideIntegersTaker(type) : narrowIntegersTaker(type)
}

function narrowIntegersTaker({ size, signed, order }: IntegerType): TakeNumbers {
  const little = order === 'LE'
  const max = signed ? 2 ** (size * 8 - 1) - 1 : 2 ** (size * 8) - 1
  // The greatest magnitude without and with a minus; looked up, because a branch on random signs is slow.
  const limits = Float64Array.of(max, signed ? max + 1 : 0)
  return (cursor, view, offset, room) => {
    const { bytes } = cursor
    const text = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const safe = bytes.length - MAX_NUMBER_TEXT
    let from = cursor.index
    let done = from
    let taken = 0
    while (from < safe && taken < room) {
      const sign = signed ? signAt(bytes, from) : 0
      const digits = from + sign
      let end = digits
      let head = 0
      let quad = text.getInt32(end, true)
      let nonDigitBytes = nonDigits(quad)
      if (nonDigitBytes === 0) {
        head = quadOf(quad)
        quad = text.getInt32((end += 4), true)
        nonDigitBytes = nonDigits(quad)
        if (nonDigitBytes === 0) {
          head = Math.imul(head, 10_000) + quadOf(quad)
          quad = text.getInt32((end += 4), true)
          nonDigitBytes = nonDigits(quad)
          // Twelve digits are out of range.
          if (nonDigitBytes === 0) break
        }
      }
      const count = digitsBefore(nonDigitBytes)
      const tail = firstDigits(quad, count)
      const code = (quad >>> (8 * count)) & 0xff
      end += count
      if (code !== COMMA && code !== CLOSE && !isBlank(code)) break
      if (!isPlain(bytes, digits, end) || head * POWERS[count] + tail > limits[sign]) break
      const magnitude = (Math.imul(head, POWERS[count]) + tail) | 0
      const value = (magnitude ^ -sign) + sign
      const to = offset + taken * size
      if (size === 4) view.setInt32(to, value, little)
      else if (size === 2) view.setInt16(to, value, little)
      else view.setInt8(to, value)
      taken++
      done = end
      if (code !== COMMA) break
      from = bytes[end + 1] === BLANK ? end + 2 : end + 1
    }
    cursor.index = done
    return taken
  }
}

function wideIntegersTaker({ signed, order }: IntegerType): TakeNumbers {
  const little = order === 'LE'
  const [highAt, lowAt] = little ? [4, 0] : [0, 4]
  const maxHigh = signed ? 2 ** 31 : 2 ** 32
  return (cursor, view, offset, room) => {
    const { bytes } = cursor
    const text = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const safe = bytes.length - MAX_NUMBER_TEXT
    let from = cursor.index
    let done = from
    let taken = 0
    while (from < safe && taken < room) {
      const negative = bytes[from] === MINUS
      const digits = negative ? from + 1 : from
      // The first twelve digits, and up to eight more: 2^64 has 20.
      let head = 0
      let rest = 0
      let end = digits
      let quad = text.getInt32(end, true)
      let nonDigitBytes = nonDigits(quad)
      while (nonDigitBytes === 0 && end < digits + 20) {
        if (end < digits + 12) head = head * 10_000 + quadOf(quad)
        else rest = rest * 10_000 + quadOf(quad)
        quad = text.getInt32((end += 4), true)
        nonDigitBytes = nonDigits(quad)
      }
      if (nonDigitBytes === 0) break
      const count = digitsBefore(nonDigitBytes)
      const tail = firstDigits(quad, count)
      const code = (quad >>> (8 * count)) & 0xff
      const isShort = end < digits + 12
      if (isShort) head = head * POWERS[count] + tail
      else rest = rest * POWERS[count] + tail
      const power = isShort ? 1 : POWERS[end + count - digits - 12]
      end += count
      if (end > digits + 20 || !isPlain(bytes, digits, end)) break
      if (code !== COMMA && code !== CLOSE && !isBlank(code)) break
      // head times the power plus the rest, head in two parts so that all products are below 2^53.
      const headUpper = Math.floor(head / 2 ** 24)
      const lower = (head - headUpper * 2 ** 24) * power + rest
      const upper = headUpper * power + Math.floor(lower / 2 ** 24)
      let high = Math.floor(upper / 2 ** 8)
      let low = (upper << 24) | (lower & 0xffffff)
      // The least value is one beyond the greatest magnitude.
      if (high > maxHigh || (high === maxHigh && !(negative && low === 0)) || (negative && !signed)) break
      if (negative) {
        low = -low | 0
        high = low === 0 ? -high : -high - 1
      }
      view.setInt32(offset + taken * 8 + highAt, high, little)
      view.setInt32(offset + taken * 8 + lowAt, low, little)
      taken++
      done = end
      if (code !== COMMA) break
      from = bytes[end + 1] === BLANK ? end + 2 : end + 1
    }
    cursor.index = done
    return taken
  }
}

export function floatsTaker(type: FloatType): TakeNumbers {
  const { size } = type
  return (cursor, view, offset, room) => {
    const { bytes } = cursor
    const safe = bytes.length - MAX_NUMBER_TEXT
    let from = cursor.index
    let taken = 0
    while (from < safe) {
      const negative = bytes[from] === MINUS
      const digits = negative ? from + 1 : from
      const stop = from + MAX_NUMBER_TEXT
      // The first nine significant digits, the next nine, and how many there are.
      let high = 0
      let low = 0
      let count = 0
      let end = digits
      let point = -1
      for (; end < stop; end++) {
        const digit = bytes[end] - ZERO
        if (digit >= 0 && digit <= 9) {
          if (count < WORD_DIGITS) high = (Math.imul(high, 10) + digit) | 0
          else low = (Math.imul(low, 10) + digit) | 0
          if (high !== 0) count++
        } else if (digit === POINT - ZERO && point < 0) {
          if (!isPlain(bytes, digits, end)) break
          point = end
        } else {
          break
        }
      }
      if (point < 0 ? !isPlain(bytes, digits, end) : end === point + 1) break
      let exponent = point < 0 ? 0 : point + 1 - end
      if ((bytes[end] | 0x20) === LETTER_E && end < stop) {
        const sign = bytes[end + 1]
        const begin = sign === MINUS || sign === PLUS ? end + 2 : end + 1
        end = endOfDigits(bytes, begin, 4)
        if (end === begin) break
        const power = wordOf(bytes, begin, end)
        exponent += sign === MINUS ? -power : power
      }
      const code = bytes[end]
      if (end >= stop || (code !== COMMA && code !== CLOSE && !isBlank(code))) break
      const magnitude = nearestDouble(high, low, count, exponent)
      const value = magnitude >= 0 ? magnitude : Number(asciiOf(bytes, digits, end))
      if (value === Number.POSITIVE_INFINITY) break
      writeFloat(type, view, offset + taken * size, negative ? -value : value)
      cursor.index = end
      if (++taken === room || code !== COMMA) break
      from = bytes[end + 1] === BLANK ? end + 2 : end + 1
    }
    return taken
  }
}

/** 1 for a minus, found without a branch, which random signs would make slow. */
function signAt(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset] ^ MINUS) - 1) >>> 31
}

/** Marks those of four bytes that are not digits: the lowest bit that is set belongs to the first of them. */
function nonDigits(quad: number): number {
  // A byte is a digit if it is 0x3. and stays so when 6 is added. A carry only affects bytes after one that is not a
  // digit.
  return ((quad & 0xf0f0f0f0) ^ 0x30303030) | (((quad + 0x06060606) & 0xf0f0f0f0) ^ 0x30303030)
}

/** The number of bytes, of four, before the first one in `marks`, which has at least one. */
function digitsBefore(marks: number): number {
  return (31 - Math.clz32(marks & -marks)) >>> 3
}

/** The number that the first 0 to 3 of four digits represent. */
function firstDigits(quad: number, count: number): number {
  return quadOf((quad << (24 - 8 * count)) << 8)
}

/**
 * The number that four digits represent, the first in the lowest byte; zero bytes are zeros. Pairs are put together,
 * then the two pairs.
 */
function quadOf(quad: number): number {
  const pairs = (Math.imul(quad & 0x0f0f0f0f, 2561) >>> 8) & 0x00ff00ff
  return Math.imul(pairs, 6553601) >>> 16
}

/** The end of the digits from `from` on, at most `most` of them. */
function endOfDigits(bytes: Uint8Array, from: number, most: number): number {
  const stop = from + most
  let offset = from
  while (offset < stop && isDigit(bytes[offset])) offset++
  return offset
}

/** The number that at most nine digits represent. */
function wordOf(bytes: Uint8Array, from: number, to: number): number {
  let word = 0
  for (let offset = from; offset < to; offset++) word = (Math.imul(word, 10) + bytes[offset] - ZERO) | 0
  return word
}

/** Whether the bytes are at least one digit, without a superfluous zero in front. */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  return to > from && (to - from === 1 || bytes[from] !== ZERO)
}

function asciiOf(bytes: Uint8Array, from: number, to: number): string {
  let text = ''
  for (let offset = from; offset < to; offset++) text += String.fromCharCode(bytes[offset])
  return text
}
