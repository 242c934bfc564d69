// Boxes and lists of chunks of a grid against plain loops over all chunks.

import type { SimpleDataspace } from '@hyperslab/model/dataset'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Box } from '../../file-reader.ts'
import { ChunkNumbers, chunkBoxOf, chunkListOf, holdsChunk, mayHoldBetween } from './chunk-box.ts'

interface Case {
  readonly space: SimpleDataspace
  readonly maxdims: readonly number[]
  readonly chunkDims: readonly number[]
  readonly box: Box
}

const extent = fc.integer({ min: 1, max: 9 })
const dimension = fc
  .record({
    dim: extent,
    more: fc.nat(5),
    chunk: fc.integer({ min: 1, max: 4 }),
    from: fc.nat(8),
    length: fc.nat(9),
  })
  .map(({ dim, more, chunk, from, length }) => {
    const start = Math.min(from, dim - 1)
    return { dim, maximum: dim + more, chunk, start, count: Math.min(length, dim - start) }
  })

const cases: fc.Arbitrary<Case> = fc.array(dimension, { minLength: 1, maxLength: 3 }).map(all => ({
  space: { class: 'H5S_SIMPLE', dims: all.map(d => d.dim), maxdims: all.map(d => d.maximum) },
  maxdims: all.map(d => d.maximum),
  chunkDims: all.map(d => d.chunk),
  box: { start: all.map(d => d.start), count: all.map(d => d.count) },
}))

/** All chunks up to the maximum extents, row-major. */
function allChunks({ maxdims, chunkDims }: Case): number[][] {
  let chunks: number[][] = [[]]
  for (const [d, maximum] of maxdims.entries()) {
    const along = Array.from({ length: Math.ceil(maximum / chunkDims[d]) }, (_, index) => index)
    chunks = chunks.flatMap(chunk => along.map(index => [...chunk, index]))
  }
  return chunks
}

function touches({ chunkDims, box }: Case, chunk: readonly number[]): boolean {
  return chunk.every((index, d) => {
    const from = index * chunkDims[d]
    return from < box.start[d] + box.count[d] && from + chunkDims[d] > box.start[d] && box.count[d] > 0
  })
}

it('chunks of a box are found by their numbers', () => {
  fc.assert(
    fc.property(cases, example => {
      const chunkBox = chunkBoxOf(example.space, example.chunkDims, example.box)
      const numbers = new ChunkNumbers(example.space, example.chunkDims, chunkBox)
      const chunks = allChunks(example)
      const found = chunks.map((chunk, number) => [
        holdsChunk(chunkBox, chunk),
        numbers.next(number),
        numbers.coordinatesOf(number),
      ])
      const expected = chunks.map((chunk, number) => {
        const next = chunks.findIndex((other, index) => index >= number && touches(example, other))
        return [touches(example, chunk), next === -1 ? Number.POSITIVE_INFINITY : next, chunk]
      })
      expect(found).toEqual(expected)
    }),
  )
})

it('the unlimited dimension varies slowest', () => {
  const space: SimpleDataspace = { class: 'H5S_SIMPLE', dims: [4, 6], maxdims: [4, 'H5S_UNLIMITED'] }
  const numbers = new ChunkNumbers(space, [2, 2], chunkBoxOf(space, [2, 2]), 1)
  expect([0, 1, 2, 5].map(number => numbers.coordinatesOf(number))).toEqual([
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 2],
  ])
  expect(numbers.next(6)).toBe(Number.POSITIVE_INFINITY)
})

it('a part of a tree is passed over only when it holds no chunk of the box', () => {
  fc.assert(
    fc.property(cases, fc.nat(), fc.nat(), (example, a, b) => {
      const chunkBox = chunkBoxOf(example.space, example.chunkDims, example.box)
      const chunks = allChunks(example)
      const [from, to] = [a % chunks.length, b % chunks.length].sort((x, y) => x - y)
      const holds = chunks.slice(from, to + 1).some(chunk => touches(example, chunk))
      if (!mayHoldBetween(chunkBox, chunks[from], chunks[to])) expect(holds).toBe(false)
    }),
  )
})

it('a list of chunks is found by numbers and between chunks, whatever its order, inside the extents', () => {
  fc.assert(
    fc.property(cases, fc.infiniteStream(fc.boolean()), fc.nat(), fc.nat(), (example, isListed, a, b) => {
      const { space, chunkDims } = example
      const chunks = allChunks(example)
      const listed = chunks.filter(() => isListed.next().value).toReversed()
      const inside = listed.filter(chunk => chunk.every((index, d) => index * chunkDims[d] < space.dims[d]))
      const list = chunkListOf(space, chunkDims, listed)
      const numbers = new ChunkNumbers(space, chunkDims, list)
      const found = chunks.map((chunk, number) => [holdsChunk(list, chunk), numbers.next(number)])
      const expected = chunks.map((chunk, number) => {
        const next = chunks.findIndex((other, index) => index >= number && inside.includes(other))
        return [inside.includes(chunk), next === -1 ? Number.POSITIVE_INFINITY : next]
      })
      expect(found).toEqual(expected)
      const [from, to] = [a % chunks.length, b % chunks.length].sort((x, y) => x - y)
      const holds = chunks.slice(from, to + 1).some(chunk => inside.includes(chunk))
      expect(mayHoldBetween(list, chunks[from], chunks[to])).toBe(holds)
    }),
  )
})
