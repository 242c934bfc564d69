import type { Engine } from '@hyperslab/store/engines'
import { changeAccounts, type StoredAccounts } from '@hyperslab/store/records'
import { beforeEach, describe, expect, it } from 'vitest'
import { aroundEngine } from '../../../test/engines/around.ts'
import { seededRandom } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { withCounters } from '../../../test/engines/with-counters.ts'
import { withFaults } from '../../../test/engines/with-faults.ts'
import { userKey } from '../../store/records/keys.ts'
import { AccountRecords } from './account-records.ts'

const random = seededRandom(8)
let engine: Engine
let time: number
let reports: unknown[]

beforeEach(() => {
  engine = openMemoryEngine()
  time = 0
  reports = []
})

function open(on: Pick<Engine, 'keyValue'> = engine): Promise<AccountRecords> {
  return AccountRecords.open({
    keyValue: on.keyValue,
    now: () => time,
    report: error => reports.push(error),
  })
}

function change(work: (accounts: StoredAccounts) => unknown) {
  return changeAccounts(engine.keyValue, random, work)
}

const add = (name: string) =>
  change(({ users }) => users.set(name, { hash: `hash of ${name}`, admin: false }))

const names = (accounts: AccountRecords) => [...accounts.read().users.keys()]

describe('AccountRecords', () => {
  it('has the accounts of the store with the groups of each user', async () => {
    expect((await open()).read()).toMatchObject({ users: new Map(), groupsOf: new Map() })
    await add('ann')
    await change(({ groups }) => groups.set('lab', ['ann']).set('other', []))
    const accounts = (await open()).read()
    expect(accounts.users.get('ann')).toEqual({ hash: 'hash of ann', admin: false })
    expect(accounts.users.get('toString')).toBeUndefined()
    expect(accounts.groupsOf).toEqual(new Map([['ann', ['lab']]]))
  })

  it('a request sees what any process committed 250 ms before it', async () => {
    const accounts = await open()
    await add('ann')
    time = 249
    expect(accounts.refresh()).toBeUndefined()
    time = 250
    await accounts.refresh()
    expect(names(accounts)).toEqual(['ann'])
    await change(({ users }) => users.delete('ann'))
    time = 1e6
    await accounts.refresh()
    expect(names(accounts)).toEqual([])
  })

  it('reads one record in 250 ms while nothing changes, whatever is asked', async () => {
    for (let n = 0; n < 100; n++) await add(`user${n}`)
    const counting = withCounters(engine)
    const accounts = await open(counting)
    const cost = await counting.count(async () => {
      for (time = 250; time < 500; time++) {
        await Promise.all([accounts.refresh(), accounts.refresh()])
        accounts.read()
      }
    })
    expect(cost).toMatchObject({ snapshots: 1, keys: 1, ranges: 0 })
  })

  it('a request does not make do with a reading that began too long before it', async () => {
    let release = () => {}
    let held: Promise<void> | undefined
    const slow = aroundEngine(engine, async (_, run) => {
      const result = await run()
      await held
      return result
    })
    const accounts = await open(slow)
    held = new Promise(resolve => {
      release = resolve
    })
    time = 250
    const early = accounts.refresh()
    await add('ann')
    time = 500
    const late = accounts.refresh()
    held = undefined
    release()
    await early
    await late
    expect(names(accounts)).toEqual(['ann'])
  })

  it('while the records cannot be read nothing holds, which is reported once, and the repair is noticed', async () => {
    await add('ann')
    let fails = false
    const accounts = await open(withFaults(engine, () => (fails ? 'before' : undefined)))
    for (let turn = 0; turn < 2; turn++) {
      fails = true
      for (let asked = 0; asked < 2; asked++) {
        time += 250
        await accounts.refresh()
        expect(() => accounts.read()).toThrow('get fails')
      }
      expect(reports).toHaveLength(1)
      reports.length = 0
      fails = false
      time += 250
      await accounts.refresh()
      expect(names(accounts)).toEqual(['ann'])
    }
  })

  it('does not open on damaged records; the error names the user and what mends it', async () => {
    await add('ann')
    await engine.keyValue.commit({
      expect: [],
      changes: [{ op: 'set', key: userKey('ann'), value: Buffer.from('\x01{"hash":"$argon2id') }],
    })
    const error: unknown = await open().catch((error: unknown) => error)
    expect(error).toMatchObject({
      code: 'accounts-unavailable',
      message: expect.stringContaining(
        'the user "ann" are damaged: make them anew with "hyperslab user add"',
      ),
    })
    expect(String(error)).not.toContain('argon2')
  })
})
