import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { withFaults } from '../../../test/engines/with-faults.ts'
import { systemRandom } from '../../storage/clock.ts'
import type { Engine } from '../../storage/engine.ts'
import { changeAccounts, readAccounts } from '../../storage/records/accounts.ts'
import { makeMountSecret } from '../../storage/records/mount-secret.ts'
import { withSnapshot } from '../../storage/records/with-snapshot.ts'
import { takeOverFiles } from './take-over-files.ts'

const ACCOUNTS =
  '{"users": {"ann": {"hash": "$argon2id$1", "admin": true}, "__proto__": {"hash": "$argon2id$2", "admin": false}},' +
  ' "groups": {"lab": ["ann"], "empty": []}}\n'
const SECRET = '0123456789abcdef'.repeat(4)

let folder: string
let engine: Engine

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-take-over-'))
  engine = openMemoryEngine()
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function fill(): void {
  writeFileSync(join(folder, 'accounts.json'), ACCOUNTS)
  writeFileSync(join(folder, 'mounts.key'), `${SECRET}\n`)
}

const read = () => withSnapshot(engine.keyValue, readAccounts)

async function expectTakenOver(): Promise<void> {
  const { users, groups } = await read()
  expect(users.get('ann')).toEqual({ hash: '$argon2id$1', admin: true })
  expect([...users.keys()]).toEqual(['__proto__', 'ann'])
  expect(groups).toEqual(
    new Map([
      ['empty', []],
      ['lab', ['ann']],
    ]),
  )
  expect(Buffer.from(await makeMountSecret(engine.keyValue, systemRandom)).toString('hex')).toBe(SECRET)
  expect(readdirSync(folder)).toEqual([])
}

it('the files become records and are removed, also when two processes start at once', async () => {
  fill()
  await Promise.all([takeOverFiles(folder, engine.keyValue), takeOverFiles(folder, engine.keyValue)])
  await expectTakenOver()
})

it.each(['before', 'after'] as const)('a crash %s a commit loses nothing', async moment => {
  for (const failing of [1, 2]) {
    engine = openMemoryEngine()
    fill()
    let commits = 0
    const crashing = withFaults(engine, operation =>
      operation === 'commit' && ++commits === failing ? moment : undefined,
    )
    await expect(takeOverFiles(folder, crashing.keyValue)).rejects.toThrow('commit fails')
    expect(existsSync(join(folder, 'mounts.key'))).toBe(true)
    await takeOverFiles(folder, engine.keyValue)
    await expectTakenOver()
  }
})

it('a file that is there again changes nothing: what has been removed since stays removed', async () => {
  fill()
  await takeOverFiles(folder, engine.keyValue)
  await changeAccounts(engine.keyValue, systemRandom, ({ users }) => users.clear())
  fill()
  await takeOverFiles(folder, engine.keyValue)
  expect((await read()).users.size).toBe(0)
  expect(readdirSync(folder)).toEqual([])
})

it('without the files nothing is written', async () => {
  await takeOverFiles(folder, engine.keyValue)
  expect(await read()).toMatchObject({ revision: undefined })
})

it.each([
  ['accounts.json', '{"users": {"ann": {"hash": "$argon2id$1"'],
  ['accounts.json', '[]'],
  ['accounts.json', 'null'],
  ['accounts.json', '{"users": {"ann": {}}, "groups": {}}'],
  ['accounts.json', '{"users": {}, "groups": {"lab": [1]}}'],
  ['mounts.key', 'abc'],
])('a damaged %s (%s) is an error that does not quote it, and stays', async (name, text) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  const error: unknown = await takeOverFiles(folder, engine.keyValue).catch((error: unknown) => error)
  expect(error).toMatchObject({ message: expect.stringContaining(`${path} cannot be taken over`) })
  expect(String(error)).not.toContain(text)
  expect(readdirSync(folder)).toEqual([name])
})
