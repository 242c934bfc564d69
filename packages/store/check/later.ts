// The look-ups of a check: records are read many at once, and files beside each other.

import { inParallel } from '@hyperslab/base/bounded'
import type { Reads } from '../changes.ts'

/** The highest number of look-ups that wait: the records of this many are in memory at once. */
const MOST = 128
const PARALLEL = 8

type Use = (record: Uint8Array | undefined) => void

export class Later {
  readonly #reads: Reads
  #keys: Uint8Array[] = []
  #uses: Use[] = []
  #works: (() => Promise<void>)[] = []

  constructor(reads: Reads) {
    this.#reads = reads
  }

  /** Calls `use` with the record of the key, later. `use` may call this again. */
  get(key: Uint8Array, use: Use): void {
    this.#keys.push(key)
    this.#uses.push(use)
  }

  run(work: () => Promise<void>): void {
    this.#works.push(work)
  }

  get isFull(): boolean {
    return this.#keys.length >= MOST || this.#works.length >= MOST
  }

  /** Runs all look-ups that wait. */
  async flush(): Promise<void> {
    while (this.#keys.length + this.#works.length > 0) {
      const [keys, uses, works] = [this.#keys, this.#uses, this.#works]
      this.#keys = []
      this.#uses = []
      this.#works = []
      const records = await this.#reads.getMany(keys)
      for (const [i, use] of uses.entries()) use(records[i])
      await inParallel(works, PARALLEL, work => work())
    }
  }
}
