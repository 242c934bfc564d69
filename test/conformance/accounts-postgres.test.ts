// The accounts of a store with its records in PostgreSQL, as two processes on it change and know them, and as commands
// open them.

import { inFolder } from '@hyperslab/store/engines'
import { changeAccounts, makeMountSecret, readAccounts, type StoredAccounts } from '@hyperslab/store/records'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AccountRecords, MAX_AGE_MILLISECONDS } from '../../packages/server/accounts/account-records.ts'
import { withRecordsAt } from '../../packages/server/cli/data-folder/open.ts'
import { openPostgresRecords } from '../../packages/store/engines/postgres/open-postgres-records.ts'
import type { KeyValue, RecordsEngine } from '../../packages/store/interfaces/engine.ts'
import { seededRandom } from '../engines/clock.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres-server.ts'

const random = seededRandom(9)
let server: PostgresServer
let databases = 0
let address: string

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.close())
beforeEach(async () => {
  address = await server.createDatabase(`accounts${databases++}`)
})

const change = (keyValue: KeyValue, work: (accounts: StoredAccounts) => unknown) =>
  changeAccounts(keyValue, random, work)

const add = (keyValue: KeyValue, name: string) =>
  change(keyValue, ({ users }) => users.set(name, { hash: `hash of ${name}`, admin: false }))

describe('two processes on one database', () => {
  let one: RecordsEngine
  let other: RecordsEngine

  beforeEach(async () => {
    one = await openPostgresRecords(address)
    other = await openPostgresRecords(address)
  })
  afterEach(async () => {
    await one.close()
    await other.close()
  })

  it('know what the other one has changed 250 ms later, and no longer the users that it removed', async () => {
    let time = 0
    const known = await AccountRecords.open({
      keyValue: other.keyValue,
      now: () => time,
      report: error => expect.unreachable(String(error)),
    })
    const read = async () => {
      time += MAX_AGE_MILLISECONDS
      await known.refresh()
      return known.read()
    }
    await change(one.keyValue, ({ users, groups }) => {
      for (const name of ['__proto__', 'a.b@c', 'x'.repeat(64)]) users.set(name, { hash: name, admin: true })
      groups.set('lab', ['a.b@c'])
    })
    const { users, groupsOf } = await read()
    expect(users.get('a.b@c')).toEqual({ hash: 'a.b@c', admin: true })
    expect([...users.keys()].sort()).toEqual(['__proto__', 'a.b@c', 'x'.repeat(64)])
    expect(groupsOf).toEqual(new Map([['a.b@c', ['lab']]]))
    await change(one.keyValue, ({ users, groups }) => {
      users.delete('a.b@c')
      groups.delete('lab')
    })
    const later = await read()
    expect([...later.users.keys()].sort()).toEqual(['__proto__', 'x'.repeat(64)])
    expect(later.groupsOf.size).toBe(0)
  })

  it('lose no change of several at once', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `user${index}`)
    await Promise.all(names.map((name, index) => add((index % 2 === 0 ? one : other).keyValue, name)))
    expect([...(await readAccounts(other.keyValue)).users.keys()]).toEqual(names)
  })

  it('make one secret of mounts when both need it first at once', async () => {
    const [a, b] = await Promise.all([one, other].map(({ keyValue }) => makeMountSecret(keyValue, random)))
    expect(Buffer.compare(a, b)).toBe(0)
  })
})

it('the data folder is not named in the error when the database cannot be opened', async () => {
  const opening = withRecordsAt(
    { ...inFolder('data'), records: { kind: 'postgres', address: 'postgres://127.0.0.1:1/none' } },
    async () => undefined,
  )
  await expect(opening).rejects.toThrow(/^records: postgres:\/\/127\.0\.0\.1:1\/none cannot be used/)
})
