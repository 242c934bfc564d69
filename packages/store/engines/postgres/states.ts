// The newest state, and the states that this process reads. The number of a state is that of the commit that made it.
// All snapshots that are opened while the database is asked for the newest number share the next query; its answer also
// lists the records that were changed since the last one.

import { setImmediate as nextRound } from 'node:timers/promises'
import type { Connections, Row } from './connections.ts'
import { RecordsAtHand } from './records-at-hand.ts'

/** Commits that one answer lists; if there were more, all cached records are forgotten. @limit safety, commits */
const MAX_COMMITS = 1000

/**
 * The first row is the newest commit; the last commit that this process knew is among the rows, unless it has been
 * swept or lost.
 */
const NEWEST = 'select * from hyperslab.newest($1, $2, $3)'

/** A state that is kept for a snapshot. */
export interface HeldState {
  /** Rejects when the database cannot be asked. */
  readonly number: Promise<number>
  release(): void
}

export interface StatesParts {
  readonly connections: Connections
  /** The name under which this process has its lease; waits until it has one. */
  readonly node: () => Promise<string>
  /** Called when the process of that name has no lease any more. */
  readonly onFenced: (node: string) => Error
  /** Called when acknowledged commits have been lost. */
  readonly onLost: () => void
}

export class States {
  readonly atHand = new RecordsAtHand()
  readonly #parts: StatesParts
  /** The newest commit in the answers so far, and the process and token that made it. */
  #last = { number: 0, mark: '' }
  /** No commit that this process knows of has a higher number. */
  #newest = 0
  #newestTime = 0
  /** The number of snapshots that hold a state, by the least number that the state can have. */
  readonly #held = new Map<number, number>()
  /** The last query that was sent. */
  #asking: Promise<number> | undefined
  /** The next query, which further snapshots share until it is sent. */
  #askingNext: Promise<number> | undefined

  constructor(parts: StatesParts) {
    this.#parts = parts
  }

  get newestTime(): number {
    return this.#newestTime
  }

  get heldCount(): number {
    let count = 0
    for (const each of this.#held.values()) count += each
    return count
  }

  /** The oldest state that this process reads, or could read from now on. */
  get oldest(): number {
    let oldest = this.#newest
    for (const number of this.#held.keys()) oldest = Math.min(oldest, number)
    return oldest
  }

  /** Holds the newest state, commits of other processes included. */
  hold(): HeldState {
    let held = this.#newest
    let isReleased = false
    this.#count(held, 1)
    const number = this.ask().then(answer => {
      if (!isReleased) {
        this.#count(held, -1)
        held = answer
        this.#count(held, 1)
      }
      return answer
    })
    // The error is not lost: the reads of the snapshot reject with it.
    number.catch(() => undefined)
    return {
      number,
      release: () => {
        if (isReleased) return
        isReleased = true
        this.#count(held, -1)
      },
    }
  }

  /** Keeps the states from the oldest one on that this process reads now, and the commits that made them. */
  keep(): { readonly number: number; release(): void } {
    const number = this.oldest
    this.#count(number, 1)
    return { number, release: () => this.#count(number, -1) }
  }

  /** The number of the newest state at some moment after the call. */
  ask(): Promise<number> {
    this.#askingNext ??= this.#askNext()
    return this.#askingNext
  }

  /** Resolves when all states that are held now have their numbers, or cannot get them. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#asking, this.#askingNext])
  }

  /** Notes a commit of that number, with the latest time that it contains. */
  noteCommit(number: number, time: number): void {
    this.#newest = Math.max(this.#newest, number)
    this.#newestTime = Math.max(this.#newestTime, time)
  }

  #count(number: number, change: number): void {
    const count = (this.#held.get(number) ?? 0) + change
    if (count === 0) this.#held.delete(number)
    else this.#held.set(number, count)
  }

  async #askNext(): Promise<number> {
    await this.#asking?.catch(() => undefined)
    // The query is sent after all requests that have arrived, which may be on many connections, so that they share it.
    await nextRound()
    this.#askingNext = undefined
    this.#asking = this.#ask()
    return this.#asking
  }

  async #ask(): Promise<number> {
    const { connections, node, onFenced } = this.#parts
    const name = await node()
    const rows = await connections.send(NEWEST, [name, this.#last.number, MAX_COMMITS])
    const [newest] = rows
    if (newest === undefined) {
      // The answer lacks even a commit that an earlier answer had.
      this.#goBack()
      return this.#ask()
    }
    const hasLease = newest[4] === true
    if (!hasLease) throw onFenced(name)
    this.#take(rows)
    return this.#last.number
  }

  #take(rows: readonly Row[]): void {
    const previous = rows.at(-1)
    const [newest] = rows
    const number = Number(newest[0])
    const isKnown = Number(previous?.[0]) === this.#last.number
    if (isKnown && this.#last.mark !== '' && previous?.[1] !== this.#last.mark) this.#goBack()
    if (!isKnown || rows.some(row => row[3] === null)) this.atHand.forgetAll(number)
    else for (const row of rows.toReversed()) this.#noteChanges(row)
    this.#last = { number, mark: String(newest[1]) }
    this.noteCommit(number, Number(newest[2]))
  }

  #noteChanges([number, , , changed]: Row): void {
    const commit = Number(number)
    if (commit <= this.#last.number || !Buffer.isBuffer(changed)) return
    this.atHand.noteChanges(changed.toString('latin1'), commit)
  }

  /**
   * The database has gone back to an earlier state, for example because a standby without the last commits has taken
   * over.
   */
  #goBack(): void {
    this.#last = { number: 0, mark: '' }
    this.#newest = 0
    this.atHand.clear()
    this.#parts.onLost()
  }
}
