// Records in LMDB. Reads run on the calling thread from the memory map. Batches that are waiting at the same time share
// one transaction and so one sync of the disk (group commit); a batch that fails does not affect the others. A long
// batch is applied in steps, between which the process does other work, within one transaction. The options with which
// LMDB is opened, and the measurements, are explained in docs/decisions/003-lmdb.md.

import { existsSync } from 'node:fs'
import { link, mkdtemp, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { open as openLmdb, type Transaction } from 'lmdb'
import { isTurnOver, nextTurn } from '../../../bounded/turns.ts'
import { HyperslabError } from '../../../errors.ts'
import {
  type CurrentState,
  changeCounter,
  checkChange,
  findConflicts,
  logKey,
  logNumber,
} from '../../batch.ts'
import type {
  Batch,
  Change,
  CommitResult,
  Entry,
  KeyRange,
  KeyValue,
  OpenSnapshots,
  Snapshot,
} from '../../engine.ts'
import { hexOf, rangeOf } from '../../key-range.ts'
import { hasCode } from '../files/blobs.ts'
import { isConnected } from '../served/sockets.ts'
import { copyOf } from './copies.ts'
import { endAtOnceWhen } from './end-process.ts'
import { requireSoundPages, requireWholeFile } from './pages.ts'
import { type ReaderTable, readReaderTable } from './reader-table.ts'
import { type Database, MAX_KEY_LENGTH, scan, scanKeys, scanPiece } from './scan.ts'
import { isTableFull, readingError, recordsError, tooManySnapshots } from './storage-errors.ts'
import { type Deadline, watch } from './watchdog.ts'
import { isWriteLockHeld, openGuarded, storageLocked } from './write-lock.ts'

/** Snapshots at different states that can be open at once, of all processes together. */
const MAX_READERS = 2048
/** Milliseconds in one transaction after which the waiting batches go into the next one. */
const GROUP_MILLISECONDS = 10

interface WaitingBatch {
  readonly batch: Batch
  resolve(result: CommitResult): void
  reject(error: unknown): void
}

function openDatabase(folder: string, readOnly = false): Database {
  return openLmdb<Uint8Array, Uint8Array>({
    path: folder,
    noSubdir: false,
    encoding: 'binary',
    keyEncoding: 'binary',
    maxReaders: MAX_READERS,
    overlappingSync: false,
    eventTurnBatching: false,
    readOnly,
  })
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

/**
 * The records for reading, also beside processes that write. Of the files only `lock.mdb` is written: LMDB keeps its
 * table of readers in it, and creates it if it is missing.
 */
export function openRecordsToRead(folder: string): Pick<KeyValue, 'snapshot'> & { close(): Promise<void> } {
  requireWholeFile(folder)
  const db = openDatabase(folder, true)
  checkPages(db, folder, Number.POSITIVE_INFINITY)
  return {
    snapshot: () => new LmdbSnapshot(db, () => {}),
    close: () => db.close(),
  }
}

/** An id may be used again by a later process, which has begun at another time. */
const PROCESS = `${process.pid} ${Math.round(performance.timeOrigin)}`

/**
 * At its start the engine reads all pages of a file up to this size, which takes a tenth of a second; of a larger one
 * it reads the first pages.
 */
const MAX_CHECKED_BYTES = 2 ** 24

/** Throws `records-damaged` if a page is damaged. */
function checkPages(db: Database, folder: string, mostBytes: number): void {
  try {
    const state = beginReading(db)
    try {
      requireSoundPages(folder, mostBytes)
    } finally {
      state.done()
    }
  } catch (error) {
    // The first error is reported.
    db.close().catch(() => undefined)
    throw readingError(error)
  }
}

/**
 * Creates the file if it does not exist, so that it appears with its first pages: an empty file is never new, but has
 * been cut short. Another process may be doing the same.
 */
export async function createRecords(folder: string): Promise<void> {
  if (existsSync(join(folder, FILE))) return
  const own = await mkdtemp(join(folder, 'new-'))
  try {
    await openDatabase(own).close()
    const file = await open(join(own, FILE), 'r')
    await file.sync().finally(() => file.close())
    await link(join(own, FILE), join(folder, FILE)).catch((error: unknown) => {
      if (existsSync(join(folder, FILE))) return undefined
      // File systems without links, such as exFAT, are not shared by several servers.
      if (hasCode(error, 'EPERM', 'ENOTSUP')) return rename(join(own, FILE), join(folder, FILE))
      throw error
    })
  } finally {
    await rm(own, { recursive: true })
  }
}

const FILE = 'data.mdb'

/** Begins a read of the newest state, commits of other processes included. */
function beginReading(db: Database): Transaction {
  try {
    // Without this, lmdb-js may return the state of another snapshot of the same moment, although another process has
    // committed since.
    db.resetReadTxn()
    return db.useReadTransaction()
  } catch (error) {
    throw isTableFull(error) ? tooManySnapshots(MAX_READERS, error) : error
  }
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

/**
 * The steps of a commit, run inside a write transaction. They throw if the batch cannot be applied; a part of it may
 * then be applied.
 */
function* commitSteps(db: Database, logs: LogEnds, batch: Batch): Generator<void, CommitResult> {
  const state: CurrentState = { get: key => get(db, key), range: range => scan(db, range) }
  const conflicts: number[] = []
  for (const position of findConflicts(batch.expect, state)) {
    if (position !== undefined) conflicts.push(position)
    yield
  }
  if (conflicts.length > 0) return { committed: false, conflicts }
  for (const change of batch.changes) {
    checkChange(change, MAX_KEY_LENGTH)
    const steps = apply(db, logs, change)
    if (steps) yield* steps
    yield
  }
  return { committed: true }
}

/** Keys of a range that are deleted at once. */
const PIECE_KEYS = 1000

/**
 * Applies the change, or returns the steps of one that may be long: a generator for each change would take longer than
 * the change.
 */
function apply(db: Database, logs: LogEnds, change: Change): Generator<void> | undefined {
  switch (change.op) {
    case 'set':
      db.putSync(change.key, change.value)
      return undefined
    case 'delete':
      db.removeSync(change.key)
      return undefined
    case 'add':
    case 'max':
      db.putSync(change.key, changeCounter(db.get(change.key), change))
      return undefined
    case 'deleteRange':
      return deleteRange(db, change)
    case 'follow':
      return applyAll(db, logs, change.changes(get(db, change.key)))
    case 'log':
      db.putSync(logs.nextKey(change.key), change.value)
      return undefined
  }
}

/** The ends of logs, as this process has seen them last; other processes write to the logs, too. */
class LogEnds {
  readonly #db: Database
  readonly #numbers = new Map<string, number>()

  constructor(db: Database) {
    this.#db = db
  }

  /** The key of the next entry; must be called within the write transaction. */
  nextKey(log: Uint8Array): Uint8Array {
    const name = hexOf(log)
    const number = (this.#sameEnd(log, this.#numbers.get(name)) ?? this.#findEnd(log)) + 1
    this.#numbers.set(name, number)
    return logKey(log, number)
  }

  /**
   * The number, if it is still that of the last entry: the entry is there, and the next one is not. Entries are removed
   * from the beginning of a log only, so none is behind a gap.
   */
  #sameEnd(log: Uint8Array, number: number | undefined): number | undefined {
    if (number === undefined || this.#db.getBinaryFast(logKey(log, number)) === undefined) return undefined
    return this.#db.getBinaryFast(logKey(log, number + 1)) === undefined ? number : undefined
  }

  /** The number of the last entry; a range takes as long as several gets. */
  #findEnd(log: Uint8Array): number {
    const [last] = scanKeys(this.#db, { ...rangeOf(log), limit: 1, reverse: true })
    return last === undefined ? 0 : logNumber(last)
  }
}

function* applyAll(db: Database, logs: LogEnds, changes: readonly Change[]): Generator<void> {
  for (const change of changes) {
    const steps = apply(db, logs, change)
    if (steps) yield* steps
  }
}

function* deleteRange(
  db: Database,
  { start, end, limit = Number.POSITIVE_INFINITY }: Extract<Change, { readonly op: 'deleteRange' }>,
): Generator<void> {
  for (let left = limit; left > 0; ) {
    const most = Math.min(PIECE_KEYS, left)
    const keys = scanKeys(db, { start, end, limit: most })
    for (const key of keys) db.removeSync(key)
    if (keys.length < most) return
    left -= most
    yield
  }
}

/** Gets a value; a key that cannot be stored is absent. */
function get(db: Database, key: Uint8Array, transaction?: Transaction): Uint8Array | undefined {
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) return undefined
  try {
    // lmdb-js copies each value into an ArrayBuffer of its own, which costs more to free than to read.
    const value = db.getBinaryFast(key, transaction && { transaction })
    return value === undefined ? undefined : copyOf(value)
  } catch (error) {
    throw readingError(error)
  }
}

/** Entries of a piece of a range. No native cursor stays open between the pieces. */
const PIECE_ENTRIES = 256
const PIECE_BYTES = 1 << 20

function readRange(db: Database, range: KeyRange, transaction: Transaction): ReturnType<typeof scanPiece> {
  try {
    return scanPiece(db, range, PIECE_BYTES, transaction)
  } catch (error) {
    throw readingError(error)
  }
}

class LmdbSnapshot implements Snapshot {
  readonly #db: Database
  readonly #onClose: () => void
  #transaction: Transaction | undefined
  #expired: Error | undefined
  #isClosed = false

  constructor(db: Database, onClose: () => void) {
    this.#transaction = beginReading(db)
    this.#db = db
    this.#onClose = onClose
  }

  get expired(): Error | undefined {
    return this.#expired
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    return get(this.#db, key, this.#open())
  }

  async getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    const transaction = this.#open()
    return keys.map(key => get(this.#db, key, transaction))
  }

  /** This is no generator, because one would take longer than the reading of a short range. */
  range(range: KeyRange): AsyncIterable<Entry> {
    return { [Symbol.asyncIterator]: () => this.#iterate(range) }
  }

  #iterate(range: KeyRange): AsyncIterator<Entry> {
    let { start, end } = range
    let left = range.limit ?? Number.POSITIVE_INFINITY
    let piece: readonly Entry[] = []
    let index = 0
    let isLast = false
    const readPiece = () => {
      const limit = Math.min(left, PIECE_ENTRIES)
      const limits = { start, end, limit, reverse: range.reverse === true }
      const { entries, isComplete } = readRange(this.#db, limits, this.#open())
      piece = entries
      index = 0
      left -= entries.length
      isLast = left <= 0 || (isComplete && entries.length < limit)
      const last = entries.at(-1)
      if (isLast || last === undefined) return
      if (range.reverse) end = last.key
      else start = Buffer.concat([last.key, FOLLOWING])
    }
    return {
      next: async () => {
        if (index >= piece.length && !isLast) readPiece()
        if (index >= piece.length) return { done: true, value: undefined }
        this.#open()
        return { done: false, value: piece[index++] }
      },
    }
  }

  close(): void {
    if (this.#isClosed) this.#open()
    this.#isClosed = true
    this.#end()
  }

  expire(reason: Error): void {
    this.#expired ??= reason
    this.#end()
  }

  #end(): void {
    this.#transaction?.done()
    this.#transaction = undefined
    this.#onClose()
  }

  #open(): Transaction {
    if (this.#transaction === undefined) throw this.#expired ?? new Error('The snapshot has been closed')
    return this.#transaction
  }
}

/** A key followed by this byte is the next possible key. */
const FOLLOWING = new Uint8Array([0])
