// The elements of chunks that are not stored: for most datasets one element, the fill value or the one that was written
// to the whole dataset.

import { coordinatesWithin } from '@hyperslab/model/dataset'
import { compareChunks, countInBox } from '@hyperslab/model/selection'
import { type Elements, repeatElement } from '@hyperslab/model/values'
import type { ChunkLayout, DatasetFill } from './chunk-layout.ts'
import type { ListStored } from './portions.ts'

/** The element of all chunks that `listWritten` does not list. Undefined: they have others. */
export function missingElement(layout: ChunkLayout): Elements | undefined {
  const { type, fillValue, filled, initializer } = layout
  if (initializer) return undefined
  if (filled && coversAll(layout, filled)) return filled.element
  return fillValue ?? repeatElement(type, undefined, 1)
}

function coversAll({ grid }: ChunkLayout, { dims }: DatasetFill): boolean {
  return grid.dims.every((extent, d) => extent <= dims[d])
}

/**
 * Lists the stored chunks, and those with the element that was written to the whole dataset before it grew; all others
 * have the fill value.
 */
export function listWritten(layout: ChunkLayout, listStored: ListStored): ListStored {
  const { filled } = layout
  const { chunkDims } = layout.grid
  if (!filled || coversAll(layout, filled)) return listStored
  return async ({ low, high }, most) => {
    const ends = high.map((end, d) => Math.min(end, Math.ceil(filled.dims[d] / chunkDims[d])))
    if (ends.some((end, d) => end <= low[d])) return listStored({ low, high }, most)
    if (countInBox({ low, high: ends }) > most) return undefined
    const stored = await listStored({ low, high }, most)
    if (!stored) return undefined
    const all = new Map(stored.map(chunk => [chunk.join(), chunk]))
    const counts = ends.map((end, d) => end - low[d])
    for (const offset of coordinatesWithin(counts)) {
      const chunk = offset.map((index, d) => low[d] + index)
      all.set(chunk.join(), chunk)
    }
    return [...all.values()].sort(compareChunks)
  }
}
