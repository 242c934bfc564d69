// The reads and writes of this process that are under way, and how long each has read its state: one that is read for
// too long keeps the engine from using its space again.

import type { StoreFigures } from '../store.ts'

export interface OpenTransaction {
  /** When its state was the newest, in milliseconds of `Clock.elapsed`. */
  since: number
  /** What is to be done when that is too long ago. */
  onOld: (() => void) | undefined
}

export class OpenTransactions {
  #size = 0
  /** Transactions that keep a state, in the order of the times at which it was the newest. */
  readonly #reading = new Set<OpenTransaction>()
  #isClosed = false
  #whenAllEnded: (() => void)[] = []

  begin(since: number): OpenTransaction {
    if (this.#isClosed) throw new Error('the store has been closed')
    const transaction = { since, onOld: undefined }
    this.#size++
    this.#reading.add(transaction)
    return transaction
  }

  end(transaction: OpenTransaction): void {
    this.#reading.delete(transaction)
    if (--this.#size > 0) return
    for (const resolve of this.#whenAllEnded.splice(0)) resolve()
  }

  /** It keeps a newer state now. */
  renew(transaction: OpenTransaction, since: number): void {
    if (!this.#reading.delete(transaction)) return
    transaction.since = since
    this.#reading.add(transaction)
  }

  /** It keeps no state any more. */
  letGo(transaction: OpenTransaction): void {
    this.#reading.delete(transaction)
  }

  /** How many are open, and for how long the oldest state has been kept. */
  figures(now: number): Pick<StoreFigures, 'open' | 'oldestSeconds'> {
    // They begin one after another, and a set keeps that order.
    const [oldest] = this.#reading
    return { open: this.#size, oldestSeconds: oldest === undefined ? 0 : (now - oldest.since) / 1000 }
  }

  /** Calls `onOld`, once each, of those whose states were the newest before a time. */
  expireOld(before: number): void {
    for (const transaction of [...this.#reading]) {
      if (transaction.since >= before) return
      const { onOld } = transaction
      transaction.onOld = undefined
      onOld?.()
    }
  }

  /** From now on none can begin; resolves when none is open. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#size > 0) await new Promise<void>(resolve => this.#whenAllEnded.push(resolve))
  }
}
