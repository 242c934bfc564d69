// Numbers that another type holds, and those that it does not.

import type { FloatType, IntegerType } from '@hyperslab/model/datatype'
import { describe, expect, it } from 'vitest'
import { convertNumbers, type NumberType } from './number-conversion.ts'

const integer = (
  size: IntegerType['size'],
  signed: boolean,
  order: IntegerType['order'] = 'LE',
): IntegerType => ({
  class: 'H5T_INTEGER',
  size,
  signed,
  order,
})
const float = (size: FloatType['size'], order: FloatType['order'] = 'LE'): FloatType => ({
  class: 'H5T_FLOAT',
  size,
  order,
})

async function convert(from: NumberType, to: NumberType, hex: string): Promise<string> {
  const data = Uint8Array.from(Buffer.from(hex, 'hex'))
  const count = data.length / from.size
  const converted = await convertNumbers(from, to, { count, data, heap: new Uint8Array(0) })
  return Buffer.from(converted.data).toString('hex')
}

describe('numbers', () => {
  it.each<[string, NumberType, NumberType, string, string]>([
    ['another byte order', integer(2, false), integer(2, false, 'BE'), '0102ff00', '020100ff'],
    ['a wider signed one', integer(1, true), integer(4, true), 'fe7f', 'feffffff7f000000'],
    ['a narrower one', integer(8, true), integer(2, true), '80ffffffffffffff', '80ff'],
    ['beyond 2^53', integer(8, true), integer(8, false, 'BE'), 'ffffffffffffff7f', '7fffffffffffffff'],
    ['integers as floats', integer(2, true), float(4), 'feff', '000000c0'],
    ['whole floats as integers', float(8), integer(1, false), '0000000000e06f40', 'ff'],
    ['2^62 as a float', integer(8, true), float(4), '0000000000000040', '0000805e'],
    ['an infinity and NaN', float(4), float(8), '0000807f0000c07f', '000000000000f07f000000000000f87f'],
    ['a wider float', float(2, 'BE'), float(4, 'BE'), '3555', '3eaaa000'],
  ])('become those of another type: %s', async (_what, from, to, hex, expected) => {
    expect(await convert(from, to, hex)).toBe(expected)
  })

  it.each<[string, NumberType, NumberType, string, string]>([
    ['too great', integer(2, false), integer(1, true), '8000', 'holds 128, which signed integers of 8 bits'],
    ['negative', integer(1, true), integer(8, false), 'ff', 'holds -1, which unsigned integers of 64 bits'],
    ['no whole number', float(4), integer(4, true), '0000003f', 'holds 0.5'],
    ['NaN', float(4), integer(4, true), '0000c07f', 'holds NaN'],
    ['too precise', integer(4, false), float(4), '01000001', 'holds 16777217, which floats of 32 bits'],
    ['beyond all halves', integer(8, false), float(2), 'ffffffffffffffff', 'holds 18446744073709551615'],
    ['rounded', float(8), float(4), '9a9999999999b93f', 'holds 0.1'],
  ])('that would change are an error: %s', async (_what, from, to, hex, message) => {
    await expect(convert(from, to, hex)).rejects.toThrow(message)
  })
})
