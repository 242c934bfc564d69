// A server beside another process on its data folder that is stopped in the middle of a commit, as in a container that
// is frozen: it cannot write before the other one goes on, and everything else works.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { basic, type Method, type Reply, sendTo } from '../wire/client.ts'
import { RawConnection, request } from '../wire/raw-connection.ts'
import {
  COMMAND,
  commandEnvironment,
  newWorkingDirectory,
  type RunningServer,
  runCommand,
  startServer,
} from '../wire/server.ts'

const FILE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))
const HOLDER = fileURLToPath(new URL('./lock-holder.mjs', import.meta.url))

let directory: string
let server: RunningServer
let holder: ChildProcess | undefined

beforeAll(async () => {
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', 'admin', '--admin'], 'admin\n')
  server = await startServer(directory)
})
afterEach(() => {
  holder?.kill('SIGKILL')
})
afterAll(async () => {
  await server.end('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

function send(method: Method, path: string, domain?: string): Promise<Reply> {
  const headers = domain === undefined ? {} : { 'x-hdf-domain': domain }
  return sendTo(server.address, method, path, undefined, { user: 'admin', headers, alone: true })
}

/** The ports of clients whose connections have arrived at their end, as the kernel knows them. */
async function clientsThatLeft(): Promise<number[]> {
  const CLOSE_WAIT = '08'
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map(row => row.trim().split(/\s+/))
  return rows
    .filter(([, , , state]) => state === CLOSE_WAIT)
    .map(([, , remote = '']) => Number.parseInt(remote.slice(remote.indexOf(':') + 1), 16))
}

async function stopWithinCommit(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HOLDER, join(directory, 'data', 'lmdb')])
  holder = child
  await once(child.stdout, 'data')
  return child
}

test('reads are answered; a write is refused and never done; all goes on when the other process does', async () => {
  expect((await send('PUT', '/', '/before.h5')).status).toBe(201)
  const stopped = await stopWithinCommit()
  const write = send('PUT', '/', '/refused.h5')
  expect((await send('GET', '/', '/before.h5')).status).toBe(200)
  const refused = await write
  expect(refused.status, refused.story).toBe(503)
  expect(refused.json()).toMatchObject({
    code: 'storage-locked',
    message: expect.stringMatching(
      /^another process on this data folder \(process id \d+\) holds the write lock/,
    ),
  })
  expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  const ready = await send('GET', '/ready')
  expect(ready.status, ready.story).toBe(503)
  expect(ready.json()).toMatchObject({ code: 'not-ready' })
  expect((await send('GET', '/health')).status).toBe(200)
  expect((await send('GET', '/metrics')).text).toMatch(/^hyperslab_store_locked_total [1-9]/m)
  expect((await send('GET', '/', '/before.h5')).status).toBe(200)
  await runCommand(directory, ['check', 'data'])

  const gone = once(stopped, 'exit')
  stopped.kill('SIGCONT')
  await gone
  await vi.waitFor(async () => expect((await send('PUT', '/', '/after.h5')).status).toBe(201), {
    timeout: 60_000,
  })
  expect((await send('GET', '/', '/refused.h5')).status).toBe(404)
  await vi.waitFor(async () => expect((await send('GET', '/ready')).status).toBe(200), {
    timeout: 60_000,
    interval: 500,
  })
})

test('an import that runs stops at the file that it cannot import, and ends', async () => {
  const count = 300
  const files = Array.from({ length: count }, (_, number) => join(directory, `${number}.h5`))
  await Promise.all(files.map(file => copyFile(FILE, file)))
  const args = [COMMAND, 'import', ...files, '--to', '/imported', '--data', join(directory, 'data')]
  const child = spawn(process.execPath, args, { env: commandEnvironment() })
  const printed = text(child.stderr)
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  child.stdout.resume()
  const stopped = await stopWithinCommit()
  expect(await ended).toEqual([1, null])
  expect((await printed).match(/^.*\.h5: another process on this data folder/gm)).toHaveLength(1)
  // The import wrote through the server, which now waits for the lock.
  stopped.kill('SIGKILL')
  await vi.waitFor(async () => expect((await send('GET', '/ready')).status).toBe(200), {
    timeout: 60_000,
    interval: 500,
  })
})

test('a server that was stopped itself begins no write whose client has left meanwhile', async () => {
  expect((await send('PUT', '/', '/kept.h5')).status).toBe(201)
  const { root } = (await send('GET', '/', '/kept.h5')).json() as { root: string }
  const head = { 'X-Hdf-domain': '/kept.h5', Authorization: basic('admin') }
  const link = JSON.stringify({ id: root })
  const ports: (number | undefined)[] = []
  server.process.kill('SIGSTOP')
  try {
    for (const bytes of [
      request('DELETE', '/', head),
      request('PUT', `/groups/${root}/links/late`, head, link),
      request('POST', '/groups', { ...head, 'X-Hdf-domain': '/kept.h5' }, '{"h5path": "/later"}'),
      request('PUT', '/', { ...head, 'X-Hdf-domain': '/late.h5' }),
    ]) {
      const connection = new RawConnection(server.address)
      await once(connection.socket, 'connect')
      ports.push(connection.socket.localPort)
      connection.send(bytes)
      await connection.leave()
    }
    // On a busy machine the end of a connection arrives later than its bytes.
    if (process.platform === 'linux')
      await expect.poll(clientsThatLeft).toEqual(expect.arrayContaining(ports))
  } finally {
    server.process.kill('SIGCONT')
  }
  // The next requests begin after them.
  for (let turn = 0; turn < 3; turn++) {
    const kept = await send('GET', '/', '/kept.h5')
    expect(kept.status, kept.story).toBe(200)
    expect((await send('GET', `/groups/${root}`, '/kept.h5')).json()).toMatchObject({ linkCount: 0 })
    expect((await send('GET', '/', '/late.h5')).status).toBe(404)
    expect((await send('PUT', '/', `/after${turn}.h5`)).status).toBe(201)
  }
})

test('after SIGTERM the server rejects the requests that wait and ends with the reason', async () => {
  let printed = ''
  server.process.stderr?.on('data', piece => {
    printed += piece
  })
  await stopWithinCommit()
  const write = send('PUT', '/', '/refused.h5')
  await send('GET', '/', '/before.h5')
  await server.end('SIGTERM')
  expect(await write).toMatchObject({ status: 503 })
  // The process may have ended before the last of what it printed has arrived.
  await expect.poll(() => printed).toContain('another process on it holds the write lock')
  holder?.kill('SIGKILL')
  server = await startServer(directory)
  expect((await send('GET', '/', '/refused.h5')).status).toBe(404)
})

test('after a second SIGTERM the server ends at once, although a write waits', async () => {
  const finishing = new Promise<void>(resolve => {
    server.process.stderr?.on('data', piece => String(piece).includes('finishing 1 request') && resolve())
  })
  await stopWithinCommit()
  const write = expect(send('PUT', '/', '/refused.h5')).rejects.toThrow(Error)
  await send('GET', '/', '/before.h5')
  server.process.kill('SIGTERM')
  await finishing
  await server.end('SIGTERM')
  expect(server.process.signalCode).toBe('SIGTERM')
  await write
})
