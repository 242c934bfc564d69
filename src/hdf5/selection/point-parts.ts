// Points on a chunk grid: grouped by chunk, their order kept within each. Memory grows with the number of points.

import type { ChunkGrid, ChunkPart, Points, RunVisitor } from './selection.ts'
import { rowMajorStrides } from './selection.ts'

/** A part per chunk that holds points, chunks in row-major order. */
export function* planPoints(points: Points, grid: ChunkGrid): Iterable<ChunkPart> {
  const { rank, coordinates } = points
  const pointCount = coordinates.length / rank
  const chunkCounts = grid.dims.map((extent, dimension) => Math.ceil(extent / grid.chunkDims[dimension]))
  const gridStrides = rowMajorStrides(chunkCounts)
  const chunkStrides = rowMajorStrides(grid.chunkDims)
  const chunkNumbers = new Float64Array(pointCount)
  const chunkOffsets = new Float64Array(pointCount)
  for (let point = 0; point < pointCount; point++) {
    for (let dimension = 0; dimension < rank; dimension++) {
      const coordinate = coordinates[point * rank + dimension]
      const chunk = Math.floor(coordinate / grid.chunkDims[dimension])
      chunkNumbers[point] += chunk * gridStrides[dimension]
      chunkOffsets[point] += (coordinate - chunk * grid.chunkDims[dimension]) * chunkStrides[dimension]
    }
  }
  const order = Float64Array.from(chunkNumbers.keys())
  order.sort((a, b) => chunkNumbers[a] - chunkNumbers[b] || a - b)
  for (let from = 0, to = 0; from < pointCount; from = to) {
    const number = chunkNumbers[order[from]]
    while (to < pointCount && chunkNumbers[order[to]] === number) to++
    const chunk = gridStrides.map((stride, dimension) => Math.floor(number / stride) % chunkCounts[dimension])
    yield pointPart(chunk, order.subarray(from, to), chunkOffsets, grid)
  }
}

/** `order` holds the numbers of the points in this chunk, ascending. */
function pointPart(
  chunk: readonly number[],
  order: Float64Array,
  offsets: Float64Array,
  grid: ChunkGrid,
): ChunkPart {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const point of order) {
    first = Math.min(first, offsets[point])
    last = Math.max(last, offsets[point])
  }
  return {
    chunk,
    count: order.length,
    covers: coversChunk(chunk, order, offsets, grid),
    first,
    end: last + 1,
    runs: visit => visitPoints(order, offsets, visit),
  }
}

function coversChunk(
  chunk: readonly number[],
  order: Float64Array,
  offsets: Float64Array,
  { dims, chunkDims }: ChunkGrid,
): boolean {
  let elements = 1
  chunk.forEach((index, dimension) => {
    elements *= Math.min(chunkDims[dimension], dims[dimension] - index * chunkDims[dimension])
  })
  if (order.length < elements) return false
  const distinct = new Set<number>()
  for (const point of order) distinct.add(offsets[point])
  return distinct.size === elements
}

/** In the order of the points; neighbours in both the chunk and the list are one run. */
function visitPoints(order: Float64Array, offsets: Float64Array, visit: RunVisitor): void {
  for (let from = 0, to = 0; from < order.length; from = to) {
    const point = order[from]
    const offset = offsets[point]
    to = from + 1
    while (
      to < order.length &&
      order[to] === point + (to - from) &&
      offsets[order[to]] === offset + (to - from)
    ) {
      to++
    }
    visit(offset, 1, point, to - from)
  }
}
