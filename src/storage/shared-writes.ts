// Writes that follow one another in one transaction: who has the turn in a line does his own work and that of those who
// stand behind him, each seeing what the ones before him have changed, and one commit makes it all durable. So a chunk
// into which a hundred have written is stored once. Each is a transaction within the common one: what fails changes
// nothing and keeps nobody from anything. Nobody is told anything before the commit.

import type { Timestamp } from '../hdf5/timestamp.ts'
import { Turns } from '../turns.ts'
import { ChunkChanges, HeldChunks } from './chunks/chunk-changes.ts'
import { OpenChunkCount, WriteLimit } from './chunks/write-limit.ts'
import { FreeBytes, HeldBlobs } from './held-blobs.ts'
import { inParallel } from './in-parallel.ts'
import type { Patience } from './patience.ts'
import type { Writer } from './store.ts'
import { StoreWriter, type WriterParts } from './store-writer.ts'
import { conflict, Transaction, type TransactionParts } from './transaction.ts'
import { type Line, type Lines, MOST_WORKS, type Turn, type Waiting } from './write-queue.ts'

/** A write that can be done again, by whoever has the turn. */
export interface Work {
  readonly run: (writer: Writer) => Promise<unknown>
  readonly time: Timestamp | undefined
  /** Of the runs with others: standing in a line takes none of it. */
  readonly patience: Patience
  /** How the last run ended; it counts when it has been committed, or when nothing can be. */
  outcome: Outcome | undefined
}

export type Outcome = { readonly result: unknown } | { readonly error: unknown }

export interface SharedWritesParts extends WriterParts {
  /** Of the common transactions. */
  readonly base: TransactionParts
  readonly lines: Lines<Work>
  readonly report: (error: unknown) => void
}

/** How long others are taken along before the commit: another process may be waiting to win. */
const MOST_MILLISECONDS = 50
/** Works that are taken along however long they take: on a busy machine 50 milliseconds are over after one. */
const LEAST_WORKS = 16
/** Chunks that are held in memory by all who write together. */
const MAX_HELD_BYTES = 64 * 2 ** 20
/** Chunks that are stored at once. */
const PARALLEL_STORES = 8

export class SharedWrites {
  readonly #parts: SharedWritesParts
  readonly #free = new FreeBytes(MAX_HELD_BYTES)
  #retries = 0

  constructor(parts: SharedWritesParts) {
    this.#parts = parts
  }

  /** Works that were done again because somebody else's commit got in between. */
  get retries(): number {
    return this.#retries
  }

  /** Does the work, and that of others who stand behind it; leaves the turn, whichever it then is. */
  async lead(begun: Turn<Work>, work: Work): Promise<void> {
    const { lines, base } = this.#parts
    let turn = begun
    try {
      for (;;) {
        const others: Following[] = []
        const key = await this.#tryTogether(turn.line, work, others)
        turn.line.most = nextMost(turn.line.most, others.length + 1, key !== undefined)
        if (key === undefined) return
        this.#retries += others.length + 1
        turn.line.putBack(others.filter(other => other.work.patience.isLeft() || fail(other, conflict())))
        if (!work.patience.isLeft()) throw conflict()
        await work.patience.wait(base.random)
        turn = await lines.turnAt(key, turn)
      }
    } catch (error) {
      work.outcome = { error }
    } finally {
      turn.leave()
    }
  }

  /** The key that somebody else has changed; undefined: all is committed. `others` gets those who were taken along. */
  async #tryTogether(line: Line<Work>, first: Work, others: Following[]): Promise<string | undefined> {
    const { base, filters, maxInlineBytes, report } = this.#parts
    const turns = new Turns()
    const pace = () => turns.next()
    const blobs = new HeldBlobs(base.engine.blobs, this.#free, pace)
    const held = new HeldChunks(blobs)
    const hold = (key: string) => void line.hold(key)
    const together = new Transaction({ ...base, engine: { ...base.engine, blobs }, hold })
    try {
      await this.#run(first, together, held)
      // The first one may have waited long for the disk, the others find in memory what it has read.
      const until = performance.now() + MOST_MILLISECONDS
      while (
        others.length + 1 < line.most &&
        (others.length + 1 < LEAST_WORKS || performance.now() < until)
      ) {
        const next = line.takeWork()
        if (next === undefined) break
        others.push(next)
        await pace()
        await this.#run(next.work, together, held)
      }
      blobs.stop()
      // What is stored here was counted when it was held.
      const limit = new WriteLimit(Infinity, new OpenChunkCount())
      const chunks = new ChunkChanges(together, blobs, filters, maxInlineBytes, limit)
      await inParallel(held.all(), PARALLEL_STORES, chunk => chunks.settle(chunk, blobs))
      if (!(await together.commit(() => false))) return together.conflict
      for (const { admit } of others) admit(undefined)
      return undefined
    } catch (error) {
      for (const other of others) fail(other, error)
      throw error
    } finally {
      await together.end().catch(report)
      blobs.close()
    }
  }

  /** Within the common transaction; what fails changes nothing of it. */
  async #run(work: Work, together: Transaction, held: HeldChunks): Promise<void> {
    const { base: _, ...parts } = this.#parts
    const transaction = together.within(work.time)
    const writer = new StoreWriter(transaction, { ...parts, blobs: held.blobs, held })
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

/** Whoever commits more often wins against another process: half as many are taken along after a conflict. */
function nextMost(most: number, done: number, isConflict: boolean): number {
  return isConflict ? Math.max(1, Math.floor(done / 2)) : Math.min(MOST_WORKS, 2 * most)
}

/** One who stood behind and was taken along. */
type Following = Waiting<Work> & { readonly work: Work }

function fail({ work, admit }: Following, error: unknown): false {
  work.outcome = { error }
  admit(undefined)
  return false
}
