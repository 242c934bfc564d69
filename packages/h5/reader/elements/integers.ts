// Integers of a file that take some of the bits of their bytes only, or a number of bytes that the model does not have.

import type { FileInteger } from '../../format/file-type.ts'
import { ElementBits } from './element-bits.ts'

const WORD = 2 ** 32

/** Gives the value at a position as two words of 32 bits, sign extended. */
export interface IntegerBits {
  load(elements: Uint8Array, offset: number): void
  /** Unsigned. */
  readonly low: number
  /** Unsigned. */
  readonly high: number
}

export function integerBits({ size, order, signed, offset, precision }: FileInteger): IntegerBits {
  const bits = new ElementBits(size, order)
  const lowCount = Math.min(32, precision)
  const highCount = precision - lowCount
  const value = { load, low: 0, high: 0 }

  function load(elements: Uint8Array, at: number): void {
    bits.load(elements, at)
    value.low = bits.get(offset, lowCount)
    value.high = highCount === 0 ? 0 : bits.get(offset + lowCount, highCount)
    if (!signed || bits.get(offset + precision - 1, 1) === 0) return
    // All bits above are ones.
    value.low += WORD - 2 ** lowCount
    value.high += WORD - 2 ** highCount
  }
  return value
}

/** The value of one element as a number, or beyond +-2^53 a bigint. */
export function integerReader(type: FileInteger): (element: Uint8Array) => number | bigint {
  const value = integerBits(type)
  return element => {
    value.load(element, 0)
    const unsigned = (BigInt(value.high) << 32n) | BigInt(value.low)
    const exact = type.signed ? BigInt.asIntN(64, unsigned) : unsigned
    const number = Number(exact)
    return Number.isSafeInteger(number) ? number : exact
  }
}
