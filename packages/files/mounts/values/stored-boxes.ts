// The boxes of a dataset with values that its file, or the sources of a virtual dataset, store. The others are not
// read; their common element is read once.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Box, ChunkCoordinates, StoredChunks } from '@hyperslab/h5/reader'
import { coordinatesWithin } from '@hyperslab/model/dataset'
import { type ChunkBox, type ChunkGrid, compareChunks } from '@hyperslab/model/selection'
import type { Elements } from '@hyperslab/model/values'
import type { ChunkIndex } from '@hyperslab/store/chunks'

export class StoredBoxes {
  /** An element that is not stored; undefined until a list has left out a box. */
  missing: Elements | undefined
  readonly #grid: ChunkGrid
  readonly #stored: StoredChunks
  readonly #readElement: (start: readonly number[]) => Promise<Elements>

  /** `grid`: of the boxes; the chunks of the file may be larger or smaller. */
  constructor(
    grid: ChunkGrid,
    stored: StoredChunks,
    readElement: (start: readonly number[]) => Promise<Elements>,
  ) {
    this.#grid = grid
    this.#stored = stored
    this.#readElement = readElement
  }

  readonly list: NonNullable<ChunkIndex['listStored']> = async (box, most) => {
    const boxes = await this.#find(box, most)
    if (!boxes) return undefined
    const left = this.missing ? undefined : firstLeftOut(box, boxes)
    if (left) this.missing = await this.#readElement(left.map((index, d) => index * this.#grid.chunkDims[d]))
    return boxes
  }

  async #find(box: ChunkBox, most: number): Promise<readonly ChunkCoordinates[] | undefined> {
    const boxes = new Map<string, ChunkCoordinates>()
    try {
      for await (const chunks of this.#stored.batches(this.#elementsOf(box))) {
        for (const chunk of chunks) {
          for (const coordinates of this.#boxesOf(chunk, box)) {
            boxes.set(coordinates.join(), coordinates)
            if (boxes.size > most) return undefined
          }
        }
        if (isTurnOver()) await nextTurn()
      }
    } catch (error) {
      // A virtual dataset with too many mapped chunks to list is read box by box.
      if (error instanceof HyperslabError && error.code === 'type-unsupported') return undefined
      throw error
    }
    return [...boxes.values()].sort(compareChunks)
  }

  #elementsOf({ low, high }: ChunkBox): Box {
    const { dims, chunkDims } = this.#grid
    const start = low.map((index, d) => index * chunkDims[d])
    return { start, count: high.map((end, d) => Math.min(dims[d], end * chunkDims[d]) - start[d]) }
  }

  /** The boxes within `box` that a chunk of the file touches. */
  *#boxesOf(chunk: ChunkCoordinates, { low, high }: ChunkBox): Generator<ChunkCoordinates> {
    const { chunkDims } = this.#grid
    const lengths = this.#stored.chunkDims
    const first = chunk.map((index, d) => Math.max(low[d], Math.floor((index * lengths[d]) / chunkDims[d])))
    const counts = chunk.map(
      (index, d) => Math.min(high[d], Math.ceil(((index + 1) * lengths[d]) / chunkDims[d])) - first[d],
    )
    if (counts.some(count => count <= 0)) return
    for (const offset of coordinatesWithin(counts)) yield offset.map((index, d) => first[d] + index)
  }
}

/** The first chunk of the box that is not in this ordered list. */
function firstLeftOut(
  { low, high }: ChunkBox,
  chunks: readonly ChunkCoordinates[],
): ChunkCoordinates | undefined {
  let next = 0
  for (const offset of coordinatesWithin(high.map((end, d) => end - low[d]))) {
    const chunk = offset.map((index, d) => low[d] + index)
    if (next === chunks.length || compareChunks(chunk, chunks[next]) !== 0) return chunk
    next++
  }
  return undefined
}
