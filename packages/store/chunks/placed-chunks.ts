// The stored chunks of a dataset with their places in the file that its domain is: a reader that knows the filters can
// take them from there.

import type { ChunkIndex, FilteredLength } from './chunk-index.ts'

export interface PlacedChunk {
  readonly coordinates: readonly number[]
  /** Absent: the chunk is not in the file as it is stored. */
  readonly place?: ChunkPlace
}

interface ChunkPlace {
  /** The offset from the first byte of the whole file. */
  readonly position: number
  /** Bytes of the elements, cut after the last one inside the extents, or of the whole filtered chunk. */
  readonly length: number
  /** Absent: the bytes went through no filter. */
  readonly filtered?: FilteredLength | undefined
}

/** The chunks in the order of their coordinates. */
export async function* placedChunks(index: ChunkIndex): AsyncGenerator<PlacedChunk> {
  for await (const { coordinates, chunk } of index.all()) {
    if (!('dataLength' in chunk) || chunk.position === undefined || chunk.heapLength > 0) {
      yield { coordinates }
    } else {
      const { position, filtered, dataLength } = chunk
      yield { coordinates, place: { position, length: filtered?.length ?? dataLength, filtered } }
    }
  }
}
