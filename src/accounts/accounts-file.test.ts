import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AccountsFile } from './accounts-file.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-accounts-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function add(accounts: AccountsFile, name: string, admin = false): Promise<void> {
  return accounts.change(({ users }) => {
    users.set(name, { hash: `hash of ${name}`, admin })
  })
}

describe('AccountsFile', () => {
  it('has no accounts where there is no file', () => {
    const accounts = new AccountsFile(join(folder, 'nowhere'))
    expect(accounts.read().users.get('ann')).toBeUndefined()
    expect(accounts.isKnownUser('ann')).toBe(false)
  })

  it('fails when the file that it has seen is gone, also one that came later, until there is one again', async () => {
    const path = join(folder, 'accounts.json')
    const accounts = new AccountsFile(folder)
    expect(accounts.read().users.size).toBe(0)
    await add(new AccountsFile(folder), 'ann')
    await nextTurn()
    expect(accounts.read().users.size).toBe(1)
    rmSync(path)
    await nextTurn()
    expect(() => accounts.read()).toThrow(`${path} is missing`)
    await add(new AccountsFile(folder), 'bob')
    await nextTurn()
    expect([...accounts.read().users.keys()]).toEqual(['bob'])
  })

  it('finds an account with its groups', async () => {
    const accounts = new AccountsFile(folder)
    await add(accounts, 'ann', true)
    await add(accounts, '__proto__')
    await accounts.change(({ groups }) => {
      groups.set('lab', ['ann'])
      groups.set('other', [])
    })
    expect(accounts.read().users.get('ann')).toEqual({ hash: 'hash of ann', admin: true })
    expect(accounts.read().groupsOf).toEqual(new Map([['ann', ['lab']]]))
    expect(accounts.read().users.get('toString')).toBeUndefined()
    expect(['ann', 'lab', 'g:lab', 'g:ann', 'default'].map(name => accounts.isKnownUser(name))).toEqual([
      true,
      false,
      true,
      false,
      false,
    ])
  })

  it('sees from the next turn on what another process has changed', async () => {
    const reader = new AccountsFile(folder)
    expect(reader.read().users.get('ann')).toBeUndefined()
    await add(new AccountsFile(folder), 'ann')
    await nextTurn()
    expect(reader.read().users.get('ann')).toBeDefined()
    await new AccountsFile(folder).change(({ users }) => users.delete('ann'))
    await nextTurn()
    expect(reader.read().users.get('ann')).toBeUndefined()
  })

  it('loses no change of several writers', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `user${index}`)
    await Promise.all(names.map(name => add(new AccountsFile(folder), name)))
    expect([...new AccountsFile(folder).read().users.keys()].sort()).toEqual([...names].sort())
  })

  it('is readable by its owner only and leaves no other file', async () => {
    await add(new AccountsFile(folder), 'ann')
    expect(statSync(join(folder, 'accounts.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['accounts.json'])
  })

  it('keeps the mode and the owner of the file', async () => {
    const path = join(folder, 'accounts.json')
    await add(new AccountsFile(folder), 'ann')
    chmodSync(path, 0o640)
    // Only the administrator can give a file away.
    const { uid } = statSync(path)
    const owner = uid === 0 ? 4711 : uid
    chownSync(path, owner, statSync(path).gid)
    await add(new AccountsFile(folder), 'bob')
    expect([...new AccountsFile(folder).read().users.keys()]).toEqual(['ann', 'bob'])
    expect(statSync(path)).toMatchObject({ uid: owner })
    expect(statSync(path).mode & 0o777).toBe(0o640)
  })

  it('keeps the old accounts when the work throws', async () => {
    const accounts = new AccountsFile(folder)
    await add(accounts, 'ann')
    const failing = accounts.change(({ users }) => {
      users.clear()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(accounts.read().users.get('ann')).toBeDefined()
    expect(readdirSync(folder)).toEqual(['accounts.json'])
  })

  it('takes over the lock of a process that has died', async () => {
    const lock = join(folder, 'accounts.json.lock')
    writeFileSync(lock, '')
    utimesSync(lock, new Date(0), new Date(0))
    await add(new AccountsFile(folder), 'ann')
    expect(new AccountsFile(folder).read().users.get('ann')).toBeDefined()
  })

  it.each([
    '',
    '[]',
    '{"users": {}}',
    '{"users": {"ann": {}}, "groups": {}}',
    '{"users": {}, "groups": {"lab": [1]}}',
  ])('says what is wrong with the file %s', text => {
    writeFileSync(join(folder, 'accounts.json'), text)
    expect(() => new AccountsFile(folder).read().users.get('ann')).toThrow('is not an accounts file')
  })
})
