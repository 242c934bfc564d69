// A server with two workers that are killed in turn, and whose successors open the data folder, while clients create
// and delete domains and groups, and commands open the folder too, all slowed at their calls: at the end each
// acknowledged state is there, and the feed has its event once. `npm run openings` kills more.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { killProcess } from '../fixtures/kill-process.ts'
import { buildPausedCalls, PausedCalls } from '../fixtures/paused-calls.ts'
import { hasLostConnection, type Method, type Reply, sendTo } from '../wire/client.ts'
import type { FeedPage } from '../wire/event-stream.ts'
import {
  COMMAND,
  commandEnvironment,
  newWorkingDirectory,
  type RunningServer,
  runCommand,
  startServer,
} from '../wire/server.ts'
import { numbersFrom } from './numbers.ts'

const KILLS = Number(process.env.HYPERSLAB_OPENINGS_KILLS ?? 4)
const SEED = Number(process.env.HYPERSLAB_OPENINGS_SEED ?? Date.now() % 2 ** 31)
const WRITERS = 6
/** Acknowledged writes between two kills, at least. */
const WRITES_EACH = 40
const SLOW_MICROSECONDS = 2000
const COMMANDS = [
  ['check', 'data'],
  ['user', 'list'],
  ['export', '/kept.h5', '--to', 'exported', '--replace'],
]

/** A domain or group with the status that it must have; undefined: a change of it was sent and not acknowledged. */
interface Creation {
  readonly domain: string
  /** The id of the group; undefined: it is a domain. */
  readonly group?: string
  status: 200 | 410 | undefined
}

let directory: string
let server: RunningServer
const world = { all: [] as Creation[], acknowledged: 0, next: 0, isOver: false }

beforeEach(async () => {
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', 'admin', '--admin'], 'admin\n')
})
afterEach(async () => {
  world.isOver = true
  await server.end('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

function send(method: Method, target: string, domain: string, body?: unknown): Promise<Reply> {
  const headers = { 'x-hdf-domain': domain, connection: 'close' }
  return sendTo(server.address, method, target, body, { user: 'admin', headers, alone: true })
}

/** The reply with the status; undefined if the worker was killed before it answered. */
async function ask(status: number, ...request: Parameters<typeof send>): Promise<Reply | undefined> {
  try {
    const reply = await send(...request)
    expect(reply.status, reply.story).toBe(status)
    world.acknowledged++
    return reply
  } catch (error) {
    if (!hasLostConnection(error)) throw error
    await delay(10)
    return undefined
  }
}

async function write(root: string, isDomain: boolean): Promise<void> {
  while (!world.isOver) {
    const name = `d${world.next++}`
    const domain = isDomain ? `/${name}.h5` : '/groups.h5'
    const made = isDomain
      ? await ask(201, 'PUT', '/', domain)
      : await ask(201, 'POST', '/groups', domain, { link: { id: root, name } })
    if (made === undefined) continue
    const group = isDomain ? undefined : made.json<{ id: string }>().id
    const created: Creation = { domain, ...(group && { group }), status: 200 }
    world.all.push(created)
    if (world.next % 3 === 0) continue
    created.status = undefined
    if ((await ask(200, 'DELETE', group ? `/groups/${group}` : '/', domain)) === undefined) continue
    created.status = 410
  }
}

function workers(): number[] {
  const { pid } = server.process
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

async function runSlowed(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: directory,
    env: { ...commandEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'close')
  expect(code, `hyperslab ${args.join(' ')}: ${(await printed).join('')}`).toBe(0)
}

async function killAndRun(random: () => number, environment: NodeJS.ProcessEnv): Promise<void> {
  const least = world.acknowledged + WRITES_EACH
  while (world.acknowledged < least) await delay(5)
  await expect.poll(workers).toHaveLength(2)
  const victim = workers()[Math.floor(random() * 2)]
  killProcess(victim)
  const command = COMMANDS[Math.floor(random() * COMMANDS.length)] ?? []
  await Promise.all([
    runSlowed(command, environment),
    expect.poll(() => workers().filter(id => id !== victim)).toHaveLength(2),
  ])
}

async function verify(): Promise<void> {
  for (const { domain, group, status } of world.all) {
    if (status === undefined) continue
    const reply = await send('GET', group ? `/groups/${group}` : '/', domain)
    expect(reply.status, reply.story).toBe(status)
  }
}

/** The feed has one event of the creation of each domain that is there, and of the deletion of each other one. */
async function verifyFeed(since: string): Promise<void> {
  const counts = new Map<string, number>()
  for (let position = since; ; ) {
    const page = (await send('GET', `/events?domain=/&wait=0&since=${position}`, '/')).json<FeedPage>()
    for (const { domain, changes } of page.events)
      for (const kind of new Set(changes.map(change => change.kind)))
        counts.set(`${domain} ${kind}`, (counts.get(`${domain} ${kind}`) ?? 0) + 1)
    if (page.next === position) break
    position = page.next
  }
  for (const { domain, group, status } of world.all) {
    if (group !== undefined || status === undefined) continue
    expect(counts.get(`${domain} ${status === 200 ? 'created' : 'deleted'}`), domain).toBe(1)
  }
}

test(`${KILLS} kills of workers beside commands (seed ${SEED}): nothing acknowledged is lost`, {
  timeout: 300_000 + KILLS * 30_000,
}, async () => {
  const library = buildPausedCalls(directory)
  const pauses = library === undefined ? undefined : new PausedCalls(library, directory)
  pauses?.slowDown(SLOW_MICROSECONDS)
  const environment = pauses?.environment ?? {}
  server = await startServer(directory, ['--workers', '2'], { environment })
  await send('PUT', '/', '/kept.h5')
  const { root } = (await send('PUT', '/', '/groups.h5')).json<{ root: string }>()
  const { next } = (await send('GET', '/events?domain=/&wait=0', '/')).json<FeedPage>()
  const random = numbersFrom(SEED)
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, index) => write(root, index % 2 === 0)))
  const killing = (async () => {
    for (let kill = 0; kill < KILLS; kill++) await killAndRun(random, environment)
    world.isOver = true
  })()
  await Promise.all([writing, killing])
  await verify()
  await verifyFeed(next)
  await runCommand(directory, ['check', 'data', '--values'])
  console.log(`served openings: ${KILLS} kills, ${world.acknowledged} acknowledged writes, seed ${SEED}`)
})
