import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Engine } from '@hyperslab/store/engines'
import { changeAccounts } from '@hyperslab/store/records'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { withFaults } from '../../../test/engines/with-faults.ts'
import type { Accounts } from '../service/accounts.ts'
import { type AccountSettings, openAccountFiles, openAccounts } from './accounts.ts'

const random = seededRandom(9)
let folder: string
let engine: Engine
/** Whether the records cannot be read. */
let fails: boolean
let time: number
let reports: unknown[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-accounts-'))
  engine = withFaults(openMemoryEngine(), () => (fails ? 'before' : undefined))
  fails = false
  time = 0
  reports = []
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function open(settings: Partial<AccountSettings> = {}): Promise<Accounts> {
  const none = { passwordFile: '', groupsFile: '', adminGroup: '', tokenKeys: '', loginProviders: '' }
  const all = { ...none, adminUser: 'admin', ...settings }
  const to = {
    report: (error: unknown): unknown => reports.push(error),
    warn: (message: string): unknown => reports.push({ message }),
  }
  return openAccounts(all, openAccountFiles(all, to), { keyValue: engine.keyValue, now: () => time }, to)
}

function addOwn(name: string, admin = false, ...groups: string[]): Promise<void> {
  return changeAccounts(engine.keyValue, random, stored => {
    stored.users.set(name, { hash: `own hash of ${name}`, admin })
    for (const group of groups) stored.groups.set(group, [name])
  })
}

/** Advances the time to a later request: files are looked at again, and records read. */
async function later(accounts: Accounts): Promise<void> {
  time += 250
  await nextTurn()
  await accounts.refresh()
}

describe('openAccounts', () => {
  it('knows the accounts of the store and of the files; the store’s password counts', async () => {
    await addOwn('ann', false, 'lab')
    const passwordFile = file('passwords', 'ann:other\nbob:secret\n')
    const groupsFile = file('groups', 'team: ann bob carl\n')
    const accounts = await open({ passwordFile, groupsFile })
    expect(accounts.find('ann').password).toMatchObject({ hash: 'own hash of ann' })
    expect(accounts.find('bob').password).toEqual({ plain: 'secret' })
    expect(accounts.find('carl').password).toBeUndefined()
    expect(accounts.find('ann')).toMatchObject({ admin: false, groups: ['lab', 'team'] })
    expect(accounts.find('bob')).toMatchObject({ admin: false, groups: ['team'] })
    expect(accounts.find('nobody')).toMatchObject({ admin: false, groups: [] })
    const known = ['ann', 'bob', 'carl', 'g:lab', 'g:team', 'dora', 'g:ann', 'team']
    expect(known.filter(name => accounts.isKnownUser(name))).toEqual(known.slice(0, 5))
  })

  it('adds the groups that a token tells, each once, and knows any name where there are tokens', async () => {
    await addOwn('ann', false, 'lab')
    const accounts = await open({ tokenKeys: 'https://example.org/keys' })
    expect(accounts.find('ann', ['lab', 'team']).groups).toEqual(['lab', 'team'])
    expect(accounts.find('zoe', ['team']).groups).toEqual(['team'])
    expect(accounts.isKnownUser('zoe')).toBe(true)
    expect(accounts.isKnownUser('g:anything')).toBe(true)
  })

  it('makes administrators of those marked so, of `admin_user` and of the members of `admin_group`', async () => {
    await addOwn('ann', true)
    const groupsFile = file('groups', 'wheel: bob\n')
    const admins = async (settings: Partial<AccountSettings>) => {
      const accounts = await open({ groupsFile, ...settings })
      return ['ann', 'bob', 'admin', 'root'].filter(name => accounts.find(name).admin)
    }
    expect(await admins({})).toEqual(['ann', 'admin'])
    expect(await admins({ adminUser: 'root', adminGroup: 'wheel' })).toEqual(['ann', 'bob', 'root'])
    expect(await admins({ adminUser: '' })).toEqual(['ann'])
    expect((await open({ adminGroup: 'wheel' })).find('carl', ['wheel']).admin).toBe(true)
    expect((await open()).find('carl', ['']).admin).toBe(false)
  })

  const unavailable = expect.objectContaining({ code: 'accounts-unavailable', retryAfter: 5 })

  it('reads the files again when they change', async () => {
    const passwordFile = file('passwords', 'ann:secret\n')
    const accounts = await open({ passwordFile })
    file('passwords', 'ann:changed\nbob:secret\n')
    await later(accounts)
    expect(accounts.find('ann').password).toEqual({ plain: 'changed' })
    expect(accounts.find('bob').password).toEqual({ plain: 'secret' })
  })

  const replace = (name: string, text: string | undefined) => () => {
    if (text === undefined) rmSync(join(folder, name))
    else file(name, text)
  }
  const failing = (value: boolean) => () => {
    fails = value
  }

  it.each<[string, string, string[], () => void, () => void]>([
    [
      'the password file is gone',
      'there is no file',
      ['bob', 'nobody'],
      replace('passwords', undefined),
      replace('passwords', 'bob:secret\n'),
    ],
    [
      'the groups file is gone',
      'there is no file',
      ['ann', 'bob', 'nobody'],
      replace('groups', undefined),
      replace('groups', 'team: bob\n'),
    ],
    ['the records cannot be read', 'get fails', ['ann', 'bob', 'nobody'], failing(true), failing(false)],
  ])(
    'while %s a look-up that needs them fails, the reason is reported once, and the repair is noticed',
    async (_, why, users, spoil, repair) => {
      await addOwn('ann')
      const passwordFile = file('passwords', 'bob:secret\n')
      const groupsFile = file('groups', 'team: bob\n')
      const accounts = await open({ passwordFile, groupsFile })
      for (let turn = 0; turn < 2; turn++) {
        spoil()
        for (let asked = 0; asked < 2; asked++) {
          await later(accounts)
          expect(await accounts.areAvailable()).toBe(false)
          for (const user of users) expect(() => accounts.find(user)).toThrow(unavailable)
        }
        expect(reports).toEqual([expect.objectContaining({ message: expect.stringContaining(why) })])
        reports.length = 0
        repair()
        time += 250
        await nextTurn()
        expect(await accounts.areAvailable()).toBe(true)
        expect(accounts.find('ann').password).toBeDefined()
        expect(accounts.find('bob')).toMatchObject({ password: { plain: 'secret' }, groups: ['team'] })
      }
    },
  )

  it('tells whether anybody can log in', async () => {
    expect((await open()).exist()).toBe(false)
    expect((await open({ passwordFile: file('passwords', '# nobody\n') })).exist()).toBe(false)
    expect((await open({ tokenKeys: 'https://example.org/keys' })).exist()).toBe(true)
    const accounts = await open({ passwordFile: file('passwords', 'bob:secret\n') })
    expect(accounts.exist()).toBe(true)
    const own = await open()
    await addOwn('ann')
    await later(own)
    expect(own.exist()).toBe(true)
  })

  it('does not open with a file that is not there, or records that cannot be read', async () => {
    expect(() => open({ passwordFile: join(folder, 'none') })).toThrow('there is no file')
    expect(() => open({ groupsFile: join(folder, 'none') })).toThrow('there is no file')
    fails = true
    await expect(open()).rejects.toThrow('fails')
  })

  it('reports that there is no `admin_group`, unless tokens may tell it', async () => {
    await addOwn('ann', false, 'lab')
    const groupsFile = file('groups', 'wheel: bob\n')
    await open({ groupsFile, adminGroup: 'wheel' })
    await open({ groupsFile, adminGroup: 'lab' })
    await open({ adminGroup: 'wheel', tokenKeys: 'https://example.org/keys' })
    expect(reports).toEqual([])
    await open({ adminGroup: 'wheel' })
    expect(reports).toEqual([
      expect.objectContaining({ message: expect.stringContaining('group "wheel", which does not exist') }),
    ])
  })

  it('reports what it leaves out', async () => {
    await open({ passwordFile: file('passwords', 'x:y\n') })
    expect(reports).toEqual([expect.objectContaining({ message: expect.stringContaining('line 1') })])
  })
})
