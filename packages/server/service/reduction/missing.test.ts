import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FloatType, IntegerType } from '../../../model/datatype/datatype.ts'
import { elementSize } from '../../../model/datatype/layout.ts'
import type { NumericType } from '../../../model/reduction/reduction.ts'
import type { Piece } from '../../../model/values/elements.ts'
import { integerOf, readFloat, readInteger, writeFloat, writeInteger } from '../../../model/values/numbers.ts'
import { MissingMarker, type MissingNumbers } from './missing.ts'

type Value = number | bigint

const TYPES: readonly NumericType[] = (['LE', 'BE'] as const).flatMap(order => [
  ...([1, 2, 4, 8] as const).flatMap(size =>
    [true, false].map((signed): IntegerType => ({ class: 'H5T_INTEGER', size, signed, order })),
  ),
  ...([2, 4, 8] as const).map((size): FloatType => ({ class: 'H5T_FLOAT', size, order })),
])

function readAll(type: NumericType, data: Uint8Array): Value[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const size = elementSize(type)
  return Array.from({ length: data.length / size }, (_, i) =>
    type.class === 'H5T_FLOAT'
      ? readFloat(type, view, i * size)
      : readInteger(integerOf(type), view, i * size),
  )
}

function bytesOf(type: NumericType, values: readonly Value[]): Uint8Array {
  const size = elementSize(type)
  const data = new Uint8Array(values.length * size)
  const view = new DataView(data.buffer)
  for (const [i, value] of values.entries()) {
    if (type.class === 'H5T_FLOAT') writeFloat(type, view, i * size, Number(value))
    else writeInteger(integerOf(type), view, i * size, value)
  }
  return data
}

function marked(type: NumericType, numbers: MissingNumbers, pieces: readonly Piece[]): number[] {
  const marker = new MissingMarker(type, numbers)
  return pieces.flatMap(piece =>
    [...marker.push(piece)].flatMap(part => {
      const { count, data } = 'element' in part ? part.element : part
      expect(data.length).toBe(count * elementSize(marker.type))
      const values = readAll(marker.type, data) as number[]
      return 'element' in part ? Array<number>(part.count).fill(values[0]) : values
    }),
  )
}

const EMPTY = new Uint8Array(0)

const cases = fc
  .record({
    type: fc.constantFrom(...TYPES),
    data: fc.uint8Array({ minLength: 8, maxLength: 320 }),
    places: fc.array(fc.nat(39), { maxLength: 3 }),
    bounds: fc.tuple(fc.option(fc.nat(39)), fc.option(fc.nat(39))),
    isEqual: fc.boolean(),
  })
  .map(({ type, data, ...rest }) => ({
    type,
    data: data.subarray(0, data.length - (data.length % elementSize(type))),
    ...rest,
  }))

describe('missing numbers', () => {
  test('are those that a loop over the elements finds', () => {
    fc.assert(
      fc.property(cases, ({ type, data, places, bounds, isEqual }) => {
        const values = readAll(type, data)
        const at = (place: number | null) =>
          place === null || Number.isNaN(values[place % values.length])
            ? undefined
            : values[place % values.length]
        const [low, high] = bounds.map(at)
        const [min, max] = low !== undefined && high !== undefined && low > high ? [high, low] : [low, high]
        const missing = places.map(at).filter(value => value !== undefined)
        const count = values.length
        const size = elementSize(type)
        const pieces: Piece[] = isEqual
          ? values.map((_, i) => ({
              count: 3,
              element: { count: 1, data: data.subarray(i * size, (i + 1) * size), heap: EMPTY },
            }))
          : [{ count, data, heap: EMPTY }]
        const expected = values.map(value => {
          const isMissing =
            missing.some(one => one === value) ||
            (min !== undefined && value < min) ||
            (max !== undefined && value > max)
          return isMissing ? Number.NaN : Number(value)
        })
        const all = isEqual ? expected.flatMap(value => [value, value, value]) : expected
        expect(marked(type, { missing, valid: { min, max } }, pieces)).toEqual(all)
      }),
      { numRuns: 1000 },
    )
  })

  test('are found in every step of many elements', () => {
    const values = Array.from({ length: 70_001 }, (_, i) =>
      i % 1000 === 0 || i === 70_000 ? -9999 : i % 500,
    )
    const type = { class: 'H5T_INTEGER', size: 2, signed: true, order: 'LE' } as const
    const piece = { count: values.length, data: bytesOf(type, values), heap: EMPTY }
    const found = marked(type, { missing: [-9999] }, [piece])
    expect(found).toEqual(values.map(value => (value === -9999 ? Number.NaN : value)))
  })

  test('of 64 bits are no neighbours that a double cannot distinguish', () => {
    const type = { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' } as const
    const values = [2n ** 63n - 1n, 2n ** 63n - 2n, -(2n ** 63n), -(2n ** 63n) + 1n, 5n]
    const piece = { count: 5, data: bytesOf(type, values), heap: EMPTY }
    const valid = { min: -(2n ** 63n) + 1n, max: undefined }
    expect(marked(type, { missing: [2n ** 63n - 1n], valid }, [piece])).toEqual([
      Number.NaN,
      2 ** 63,
      Number.NaN,
      -(2 ** 63),
      5,
    ])
  })

  test('of floats are rounded as the elements are', () => {
    const type = { class: 'H5T_FLOAT', size: 4, order: 'LE' } as const
    const piece = { count: 3, data: bytesOf(type, [1e20, 0.1, 2]), heap: EMPTY }
    expect(marked(type, { missing: [1e20], valid: { min: 0.1 } }, [piece])).toEqual([
      Number.NaN,
      Math.fround(0.1),
      2,
    ])
    expect(marked(type, { valid: { max: 0.1 } }, [piece])).toEqual([Number.NaN, Math.fround(0.1), Number.NaN])
  })
})
