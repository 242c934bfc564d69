// The contract of every store, whatever its engine: one suite, run on each engine, bare and in the wrappers.

import type { Engine } from '@hyperslab/store/engines'
import { type OpenStore, openStore } from '@hyperslab/store/engines'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { seededRandom, testClock } from '../engines/clock.ts'
import { SHUFFLE_DEFLATE } from './sample-objects.ts'
import { expectSound } from './sound.ts'
import { describeDomains } from './store-domains.ts'
import { describeEvents } from './store-events.ts'
import { describeFilling } from './store-filling.ts'
import { describeLargeAttributes } from './store-large-attributes.ts'
import { describeMembers } from './store-members.ts'
import { describeObjects } from './store-objects.ts'
import { describeQuotas } from './store-quotas.ts'
import { describeTransactions } from './store-transactions.ts'
import { describeValues } from './store-values.ts'

/**
 * The store under test; there only while a test runs. The tests of a suite make domains of their own, so they share
 * one.
 */
export type TheStore = () => OpenStore

/** Values with the records are so short that the small chunks of the tests get patches. */
const SHORT = { maxInlineBytes: 60 }

export function describeStore(name: string, openEngine: () => Promise<Engine>): void {
  describe(name, () => {
    const suites: readonly [string, (store: TheStore) => void, { readonly maxInlineBytes: number }?][] = [
      ['domains', describeDomains],
      ['objects', describeObjects],
      ['members', describeMembers],
      ['large attributes', describeLargeAttributes],
      ['values', describeValues],
      ['values with filters', store => describeValues(store, SHUFFLE_DEFLATE)],
      ['filling', describeFilling],
      ['events', describeEvents],
      ['quotas', describeQuotas],
      ['quotas with patches', describeQuotas, SHORT],
      ['transactions', describeTransactions],
      ['values in patches', describeValues, SHORT],
      ['transactions with patches', describeTransactions, SHORT],
    ]
    // Each has a store of its own: the check after it walks what this suite has left, not what all before it have.
    for (const [suite, describeSuite, sizes] of suites) {
      describe(suite, () => {
        let engine: Engine
        let store: OpenStore | undefined
        beforeAll(async () => {
          const options = {
            clock: testClock(),
            random: seededRandom(1),
            sweeps: false,
            maxOpenBytes: 2000,
            pieceBytes: 8000,
            ...sizes,
          }
          engine = await openEngine()
          store = openStore(engine, options)
        })
        afterAll(() => store?.close())
        describeSuite(() => {
          if (store === undefined) throw new Error('no store is open')
          return store
        })
        it('after all that, a check finds nothing wrong', () => expectSound(engine))
      })
    }
  })
}
