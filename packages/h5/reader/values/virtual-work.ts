// A limit of the work of opening a virtual dataset, or reading one box of it. The mappings of a small file can lead to
// each other's datasets exponentially often, or cut a box into any number of pieces.

import type { AbortCheck } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'

/** The steps of opening a source. One step is the reading of a mapping, of a piece of a selection or of a link. */
export const STEPS_OF_SOURCE = 16
export const STEPS_OF_READ = 64
export const ELEMENTS_OF_STEP = 64

/** Steps that every box has: some for each of its elements, which may be apart in its source. */
const FREE_STEPS = 2 ** 14
const STEPS_OF_ELEMENT = 8
/** To open a file, to find a dataset by its path, and to read it. */
const STEPS_OF_PART = 1024
/** Steps of one read of a virtual dataset beyond those: about a second. @limit safety, steps */
const MAX_STEPS = 2 ** 20
/** Steps of all reads of virtual datasets of one request. @limit safety, steps */
const MAX_STEPS_TOGETHER = 2 ** 22

/** Steps that are left for all that one request, or one import, reads. */
export class StepPool {
  left = MAX_STEPS_TOGETHER
}

export class VirtualWork {
  readonly #signal: AbortCheck | undefined
  readonly #pool: StepPool
  #free: number
  #taken = 0

  /**
   * `elements`: of the box. `pool`: shared by the boxes of one request or import that cannot be read, since many
   * datasets, or parts of one, may need that much. `signal`: work stops at the next step when the caller has abandoned
   * it.
   */
  constructor(elements: number, pool: StepPool = new StepPool(), signal?: AbortCheck) {
    this.#signal = signal
    this.#pool = pool
    this.#free = FREE_STEPS + STEPS_OF_ELEMENT * elements
  }

  /** Adds steps for parts of a joined dataset: the service has planned them, so their number is no harm. */
  addParts(parts: number): void {
    this.#free += STEPS_OF_PART * parts
  }

  /** Must be called before a number of steps; throws if none are left. */
  use(steps: number): void {
    this.#signal?.throwIfAborted()
    this.#free -= steps
    if (this.#free >= 0) return
    this.#taken -= this.#free
    this.#pool.left += this.#free
    this.#free = 0
    if (this.#taken <= MAX_STEPS && this.#pool.left >= 0) return
    const one = `more than ${MAX_STEPS} steps for one part of its values`
    throw new HyperslabError(
      'file-unreadable',
      `the mappings of the virtual dataset, with those of its sources, need ${one}, or too many together`,
    )
  }

  /** Returns the steps when all was read: those of boxes that cannot be read stay used. */
  end(): void {
    this.#pool.left += this.#taken
  }
}
