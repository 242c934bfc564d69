// The failures of a store: those that end reads and writes are counted, and those of the storage and of work in the
// background are reported.

import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import type { StoreClock } from './interfaces/engine.ts'
import type { StoreFigures } from './interfaces/store.ts'

/** The same failure is reported once in this time, since work in the background is repeated. */
const REPORT_MILLISECONDS = 60_000

/** Failures that an operator can repair. */
const REPORTED: ReadonlySet<ErrorCode> = new Set([
  'storage-failed',
  'storage-full',
  'storage-locked',
  'values-damaged',
  'records-damaged',
])

export class Failures {
  readonly #clock: StoreClock
  readonly #report: (error: unknown) => void
  /** The time at which each message was last reported. */
  readonly #reported = new Map<string, number>()
  #conflicts = 0
  #locked = 0

  constructor(clock: StoreClock, report: (error: unknown) => void) {
    this.#clock = clock
    this.#report = report
  }

  get figures(): Pick<StoreFigures, 'conflicts' | 'locked'> {
    return { conflicts: this.#conflicts, locked: this.#locked }
  }

  /** Counts the failure of a read or a write, and passes on its outcome. */
  async count<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.#count(error)
      throw error
    }
  }

  report(error: unknown): void {
    const now = this.#clock.elapsed()
    for (const [message, since] of this.#reported) {
      if (now - since >= REPORT_MILLISECONDS) this.#reported.delete(message)
    }
    const message = String(error)
    if (this.#reported.has(message)) return
    this.#reported.set(message, now)
    this.#report(error)
  }

  #count(error: unknown): void {
    if (!(error instanceof HyperslabError)) return
    if (error.code === 'storage-conflict') this.#conflicts++
    if (error.code === 'storage-locked') this.#locked++
    if (REPORTED.has(error.code)) this.report(error)
  }
}
