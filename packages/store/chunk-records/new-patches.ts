// The patches that a transaction adds to chunks: which parts of which chunks become patches, where their bytes are, and
// how they come to their chunks at the commit.

import { hasUnavailable } from '@hyperslab/h5/filters'
import { chunkItemSize } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { type ChunkLayout, chunkElements, usedElements } from '../chunks/chunk-layout.ts'
import { elementsBytes } from '../chunks/read-chunk.ts'
import { newVersion } from '../records/blob-name.ts'
import { decodeCoordinates } from './chunk-key.ts'
import { type ChunkAddress, chunkKey, type PatchNumbers, valuesName } from './chunk-record.ts'
import type { ChunkValues, ChunkValuesParts } from './chunk-values.ts'
import type { Fragment } from './open-chunks.ts'
import { addPatch, encodePatch, type GivenPatch, joinFragments, type WrittenElements } from './patches.ts'

/**
 * A chunk has room for this many patches of the longest kind, in keys and in blobs: longer parts are better written
 * with the whole chunk. A chunk that goes through filters takes longer to be written.
 */
const LEAST_PATCHES = 4
const LEAST_IN_BLOBS = 3
const LEAST_IN_BLOBS_IF_FILTERED = 2

/** A chunk with at most this many bytes inside the extents, a page of LMDB, is written whole. */
const SHORT_CHUNK_BYTES = 4096

/** The chunks with patches, which are folded in the background (folds.ts). */
export interface PatchedChunks {
  /** Notes the patches of a chunk after this process has committed the last of them. */
  note(layout: ChunkLayout, address: ChunkAddress, patches: PatchNumbers): void
  /** Whether the chunk has far more patches than it should, as far as this process knows. */
  isBehind(address: ChunkAddress): boolean
}

export interface NewPatchesParts extends ChunkValuesParts {
  /** Absent: chunks get no patches. */
  readonly folds?: PatchedChunks | undefined
}

/** A patch that is not yet part of the transaction. */
export interface NewPatch {
  readonly layout: ChunkLayout
  readonly address: ChunkAddress
  readonly patch: GivenPatch
}

export class NewPatches {
  readonly #parts: NewPatchesParts
  readonly #values: ChunkValues

  constructor(parts: NewPatchesParts, values: ChunkValues) {
    this.#parts = parts
    this.#values = values
  }

  /**
   * The written part of a chunk as a patch; its blob, if it has one, is durable. Undefined: the part is too large for a
   * patch, or the chunk is too small or has too many patches already; then the whole chunk is written.
   */
  async make(
    layout: ChunkLayout,
    address: ChunkAddress,
    type: Datatype,
    fields: readonly string[] | undefined,
    fragments: readonly Fragment[],
  ): Promise<NewPatch | undefined> {
    const bytes = fragments.reduce((sum, { elements }) => sum + elementsBytes(elements), 0)
    const isTaken = this.takes(layout, bytes) || this.#takesInBlob(layout, bytes)
    if (!isTaken || this.#hasFewElements(layout, address)) return undefined
    // A chunk that an earlier part of a shared write has changed is stored once, after all parts.
    const { folds, held } = this.#parts
    if (folds?.isBehind(address) || held?.has(address)) return undefined
    const written = joinFragments(type, fields, fragments)
    const patch = this.#short(layout, written, bytes) ?? (await this.#inBlob(layout, address, written))
    if (patch === undefined) return undefined
    this.#values.addInline(patch.bytes.length)
    this.#values.limit.addStored(patch.bytes.length + (patch.blob?.bytes ?? 0))
    return { layout, address, patch }
  }

  /** Whether a patch of `bytes` bytes, in a key, costs less than a chunk of the layout. */
  takes(layout: ChunkLayout, bytes: number): boolean {
    return bytes <= Math.min(this.#values.inlineRoom, this.#patchableBytes(layout) / LEAST_PATCHES)
  }

  /** Adds the patches to their chunks, as these are at the commit. */
  apply(patches: readonly NewPatch[]): void {
    const { transaction, held, folds, maxInlineBytes } = this.#parts
    for (const { layout, address, patch } of patches) {
      let numbers: PatchNumbers | undefined
      const note = (found: PatchNumbers): void => {
        numbers = found
      }
      const shared = held?.patchOf(address, maxInlineBytes)
      const version = newVersion(transaction.random)
      transaction.amend(chunkKey(address), addPatch(address, patch, version, note, shared))
      transaction.afterCommit(() => {
        if (numbers) folds?.note(layout, address, numbers)
      })
    }
  }

  #short(layout: ChunkLayout, written: WrittenElements, bytes: number): GivenPatch | undefined {
    if (!this.takes(layout, bytes)) return undefined
    const patch = encodePatch(written)
    return this.takes(layout, patch.bytes.length) ? patch : undefined
  }

  async #inBlob(
    layout: ChunkLayout,
    address: ChunkAddress,
    written: WrittenElements,
  ): Promise<GivenPatch | undefined> {
    const version = newVersion(this.#parts.transaction.random)
    const patch = encodePatch(written, version)
    const { data, heap } = written.elements
    // It may have very many runs.
    const isShort = patch.bytes.length <= this.#values.inlineRoom
    if (!isShort || !this.#takesInBlob(layout, data.length + heap.length)) return undefined
    await this.#values.putForGood(valuesName(address, { version }), [data, heap])
    return patch
  }

  #takesInBlob(layout: ChunkLayout, bytes: number): boolean {
    const least = layout.pipeline ? LEAST_IN_BLOBS_IF_FILTERED : LEAST_IN_BLOBS
    return bytes <= this.#patchableBytes(layout) / least
  }

  /** Whether storing all elements of a chunk inside the extents costs hardly more than a patch. */
  #hasFewElements(layout: ChunkLayout, { coordinates }: ChunkAddress): boolean {
    const elements = usedElements(layout.grid, decodeCoordinates(coordinates))
    const bytes = elements * chunkItemSize(layout.type)
    return layout.pipeline === undefined && bytes <= Math.min(SHORT_CHUNK_BYTES, this.#parts.maxInlineBytes)
  }

  /** Bytes of a chunk that may have patches; negative: such chunks get no patches. */
  #patchableBytes(layout: ChunkLayout): number {
    const { transaction, folds, maxInlineBytes } = this.#parts
    if (folds === undefined || transaction.isFilling(layout.dataset)) return -1
    // A patch over a chunk that nobody can decode could never be read.
    if (layout.pipeline && hasUnavailable(layout.pipeline)) return -1
    const bytes = chunkElements(layout.grid) * chunkItemSize(layout.type)
    return bytes > maxInlineBytes ? bytes : -1
  }
}
