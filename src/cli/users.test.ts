import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../test/engines/clock.ts'
import { inFolder } from '../storage/engines/location.ts'
import { openEngine } from '../storage/engines/open-engine.ts'
import { beginCopy } from '../storage/records/identity.ts'
import { UsageError } from './usage-error.ts'
import { accountName, removeUser } from './users.ts'

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
