import { beforeEach, describe, expect, it } from 'vitest'
import { expectSound, findingsIn } from '../../../test/conformance/sound.ts'
import { seededRandom } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { withCounters } from '../../../test/engines/with-counters.ts'
import type { Engine, KeyValue } from '../interfaces/engine.ts'
import { changeAccounts, readAccounts } from './accounts.ts'
import { MOUNT_SECRET_KEY, userGroupKey, userKey } from './keys.ts'
import { encodeRecord } from './record.ts'

const random = seededRandom(5)
const ANN = { hash: 'hash of ann', admin: true }
const BOB = { hash: 'hash of bob', admin: false }

let engine: Engine

beforeEach(() => {
  engine = openMemoryEngine()
})

const textOf = (key: Uint8Array | undefined) => Buffer.from(key ?? []).toString()
const read = () => readAccounts(engine.keyValue)
const set = (key: Uint8Array, value: Uint8Array) =>
  engine.keyValue.commit({ expect: [], changes: [{ op: 'set', key, value }] })

function add(keyValue: KeyValue, name: string): Promise<void> {
  return changeAccounts(keyValue, random, ({ users }) => {
    users.set(name, { hash: `hash of ${name}`, admin: false })
  })
}

async function addSome(): Promise<void> {
  await changeAccounts(engine.keyValue, random, ({ users, groups }) => {
    users.set('ann', ANN).set('bob', BOB).set('__proto__', BOB)
    groups.set('lab', ['bob', 'ann']).set('empty', [])
  })
}

describe('the accounts of a store', () => {
  it('are none at first', async () => {
    expect(await read()).toEqual({ revision: undefined, users: new Map(), groups: new Map(), damaged: [] })
  })

  it('come back as they were stored, and the revision is another one after each change', async () => {
    await addSome()
    const { revision, users, groups } = await read()
    expect(users).toEqual(
      new Map([
        ['__proto__', BOB],
        ['ann', ANN],
        ['bob', BOB],
      ]),
    )
    expect(groups).toEqual(
      new Map([
        ['empty', []],
        ['lab', ['bob', 'ann']],
      ]),
    )
    await changeAccounts(engine.keyValue, random, accounts => {
      accounts.users.delete('bob')
      accounts.groups.delete('empty')
      accounts.groups.set('lab', ['ann'])
    })
    const later = await read()
    expect([...later.users.keys(), ...later.groups]).toEqual(['__proto__', 'ann', ['lab', ['ann']]])
    expect(later.revision).not.toEqual(revision)
    await expectSound(engine)
  })

  it('a change writes what it changes and the revision', async () => {
    await addSome()
    const { keyValue, counters } = withCounters(engine)
    await add(keyValue, 'carl')
    expect(counters).toMatchObject({ commits: 1, changes: 2 })
  })

  it('no change of several writers at once is lost', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `user${index}`)
    const { keyValue, counters } = withCounters(engine)
    await Promise.all(names.map(name => add(keyValue, name)))
    expect([...(await read()).users.keys()].sort()).toEqual([...names].sort())
    expect(counters.conflicts).toBeGreaterThan(0)
  })

  it('a change of two that is made last sees the other one', async () => {
    await addSome()
    const demote = (name: string) =>
      changeAccounts(engine.keyValue, random, ({ users }) => {
        const admins = [...users].filter(([, { admin }]) => admin)
        if (admins.length === 1) throw new Error('the last administrator')
        users.set(name, { ...BOB, admin: false })
      })
    await changeAccounts(engine.keyValue, random, ({ users }) => users.set('bob', ANN))
    const results = await Promise.allSettled([demote('ann'), demote('bob')])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('stay as they are when the work throws', async () => {
    await addSome()
    const before = await read()
    const failing = changeAccounts(engine.keyValue, random, ({ users }) => {
      users.clear()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await read()).toEqual(before)
  })

  it.each([
    ['bytes that are no record', Buffer.from('{"hash":"$argon2id$secret","admin":true}')],
    ['a head that is no JSON', Buffer.from('\x01{"hash":"$argon2id$secret"')],
    ['members that are missing', encodeRecord({ hash: '$argon2id$secret', members: [1] })],
  ])('damaged records (%s) are named without what is in them, and adding mends them', async (_, damaged) => {
    await addSome()
    await set(userKey('ann'), damaged)
    await set(userGroupKey('lab'), damaged)
    const found = await read()
    expect(found.damaged).toEqual(['the group "lab"', 'the user "ann"'])
    expect([...found.users.keys(), ...found.groups.keys()]).toEqual(['__proto__', 'bob', 'empty'])
    const findings = await findingsIn(engine)
    expect(findings.map(({ kind, key }) => `${kind} ${textOf(key)}`)).toEqual([
      'broken-record aglab',
      'broken-record auann',
    ])
    expect(JSON.stringify(findings)).not.toContain('argon2')
    await changeAccounts(engine.keyValue, random, ({ users, groups }) => {
      users.set('ann', ANN)
      groups.set('lab', ['ann'])
    })
    expect(await read()).toMatchObject({ damaged: [] })
    await expectSound(engine)
  })

  it('a check names a damaged secret of mounts without what is in it', async () => {
    await set(MOUNT_SECRET_KEY, encodeRecord({ secret: 'abc0' }))
    const findings = await findingsIn(engine)
    expect(findings.map(({ kind, key }) => `${kind} ${textOf(key)}`)).toEqual(['broken-record m'])
    expect(JSON.stringify(findings)).not.toContain('abc0')
  })
})
