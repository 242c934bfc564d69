// The double nearest to a decimal, without the general algorithm: exact arithmetic on pairs of doubles, whose sum is
// the number (T. J. Dekker, A floating-point technique for extending the available precision, 1971). When the pair is
// too near to the middle between two doubles, the result is NaN.

/** Every number of this many decimal digits is exact as a double. */
const EXACT_DIGITS = 15
/** The powers of ten up to this one are exact as doubles. */
const EXACT_POWER = 22
/**
 * Powers of ten in double precision arithmetic: far from where products overflow or lose digits.
 * @limit format, exponent
 */
const MAX_POWER = 250
/** Powers of ten, and their errors. */
const POWERS = Float64Array.from({ length: MAX_POWER + 1 }, (_, exponent) => Number(`1e${exponent}`))
const POWER_RESTS = POWERS.map((power, exponent) => Number(10n ** BigInt(exponent) - BigInt(power)))
/** Relative to the result, more than the error of all operations on pairs. */
const DOUBT = 2 ** -98

/**
 * (high x 10^(count - 9) + low) x 10^exponent, or high x 10^exponent for up to nine digits: `high` holds the first nine
 * of the `count` significant digits and `low` the next nine. NaN: this method cannot find it.
 */
export function nearestDouble(high: number, low: number, count: number, exponent: number): number {
  const scale = exponent < 0 ? -exponent : exponent
  if (count > 18 || scale > MAX_POWER) return Number.NaN
  const power = POWERS[scale]
  const shift = count > 9 ? POWERS[count - 9] : 1
  if (count <= EXACT_DIGITS && scale <= EXACT_POWER) {
    // One operation on two exact numbers is rounded once (W. D. Clinger, How to read floating point numbers, 1990).
    const digits = high * shift + low
    return exponent < 0 ? digits / power : digits * power
  }
  // Both products are below 2^53, and a multiple of a power of two is as exact.
  const upper = (high >>> 15) * shift * 32768
  const lower = (high & 0x7fff) * shift + low
  const digits = upper + lower
  const rest = lower - (digits - upper)
  const powerRest = POWER_RESTS[scale]
  return exponent < 0 ? quotient(digits, rest, power, powerRest) : product(digits, rest, power, powerRest)
}

/** (a + aRest) / (b + bRest). */
function quotient(a: number, aRest: number, b: number, bRest: number): number {
  const first = a / b
  const back = first * b
  const remainder = a - back - productError(first, b, back) + (aRest - first * bRest)
  return sum(first, remainder / b)
}

/** (a + aRest) x (b + bRest). */
function product(a: number, aRest: number, b: number, bRest: number): number {
  const first = a * b
  return sum(first, productError(a, b, first) + (aRest * b + a * bRest))
}

/** a + b, or NaN when a b that is a little wrong could give another double. */
function sum(a: number, b: number): number {
  const nearest = a + b
  const doubt = a * DOUBT
  return a + (b - doubt) === nearest && a + (b + doubt) === nearest ? nearest : Number.NaN
}

/** 2^27 + 1 cuts a double into halves whose products are exact. */
const SPLITTER = 134217729

/** a x b - rounded, where `rounded` is the double nearest to a x b. */
function productError(a: number, b: number, rounded: number): number {
  const aTimes = a * SPLITTER
  const aHigh = aTimes - (aTimes - a)
  const aLow = a - aHigh
  const bTimes = b * SPLITTER
  const bHigh = bTimes - (bTimes - b)
  const bLow = b - bHigh
  return aHigh * bHigh - rounded + aHigh * bLow + aLow * bHigh + aLow * bLow
}
