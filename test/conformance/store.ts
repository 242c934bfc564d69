// What every store keeps its word about, whatever engine it stands on: one suite, run on each engine, bare and behind
// the wrappers.

import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Engine } from '../../src/storage/engine.ts'
import { type OpenStore, openStore } from '../../src/storage/open-store.ts'
import { seededRandom, testClock } from '../engines/clock.ts'
import { SHUFFLE_DEFLATE } from './sample-objects.ts'
import { expectSound } from './sound.ts'
import { describeDomains } from './store-domains.ts'
import { describeFilling } from './store-filling.ts'
import { describeLargeAttributes } from './store-large-attributes.ts'
import { describeMembers } from './store-members.ts'
import { describeObjects } from './store-objects.ts'
import { describeTransactions } from './store-transactions.ts'
import { describeValues } from './store-values.ts'

/** The store under test; there only while a test runs. Tests make domains of their own, so they share one. */
export type TheStore = () => OpenStore

export function describeStore(name: string, openEngine: () => Promise<Engine>): void {
  describe(name, () => {
    let engine: Engine
    let store: OpenStore | undefined
    beforeAll(async () => {
      const options = {
        clock: testClock(),
        random: seededRandom(1),
        sweeps: false,
        maxOpenBytes: 2000,
        pieceBytes: 8000,
      }
      engine = await openEngine()
      store = openStore(engine, options)
    })
    afterAll(() => store?.close())
    const theStore: TheStore = () => {
      if (store === undefined) throw new Error('no store is open')
      return store
    }
    const suites = [
      describeDomains,
      describeObjects,
      describeMembers,
      describeLargeAttributes,
      describeValues,
      (store: TheStore) => describe('with filters', () => describeValues(store, SHUFFLE_DEFLATE)),
      describeFilling,
      describeTransactions,
    ]
    for (const describeSuite of suites) {
      describeSuite(theStore)
      it('after all that, a check finds nothing wrong', () => expectSound(engine))
    }
  })
}
