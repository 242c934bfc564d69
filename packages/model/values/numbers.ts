// Integers and floats in storage form. Integers are exact over 64 bits: a bigint only beyond +-2^53. Floats are
// rounded to nearest, ties to even, and overflow to infinity.

import { HyperslabError } from '@hyperslab/base/errors'
import type { BitfieldType, EnumType, FloatType, IntegerType } from '../datatype/datatype.ts'

/** The type in which the numbers of a type are stored: a bitfield as an unsigned integer, an enum as its base. */
export function integerOf(type: IntegerType | EnumType | BitfieldType): IntegerType {
  if (type.class === 'H5T_ENUM') return type.base
  if (type.class === 'H5T_BITFIELD') {
    return { class: 'H5T_INTEGER', size: type.size, signed: false, order: type.order }
  }
  return type
}

export function readInteger(type: IntegerType, view: DataView, offset: number): number | bigint {
  const little = type.order === 'LE'
  switch (type.size) {
    case 1:
      return type.signed ? view.getInt8(offset) : view.getUint8(offset)
    case 2:
      return type.signed ? view.getInt16(offset, little) : view.getUint16(offset, little)
    case 4:
      return type.signed ? view.getInt32(offset, little) : view.getUint32(offset, little)
    case 8: {
      const low = view.getUint32(little ? offset : offset + 4, little)
      const highAt = little ? offset + 4 : offset
      const high = type.signed ? view.getInt32(highAt, little) : view.getUint32(highAt, little)
      const value = high * 2 ** 32 + low
      if (Number.isSafeInteger(value)) return value
      return type.signed ? view.getBigInt64(offset, little) : view.getBigUint64(offset, little)
    }
  }
}

/** `value` is a whole number; out of the type's range: `value-out-of-range`. */
export function writeInteger(
  type: IntegerType,
  view: DataView,
  offset: number,
  value: number | bigint,
): void {
  checkRange(type, value)
  const little = type.order === 'LE'
  if (type.size === 1) {
    view.setUint8(offset, Number(value))
  } else if (type.size === 2) {
    view.setUint16(offset, Number(value), little)
  } else if (type.size === 4) {
    view.setUint32(offset, Number(value), little)
  } else if (typeof value === 'bigint' || !Number.isSafeInteger(value)) {
    view.setBigUint64(offset, BigInt.asUintN(64, BigInt(value)), little)
  } else {
    const high = Math.floor(value / 2 ** 32)
    view.setUint32(little ? offset : offset + 4, value - high * 2 ** 32, little)
    view.setUint32(little ? offset + 4 : offset, high, little)
  }
}

function checkRange({ size, signed }: IntegerType, value: number | bigint): void {
  const bits = size * 8
  const min = signed ? -(2 ** (bits - 1)) : 0
  // One more than the greatest value, because that is exact for 64 bits too.
  const end = signed ? 2 ** (bits - 1) : 2 ** bits
  if (value >= min && value < end) return
  const kind = `${signed ? 'a signed' : 'an unsigned'} integer of ${bits} bits`
  throw new HyperslabError('value-out-of-range', `${value} is out of range for ${kind}`)
}

export function readFloat(type: FloatType, view: DataView, offset: number): number {
  const little = type.order === 'LE'
  switch (type.size) {
    case 2:
      return floatOfHalf(view.getUint16(offset, little))
    case 4:
      return view.getFloat32(offset, little)
    case 8:
      return view.getFloat64(offset, little)
  }
}

export function writeFloat(type: FloatType, view: DataView, offset: number, value: number): void {
  const little = type.order === 'LE'
  if (type.size === 2) view.setUint16(offset, halfOfFloat(value), little)
  else if (type.size === 4) view.setFloat32(offset, value, little)
  else view.setFloat64(offset, value, little)
}

/** The bits of a binary16 as a number: 1 sign bit, 5 exponent bits, 10 fraction bits. */
export function floatOfHalf(bits: number): number {
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  let magnitude: number
  if (exponent === 0) magnitude = fraction * 2 ** -24
  else if (exponent === 31) magnitude = fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN
  else magnitude = (0x400 + fraction) * 2 ** (exponent - 25)
  return bits & 0x8000 ? -magnitude : magnitude
}

export function halfOfFloat(value: number): number {
  if (Number.isNaN(value)) return 0x7e00
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const magnitude = Math.abs(value)
  // Halfway between the greatest finite value, 65504, and the next power of two: rounds to infinity.
  if (magnitude >= 65520) return sign | 0x7c00
  if (magnitude < 2 ** -14) return sign | roundToEven(magnitude * 2 ** 24)
  const exponent = exponentOf(magnitude)
  // A fraction that rounds up to 2048 carries into the exponent, as it should.
  return sign | (((exponent + 14) << 10) + roundToEven(magnitude * 2 ** (10 - exponent)))
}

/** e with 2^e <= value < 2^(e + 1), for values of 2^-14 to 2^16. */
function exponentOf(value: number): number {
  let exponent = 0
  for (let power = 1; power * 2 <= value; power *= 2) exponent++
  for (let power = 1; power > value; power /= 2) exponent--
  return exponent
}

function roundToEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  return rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor
}

/** The value that a float of `size` bytes stores for `value`. */
export function roundToSize(value: number, size: FloatType['size']): number {
  if (size === 8) return value
  return size === 4 ? Math.fround(value) : floatOfHalf(halfOfFloat(value))
}

/**
 * The double with the fewest decimal digits that is stored as `value` in `size` bytes: 0.42 for the float32 0.42. Whole
 * numbers are unchanged: a client that sent 65504 does not read 65500.
 */
export function shortestFloat(value: number, size: FloatType['size']): number {
  if (size === 8 || Number.isSafeInteger(value) || !Number.isFinite(value)) return value
  // A normal float of 32 bits keeps decimals of 6 digits apart, so one of fewer digits is found among those of 6.
  for (let digits = size === 4 && Math.abs(value) >= 2 ** -126 ? 6 : 1; digits < 10; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (roundToSize(shorter, size) === value) return shorter
  }
  return value
}
