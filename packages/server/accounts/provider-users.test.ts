import { type KeyValue, systemRandom } from '@hyperslab/store/engines'
import { changeAccounts, readAccounts } from '@hyperslab/store/records'
import { beforeEach, expect, it } from 'vitest'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import type { Accounts } from '../service/accounts.ts'
import type { ProviderUser } from '../service/providers.ts'
import { openAccountFiles, openAccounts } from './accounts.ts'
import { openProviderUsers } from './provider-users.ts'

let keyValue: KeyValue
let time: number

beforeEach(() => {
  keyValue = openMemoryEngine().keyValue
  time = 0
})

const reports = { report: (error: unknown) => expect.fail(String(error)), warn: () => {} }
const settings = { passwordFile: '', groupsFile: '', adminGroup: '', tokenKeys: '', loginProviders: 'x' }

/** The accounts as one process knows them. */
async function openProcess() {
  const files = openAccountFiles(settings, reports)
  const accounts = await openAccounts(
    { ...settings, adminUser: 'root@lab' },
    files,
    { keyValue, now: () => time },
    reports,
  )
  return { accounts, users: openProviderUsers({ keyValue, random: systemRandom, accounts }) }
}

async function later(accounts: Accounts): Promise<void> {
  time += 1000
  await accounts.refresh()
}

function person(subject: string, more: Partial<ProviderUser> = {}): ProviderUser {
  return { issuer: 'https://id.example', subject, wantedName: 'ann', groups: [], ...more }
}

const stored = async () => (await readAccounts(keyValue)).users

it('makes one account for a person, also when several processes see the person first', async () => {
  const processes = await Promise.all([openProcess(), openProcess(), openProcess()])
  const names = await Promise.all(
    processes.map(({ users }) => users.nameOf(person('1', { displayName: 'Ann' }), 'lab')),
  )
  expect(names).toEqual(['ann@lab', 'ann@lab', 'ann@lab'])
  expect([...(await stored())]).toEqual([
    [
      'ann@lab',
      {
        hash: '',
        admin: false,
        identity: { issuer: 'https://id.example', subject: '1', displayName: 'Ann' },
      },
    ],
  ])
})

it('gives different persons different names, and none that is taken', async () => {
  const { users } = await openProcess()
  await changeAccounts(keyValue, systemRandom, ({ users }) =>
    users.set('bob@lab', { hash: 'x', admin: true }),
  )
  const nameOf = (user: ProviderUser) => users.nameOf(user, 'lab')
  expect(await Promise.all([nameOf(person('1')), nameOf(person('2'))])).toEqual(
    expect.arrayContaining(['ann@lab', 'ann-2@lab']),
  )
  expect(await nameOf(person('1', { issuer: 'https://other.example' }))).toBe('ann-3@lab')
  expect(await nameOf(person('3', { wantedName: 'bob' }))).toBe('bob-2@lab')
  // "1" of an issuer whose name ends with a line is nobody else.
  expect(await nameOf(person('2\n1', { wantedName: 'eve' }))).toBe('eve@lab')
})

it('keeps the name and all else of an account, and changes the name to show', async () => {
  const { users, accounts } = await openProcess()
  const first = person('1', { displayName: 'Ann' })
  expect(await users.nameOf(first, 'lab')).toBe('ann@lab')
  await changeAccounts(keyValue, systemRandom, ({ users }) => {
    const user = users.get('ann@lab')
    if (user) users.set('ann@lab', { ...user, admin: true, disabled: true })
  })
  await later(accounts)
  expect(accounts.find('ann@lab')).toMatchObject({ admin: true, disabled: true, displayName: 'Ann' })
  expect(await users.nameOf(person('1', { displayName: 'Anna', wantedName: 'anna' }), 'uni')).toBe('ann@lab')
  await later(accounts)
  expect(accounts.find('ann@lab')).toMatchObject({ admin: true, disabled: true, displayName: 'Anna' })
  // A token need not have a name to show.
  const before = await stored()
  expect(await users.nameOf(person('1'), 'lab')).toBe('ann@lab')
  expect(await stored()).toEqual(before)
})

it('is an account without a password, which the settings may make an administrator', async () => {
  const { users, accounts } = await openProcess()
  await users.nameOf(person('1', { wantedName: 'root' }), 'lab')
  await later(accounts)
  expect(accounts.find('root@lab')).toEqual({ admin: true, groups: [], issuer: 'https://id.example' })
  expect(accounts.list()).toMatchObject([{ name: 'root@lab', stored: true, issuer: 'https://id.example' }])
})
