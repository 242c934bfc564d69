// The system's time and randomness. A process has one clock, since only within one clock are the times strictly
// increasing.

import { randomBytes } from 'node:crypto'
import type { Clock, Random } from './interfaces/engine.ts'

/** Microseconds that the newest time may be ahead of the clock. */
const MOST_AHEAD = 1_000_000
const WARNING_MILLISECONDS = 60_000

/**
 * The machine's time in microseconds. When it stops or is set back, or `after` is ahead of it, each time is one
 * microsecond after the last one, and `warn` is called once a minute.
 */
export function systemClock(warn: (message: string) => void = () => undefined): Clock {
  let last = 0
  let origin = performance.timeOrigin
  let warnedAt = Number.NEGATIVE_INFINITY

  function warnOf(ahead: number): void {
    if (ahead < MOST_AHEAD || performance.now() - warnedAt < WARNING_MILLISECONDS) return
    warnedAt = performance.now()
    const seconds = Math.round(ahead / 1_000_000)
    warn(
      `the clock of this machine is ${seconds} s behind the newest time in the store, because it or that of ` +
        'another machine was ahead: until it has caught up, times of changes are wrong by that time. Let NTP set the clocks',
    )
  }

  return {
    now(after = 0) {
      // performance.now has microseconds but does not notice that the machine's clock is set. Date.now notices it but
      // has only whole milliseconds. So performance.now counts from a reading of Date.now, and starts anew from it when
      // the two differ.
      if (Math.abs(origin + performance.now() - Date.now()) > 2) origin = Date.now() - performance.now()
      const time = Math.floor((origin + performance.now()) * 1000)
      last = Math.max(last + 1, after + 1, time)
      warnOf(last - time)
      return last
    },
    elapsed: () => performance.now(),
  }
}

/** Bytes that one call gets: the system takes as long for 8 bytes as for this many. */
const RANDOM_BYTES = 4096
let drawn = Buffer.alloc(0)

/** No byte is returned twice, so the caller may keep and change the array. */
export const systemRandom: Random = byteLength => {
  if (byteLength > RANDOM_BYTES) return randomBytes(byteLength)
  if (byteLength > drawn.length) drawn = randomBytes(RANDOM_BYTES)
  const bytes = drawn.subarray(0, byteLength)
  drawn = drawn.subarray(byteLength)
  return bytes
}
