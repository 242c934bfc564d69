import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hyperslabCase,
  listsCase,
  naiveCoordinates,
  pointsCase,
} from '../../../test/arbitraries/selection.ts'
import { planInSteps, planParts } from './runs.ts'
import type { ChunkGrid, ChunkPart, Hyperslab, Selection } from './selection.ts'

type Run = [chunkOffset: number, chunkStride: number, selectionOffset: number, length: number]

function runsOf(part: ChunkPart): Run[] {
  const runs: Run[] = []
  part.runs((...run) => runs.push(run))
  return runs
}

function slab(start: number[], stride: number[], count: number[], block = count.map(() => 1)): Hyperslab {
  return { kind: 'hyperslab', start, stride, count, block }
}

/** Chunk key -> [selection offset, chunk offset] of each selected element, in selection order. */
function naiveParts(selection: Selection, { chunkDims }: ChunkGrid): Map<string, [number, number][]> {
  const parts = new Map<string, [number, number][]>()
  naiveCoordinates(selection).forEach((coordinates, selectionOffset) => {
    const key = coordinates.map((x, d) => Math.floor(x / chunkDims[d])).join()
    const offset = coordinates.reduce((sum, x, d) => sum * chunkDims[d] + (x % chunkDims[d]), 0)
    parts.set(key, [...(parts.get(key) ?? []), [selectionOffset, offset]])
  })
  return parts
}

function elementsInChunk(chunk: readonly number[], { dims, chunkDims }: ChunkGrid): number {
  return chunk.reduce((n, index, d) => n * Math.min(chunkDims[d], dims[d] - index * chunkDims[d]), 1)
}

/** Compares with the plain rule: the last of repeated elements stays. */
function expectParts(selection: Selection, grid: ChunkGrid): void {
  const expected = naiveParts(selection, grid)
  const parts = [...planParts(selection, grid)]
  expect(parts.map(part => part.chunk.join())).toEqual([...expected.keys()])
  const summaries = parts.map(part => {
    const elements = expected.get(part.chunk.join()) ?? []
    const visited: [number, number][] = []
    for (const [chunkOffset, chunkStride, selectionOffset, length] of runsOf(part)) {
      for (let i = 0; i < length; i++) visited.push([selectionOffset + i, chunkOffset + i * chunkStride])
    }
    const lastVisits = new Map(visited.map(([position, offset]) => [offset, position]))
    const lastSelected = new Map(elements.map(([position, offset]) => [offset, position]))
    visited.sort((a, b) => a[0] - b[0])
    const offsets = elements.map(([, offset]) => offset)
    return {
      found: [part.count, part.first, part.end, part.covers, visited, lastVisits],
      expected: [
        elements.length,
        Math.min(...offsets),
        Math.max(...offsets) + 1,
        new Set(offsets).size === elementsInChunk(part.chunk, grid),
        elements,
        lastSelected,
      ],
    }
  })
  expect(summaries.map(({ found }) => found)).toEqual(summaries.map(({ expected }) => expected))
}

describe('planParts', () => {
  test('equals a loop over all selected coordinates, for hyperslabs', () => {
    fc.assert(
      fc.property(hyperslabCase, ({ selection, grid }) => expectParts(selection, grid)),
      { numRuns: 300 },
    )
  })

  test('equals a loop over all selected coordinates, for points', () => {
    fc.assert(
      fc.property(pointsCase, ({ selection, grid }) => expectParts(selection, grid)),
      { numRuns: 300 },
    )
  })

  test('equals a loop over all selected coordinates, for lists among ranges', () => {
    fc.assert(
      fc.property(listsCase, ({ selection, grid }) => expectParts(selection, grid)),
      { numRuns: 600 },
    )
  })

  test('first touches the chunks of a hyperslab in row-major order', () => {
    const parts = [...planParts(slab([0, 0], [1, 1], [4, 6]), { dims: [4, 6], chunkDims: [2, 3] })]
    expect(parts.map(part => part.chunk)).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ])
  })

  test('gives one part with one element for a scalar', () => {
    const [part, ...others] = planParts(slab([], [], []), { dims: [], chunkDims: [] })
    expect(others).toEqual([])
    expect(part).toMatchObject({ chunk: [], count: 1, covers: true, first: 0, end: 1 })
    expect(runsOf(part)).toEqual([[0, 1, 0, 1]])
  })

  test.each<[string, Hyperslab, ChunkGrid, Run[][]]>([
    [
      'a whole chunk as wide as the dataset is one run',
      slab([0, 0], [1, 1], [8, 5]),
      { dims: [8, 5], chunkDims: [4, 5] },
      [[[0, 1, 0, 20]], [[0, 1, 20, 20]]],
    ],
    [
      'a column is one strided run',
      slab([0, 3], [1, 1], [4, 1]),
      { dims: [4, 9], chunkDims: [4, 9] },
      [[[3, 9, 0, 4]]],
    ],
    [
      'a part of a row is a run for each row',
      slab([1, 1], [1, 1], [2, 3]),
      { dims: [4, 9], chunkDims: [4, 9] },
      [
        [
          [10, 1, 0, 3],
          [19, 1, 3, 3],
        ],
      ],
    ],
    [
      'adjacent blocks are one run',
      slab([0], [3], [3], [3]),
      { dims: [9], chunkDims: [9] },
      [[[0, 1, 0, 9]]],
    ],
    ['zero counts give no parts', slab([0, 0], [1, 1], [0, 3]), { dims: [4, 9], chunkDims: [4, 9] }, []],
    [
      'a stride beyond the chunk skips the chunks between',
      slab([0], [1e12], [3]),
      { dims: [1e13], chunkDims: [10] },
      [[[0, 1, 0, 1]], [[0, 1, 1, 1]], [[0, 1, 2, 1]]],
    ],
    [
      'extents near 2^53 are exact',
      slab([2 ** 53 - 5], [1], [3]),
      { dims: [2 ** 53 - 1], chunkDims: [2 ** 52] },
      [[[2 ** 52 - 5, 1, 0, 3]]],
    ],
  ])('%s', (_, selection, grid, expected) => {
    expect([...planParts(selection, grid)].map(runsOf)).toEqual(expected)
  })

  test('many coordinates are sorted in steps, and parts can be gone through again', () => {
    const coordinates = Float64Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 1e9)
    const steps = planInSteps({ kind: 'points', rank: 1, coordinates }, { dims: [1e9], chunkDims: [1000] })
    let count = 0
    let step = steps.next()
    for (; !step.done; step = steps.next()) count++
    expect(count).toBeGreaterThan(20)
    const plan = step.value
    const total = () => [...plan].reduce((sum, part) => sum + part.count, 0)
    expect([total(), total()]).toEqual([100_000, 100_000])
  })

  test('points that cover a large chunk are looked at in steps, and the parts are made at once', () => {
    const length = 2 ** 20
    const all = Float64Array.from({ length }, (_, i) => (i * 7919) % length)
    const withGap = all.map(coordinate => (coordinate === 5 ? 6 : coordinate))
    for (const [coordinates, covers] of [
      [all, true],
      [withGap, false],
    ] as const) {
      const steps = planInSteps(
        { kind: 'points', rank: 1, coordinates },
        { dims: [length], chunkDims: [length] },
      )
      let count = 0
      let step = steps.next()
      for (; !step.done; step = steps.next()) count++
      expect(count).toBeGreaterThan((4 * length) / 2 ** 14 - 1)
      expect([...step.value]).toMatchObject([{ count: length, covers, first: 0, end: length }])
    }
  })

  test('the first chunk of an enormous selection is found at once', () => {
    const [part] = planParts(slab([0, 0], [1, 1], [2 ** 26, 2 ** 26]), {
      dims: [2 ** 26, 2 ** 26],
      chunkDims: [1000, 1000],
    })
    expect(part).toMatchObject({ count: 1e6, covers: true })
  })
})
