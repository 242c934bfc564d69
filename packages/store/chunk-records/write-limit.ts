// The limit of the bytes that one write may store: the setting max_write_bytes. The unfiltered bytes of the changed
// chunks count; each chunk counts as CHUNK_COST at least, because its record and its state until the commit (about 1.5
// kB) take time and memory whatever its size. For the same reason there is a limit of the chunks of all running writes.

import { type AbortCheck, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type ChunkGrid, type ChunkPart, type Selection, selectionCount } from '@hyperslab/model/selection'
import { type ChunkLayout, chunkElements, usedElements } from '../chunks/chunk-layout.ts'

const CHUNK_COST = 2 ** 17
/** Chunks that all writes together may have changed and not committed: some 400 MB. @limit memory, chunks */
const MAX_OPEN_CHUNKS = 2 ** 18

/** Shared by all writes of a store. */
export class OpenChunkCount {
  chunks = 0
}

export class WriteLimit {
  readonly #maxBytes: number
  readonly #open: OpenChunkCount
  #bytes = 0
  #chunks = 0

  constructor(maxBytes: number, open: OpenChunkCount) {
    this.#maxBytes = maxBytes
    this.#open = open
  }

  /** Counts a chunk that is stored and holds a number of bytes. Fails when that is too much. */
  addStored(chunkBytes: number): void {
    this.#bytes += Math.max(chunkBytes, CHUNK_COST)
    this.#require(this.#bytes)
    this.addChanged()
  }

  /** Counts a chunk that is changed or dropped. Fails when there are too many. */
  addChanged(): void {
    this.#chunks++
    this.#open.chunks++
    if (this.#chunks > MAX_OPEN_CHUNKS) {
      throw new HyperslabError(
        'write-too-large',
        `the write would change more than ${MAX_OPEN_CHUNKS} chunks: change fewer at once`,
      )
    }
    if (this.#open.chunks > MAX_OPEN_CHUNKS) {
      throw new HyperslabError(
        'too-busy',
        `this write and others at the same time would change more than ${MAX_OPEN_CHUNKS} chunks: try again`,
      )
    }
  }

  /** The write is over. */
  end(): void {
    this.#open.chunks -= this.#chunks
    this.#chunks = 0
  }

  /**
   * Fails if the chunks of the selection, which `plan` has, exceed the limit, before any of them is stored. With
   * `isRepeated`, chunks that are covered hold one element. Data of variable size count when they are stored.
   */
  async requireRoom(
    layout: ChunkLayout,
    selection: Selection,
    plan: Iterable<ChunkPart>,
    isRepeated: boolean,
    signal?: AbortCheck,
  ): Promise<void> {
    const { grid, elementSize } = layout
    const most = chunksAtMost(selection, grid) * Math.max(chunkElements(grid) * elementSize, CHUNK_COST)
    if (this.#bytes + most <= this.#maxBytes) return
    let bytes = this.#bytes
    for (const { chunk, covers } of plan) {
      const held = isRepeated && covers ? 0 : usedElements(grid, chunk) * elementSize
      bytes += Math.max(held, CHUNK_COST)
      this.#require(bytes)
      signal?.throwIfAborted()
      if (isTurnOver()) await nextTurn()
    }
  }

  #require(bytes: number): void {
    if (bytes <= this.#maxBytes) return
    throw new HyperslabError(
      'write-too-large',
      `the write would store more than ${this.#maxBytes} bytes, the setting max_write_bytes (a chunk counts as ` +
        `${CHUNK_COST} at least): write less at once, or raise the setting`,
    )
  }
}

/** An upper bound of the number of chunks that the selection touches. */
function chunksAtMost(selection: Selection, { chunkDims }: ChunkGrid): number {
  const elements = selectionCount(selection)
  if (selection.kind !== 'hyperslab') return elements
  const { start, stride, count, block } = selection
  const within = chunkDims.reduce((chunks, extent, d) => {
    const last = start[d] + (count[d] - 1) * stride[d] + block[d] - 1
    return chunks * (Math.floor(last / extent) - Math.floor(start[d] / extent) + 1)
  }, 1)
  return Math.min(elements, within)
}
