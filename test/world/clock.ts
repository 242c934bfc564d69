// The time of a world: it stands still until a test lets it pass, and then jumps from one timer to the next. Each
// service has a clock of its own over it, which may be ahead, and which stops when the service is killed.

import type { CancelTimer, Clock } from '@hyperslab/base/clock'

/** The date at which every world begins, in milliseconds. */
const BEGINNING = Date.parse('2027-01-01')

interface Timer {
  readonly at: number
  readonly work: () => void
}

export class WorldTime {
  /** Milliseconds since the beginning. */
  passed = 0
  readonly #timers = new Set<Timer>()

  /** Calls `work` when that time has passed. */
  after(milliseconds: number, work: () => void): CancelTimer {
    const timer = { at: this.passed + Math.max(0, milliseconds), work }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Jumps to the next timer, if it is due by then, and runs it; false: there is none. Equal times keep their order. */
  runNext(until: number): boolean {
    let next: Timer | undefined
    for (const timer of this.#timers) if (next === undefined || timer.at < next.at) next = timer
    if (next === undefined || next.at > until) return false
    this.#timers.delete(next)
    this.passed = Math.max(this.passed, next.at)
    next.work()
    return true
  }
}

/** A clock that is `ahead` milliseconds ahead. */
export class WorldClock implements Clock {
  ahead: number
  readonly #time: WorldTime
  readonly #timers = new Set<CancelTimer>()
  #hasStopped = false

  constructor(time: WorldTime, ahead = 0) {
    this.#time = time
    this.ahead = ahead
  }

  readonly now = (): number => Math.floor(BEGINNING + this.#time.passed + this.ahead)

  readonly elapsed = (): number => this.#time.passed

  readonly sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const cancel = this.after(milliseconds, () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      })
      const abort = () => {
        cancel()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    })

  readonly after = (milliseconds: number, work: () => void): CancelTimer => {
    if (this.#hasStopped) return () => {}
    const cancelInWorld = this.#time.after(milliseconds, () => {
      this.#timers.delete(cancel)
      work()
    })
    const cancel = () => {
      this.#timers.delete(cancel)
      cancelInWorld()
    }
    this.#timers.add(cancel)
    return cancel
  }

  readonly every = (milliseconds: number, work: () => void): CancelTimer => {
    let cancel: CancelTimer
    const again = () => {
      cancel = this.after(milliseconds, again)
      work()
    }
    cancel = this.after(milliseconds, again)
    return () => cancel()
  }

  /** Nothing that waits for this clock goes on. */
  stop(): void {
    this.#hasStopped = true
    for (const cancel of [...this.#timers]) cancel()
  }
}
