// The reads and writes of this process that are under way, and how long each has read its state: one that is read for
// too long keeps the engine from using its space again.

export interface OpenTransaction {
  /** When its state was the newest, in milliseconds of `Clock.elapsed`. */
  since: number
  /** What is to be done when that is too long ago. */
  onOld: (() => void) | undefined
}

export class OpenTransactions {
  #size = 0
  /** Those that keep a state, by when it was the newest. */
  readonly #reading = new Set<OpenTransaction>()
  #whenSettled: (() => void)[] = []

  begin(since: number): OpenTransaction {
    const transaction = { since, onOld: undefined }
    this.#size++
    this.#reading.add(transaction)
    return transaction
  }

  end(transaction: OpenTransaction): void {
    this.#reading.delete(transaction)
    if (--this.#size > 0) return
    for (const settled of this.#whenSettled.splice(0)) settled()
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

  get size(): number {
    return this.#size
  }

  /** Since when the oldest state is kept; undefined: none is. */
  oldest(): number | undefined {
    // They begin one after another, and a set keeps that order.
    for (const { since } of this.#reading) return since
    return undefined
  }

  /** Tells those, once each, whose states are read since a time before. */
  tellOld(before: number): void {
    for (const transaction of [...this.#reading]) {
      if (transaction.since >= before) return
      const { onOld } = transaction
      transaction.onOld = undefined
      onOld?.()
    }
  }

  /** Resolves when none is open. */
  async settled(): Promise<void> {
    if (this.#size > 0) await new Promise<void>(resolve => this.#whenSettled.push(resolve))
  }
}
