import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { product } from '../dataset/dataspace.ts'
import type { Datatype, FloatType, IntegerType } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import type { Piece } from '../values/elements.ts'
import { integerOf, readFloat, readInteger } from '../values/numbers.ts'
import { Reducer } from './reducer.ts'
import {
  type NumericType,
  planReduction,
  REDUCTION_NAMES,
  type ReductionName,
  type SingleName,
} from './reduction.ts'

const orders = ['LE', 'BE'] as const
const TYPES: readonly NumericType[] = orders.flatMap(order => [
  ...([1, 2, 4, 8] as const).flatMap(size =>
    [true, false].map((signed): IntegerType => ({ class: 'H5T_INTEGER', size, signed, order })),
  ),
  ...([2, 4, 8] as const).map((size): FloatType => ({ class: 'H5T_FLOAT', size, order })),
])

type Value = number | bigint

function readAll(type: NumericType, data: Uint8Array): Value[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const size = elementSize(type)
  return Array.from({ length: data.length / size }, (_, i) =>
    type.class === 'H5T_FLOAT'
      ? readFloat(type, view, i * size)
      : readInteger(integerOf(type), view, i * size),
  )
}

/** The result, of elements that come `atOnce`, `offset` bytes behind the beginning of their buffer. */
function reduce(
  type: NumericType,
  shape: readonly number[],
  request: { name: ReductionName; factors: readonly number[] },
  data: Uint8Array,
  atOnce: number,
  offset = 0,
): { values: Value[]; type: Datatype; shape: readonly number[] } {
  const plan = planReduction(type, shape, request)
  const reducer = new Reducer(plan)
  const size = elementSize(type)
  const parts: Uint8Array[] = []
  for (let from = 0; from < data.length; from += atOnce * size) {
    const bytes = data.subarray(from, from + atOnce * size)
    const moved = new Uint8Array(bytes.length + offset).subarray(offset)
    moved.set(bytes)
    for (const part of reducer.push({ count: bytes.length / size, data: moved, heap: new Uint8Array(0) })) {
      if (!part) continue
      expect(part.data.length).toBe(part.count * elementSize(plan.result.type))
      parts.push(part.data)
    }
  }
  return { values: readAll(plan.result.type, Buffer.concat(parts)), ...plan.result }
}

/** The elements of each block, in the order of the result. */
function naiveBlocks(
  shape: readonly number[],
  factors: readonly number[],
  values: readonly Value[],
): Value[][] {
  const counts = shape.map((extent, d) => Math.ceil(extent / factors[d]))
  const blocks: Value[][] = Array.from({ length: product(counts) }, () => [])
  for (const [index, value] of values.entries()) {
    let rest = index
    let block = 0
    let stride = 1
    for (let d = shape.length - 1; d >= 0; d--) {
      block += Math.floor((rest % shape[d]) / factors[d]) * stride
      stride *= counts[d]
      rest = Math.floor(rest / shape[d])
    }
    blocks[block].push(value)
  }
  return blocks
}

function naiveResult(name: ReductionName, block: readonly Value[]): Value[] {
  return name === 'minmax' ? [naive('min', block), naive('max', block)] : [naive(name, block)]
}

function naive(name: SingleName, block: readonly Value[]): Value {
  const numbers = block.filter(value => !Number.isNaN(value))
  const doubles = numbers.map(Number)
  switch (name) {
    case 'first':
      return block[0]
    case 'count':
      return numbers.length
    case 'mean':
      return doubles.reduce((a, b) => a + b, 0) / numbers.length
    case 'sum':
      return doubles.reduce((a, b) => a + b, 0)
    case 'min':
      return numbers.toSorted(compare)[0] ?? Number.NaN
    case 'max':
      return numbers.toSorted(compare).at(-1) ?? Number.NaN
  }
}

function compare(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Sums may be added in another order. */
function isNear(found: Value, expected: Value, scale: number): boolean {
  if (Object.is(Number(found), Number(expected)) || found === expected) return true
  return Math.abs(Number(found) - Number(expected)) <= 1e-12 * scale
}

const cases = fc
  .record({
    type: fc.constantFrom(...TYPES),
    shape: fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 4 }),
    factors: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 4, maxLength: 4 }),
    name: fc.constantFrom(...REDUCTION_NAMES),
    atOnce: fc.integer({ min: 1, max: 40 }),
    offset: fc.nat(3),
    bytes: fc.infiniteStream(fc.integer({ min: 0, max: 255 })),
  })
  .map(({ shape, factors, ...rest }) => ({ ...rest, shape, factors: factors.slice(0, shape.length) }))

describe('a reduction', () => {
  test('is that of a loop over the elements, whatever comes at once', () => {
    fc.assert(
      fc.property(cases, ({ type, shape, factors, name, atOnce, offset, bytes }) => {
        const data = Uint8Array.from({ length: product(shape) * elementSize(type) }, () => bytes.next().value)
        const found = reduce(type, shape, { name, factors }, data, atOnce, offset)
        const blocks = naiveBlocks(
          shape,
          factors.map((factor, d) => Math.min(factor, Math.max(1, shape[d]))),
          readAll(type, data),
        )
        const each = name === 'minmax' ? 2 : 1
        expect(found.values).toHaveLength(each * blocks.length)
        expect(product(found.shape)).toBe(each * blocks.length)
        const wrong = blocks.filter((block, i) => {
          const scale = block.reduce<number>((sum, value) => sum + Math.abs(Number(value) || 0), 0)
          const isExact = name !== 'mean' && name !== 'sum'
          return naiveResult(name, block).some(
            (value, n) => !isNear(found.values[each * i + n], value, isExact ? 0 : scale),
          )
        })
        expect(wrong).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test('of equal elements that come as one is that of these elements', () => {
    const runs = fc.array(
      fc.record({
        length: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 400 })),
        isOne: fc.boolean(),
        bytes: fc.uint8Array({ minLength: 8, maxLength: 8 }),
      }),
      { minLength: 1 },
    )
    const shapes = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 })
    fc.assert(
      fc.property(cases, shapes, runs, ({ type, factors, name }, shape, someRuns) => {
        const size = elementSize(type)
        const all = factors.concat(3, 1, 2, 5).slice(0, shape.length)
        const plan = planReduction(type, shape, { name, factors: all })
        const reducers = [new Reducer(plan), new Reducer(plan)]
        const results: Uint8Array[][] = [[], []]
        const push = (which: number, piece: Piece) => {
          for (const part of reducers[which].push(piece)) if (part) results[which].push(part.data)
        }
        let left = product(shape)
        let total = 0
        for (let i = 0; left > 0; i++) {
          const { length, isOne, bytes } = someRuns[i % someRuns.length]
          const count = Math.min(left, length)
          const element = { count: 1, data: bytes.slice(0, size), heap: new Uint8Array(0) }
          const data = new Uint8Array(count * size)
          for (let at = 0; at < data.length; at += size) data.set(element.data, at)
          const elements = { count, data, heap: new Uint8Array(0) }
          if (type.class === 'H5T_INTEGER') total += Math.abs(Number(readAll(type, element.data)[0])) * count
          push(0, elements)
          push(1, isOne ? { count, element } : elements)
          left -= count
        }
        const [expected, found] = results.map(parts => readAll(plan.result.type, Buffer.concat(parts)))
        expect(found).toHaveLength(expected.length)
        const isExact = plan.result.type.class === 'H5T_INTEGER' || !['mean', 'sum'].includes(name)
        const wrong = found.filter((value, i) => {
          const scale = total + Math.abs(Number(expected[i])) * 1e3
          // A sum of doubles may be out of range in one order of adding, and not in another.
          return scale < 1e300 && !isNear(value, expected[i], isExact ? 0 : scale)
        })
        expect(wrong).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test('of rows that repeat beside others is that of their elements', () => {
    const type: IntegerType = { class: 'H5T_INTEGER', size: 2, signed: true, order: 'LE' }
    const request = fc.record({
      name: fc.constantFrom(...REDUCTION_NAMES),
      factors: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 9 }), fc.nat(9)),
      from: fc.nat(90),
      fills: fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
    })
    fc.assert(
      fc.property(request, ({ name, factors: [a, b, c], from, fills }) => {
        const shape = [4, 9, 100]
        const plan = planReduction(type, shape, { name, factors: [a, b, c + 1] })
        const [whole, inParts] = [new Reducer(plan), new Reducer(plan)]
        const bytesOf = (pieces: readonly Piece[], reducer: Reducer) =>
          Buffer.concat(pieces.flatMap(piece => [...reducer.push(piece)].flatMap(part => part?.data ?? [])))
        const heap = new Uint8Array(0)
        const rows = Array.from({ length: 36 }, (_, row) => {
          const numbers = new Int16Array(100).fill(fills[row % fills.length])
          for (let i = from; i < from + 10; i++) numbers[i] = row * 100 - i
          return new Uint8Array(numbers.buffer)
        })
        const pieces = rows.flatMap(row => {
          const element = { count: 1, data: row.subarray(from === 0 ? 198 : 0).subarray(0, 2), heap }
          return [
            { count: from, element },
            { count: 10, data: row.subarray(2 * from, 2 * from + 20), heap },
            { count: 90 - from, element },
          ].filter(({ count }) => count > 0)
        })
        const all = { count: 3600, data: new Uint8Array(Buffer.concat(rows)), heap }
        expect(bytesOf(pieces, inParts)).toEqual(bytesOf([all], whole))
      }),
    )
  })

  test('of 2^52 equal elements takes no time for each', () => {
    const type: IntegerType = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
    const shape = [2 ** 20, 2 ** 12, 2 ** 20]
    const equal = (name: ReductionName, factors: number[]) => {
      const reducer = new Reducer(planReduction(type, shape, { name, factors }))
      const element = { count: 1, data: Uint8Array.of(0xfe), heap: new Uint8Array(0) }
      const values: number[] = []
      for (const count of [5, 2 ** 52 - 12, 7]) {
        for (const part of reducer.push({ count, element })) {
          if (!part) continue
          const view = new DataView(part.data.buffer, part.data.byteOffset)
          for (let i = 0; i < part.count; i++) {
            if (name === 'min') values.push(view.getInt8(i))
            else if (name === 'mean') values.push(view.getFloat64(8 * i, true))
            else values.push(Number(view.getBigInt64(8 * i, true)))
          }
        }
      }
      return values
    }
    expect(equal('sum', [2 ** 20, 2 ** 12, 2 ** 20])).toEqual([-(2 ** 53)])
    expect(equal('min', [2 ** 19, 2 ** 12, 2 ** 19])).toEqual([-2, -2, -2, -2])
    expect(equal('mean', [2 ** 18, 2 ** 12, 2 ** 20])).toEqual([-2, -2, -2, -2])
    expect(equal('count', [2 ** 20, 2 ** 11, 2 ** 19])).toEqual(new Array(4).fill(2 ** 50))
  })

  test.each<[string, NumericType, ReductionName, readonly bigint[], readonly Value[]]>([
    [
      'sums of int32',
      { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' },
      'sum',
      [-(2n ** 31n), -(2n ** 31n), 5n],
      [-(2 ** 32), 5],
    ],
    [
      'the largest of uint64',
      { class: 'H5T_INTEGER', size: 8, signed: false, order: 'BE' },
      'max',
      [2n ** 64n - 2n, 2n ** 64n - 1n, 2n ** 53n + 1n],
      [2n ** 64n - 1n, 2n ** 53n + 1n],
    ],
    [
      'the smallest of int64',
      { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' },
      'min',
      [-(2n ** 63n) + 1n, -(2n ** 63n), -1n],
      [-(2n ** 63n), -1],
    ],
    [
      'the largest of int64',
      { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' },
      'max',
      [-(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 63n - 1n],
      [-(2n ** 63n) + 1n, 2n ** 63n - 1n],
    ],
  ])('is exact: %s', (_, type, name, values, expected) => {
    const size = elementSize(type)
    const bytes = Buffer.alloc(values.length * size)
    for (const [i, value] of values.entries()) {
      const whole = Buffer.alloc(8)
      whole.writeBigUInt64BE(BigInt.asUintN(64, value))
      const used = whole.subarray(8 - size)
      bytes.set('order' in type && type.order === 'LE' ? used.toReversed() : used, i * size)
    }
    expect(reduce(type, [values.length], { name, factors: [2] }, bytes, 1).values).toEqual(expected)
  })

  test('sums beyond 2^53 are exact', () => {
    const type: IntegerType = { class: 'H5T_INTEGER', size: 4, signed: false, order: 'LE' }
    const count = 2 ** 22 + 1
    const data = new Uint8Array(count * 4).fill(255)
    const { values } = reduce(type, [count], { name: 'sum', factors: [count] }, data, 2 ** 20)
    expect(values).toEqual([BigInt(count) * (2n ** 32n - 1n)])
  })

  test('sums of integers that may overflow are doubles', () => {
    const int64: IntegerType = { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' }
    const uint32: IntegerType = { class: 'H5T_INTEGER', size: 4, signed: false, order: 'LE' }
    const sum = (type: NumericType, factor: number) =>
      planReduction(type, [2 ** 40], { name: 'sum', factors: [factor] }).result.type.class
    expect([sum(int64, 1), sum(uint32, 2 ** 32), sum(uint32, 2 ** 32 + 1)]).toEqual([
      'H5T_FLOAT',
      'H5T_INTEGER',
      'H5T_FLOAT',
    ])
  })

  test('one factor counts for all dimensions', () => {
    const type: IntegerType = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
    const { values, shape } = reduce(
      type,
      [2, 3],
      { name: 'max', factors: [2] },
      Uint8Array.of(1, 2, 3, 4, 5, 6),
      4,
    )
    expect({ values, shape }).toEqual({ values: [5, 6], shape: [1, 2] })
  })

  test('keeps little of a long row, and refuses to keep much', () => {
    const type: IntegerType = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' }
    const length = 300_000
    const data = Uint8Array.from({ length }, (_, i) => i)
    const { values } = reduce(type, [3, length / 3], { name: 'max', factors: [1, 2] }, data, 70_000)
    const expected = naiveBlocks([3, length / 3], [1, 2], [...data]).map(block =>
      Math.max(...block.map(Number)),
    )
    expect(values).toEqual(expected)
    const plan = (shape: readonly number[], factors: readonly number[]) =>
      new Reducer(planReduction(type, shape, { name: 'mean', factors }))
    expect(() => plan([2, 2 ** 21 + 1], [2, 1])).toThrow('would keep 2097153 numbers')
    expect(() => plan([2, 2 ** 40], [1, 2])).not.toThrow()
    expect(() => plan([2, 2 ** 21], [2, 1])).not.toThrow()
  })

  test('is refused for what is no number, and for another number of factors', () => {
    const opaque: Datatype = { class: 'H5T_OPAQUE', size: 4 }
    expect(() => planReduction(opaque, [2], { name: 'mean', factors: [2] })).toThrow('H5T_OPAQUE')
    const type: IntegerType = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
    expect(() => planReduction(type, [2, 2, 2], { name: 'mean', factors: [2, 2] })).toThrow(
      '2 factors for the 3',
    )
  })
})
