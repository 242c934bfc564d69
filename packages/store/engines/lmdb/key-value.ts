// Records in LMDB. Reads run on the calling thread from the memory map. Batches that are waiting at the same time share
// one transaction and so one sync of the disk (group commit); a batch that fails does not affect the others. A long
// batch is applied in steps, between which the process does other work, within one transaction. The options with which
// LMDB is opened, and the measurements, are explained in docs/decisions/003-lmdb.md.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Transaction } from 'lmdb'
import type { Batch, CommitResult, KeyValue, OpenSnapshots, Snapshot } from '../../interfaces/engine.ts'
import { isConnected } from '../served/sockets.ts'
import { commitSteps, LogEnds } from './commit-steps.ts'
import { endAtOnceWhen } from './end-process.ts'
import type { OpenRecords } from './open-records.ts'
import { MAX_READERS, type ReaderTable, readReaderTable } from './reader-table.ts'
import { beginReading, LmdbSnapshot } from './snapshot.ts'
import { recordsError } from './storage-errors.ts'
import type { Deadline } from './watchdog.ts'
import { isWriteLockHeld, storageLocked } from './write-lock.ts'
import { WriteTransactions } from './write-transaction.ts'

/** The time for which a transaction waits for batches that are about to come. @limit none, milliseconds */
const GATHER_MILLISECONDS = 1
/** Milliseconds in one transaction after which the waiting batches go into the next one. */
const GROUP_MILLISECONDS = 10

interface WaitingBatch {
  readonly batch: Batch
  readonly since: number
  resolve(result: CommitResult): void
  reject(error: unknown): void
}

/** Batches of one write transaction. */
interface Group {
  /** The number of the transaction. */
  transaction: number
  begun: number
  applied: number
  readonly done: { readonly waiting: WaitingBatch; readonly result: CommitResult }[]
  failed?: { readonly waiting: WaitingBatch; readonly error: unknown }
}

/** A transaction that has not begun with the newest state. */
class OldBase extends Error {}

export interface CommitOptions {
  readonly folder: string
  readonly deadline: Deadline
  /** The time for which a commit waits for the write lock of another process before it is rejected. */
  readonly lockWaitMilliseconds: number
  /** Called with warnings for the operator. */
  readonly warn?: (message: string) => void
}

export class LmdbKeyValue implements KeyValue {
  readonly process = PROCESS
  readonly newestTime = 0
  readonly isSweeper = true
  readonly pollMilliseconds = 20
  readonly #records: OpenRecords
  readonly #logs: LogEnds
  readonly #options: CommitOptions
  readonly #transactions: WriteTransactions
  readonly #snapshots = new Set<LmdbSnapshot>()
  #waiting: WaitingBatch[] = []
  #committing: Promise<void> | undefined
  /** The batches of the last transaction and those that waited at its end: busy callers have as many again. */
  #expected = 1
  #endGathering: (() => void) | undefined
  /** Whether commits are rejected because another process has held the write lock for too long. */
  #isLocked = false
  /** The reason why the engine cannot be used any more. */
  #ended: string | undefined
  #hasReported = false
  readonly #exitAsUsual: () => void

  constructor(records: OpenRecords, options: CommitOptions) {
    this.#records = records
    this.#logs = new LogEnds(records.writing)
    this.#options = options
    this.#transactions = new WriteTransactions(records.writing, options.deadline, {
      milliseconds: options.lockWaitMilliseconds,
      onLocked: () => this.#rejectWaiting(),
      isHeld: () => isWriteLockHeld(records.numbers),
    })
    this.#exitAsUsual = endAtOnceWhen(() => this.#committing !== undefined)
  }

  snapshot(): Snapshot {
    this.#mustBeUsable()
    const { reading, numbers } = this.#records
    const snapshot = new LmdbSnapshot(reading, numbers, () => this.#snapshots.delete(snapshot))
    this.#snapshots.add(snapshot)
    return snapshot
  }

  async openSnapshots(): Promise<OpenSnapshots> {
    this.#mustBeUsable()
    // This opens the newest state, so that its number is in the table.
    const newest = this.#beginReading()
    try {
      const { states } = this.#readerTable()
      return { newest: Math.max(...states), oldest: Math.min(...states) }
    } finally {
      newest.done()
    }
  }

  snapshotSlots() {
    this.#mustBeUsable()
    return { taken: this.#readerTable().slots, limit: MAX_READERS }
  }

  /** The number of processes that have read anything. */
  async processes(): Promise<number> {
    this.#mustBeUsable()
    return this.#readerTable().processes.size
  }

  /** Bytes of the file: pages that are free are in it, and used again. */
  async bytes(): Promise<number> {
    const { size } = await stat(join(this.#options.folder, 'data.mdb'))
    return size
  }

  /** The name of a command that uses the records through a process begins with the name of that process. */
  async isAlive(name: string): Promise<boolean> {
    this.#mustBeUsable()
    const [id, since, command] = name.split(' ')
    const hasOpen =
      id === String(process.pid) ? `${id} ${since}` === PROCESS : this.#readerTable().processes.has(id)
    return hasOpen && (command === undefined || isConnected(this.#options.folder, command))
  }

  #readerTable(): ReaderTable {
    // Frees the slots of processes that have died.
    const { reading } = this.#records
    reading.readerCheck()
    return readReaderTable(reading.readerList())
  }

  #beginReading(): Transaction {
    return beginReading(this.#records.reading, this.#records.numbers)
  }

  async commit(batch: Batch): Promise<CommitResult> {
    this.#mustBeUsable()
    if (this.#isLocked) throw storageLocked(this.#records.numbers)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, since: SYSTEM_CLOCK.elapsed(), resolve, reject })
      if (this.#waiting.length >= this.#expected) this.#endGathering?.()
      this.#committing ??= this.#commitAll()
    })
  }

  async close(): Promise<void> {
    if (this.#ended !== undefined) return
    this.#ended = 'The engine has been closed'
    if (this.#isLocked) this.#endLocked()
    await this.#committing
    for (const snapshot of [...this.#snapshots]) snapshot.close()
    await this.#records.close()
    this.#exitAsUsual()
  }

  #mustBeUsable(): void {
    if (this.#ended !== undefined) throw new Error(this.#ended)
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < this.#expected) await this.#gather()
      await this.#commitGroup()
    }
    this.#committing = undefined
  }

  /** Lets as many batches come as are expected, so that they share a transaction. */
  async #gather(): Promise<void> {
    await new Promise<void>(resolve => {
      const cancel = SYSTEM_CLOCK.after(GATHER_MILLISECONDS, resolve)
      this.#endGathering = () => {
        cancel()
        resolve()
      }
    })
    this.#endGathering = undefined
  }

  async #commitGroup(): Promise<void> {
    const { numbers } = this.#records
    const group: Group = { transaction: 0, begun: 0, applied: 0, done: [] }
    try {
      await this.#transactions.run(progress => this.#applyWaiting(group, progress))
      // The next transaction puts the number right, so that all processes see what is answered here.
      while (!numbers.confirmCommit(group.transaction)) await this.#commitGroup()
      this.#expected = group.done.length + this.#waiting.length
      for (const { waiting, result } of group.done) answer(waiting, result, group)
    } catch (error) {
      if (error instanceof OldBase) this.#reportOldBase()
      else await this.#endFailed(group, error)
    } finally {
      this.#isLocked = false
    }
  }

  /** Applies waiting batches for some time, within the write transaction that has just begun. */
  async #applyWaiting(group: Group, progress: () => void): Promise<void> {
    const { writing, numbers } = this.#records
    progress()
    this.#isLocked = false
    group.transaction = writing.getWriteTxnId()
    if (!numbers.confirmBase(group.transaction)) throw new OldBase()
    group.begun = SYSTEM_CLOCK.elapsed()
    const until = group.begun + GROUP_MILLISECONDS
    do {
      const waiting = this.#waiting.shift()
      if (waiting === undefined) break
      try {
        const steps = commitSteps(writing, this.#logs, waiting.batch)
        let step = steps.next()
        for (; !step.done; step = steps.next()) {
          if (!isTurnOver()) continue
          progress()
          await nextTurn()
        }
        group.done.push({ waiting, result: step.value })
      } catch (error) {
        group.failed = { waiting, error }
        throw error
      }
      group.applied = SYSTEM_CLOCK.elapsed()
    } while (group.applied < until)
  }

  /** Rejects the batch that could not be applied, and lets the others wait again; or all, if the commit has failed. */
  async #endFailed({ done, failed }: Group, error: unknown): Promise<void> {
    const others = done.map(({ waiting }) => waiting)
    if (failed !== undefined) {
      failed.waiting.reject(failed.error)
      this.#waiting.unshift(...others)
      return
    }
    const reason = await commitError(error, this.#options.folder)
    for (const waiting of others) waiting.reject(reason)
    this.#endIfBroken(reason)
  }

  #reportOldBase(): void {
    if (this.#hasReported) return
    this.#hasReported = true
    this.#options.warn?.(
      'another process has set the number of the newest state in lock.mdb back, as builds of LMDB without a repair do ' +
        'when they open a folder; it was put right before the next commit, and nothing is lost',
    )
  }

  /**
   * Rejects the waiting batches because the write lock cannot be acquired. LMDB continues to wait for it, and cannot be
   * stopped; when it gets the lock it finds none of the batches that are rejected here.
   */
  #rejectWaiting(): void {
    this.#isLocked = true
    for (const { reject } of this.#waiting.splice(0)) reject(storageLocked(this.#records.numbers))
    if (this.#ended !== undefined) this.#endLocked()
  }

  /** Ends the process at once: otherwise neither LMDB nor the process would end before the lock is free. */
  #endLocked(): void {
    this.#options.deadline.onStuck(
      'The data folder cannot be closed in order, because another process on it holds the write lock',
    )
  }

  /**
   * Ends the process if LMDB has failed to write its meta page: it then fails every call, and does not settle the next
   * commit.
   */
  #endIfBroken(reason: Error): void {
    try {
      this.#beginReading().done()
    } catch (error) {
      if (error instanceof HyperslabError) return
      this.#ended = `The store has to be opened anew. ${reason.message}`
      for (const { reject } of this.#waiting.splice(0)) reject(new Error(this.#ended, { cause: reason }))
      this.#options.deadline.onStuck(this.#ended)
    }
  }
}

/** An id may be used again by a later process, which has begun at another time. */
const PROCESS = `${process.pid} ${Math.round(performance.timeOrigin)}`

/** Answers a batch of a group that has been committed. */
function answer(
  { batch, since, resolve }: WaitingBatch,
  result: CommitResult,
  { begun, applied, done }: Group,
): void {
  batch.onWaits?.({ before: begun - since, sync: SYSTEM_CLOCK.elapsed() - applied, batches: done.length })
  resolve(result)
}

/** The error of a failed commit: lmdb-js rejects with an error whose member is a promise of the real one. */
async function commitError(error: unknown, folder: string): Promise<Error> {
  const inner = error instanceof Error && 'commitError' in error ? error.commitError : undefined
  const cause: unknown = (await Promise.resolve(inner).catch((reason: unknown) => reason)) ?? error
  const known = await recordsError(cause, folder)
  if (known instanceof HyperslabError) return known
  const message = cause instanceof Error ? cause.message : String(cause)
  return new Error(`The commit failed: ${message}`, { cause })
}
