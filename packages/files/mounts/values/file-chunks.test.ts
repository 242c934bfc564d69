import { allChunks } from '@hyperslab/model/selection'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chunksInOrder } from './file-chunks.ts'

it('gives the chunks of any batches in the order of their coordinates', async () => {
  const cases = fc
    .record({ rows: fc.integer({ min: 1, max: 40 }), columns: fc.integer({ min: 1, max: 40 }) })
    .chain(({ rows, columns }) => {
      const grid = { dims: [2 * rows - 1, 3 * columns], chunkDims: [2, 3] }
      const some = fc.shuffledSubarray([...allChunks(grid)])
      return fc.record({ grid: fc.constant(grid), chunks: some, length: fc.integer({ min: 1, max: 300 }) })
    })
  await fc.assert(
    fc.asyncProperty(cases, async ({ grid, chunks, length }) => {
      async function* batches() {
        for (let at = 0; at < chunks.length; at += length) yield chunks.slice(at, at + length)
        yield []
      }
      const found: (readonly number[])[] = []
      for await (const some of chunksInOrder(grid, batches())) found.push(...some)
      const wanted = new Set(chunks.map(chunk => chunk.join()))
      expect(found).toEqual([...allChunks(grid)].filter(chunk => wanted.has(chunk.join())))
    }),
    { numRuns: 50 },
  )
})

it('ends when the caller leaves, while chunks are counted and while they are given', async () => {
  const grid = { dims: [2000], chunkDims: [1] }
  async function* batches() {
    yield [...allChunks(grid)]
  }
  for (const calls of [0, 2]) {
    let left = calls
    const signal = {
      throwIfAborted() {
        if (left-- === 0) throw new Error('left')
      },
    }
    const chunks = chunksInOrder(grid, batches(), signal)
    for (let given = 1; given < calls; given++) expect((await chunks.next()).done).toBe(false)
    await expect(chunks.next()).rejects.toThrow('left')
  }
})
