// Numbers parsed straight from the bytes of JSON text: the plain ones, without a string or a boxed number. Whatever is
// not plain (words, texts, exponents, numbers out of range, errors) is left to json-leaf.ts.

import type { Datatype, FloatType, IntegerType } from '../datatype/datatype.ts'
import { isBoolean } from '../datatype/layout.ts'
import { CLOSE, COMMA, isBlank, type JsonCursor } from './json-cursor.ts'
import { integerOf, writeFloat } from './numbers.ts'

/** Stores the number at the cursor at `at` of `view` and passes over it. False: it is not plain, nothing was done. */
export type TakeNumber = (cursor: JsonCursor, view: DataView, at: number) => boolean

/** Undefined for types that are not numbers. */
export function numberTaker(type: Datatype): TakeNumber | undefined {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_BITFIELD':
      return integerTaker(integerOf(type))
    case 'H5T_ENUM':
      return isBoolean(type) ? undefined : integerTaker(type.base)
    case 'H5T_FLOAT':
      return floatTaker(type)
    default:
      return undefined
  }
}

/**
 * Stores up to `room` numbers of an array from `at` on, each with the comma behind it. The last one is taken without
 * if the array ends right behind it. Returns how many.
 */
export function takeNumbers(
  take: TakeNumber,
  cursor: JsonCursor,
  view: DataView,
  at: number,
  size: number,
  room: number,
): number {
  const { bytes } = cursor
  for (let taken = 0; taken < room; taken++) {
    const before = cursor.at
    if (!take(cursor, view, at + taken * size)) return taken
    const code = bytes[cursor.at]
    if (code === CLOSE) return taken + 1
    if (code !== COMMA) {
      cursor.at = before
      return taken
    }
    let next = cursor.at + 1
    while (next < bytes.length && isBlank(bytes[next])) next++
    cursor.at = next
  }
  return room
}

const ZERO = 0x30
const MINUS = 0x2d
const POINT = 0x2e
/** Every number of so many decimal digits is exact as a double. */
const EXACT_DIGITS = 15
/** Powers of ten that are exact as doubles. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

function integerTaker(type: IntegerType): TakeNumber {
  const { size, signed } = type
  const little = type.order === 'LE'
  const min = signed ? -(2 ** (size * 8 - 1)) : 0
  const max = signed ? 2 ** (size * 8 - 1) - 1 : 2 ** (size * 8) - 1
  return (cursor, view, at) => {
    const { bytes } = cursor
    const end = bytes.length
    let position = cursor.at
    const negative = position < end && bytes[position] === MINUS
    if (negative) position++
    const digits = position
    let value = 0
    for (; position < end; position++) {
      const digit = bytes[position] - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    if (!isPlain(bytes, digits, position) || !endsNumber(bytes, position)) return false
    if (position - digits > EXACT_DIGITS) {
      if (size < 8 || !takeLong(type, bytes, digits, position, negative, view, at)) return false
    } else {
      if (negative) value = -value
      if (value < min || value > max) return false
      if (size === 1) view.setInt8(at, value)
      else if (size === 2) view.setInt16(at, value, little)
      else if (size === 4) view.setInt32(at, value, little)
      else {
        const high = Math.floor(value / 2 ** 32)
        view.setUint32(little ? at : at + 4, value - high * 2 ** 32, little)
        view.setInt32(little ? at + 4 : at, high, little)
      }
    }
    cursor.at = position
    return true
  }
}

/** The last digits of a long integer, which are put together apart so that both parts are exact. */
const LOW_DIGITS = 9

/** An integer of 16 digits or more into 8 bytes. False: it is out of range. */
function takeLong(
  { signed, order }: IntegerType,
  bytes: Uint8Array,
  from: number,
  to: number,
  negative: boolean,
  view: DataView,
  at: number,
): boolean {
  // 2^64 has 20 digits.
  if (to - from > 20) return false
  let high = 0
  let low = 0
  for (let position = from; position < to - LOW_DIGITS; position++) high = high * 10 + bytes[position] - ZERO
  for (let position = to - LOW_DIGITS; position < to; position++) low = low * 10 + bytes[position] - ZERO
  const magnitude = BigInt(high) * 1_000_000_000n + BigInt(low)
  const value = negative ? -magnitude : magnitude
  if (value !== (signed ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value))) return false
  view.setBigInt64(at, value, order === 'LE')
  return true
}

function floatTaker(type: FloatType): TakeNumber {
  return (cursor, view, at) => {
    const { bytes } = cursor
    const end = bytes.length
    let position = cursor.at
    const negative = position < end && bytes[position] === MINUS
    if (negative) position++
    const digits = position
    let value = 0
    for (; position < end; position++) {
      const digit = bytes[position] - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    if (!isPlain(bytes, digits, position)) return false
    let count = position - digits
    let decimals = 0
    if (position < end && bytes[position] === POINT) {
      const fraction = ++position
      for (; position < end; position++) {
        const digit = bytes[position] - ZERO
        if (digit < 0 || digit > 9) break
        value = value * 10 + digit
      }
      decimals = position - fraction
      if (decimals === 0) return false
      count += decimals
    }
    if (!endsNumber(bytes, position)) return false
    // A quotient of two exact doubles is rounded once: the double nearest to the decimal (Clinger 1990).
    if (count > EXACT_DIGITS) value = Number(asciiOf(bytes, digits, position))
    else if (decimals > 0) value /= POWERS[decimals]
    writeFloat(type, view, at, negative ? -value : value)
    cursor.at = position
    return true
  }
}

/** At least one digit, no superfluous zero in front. */
function isPlain(bytes: Uint8Array, from: number, to: number): boolean {
  return to > from && (to - from === 1 || bytes[from] !== ZERO)
}

/** What stands behind shows that no digit, point or exponent follows in a piece that has not arrived. */
function endsNumber(bytes: Uint8Array, at: number): boolean {
  return at < bytes.length && (bytes[at] === COMMA || bytes[at] === CLOSE || isBlank(bytes[at]))
}

function asciiOf(bytes: Uint8Array, from: number, to: number): string {
  let text = ''
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at])
  return text
}
