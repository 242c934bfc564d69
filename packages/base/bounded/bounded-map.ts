// A Map with a limit, for values that can be computed again: beyond the limit it drops the oldest entries.

export interface BoundedMapOptions<Value> {
  /** The share of an entry in the limit. Default: 1. */
  readonly weightOf?: (value: Value) => number
  /** Called with each value that is dropped or replaced. */
  readonly onForget?: (value: Value) => void
}

interface Entry<Key, Value> {
  readonly key: Key
  readonly value: Value
  older: Entry<Key, Value> | undefined
  newer: Entry<Key, Value> | undefined
}

/**
 * The entries are a list too, the oldest first. The order of a Map would not do: a key that is deleted and set again
 * leaves a gap, and the next one looks at all gaps of its key until the Map is rehashed, which a large one seldom is.
 */
export class BoundedMap<Key, Value extends object | string | number> {
  readonly #entries = new Map<Key, Entry<Key, Value>>()
  readonly #limit: number
  readonly #weightOf: (value: Value) => number
  readonly #onForget: ((value: Value) => void) | undefined
  #oldest: Entry<Key, Value> | undefined
  #newest: Entry<Key, Value> | undefined
  #weight = 0

  /** The newest entry is kept, whatever it weighs. */
  constructor(limit: number, { weightOf = () => 1, onForget }: BoundedMapOptions<Value> = {}) {
    this.#limit = limit
    this.#weightOf = weightOf
    this.#onForget = onForget
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
    return this.#entries.get(key)?.value
  }

  /** The value, which is the newest from now on: for a map that forgets the entry that was used least recently. */
  use(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry !== undefined && entry !== this.#newest) {
      this.#unlink(entry)
      this.#append(entry)
    }
    return entry?.value
  }

  set(key: Key, value: Value): void {
    const before = this.#entries.get(key)
    if (before !== undefined) this.#remove(before)
    const entry: Entry<Key, Value> = { key, value, older: undefined, newer: undefined }
    this.#entries.set(key, entry)
    this.#append(entry)
    this.#weight += this.#weightOf(value)
    if (before !== undefined) this.#onForget?.(before.value)
    while (this.#weight > this.#limit && this.#oldest && this.#oldest !== this.#newest) {
      this.forget(this.#oldest.key)
    }
  }

  forget(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#remove(entry)
    this.#onForget?.(entry.value)
  }

  /** Forgets the entries whose values pass the test. */
  forgetIf(test: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (test(value)) this.forget(key)
  }

  #remove(entry: Entry<Key, Value>): void {
    this.#unlink(entry)
    this.#weight -= this.#weightOf(entry.value)
  }

  #unlink({ older, newer }: Entry<Key, Value>): void {
    if (older) older.newer = newer
    else this.#oldest = newer
    if (newer) newer.older = older
    else this.#newest = older
  }

  #append(entry: Entry<Key, Value>): void {
    entry.older = this.#newest
    entry.newer = undefined
    if (this.#newest) this.#newest.newer = entry
    else this.#oldest = entry
    this.#newest = entry
  }
}
