// A password file in each form while it changes.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { h5servPasswords } from '../../../test/fixtures/h5serv-passwords.ts'
import { FollowedPasswords } from './passwords.ts'

/** The SHA-224 of "test". */
const TEST = '90a3ed9e32b2aaf4c61c410eb925426119e1a9dc53d4286ade99a809'

let folder: string
let path: string
let warnings: string[]
let errors: unknown[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-passwords-'))
  path = join(folder, 'passwd.h5')
  warnings = []
  errors = []
})
afterEach(() => rmSync(folder, { recursive: true }))

function open(name = path): FollowedPasswords {
  return new FollowedPasswords(
    name,
    message => warnings.push(message),
    error => errors.push(error),
  )
}

async function later(passwords: FollowedPasswords) {
  await nextTurn()
  await passwords.refresh()
  return passwords.read()
}

describe('a password file of h5serv', () => {
  it('has users with the SHA-224 of their passwords, and numbers', async () => {
    writeFileSync(
      path,
      await h5servPasswords([
        { name: 'ann', password: 'test', number: 1 },
        { name: 'default', password: 'test', number: 2 },
        { name: 'bob', password: 'test', number: 3, state: 'I' },
      ]),
    )
    const { passwords, numbers } = await later(open())
    expect([...passwords]).toEqual([['ann', { sha224: TEST }]])
    expect([...(numbers ?? [])].sort()).toEqual([
      [1, 'ann'],
      [3, 'bob'],
    ])
    expect(warnings.sort()).toEqual([
      expect.stringContaining('"default" of the password file is skipped'),
      expect.stringContaining('"note" of the password file is skipped'),
    ])
    expect(warnings.join()).not.toContain(TEST)
  })

  it('may be missing, and may get users while it is followed', async () => {
    const passwords = open()
    expect([...(await later(passwords)).passwords]).toEqual([])
    for (const names of [['ann'], ['ann', 'bob']]) {
      writeFileSync(path, await h5servPasswords(names.map(name => ({ name, password: 'test', number: 1 }))))
      expect([...(await later(passwords)).passwords.keys()]).toEqual(names)
    }
    expect(errors).toEqual([])
  })

  it('does not count while it is damaged, which is reported once', async () => {
    const whole = await h5servPasswords([{ name: 'ann', password: 'test', number: 1 }])
    writeFileSync(path, whole.subarray(0, 100))
    const passwords = open()
    for (let turn = 0; turn < 2; turn++) await expect(later(passwords)).rejects.toThrow()
    expect(errors).toHaveLength(1)
    writeFileSync(path, whole)
    expect((await later(passwords)).passwords.size).toBe(1)
  })
})

it('lines may become a file of h5serv, and the other way round', async () => {
  const name = join(folder, 'passwords')
  writeFileSync(name, 'ann:secret\n')
  const passwords = open(name)
  expect(await later(passwords)).toEqual({ passwords: new Map([['ann', { plain: 'secret' }]]) })
  writeFileSync(name, await h5servPasswords([{ name: 'bob', password: 'test', number: 1 }]))
  // The first look-up finds that it must be decoded.
  await expect(later(passwords)).rejects.toThrow('h5serv')
  expect([...(await later(passwords)).passwords.keys()]).toEqual(['bob'])
  writeFileSync(name, 'carl:secret\n')
  expect([...(await later(passwords)).passwords.keys()]).toEqual(['carl'])
})

it('a file of lines must not be missing', () => {
  expect(() => open(join(folder, 'none')).requireFile()).toThrow('there is no file')
})
