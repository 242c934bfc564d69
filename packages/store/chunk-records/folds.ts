// Folding in the background: chunks with many patches get new values that include the patches. A process keeps the
// chunks with patches that it has written or read in memory only. So patches of a process that has ended are folded
// after the chunk was read or written again, and cost nothing until then.
//
// A chunk is folded when its patches make reads slower, or when they have so much data that new values cost little
// more; and when nothing was written into it for a while. When folding is too slow, writes replace whole chunks again
// (NewPatches.make): so the patches have a limit, and a client that writes waits for the disk.

import { BoundedMap, ByteGate } from '@hyperslab/base/bounded'
import type { CancelTimer } from '@hyperslab/base/clock'
import { chunkItemSize } from '@hyperslab/model/dataset'
import type { ChunkFilters } from '../chunks/chunk-filters.ts'
import { type ChunkLayout, chunkElements, layoutOfChunks } from '../chunks/chunk-layout.ts'
import { objectKey } from '../records/keys.ts'
import { decodeObject } from '../records/objects.ts'
import { Transaction, type TransactionParts } from '../transaction/transaction.ts'
import { type ChunkAddress, nameOfChunk, type PatchNumbers } from './chunk-record.ts'
import { ChunkValues } from './chunk-values.ts'
import { foldChunk } from './fold-chunk.ts'
import type { PatchedChunks } from './new-patches.ts'
import { patchesAfter } from './patches.ts'
import { OpenChunkCount, WriteLimit } from './write-limit.ts'

export interface FoldsParts {
  /** The parts of the folds' transactions. */
  readonly base: TransactionParts
  readonly filters: ChunkFilters
  readonly maxInlineBytes: number
  readonly pieceBytes: number
  readonly report: (error: unknown) => void
}

const MOST_PATCHES = 128
/**
 * The share of the bytes of a chunk at which its patches are folded: then a fold writes twice the bytes that were
 * written as patches in keys, all of which a read goes through, or as many bytes if the patches are in blobs.
 */
const MOST_OF_CHUNK = 1 / 2
const MOST_OF_CHUNK_IN_BLOBS = 1
/** A chunk with this many times the share must wait for a fold. */
const BEHIND = 4
/**
 * The time without writes before a chunk is folded, and the least size of its patches for that, as a share of the
 * above.
 */
const REST_MILLISECONDS = 60_000
const LEAST_SIZE = 1 / 8
const ROUND_MILLISECONDS = 10_000
/** The pause after a failure: the disk may be full, or the values damaged. */
const RETRY_MILLISECONDS = 10_000
const PARALLEL = 2
/**
 * Bytes of memory for folding chunks with patches; a chunk that needs more is folded alone: twice its length, behind
 * filters four times (docs/decisions/068).
 * @limit memory, bytes
 */
const MAX_BYTES_AT_ONCE = 64 * 2 ** 20
/**
 * Copies of a chunk in memory during a fold. Values of fixed size without filters are read once, and get the patches,
 * of which two are read at once, a third of the chunk each. Others are decoded, copied and encoded too.
 */
const COPIES_IF_PLAIN = 2
const COPIES = 4
/** Chunks that a process keeps in memory. Others keep their patches until more is written. */
const MOST_CHUNKS = 20_000

interface KnownChunk {
  readonly address: ChunkAddress
  readonly chunkBytes: number
  /** Bytes of memory that a fold takes. */
  readonly foldBytes: number
  patches: PatchNumbers | undefined
  /** The time of the last patch. */
  touched: number
  retryAt: number
  isFolding: boolean
  /** Whether this process has written patches into it, and so knows the newest ones. */
  isWritten: boolean
}

export class Folds implements PatchedChunks {
  readonly #parts: FoldsParts
  /** Chunks with patches that wait to be folded. @limit memory, chunks */
  readonly #known = new BoundedMap<string, KnownChunk>(MOST_CHUNKS)
  readonly #waiting: KnownChunk[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #gate = new ByteGate(MAX_BYTES_AT_ONCE)
  readonly #endRounds: CancelTimer
  #isStopped = false

  constructor(parts: FoldsParts) {
    this.#parts = parts
    this.#endRounds = parts.base.clock.every(ROUND_MILLISECONDS, () => void this.foldResting())
  }

  note(layout: ChunkLayout, address: ChunkAddress, patches: PatchNumbers): void {
    const name = nameOfChunk(address)
    let chunk = this.#known.use(name)
    if (chunk === undefined) {
      chunk = knownChunk(layout, address, patches)
      this.#known.set(name, chunk)
    }
    chunk.patches = patches
    chunk.isWritten = true
    chunk.touched = this.#parts.base.clock.elapsed()
    if (sizeOf(chunk) >= 1 && chunk.touched >= chunk.retryAt) this.#begin(chunk)
  }

  /**
   * Notes the patches that a read has found, perhaps in an older state: those of another process, which may have ended.
   * They are folded when reads have found no others for a while.
   */
  noteRead(layout: ChunkLayout, address: ChunkAddress, patches: PatchNumbers): void {
    const name = nameOfChunk(address)
    const known = this.#known.get(name)
    if (known && (known.isWritten || known.isFolding || known.patches?.to === patches.to)) return
    const touched = this.#parts.base.clock.elapsed()
    this.#known.set(name, { ...knownChunk(layout, address, patches), touched, isWritten: false })
  }

  isBehind(address: ChunkAddress): boolean {
    const chunk = this.#known.get(nameOfChunk(address))
    return chunk !== undefined && sizeOf(chunk) >= BEHIND
  }

  /**
   * Folds the known chunks into which nothing was written for `rest` milliseconds, and forgets those of a size of at
   * most `least`. Resolves when nothing is being folded any more.
   */
  async foldResting(rest = REST_MILLISECONDS, least = LEAST_SIZE): Promise<void> {
    const now = this.#parts.base.clock.elapsed()
    this.#known.forgetIf(chunk => {
      if (now - chunk.touched < rest || now < chunk.retryAt || chunk.isFolding) return false
      if (sizeOf(chunk) <= least) return true
      this.#begin(chunk)
      return false
    })
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Resolves when nothing is being folded any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#endRounds()
    this.#waiting.length = 0
    await Promise.all(this.#running)
  }

  #begin(chunk: KnownChunk): void {
    if (chunk.isFolding || this.#isStopped) return
    chunk.isFolding = true
    this.#waiting.push(chunk)
    this.#runNext()
  }

  #runNext(): void {
    while (this.#running.size < PARALLEL) {
      const chunk = this.#waiting.shift()
      if (chunk === undefined) return
      const running = this.#gate
        .pass(chunk.foldBytes, () => this.#fold(chunk))
        .catch((error: unknown) => {
          chunk.retryAt = this.#parts.base.clock.elapsed() + RETRY_MILLISECONDS
          this.#parts.report(error)
        })
        .finally(() => {
          this.#running.delete(running)
          chunk.isFolding = false
          if (sizeOf(chunk) >= 1 && this.#parts.base.clock.elapsed() >= chunk.retryAt) this.#begin(chunk)
          this.#runNext()
        })
      this.#running.add(running)
    }
  }

  async #fold(chunk: KnownChunk): Promise<void> {
    const { base, filters, maxInlineBytes, pieceBytes, report } = this.#parts
    const { address } = chunk
    const folded = chunk.patches
    const transaction = new Transaction(base)
    try {
      const record = await transaction.glance(objectKey(address.dataset, 'record'))
      const dataset = record && decodeObject(address.dataset, record)
      if (dataset?.kind === 'dataset') {
        // The bytes stored here were counted when they were written.
        const limit = new WriteLimit(Infinity, new OpenChunkCount())
        const { blobs } = base.engine
        const values = new ChunkValues({ transaction, blobs, filters, maxInlineBytes, limit })
        await foldChunk(transaction, values, layoutOfChunks(dataset, pieceBytes), address)
        if (!(await transaction.commit(() => false))) throw new Error('a fold has found a conflict')
      }
    } finally {
      await transaction.end().catch(report)
    }
    chunk.patches = folded && chunk.patches && patchesAfter(folded, chunk.patches)
    if (chunk.patches === undefined) this.#known.forget(nameOfChunk(address))
  }
}

function knownChunk(layout: ChunkLayout, address: ChunkAddress, patches: PatchNumbers): KnownChunk {
  const chunkBytes = chunkElements(layout.grid) * chunkItemSize(layout.type)
  const isPlain = layout.pipeline === undefined && !layout.isVariableSize
  const foldBytes = chunkBytes * (isPlain ? COPIES_IF_PLAIN : COPIES)
  return {
    address,
    chunkBytes,
    foldBytes,
    patches,
    touched: 0,
    retryAt: 0,
    isFolding: false,
    isWritten: true,
  }
}

/** The size of the patches of a chunk; 1 or more: it is folded. */
function sizeOf({ patches, chunkBytes }: KnownChunk): number {
  if (patches === undefined) return 0
  const { from, to, bytes, blobs } = patches
  const inBlobs = blobs?.bytes ?? 0
  const share = (bytes - inBlobs) / MOST_OF_CHUNK + inBlobs / MOST_OF_CHUNK_IN_BLOBS
  return Math.max((to - from) / MOST_PATCHES, share / chunkBytes)
}
