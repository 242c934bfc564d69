// The committed state that a transaction reads, which may be replaced by a newer one. The sweeper deletes no blob that
// was put after the oldest state which is being read (sweeper.ts); so the first state is kept for the blobs of the
// transaction, or a record says that the transaction runs (long-writes.ts).

import type { Engine, Expectation, Random, Snapshot } from '../engine.ts'
import { LongWrite } from './long-writes.ts'

export class TransactionState {
  readonly #engine: Engine
  #snapshot: Snapshot
  /** The state that the transaction began with, when it reads another one now. */
  #first: Snapshot | undefined
  /** In place of the first state, when that was closed. */
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

  /** What the commit has to expect of the state. */
  get expectations(): readonly Expectation[] {
    return this.#long ? [this.#long.expectation] : []
  }

  /**
   * Throws if the engine does not keep the state any more for which the blobs of the transaction are kept: then a
   * commit could name a blob that has been deleted. With a record that says that the transaction runs, the commit
   * expects that record.
   */
  requireKept(): void {
    if (this.#long !== undefined) return
    const expired = this.#first?.expired ?? this.#snapshot.expired
    if (expired !== undefined) throw expired
  }

  /** From now on `renew` changes nothing: a commit is under way, with the expectations so far. */
  fix(): void {
    this.#isFixed = true
  }

  /** Goes on with the newest state, keeping the first one. */
  advance(): void {
    const newest = this.#engine.keyValue.snapshot()
    if (this.#first === undefined && this.#long === undefined) this.#first = this.#snapshot
    else this.#snapshot.close()
    this.#snapshot = newest
  }

  /**
   * Goes on with the newest state, so that no older one is kept any more. If `isSameIn` says that the new one differs
   * in what was read, every read from now on throws `reason`.
   */
  async renew(
    random: Random,
    isSameIn: (newest: Snapshot) => Promise<boolean>,
    reason: () => Error,
  ): Promise<void> {
    const long = this.#long ?? (await LongWrite.begin(this.#engine, random))
    // The commit under way does not expect the record.
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

  /** To be called last, after `close`, when the blobs need no protection any more. */
  async removeRecord(): Promise<void> {
    await this.#long?.remove()
  }
}
