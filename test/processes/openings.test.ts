// A server, and other processes that open its data folder: a command, or the successor of a worker, pauses before each
// of its calls on the files in turn, and meanwhile a domain is deleted. The deletion stays.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { killProcess } from '../fixtures/kill-process.ts'
import { buildPausedCalls, PausedCalls } from '../fixtures/paused-calls.ts'
import { type Method, type Reply, sendTo } from '../wire/client.ts'
import {
  COMMAND,
  commandEnvironment,
  newWorkingDirectory,
  type RunningServer,
  runCommand,
  startServer,
} from '../wire/server.ts'

const built = await mkdtemp(join(tmpdir(), 'hyperslab-paused-'))
const library = buildPausedCalls(built)

afterAll(() => rm(built, { recursive: true }))

/** Calls at which an opener pauses; opening and first reading take about 30. */
const CALLS = Array.from({ length: 16 }, (_, index) => 1 + 2 * index)

describe.skipIf(library === undefined)('a DELETE while another process opens the data folder', () => {
  let directory: string
  let server: RunningServer
  let pauses: PausedCalls
  let deleted: string[]
  let created: string[]

  beforeEach(async () => {
    directory = await newWorkingDirectory()
    pauses = new PausedCalls(library ?? '', built)
    deleted = []
    created = []
    await runCommand(directory, ['user', 'add', 'admin', '--admin'], 'admin\n')
  })
  afterEach(async () => {
    await server.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  })

  function send(method: Method, domain: string): Promise<Reply> {
    const headers = { 'x-hdf-domain': domain, connection: 'close' }
    return sendTo(server.address, method, '/', undefined, { user: 'admin', headers, alone: true })
  }

  async function want(status: number, method: Method, domain: string): Promise<void> {
    const reply = await send(method, domain)
    expect(reply.status, reply.story).toBe(status)
  }

  async function create(name: string): Promise<string> {
    const domain = `/${name}.h5`
    await want(201, 'PUT', domain)
    created.push(domain)
    return domain
  }

  async function remove(domain: string): Promise<void> {
    await want(200, 'DELETE', domain)
    created = created.filter(each => each !== domain)
    deleted.push(domain)
  }

  /** Each state that was acknowledged is there, however often it is read. */
  async function expectAll(): Promise<void> {
    for (const domain of created) await want(200, 'GET', domain)
    for (const domain of deleted) for (let time = 0; time < 2; time++) await want(410, 'GET', domain)
  }

  /** Deletes a domain while an opener pauses; one that holds a lock goes on first. A worker never ends. */
  async function deleteMeanwhile(name: string, opening?: Promise<unknown>): Promise<void> {
    const pause = await pauses.paused(opening ?? new Promise(() => undefined))
    const domain = `/${name}.h5`
    const removing = remove(domain)
    if (!pause?.isLocked) {
      await removing
      await want(410, 'GET', domain)
    }
    pauses.go()
    await Promise.all([removing, opening])
    await want(410, 'GET', domain)
    await create(`${name}-after`)
    await want(410, 'GET', domain)
  }

  test.each([
    ['check', () => ['check', 'data']],
    ['user list', () => ['user', 'list']],
    ['export', (call: number) => ['export', '/kept.h5', '--to', `exported${call}`]],
    ['copy', (call: number) => ['copy', 'data', '--to', `copy${call}`]],
  ] as const)('hyperslab %s', async (command, argumentsOf) => {
    server = await startServer(directory)
    await create('kept')
    for (const call of CALLS) {
      const name = `d${call}`
      await create(name)
      pauses.pauseAt(call)
      const child = spawn(process.execPath, [COMMAND, ...argumentsOf(call)], {
        cwd: directory,
        env: { ...commandEnvironment(), ...pauses.environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const printed = Promise.all([text(child.stdout), text(child.stderr)])
      const closed = once(child, 'close')
      await deleteMeanwhile(name, closed)
      expect(await closed, `${command}: ${(await printed).join('')}`).toEqual([0, null])
    }
    await expectAll()
    await runCommand(directory, ['check', 'data', '--values'])
  })

  test('the successor of a worker', async () => {
    server = await startServer(directory, ['--workers', '2'], { environment: pauses.environment })
    const { pid } = server.process
    const workers = () =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
    await create('kept')
    // Each worker takes seconds to be replaced.
    for (const call of CALLS.filter((_, index) => index % 2 === 0)) {
      await expect.poll(workers).toHaveLength(2)
      const name = `d${call}`
      await create(name)
      pauses.pauseAt(call, 'new')
      const [victim] = workers()
      killProcess(victim)
      await expect.poll(() => workers().filter(id => id !== victim)).toHaveLength(2)
      await deleteMeanwhile(name)
    }
    await expectAll()
    await runCommand(directory, ['check', 'data', '--values'])
  })
})
