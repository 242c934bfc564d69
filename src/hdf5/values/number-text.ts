// Numbers as ASCII straight into bytes, without a string where that can be avoided. Each function writes at `at` and
// returns where the text ends; the caller has made room. The text is that of JSON.stringify, apart from -0, which is
// "-0.0" so that a reader that tells integers from floats keeps its sign.

import { roundToSize, shortestFloat } from './numbers.ts'

/** Room that the longest number takes: -1.2345678901234567e-308 has 24 characters. */
export const MAX_NUMBER_LENGTH = 24

const ZERO = 0x30
const MINUS = 0x2d
const POINT = 0x2e

/** The digits of 00 to 99. */
const PAIRS = new Uint8Array(200)
for (let i = 0; i < 100; i++) {
  PAIRS[2 * i] = ZERO + Math.floor(i / 10)
  PAIRS[2 * i + 1] = ZERO + (i % 10)
}

/** A whole number up to 2^53. */
export function writeWhole(bytes: Uint8Array, at: number, value: number): number {
  if (value < 0) {
    bytes[at] = MINUS
    return writeWhole(bytes, at + 1, -value)
  }
  if (value < 1e8) return writeUpTo8Digits(bytes, at, value | 0)
  const high = Math.floor(value / 1e8)
  return write8Digits(bytes, writeUpTo8Digits(bytes, at, high), value - high * 1e8)
}

/** high x 2^32 + low, for numbers that may be beyond 2^53. `high` has the sign. */
export function writeWhole64(bytes: Uint8Array, at: number, high: number, low: number): number {
  const value = high * 2 ** 32 + low
  if (Number.isSafeInteger(value)) return writeWhole(bytes, at, value)
  if (high < 0) {
    bytes[at] = MINUS
    // The two's complement of both halves.
    return low === 0
      ? writeWhole64(bytes, at + 1, -high, 0)
      : writeWhole64(bytes, at + 1, -high - 1, 2 ** 32 - low)
  }
  // Long division by 10^5 in two steps, so that every intermediate result is below 2^53.
  const highQuotient = Math.floor(high / 1e5)
  const rest = (high - highQuotient * 1e5) * 2 ** 32 + low
  const lowQuotient = Math.floor(rest / 1e5)
  const end = writeWhole(bytes, at, highQuotient * 2 ** 32 + lowQuotient)
  const last = rest - lowQuotient * 1e5
  bytes[end] = ZERO + Math.floor(last / 1e4)
  return write4Digits(bytes, end + 1, last % 1e4)
}

function writeUpTo8Digits(bytes: Uint8Array, at: number, value: number): number {
  let end = at
  if (value < 10) {
    bytes[at] = ZERO + value
    return at + 1
  }
  if (value < 1e4) end += value < 100 ? 2 : value < 1000 ? 3 : 4
  else if (value < 1e6) end += value < 1e5 ? 5 : 6
  else end += value < 1e7 ? 7 : 8
  let rest = value
  let position = end
  while (rest >= 100) {
    const quotient = (rest / 100) | 0
    const pair = (rest - quotient * 100) << 1
    bytes[--position] = PAIRS[pair + 1]
    bytes[--position] = PAIRS[pair]
    rest = quotient
  }
  if (rest >= 10) {
    bytes[at] = PAIRS[rest << 1]
    bytes[at + 1] = PAIRS[(rest << 1) + 1]
  } else {
    bytes[at] = ZERO + rest
  }
  return end
}

function write8Digits(bytes: Uint8Array, at: number, value: number): number {
  const high = (value / 1e4) | 0
  return write4Digits(bytes, write4Digits(bytes, at, high), value - high * 1e4)
}

function write4Digits(bytes: Uint8Array, at: number, value: number): number {
  const high = (value / 100) | 0
  const low = value - high * 100
  bytes[at] = PAIRS[high << 1]
  bytes[at + 1] = PAIRS[(high << 1) + 1]
  bytes[at + 2] = PAIRS[low << 1]
  bytes[at + 3] = PAIRS[(low << 1) + 1]
  return at + 4
}

/** A finite double in the fewest digits that give it back. */
export function writeDouble(bytes: Uint8Array, at: number, value: number): number {
  if (Math.abs(value) < 2 ** 53 && Math.floor(value) === value) {
    return Object.is(value, -0) ? writeAscii(bytes, at, '-0.0') : writeWhole(bytes, at, value)
  }
  const magnitude = Math.abs(value)
  // Two different decimals of at most 15 digits are never the same double, so a short one that is the value is the
  // shortest. Below 10^-6 the shortest text has an exponent.
  if (magnitude >= 1e-6 && magnitude < 1e7) {
    const tenThousands = Math.round(magnitude * 1e4)
    if (tenThousands / 1e4 === magnitude) return writeDecimal(bytes, at, value < 0, tenThousands, 4)
    const scaled = Math.round(magnitude * 1e8)
    if (scaled / 1e8 === magnitude) return writeDecimal(bytes, at, value < 0, scaled, 8)
  }
  return writeAscii(bytes, at, String(value))
}

/** A finite float in the fewest digits that give it back in its size. */
export function writeShortest(bytes: Uint8Array, at: number, value: number, size: 2 | 4 | 8): number {
  const magnitude = Math.abs(value)
  if (size === 4 && magnitude >= 1e-6 && magnitude < 1e6) {
    // As above, for the 6 digits that a float of 32 bits always keeps apart.
    const scaled = Math.round(magnitude * 1e4)
    if (scaled < 1e6 && roundToSize(scaled / 1e4, 4) === magnitude) {
      return writeDecimal(bytes, at, value < 0, scaled, 4)
    }
  }
  return writeDouble(bytes, at, shortestFloat(value, size))
}

/** scaled / 10^decimals, for 4 or 8 decimals, trailing zeros left out. */
function writeDecimal(
  bytes: Uint8Array,
  at: number,
  negative: boolean,
  scaled: number,
  decimals: 4 | 8,
): number {
  const scale = decimals === 4 ? 1e4 : 1e8
  if (negative) bytes[at++] = MINUS
  const whole = Math.floor(scaled / scale)
  const fraction = scaled - whole * scale
  let end = writeWhole(bytes, at, whole)
  if (fraction === 0) return end
  bytes[end++] = POINT
  end = decimals === 4 ? write4Digits(bytes, end, fraction) : write8Digits(bytes, end, fraction)
  while (bytes[end - 1] === ZERO) end--
  return end
}

export function writeAscii(bytes: Uint8Array, at: number, text: string): number {
  for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i)
  return at + text.length
}
