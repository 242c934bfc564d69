// Random selections with their grid for the property tests, and the naive model they are compared with.

import fc from 'fast-check'
import { type ChunkGrid, type Selection, selectionShape } from '../../src/hdf5/selection/selection.ts'

export interface Case {
  readonly selection: Selection
  readonly grid: ChunkGrid
}

/** One dimension: small enough for the naive model, every alignment of chunk, block and stride possible. */
const dimension = fc
  .record({
    start: fc.nat(6),
    count: fc.nat(4),
    block: fc.integer({ min: 1, max: 4 }),
    gap: fc.oneof(fc.constant(0), fc.nat(9)),
    rest: fc.nat(4),
    chunk: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ start, count, block, gap, rest, chunk }) => {
    const stride = block + gap
    const extent = start + (count === 0 ? 0 : (count - 1) * stride + block) + rest
    return { start, stride, count, block, extent, chunk }
  })

export const hyperslabCase: fc.Arbitrary<Case> = fc.array(dimension, { maxLength: 4 }).map(dimensions => ({
  selection: {
    kind: 'hyperslab',
    start: dimensions.map(d => d.start),
    stride: dimensions.map(d => d.stride),
    count: dimensions.map(d => d.count),
    block: dimensions.map(d => d.block),
  },
  grid: { dims: dimensions.map(d => d.extent), chunkDims: dimensions.map(d => d.chunk) },
}))

export const pointsCase: fc.Arbitrary<Case> = fc
  .array(fc.record({ extent: fc.integer({ min: 1, max: 7 }), chunk: fc.integer({ min: 1, max: 4 }) }), {
    minLength: 1,
    maxLength: 4,
  })
  .chain(dimensions =>
    fc
      .array(fc.tuple(...dimensions.map(({ extent }) => fc.nat(extent - 1))), { maxLength: 60 })
      .map(points => ({
        selection: {
          kind: 'points' as const,
          rank: dimensions.length,
          coordinates: Float64Array.from(points.flat()),
        },
        grid: { dims: dimensions.map(d => d.extent), chunkDims: dimensions.map(d => d.chunk) },
      })),
  )

/** Every selected coordinate in selection order, by a loop over all of them. */
export function naiveCoordinates(selection: Selection): number[][] {
  if (selection.kind === 'points') {
    const { rank, coordinates } = selection
    return Array.from({ length: coordinates.length / rank }, (_, i) => [
      ...coordinates.subarray(i * rank, (i + 1) * rank),
    ])
  }
  const { start, stride, block } = selection
  let all: number[][] = [[]]
  selectionShape(selection).forEach((positions, d) => {
    const line = Array.from(
      { length: positions },
      (_, i) => start[d] + Math.floor(i / block[d]) * stride[d] + (i % block[d]),
    )
    all = all.flatMap(outer => line.map(coordinate => [...outer, coordinate]))
  })
  return all
}
