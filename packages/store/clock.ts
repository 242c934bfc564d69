// The times of changes, which are strictly increasing, and the randomness of the system.

import { randomBytes } from 'node:crypto'
import { type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { Random, StoreClock } from './interfaces/engine.ts'

/** Microseconds that the newest time may be ahead of the clock. */
const MOST_AHEAD = 1_000_000
const WARNING_MILLISECONDS = 60_000

/**
 * The clock with its time in microseconds. When that stops or is set back, or `after` is ahead of it, each time is one
 * microsecond after the last one, and `warn` is called once a minute.
 */
export function storeClock(
  clock: Clock = SYSTEM_CLOCK,
  warn: (message: string) => void = () => undefined,
): StoreClock {
  let last = 0
  let offset = 0
  let warnedAt = Number.NEGATIVE_INFINITY

  function warnOf(ahead: number): void {
    if (ahead < MOST_AHEAD || clock.elapsed() - warnedAt < WARNING_MILLISECONDS) return
    warnedAt = clock.elapsed()
    const seconds = Math.round(ahead / 1_000_000)
    warn(
      `the clock of this machine is ${seconds} s behind the newest time in the store, because it or that of ` +
        'another machine was ahead: until it has caught up, times of changes are wrong by that time. Let NTP set the clocks',
    )
  }

  return {
    ...clock,
    stamp(after = 0) {
      // `elapsed` has microseconds but does not notice that the machine's clock is set. `now` notices it but has only
      // whole milliseconds. So `elapsed` counts from a reading of `now`, and starts anew from it when the two differ.
      if (Math.abs(offset + clock.elapsed() - clock.now()) > 2) offset = clock.now() - clock.elapsed()
      const time = Math.floor((offset + clock.elapsed()) * 1000)
      last = Math.max(last + 1, after + 1, time)
      warnOf(last - time)
      return last
    },
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
