// Disjoint ranges of keys that are known to have no committed entries, such as those of objects that a write has just
// created. There may be thousands.

import { type KeyText, keyTextOf, type Range } from '../key-range.ts'

export class EmptyRanges {
  /** The beginnings of the ranges, in order, and their ends. */
  readonly #starts: KeyText[] = []
  readonly #ends: KeyText[] = []

  add({ start, end }: Range): void {
    const text = keyTextOf(start)
    const at = this.#countUpTo(text)
    this.#starts.splice(at, 0, text)
    this.#ends.splice(at, 0, keyTextOf(end))
  }

  /** Whether the key is in one of them. */
  hasKey(text: KeyText): boolean {
    const at = this.#countUpTo(text) - 1
    return at >= 0 && text < this.#ends[at]
  }

  /** Whether all of the range is in one of them. */
  hasRange({ start, end }: Range): boolean {
    const at = this.#countUpTo(keyTextOf(start)) - 1
    return at >= 0 && keyTextOf(end) <= this.#ends[at]
  }

  /** The number of ranges that begin at the key or before it. */
  #countUpTo(text: KeyText): number {
    let low = 0
    let high = this.#starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#starts[middle] <= text) low = middle + 1
      else high = middle
    }
    return low
  }
}
