// A clock and random bytes that a test drives.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { Random, StoreClock } from '../../packages/store/interfaces/engine.ts'

export interface TestClock extends StoreClock {
  /** Lets time pass. */
  advance(microseconds: number): void
  /** Sets the time by so much forward or back, without time having passed. */
  set(microseconds: number): void
}

/**
 * Starts at `start` microseconds and goes on by `step` with every question about the time, and by what is slept. Timers
 * are those of the system.
 */
export function testClock(start = 1_600_000_000_000_000, step = 1): TestClock {
  let last = start - step
  let passed = 0
  return {
    ...SYSTEM_CLOCK,
    now: () => Math.floor(last / 1000),
    stamp: (after = 0) => (last = Math.max(last + step, after + 1)),
    elapsed: () => passed / 1000,
    async sleep(milliseconds, signal) {
      await SYSTEM_CLOCK.sleep(milliseconds, signal)
      passed += 1000 * milliseconds
    },
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
