// Whether the service can serve: it is not about to end, its accounts can be read, and its storage has just stored a
// small record and returned it. Load balancers request this every few seconds; the storage is tested at most that
// often.

import { type CancelTimer, type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainPath, Timestamp } from '@hyperslab/model/names'

export interface ReadinessParts {
  /** Writes a few bytes into the records or the values and reads them back; rejects when that fails. */
  readonly probe: (half: 'records' | 'values') => Promise<void>
  /** False while no user can log in because the accounts cannot be read. */
  readonly hasAccounts: () => Promise<boolean>
  /** Called once when the storage fails, and again only after it has worked in between. */
  readonly report: (error: unknown) => void
  /** Default: that of the system. */
  readonly clock?: Clock
}

/** A mount whose file system does not answer, or fails. The service is ready nonetheless. */
export interface UnwellMount {
  readonly path: DomainPath
  /** The time since which it does so. */
  readonly since: Timestamp
  /** Calls of the system that have not ended in time. */
  readonly overdue: number
  /** The behaviour of the file system, such as that it "does not answer". */
  readonly reason: string
}

/** The time for which a result is reused; it is short because a failure may be repaired at any moment. */
const HOLDS_MILLISECONDS = 5_000
const FAILURE_HOLDS_MILLISECONDS = 1_000
/** A disk that takes longer counts as hanging. */
const PATIENCE_MILLISECONDS = 5_000

export class Readiness {
  /** True when the service is about to end. */
  isStopping = false
  readonly #parts: ReadinessParts
  readonly #clock: Clock
  /** The reason why the storage is not ready. */
  #failure: string | undefined
  #since = Number.NEGATIVE_INFINITY
  /** The running probe; there is at most one at a time, however long it takes. */
  #probing: Promise<void> | undefined

  constructor(parts: ReadinessParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? SYSTEM_CLOCK
  }

  /** Rejects with `not-ready`. */
  async check(): Promise<void> {
    if (this.isStopping) throw notReady('the service is about to end')
    const holds = this.#failure === undefined ? HOLDS_MILLISECONDS : FAILURE_HOLDS_MILLISECONDS
    if (this.#clock.elapsed() - this.#since >= holds) {
      this.#probing ??= this.#probe()
      await this.#within(PATIENCE_MILLISECONDS, this.#probing)
    }
    if (this.#probing !== undefined) throw notReady('the storage does not answer')
    if (this.#failure !== undefined) throw notReady(this.#failure)
    // The accounts come last, since reading them waits for the storage, too.
    if (!(await this.#parts.hasAccounts())) throw notReady('the accounts cannot be read; the log says why')
  }

  async #probe(): Promise<void> {
    let half: 'records' | 'values' = 'records'
    try {
      await this.#parts.probe(half)
      half = 'values'
      await this.#parts.probe(half)
      this.#failure = undefined
    } catch (error) {
      if (this.#failure === undefined) this.#parts.report(error)
      this.#failure =
        error instanceof HyperslabError && error.code === 'storage-locked'
          ? error.message
          : `the ${half} of the storage cannot be written or read; the log says why`
    }
    this.#since = this.#clock.elapsed()
    this.#probing = undefined
  }

  /** Resolves when `work` has ended or the time is over. */
  async #within(milliseconds: number, work: Promise<void>): Promise<void> {
    let cancel: CancelTimer | undefined
    const timeout = new Promise<void>(resolve => {
      cancel = this.#clock.after(milliseconds, resolve)
    })
    await Promise.race([work, timeout])
    cancel?.()
  }
}

function notReady(reason: string): HyperslabError {
  return new HyperslabError('not-ready', reason, { retryAfter: FAILURE_HOLDS_MILLISECONDS / 1000 })
}
