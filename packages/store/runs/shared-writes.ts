// Writes that run one after another in one transaction: the holder of a queue's slot runs its own work and that of the
// writes behind it. Each sees the changes of those before it, and one commit makes all of them durable. So a chunk that
// a hundred writes change is stored once. Each work runs in a transaction within the common one: a work that fails
// changes nothing and does not disturb the others. No write ends before the commit.

import { type AbortCheck, inParallel, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Timestamp } from '@hyperslab/model/names'
import { ChunkChanges } from '../chunk-records/chunk-changes.ts'
import { HeldChunks } from '../chunk-records/held-chunks.ts'
import { OpenChunkCount, WriteLimit } from '../chunk-records/write-limit.ts'
import type { Writer } from '../interfaces/store.ts'
import { conflict } from '../transaction/expectations.ts'
import { FreeBytes, HeldBlobs } from '../transaction/held-blobs.ts'
import { Transaction, type TransactionParts } from '../transaction/transaction.ts'
import type { Patience } from './patience.ts'
import { StoreWriter, type WriterParts } from './store-writer.ts'
import { MAX_WORKS, type QueueEntry, type Slot, type WriteQueue, type WriteQueues } from './write-queue.ts'

/** A write that can be run again, also by the holder of another slot. */
export interface Work {
  readonly run: (writer: Writer) => Promise<unknown>
  readonly time: Timestamp | undefined
  readonly signal: AbortCheck | undefined
  /** The patience for runs together with other works; time in a queue does not count. */
  readonly patience: Patience
  /** The outcome of the last run. It is final when the run has been committed, or when no commit is possible. */
  outcome: Outcome | undefined
}

export type Outcome = { readonly result: unknown } | { readonly error: unknown }

export interface SharedWritesParts extends WriterParts {
  /** The parts of the common transactions. */
  readonly base: TransactionParts
  readonly queues: WriteQueues<Work>
  readonly report: (error: unknown) => void
}

/**
 * The time for which works of other writes are run before the commit, since another process may be about to commit.
 * @limit safety, ms
 */
const MAX_MILLISECONDS = 50
/** Works that are run however long they take: on a busy machine 50 milliseconds are over after one. */
const MIN_WORKS = 16
/** Bytes of chunks that all shared writes hold in memory. @limit memory, bytes */
const MAX_HELD_BYTES = 64 * 2 ** 20
const EXCEEDED = Symbol('exceeded')

export class SharedWrites {
  readonly #parts: SharedWritesParts
  readonly #free = new FreeBytes(MAX_HELD_BYTES)
  #retries = 0

  constructor(parts: SharedWritesParts) {
    this.#parts = parts
  }

  /** Works that were run again because another commit got in between. */
  get retries(): number {
    return this.#retries
  }

  /** Runs the work, and works of entries behind it, until they are committed. Then releases the slot. */
  async runWorks(acquired: Slot<Work>, work: Work): Promise<void> {
    const { queues, base } = this.#parts
    let slot = acquired
    let begun = 0
    let shared = 1
    try {
      for (;;) {
        const others: WorkEntry[] = []
        begun = base.clock.elapsed()
        const key = await this.#commitTogether(slot.queue, work, others)
        if (key === EXCEEDED) {
          // Together the works exceed a quota: each is run alone, so that those for which there is room succeed.
          slot.queue.maxWorks = 1
          slot.queue.putBackEntries(others)
          continue
        }
        slot.queue.maxWorks = nextMaxWorks(slot.queue.maxWorks, others.length + 1, key !== undefined)
        if (key === undefined) {
          shared = others.length + 1
          return
        }
        this.#retries += others.length + 1
        const left = others.filter(other => other.work.patience.isLeft() || failEntry(other, conflict()))
        slot.queue.putBackEntries(left)
        if (!work.patience.isLeft()) throw conflict()
        await work.patience.wait(base.random)
        slot = await queues.acquireSlot(key, slot)
      }
    } catch (error) {
      work.outcome = { error }
    } finally {
      slot.releaseAfter(shared, base.clock.elapsed() - begun)
    }
  }

  /**
   * Returns the key that another commit has changed; undefined: all is committed. `others` gets the entries that ran.
   * `EXCEEDED`: together they exceed a quota, and nothing was committed.
   */
  async #commitTogether(
    queue: WriteQueue<Work>,
    first: Work,
    others: WorkEntry[],
  ): Promise<string | typeof EXCEEDED | undefined> {
    const { base, filters, maxInlineBytes, report } = this.#parts
    const blobs = new HeldBlobs(base.engine.blobs, this.#free)
    const held = new HeldChunks(blobs)
    const claimKey = (key: string) => void queue.claimKey(key)
    const common = new Transaction({ ...base, engine: { ...base.engine, blobs }, claimKey })
    try {
      await this.#run(first, common, held)
      // The time counts from the end of the first work, which may have waited long for the disk; its records are in
      // memory for the others.
      const until = base.clock.elapsed() + MAX_MILLISECONDS
      while (
        others.length + 1 < queue.maxWorks &&
        (others.length + 1 < MIN_WORKS || base.clock.elapsed() < until)
      ) {
        const next = queue.takeEntry()
        if (next === undefined) break
        others.push(next)
        await nextTurn()
        await this.#run(next.work, common, held)
      }
      blobs.stop()
      // The bytes stored here were counted when they were held.
      const limit = new WriteLimit(Infinity, new OpenChunkCount())
      const chunks = new ChunkChanges({ transaction: common, blobs, filters, maxInlineBytes, limit })
      await inParallel(held.all(), blobs.parallelism, chunk => chunks.settle(chunk, blobs))
      if (!(await common.commit(() => false))) return common.conflict
      for (const { resume } of others) resume(undefined)
      return undefined
    } catch (error) {
      const isExceeded = error instanceof HyperslabError && error.code === 'quota-exceeded'
      if (isExceeded && others.length > 0) return EXCEEDED
      for (const other of others) failEntry(other, error)
      throw error
    } finally {
      await common.end().catch(report)
      blobs.close()
    }
  }

  /** Runs a work within the common transaction, in which a failure changes nothing. */
  async #run(work: Work, common: Transaction, held: HeldChunks): Promise<void> {
    const { base: _, ...parts } = this.#parts
    const transaction = common.within(work.time)
    const writer = new StoreWriter(transaction, { ...parts, blobs: held.blobs, held }, work.signal)
    try {
      const result = await work.run(writer)
      await transaction.commit(() => false)
      work.outcome = { result }
    } catch (error) {
      work.outcome = { error }
    } finally {
      await transaction.end().catch(this.#parts.report)
      writer.end()
    }
  }
}

/**
 * The number of works of the next commit: after a conflict with another process half as many, because a smaller commit
 * succeeds more often.
 */
function nextMaxWorks(maxWorks: number, done: number, isConflict: boolean): number {
  return isConflict ? Math.max(1, Math.floor(done / 2)) : Math.min(MAX_WORKS, 2 * maxWorks)
}

/** An entry whose work is run by the holder of the slot. */
type WorkEntry = QueueEntry<Work> & { readonly work: Work }

function failEntry({ work, resume }: WorkEntry, error: unknown): false {
  work.outcome = { error }
  resume(undefined)
  return false
}
