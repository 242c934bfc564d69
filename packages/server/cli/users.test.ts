import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inFolder, openEngine } from '@hyperslab/store/engines'
import { readAccounts } from '@hyperslab/store/records'
import { verify } from '@node-rs/argon2'
import { describe, expect, it, vi } from 'vitest'
import { seededRandom } from '../../../test/engines/clock.ts'
import { h5servPasswords } from '../../../test/fixtures/h5serv-passwords.ts'
import { beginCopy } from '../../store/records/identity.ts'
import { withRecordsAt } from './data-folder/open.ts'
import { UsageError } from './usage-error.ts'
import { accountName, importUsers, removeUser } from './users.ts'

describe('accountName', () => {
  it.each(['ann', 'Ann.B-C_1@example.org', 'x'.repeat(64)])('accepts %s', name => {
    expect(accountName(name)).toBe(name)
  })

  it.each(['', 'default', 'Default', 'anonymous', 'g:lab', 'ann b', 'ä', 'a/b', 'x'.repeat(65)])(
    'refuses "%s"',
    name => {
      expect(() => accountName(name)).toThrow()
    },
  )
})

it('users of a password file get accounts, once, with argon2 hashes', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hyperslab-users-'))
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  const warn = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const [ofH5serv, ofHsds] = [join(dataFolder, 'passwd.h5'), join(dataFolder, 'passwords')]
    await writeFile(ofH5serv, await h5servPasswords([{ name: 'ann', password: 'test', number: 1 }]))
    await writeFile(ofHsds, 'ann:other\nbob:secret\n')
    const location = inFolder(join(dataFolder, 'data'))
    await importUsers(location, ofH5serv)
    await importUsers(location, ofHsds)
    expect(print.mock.calls.flat()).toEqual([
      'The user ann can log in now.',
      'The user ann exists, and stays as it is.',
      'The user bob can log in now.',
    ])
    const { users } = await withRecordsAt(location, keyValue => readAccounts(keyValue), {
      mustExist: true,
    })
    const [ann, bob] = [users.get('ann'), users.get('bob')]
    expect(ann).toMatchObject({ admin: false, of: 'sha224' })
    expect(await verify(ann?.hash ?? '', createHash('sha224').update('test').digest('hex'))).toBe(true)
    expect(await verify(bob?.hash ?? '', 'secret')).toBe(true)
    expect(bob).not.toHaveProperty('of')
    await expect(importUsers(location, join(dataFolder, 'none'))).rejects.toThrow('there is no such file')
  } finally {
    print.mockRestore()
    warn.mockRestore()
    await rm(dataFolder, { recursive: true, force: true })
  }
})

it('a copy that is not complete is refused, with an error that the user of the command can correct', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'hyperslab-users-'))
  try {
    const engine = await openEngine(inFolder(dataFolder))
    await beginCopy(engine.keyValue, seededRandom(4), 'ab'.repeat(16))
    await engine.close()
    const error: unknown = await removeUser(inFolder(dataFolder), 'ann').catch((error: unknown) => error)
    expect(error).toBeInstanceOf(UsageError)
    expect(error).toMatchObject({ message: expect.stringContaining('a copy that is not complete') })
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
})
