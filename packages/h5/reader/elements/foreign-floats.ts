// Floats that are not IEEE 754 numbers of 16, 32 or 64 bits (bfloat16, long doubles, reduced precision, VAX): the types
// that can hold them, and their values. As in libhdf5, an exponent of all ones is an infinity or NaN in every layout.

import type { FileFloat } from '../../format/file-type.ts'
import { ElementBits } from './element-bits.ts'

/**
 * Bytes of a float that is not one of IEEE: the largest number that `get` of ElementBits takes.
 * @limit format, bytes
 */
const MAX_SIZE = 32
/** Bits of its exponent. @limit format, bits */
const MAX_EXPONENT_SIZE = 31

/** IEEE 754, little-endian or big-endian: size in bytes, bits of the mantissa. */
const IEEE_MANTISSAS = new Map<number, number>([
  [2, 10],
  [4, 23],
  [8, 52],
])

/** True when the layout is exactly that of IEEE 754, so that the bytes are the number in storage form. */
export function isIeee({ size, order, offset, precision, sign, exponent, mantissa }: FileFloat): boolean {
  const mantissaSize = IEEE_MANTISSAS.get(size)
  const bits = size * 8
  return (
    mantissaSize !== undefined &&
    order !== 'VAX' &&
    offset === 0 &&
    precision === bits &&
    sign === bits - 1 &&
    exponent.location === mantissaSize &&
    exponent.size === bits - 1 - mantissaSize &&
    exponent.bias === 2 ** (exponent.size - 1) - 1 &&
    mantissa.location === 0 &&
    mantissa.size === mantissaSize &&
    mantissa.normalization === 'implied'
  )
}

/** False when the fields are too long for any number. */
export function isReadableFloat({ size, exponent }: FileFloat): boolean {
  return size <= MAX_SIZE && exponent.size <= MAX_EXPONENT_SIZE
}

/** The IEEE number that holds the values: all of them exactly, if there is one. */
export function nearestIeee(type: FileFloat): { readonly size: 4 | 8; readonly isExact: boolean } {
  if (fits(type, 23, 127)) return { size: 4, isExact: true }
  return { size: 8, isExact: fits(type, 52, 1023) }
}

function fits(type: FileFloat, mantissaSize: number, maxExponent: number): boolean {
  const { size, bias } = type.exponent
  const fraction = fractionSize(type)
  const greatest = 2 ** size - 2 - bias
  const lowestBit = 1 - bias - fraction
  return fraction <= mantissaSize && greatest <= maxExponent && lowestBit >= 1 - maxExponent - mantissaSize
}

/** Bits of the mantissa after the point. */
function fractionSize({ mantissa }: FileFloat): number {
  return mantissa.normalization === 'implied' ? mantissa.size : mantissa.size - 1
}

/** The first bits of a significand, in two integers; the last bit of the lower one represents all that follow, too. */
const UPPER = 27
const LOWER = 28

/** Reads the float at a position. */
export type FloatReader = (elements: Uint8Array, offset: number) => number

/** The values are the nearest doubles, ties to even. */
export function floatReader(type: FileFloat): FloatReader {
  const { exponent, mantissa, sign } = type
  const bits = new ElementBits(type.size, type.order)
  const fraction = fractionSize(type)
  const isImplied = mantissa.normalization === 'implied'
  const allOnes = 2 ** exponent.size - 1
  const upperFraction = partOfFraction(type, 0, UPPER - 1)
  const lowerFraction = partOfFraction(type, UPPER - 1, LOWER)
  const rest = partsOfFraction(type, UPPER - 1 + LOWER)
  const whole = partsOfFraction(type, 0)
  const get = ({ location, count, factor }: FractionPart) =>
    count === 0 ? 0 : bits.get(location, count) * factor
  const isZero = (part: FractionPart) => get(part) === 0

  return (elements, at) => {
    bits.load(elements, at)
    const stored = bits.get(exponent.location, exponent.size)
    const signed = bits.get(sign, 1) === 1 ? -1 : 1
    if (stored === allOnes) return whole.every(isZero) ? signed * Number.POSITIVE_INFINITY : Number.NaN
    const first = isImplied ? Number(stored > 0) : bits.get(mantissa.location + fraction, 1)
    const upper = first * 2 ** (UPPER - 1) + get(upperFraction)
    const lower = get(lowerFraction)
    const isWhole = lower % 2 === 1 || rest.every(isZero)
    return signed * scaled(upper, isWhole ? lower : lower + 1, Math.max(stored, 1) - exponent.bias)
  }
}

/** Bits of the fraction, and a factor that adds zeros for the bits after its end. */
interface FractionPart {
  readonly location: number
  readonly count: number
  readonly factor: number
}

/** `count` bits from the `skipped`-th on, counted from the point. */
function partOfFraction(type: FileFloat, skipped: number, count: number): FractionPart {
  const fraction = fractionSize(type)
  const present = Math.max(0, Math.min(count, fraction - skipped))
  return {
    location: type.mantissa.location + fraction - skipped - present,
    count: present,
    factor: 2 ** (count - present),
  }
}

/** All bits from the `skipped`-th on. */
function partsOfFraction(type: FileFloat, skipped: number): readonly FractionPart[] {
  const parts: FractionPart[] = []
  for (let next = skipped; next < fractionSize(type); next += 32) parts.push(partOfFraction(type, next, 32))
  return parts
}

const MIN_NORMAL_EXPONENT = -1022
/** Exponent of a double. @limit format, exponent */
const MAX_NORMAL_EXPONENT = 1023

/** The significand, whose first bit counts 2^`power`, as the nearest double. */
function scaled(upper: number, lower: number, power: number): number {
  if (upper === 0 && lower === 0) return 0
  if (power < MIN_NORMAL_EXPONENT) return subnormal(upper, lower, power)
  // The sum is rounded, once; the products are exact.
  const significand = (upper * 2 ** LOWER + lower) * 2 ** (1 - UPPER - LOWER)
  if (power > MAX_NORMAL_EXPONENT)
    return significand * 2 ** MAX_NORMAL_EXPONENT * 2 ** (power - MAX_NORMAL_EXPONENT)
  return significand * powerOfTwo(power)
}

const DOUBLE = new DataView(new ArrayBuffer(8))

/** A power of two with a normal exponent; faster than `**`. */
function powerOfTwo(power: number): number {
  DOUBLE.setUint32(0, (power + MAX_NORMAL_EXPONENT) << 20)
  return DOUBLE.getFloat64(0)
}

/** The bits that a subnormal double does not have are rounded away. */
function subnormal(upper: number, lower: number, power: number): number {
  const dropped = MIN_NORMAL_EXPONENT - 52 - (power - (UPPER + LOWER - 1))
  if (dropped > UPPER + LOWER) return 0
  const significand = (BigInt(upper) << BigInt(LOWER)) | BigInt(lower)
  const half = 1n << BigInt(dropped - 1)
  const kept = significand >> BigInt(dropped)
  const rest = significand - (kept << BigInt(dropped))
  const isUp = rest > half || (rest === half && (kept & 1n) === 1n)
  return Number(isUp ? kept + 1n : kept) * Number.MIN_VALUE
}
