// Time and randomness: the system's, and ones that a test drives. A process has one clock, since only within one
// clock are the times strictly increasing.

import { randomBytes } from 'node:crypto'
import type { Clock, Random } from './engine.ts'

/** The machine's time in microseconds; when that stands still or is set back, the time goes on by one microsecond. */
export function systemClock(): Clock {
  let last = 0
  let origin = performance.timeOrigin
  return {
    now() {
      // performance.now has the microseconds but does not see the machine's clock being set; Date.now has only whole
      // milliseconds but does. So the first is used, starting anew from the second when they have come apart.
      if (Math.abs(origin + performance.now() - Date.now()) > 2) origin = Date.now() - performance.now()
      last = Math.max(last + 1, Math.floor((origin + performance.now()) * 1000))
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

export interface TestClock extends Clock {
  /** Lets time pass. */
  advance(microseconds: number): void
  /** Sets the time by so much forward or back, without time having passed. */
  set(microseconds: number): void
}

/** Starts at `start` microseconds and goes on by `step` with every question about the time. */
export function testClock(start = 1_600_000_000_000_000, step = 1): TestClock {
  let last = start - step
  let passed = 0
  return {
    now: () => (last += step),
    elapsed: () => passed / 1000,
    advance(microseconds) {
      last += microseconds
      passed += microseconds
    },
    set(microseconds) {
      last += microseconds
    },
  }
}

/** The same bytes for the same seed, in the order of the calls (mulberry32). */
export function seededRandom(seed: number): Random {
  const next = seededNumbers(seed)
  return byteLength => Uint8Array.from({ length: byteLength }, () => next() * 256)
}

/** Numbers in [0, 1), the same ones for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
