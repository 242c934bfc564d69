// The reads and writes of this process that are under way: what they may still need must not be swept.

import type { Timestamp } from '../hdf5/timestamp.ts'

export class OpenTransactions {
  readonly #open = new Set<{ readonly since: Timestamp }>()
  #whenSettled: (() => void)[] = []

  /** Call what is returned once, when the transaction has ended. */
  begin(since: Timestamp): () => void {
    const transaction = { since }
    this.#open.add(transaction)
    return () => {
      this.#open.delete(transaction)
      if (this.#open.size > 0) return
      for (const settled of this.#whenSettled.splice(0)) settled()
    }
  }

  get size(): number {
    return this.#open.size
  }

  /** When the oldest one began; undefined: none is open. */
  oldest(): Timestamp | undefined {
    // They begin one after another, and a set keeps that order.
    for (const { since } of this.#open) return since
    return undefined
  }

  /** Resolves when none is open. */
  async settled(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>(resolve => this.#whenSettled.push(resolve))
  }
}
