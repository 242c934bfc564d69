// The time, as a parameter: everything that waits, or that depends on the time, gets a clock, which a test can drive.
// Work that only measures a duration or divides itself into turns uses the clock of the system, which is here. No other
// file asks the system for the time or sets a timer (scripts/check-clock).

/** Cancels a timer; nothing happens if it has run already. */
export type CancelTimer = () => void

export interface Clock {
  /** Milliseconds since the epoch; it steps when the clock of the machine is set. */
  now(): number
  /** Milliseconds since some moment: only differences count, and setting the clock of the machine changes none. */
  elapsed(): number
  /** Resolves after that time; rejects with the reason of the signal if it is aborted before. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Calls `work` once after that time. The process stays until then, unless the work is of no use without it. */
  after(milliseconds: number, work: () => void, use?: 'while-running'): CancelTimer
  /** Calls `work` again and again after that time, while the process runs. */
  every(milliseconds: number, work: () => void): CancelTimer
}

/** With it `elapsed` is close to `now` as long as nobody sets the clock, and has microseconds. */
const origin = performance.timeOrigin

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  elapsed: () => origin + performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const end = () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
    }),
  after(milliseconds, work, use) {
    const timer = setTimeout(work, milliseconds)
    if (use === 'while-running') letEnd(timer)
    return () => clearTimeout(timer)
  },
  every(milliseconds, work) {
    const timer = setInterval(work, milliseconds)
    letEnd(timer)
    return () => clearInterval(timer)
  },
}

/** Node's timers keep the process otherwise; those of browsers are numbers. */
function letEnd(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref()
}
