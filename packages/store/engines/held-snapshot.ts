// The end of a snapshot, which is the same in every engine: it holds something of the engine until it is closed or has
// expired, and then releases it once. Reads fail from then on, and so does closing it again.

export abstract class HeldSnapshot<Held> {
  #held: Held | undefined
  #expired: Error | undefined
  #isClosed = false

  constructor(held: Held) {
    this.#held = held
  }

  get expired(): Error | undefined {
    return this.#expired
  }

  close(): void {
    if (this.#isClosed) this.held()
    this.#isClosed = true
    this.#end()
  }

  expire(reason: Error): void {
    this.#expired ??= reason
    this.#end()
  }

  /** Throws if the snapshot was closed or has expired. */
  protected held(): Held {
    if (this.#held === undefined) throw this.#expired ?? new Error('The snapshot has been closed')
    return this.#held
  }

  protected abstract release(held: Held): void

  #end(): void {
    const held = this.#held
    if (held === undefined) return
    this.#held = undefined
    this.release(held)
  }
}
