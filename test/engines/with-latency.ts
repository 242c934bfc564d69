// An engine whose operations take a while, each a different one, so that a test sees what happens when they overlap
// and end in another order than they began. The same seed gives the same delays.

import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Engine } from '@hyperslab/store/engines'
import { aroundEngine } from './around.ts'
import { seededNumbers } from './clock.ts'

export interface Latency {
  readonly seed: number
  /** Each operation begins after 0 to this many milliseconds. */
  readonly maxMilliseconds: number
}

export function withLatency(engine: Engine, { seed, maxMilliseconds }: Latency): Engine {
  const next = seededNumbers(seed)
  return aroundEngine(engine, async (operation, run) => {
    // Ranges wait once, not for every entry.
    if (operation === 'entry' || operation === 'blob') return run()
    const milliseconds = next() * maxMilliseconds
    // A timer takes a millisecond at least; a shorter delay is one turn of the event loop.
    await (milliseconds < 1 ? setImmediate() : setTimeout(milliseconds))
    return run()
  })
}
