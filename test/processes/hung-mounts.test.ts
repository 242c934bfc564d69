// A service with a mounted folder whose file system does not answer, fails, or is late, as that of a network: reads of
// its files are errors after a time, and everything else goes on.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Method, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const SOURCE = fileURLToPath(new URL('../fixtures/hung-files.c', import.meta.url))
const FILE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))
/** It has other objects. */
const OTHER_FILE = fileURLToPath(new URL('../wire/fixtures/varied.h5', import.meta.url))
const WAIT = { timeout: 60_000, interval: 50 }
const FILES = 8

let directory: string
let library: string | undefined
let server: RunningServer | undefined
let log: string

beforeEach(async () => {
  directory = await newWorkingDirectory()
  log = ''
  library = buildLibrary()
  for (const folder of ['beam', 'other']) {
    await mkdir(join(directory, folder))
    for (let i = 0; i < FILES; i++) await copyFile(FILE, join(directory, folder, `${i}.h5`))
  }
  await runCommand(directory, ['user', 'add', 'admin', '--admin'], 'admin\n')
})
afterEach(async () => {
  await server?.end('SIGKILL')
  server = undefined
  await rm(directory, { recursive: true, force: true })
})

const flag = () => join(directory, 'hung')
const hang = () => writeFile(flag(), '')
const fail = (errno: number) => writeFile(flag(), `fail ${errno}`)
/** Looks at paths find the states that were found first. */
const lag = () => writeFile(flag(), 'lag')
const answer = () => rm(flag())

function buildLibrary(): string | undefined {
  const built = join(directory, 'hung-files.so')
  const args = ['-shared', '-fPIC', '-O2', '-o', built, SOURCE, '-ldl']
  if (process.platform === 'linux' && spawnSync('cc', args, { stdio: 'ignore' }).status === 0) return built
  console.warn('SKIPPED: files that do not answer need Linux and a compiler of C, cc (apt-get install gcc)')
  return undefined
}

async function start(...options: readonly string[]): Promise<void> {
  const mounts = ['beam', 'other'].flatMap(folder => ['--mount', join(directory, folder)])
  server = await startServer(
    directory,
    [...mounts, '--mount-timeout', '1', '--metrics', 'public', ...options],
    {
      environment: {
        LD_PRELOAD: library ?? '',
        HUNG_FOLDER: join(directory, 'beam'),
        HUNG_WHILE: flag(),
      },
    },
  )
  server.process.stderr?.on('data', piece => {
    log += piece
  })
}

async function send(method: Method, path: string, domain?: string) {
  const headers = domain === undefined ? {} : { 'x-hdf-domain': domain }
  const options = { user: 'admin', headers, alone: true }
  const reply = await sendTo(server?.address ?? '', method, path, undefined, options)
  return { status: reply.status, body: reply.json() }
}

const UNAVAILABLE = {
  status: 503,
  body: {
    code: 'file-unavailable',
    message: expect.stringContaining('the file system of the mount /beam does not answer'),
  },
}

/** The mounts in the list of the folder above them, and what is wrong with each. */
async function foldersAtTop(): Promise<Record<string, string | undefined>> {
  const { domains } = (await send('GET', '/domains?domain=/')).body
  const listed = domains as { name: string; class: string; damage?: string }[]
  const folders = listed.filter(entry => entry.class === 'folder')
  return Object.fromEntries(folders.map(({ name, damage }) => [name, damage]))
}

/** Whether the service does all but read the mount that does not answer. */
async function expectOthersServed(): Promise<void> {
  expect(await send('GET', '/domains?domain=/')).toMatchObject({ status: 200 })
  expect(await send('PUT', '/', `/home-${Math.random()}.h5`)).toMatchObject({ status: 201 })
  expect(await send('GET', '/', '/other/1.h5')).toMatchObject({ status: 200 })
  expect((await send('GET', '/domains?domain=/other/')).body.domains).toHaveLength(FILES)
  expect(await send('GET', '/ready')).toMatchObject({ status: 200 })
}

describe('a mount that does not answer', () => {
  test('holds nothing that others need, and is named', async ({ skip }) => {
    if (!library) return skip()
    await start()
    const { root } = (await send('GET', '/', '/beam/1.h5')).body
    await hang()
    const reads = Array.from({ length: 40 }, (_, i) => send('GET', '/', `/beam/${i % FILES}.h5`))
    const lists = Array.from({ length: 4 }, () => send('GET', '/domains?domain=/beam/'))
    await expectOthersServed()
    for (const reply of await Promise.all([...reads, ...lists])) expect(reply).toMatchObject(UNAVAILABLE)
    await expectOthersServed()
    expect(await send('GET', `/groups/${root}`, '/beam/1.h5')).toMatchObject(UNAVAILABLE)
    expect((await send('GET', '/ready')).body).toEqual({
      status: 'ready',
      unwell_mount_count: 1,
      unwell_mounts: [
        {
          path: '/beam',
          since: expect.any(Number),
          overdue: expect.any(Number),
          reason: 'does not answer',
        },
      ],
    })
    const metrics = await (await fetch(`${server?.address}/metrics`)).text()
    expect(metrics).toMatch(/^hyperslab_mount_overdue_calls\{mount="\/beam"\} [1-9]/m)
    expect(metrics).toContain('hyperslab_mount_unwell{mount="/beam"} 1\n')
    const page = await (await fetch(`${server?.address}/status`)).text()
    expect(page).toMatch(
      /<h1>The service is ready<.*<th scope="row">Mounts that do not answer, or fail<td>1, since 20/s,
    )
    expect(page).not.toContain('/beam')
    expect(await foldersAtTop()).toEqual({
      '/beam': expect.stringMatching(/^the file system of the mount does not answer \(since 20\S+Z\)$/),
      '/other': undefined,
    })
    expect(log.match(/the file system of the mount \/beam does not answer/g)).toHaveLength(1)
    await answer()
    await vi.waitFor(() => expect(log).toContain('the file system of the mount /beam answers again'), WAIT)
    expect(await send('GET', '/', '/beam/1.h5')).toMatchObject({ status: 200 })
    expect((await send('GET', '/ready')).body).toEqual({ status: 'ready' })
  })

  test('does not keep the service from ending, nor from starting again', async ({ skip }) => {
    if (!library) return skip()
    await start()
    await hang()
    expect(await send('GET', '/', '/beam/1.h5')).toMatchObject(UNAVAILABLE)
    await server?.end('SIGTERM')
    await start()
    expect(existsSync(flag())).toBe(true)
    await expectOthersServed()
    expect(await send('GET', '/', '/beam/1.h5')).toMatchObject(UNAVAILABLE)
    await answer()
    await vi.waitFor(
      async () => expect(await send('GET', '/', '/beam/1.h5')).toMatchObject({ status: 200 }),
      WAIT,
    )
    await server?.end('SIGTERM')
    expect(server?.process.exitCode).toBe(0)
  })

  test('ends none of several workers, and does not keep them from ending', async ({ skip }) => {
    if (!library) return skip()
    await start('--workers', '2')
    await hang()
    const reads = Array.from({ length: 40 }, (_, i) => send('GET', '/', `/beam/${i % FILES}.h5`))
    for (const reply of await Promise.all(reads)) expect(reply).toMatchObject(UNAVAILABLE)
    await expectOthersServed()
    expect(log).not.toContain('ended with')
    await server?.end('SIGTERM')
    expect(server?.process.exitCode).toBe(0)
  })
})

describe('a mount that fails', () => {
  const FAILS = {
    status: 503,
    body: expect.objectContaining({
      message: expect.stringMatching(
        /the file system of the mount \/beam fails \(\w+\)|send the request again$/,
      ),
    }),
  }

  test.each(['EIO', 'ETIMEDOUT', 'ESTALE', 'ENOTCONN'] as const)('gives 503 for %s', async code => {
    if (!library) return
    await start()
    const { root } = (await send('GET', '/', '/beam/1.h5')).body
    await fail(constants.errno[code])
    for (let i = 0; i < FILES; i++) expect(await send('GET', '/', `/beam/${i}.h5`)).toMatchObject(FAILS)
    expect(await send('GET', `/groups/${root}`, '/beam/1.h5')).toMatchObject(FAILS)
    expect(await send('GET', '/domains?domain=/beam/')).toMatchObject(FAILS)
    await expectOthersServed()
    expect(await foldersAtTop()).toMatchObject({
      '/beam': expect.stringContaining(`the file system of the mount fails (${code}) (since 20`),
    })
    expect((await send('GET', '/ready')).body.unwell_mounts).toMatchObject([
      { path: '/beam', overdue: 0, reason: `fails (${code})` },
    ])
    expect(log.match(/the file system of the mount \/beam fails/g)).toHaveLength(1)
    await answer()
    expect(await send('GET', '/', '/beam/1.h5')).toMatchObject({ status: 200 })
    expect((await send('GET', '/domains?domain=/beam/')).body.domains).toHaveLength(FILES)
    expect((await send('GET', '/ready')).body).toEqual({ status: 'ready' })
  })
})

test('a file that was replaced is read whole, although the file system knows it late', async ({ skip }) => {
  if (!library) return skip()
  await start()
  const groupsOf = async (i: number): Promise<unknown> =>
    (await send('GET', '/groups', `/beam/${i}.h5`)).body.groups
  const list = () => send('GET', '/domains?domain=/beam/')
  const open = await groupsOf(1)
  // The second looks find states that are kept.
  for (let i = 0; i < 2; i++) await list()
  await lag()
  for (const i of [1, 2]) {
    await copyFile(OTHER_FILE, join(directory, 'new.h5'))
    await rename(join(directory, 'new.h5'), join(directory, 'beam', `${i}.h5`))
  }
  expect(await groupsOf(1)).toEqual(open)
  expect(await groupsOf(2)).toHaveLength(4)
  await answer()
  expect(await groupsOf(1)).toHaveLength(4)
})
