// A walk through the objects of a file, each once, even if links form cycles. It continues only while a caller waits
// for it, a batch at a time. All callers share it, so that any number of them costs one walk.

import { type AbortCheck, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { FileAddress } from '@hyperslab/h5/reader'

/** Objects that are visited at once: a reader joins reads of near bytes. */
const BATCH = 64

/** Returns the addresses to which an object leads. `signal` throws when no caller waits for the walk any more. */
type Visit = (address: FileAddress, signal: AbortCheck) => Promise<Iterable<FileAddress>>

/** The signal of a caller that does not leave. */
const STAYS: AbortCheck = { throwIfAborted() {} }

export class Walk {
  readonly #visit: Visit
  /** All found objects, in the order of discovery; those from `#next` on are not visited yet. */
  readonly #found: FileAddress[]
  readonly #seen: Set<FileAddress>
  readonly #callers: AbortCheck[] = []
  #next = 0
  #step: Promise<void> | undefined

  /** When `visit` throws, its object is visited again when the walk continues. */
  constructor(start: FileAddress, visit: Visit) {
    this.#visit = visit
    this.#found = [start]
    this.#seen = new Set(this.#found)
  }

  /** The number of objects that were found. */
  get size(): number {
    return this.#seen.size
  }

  /** Whether all objects were visited. */
  get isComplete(): boolean {
    return this.#next >= this.#found.length
  }

  hasFound(address: FileAddress): boolean {
    return this.#seen.has(address)
  }

  /**
   * Continues until all objects were visited, `isEnough` returns true, or the caller has left, when its `signal`
   * throws.
   */
  async complete(signal: AbortCheck = STAYS, isEnough: () => boolean = () => false): Promise<void> {
    this.#callers.push(signal)
    try {
      while (this.#next < this.#found.length && !isEnough()) {
        signal.throwIfAborted()
        this.#step ??= this.#visitBatch().finally(() => {
          this.#step = undefined
        })
        await this.#step
      }
    } finally {
      this.#callers.splice(this.#callers.indexOf(signal), 1)
    }
  }

  async #visitBatch(): Promise<void> {
    const batch = this.#found.slice(this.#next, this.#next + BATCH)
    const visits = await Promise.allSettled(batch.map(address => this.#visit(address, this.#waiting)))
    this.#next += batch.length
    let failure: { readonly reason: unknown } | undefined
    for (const [index, visit] of visits.entries()) {
      if (visit.status === 'rejected') {
        // A visit that ends because no caller waits is not a failure: a later caller continues the walk.
        if (!(visit.reason instanceof NobodyWaits)) failure ??= visit
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

  readonly #waiting: AbortCheck = {
    throwIfAborted: () => {
      if (!this.#callers.some(isThere)) throw new NobodyWaits()
    },
  }
}

/** Ends the visit of an object that no caller waits for. */
class NobodyWaits extends Error {}

function isThere(signal: AbortCheck): boolean {
  try {
    signal.throwIfAborted()
    return true
  } catch {
    return false
  }
}
