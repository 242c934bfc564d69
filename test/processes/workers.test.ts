// `hyperslab serve --workers 2`: two processes answer at one address, one that is killed is replaced and nothing that
// was acknowledged is lost, figures are those of both, and the service starts and ends as one.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { connect, prepare, verify, WRITERS } from '../crash/writers.ts'
import { killProcess } from '../fixtures/kill-process.ts'
import { freePort } from '../servers/free-port.mjs'
import { hasLostConnection, sendTo } from '../wire/client.ts'
import {
  COMMAND,
  commandEnvironment,
  endProcess,
  newWorkingDirectory,
  type RunningServer,
  runCommand,
  startServer,
} from '../wire/server.ts'

const KILLS = 4
const SUPERVISOR_KILLS = 4
const REQUESTS = 40

let directory: string
let server: RunningServer
let log: string
const directories: string[] = []

beforeEach(async () => {
  directory = await newWorkingDirectory()
  directories.push(directory)
  log = ''
  server = await start()
  server.process.stderr?.on('data', piece => {
    log += piece
  })
})
afterEach(() => server.end('SIGTERM'))
afterAll(async () => {
  for (const each of directories) await rm(each, { recursive: true, force: true })
})

function start(options: readonly string[] = []): Promise<RunningServer> {
  return startServer(directory, ['--workers', '2', '--log-level', 'info', '--metrics', 'public', ...options])
}

/** The ids of the processes that the server has started. */
function workers(): number[] {
  return childrenOf(server.process.pid)
}

function childrenOf(pid: number | undefined): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** The last lines that are about the service, not about a request. */
function logEnd(): string {
  const lines = log.split('\n').filter(line => !line.includes('"operation"'))
  return lines.slice(-20).join('\n')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function get(path: string) {
  const reply = await sendTo(server.address, 'GET', path, undefined, { headers: { connection: 'close' } })
  expect(reply.status, reply.story).toBe(200)
  return reply
}

/** The sum of the samples of a figure that begin with the text. */
async function figure(sample: string): Promise<number> {
  const lines = (await get('/metrics')).text.split('\n')
  return lines
    .filter(line => line.startsWith(sample))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

it('requests are spread over the workers, and /metrics of any of them counts all', async () => {
  let sent = 0
  const answering = (): number => {
    const lines = log.split('\n').filter(line => line.includes('get-about'))
    return new Set(lines.map(line => JSON.parse(line).pid)).size
  }
  // The kernel chooses, and prefers a worker that is idle.
  while (sent < REQUESTS || answering() < 2) {
    await Promise.all(Array.from({ length: 8 }, () => get('/about')))
    sent += 8
  }
  const about = 'hyperslab_request_duration_seconds_count{operation="get-about"'
  // A request is counted when its answer has been sent, which is a moment after it has been received.
  for (let asked = 0; asked < 4; asked++) await expect.poll(() => figure(about)).toBe(sent)
  const limit = await figure('hyperslab_store_snapshots_limit')
  expect(limit).toBe(2048)
})

it('a worker that is killed is replaced, and nothing that was acknowledged is lost', async ({
  onTestFailed,
}) => {
  let awaited = 'the domain'
  onTestFailed(() => console.error(`failed while awaiting ${awaited}; the service has logged\n${logEnd()}`))
  const world = await prepare(connect(server.address))
  const client = connect(server.address, world)
  let isOver = false
  const failures: unknown[] = []
  const writing = WRITERS.map(async write => {
    while (!isOver) {
      try {
        await write(client)
      } catch (error) {
        // Writes that were not acknowledged may be there or not.
        if (!hasLostConnection(error)) failures.push(error)
      }
    }
  })
  const isTrue = async (what: string, isSo: () => boolean): Promise<void> => {
    awaited = what
    await expect.poll(isSo, { message: what }).toBe(true)
  }
  for (let kill = 0; kill < KILLS; kill++) {
    const before = world.links.size
    await isTrue('two workers', () => workers().length === 2)
    const killed = workers()[kill % 2]
    killProcess(killed)
    await isTrue(`the end of worker ${killed}`, () => !workers().includes(killed))
    await isTrue(`writes after kill ${kill}`, () => world.links.size > before)
  }
  isOver = true
  awaited = 'answers to the last writes'
  await Promise.all(writing)
  expect(failures).toEqual([])
  await isTrue('two workers', () => workers().length === 2)
  awaited = 'answers about what was acknowledged'
  await verify(client)
  expect(log).toContain('ended with SIGKILL')
  awaited = 'the end of the service'
  await server.end('SIGTERM')
  awaited = 'the check of the data folder'
  await runCommand(directory, ['check', join(directory, 'data')])
})

it('ends while a worker is starting, too', async () => {
  const before = workers()
  killProcess(before[0])
  // The process is there, and has not loaded its code.
  await expect.poll(() => workers().some(pid => !before.includes(pid)), { interval: 5 }).toBe(true)
  await server.end('SIGTERM')
  expect([server.process.exitCode, server.process.signalCode]).toEqual([0, null])
})

/** A service that is starting, and all that it prints. */
function starting(count: number) {
  const args = [COMMAND, 'serve', join(directory, 'other'), '--workers', String(count), '--port', '0']
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: commandEnvironment(),
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', piece => {
      printed += piece
    })
  /** Resolves with the workers, the newest last, as soon as there are that many. */
  const workersOf = async (least: number): Promise<number[]> => {
    await expect.poll(() => childrenOf(child.pid).length, { interval: 5 }).toBeGreaterThanOrEqual(least)
    return childrenOf(child.pid)
  }
  return { child, workersOf, printed: () => printed }
}

it('ends before it has started, too', async () => {
  const { child, workersOf } = starting(2)
  await workersOf(1)
  await endProcess(child, 'SIGTERM')
  expect([child.exitCode, child.signalCode]).toEqual([0, null])
})

it.each([
  ['the first one', 1],
  ['another one', 2],
])('%s that is killed while it starts is started again, and the service goes on', async (_, least) => {
  const { child, workersOf, printed } = starting(3)
  const killed = (await workersOf(least)).at(-1)
  if (killed === undefined) throw new Error('there is no worker')
  killProcess(killed)
  await expect.poll(printed, { timeout: 60_000 }).toMatch(/Hyperslab serves .* at http/)
  expect(printed()).toMatch(/worker [0-2] ended with SIGKILL/)
  expect(childrenOf(child.pid)).toHaveLength(3)
  await endProcess(child, 'SIGTERM')
  expect([child.exitCode, child.signalCode]).toEqual([0, null])
})

it.each([1, 2])('workers end quietly when their supervisor is killed while worker %i starts', async least => {
  const { child, workersOf, printed } = starting(2)
  const pids = await workersOf(least)
  // All processes that print have ended.
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
  await expect.poll(() => pids.map(isAlive)).not.toContain(true)
  const lines = printed().split('\n').filter(Boolean)
  expect(
    lines.filter(line => !line.startsWith('hyperslab: The supervisor of this worker has ended.')),
  ).toEqual([])
})

it('ends in order: requests in flight are answered, no process is left', async () => {
  const pids = workers()
  // The last lines are read, too.
  const [one] = await Promise.all([once(server.process, 'close'), server.end('SIGTERM')])
  expect(one).toEqual([0, null])
  expect(pids.map(isAlive)).toEqual([false, false])
  expect(log.match(/"msg":"stopped"/g)).toHaveLength(2)
})

it('workers end when their supervisor is killed', async () => {
  const pids = workers()
  await server.end('SIGKILL')
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false])
})

it('workers end when their supervisor is killed while they write: the port is free, nothing acknowledged is lost', async () => {
  await server.end('SIGTERM')
  const port = String(await freePort())
  server = await start(['--port', port])
  const world = await prepare(connect(server.address))
  for (let kill = 0; kill < SUPERVISOR_KILLS; kill++) {
    const client = connect(server.address, world)
    const least = world.attributes.size + 20 * (kill + 1)
    let isOver = false
    const writing = WRITERS.map(async write => {
      try {
        for (;;) await write(client)
      } catch (error) {
        if (!isOver) throw error
      }
    })
    const failed = Promise.all(writing)
    const enough = expect.poll(() => world.attributes.size).toBeGreaterThan(least)
    await Promise.race([enough, failed])
    const pids = workers()
    expect(pids).toHaveLength(2)
    isOver = true
    await server.end('SIGKILL')
    try {
      await expect.poll(() => pids.map(isAlive)).toEqual([false, false])
    } finally {
      for (const pid of pids.filter(isAlive)) killProcess(pid)
    }
    await failed
    // On the same port, which would be in use if a worker had kept it.
    server = await start(['--port', port])
    await verify(connect(server.address, world))
  }
  await server.end('SIGTERM')
  await runCommand(directory, ['check', join(directory, 'data'), '--values'])
})

it('what is wrong with the settings is said once, and ends the service', async () => {
  const port = new URL(server.address).port
  const args = [COMMAND, 'serve', join(directory, 'other'), '--workers', '3', '--port', port]
  const child = spawn(process.execPath, args, { env: commandEnvironment() })
  const [err] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([child.exitCode, err]).toEqual([
    1,
    `hyperslab: 127.0.0.1:${port} is in use; --port takes another port\n`,
  ])
  const none = spawnSync(process.execPath, [COMMAND, 'serve', '--workers', '0'], {
    encoding: 'utf8',
    env: commandEnvironment(),
  })
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('--workers: "0" must be')])
})
