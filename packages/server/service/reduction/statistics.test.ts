import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FloatType, IntegerType } from '../../../model/datatype/datatype.ts'
import type { NumericType } from '../../../model/reduction/reduction.ts'
import { Histogram, Summarizer, type Summary } from './statistics.ts'

const F64: FloatType = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
const U64: IntegerType = { class: 'H5T_INTEGER', size: 8, signed: false, order: 'BE' }
const I16: IntegerType = { class: 'H5T_INTEGER', size: 2, signed: true, order: 'BE' }
const NO_HEAP = new Uint8Array(0)

function take(taker: Summarizer | Histogram, data: Uint8Array, size: number, atOnce: number): void {
  for (let from = 0; from < data.length; from += atOnce * size) {
    const piece = data.subarray(from, from + atOnce * size)
    for (const _ of taker.push({ count: piece.length / size, data: piece, heap: NO_HEAP }));
  }
}

function summarize(type: NumericType, data: Uint8Array, size: number, atOnce = 1e6): Summary {
  const summarizer = new Summarizer(type)
  take(summarizer, data, size, atOnce)
  return summarizer.result()
}

function doubles(values: readonly number[], atOnce?: number): Summary {
  return summarize(F64, new Uint8Array(Float64Array.from(values).buffer), 8, atOnce)
}

function histogram(values: readonly number[], min: number, max: number, bins: number): number[] {
  const taker = new Histogram(F64, min, max, bins)
  take(taker, new Uint8Array(Float64Array.from(values).buffer), 8, 1000)
  return Array.from(taker.counts)
}

describe('a summary', () => {
  test('of equal numbers that come as one is that of these numbers', () => {
    const value = fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constantFrom(Number.NaN, 0, 7))
    const run = fc.record({ value, count: fc.integer({ min: 1, max: 300 }), isOne: fc.boolean() })
    fc.assert(
      fc.property(fc.array(run, { maxLength: 12 }), runs => {
        const [some, same] = [new Summarizer(F64), new Summarizer(F64)]
        const [bins, sameBins] = [new Histogram(F64, -1e6, 1e6, 9), new Histogram(F64, -1e6, 1e6, 9)]
        for (const { value, count, isOne } of runs) {
          const data = new Uint8Array(Float64Array.from({ length: count }, () => value).buffer)
          const elements = { count, data, heap: NO_HEAP }
          const element = { count: 1, data: data.slice(0, 8), heap: NO_HEAP }
          for (const each of [some, bins]) for (const _ of each.push(elements));
          for (const each of [same, sameBins])
            for (const _ of each.push(isOne ? { count, element } : elements));
        }
        const [expected, found] = [some.result(), same.result()]
        expect({ ...found, mean: 0, standardDeviation: 0 }).toEqual({
          ...expected,
          mean: 0,
          standardDeviation: 0,
        })
        expect(found.mean ?? 0).toBeCloseTo(expected.mean ?? 0, 6)
        expect(found.standardDeviation ?? 0).toBeCloseTo(expected.standardDeviation ?? 0, 5)
        expect(same.range).toEqual(some.range)
        expect(sameBins.counts).toEqual(bins.counts)
      }),
    )
  })

  test('of very many equal numbers is exact', () => {
    const summarizer = new Summarizer(U64)
    const element = { count: 1, data: new Uint8Array(8).fill(255), heap: NO_HEAP }
    for (const count of [2 ** 52, 3]) for (const _ of summarizer.push({ count, element }));
    expect(summarizer.result()).toEqual({
      count: 2 ** 52 + 3,
      nanCount: 0,
      min: 2n ** 64n - 1n,
      max: 2n ** 64n - 1n,
      mean: 2 ** 64,
      standardDeviation: 0,
    })
  })

  test('of numbers whose squares are beyond doubles has a deviation where they are equal', () => {
    expect(doubles([1e200, 1e200, 1e200]).standardDeviation).toBe(0)
  })

  test('is that of a loop over the numbers, whatever comes at once', () => {
    const value = fc.oneof(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.constant(Number.NaN))
    fc.assert(
      fc.property(fc.array(value, { maxLength: 50 }), fc.integer({ min: 1, max: 60 }), (values, atOnce) => {
        const numbers = values.filter(value => !Number.isNaN(value))
        const found = doubles(values, atOnce)
        expect([found.count, found.nanCount]).toEqual([numbers.length, values.length - numbers.length])
        if (numbers.length === 0) {
          expect(Object.keys(found)).toEqual(['count', 'nanCount'])
          return
        }
        const mean = numbers.reduce((a, b) => a + b) / numbers.length
        const deviation = Math.sqrt(
          numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / numbers.length,
        )
        // Whether 0 or -0 is less is not said.
        expect([Number(found.min) + 0, Number(found.max) + 0]).toEqual([
          Math.min(...numbers) + 0,
          Math.max(...numbers) + 0,
        ])
        expect(Math.abs((found.mean ?? 0) - mean)).toBeLessThanOrEqual(1e-8)
        expect(Math.abs((found.standardDeviation ?? 0) - deviation)).toBeLessThanOrEqual(1e-6)
      }),
    )
  })

  test('has small distances from a large mean', () => {
    const values = Array.from({ length: 100_000 }, (_, i) => 1e9 + (i % 2))
    const { mean, standardDeviation } = doubles(values, 777)
    expect(mean).toBe(1e9 + 0.5)
    expect(standardDeviation).toBeCloseTo(0.5, 9)
  })

  test('has exact extremes of 64-bit integers', () => {
    const bytes = Buffer.alloc(24)
    for (const [i, value] of [2n ** 64n - 1n, 2n ** 64n - 2n, 2n ** 53n + 1n].entries())
      bytes.writeBigUInt64BE(value, 8 * i)
    expect(summarize(U64, bytes, 8, 1)).toMatchObject({ min: 2n ** 53n + 1n, max: 2n ** 64n - 1n, count: 3 })
  })

  test('of infinite numbers', () => {
    const found = doubles([1, Number.POSITIVE_INFINITY, 2])
    expect(found).toEqual({
      count: 3,
      nanCount: 0,
      min: 1,
      max: Number.POSITIVE_INFINITY,
      mean: Number.POSITIVE_INFINITY,
      standardDeviation: Number.NaN,
    })
    const summarizer = new Summarizer(F64)
    take(
      summarizer,
      new Uint8Array(Float64Array.of(Number.NEGATIVE_INFINITY, 5, Number.NaN, -3).buffer),
      8,
      1,
    )
    expect(summarizer.range).toEqual({ min: -3, max: 5 })
    expect(new Summarizer(F64).range).toBeUndefined()
  })

  test('of integers in the other byte order', () => {
    const bytes = Buffer.alloc(6)
    for (const [i, value] of [-300, 5, 1].entries()) bytes.writeInt16BE(value, 2 * i)
    expect(summarize(I16, bytes, 2, 2)).toMatchObject({ min: -300, max: 5, mean: -98 })
  })
})

describe('a histogram', () => {
  test('has its end in the last bin, and no NaN', () => {
    expect(histogram([0, 1, 2, 3, 4, Number.NaN, 5, -1, Number.POSITIVE_INFINITY], 0, 4, 4)).toEqual([
      1, 1, 1, 2,
    ])
  })

  test('of one number has it in the middle', () => {
    expect(histogram([7, 7], 7, 7, 3)).toEqual([0, 2, 0])
  })

  test('of the widest range', () => {
    const { MAX_VALUE, MIN_VALUE } = Number
    expect(histogram([-MAX_VALUE, 0, MAX_VALUE], -MAX_VALUE, MAX_VALUE, 2)).toEqual([1, 2])
    expect(histogram([0, MIN_VALUE], 0, MIN_VALUE, 2).reduce((a, b) => a + b)).toBe(2)
    expect(histogram([1e20], 1e20, 1e20, 2).reduce((a, b) => a + b)).toBe(1)
  })

  test('counts every number once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 50 }),
        (values, bins) => {
          const [min, max] = [Math.min(...values), Math.max(...values)]
          const counts = histogram(values, min, max, bins)
          expect(counts.reduce((a, b) => a + b)).toBe(values.length)
          const width = min === max ? 1 : max - min
          const start = min === max ? min - 0.5 : min
          const naive = new Array(bins).fill(0)
          for (const value of values)
            naive[Math.min(bins - 1, Math.floor(((value - start) / width) * bins))]++
          expect(counts).toEqual(naive)
        },
      ),
    )
  })
})
