// The sources of values: a dataset as the file stores it, the bytes of the file, and decoded chunks.

import { BoundedMap, nextTurn } from '@hyperslab/base/bounded'
import type { Dataspace } from '@hyperslab/model/dataset'
import type { FileDataset, JoinedDataset, ReadCaller } from '../../file-reader.ts'
import { decodeChunk, type EncodedChunk, type Pipeline } from '../../filters/pipeline.ts'
import type { FileType } from '../../format/file-type.ts'
import type { FilterDescription } from '../../format/messages/filters.ts'
import type { Layout } from '../../format/messages/layout.ts'
import type { FileBytes } from '../structures/file-bytes.ts'
import type { CountMembers } from '../structures/member-count.ts'
import type { ExternalRange } from './external.ts'

/** The parts of a dataset that are needed to read its values. */
export interface StoredDataset {
  readonly space: Dataspace
  /** Bytes of an element in the file. */
  readonly elementSize: number
  readonly layout: Layout
  readonly filters: readonly FilterDescription[]
  /** Must be called before its chunks are listed: counts those of an index that was not listed before. */
  readonly beginChunks?: () => CountMembers
  /** One element as the file has it; absent: all bytes zero. */
  readonly fillValue?: Uint8Array
  /** The values of a contiguous dataset are in these parts of other files, one after another. */
  readonly external?: readonly ExternalRange[]
}

/** A dataset in the terms of the model, and the data needed to read its values. */
export interface OpenDataset {
  readonly model: FileDataset
  /** Properties of the file's type that the model's does not have. */
  readonly warnings: readonly string[]
  readonly type: FileType
  readonly stored: StoredDataset
  /** Present: its elements are those of datasets in other files. */
  readonly joined?: JoinedDataset
}

/**
 * Runs the filters of a chunk backwards, perhaps in another thread; returns `length` bytes, or fewer but at least
 * `least`.
 */
export type ChunkDecoder = (
  pipeline: Pipeline,
  chunk: EncodedChunk,
  length: number,
  least: number,
) => Promise<Uint8Array>

/** Reads the values of one file. */
export interface ValueSource {
  readonly bytes: FileBytes
  readonly decode: ChunkDecoder
  /** Decoded chunks of which a box needed a part, by address: the next box may need another. */
  readonly decoded: BoundedMap<number, Uint8Array>
  /** Chunks that are being decoded, by address: boxes that are read beside each other may need the same one. */
  readonly decoding: Map<number, Promise<Uint8Array>>
  /** The chunks that were inflated and kept only up to the extents: their bytes by address. */
  readonly started: Map<number, number>
}

/** Bytes of the decoded chunks that are kept. @limit memory, bytes */
const MAX_DECODED_BYTES = 16 * 2 ** 20

export function openValueSource(bytes: FileBytes, decode: ChunkDecoder = decodeInTurns()): ValueSource {
  /** Decoded chunks of virtual and small reads. @limit speed, bytes, bench/results.md#062-limits-of-speed */
  const decoded = new BoundedMap<number, Uint8Array>(MAX_DECODED_BYTES, { weightOf: chunk => chunk.length })
  return { bytes, decode, decoded, decoding: new Map(), started: new Map() }
}

/** Decodes chunks in this thread, which does other work between two of them. */
export function decodeInTurns(): ChunkDecoder {
  return async (pipeline, chunk, length, least) => {
    await nextTurn()
    return decodeChunk(pipeline, chunk, length, least)
  }
}

export interface ReadOptions extends ReadCaller {
  /** The values are read into this memory if it is long enough: new memory costs more than the copying. */
  readonly into?: Uint8Array | undefined
}
