// Automatic and adjusted chunk shapes: the results that hsds-values 16.5, lists.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseShape } from '../../server/http/input/shapes.ts'
import { parseDatatype } from '../datatype/parse.ts'
import { adjustChunkDims, chunkItemSize, storedChunkDims } from './chunk-shape.ts'
import type { SimpleDataspace } from './dataspace.ts'

function simple(dims: readonly number[], maxdims?: readonly number[]): SimpleDataspace {
  const space = parseShape(dims, maxdims)
  if (space.class !== 'H5S_SIMPLE') throw new Error('not simple')
  return space
}

describe('adjustChunkDims', () => {
  test.each<[number[], number, number[] | undefined, number[] | undefined, number[]]>([
    [[365, 780, 1024], 4, [0, 780, 1024], [1, 390, 512], [1, 390, 1024]],
    [[365, 780, 1024], 4, [0, 780, 1024], undefined, [64, 98, 128]],
    [[1e9], 24, undefined, [10], [81920]],
    [[1e9], 24, undefined, undefined, [122071]],
    [[1e9], 8, undefined, [1e9], [488282]],
    [[50000, 80000], 4, undefined, undefined, [782, 1250]],
    [[50000, 80000], 4, undefined, [10, 10], [640, 640]],
    [[50000, 80000, 90000], 4, undefined, undefined, [49, 79, 176]],
    [[0, 80000, 90000], 4, [0, 80000, 900000], undefined, [2, 157, 1758]],
    [[45, 54], 4, undefined, [10, 10], [45, 54]],
    [[40, 80], 4, undefined, undefined, [40, 80]],
    [[40, 80], 4, undefined, [1, 80], [40, 80]],
    [[100], 4, undefined, [20], [100]],
    [[10], 4, undefined, undefined, [10]],
    [[10], 4, [20], undefined, [20]],
    [[10], 4, [0], undefined, [262144]],
    [[0], 4, [0], undefined, [262144]],
    [[4, 6], 2, [4, 0], undefined, [4, 131072]],
    [[10, 20], 4, [30, 0], undefined, [30, 16384]],
    [[1, 0], 4, [0, 0], undefined, [1024, 1024]],
    [[0, 3, 0], 4, [0, 3, 0], undefined, [512, 2, 1024]],
    [[2200, 120, 130], 4, undefined, undefined, [550, 30, 33]],
    [[2200, 120, 130], 4, [2200, 120, 130], undefined, [550, 30, 33]],
    [[1000000], 8, [0], undefined, [131072]],
    [[100000], 128, undefined, undefined, [25000]],
    [[0, 10], 2, undefined, undefined, [0, 10]],
  ])('extents %j, item %i, maxdims %j, given %j: %j', (dims, itemSize, maxdims, given, expected) => {
    expect(adjustChunkDims(simple(dims, maxdims), itemSize, given)).toEqual(expected)
  })
})

describe('storedChunkDims', () => {
  test('every extent of a stored chunk is positive', () => {
    expect(storedChunkDims(simple([0, 10]), 2)).toEqual([1, 10])
    expect(storedChunkDims(simple([0]), 8)).toEqual([1])
  })

  test('an item of more than 4 MiB is a chunk of its own', () => {
    expect(storedChunkDims(simple([7, 9]), 2 ** 30)).toEqual([1, 1])
  })

  const extent = fc.oneof(fc.nat(3), fc.nat(5000), fc.nat(Number.MAX_SAFE_INTEGER))
  const dimension = fc.tuple(extent, fc.constantFrom('fixed', 'bounded', 'unlimited'), extent)

  test('a chunk has a positive shape, and at most 4 MiB or one element', () => {
    fc.assert(
      fc.property(
        fc.array(dimension, { minLength: 1, maxLength: 32 }),
        fc.integer({ min: 1, max: 1e7 }),
        (d, item) => {
          const space: SimpleDataspace = {
            class: 'H5S_SIMPLE',
            dims: d.map(([extent]) => extent),
            maxdims: d.map(([extent, growth, more]) =>
              growth === 'fixed' ? extent : growth === 'bounded' ? extent + (more % 1e6) : 'H5S_UNLIMITED',
            ),
          }
          const chunk = storedChunkDims(space, item)
          const elements = chunk.reduce((product, extent) => product * extent, 1)
          expect(chunk).toHaveLength(d.length)
          expect(chunk.every(extent => Number.isSafeInteger(extent) && extent >= 1)).toBe(true)
          expect(elements === 1 || elements * item <= 2 ** 22).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})

test.each([
  ['H5T_STD_I32LE', 4],
  [
    new Map([
      ['class', 'H5T_STRING'],
      ['charSet', 'H5T_CSET_UTF8'],
      ['length', 'H5T_VARIABLE'],
    ]),
    128,
  ],
])('an element of variable size counts as 128 bytes: %#', (json, size) => {
  expect(chunkItemSize(parseDatatype(json))).toBe(size)
})
