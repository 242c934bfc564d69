// Accounts and the secret of mounts are records of the store, so all processes on it have the same: servers, and
// commands that change accounts beside them.

import { existsSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startPostgres } from '../servers/postgres-server.ts'
import { environmentOf, startS3Server } from '../servers/s3-server.ts'
import { basic, type Method, type Reply, sendTo } from '../wire/client.ts'
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

async function want(
  server: number,
  status: number,
  name: string,
  method: Method,
  target: string,
  body?: unknown,
): Promise<Reply> {
  const headers = { authorization: basic(name, 'secret') }
  const reply = await sendTo(servers[server].address, method, target, body, { headers })
  expect(reply.status, reply.story).toBe(status)
  return reply
}

test('when a command has ended, every server knows the account, also of several at once, and no longer the one that was removed', async () => {
  await startTwo()
  const names = ['ann', 'bob', 'carl', 'dora']
  await Promise.all(names.map(name => user('add', name)))
  for (const name of names) expect(await statuses(name), name).toEqual([200, 200])
  await user('remove', 'ann')
  expect(await statuses('ann')).toEqual([401, 401])
  expect(await statuses('bob')).toEqual([200, 200])
})

test('servers of one database and one bucket have the same accounts, which commands change without a data folder', async () => {
  const postgres = await startPostgres()
  const s3 = await startS3Server()
  try {
    const environment = environmentOf(s3)
    const records = ['--records', await postgres.createDatabase('store')]
    const run = (...args: readonly string[]) => runCommand(directory, args, 'secret\n', environment)
    const account = (...args: readonly string[]) =>
      run(...args, '--data', join(directory, 'none'), ...records)
    // A mistyped name of a database: nothing is made in it.
    for (const command of [
      ['user', 'list'],
      ['user', 'remove', 'ann'],
      ['group', 'list'],
    ] as const) {
      await expect(account(...command)).rejects.toThrow(/ended with 1:[\s\S]*records: .*it holds no store/)
    }
    expect(await postgres.query(`select to_regclass('hyperslab.store')::text`, 'store')).toEqual([[null]])
    for (const folder of ['node1', 'node2', 'node3', 'files']) await mkdir(join(directory, folder))
    await copyFile(HDF5_FILE, join(directory, 'files', 'a.h5'))
    const store = [...records, '--blobs', 's3://bucket/store']
    const mount = ['--mount', `${join(directory, 'files')}=/files`]
    servers = await Promise.all(
      ['node1', 'node2'].map(node =>
        startServer(join(directory, node), [...store, ...mount], { environment }),
      ),
    )

    await account('user', 'add', 'root', '--admin')
    await account('user', 'add', 'ann')
    expect(await statuses('ann')).toEqual([200, 200])
    await account('group', 'add', 'lab', 'ann')
    await want(0, 201, 'root', 'PUT', '/?domain=/shared', { folder: true })
    await want(0, 201, 'root', 'PUT', '/acls/default?domain=/shared', { read: false })
    await want(1, 201, 'root', 'PUT', '/acls/g:lab?domain=/shared', { read: true })
    for (const server of [0, 1]) await want(server, 200, 'ann', 'GET', '/?domain=/shared')
    const roots = await Promise.all(
      [0, 1].map(server => want(server, 200, 'ann', 'GET', '/?domain=/files/a.h5')),
    )
    expect(new Set(roots.map(reply => reply.json().root)).size).toBe(1)

    await account('group', 'remove', 'lab', 'ann')
    for (const server of [0, 1]) await want(server, 403, 'ann', 'GET', '/?domain=/shared')
    await account('user', 'remove', 'ann')
    expect(await statuses('ann')).toEqual([401, 401])
    await Promise.all(servers.map(server => server.end('SIGTERM')))
    expect(existsSync(join(directory, 'none'))).toBe(false)

    const other = ['--records', await postgres.createDatabase('other'), '--blobs', 's3://bucket/other']
    await run('copy', ...store, '--to', 'folder/data')
    await run('copy', 'folder/data', '--to-records', other[1], '--to-blobs', other[3])
    await run('check', ...other)
    servers = [
      await startServer(join(directory, 'folder'), mount),
      await startServer(join(directory, 'node3'), [...other, ...mount], { environment }),
    ]
    expect(await statuses('root')).toEqual([200, 200])
    expect(await statuses('ann')).toEqual([401, 401])
    for (const server of [0, 1])
      expect((await want(server, 200, 'root', 'GET', '/?domain=/files/a.h5')).json().root).toBe(
        roots[0].json().root,
      )
  } finally {
    // The servers end before their database.
    await Promise.all(servers.map(server => server.end('SIGTERM')))
    await s3.close()
    await postgres.close()
  }
})
