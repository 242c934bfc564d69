// Numbers as ASCII straight into bytes, without a string where that can be avoided. Each function writes at `offset`
// and returns where the text ends; the caller has made room. The text is that of JSON.stringify, apart from -0, which
// is "-0.0" so that a reader that tells integers from floats keeps its sign.

import { MINUS, POINT, ZERO } from '../json/json-syntax.ts'
import { roundToSize, shortestFloat } from './numbers.ts'

/** Room that the longest number takes: -1.2345678901234567e-308 has 24 characters. @limit format, bytes */
export const MAX_NUMBER_LENGTH = 24

/** The four digits of 0 to 9999 as four bytes, so that they are written by one store. */
const QUADS = Uint32Array.from({ length: 10_000 }, (_, value) => {
  let quad = 0
  for (const digit of String(value).padStart(4, '0')) quad = quad * 256 + digit.charCodeAt(0)
  return quad
})

/** A whole number up to 2^53. */
export function writeWhole(text: DataView, offset: number, value: number): number {
  let start = offset
  let magnitude = value
  if (value < 0) {
    text.setUint8(start++, MINUS)
    magnitude = -value
  }
  if (magnitude < 1e8) return writeUpTo8Digits(text, start, magnitude | 0)
  const high = Math.floor(magnitude / 1e8)
  return write8Digits(text, writeUpTo8Digits(text, start, high | 0), (magnitude - high * 1e8) | 0)
}

/** high x 2^32 + low, for numbers that may be beyond 2^53. `high` has the sign. */
export function writeWhole64(text: DataView, offset: number, high: number, low: number): number {
  const value = high * 2 ** 32 + low
  if (Number.isSafeInteger(value)) return writeWhole(text, offset, value)
  if (high < 0) {
    text.setUint8(offset, MINUS)
    // The two's complement of both halves.
    return low === 0
      ? writeWhole64(text, offset + 1, -high, 0)
      : writeWhole64(text, offset + 1, -high - 1, 2 ** 32 - low)
  }
  // Long division by 10^5 in two steps, so that every intermediate result is below 2^53.
  const highQuotient = Math.floor(high / 1e5)
  const rest = (high - highQuotient * 1e5) * 2 ** 32 + low
  const lowQuotient = Math.floor(rest / 1e5)
  const end = writeWhole(text, offset, highQuotient * 2 ** 32 + lowQuotient)
  const last = rest - lowQuotient * 1e5
  const first = (last / 1e4) | 0
  text.setUint8(end, ZERO + first)
  return write4Digits(text, end + 1, last - first * 1e4)
}

function writeUpTo8Digits(text: DataView, offset: number, value: number): number {
  if (value < 1e4) return writeUpTo4Digits(text, offset, value)
  const high = (value / 1e4) | 0
  return write4Digits(text, writeUpTo4Digits(text, offset, high), value - high * 1e4)
}

function writeUpTo4Digits(text: DataView, offset: number, value: number): number {
  const quad = QUADS[value]
  if (value >= 1000) {
    text.setUint32(offset, quad)
    return offset + 4
  }
  if (value >= 100) {
    text.setUint8(offset, quad >>> 16)
    text.setUint16(offset + 1, quad)
    return offset + 3
  }
  if (value >= 10) {
    text.setUint16(offset, quad)
    return offset + 2
  }
  text.setUint8(offset, quad)
  return offset + 1
}

function write8Digits(text: DataView, offset: number, value: number): number {
  const high = (value / 1e4) | 0
  return write4Digits(text, write4Digits(text, offset, high), value - high * 1e4)
}

function write4Digits(text: DataView, offset: number, value: number): number {
  text.setUint32(offset, QUADS[value])
  return offset + 4
}

/** A finite double in the fewest digits that give it back. */
export function writeDouble(text: DataView, offset: number, value: number): number {
  const end = writeShortDouble(text, offset, value)
  return end > offset ? end : writeAscii(text, offset, String(value))
}

/** The same for those whose few digits are found by arithmetic; of the others nothing is written. */
export function writeShortDouble(text: DataView, offset: number, value: number): number {
  if (Math.abs(value) < 2 ** 53 && Math.floor(value) === value) {
    return Object.is(value, -0) ? writeAscii(text, offset, '-0.0') : writeWhole(text, offset, value)
  }
  const magnitude = Math.abs(value)
  // Two different decimals of at most 15 digits are never the same double, so a short one that is the value is the
  // shortest. Below 10^-6 the shortest text has an exponent.
  if (magnitude >= 1e-6 && magnitude < 1e7) {
    const tenThousands = Math.round(magnitude * 1e4)
    if (tenThousands / 1e4 === magnitude) return writeDecimal(text, offset, value < 0, tenThousands, 4)
    const scaled = Math.round(magnitude * 1e8)
    if (scaled / 1e8 === magnitude) return writeDecimal(text, offset, value < 0, scaled, 8)
  }
  return offset
}

/** Finite doubles other than -0, with commas between them: the fastest way for those with many digits. */
export function writeDoubles(text: Uint8Array, offset: number, values: readonly number[]): number {
  const list = JSON.stringify(values)
  return offset + new TextEncoder().encodeInto(list.slice(1, -1), text.subarray(offset)).written
}

/** A finite float in the fewest digits that give it back in its size. */
export function writeShortest(text: DataView, offset: number, value: number, size: 2 | 4 | 8): number {
  const magnitude = Math.abs(value)
  if (size === 4 && magnitude >= 1e-6 && magnitude < 1e6) {
    // The same for the 6 digits that a float of 32 bits always keeps apart.
    const scaled = Math.round(magnitude * 1e4)
    if (scaled < 1e6 && roundToSize(scaled / 1e4, 4) === magnitude) {
      return writeDecimal(text, offset, value < 0, scaled, 4)
    }
    const end = writeFloat32(text, offset, value < 0, magnitude)
    if (end > offset) return end
  }
  return writeDouble(text, offset, shortestFloat(value, size))
}

const POWERS_OF_10 = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/**
 * A float of 32 bits from 10^-6 to 10^6 in the fewest digits that give it back, from 6 on, which it always keeps apart.
 * Nothing is written where doubles are not exact enough to round as `toPrecision` does.
 */
function writeFloat32(text: DataView, offset: number, negative: boolean, magnitude: number): number {
  let digitsBefore = -5
  while (magnitude >= (digitsBefore < 0 ? 1 / POWERS_OF_10[-digitsBefore] : POWERS_OF_10[digitsBefore]))
    digitsBefore++
  for (let digits = 6; digits < 10; digits++) {
    const decimals = digits - digitsBefore
    const scaled = magnitude * POWERS_OF_10[decimals]
    const rounded = Math.round(scaled)
    // The product is within 10^-6 of the true one, which may be on the other side of the middle.
    if (Math.abs(scaled - rounded) > 0.499_999) return offset
    if (Math.fround(rounded / POWERS_OF_10[decimals]) !== magnitude) continue
    let start = offset
    if (negative) text.setUint8(start++, MINUS)
    return writeDecimals(text, start, rounded, decimals)
  }
  return offset
}

/** scaled / 10^decimals, `scaled` below 2^31, without the zeros at the end. */
function writeDecimals(text: DataView, offset: number, scaled: number, decimals: number): number {
  let left = scaled
  let count = decimals
  while (count > 0 && left % 10 === 0) {
    left /= 10
    count--
  }
  const whole = Math.floor(left / POWERS_OF_10[count])
  let fraction = left - whole * POWERS_OF_10[count]
  const end = writeWhole(text, offset, whole)
  if (count === 0) return end
  text.setUint8(end, POINT)
  for (let i = count; i > 0; i--) {
    const next = Math.floor(fraction / 10)
    text.setUint8(end + i, ZERO + fraction - 10 * next)
    fraction = next
  }
  return end + 1 + count
}

/** scaled / 10^decimals, for 4 or 8 decimals, trailing zeros left out. */
function writeDecimal(
  text: DataView,
  offset: number,
  negative: boolean,
  scaled: number,
  decimals: 4 | 8,
): number {
  const scale = decimals === 4 ? 1e4 : 1e8
  let start = offset
  if (negative) text.setUint8(start++, MINUS)
  const whole = Math.floor(scaled / scale)
  const fraction = scaled - whole * scale
  let end = writeWhole(text, start, whole)
  if (fraction === 0) return end
  text.setUint8(end++, POINT)
  end = decimals === 4 ? write4Digits(text, end, fraction) : write8Digits(text, end, fraction)
  while (text.getUint8(end - 1) === ZERO) end--
  return end
}

export function writeAscii(text: DataView, offset: number, ascii: string): number {
  for (let i = 0; i < ascii.length; i++) text.setUint8(offset + i, ascii.charCodeAt(i))
  return offset + ascii.length
}
