// The chunks of a joined dataset as its files store them: each chunk of the grid is a chunk of one part.

import { inParallel } from '@hyperslab/base/bounded'
import { firstIndex } from '@hyperslab/model/dataset'
import type {
  Box,
  ChunkCoordinates,
  ChunkRanges,
  ChunkStorage,
  JoinedDataset,
  JoinedPart,
  StoredRange,
} from '../../file-reader.ts'
import { partsOf } from './joined.ts'
import { PARTS_AT_ONCE } from './virtual.ts'

/** The chunks of the dataset of a part, by their coordinates in it. */
export type OpenPart = (part: JoinedPart) => Promise<ChunkRanges>

export function joinedChunks(joined: JoinedDataset, chunks: ChunkStorage, open: OpenPart): ChunkRanges {
  const { parts, axis } = joined
  const length = chunks.chunkDims[axis]
  /** The chunk of a part that is at these coordinates of the grid, or the other way round. */
  const shifted = (chunk: ChunkCoordinates, coordinates: number) =>
    chunk.with(axis, chunk[axis] + coordinates / length)
  const inGrid = (range: StoredRange, { start, sourceStart }: JoinedPart): StoredRange => ({
    ...range,
    coordinates: shifted(range.coordinates, start - sourceStart),
  })
  return {
    ...chunks,
    async *batches(box?: Box) {
      for (const part of partsOf(joined, box)) {
        const { start, count, sourceStart } = part
        const shift = start - sourceStart
        const from = Math.max(start, box?.start[axis] ?? start)
        const end = Math.min(start + count, box ? box.start[axis] + box.count[axis] : start + count)
        const own = box && {
          start: box.start.with(axis, from - shift),
          count: box.count.with(axis, end - from),
        }
        for await (const ranges of (await open(part)).batches(own))
          yield ranges.map(range => inGrid(range, part))
      }
    },
    async find(wanted) {
      const byPart = new Map<JoinedPart, ChunkCoordinates[]>()
      for (const chunk of wanted) {
        const at = chunk[axis] * length
        const part = parts[firstIndex(parts, ({ start, count }) => start + count > at)]
        // No part has it: its elements are the fill value.
        if (!part || part.start > at) continue
        const own = byPart.get(part) ?? []
        byPart.set(part, own)
        own.push(shifted(chunk, part.sourceStart - part.start))
      }
      const found: StoredRange[] = []
      await inParallel(byPart, PARTS_AT_ONCE, async ([part, own]) => {
        for (const range of await (await open(part)).find(own)) found.push(inGrid(range, part))
      })
      return found
    },
  }
}
