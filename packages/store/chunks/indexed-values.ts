// The values of one dataset, read through an index of its chunks: of the store, or of a mounted file.

import type { AbortCheck } from '@hyperslab/base/bounded'
import type { Selection } from '@hyperslab/model/selection'
import type { Piece } from '@hyperslab/model/values'
import type { ChunkSpan } from './chunk-index.ts'
import type { ChunkedDataset, ChunkLayout } from './chunk-layout.ts'
import { type ChunkOnDisk, findChunk } from './found-frames.ts'
import { type PlacedChunk, placedChunks } from './placed-chunks.ts'
import { type ReadParts, readSelection } from './read-values.ts'
import { type ChunkBytes, storedChunks } from './stored-chunks.ts'

export class IndexedValues {
  readonly #layout: ChunkLayout
  readonly #parts: ReadParts

  constructor(layout: ChunkLayout, parts: ReadParts) {
    this.#layout = layout
    this.#parts = parts
  }

  /** Reads a selection. The bytes of a piece are valid until the next one is requested. */
  read(selection: Selection, signal?: AbortCheck): AsyncIterable<Piece> {
    return readSelection(this.#parts, this.#layout, selection, signal)
  }

  /** The chunks as bytes that can be put into a file, in the order of their coordinates. */
  chunks(dataset: ChunkedDataset, span?: ChunkSpan): AsyncIterable<ChunkBytes> {
    return storedChunks(this.#parts, this.#layout, dataset, span)
  }

  /** One chunk as it is stored; undefined: it is not stored and has the fill value. */
  chunkOnDisk(coordinates: readonly number[]): Promise<ChunkOnDisk | undefined> {
    return findChunk(this.#parts, this.#layout, coordinates)
  }

  /** The chunks with their places in the file that holds them, in the order of their coordinates. */
  places(): AsyncIterable<PlacedChunk> {
    return placedChunks(this.#parts.index)
  }
}
