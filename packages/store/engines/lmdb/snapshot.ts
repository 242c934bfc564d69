// Snapshots of LMDB. Reads run on the calling thread, from the memory map.

import type { Transaction } from 'lmdb'
import type { Entry, KeyRange, Snapshot } from '../../interfaces/engine.ts'
import { successor } from '../../key-range.ts'
import { HeldSnapshot } from '../held-snapshot.ts'
import { copyOf } from './copies.ts'
import { MAX_READERS } from './reader-table.ts'
import { type Database, MAX_KEY_LENGTH, scanPiece } from './scan.ts'
import type { StateNumbers } from './state-numbers.ts'
import { isTableFull, readingError, tooManySnapshots } from './storage-errors.ts'

/** The number of times that a read begins anew because it has begun with an old state. */
const ATTEMPTS = 100

/**
 * Begins a read of the newest state, commits of other processes included; never of a state older than one that this
 * process has seen, if the folder can be written to.
 */
export function beginReading(db: Database, numbers: StateNumbers | undefined): Transaction {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const newest = numbers?.prepareRead() ?? 0
    const { transaction, state } = begin(db)
    if (numbers?.confirmRead(newest, state) ?? true) return transaction
    transaction.done()
  }
  throw new Error('Other processes set the number of the newest state back again and again')
}

/**
 * The types of lmdb-js leave out this method: it takes the newest state now, and not at the first read. Our build
 * returns the number of the state.
 */
type RenewableTransaction = Transaction & { renew(): number | undefined }

function begin(db: Database): { readonly transaction: Transaction; readonly state: number | undefined } {
  try {
    // Without this, lmdb-js may return the state of another snapshot of the same moment, although another process has
    // committed since.
    db.resetReadTxn()
    const transaction = db.useReadTransaction() as RenewableTransaction
    return { transaction, state: transaction.renew() }
  } catch (error) {
    throw isTableFull(error) ? tooManySnapshots(MAX_READERS, error) : error
  }
}

/** Gets a value; a key that cannot be stored is absent. */
export function get(db: Database, key: Uint8Array, transaction?: Transaction): Uint8Array | undefined {
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

export class LmdbSnapshot extends HeldSnapshot<Transaction> implements Snapshot {
  readonly #db: Database
  readonly #onClose: () => void

  constructor(db: Database, numbers: StateNumbers | undefined, onClose: () => void) {
    super(beginReading(db, numbers))
    this.#db = db
    this.#onClose = onClose
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    return get(this.#db, key, this.held())
  }

  async getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    const transaction = this.held()
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
      const { entries, isComplete } = readRange(this.#db, limits, this.held())
      piece = entries
      index = 0
      left -= entries.length
      isLast = left <= 0 || (isComplete && entries.length < limit)
      const last = entries.at(-1)
      if (isLast || last === undefined) return
      if (range.reverse) end = last.key
      else start = successor(last.key)
    }
    return {
      next: async () => {
        if (index >= piece.length && !isLast) readPiece()
        if (index >= piece.length) return { done: true, value: undefined }
        this.held()
        return { done: false, value: piece[index++] }
      },
    }
  }

  protected override release(transaction: Transaction): void {
    transaction.done()
    this.#onClose()
  }
}
