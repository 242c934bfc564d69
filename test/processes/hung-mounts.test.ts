// A service with a mounted folder whose file system does not answer, as that of a network whose server is gone: reads
// of its files are errors after a time, and everything else goes on.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Method, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const SOURCE = fileURLToPath(new URL('../fixtures/hung-files.c', import.meta.url))
const FILE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))
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
      hung_mounts: [{ path: '/beam', since: expect.any(Number), overdue: expect.any(Number) }],
    })
    expect(await (await fetch(`${server?.address}/metrics`)).text()).toMatch(
      /^hyperslab_mount_overdue_calls\{mount="\/beam"\} [1-9]/m,
    )
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
