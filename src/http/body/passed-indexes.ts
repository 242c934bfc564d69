// The indexes of the elements that a query finds, for an answer that lists the elements first and their indexes after them.
// Few are kept meanwhile; many are found by a second search, so that a long answer takes no more memory than a short one.

export type Batches<T> = AsyncIterable<T> | Iterable<T>

/** Numbers that are kept: half a MiB. */
const MOST_KEPT = 1 << 16

export class PassedIndexes {
  #kept: Float64Array[] = []
  #count = 0

  add(indexes: Float64Array): void {
    this.#count += indexes.length
    if (this.#count <= MOST_KEPT) this.#kept.push(indexes)
    else this.#kept = []
  }

  /** `again` begins with the first index. */
  all(again: Batches<Float64Array>): Batches<Float64Array> {
    return this.#count <= MOST_KEPT ? this.#kept : again
  }
}
