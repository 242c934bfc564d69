// Runs writes until they are committed: each first in a transaction of its own. A write that conflicts with another one
// of this process waits in a queue, and is then run again together with others (shared-writes.ts).

import type { StoreFigures, WriteOptions, Writer } from '../interfaces/store.ts'
import type { Trace } from '../interfaces/trace.ts'
import { tracedEngine } from '../trace.ts'
import { conflict } from '../transaction/expectations.ts'
import { Transaction, type TransactionParts } from '../transaction/transaction.ts'
import type { OpenTransaction, OpenTransactions } from './open-transactions.ts'
import { Patience } from './patience.ts'
import { SharedWrites, type Work } from './shared-writes.ts'
import { StoreWriter, type WriterParts } from './store-writer.ts'
import { type Slot, type WriteQueue, WriteQueues } from './write-queue.ts'

export interface WriteRunnerParts extends WriterParts {
  /** Parts for the transactions. */
  readonly base: TransactionParts
  readonly open: OpenTransactions
  readonly report: (error: unknown) => void
}

export class WriteRunner {
  readonly #parts: WriteRunnerParts
  readonly #queues: WriteQueues<Work>
  readonly #shared: SharedWrites
  #commits = 0
  #retries = 0

  constructor(parts: WriteRunnerParts) {
    this.#parts = parts
    this.#queues = new WriteQueues(parts.base.clock)
    this.#shared = new SharedWrites({ ...parts, queues: this.#queues })
  }

  get figures(): Pick<StoreFigures, 'commits' | 'retries'> {
    return { commits: this.#commits, retries: this.#retries + this.#shared.retries }
  }

  async run<T>(
    run: (writer: Writer) => Promise<T>,
    { once = false, time, signal, trace }: WriteOptions,
    opened: OpenTransaction,
  ): Promise<T> {
    const work: Work = {
      run,
      time,
      signal,
      patience: new Patience(this.#parts.base.clock),
      outcome: undefined,
    }
    const parts = trace ? tracedParts(this.#parts, trace) : this.#parts
    const queued = await this.#runAlone(work, once, opened, parts, !once).catch((error: unknown) => {
      if (error instanceof GuessedRun) return this.#runAlone(work, once, opened, parts, false)
      throw error
    })
    if (queued !== undefined) {
      this.#retries++
      const start = trace?.now() ?? 0
      const slot = await queued.slot
      trace?.add('queue', start, { note: 'behind writes of the same records' })
      if (slot !== undefined) await this.#shared.runWorks(slot, work)
    }
    const { outcome } = work
    if (outcome === undefined) throw new Error('a write has ended without an outcome')
    if ('error' in outcome) throw outcome.error
    this.#commits++
    return outcome.result as T
  }

  /**
   * Runs the work in a transaction of its own. When another write conflicts, the work is queued to be run again, and
   * its slot is returned. A write that can run only once waits for a slot and is merged; it runs again only if it keeps
   * its values (`Writer.onConflict`). Throws `GuessedRun` when the work has failed after something was guessed.
   */
  async #runAlone(
    work: Work,
    once: boolean,
    opened: OpenTransaction,
    parts: WriteRunnerParts,
    guesses: boolean,
  ): Promise<SlotRequest | undefined> {
    const { base, report } = parts
    const queues = this.#queues
    let slot = queues.openSlot()
    const claimKey = (key: string): void => {
      if (!slot.queue.claimKey(key)) throw new KeyClaimed(key)
    }
    const transaction = new Transaction({ ...base, time: work.time, guesses, ...(!once && { claimKey }) })
    const writer = new StoreWriter(transaction, parts, work.signal)
    const patience = new Patience(base.clock)
    const mayMerge = async (key: string): Promise<boolean> => {
      slot = await queues.acquireSlot(key, slot)
      return patience.isLeft()
    }
    const enqueue = (key: string): SlotRequest => ({ slot: queues.enqueueWork(key, slot, work) })
    this.#renewWhenOld(transaction, opened)
    try {
      const result = await work.run(writer).catch((error: unknown) => {
        throw transaction.hasGuessed && !(error instanceof KeyClaimed) ? new GuessedRun() : error
      })
      const claimed =
        this.#findClaimedKey(transaction.keysRead, slot.queue) ??
        this.#findClaimedKey(transaction.keysAmended, slot.queue)
      if (claimed !== undefined) {
        if (!once && !transaction.canMerge(claimed)) return enqueue(claimed)
        slot = await queues.acquireSlot(claimed, slot)
      }
      if (await transaction.commit(mayMerge)) {
        work.outcome = { result }
        return undefined
      }
      if (once && !(await writer.keepForNextRun())) throw conflict()
      if (transaction.conflict === undefined) throw new Error('a commit has failed without a conflict')
      return enqueue(transaction.conflict)
    } catch (error) {
      if (error instanceof KeyClaimed) return enqueue(error.key)
      throw error
    } finally {
      opened.onOld = undefined
      await transaction.end().catch(report)
      writer.end()
      slot.release()
    }
  }

  /** Makes the transaction continue with a newer state each time that its own is too old. */
  #renewWhenOld(transaction: Transaction, opened: OpenTransaction): void {
    const { base, open, report } = this.#parts
    opened.onOld = () => {
      transaction
        .renew()
        .catch(report)
        .finally(() => {
          open.renew(opened, base.clock.elapsed())
          this.#renewWhenOld(transaction, opened)
        })
    }
  }

  /** The first of the keys that another queue than `own` has claimed. */
  #findClaimedKey(keys: Iterable<string>, own: WriteQueue<Work>): string | undefined {
    if (this.#queues.isEmpty) return undefined
    for (const key of keys) {
      const queue = this.#queues.findQueue(key)
      if (queue !== undefined && queue !== own) return key
    }
    return undefined
  }
}

function tracedParts(parts: WriteRunnerParts, trace: Trace): WriteRunnerParts {
  const engine = tracedEngine(parts.base.engine, trace)
  return { ...parts, base: { ...parts.base, engine }, blobs: engine.blobs }
}

/** Ends a run that has failed, perhaps only because a key that was assumed to be absent has a value. */
class GuessedRun extends Error {}

/** The slot that a work waits for; none when the holder of another slot has run the work. */
interface SlotRequest {
  readonly slot: Promise<Slot<Work> | undefined>
}

/** Ends a run that could not be committed: another write is changing the key. */
class KeyClaimed extends Error {
  readonly key: string

  constructor(key: string) {
    super('another write is changing the same key')
    this.key = key
  }
}
