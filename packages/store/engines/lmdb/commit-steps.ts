// The steps of a commit in LMDB: its expectations are compared, then its changes are applied, within the write
// transaction that is open. Between the steps the process may do other work.

import {
  boundsOf,
  type CurrentState,
  changeCounter,
  checkChange,
  findConflicts,
  logKey,
  logNumber,
  requireBounds,
} from '../../batch.ts'
import type { Batch, Change, CommitResult } from '../../interfaces/engine.ts'
import { hexOf, rangeOf } from '../../key-range.ts'
import { type Database, MAX_KEY_LENGTH, scan, scanKeys } from './scan.ts'
import { get } from './snapshot.ts'

/**
 * The steps of a commit, run inside a write transaction. They throw if the batch cannot be applied; a part of it may
 * then be applied.
 */
export function* commitSteps(db: Database, logs: LogEnds, batch: Batch): Generator<void, CommitResult> {
  const state: CurrentState = { get: key => get(db, key), range: range => scan(db, range) }
  const conflicts: number[] = []
  for (const position of findConflicts(batch.expect, state)) {
    if (position !== undefined) conflicts.push(position)
    yield
  }
  if (conflicts.length > 0) return { committed: false, conflicts }
  const bounds = boundsOf(batch.changes, state.get)
  for (const change of batch.changes) {
    checkChange(change, MAX_KEY_LENGTH)
    const steps = apply(db, logs, change)
    if (steps) yield* steps
    yield
  }
  requireBounds(bounds, state.get)
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
    case 'bound':
      return undefined
  }
}

/** The ends of logs, as this process has seen them last; other processes write to the logs, too. */
export class LogEnds {
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
