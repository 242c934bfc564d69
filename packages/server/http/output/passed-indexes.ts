// The indexes of the elements that a query finds, for an answer that lists the elements first and their indexes after
// them. Few indexes are kept until then. Many are found by a second search, so that a long answer takes no more memory
// than a short one.

export type Batches<T> = AsyncIterable<T> | Iterable<T>

/** The number of indexes that are kept: half a MiB. @limit memory, entries */
const MAX_KEPT = 1 << 16

export class PassedIndexes {
  #kept: Float64Array[] = []
  #count = 0

  add(indexes: Float64Array): void {
    this.#count += indexes.length
    if (this.#count <= MAX_KEPT) this.#kept.push(indexes)
    else this.#kept = []
  }

  /** All indexes; `again` is a second search from the first index. */
  all(again: Batches<Float64Array>): Batches<Float64Array> {
    return this.#count <= MAX_KEPT ? this.#kept : again
  }
}
