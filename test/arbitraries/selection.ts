// Random selections with their grid for the property tests, and the naive model they are compared with.

import { type ChunkGrid, type Hyperslab, type Selection, selectionShape } from '@hyperslab/model/selection'
import fc from 'fast-check'

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

type Dimension = Record<'start' | 'stride' | 'count' | 'block', number>

function slabOf(dimensions: readonly Dimension[]): Hyperslab {
  return {
    kind: 'hyperslab',
    start: dimensions.map(d => d.start),
    stride: dimensions.map(d => d.stride),
    count: dimensions.map(d => d.count),
    block: dimensions.map(d => d.block),
  }
}

export const hyperslabCase: fc.Arbitrary<Case> = fc.array(dimension, { maxLength: 4 }).map(dimensions => ({
  selection: slabOf(dimensions),
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

/** Lists in some dimensions of a hyperslab; coordinates in any order, repeated or not. */
export const listsCase: fc.Arbitrary<Case> = fc
  .record({
    dimensions: fc.array(fc.record({ slab: dimension, isListed: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
    length: fc.nat(8),
  })
  .filter(({ dimensions }) => dimensions.some(({ isListed, slab }) => isListed && slab.extent > 0))
  .chain(({ dimensions, length }) => {
    const usable = dimensions.map(({ slab, isListed }) => ({ slab, isListed: isListed && slab.extent > 0 }))
    const listed = usable.flatMap(({ isListed }, d) => (isListed ? [d] : []))
    const rest = usable.filter(({ isListed }) => !isListed).map(({ slab }) => slab)
    const position = fc.tuple(...listed.map(d => fc.nat(usable[d].slab.extent - 1)))
    return fc.array(position, { minLength: length, maxLength: length }).map(positions => ({
      selection: {
        kind: 'lists' as const,
        listed,
        coordinates: Float64Array.from(positions.flat()),
        rest: slabOf(rest),
      },
      grid: {
        dims: usable.map(({ slab }) => slab.extent),
        chunkDims: usable.map(({ slab }) => slab.chunk),
      },
    }))
  })

/** Every selected coordinate in selection order, by a loop over all of them. */
export function naiveCoordinates(selection: Selection): number[][] {
  if (selection.kind === 'lists') {
    const { listed, coordinates, rest } = selection
    const [place] = listed
    const list = naiveCoordinates({ kind: 'points', rank: listed.length, coordinates })
    const shape = selectionShape(rest)
    const positions = (counts: readonly number[], from: number) =>
      naiveCoordinates({
        kind: 'hyperslab',
        start: rest.start.slice(from, from + counts.length),
        stride: rest.stride.slice(from, from + counts.length),
        count: rest.count.slice(from, from + counts.length),
        block: rest.block.slice(from, from + counts.length),
      })
    const rank = listed.length + shape.length
    const others = Array.from({ length: rank }, (_, d) => d).filter(d => !listed.includes(d))
    return positions(shape.slice(0, place), 0).flatMap(outer =>
      list.flatMap(listedCoordinates =>
        positions(shape.slice(place), place).map(inner => {
          const all = new Array<number>(rank)
          for (const [i, d] of listed.entries()) all[d] = listedCoordinates[i]
          for (const [i, d] of others.entries()) all[d] = [...outer, ...inner][i]
          return all
        }),
      ),
    )
  }
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
