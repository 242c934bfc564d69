// The part of a state that a command has read ahead. Commands go through objects mostly in the order of their keys,
// with a small read or two for each; a request for each of them would mostly wait for a processor.

import type { Entry } from '../../interfaces/engine.ts'
import { EVERYTHING, isWithin, successor } from '../../key-range.ts'
import { PIECE_ENTRIES } from './messages.ts'

/** The number of entries when reading ahead begins, and when it is tried again. */
const FIRST_ENTRIES = 64
/** Requests after which reading ahead is tried again. */
const REQUESTS_BETWEEN = 64

/** All entries from `start` to `end`, in the order of their keys. */
export class KnownPart {
  readonly start: Uint8Array
  readonly end: Uint8Array
  readonly #entries: readonly Entry[]

  constructor(start: Uint8Array, entries: readonly Entry[], isLast: boolean) {
    const last = entries.at(-1)
    this.start = start
    this.end = isLast || last === undefined ? EVERYTHING.end : successor(last.key)
    this.#entries = entries
  }

  has(key: Uint8Array): boolean {
    return isWithin(key, this)
  }

  /** Its entries from `key` on. */
  from(key: Uint8Array): readonly Entry[] {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (Buffer.compare(this.#entries[middle].key, key) < 0) low = middle + 1
      else high = middle
    }
    return this.#entries.slice(low)
  }
}

export class ReadAhead {
  readonly #read: (start: Uint8Array, limit: number) => Promise<KnownPart>
  #part: KnownPart | undefined
  #isUsed = false
  #entries = FIRST_ENTRIES
  #requests = 0

  /** `read` reads up to `limit` entries from `start` on. */
  constructor(read: (start: Uint8Array, limit: number) => Promise<KnownPart>) {
    this.#read = read
  }

  /** A part with the key, which may be read now. Undefined: reading ahead has not been of use lately. */
  async at(key: Uint8Array): Promise<KnownPart | undefined> {
    const known = this.known(key)
    if (known) return known
    // Longer parts follow one that was of use, shorter ones another.
    if (this.#part) this.#entries = this.#isUsed ? this.#entries * 2 : this.#entries >> 1
    if (++this.#requests % REQUESTS_BETWEEN === 0) this.#entries = Math.max(this.#entries, FIRST_ENTRIES)
    this.#entries = Math.min(this.#entries, PIECE_ENTRIES)
    this.#part = undefined
    if (this.#entries === 0 || Buffer.compare(key, EVERYTHING.end) >= 0) return undefined
    this.#isUsed = false
    const part = await this.#read(key, this.#entries)
    this.#part = part
    return part
  }

  known(key: Uint8Array): KnownPart | undefined {
    if (!this.#part?.has(key)) return undefined
    this.#isUsed = true
    return this.#part
  }
}
