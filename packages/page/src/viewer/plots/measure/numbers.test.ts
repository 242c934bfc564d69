import type { Domain } from '@hyperslab/client'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numbersOf } from '../../data/axis.ts'
import { meaningWithout } from '../models/test-plots.ts'
import { integralOf, measuredRows, readElements, readMeasured } from './numbers.ts'

const DATASET = {
  id: 'd',
  type: { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' },
  shape: [4, 100, 100],
} as const
const SELECT = [3, { start: 10, stop: 20 }, { start: 5, stop: 9 }]
const STATISTICS = { count: 3, nanCount: 1, min: 1, max: 6, mean: 3, standardDeviation: 2, hrefs: [] }
const signal = new AbortController().signal

test('statistics and sum are those of all selected elements, without missing ones', async () => {
  const requests: unknown[] = []
  const domain = {
    statistics: async (_: unknown, options: object) => {
      requests.push({ ...options, signal: undefined })
      return STATISTICS
    },
    read: async (_: unknown, options: object) => {
      requests.push({ ...options, signal: undefined })
      return { shape: [1, 1, 1], data: BigInt64Array.of(9n) }
    },
  } as unknown as Domain
  const selected = { dataset: DATASET, select: SELECT, numbers: { missing: '-1' } } as never
  const measured = await readMeasured(domain, selected, signal)
  expect(measured).toEqual({ statistics: STATISTICS, sum: 9n })
  expect(requests).toEqual([
    expect.objectContaining({ select: SELECT, missing: '-1' }),
    expect.objectContaining({ select: SELECT, missing: '-1', reduce: 'sum:1,10,4' }),
  ])
})

test('the numbers of packed elements are those that they stand for, also with a negative factor', () => {
  const stored = [1, 2, 6]
  const values = stored.map(number => 100 - 2 * number)
  const unpack = (numbers: ArrayLike<number | bigint>) =>
    Float64Array.from(Array.from(numbers, number => 100 - 2 * Number(number)))
  const rows = measuredRows({ statistics: STATISTICS, sum: 9n }, unpack as never)
  const sum = values.reduce((total, value) => total + value, 0)
  expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual({
    Numbers: 3,
    Missing: 1,
    Sum: sum,
    Mean: sum / 3,
    'Standard deviation': 4,
    Least: Math.min(...values),
    Greatest: Math.max(...values),
  })
})

test('an exact sum of integers stays exact, and one of no numbers is none', () => {
  const { unpackPresent } = meaningWithout(-1)
  const sumOf = (count: number) =>
    measuredRows(
      { statistics: { count, nanCount: 0, hrefs: [] }, sum: 9007199254740993n },
      unpackPresent,
    ).find(({ name }) => name === 'Sum')?.value
  expect(sumOf(2)).toBe(9007199254740993n)
  expect(sumOf(0)).toBeUndefined()
})

test('an integral is the area below the line through the numbers that are there', () => {
  const number = fc.double({ min: -1000, max: 1000, noNaN: true })
  const point = fc.tuple(number, fc.oneof(number, fc.constant(Number.NaN)))
  fc.assert(
    fc.property(fc.array(point), points => {
      const known = points.filter(([, value]) => !Number.isNaN(value))
      let area = 0
      for (let i = 1; i < known.length; i++) {
        const [[x0, y0], [x1, y1]] = [known[i - 1] ?? [0, 0], known[i] ?? [0, 0]]
        area += ((y0 + y1) / 2) * (x1 - x0)
      }
      const values = Float64Array.from(points, ([, value]) => value)
      expect(integralOf(values, i => points[i]?.[0] ?? Number.NaN)).toBe(area)
    }),
  )
})

test('elements of more than a million are not read for an integral', async () => {
  const long = { ...DATASET, shape: [2 ** 21] }
  const read = (stop: number) =>
    readElements(
      { read: async () => ({ shape: [1], data: Float64Array.of(5) }) } as unknown as Domain,
      { dataset: long, select: [{ start: 0, stop }], numbers: {} } as never,
      numbersOf,
      signal,
    )
  expect(await read(2 ** 20)).toEqual(Float64Array.of(5))
  expect(await read(2 ** 20 + 1)).toBeUndefined()
})
