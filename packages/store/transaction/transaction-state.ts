// The committed state that a transaction reads, which may be replaced by a newer one. The sweeper deletes no blob that
// was put after the oldest state which is being read (sweeper.ts); so the first state is kept for the blobs of the
// transaction, or a record says that the transaction runs (long-writes.ts).

import type { Engine, Expectation, Random, Snapshot } from '../interfaces/engine.ts'
import { LongWrite } from './long-writes.ts'

export class TransactionState {
  readonly #engine: Engine
  #snapshot: Snapshot
  /** The state that the transaction began with, when it reads another one now. */
  #first: Snapshot | undefined
  /** The record that replaces the first state after that was closed. */
  #long: LongWrite | undefined
  #isFixed = false
  #isClosed = false

  constructor(engine: Engine, snapshot: Snapshot) {
    this.#engine = engine
    this.#snapshot = snapshot
  }

  get snapshot(): Snapshot {
    return this.#snapshot
  }

  /** The expectations of the commit about the state. */
  get expectations(): readonly Expectation[] {
    return this.#long ? [this.#long.expectation] : []
  }

  /**
   * Throws if the engine no longer keeps the state that protects the blobs of the transaction: then a commit could name
   * a deleted blob. If a record protects them, the commit expects that record.
   */
  requireKept(): void {
    if (this.#long !== undefined) return
    const expired = this.#first?.expired ?? this.#snapshot.expired
    if (expired !== undefined) throw expired
  }

  /** From now on `renew` changes nothing: a commit is running, with the expectations so far. */
  fix(): void {
    this.#isFixed = true
  }

  /** Continues with the newest state, and keeps the first one. */
  advance(): void {
    const newest = this.#engine.keyValue.snapshot()
    if (this.#first === undefined && this.#long === undefined) this.#first = this.#snapshot
    else this.#snapshot.close()
    this.#snapshot = newest
  }

  /**
   * Continues with the newest state, so that no older one is kept. If `isSameIn` finds that an entry that was read
   * differs in the new state, every read from now on throws `reason`.
   */
  async renew(
    random: Random,
    isSameIn: (newest: Snapshot) => Promise<boolean>,
    reason: () => Error,
  ): Promise<void> {
    const long = this.#long ?? (await LongWrite.begin(this.#engine, random))
    // The running commit does not expect the record.
    if (this.#isFixed || this.#isClosed) return this.#long ? undefined : long.remove()
    this.#long = long
    const newest = this.#engine.keyValue.snapshot()
    const isSame = await isSameIn(newest).catch((error: unknown) => {
      newest.close()
      throw error
    })
    if (this.#isClosed) return newest.close()
    const before = this.#snapshot
    this.#snapshot = newest
    this.#first?.close()
    this.#first = undefined
    before.expire(reason())
    before.close()
    if (!isSame) newest.expire(reason())
  }

  close(): void {
    this.#isClosed = true
    this.#snapshot.close()
    this.#first?.close()
  }

  /** Removes the record. Must be called last, after `close`, when the blobs need no protection any more. */
  async removeRecord(): Promise<void> {
    await this.#long?.remove()
  }
}
