// What a read asks of an index of chunks, whatever keeps them: the records of the store
// (storage/chunks/record-index.ts) or the index of a mounted file (mounts/file-chunks.ts). An index says where the
// bytes of a chunk are, or which element all of it repeats.

import type { TargetRange } from '../bounded/join-ranges.ts'
import type { Elements } from '../hdf5/values/elements.ts'
import type { FieldCopy } from '../hdf5/values/elements-builder.ts'
import type { ListStored } from './portions.ts'

export interface ChunkIndex {
  /** Chunks that are looked up at once. */
  readonly lookups: number
  /** True: every element inside the extents is stored. */
  readonly isComplete: boolean
  /** In the order in which they are asked for; undefined: the chunk is not stored. */
  find(chunks: readonly (readonly number[])[]): Promise<readonly (FoundChunk | undefined)[]>
  /** All that are stored, in the order of their coordinates; with `from`, which is one of them, from it on. */
  all(from?: readonly number[]): AsyncIterable<ListedChunk>
  /** Absent: to look chunks up is as cheap. */
  readonly listStored?: ListStored
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
  /** Extents of the part of the chunk, from its first element on, that is this one; elsewhere it has the fill value. */
  readonly inside: readonly number[]
}

/** A chunk of which some elements were written after the others, and are kept beside them. */
export interface PatchedChunk {
  /** What the patches are laid over; undefined: nothing is stored. */
  readonly base: WholeChunk | undefined
  /**
   * Patches that have elements between two offsets of the chunk, perhaps others too, in the order in which they were
   * written. Throws where one of them is damaged.
   */
  patches(first: number, end: number): AsyncIterable<Patch>
}

/** Elements of a chunk that were written together. */
export interface Patch {
  /** For each run the offset of its first element in the chunk, how many elements it steps on, and its length. */
  readonly runs: readonly number[]
  /** In the order of the runs: those that were asked for at least, from the one with the number `from` on. */
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
  /** All bytes, where they came with the look-up and went through no filter. */
  readonly values?: Uint8Array | undefined
  /** The same only for the same bytes. */
  readonly name: string
  /** Fills `into` with stored bytes from `position` on. Throws where they end before. */
  read(position: number, into: Uint8Array): Promise<void>
  /** The same for many short ranges. Absent: each is as much work as a call of `read`. */
  readonly readRanges?: ReadRanges | undefined
  /** All stored bytes, in `into` if it is given, compared with those that were written where that can be. */
  readAll(into?: Uint8Array): Promise<Uint8Array>
  /** The error for bytes that the filters cannot decode. `chunk` names the chunk in a message. */
  damaged(chunk: string, reason: string, cause: unknown): Error
}

/** Fills parts of `into`. Throws where the bytes end before. */
export type ReadRanges = (ranges: readonly TargetRange[], into: Uint8Array) => Promise<void>

export interface FilteredLength {
  /** Bytes that are stored. */
  readonly length: number
  /** Bit i is set: filter i of the dataset was not applied. */
  readonly mask: number
}
