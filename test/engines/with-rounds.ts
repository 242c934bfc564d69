// An engine that counts rounds: reads that begin in one turn of the event loop go to the store together, as they go to
// PostgreSQL in one statement, and are answered in a later turn. So a request that reads records one after another
// makes as many rounds as there are records, and one that reads them together makes a few. Each commit is a round.

import { setImmediate } from 'node:timers/promises'
import type { Engine } from '@hyperslab/store/engines'
import { aroundEngine } from './around.ts'

export interface EngineInRounds {
  readonly engine: Engine
  /** The rounds since the last call. */
  takeRounds(): number
}

export function withRounds(inner: Engine): EngineInRounds {
  let rounds = 0
  let answered: Promise<void> | undefined
  const nextRound = () => {
    if (answered === undefined) {
      rounds++
      // Reads that begin before the microtasks of now are done are in the same round.
      queueMicrotask(() => {
        answered = undefined
      })
      answered = setImmediate()
    }
    return answered
  }
  const engine = aroundEngine(inner, async (operation, run) => {
    if (operation === 'get' || operation === 'getMany' || operation === 'range') await nextRound()
    if (operation === 'commit') rounds++
    return run()
  })
  return {
    engine,
    takeRounds() {
      const taken = rounds
      rounds = 0
      return taken
    },
  }
}
