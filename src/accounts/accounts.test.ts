import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AccountSettings, openAccounts } from './accounts.ts'
import { AccountsFile } from './accounts-file.ts'

let folder: string
let reports: unknown[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-accounts-'))
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

function open(settings: Partial<AccountSettings> = {}) {
  const none = { passwordFile: '', groupsFile: '', adminUser: 'admin', adminGroup: '', tokenKeys: '' }
  const report = (error: unknown): unknown => reports.push(error)
  const warn = (message: string): unknown => reports.push({ message })
  return openAccounts({ dataFolder: folder, ...none, ...settings }, { report, warn })
}

async function addOwn(name: string, admin = false, ...groups: string[]): Promise<void> {
  await new AccountsFile(folder).change(stored => {
    stored.users.set(name, { hash: `own hash of ${name}`, admin })
    for (const group of groups) stored.groups.set(group, [name])
  })
}

describe('openAccounts', () => {
  it('knows the accounts of the data folder and of the files; the data folder’s password counts', async () => {
    await addOwn('ann', false, 'lab')
    const passwordFile = file('passwords', 'ann:other\nbob:secret\n')
    const groupsFile = file('groups', 'team: ann bob carl\n')
    const accounts = open({ passwordFile, groupsFile })
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
    const accounts = open({ tokenKeys: 'https://example.org/keys' })
    expect(accounts.find('ann', ['lab', 'team']).groups).toEqual(['lab', 'team'])
    expect(accounts.find('zoe', ['team']).groups).toEqual(['team'])
    expect(accounts.isKnownUser('zoe')).toBe(true)
    expect(accounts.isKnownUser('g:anything')).toBe(true)
  })

  it('makes administrators of those marked so, of `admin_user` and of the members of `admin_group`', async () => {
    await addOwn('ann', true)
    const groupsFile = file('groups', 'wheel: bob\n')
    const admins = (settings: Partial<AccountSettings>) => {
      const accounts = open({ groupsFile, ...settings })
      return ['ann', 'bob', 'admin', 'root'].filter(name => accounts.find(name).admin)
    }
    expect(admins({})).toEqual(['ann', 'admin'])
    expect(admins({ adminUser: 'root', adminGroup: 'wheel' })).toEqual(['ann', 'bob', 'root'])
    expect(admins({ adminUser: '' })).toEqual(['ann'])
    expect(open({ adminGroup: 'wheel' }).find('carl', ['wheel']).admin).toBe(true)
    expect(open().find('carl', ['']).admin).toBe(false)
  })

  const unavailable = expect.objectContaining({ code: 'accounts-unavailable', retryAfter: 5 })

  it('reads the files again when they change', async () => {
    const passwordFile = file('passwords', 'ann:secret\n')
    const accounts = open({ passwordFile })
    file('passwords', 'ann:changed\nbob:secret\n')
    await nextTurn()
    expect(accounts.find('ann').password).toEqual({ plain: 'changed' })
    expect(accounts.find('bob').password).toEqual({ plain: 'secret' })
  })

  it.each([
    ['the password file is gone', 'passwords', undefined, 'there is no file', ['bob', 'nobody']],
    ['the groups file is gone', 'groups', undefined, 'there is no file', ['ann', 'bob', 'nobody']],
    ['the accounts are gone', 'accounts.json', undefined, 'is missing', ['ann', 'bob', 'nobody']],
    ['the accounts are damaged', 'accounts.json', '{', 'is not an accounts file', ['ann', 'bob', 'nobody']],
  ])(
    'while %s a look-up that needs the file fails, the reason is reported once, and the repair is noticed',
    async (...row) => {
      const [, name, broken, why, users] = row
      await addOwn('ann')
      const passwordFile = file('passwords', 'bob:secret\n')
      const groupsFile = file('groups', 'team: bob\n')
      const accounts = open({ passwordFile, groupsFile })
      const good = readFileSync(join(folder, name), 'utf8')
      for (let turn = 0; turn < 2; turn++) {
        if (broken === undefined) rmSync(join(folder, name))
        else file(name, broken)
        for (let asked = 0; asked < 2; asked++) {
          await nextTurn()
          expect(accounts.areAvailable()).toBe(false)
          for (const user of users) expect(() => accounts.find(user)).toThrow(unavailable)
        }
        expect(reports).toEqual([expect.objectContaining({ message: expect.stringContaining(why) })])
        reports.length = 0
        file(name, good)
        await nextTurn()
        expect(accounts.areAvailable()).toBe(true)
        expect(accounts.find('ann').password).toBeDefined()
        expect(accounts.find('bob')).toMatchObject({ password: { plain: 'secret' }, groups: ['team'] })
      }
    },
  )

  it('tells whether anybody can log in', async () => {
    expect(open().exist()).toBe(false)
    expect(open({ passwordFile: file('passwords', '# nobody\n') }).exist()).toBe(false)
    expect(open({ tokenKeys: 'https://example.org/keys' }).exist()).toBe(true)
    const accounts = open({ passwordFile: file('passwords', 'bob:secret\n') })
    expect(accounts.exist()).toBe(true)
    const own = open()
    await addOwn('ann')
    await nextTurn()
    expect(own.exist()).toBe(true)
  })

  it('does not open with a file that is not there, or accounts that are damaged', () => {
    expect(() => open({ passwordFile: join(folder, 'none') })).toThrow('there is no file')
    expect(() => open({ groupsFile: join(folder, 'none') })).toThrow('there is no file')
    file('accounts.json', '{')
    expect(() => open()).toThrow('is not an accounts file')
  })

  it('reports that there is no `admin_group`, unless tokens may tell it', async () => {
    await addOwn('ann', false, 'lab')
    const groupsFile = file('groups', 'wheel: bob\n')
    open({ groupsFile, adminGroup: 'wheel' })
    open({ groupsFile, adminGroup: 'lab' })
    open({ adminGroup: 'wheel', tokenKeys: 'https://example.org/keys' })
    expect(reports).toEqual([])
    open({ adminGroup: 'wheel' })
    expect(reports).toEqual([
      expect.objectContaining({ message: expect.stringContaining('group "wheel", which does not exist') }),
    ])
  })

  it('reports what it leaves out', () => {
    open({ passwordFile: file('passwords', 'x:y\n') })
    expect(reports).toEqual([expect.objectContaining({ message: expect.stringContaining('line 1') })])
  })
})
