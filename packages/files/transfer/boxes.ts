// Cuts the extents of a dataset into boxes that are small enough to be read and written one after another, along the
// borders of its chunks, so that no chunk is unpacked twice.

import type { Box, StoredChunks } from '@hyperslab/h5/reader'
import { product } from '@hyperslab/model/dataset'
import { allChunks, chunkCounts } from '@hyperslab/model/selection'

/** A chunk is cut only when it is larger than this many boxes. */
export const LARGE_CHUNK = 8

/** The boxes cover every element once; none if an extent is 0. A scalar is one box without dimensions. */
export function* boxesOf(
  dims: readonly number[],
  chunkDims: readonly number[] | undefined,
  maxElements: number,
): Generator<Box> {
  if (dims.includes(0)) return
  const shape = boxShape(dims, chunkDims, maxElements)
  for (const index of allChunks({ dims, chunkDims: shape })) yield boxAt(index, shape, dims)
}

/**
 * Boxes that cover exactly these chunks: those of `boxesOf` whose chunks are all there, single chunks elsewhere.
 * `batches` yields each chunk once, by its coordinates in the grid, and is called twice.
 */
export async function* boxesOfChunks(
  dims: readonly number[],
  chunkDims: readonly number[],
  maxElements: number,
  batches: StoredChunks['batches'],
): AsyncGenerator<Box> {
  const shape = boxShape(dims, chunkDims, maxElements)
  const boxAlong = chunkCounts({ dims, chunkDims: shape })
  const isWhole = shape.every((extent, d) => extent % chunkDims[d] === 0 || extent === dims[d])
  const boxOf = (chunk: readonly number[]) =>
    chunk.map((index, d) => Math.floor((index * chunkDims[d]) / shape[d]))
  const numberOf = (box: readonly number[]) =>
    box.reduce((number, index, d) => number * boxAlong[d] + index, 0)
  /** The number of chunks of each box; 0 once the box has been yielded. */
  const counts = new Map<number, number>()
  if (isWhole) {
    for await (const chunks of batches()) {
      for (const chunk of chunks) {
        const number = numberOf(boxOf(chunk))
        counts.set(number, (counts.get(number) ?? 0) + 1)
      }
    }
  }
  for await (const chunks of batches()) {
    for (const chunk of chunks) {
      const index = boxOf(chunk)
      const number = numberOf(index)
      const box = boxAt(index, shape, dims)
      const inBox = product(chunkCounts({ dims: box.count, chunkDims }))
      const present = counts.get(number)
      if (present === inBox) {
        counts.set(number, 0)
        yield box
      } else if (present !== 0) {
        const { start, count } = boxAt(chunk, chunkDims, dims)
        for (const part of boxesOf(count, count, maxElements)) {
          yield { start: part.start.map((first, d) => first + start[d]), count: part.count }
        }
      }
    }
  }
}

/** The box at an index in a grid of boxes of that shape, cut off at the extents. */
export function boxAt(index: readonly number[], shape: readonly number[], dims: readonly number[]): Box {
  const start = index.map((i, d) => i * shape[d])
  return { start, count: start.map((first, d) => Math.min(shape[d], dims[d] - first)) }
}

/** The most chunks of the file that are read at once. */
const MOST_CHUNKS = 4096

/** Extends a chunk along the last dimension up to its extent, then along the one before, as far as the limit allows. */
export function boxShape(
  dims: readonly number[],
  chunkDims: readonly number[] | undefined,
  maxElements: number,
): readonly number[] {
  const chunk = chunkDims?.map((extent, d) => Math.min(extent, dims[d]))
  const isUsable = chunk !== undefined && product(chunk) <= LARGE_CHUNK * maxElements
  const shape = isUsable ? chunk : dims.map(() => 1)
  const most = isUsable ? Math.min(maxElements, MOST_CHUNKS * product(chunk)) : maxElements
  for (let d = dims.length - 1; d >= 0; d--) {
    const times = Math.floor(most / product(shape))
    if (times <= 1) break
    shape[d] = Math.min(dims[d], shape[d] * times)
    if (shape[d] < dims[d]) break
  }
  return shape
}
