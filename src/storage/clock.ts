// The system's time and randomness. A process has one clock, since only within one clock are the times strictly increasing.

import { randomBytes } from 'node:crypto'
import type { Clock, Random } from './engine.ts'

/** The machine's time in microseconds; when that stands still or is set back, the time goes on by one microsecond. */
export function systemClock(): Clock {
  let last = 0
  let origin = performance.timeOrigin
  return {
    now(after = 0) {
      // performance.now has the microseconds but does not see the machine's clock being set; Date.now has only whole
      // milliseconds but does. So the first is used, starting anew from the second when they have come apart.
      if (Math.abs(origin + performance.now() - Date.now()) > 2) origin = Date.now() - performance.now()
      last = Math.max(last + 1, after + 1, Math.floor((origin + performance.now()) * 1000))
      return last
    },
    elapsed: () => performance.now(),
  }
}

/** Asked for at once: the system takes as long for 8 bytes as for this many. */
const RANDOM_BYTES = 4096
let drawn = Buffer.alloc(0)

/** No byte is handed out twice, so what is returned may be kept and changed. */
export const systemRandom: Random = byteLength => {
  if (byteLength > RANDOM_BYTES) return randomBytes(byteLength)
  if (byteLength > drawn.length) drawn = randomBytes(RANDOM_BYTES)
  const bytes = drawn.subarray(0, byteLength)
  drawn = drawn.subarray(byteLength)
  return bytes
}
