// The running reads and writes of this process, and the time for which each has read its state: the engine cannot reuse
// space while an old state is read.

import type { CancelTimer, Clock } from '@hyperslab/base/clock'
import type { StoreFigures } from '../interfaces/store.ts'

export interface OpenTransaction {
  /** The time at which its state was the newest, in milliseconds of `Clock.elapsed`. */
  since: number
  /** Called when that is too long ago. */
  onOld: (() => void) | undefined
}

export class OpenTransactions {
  #size = 0
  /** Transactions that keep a state, in the order of the times at which it was the newest. */
  readonly #reading = new Set<OpenTransaction>()
  #isClosed = false
  #whenAllEnded: (() => void)[] = []

  /** Runs the work of a transaction, which is open until then. */
  async during<T>(since: number, run: (transaction: OpenTransaction) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error('the store has been closed')
    const transaction = { since, onOld: undefined }
    this.#size++
    this.#reading.add(transaction)
    try {
      return await run(transaction)
    } finally {
      this.#reading.delete(transaction)
      if (--this.#size === 0) for (const resolve of this.#whenAllEnded.splice(0)) resolve()
    }
  }

  /** Notes that the transaction keeps a newer state now. */
  renew(transaction: OpenTransaction, since: number): void {
    if (!this.#reading.delete(transaction)) return
    transaction.since = since
    this.#reading.add(transaction)
  }

  /** Notes that the transaction keeps no state any more. */
  letGo(transaction: OpenTransaction): void {
    this.#reading.delete(transaction)
  }

  /** The number of open transactions, and the time for which the oldest state has been kept. */
  figures(now: number): Pick<StoreFigures, 'open' | 'oldestSeconds'> {
    // They begin one after another, and a set keeps that order.
    const [oldest] = this.#reading
    return { open: this.#size, oldestSeconds: oldest === undefined ? 0 : (now - oldest.since) / 1000 }
  }

  /** Whether any of them keeps a state. */
  get keepsStates(): boolean {
    return this.#reading.size > 0
  }

  /** Calls `onOld`, once each, of the transactions whose states were the newest before `before`. */
  expireOld(before: number): void {
    for (const transaction of [...this.#reading]) {
      if (transaction.since >= before) return
      const { onOld } = transaction
      transaction.onOld = undefined
      onOld?.()
    }
  }

  /** Lets no further transaction begin; resolves when none is open. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#size > 0) await new Promise<void>(resolve => this.#whenAllEnded.push(resolve))
  }
}

/** The time between two searches for states that are too old. */
const EXPIRY_MILLISECONDS = 1000

/** Searches for states that are too old, while any are kept. */
export class Expiry {
  readonly #open: OpenTransactions
  readonly #clock: Pick<Clock, 'elapsed' | 'every'>
  readonly #age: number
  #cancel: CancelTimer | undefined

  /** `age`: milliseconds for which a state may be read. */
  constructor(open: OpenTransactions, clock: Pick<Clock, 'elapsed' | 'every'>, age: number) {
    this.#open = open
    this.#clock = clock
    this.#age = age
  }

  /** Must be called when a transaction begins. */
  begin(): void {
    this.#cancel ??= this.#clock.every(EXPIRY_MILLISECONDS, () => {
      this.#open.expireOld(this.#clock.elapsed() - this.#age)
      if (!this.#open.keepsStates) this.end()
    })
  }

  end(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
