// The children of a folder that are stored and those that are mounted, as one listing.

import { compareUtf8, nameOf } from '@hyperslab/model/names'
import type { DomainEntry } from '../interfaces/store.ts'

/**
 * Merges both listings, which are in the order of their names as UTF-8 bytes, like the result. Of two entries with one
 * path it has the stored one.
 */
export async function* mergeChildren(
  stored: AsyncIterable<DomainEntry>,
  mounted: AsyncIterable<DomainEntry>,
  limit = Infinity,
): AsyncGenerator<DomainEntry> {
  const iterators = [stored[Symbol.asyncIterator](), mounted[Symbol.asyncIterator]()] as const
  try {
    let [one, other] = await Promise.all(iterators.map(iterator => iterator.next()))
    for (let count = 0; count < limit && !(one.done && other.done); count++) {
      const order = one.done ? 1 : other.done ? -1 : compareEntries(one.value, other.value)
      yield order <= 0 ? one.value : other.value
      if (order <= 0) one = await iterators[0].next()
      if (order >= 0) other = await iterators[1].next()
    }
  } finally {
    await Promise.all(iterators.map(iterator => iterator.return?.()))
  }
}

function compareEntries(one: DomainEntry, other: DomainEntry): number {
  return compareUtf8(nameOf(one.path), nameOf(other.path))
}
