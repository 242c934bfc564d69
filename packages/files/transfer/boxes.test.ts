import type { Box } from '@hyperslab/h5/reader'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boxesOf, boxesOfChunks } from './boxes.ts'

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
    [
      'small chunks are not read in millions',
      [8192],
      [1],
      10_000,
      [
        { start: [0], count: [4096] },
        { start: [4096], count: [4096] },
      ],
    ],
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
        const found = [...boxesOf(dims, chunkDims, maxElements)].flatMap(coordinatesIn).map(String)
        const expected = coordinatesIn({ start: dims.map(() => 0), count: dims }).map(String)
        expect(found.sort()).toEqual(expected.sort())
      }),
    )
  })
})

function coordinatesIn({ start, count }: Box): readonly (readonly number[])[] {
  return count.reduce<readonly (readonly number[])[]>(
    (corners, extent, d) =>
      corners.flatMap(corner => Array.from({ length: extent }, (_, index) => [...corner, start[d] + index])),
    [[]],
  )
}

describe('boxesOfChunks', () => {
  async function boxesIn(
    dims: readonly number[],
    chunkDims: readonly number[],
    maxElements: number,
    chunks: readonly (readonly number[])[],
  ): Promise<readonly Box[]> {
    async function* batches() {
      for (let from = 0; from < chunks.length; from += 3) yield chunks.slice(from, from + 3)
    }
    const boxes: Box[] = []
    for await (const box of boxesOfChunks(dims, chunkDims, maxElements, batches)) boxes.push(box)
    return boxes
  }

  const everyChunk = (counts: readonly number[]) =>
    coordinatesIn({ start: counts.map(() => 0), count: counts })

  it('gives the boxes of which all chunks are there, and other chunks one by one', async () => {
    const chunks = everyChunk([2, 4]).filter(chunk => String(chunk) !== '1,2')
    expect(await boxesIn([4, 8], [2, 2], 8, chunks)).toEqual([
      { start: [0, 0], count: [2, 4] },
      { start: [0, 4], count: [2, 4] },
      { start: [2, 0], count: [2, 4] },
      { start: [2, 6], count: [2, 2] },
    ])
  })

  it('cuts a chunk that is much larger than a box', async () => {
    const boxes = await boxesIn([100, 10], [60, 10], 20, [[1, 0]])
    expect(boxes).toHaveLength(20)
    expect(boxes[0]).toEqual({ start: [60, 0], count: [2, 10] })
  })

  it('does not go through what is not there', async () => {
    const last = 2 ** 40 - 1
    expect(await boxesIn([2 ** 50], [2 ** 10], 2 ** 20, [[0], [last]])).toEqual([
      { start: [0], count: [2 ** 10] },
      { start: [last * 2 ** 10], count: [2 ** 10] },
    ])
  })

  it('covers every element of these chunks once, and no other', async () => {
    const extents = fc.array(fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 8 })), {
      minLength: 1,
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(
        extents,
        fc.integer({ min: 1, max: 50 }),
        fc.infiniteStream(fc.boolean()),
        async (pairs, most, coins) => {
          const dims = pairs.map(([extent]) => extent)
          const chunkDims = pairs.map(([, chunk]) => chunk)
          const counts = dims.map((extent, d) => Math.ceil(extent / chunkDims[d]))
          const chunks = everyChunk(counts).filter(() => coins.next().value)
          const expected = coordinatesIn({ start: dims.map(() => 0), count: dims }).filter(coordinate =>
            chunks.some(chunk =>
              chunk.every((index, d) => index === Math.floor(coordinate[d] / chunkDims[d])),
            ),
          )
          const found = (await boxesIn(dims, chunkDims, most, chunks)).flatMap(coordinatesIn)
          expect(found.map(String).sort()).toEqual(expected.map(String).sort())
        },
      ),
    )
  })
})
