// A Map with a limit, for values that can be computed again: beyond the limit it drops the oldest entries.

export interface BoundedMapOptions<Value> {
  /** The share of an entry in the limit. Default: 1. */
  readonly weightOf?: (value: Value) => number
  /** Called with each value that is dropped or replaced. */
  readonly onForget?: (value: Value) => void
}

/** Deletions up to which a new iterator does not pay. */
const FEW = 64

export class BoundedMap<Key, Value extends object | string | number> {
  /** The entries, the oldest first. */
  readonly #entries = new Map<Key, Value>()
  readonly #limit: number
  readonly #weightOf: (value: Value) => number
  readonly #onForget: ((value: Value) => void) | undefined
  /**
   * Yields the oldest keys, each of which is dropped at once. A new iterator for each would first skip all entries that
   * were dropped since the Map was last rehashed; one iterator for ever would keep each former table of the Map in
   * memory.
   */
  #oldest: Iterator<Key>
  /** Keys that were deleted since it was made. */
  #deleted = 0
  #weight = 0

  /** The newest entry is kept, whatever it weighs. */
  constructor(limit: number, { weightOf = () => 1, onForget }: BoundedMapOptions<Value> = {}) {
    this.#limit = limit
    this.#weightOf = weightOf
    this.#onForget = onForget
    this.#oldest = this.#entries.keys()
  }

  get size(): number {
    return this.#entries.size
  }

  /** The weight of all entries together. */
  get weight(): number {
    return this.#weight
  }

  /** The value; its age does not change. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** The value, which is the newest from now on: for a map that forgets the entry that was used least recently. */
  use(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key: Key, value: Value): void {
    this.forget(key)
    this.#entries.set(key, value)
    this.#weight += this.#weightOf(value)
    while (this.#weight > this.#limit && this.#entries.size > 1) {
      const oldest = this.#oldest.next()
      if (oldest.done) return
      this.forget(oldest.value)
    }
  }

  forget(key: Key): void {
    const value = this.#entries.get(key)
    if (value === undefined) return
    this.#delete(key)
    this.#weight -= this.#weightOf(value)
    this.#onForget?.(value)
  }

  #delete(key: Key): void {
    this.#entries.delete(key)
    if (++this.#deleted <= this.#entries.size + FEW) return
    this.#deleted = 0
    this.#oldest = this.#entries.keys()
  }

  /** Forgets the entries whose values pass the test. */
  forgetIf(test: (value: Value) => boolean): void {
    for (const [key, value] of this.#entries) if (test(value)) this.forget(key)
  }
}
