// Records in LMDB. Reads run on the calling thread from the memory map. Batches that are waiting at the same time share
// one transaction and so one sync of the disk (group commit); a batch that fails does not affect the others. A long
// batch is applied in steps, between which the process does other work, within one transaction. The options with which
// LMDB is opened, and the measurements, are explained in docs/decisions/003-lmdb.md.

import { isTurnOver, nextTurn } from '../../../bounded/turns.ts'
import { HyperslabError } from '../../../errors.ts'
import type { Batch, CommitResult, KeyValue, OpenSnapshots, Snapshot } from '../../engine.ts'
import { isConnected } from '../served/sockets.ts'
import { commitSteps, LogEnds } from './commit-steps.ts'
import { endAtOnceWhen } from './end-process.ts'
import { checkPages, MAX_CHECKED_BYTES, openDatabase } from './open-records.ts'
import { requireWholeFile } from './pages.ts'
import { MAX_READERS, type ReaderTable, readReaderTable } from './reader-table.ts'
import type { Database } from './scan.ts'
import { beginReading, LmdbSnapshot } from './snapshot.ts'
import { recordsError } from './storage-errors.ts'
import { type Deadline, watch } from './watchdog.ts'
import { isWriteLockHeld, openGuarded, storageLocked } from './write-lock.ts'

/** Milliseconds in one transaction after which the waiting batches go into the next one. */
const GROUP_MILLISECONDS = 10

interface WaitingBatch {
  readonly batch: Batch
  resolve(result: CommitResult): void
  reject(error: unknown): void
}

export class LmdbKeyValue implements KeyValue {
  readonly process = PROCESS
  readonly newestTime = 0
  readonly isSweeper = true
  readonly pollMilliseconds = 20
  /** The database for snapshots. */
  readonly #db: Database
  /** The database for commits: while its transaction is open, all reads through it are in that transaction. */
  readonly #writing: Database
  readonly #logs: LogEnds
  readonly #deadline: Deadline
  readonly #lockWaitMilliseconds: number
  readonly #folder: string
  readonly #snapshots = new Set<LmdbSnapshot>()
  #waiting: WaitingBatch[] = []
  #committing: Promise<void> | undefined
  /** Whether commits are rejected because another process has held the write lock for too long. */
  #isLocked = false
  /** The reason why the engine cannot be used any more. */
  #ended: string | undefined
  readonly #exitAsUsual: () => void

  /** Throws `records-damaged` if the file has been cut short or is otherwise damaged. */
  constructor(folder: string, deadline: Deadline, lockWaitMilliseconds: number) {
    requireWholeFile(folder)
    const openBoth = () => [openDatabase(folder), openDatabase(folder)] as const
    ;[this.#db, this.#writing] = openGuarded(deadline.milliseconds, openBoth)
    this.#logs = new LogEnds(this.#writing)
    this.#deadline = deadline
    this.#lockWaitMilliseconds = lockWaitMilliseconds
    this.#folder = folder
    checkPages(this.#db, folder, MAX_CHECKED_BYTES)
    this.#exitAsUsual = endAtOnceWhen(() => this.#committing !== undefined)
  }

  snapshot(): Snapshot {
    this.#mustBeUsable()
    const snapshot = new LmdbSnapshot(this.#db, () => this.#snapshots.delete(snapshot))
    this.#snapshots.add(snapshot)
    return snapshot
  }

  async openSnapshots(): Promise<OpenSnapshots> {
    this.#mustBeUsable()
    // This opens the newest state, so that its number is in the table.
    const newest = beginReading(this.#db)
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

  /** The name of a command that uses the records through a process begins with the name of that process. */
  async isAlive(name: string): Promise<boolean> {
    this.#mustBeUsable()
    const [id, since, command] = name.split(' ')
    const hasOpen =
      id === String(process.pid) ? `${id} ${since}` === PROCESS : this.#readerTable().processes.has(id)
    return hasOpen && (command === undefined || isConnected(this.#folder, command))
  }

  #readerTable(): ReaderTable {
    // Frees the slots of processes that have died.
    this.#db.readerCheck()
    return readReaderTable(this.#db.readerList())
  }

  async commit(batch: Batch): Promise<CommitResult> {
    this.#mustBeUsable()
    if (this.#isLocked) throw storageLocked()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject })
      this.#committing ??= this.#commitAll()
    })
  }

  async close(): Promise<void> {
    if (this.#ended !== undefined) return
    this.#ended = 'The engine has been closed'
    if (this.#isLocked) this.#endLocked()
    await this.#committing
    for (const snapshot of [...this.#snapshots]) snapshot.close()
    await this.#writing.close()
    await this.#db.close()
    this.#exitAsUsual()
  }

  #mustBeUsable(): void {
    if (this.#ended !== undefined) throw new Error(this.#ended)
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#commitGroup()
    this.#committing = undefined
  }

  async #commitGroup(): Promise<void> {
    const done: { waiting: WaitingBatch; result: CommitResult }[] = []
    let failed: { waiting: WaitingBatch; error: unknown } | undefined
    const group = async (progress: () => void) => {
      progress()
      this.#isLocked = false
      const until = performance.now() + GROUP_MILLISECONDS
      do {
        const waiting = this.#waiting.shift()
        if (waiting === undefined) break
        try {
          const steps = commitSteps(this.#writing, this.#logs, waiting.batch)
          let step = steps.next()
          for (; !step.done; step = steps.next()) {
            if (!isTurnOver()) continue
            progress()
            await nextTurn()
          }
          done.push({ waiting, result: step.value })
        } catch (error) {
          failed = { waiting, error }
          throw error
        }
      } while (performance.now() < until)
    }
    try {
      // A child transaction can undo a batch that fails half-way.
      await watch(progress => this.#writing.childTransaction(() => group(progress)), this.#deadline, {
        milliseconds: this.#lockWaitMilliseconds,
        onLocked: () => this.#rejectWaiting(),
        isHeld: () => isWriteLockHeld(this.#folder),
      })
      for (const { waiting, result } of done) waiting.resolve(result)
    } catch (error) {
      const others = done.map(({ waiting }) => waiting)
      if (failed !== undefined) {
        failed.waiting.reject(failed.error)
        this.#waiting.unshift(...others)
        return
      }
      const reason = await commitError(error, this.#folder)
      for (const waiting of others) waiting.reject(reason)
      this.#endIfBroken(reason)
    } finally {
      this.#isLocked = false
    }
  }

  /**
   * Rejects the waiting batches because the write lock cannot be acquired. LMDB continues to wait for it, and cannot be
   * stopped; when it gets the lock it finds none of the batches that are rejected here.
   */
  #rejectWaiting(): void {
    this.#isLocked = true
    for (const { reject } of this.#waiting.splice(0)) reject(storageLocked())
    if (this.#ended !== undefined) this.#endLocked()
  }

  /** Ends the process at once: otherwise neither LMDB nor the process would end before the lock is free. */
  #endLocked(): void {
    this.#deadline.onStuck(
      'The data folder cannot be closed in order, because another process on it holds the write lock',
    )
  }

  /**
   * Ends the process if LMDB has failed to write its meta page: it then fails every call, and does not settle the next
   * commit.
   */
  #endIfBroken(reason: Error): void {
    try {
      beginReading(this.#db).done()
    } catch (error) {
      if (error instanceof HyperslabError) return
      this.#ended = `The store has to be opened anew. ${reason.message}`
      for (const { reject } of this.#waiting.splice(0)) reject(new Error(this.#ended, { cause: reason }))
      this.#deadline.onStuck(this.#ended)
    }
  }
}

/** An id may be used again by a later process, which has begun at another time. */
const PROCESS = `${process.pid} ${Math.round(performance.timeOrigin)}`

/** The error of a failed commit: lmdb-js rejects with an error whose member is a promise of the real one. */
async function commitError(error: unknown, folder: string): Promise<Error> {
  const inner = error instanceof Error && 'commitError' in error ? error.commitError : undefined
  const cause: unknown = (await Promise.resolve(inner).catch((reason: unknown) => reason)) ?? error
  const known = await recordsError(cause, folder)
  if (known instanceof HyperslabError) return known
  const message = cause instanceof Error ? cause.message : String(cause)
  return new Error(`The commit failed: ${message}`, { cause })
}
