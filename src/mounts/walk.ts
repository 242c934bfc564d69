// A walk through the objects of a file, each once, however links go in circles. It goes on only while a caller waits for it, a batch
// at a time, and all that wait share it; so it may be asked for again and again, and costs one walk.

import type { FileAddress } from '../h5file/reader.ts'
import { isTurnOver, nextTurn } from '../turns.ts'

/** Objects that are visited at once: a reader joins reads of what is near. */
const BATCH = 64

export class Walk {
  readonly #visit: (address: FileAddress) => Promise<Iterable<FileAddress>>
  /** All that were found, in the order in which they were; those from `#next` on were not visited. */
  readonly #found: FileAddress[]
  readonly #seen: Set<FileAddress>
  #next = 0
  #step: Promise<void> | undefined

  /** `visit` gives the addresses that an object leads to. When it throws, its object is visited again when the walk goes on. */
  constructor(start: FileAddress, visit: (address: FileAddress) => Promise<Iterable<FileAddress>>) {
    this.#visit = visit
    this.#found = [start]
    this.#seen = new Set(this.#found)
  }

  /** Goes on until everything was visited, or `isEnough` says so. */
  async complete(isEnough: () => boolean = () => false): Promise<void> {
    while (this.#next < this.#found.length && !isEnough()) {
      this.#step ??= this.#visitBatch().finally(() => {
        this.#step = undefined
      })
      await this.#step
    }
  }

  async #visitBatch(): Promise<void> {
    const batch = this.#found.slice(this.#next, this.#next + BATCH)
    const visits = await Promise.allSettled(batch.map(this.#visit))
    this.#next += batch.length
    let failure: { readonly reason: unknown } | undefined
    for (const [index, visit] of visits.entries()) {
      if (visit.status === 'rejected') {
        failure ??= visit
        this.#found.push(batch[index])
        continue
      }
      for (const address of visit.value) {
        if (isTurnOver()) await nextTurn()
        if (this.#seen.has(address)) continue
        this.#seen.add(address)
        this.#found.push(address)
      }
    }
    if (failure) throw failure.reason
    await nextTurn()
  }
}
