// Accounts and the secret of mounts are records of the store, so all processes on it have the same: servers, and commands that
// change accounts beside them.

import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hash } from '@node-rs/argon2'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseDomainPath } from '../../src/hdf5/domain-path.ts'
import { mountedRoot } from '../../src/mounts/object-ids.ts'
import { startPostgres } from '../servers/postgres-server.ts'
import { basic, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const HDF5_FILE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))

let directory: string
let servers: RunningServer[]

beforeEach(async () => {
  directory = await newWorkingDirectory()
  servers = []
})

afterEach(async () => {
  await Promise.all(servers.map(server => server.end('SIGTERM')))
  if (existsSync(join(directory, 'data', 'lmdb'))) await runCommand(directory, ['check', 'data'])
  await rm(directory, { recursive: true, force: true })
})

async function startTwo(...options: readonly string[]): Promise<void> {
  servers = await Promise.all([1, 2].map(() => startServer(directory, options)))
}

const user = (...args: readonly string[]) => runCommand(directory, ['user', ...args], 'secret\n')

/** The statuses of a request with that name, one for each server. */
function statuses(name: string): Promise<number[]> {
  const authorization = basic(name, 'secret')
  const requests = servers.map(({ address }) =>
    sendTo(address, 'GET', '/about', undefined, { headers: { authorization } }),
  )
  return Promise.all(requests.map(async request => (await request).status))
}

test('when a command has ended, every server knows the account, and no longer the one that was removed', async () => {
  await startTwo()
  await user('add', 'ann')
  expect(await statuses('ann')).toEqual([200, 200])
  await user('remove', 'ann')
  expect(await statuses('ann')).toEqual([401, 401])
}, 60_000)

test('servers of one database have the same accounts, which commands change without a data folder', async () => {
  const postgres = await startPostgres()
  try {
    const records = ['--records', await postgres.createDatabase('store')]
    await startTwo(...records)
    await user('add', 'ann', '--data', join(directory, 'none'), ...records)
    expect(existsSync(join(directory, 'none'))).toBe(false)
    expect(await statuses('ann')).toEqual([200, 200])
    await user('remove', 'ann', '--data', join(directory, 'none'), ...records)
    expect(await statuses('ann')).toEqual([401, 401])
    await Promise.all(servers.map(server => server.end('SIGTERM')))
    await runCommand(directory, ['check', 'data', ...records])
  } finally {
    await postgres.close()
  }
}, 60_000)

test('no change of several commands at once is lost', async () => {
  await startTwo()
  const names = ['ann', 'bob', 'carl', 'dora']
  await Promise.all(names.map(name => user('add', name)))
  for (const name of names) expect(await statuses(name), name).toEqual([200, 200])
}, 60_000)

test('a folder with the files of before is taken over once by servers that start at once, and copied with all of it', async () => {
  const secret = '0123456789abcdef'.repeat(4)
  const data = join(directory, 'data')
  await mkdir(data)
  await mkdir(join(directory, 'files'))
  await copyFile(HDF5_FILE, join(directory, 'files', 'a.h5'))
  const users = { ann: { hash: await hash('secret'), admin: true } }
  await writeFile(join(data, 'accounts.json'), JSON.stringify({ users, groups: { lab: ['ann'] } }))
  await writeFile(join(data, 'mounts.key'), `${secret}\n`)
  await startTwo('--mount', `${join(directory, 'files')}=/files`)
  expect(await statuses('ann')).toEqual([200, 200])
  const expected = mountedRoot(Buffer.from(secret, 'hex'), parseDomainPath('/files/a.h5'))
  for (const { address } of servers) {
    const reply = await sendTo(address, 'GET', '/?domain=/files/a.h5', undefined, {
      headers: { authorization: basic('ann', 'secret') },
    })
    expect(reply.json().root).toContain(expected.slice(0, 8))
  }
  expect((await readdir(data)).sort()).toEqual(['blobs', 'hyperslab.json', 'lmdb'])
  await runCommand(directory, ['copy', 'data', '--to', 'other/data'])
  await runCommand(directory, ['check', 'other/data'])
  await Promise.all(servers.map(server => server.end('SIGTERM')))
  servers = [await startServer(join(directory, 'other'))]
  expect(await statuses('ann')).toEqual([200])
}, 60_000)
