// The interface of an index of chunks, whatever stores them: the records of the store (chunk-records/record-index.ts)
// or the index of a mounted file (mounts/values/file-chunks.ts). An index says where the bytes of a chunk are, or which
// element the whole chunk repeats.

import type { TargetRange } from '@hyperslab/base/bounded'
import type { Elements, FieldCopy } from '@hyperslab/model/values'
import type { ListStored } from './portions.ts'

export interface ChunkIndex {
  /** Chunks that are looked up at once. */
  readonly lookups: number
  /** True: every element inside the extents is stored. */
  readonly isComplete: boolean
  /** Looks chunks up, in the order of `chunks`; undefined: the chunk is not stored. */
  find(chunks: readonly (readonly number[])[]): Promise<readonly (FoundChunk | undefined)[]>
  /** All stored chunks, or those of the span, in the order of their coordinates. */
  all(span?: ChunkSpan): AsyncIterable<ListedChunk>
  /** Lists the stored chunks; absent: looking chunks up is as cheap. */
  readonly listStored?: ListStored
}

/** A part of a list of chunks that is in the order of their coordinates. */
export interface ChunkSpan {
  /** The first one; default: that of the list. */
  readonly from?: readonly number[] | undefined
  /** The number of chunks; default: all that follow. */
  readonly count?: number | undefined
}

export type FoundChunk = WholeChunk | PatchedChunk

/** A chunk without patches. */
export type WholeChunk = StoredChunk | RepeatedChunk

export interface ListedChunk {
  readonly coordinates: readonly number[]
  readonly chunk: FoundChunk
}

/** A chunk of which all elements are the same one. */
export interface RepeatedChunk {
  readonly element: Elements
  /**
   * Extents of the part of the chunk, from its first element on, that repeats the element; the rest has the fill value.
   */
  readonly inside: readonly number[]
}

/** A chunk of which some elements were written after the others, and are kept beside them. */
export interface PatchedChunk {
  /** The chunk under the patches; undefined: it is not stored. */
  readonly base: WholeChunk | undefined
  /**
   * At least the patches that have elements between two offsets of the chunk, in the order of writing. Throws if one of
   * them is damaged.
   */
  patches(first: number, end: number): AsyncIterable<Patch>
}

/** Elements of a chunk that were written together. */
export interface Patch {
  /** For each run the offset of its first element in the chunk, its stride in elements, and its length. */
  readonly runs: readonly number[]
  /** The elements in the order of the runs: at least the requested ones, from the one with the number `from` on. */
  readonly elements: Elements
  readonly from: number
  /** The fields that were written; undefined: all. */
  readonly fields: FieldCopy | undefined
}

/** A chunk that has bytes: the packed elements, cut after the last one that is stored, and then their heap. */
export interface StoredChunk {
  /** Bytes of the elements. */
  readonly dataLength: number
  readonly heapLength: number
  /** Absent: the bytes are stored as they are. */
  readonly filtered?: FilteredLength | undefined
  /** All bytes, if the look-up has returned them and they went through no filter. */
  readonly values?: Uint8Array | undefined
  /** A name that is the same only for the same bytes. */
  readonly name: string
  /**
   * The position of the stored bytes in the file that the domain is or was imported from. Absent: they are not in it.
   */
  readonly position?: number | undefined
  /** Fills `into` with stored bytes from `position` on. Throws if there are too few. */
  read(position: number, into: Uint8Array): Promise<void>
  /** Reads many short ranges. Absent: each costs as much as a call of `read`. */
  readonly readRanges?: ReadRanges | undefined
  /** All stored bytes, in `into` if it is given; compared with their checksums if they have some. */
  readAll(into?: Uint8Array): Promise<Uint8Array>
  /** The error for bytes that the filters cannot decode. `chunk` names the chunk in a message. */
  damaged(chunk: string, reason: string, cause: unknown): Error
}

/** Fills parts of `into`. Throws if there are too few bytes. */
export type ReadRanges = (ranges: readonly TargetRange[], into: Uint8Array) => Promise<void>

export interface FilteredLength {
  /** Bytes that are stored. */
  readonly length: number
  /** Bit i is set: filter i of the dataset was not applied. */
  readonly mask: number
}
