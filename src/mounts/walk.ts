// A walk through the objects of a file, each once, however links go in circles. It goes on only while a caller waits
// for it, a batch at a time, and all that wait share it; so it may be asked for again and again, and costs one walk.

import { type AbortCheck, isTurnOver, nextTurn } from '../bounded/turns.ts'
import type { FileAddress } from '../h5file/file-reader.ts'

/** Objects that are visited at once: a reader joins reads of what is near. */
const BATCH = 64

/** Gives the addresses that an object leads to. `signal` throws when no caller waits for the walk any more. */
type Visit = (address: FileAddress, signal: AbortCheck) => Promise<Iterable<FileAddress>>

/** The signal of a caller that does not leave. */
const STAYS: AbortCheck = { throwIfAborted() {} }

export class Walk {
  readonly #visit: Visit
  /** All that were found, in the order in which they were; those from `#next` on were not visited. */
  readonly #found: FileAddress[]
  readonly #seen: Set<FileAddress>
  readonly #callers: AbortCheck[] = []
  #next = 0
  #step: Promise<void> | undefined

  /** When `visit` throws, its object is visited again when the walk goes on. */
  constructor(start: FileAddress, visit: Visit) {
    this.#visit = visit
    this.#found = [start]
    this.#seen = new Set(this.#found)
  }

  /** Objects that were found. */
  get size(): number {
    return this.#seen.size
  }

  hasFound(address: FileAddress): boolean {
    return this.#seen.has(address)
  }

  /** Goes on until everything was visited, or `isEnough` says so, or the caller has left: then its `signal` throws. */
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
        // A visit that no caller waits for is not a failure: a caller that has come meanwhile goes on with the walk.
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
