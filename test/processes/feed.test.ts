// A history of the feed of several processes: clients write at random while listeners leave and come back, and
// processes are killed. Each listener gets each acknowledged change exactly once, in the order of ids, and never before
// it can read its data. test/world has the feed of one process, and events that are gone.

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { afterEach, expect, it } from 'vitest'
import { seededRandom } from '../engines/clock.ts'
import { killProcess } from '../fixtures/kill-process.ts'
import { startPostgres } from '../servers/postgres-server.ts'
import { environmentOf, startS3Server } from '../servers/s3-server.ts'
import { hasLostConnection, sendTo } from '../wire/client.ts'
import { type EventStream, type FeedEvent, openEventStream } from '../wire/event-stream.ts'
import { newWorkingDirectory, type RunningServer, startServer } from '../wire/server.ts'

const HOST = 'feed.test.hdfgroup.org'
const ELEMENTS = 100_000
const WRITERS = 4
const LISTENERS = 4
/** Groups that are created before each kill and after the last one. */
const LOAD = 50
const KILLS = 2

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function newDirectory(): Promise<string> {
  const directory = await newWorkingDirectory()
  closing.push(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** The servers of one service, each of which can be killed. */
interface Service {
  readonly addresses: () => readonly string[]
  /** Resolves when the server that is killed, if there is one, runs again. */
  readonly isBack: () => Promise<unknown>
  readonly kill: () => Promise<void>
}

/** Servers, one of which is killed at a time, and started again. */
async function killedServers(starts: readonly (() => Promise<RunningServer>)[]): Promise<Service> {
  const servers: RunningServer[] = []
  closing.push(async () => {
    for (const server of servers) await server.end('SIGKILL')
  })
  for (const start of starts) servers.push(await start())
  let turn = 0
  let starting: Promise<unknown> = Promise.resolve()
  const restart = async (index: number) => {
    await servers[index].end('SIGKILL')
    servers[index] = await starts[index]()
  }
  return {
    addresses: () => servers.map(({ address }) => address),
    isBack: () => starting,
    kill() {
      const killed = restart(turn++ % servers.length)
      starting = killed
      return killed
    },
  }
}

async function twoWorkers(): Promise<Service> {
  const server = await startServer(await newDirectory(), ['--workers', '2'])
  closing.push(() => server.end('SIGTERM'))
  const { pid } = server.process
  return {
    addresses: () => [server.address],
    // The other worker is there.
    isBack: async () => {},
    async kill() {
      const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
      killProcess(Number(workers[0]))
    },
  }
}

async function threeNodes(): Promise<Service> {
  const postgres = await startPostgres()
  closing.push(() => postgres.close())
  const s3 = await startS3Server()
  closing.push(() => s3.close())
  const options = ['--records', await postgres.createDatabase('store'), '--blobs', 's3://bucket/store']
  const directories = [await newDirectory(), await newDirectory(), await newDirectory()]
  const environment = environmentOf(s3)
  return killedServers(directories.map(directory => () => startServer(directory, options, { environment })))
}

/** The changes that were acknowledged: ids of groups, and indices of elements. */
class History {
  readonly created: string[] = []
  readonly deleted: string[] = []
  readonly elements: number[] = []
}

interface Run {
  readonly below: (limit: number) => number
  readonly address: () => string
  readonly isBack: Service['isBack']
  readonly history: History
  readonly root: string
  readonly dataset: string
  next: number
  isOver: boolean
}

/** Lost connections, and answers that the service cannot be reached now, are no defects. */
async function answered(run: Run, method: 'PUT' | 'POST' | 'DELETE', target: string, body?: unknown) {
  try {
    const reply = await sendTo(run.address(), method, target, body, { headers: { host: HOST }, alone: true })
    if (reply.status === 503) return undefined
    expect([200, 201], reply.story).toContain(reply.status)
    return reply
  } catch (error) {
    if (!hasLostConnection(error)) throw error
    await run.isBack()
    return undefined
  }
}

async function write(run: Run): Promise<void> {
  const { history, below, root, dataset } = run
  while (!run.isOver) {
    const number = run.next++
    const kind = below(4)
    if (kind === 0) {
      await answered(run, 'PUT', `/groups/${root}/attributes/a${number}`, { type: 'H5T_STD_I8LE', value: 1 })
    } else if (kind === 1) {
      const body = { start: [number], stop: [number + 1], value: [number] }
      if (await answered(run, 'PUT', `/datasets/${dataset}/value`, body)) history.elements.push(number)
    } else {
      const reply = await answered(run, 'POST', '/groups', { link: { id: root, name: `g${number}` } })
      const id = reply?.json<{ id: string }>().id
      if (id === undefined) continue
      history.created.push(id)
      if (kind === 3 && (await answered(run, 'DELETE', `/groups/${id}`))) history.deleted.push(id)
    }
  }
}

/** The events until an attribute of the dataset was changed, which no writer does. */
async function listen(run: Run, since: string): Promise<readonly FeedEvent[]> {
  const events: FeedEvent[] = []
  let position = since
  for (;;) {
    const address = run.address()
    let stream: EventStream
    try {
      stream = await openEventStream(address, `/events?since=${position}`, { host: HOST })
    } catch (error) {
      if (!hasLostConnection(error)) throw error
      await run.isBack()
      continue
    }
    try {
      for (let left = 1 + run.below(60); left > 0; left--) {
        const message = await stream.next()
        if (message === undefined) break
        position = message.lastId
        expect(message.name).toBe('message')
        events.push(message.data)
        await requireReadable(address, message.data)
        const isEnd = message.data.changes.some(({ kind, id }) => kind === 'attributes' && id === run.dataset)
        if (isEnd) return events
      }
    } finally {
      stream.close()
    }
  }
}

/** The changes of an event can be read from the process that has sent it, unless they were deleted since. */
async function requireReadable(address: string, { changes }: FeedEvent): Promise<void> {
  const options = { headers: { host: HOST }, alone: true }
  for (const { kind, id, start, stop } of changes) {
    const [index] = start ?? []
    let target: string | undefined
    if (kind === 'created') target = `/groups/${id}`
    if (kind === 'values' && stop?.[0] === index + 1)
      target = `/datasets/${id}/value?select=[${index}:${stop}]`
    if (target === undefined) continue
    try {
      const reply = await sendTo(address, 'GET', target, undefined, options)
      if (reply.status === 503) continue
      if (kind === 'created') expect([200, 410], reply.story).toContain(reply.status)
      else expect(reply.json(), reply.story).toMatchObject({ value: [index] })
    } catch (error) {
      if (!hasLostConnection(error)) throw error
    }
  }
}

function requireHistory({ created, deleted, elements }: History, events: readonly FeedEvent[]): void {
  const numbers = events.map(({ id }) => Number(id.split('-')[0]))
  for (const [i, number] of numbers.entries()) if (i > 0) expect(number).toBeGreaterThan(numbers[i - 1])
  const times = new Map<string, number>()
  const written = new Set<number>()
  for (const { changes } of events) {
    for (const { kind, id, start, stop } of changes) {
      times.set(`${kind} ${id}`, (times.get(`${kind} ${id}`) ?? 0) + 1)
      if (kind !== 'values') continue
      for (let element = start?.[0] ?? 0; element < (stop?.[0] ?? 0); element++) written.add(element)
    }
  }
  const notOnce = (kind: string, ids: readonly string[]) => ids.filter(id => times.get(`${kind} ${id}`) !== 1)
  expect(notOnce('created', created)).toEqual([])
  expect(notOnce('deleted', deleted)).toEqual([])
  expect(elements.filter(element => !written.has(element))).toEqual([])
}

it.each([
  ['two workers', twoWorkers],
  ['three nodes', threeNodes],
] as const)('the history of the feed of %s', async (name, start) => {
  const seed = Date.now() % 1e6
  console.log(`${name}: seed ${seed}`)
  const random = seededRandom(seed)
  const below = (limit: number): number => (random(1)[0] * 256 + random(1)[0]) % limit
  const service = await start()
  const address = (): string => service.addresses()[below(service.addresses().length)]
  const want = async <T>(method: 'GET' | 'PUT' | 'POST', target: string, body?: unknown): Promise<T> => {
    const reply = await sendTo(address(), method, target, body, { headers: { host: HOST }, alone: true })
    expect([200, 201], reply.story).toContain(reply.status)
    return reply.json<T>()
  }
  const { root } = await want<{ root: string }>('PUT', '/')
  const { id: dataset } = await want<{ id: string }>('POST', '/datasets', {
    type: 'H5T_STD_I32LE',
    shape: [ELEMENTS],
  })
  const { next: since } = await want<{ next: string }>('GET', '/events?wait=0')
  const history = new History()
  const { created, deleted, elements } = history
  const run: Run = { below, address, isBack: service.isBack, history, root, dataset, next: 0, isOver: false }
  const listening = Array.from({ length: LISTENERS }, () => listen(run, since))
  const writing = Array.from({ length: WRITERS }, () => write(run))
  const load = async () => {
    const before = created.length
    await expect.poll(() => created.length).toBeGreaterThan(before + LOAD)
  }
  for (let kill = 0; kill < KILLS; kill++) {
    await load()
    await service.kill()
  }
  await load()
  await expect.poll(() => deleted.length * elements.length).toBeGreaterThan(0)
  run.isOver = true
  await Promise.all(writing)
  const end = () =>
    answered(run, 'PUT', `/datasets/${dataset}/attributes/end`, { type: 'H5T_STD_I8LE', value: 1 })
  while ((await end()) === undefined);
  for (const events of await Promise.all(listening)) requireHistory(history, events)
  console.log(`${name}: ${created.length} created, ${deleted.length} deleted, ${elements.length} written`)
})
