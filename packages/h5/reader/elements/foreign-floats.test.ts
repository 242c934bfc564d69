// Floats of any layout against their definition in exact arithmetic, and against values that libhdf5 1.10 gave for the
// same bytes.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileFloat } from '../../format/file-type.ts'
import { floatReader, isIeee, nearestIeee } from './foreign-floats.ts'

function float(
  size: number,
  exponentSize: number,
  mantissaSize: number,
  changes: Partial<FileFloat> = {},
): FileFloat {
  const bits = 1 + exponentSize + mantissaSize
  return {
    class: 'H5T_FLOAT',
    size,
    order: 'LE',
    offset: 0,
    precision: bits,
    sign: bits - 1,
    exponent: { location: mantissaSize, size: exponentSize, bias: 2 ** (exponentSize - 1) - 1 },
    mantissa: { location: 0, size: mantissaSize, normalization: 'implied' },
    ...changes,
  }
}

const HALF = float(2, 5, 10)
const SINGLE = float(4, 8, 23)
const DOUBLE = float(8, 11, 52)
const BFLOAT16 = float(2, 8, 7)
const QUAD = float(16, 15, 112)
const X87 = float(16, 15, 64, { mantissa: { location: 0, size: 64, normalization: 'none' } })
const VAX_F = float(4, 8, 23, { order: 'VAX', exponent: { location: 23, size: 8, bias: 129 } })
const NBIT = float(4, 6, 13, {
  offset: 7,
  sign: 26,
  exponent: { location: 20, size: 6, bias: 31 },
  mantissa: { location: 7, size: 13, normalization: 'implied' },
})

function read(type: FileFloat, hex: string): number {
  return floatReader(type)(Uint8Array.from(Buffer.from(hex, 'hex')), 0)
}

describe('floatReader', () => {
  it.each([
    ['bfloat16', BFLOAT16, '4940', 3.140625],
    ['bfloat16, negative zero', BFLOAT16, '0080', -0],
    ['bfloat16, the smallest number', BFLOAT16, '0100', 2 ** -133],
    ['bfloat16, infinity', BFLOAT16, '80ff', Number.NEGATIVE_INFINITY],
    ['bfloat16, not a number', BFLOAT16, 'c07f', Number.NaN],
    ['big-endian bfloat16', { ...BFLOAT16, order: 'BE' as const }, '4049', 3.140625],
    ['a third of x87', X87, 'abaaaaaaaaaaaaaafd3f000000000000', 1 / 3],
    ['the infinity of x87', X87, '0000000000000080ff7f000000000000', Number.POSITIVE_INFINITY],
    ['not a number of x87', X87, '00000000000000c0ff7f000000000000', Number.NaN],
    ['a third of a quad', QUAD, '5555555555555555555555555555fd3f', 1 / 3],
    [
      'too large for a double',
      QUAD,
      '000000000000000000000000000000 7f'.replace(' ', ''),
      Number.POSITIVE_INFINITY,
    ],
    ['the smallest double as a quad', QUAD, '0000000000000000000000000000cd3b', 5e-324],
    ['half the smallest double', QUAD, '0000000000000000000000000000cc3b', 0],
    ['just more than that', QUAD, '0100000000000000000000000000cc3b', 5e-324],
    ['VAX F_floating 1', VAX_F, '80400000', 1],
    ['VAX F_floating pi, which words of 16 bits hold', VAX_F, '4941db0f', Math.fround(Math.PI)],
    ['20 bits from bit 7 on', NBIT, '0000f001', 1],
  ])('%s', (_, type, hex, value) => {
    expect(read(type, hex)).toBe(value)
  })

  it('gives the nearest double of any layout, ties to even', () => {
    const layouts = fc.constantFrom(
      HALF,
      SINGLE,
      DOUBLE,
      BFLOAT16,
      QUAD,
      X87,
      VAX_F,
      NBIT,
      float(3, 8, 15),
      float(8, 12, 51),
    )
    const anyCase = layouts.chain(type => {
      const { size, bias } = type.exponent
      // Mostly exponents around those of doubles.
      const near = fc
        .integer({ min: -1080, max: 1030 })
        .map(power => Math.min(2 ** size - 1, Math.max(0, power + bias)))
      const stored = fc.oneof(near, fc.nat(2 ** size - 1))
      return fc.tuple(
        fc.constant(type),
        stored,
        fc.bigInt({ min: 0n, max: (1n << BigInt(type.mantissa.size)) - 1n }),
        fc.boolean(),
      )
    })
    fc.assert(
      fc.property(anyCase, ([type, stored, mantissa, isNegative]) => {
        // An x87 number of this kind is none: its first bit is stored, and is set.
        const isExplicit = type.mantissa.normalization !== 'implied'
        const valid = isExplicit && stored > 0 ? mantissa | (1n << BigInt(type.mantissa.size - 1)) : mantissa
        const bytes = bytesOf(type, stored, valid, isNegative)
        expect(floatReader(type)(bytes, 0)).toBe(expected(type, stored, valid, isNegative))
      }),
      { numRuns: 500 },
    )
  })
})

function bytesOf(type: FileFloat, stored: number, mantissa: bigint, isNegative: boolean): Uint8Array {
  const bits =
    (mantissa << BigInt(type.mantissa.location)) |
    (BigInt(stored) << BigInt(type.exponent.location)) |
    (BigInt(isNegative) << BigInt(type.sign))
  const bytes = Array.from({ length: type.size }, (_, index) => Number((bits >> BigInt(8 * index)) & 0xffn))
  if (type.order === 'VAX') return Uint8Array.of(bytes[2], bytes[3], bytes[0], bytes[1])
  return Uint8Array.from(type.order === 'BE' ? bytes.reverse() : bytes)
}

function expected(
  { exponent, mantissa }: FileFloat,
  stored: number,
  bits: bigint,
  isNegative: boolean,
): number {
  const sign = isNegative ? -1 : 1
  const isImplied = mantissa.normalization === 'implied'
  const fractionSize = isImplied ? mantissa.size : mantissa.size - 1
  const fraction = bits & ((1n << BigInt(fractionSize)) - 1n)
  if (stored === 2 ** exponent.size - 1) return fraction === 0n ? sign * Number.POSITIVE_INFINITY : Number.NaN
  const significand = isImplied && stored > 0 ? bits | (1n << BigInt(fractionSize)) : bits
  return sign * nearestDouble(significand, Math.max(stored, 1) - exponent.bias - fractionSize)
}

/** `significand` times 2^`power`. */
function nearestDouble(significand: bigint, power: number): number {
  if (significand === 0n) return 0
  const length = significand.toString(2).length
  if (length + power > 1024) return Number.POSITIVE_INFINITY
  const dropped = BigInt(Math.max(length - 53, -1074 - power))
  if (dropped <= 0n) return scale(Number(significand), power)
  const kept = significand >> dropped
  const twiceTheRest = (significand - (kept << dropped)) * 2n
  const one = 1n << dropped
  const isUp = twiceTheRest > one || (twiceTheRest === one && kept % 2n === 1n)
  return scale(Number(isUp ? kept + 1n : kept), power + Number(dropped))
}

/** The exact product of a number and a power of two. */
function scale(value: number, power: number): number {
  return power < -1000
    ? value * 2 ** (power + 1000) * 2 ** -1000
    : value * 2 ** Math.min(power, 1000) * 2 ** Math.max(0, power - 1000)
}

describe('isIeee', () => {
  it.each([
    [true, 'binary16', HALF],
    [true, 'binary32', SINGLE],
    [true, 'big-endian binary64', { ...DOUBLE, order: 'BE' as const }],
    [false, 'bfloat16', BFLOAT16],
    [false, 'VAX', VAX_F],
    [false, 'reduced precision', { ...SINGLE, precision: 30 }],
    [false, 'another bias', { ...SINGLE, exponent: { ...SINGLE.exponent, bias: 128 } }],
    [
      false,
      'another normalization',
      { ...SINGLE, mantissa: { ...SINGLE.mantissa, normalization: 'none' as const } },
    ],
  ])('is %s of %s', (is, _, type) => {
    expect(isIeee(type)).toBe(is)
  })
})

describe('nearestIeee', () => {
  it.each([
    ['bfloat16', BFLOAT16, { size: 4, isExact: true }],
    ['reduced precision', NBIT, { size: 4, isExact: true }],
    ['24 bits', float(3, 8, 15), { size: 4, isExact: true }],
    ['VAX, whose smallest numbers are below those of binary32', VAX_F, { size: 8, isExact: true }],
    ['x87', X87, { size: 8, isExact: false }],
    ['quad', QUAD, { size: 8, isExact: false }],
    ['more exponents than a double', float(8, 12, 51), { size: 8, isExact: false }],
  ])('%s', (_, type, nearest) => {
    expect(nearestIeee(type)).toEqual(nearest)
  })
})
