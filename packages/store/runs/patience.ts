// The time for which a write that conflicts with others is tried again.

import type { Random, StoreClock } from '../interfaces/engine.ts'

/** Conflicts after which a write is answered 503. @limit safety, conflicts */
const MAX_CONFLICTS = 100
/** Time for which a write is run again. @limit safety, ms */
const MAX_MILLISECONDS = 10_000

/** The time counts from the first conflict of the write. */
export class Patience {
  readonly #clock: StoreClock
  #conflicts = 0
  #since: number | undefined

  constructor(clock: StoreClock) {
    this.#clock = clock
  }

  /** Whether the write is tried again. Must be called at each conflict. */
  isLeft(): boolean {
    this.#since ??= this.#clock.elapsed()
    this.#conflicts++
    return this.#conflicts < MAX_CONFLICTS && this.#clock.elapsed() - this.#since <= MAX_MILLISECONDS
  }

  /** Waits for a random time, so that writes that conflict again and again do not start together. */
  async wait(random: Random): Promise<void> {
    if (this.#conflicts < 3) return
    const [chance] = random(1)
    await this.#clock.sleep((chance / 256) * Math.min(100, 2 ** this.#conflicts))
  }
}
