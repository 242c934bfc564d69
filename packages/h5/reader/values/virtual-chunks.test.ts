// Chunks of virtual datasets that mappings give values to: enormous extents, gaps, and mappings that meet.

import { describe, expect, it } from 'vitest'
import type { FileSelection, RegularDimension } from '../../format/selection.ts'
import { mappedChunks } from './virtual-chunks.ts'

const CHUNK = [2, 1000]

function mapping(...dimensions: readonly RegularDimension[]) {
  const target: FileSelection = { selectType: 'H5S_SEL_HYPERSLABS', regular: dimensions }
  return {
    file: new Uint8Array(),
    dataset: new Uint8Array(),
    source: { selectType: 'H5S_SEL_ALL' },
    target,
  } as const
}

const run = (start: number, block: number): RegularDimension => ({ start, stride: block, count: 1, block })

async function chunksOf(dims: readonly number[], ...mappings: readonly ReturnType<typeof mapping>[]) {
  const { batches } = mappedChunks(dims, CHUNK.slice(-dims.length), mappings)
  const chunks: (readonly number[])[] = []
  for await (const batch of batches()) chunks.push(...batch)
  return chunks
}

describe('the mapped chunks of a virtual dataset', () => {
  it('are those of its mappings alone, each once and in order', async () => {
    const far = mapping(run(2 ** 40 - 2, 2))
    const all = await chunksOf([2 ** 40], far, mapping(run(999, 2)), mapping(run(0, 5)))
    expect(all).toEqual([[0], [1], [Math.floor((2 ** 40 - 1) / 1000)]])
  })

  it('are found in several dimensions, over gaps', async () => {
    const apart = { start: 1, stride: 2 ** 18, count: 2, block: 1 }
    const found = await chunksOf([2 ** 20, 2 ** 20], mapping(apart, run(7, 3)))
    expect(found).toEqual([
      [0, 0],
      [2 ** 17, 0],
    ])
  })

  it('are none beyond the extents, and none of no elements', async () => {
    expect(await chunksOf([10], mapping(run(10, 5)))).toEqual([])
    expect(await chunksOf([0, 10], mapping(run(0, 1), run(0, 1)))).toEqual([])
  })

  it.each([
    ['one dimension', [2 ** 40], [run(0, 2 ** 40)]],
    ['two dimensions', [2 ** 16, 2 ** 25], [run(0, 2 ** 16), run(0, 2 ** 25)]],
  ])('are refused when they are too many: in %s', async (_, dims, dimensions) => {
    await expect(chunksOf(dims, mapping(...dimensions))).rejects.toThrow('more than 65536 chunks')
  })
})
