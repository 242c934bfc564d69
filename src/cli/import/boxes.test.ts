import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boxesOf } from './boxes.ts'

describe('boxesOf', () => {
  it.each([
    ['a scalar is one box', [], undefined, 10, [{ start: [], count: [] }]],
    ['no elements, no boxes', [3, 0], undefined, 10, []],
    ['what fits is one box', [2, 3], undefined, 6, [{ start: [0, 0], count: [2, 3] }]],
    [
      'rows are kept whole',
      [3, 4],
      undefined,
      9,
      [
        { start: [0, 0], count: [2, 4] },
        { start: [2, 0], count: [1, 4] },
      ],
    ],
    [
      'borders of chunks are kept',
      [4, 7],
      [2, 3],
      12,
      [
        { start: [0, 0], count: [2, 6] },
        { start: [0, 6], count: [2, 1] },
        { start: [2, 0], count: [2, 6] },
        { start: [2, 6], count: [2, 1] },
      ],
    ],
    ['a chunk larger than a box is kept whole', [4, 4], [4, 4], 4, [{ start: [0, 0], count: [4, 4] }]],
  ])('%s', (_title, dims, chunkDims, maxElements, boxes) => {
    expect([...boxesOf(dims, chunkDims, maxElements)]).toEqual(boxes)
  })

  it('covers every element once', () => {
    const extents = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 8 })), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(extents, fc.integer({ min: 1, max: 50 }), fc.boolean(), (pairs, maxElements, chunked) => {
        const dims = pairs.map(([extent]) => extent)
        const chunkDims = chunked ? pairs.map(([, chunk]) => chunk) : undefined
        const seen = new Set<string>()
        let total = 0
        for (const { start, count } of boxesOf(dims, chunkDims, maxElements)) {
          let corners: number[][] = [[]]
          for (const [d, extent] of count.entries()) {
            corners = corners.flatMap(corner =>
              Array.from({ length: extent }, (_, index) => [...corner, (start[d] ?? 0) + index]),
            )
          }
          for (const corner of corners) {
            expect(corner.every((coordinate, d) => coordinate < (dims[d] ?? 0))).toBe(true)
            seen.add(corner.join())
          }
          total += corners.length
        }
        const expected = dims.reduce((result, extent) => result * extent, 1)
        expect([seen.size, total]).toEqual([expected, expected])
      }),
    )
  })
})
