// The log of refused connections: there were too many, or what came was not HTTP, too large or too slow. No request
// stands for them in the log of requests. A flood of them is a few lines and then one with their numbers.

import { type CancelTimer, type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { ErrorCode } from '@hyperslab/base/errors'

export interface Refusal {
  readonly code: ErrorCode
  readonly address: string | undefined
}

/** Refusals of one period beyond those that have lines of their own, by their codes. */
export interface MoreRefusals {
  readonly refused: Readonly<Record<string, number>>
}

const PERIOD_MILLISECONDS = 60_000
/** Refused connections in a minute that have a line in the log each. @limit safety, lines */
const MAX_LINES = 10

export class RefusalLog {
  readonly #write: (refusals: Refusal | MoreRefusals) => void
  readonly #clock: Clock
  readonly #more = new Map<ErrorCode, number>()
  #lines = 0
  #cancelPeriod: CancelTimer | undefined

  constructor(write: (refusals: Refusal | MoreRefusals) => void, clock: Clock = SYSTEM_CLOCK) {
    this.#write = write
    this.#clock = clock
  }

  note(refusal: Refusal): void {
    this.#cancelPeriod ??= this.#clock.after(PERIOD_MILLISECONDS, () => this.#endPeriod(), 'while-running')
    if (this.#lines < MAX_LINES) {
      this.#lines++
      this.#write(refusal)
    } else this.#more.set(refusal.code, (this.#more.get(refusal.code) ?? 0) + 1)
  }

  /** Must be called at the end, so that no refusal is missing. */
  close(): void {
    this.#cancelPeriod?.()
    this.#endPeriod()
  }

  #endPeriod(): void {
    if (this.#more.size > 0) this.#write({ refused: Object.fromEntries(this.#more) })
    this.#more.clear()
    this.#lines = 0
    this.#cancelPeriod = undefined
  }
}
