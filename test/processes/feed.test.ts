// A history of the feed: clients write at random while listeners leave and come back, and processes are killed. Each
// listener gets each acknowledged change exactly once, in the order of ids, and never before it can read its data; or
// it hears that events are gone, and then gets each change that was requested later.

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { seededRandom } from '../engines/clock.ts'
import { killProcess } from '../fixtures/kill-process.ts'
import { startPostgres } from '../servers/postgres-server.ts'
import { environmentOf, startS3Server } from '../servers/s3-server.ts'
import { ADMIN, hasLostConnection, sendTo } from '../wire/client.ts'
import { type EventStream, type FeedEvent, type FeedPage, openEventStream } from '../wire/event-stream.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const HOST = 'feed.test.hdfgroup.org'
const ELEMENTS = 100_000
const WRITERS = 4
const LISTENERS = 4
const LOAD_MS = 1500
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
  readonly kill: () => Promise<void>
}

/** Bytes of events that a service keeps which is to lose some: the least that can be set. */
const FEW_BYTES = 1 << 20

/** Servers, one of which is killed at a time, and started again. */
async function killedServers(starts: readonly (() => Promise<RunningServer>)[]): Promise<Service> {
  const servers: RunningServer[] = []
  closing.push(async () => {
    for (const server of servers) await server.end('SIGKILL')
  })
  for (const start of starts) servers.push(await start())
  let turn = 0
  return {
    addresses: () => servers.map(({ address }) => address),
    async kill() {
      const index = turn++ % servers.length
      await servers[index].end('SIGKILL')
      servers[index] = await starts[index]()
    },
  }
}

async function oneProcess(): Promise<Service> {
  const directory = await newDirectory()
  return killedServers([() => startServer(directory)])
}

async function withFewEvents(): Promise<Service> {
  const directory = await newDirectory()
  await runCommand(directory, ['user', 'add', ADMIN, '--admin'], `${ADMIN}\n`)
  return killedServers([() => startServer(directory, ['--event-bytes', String(FEW_BYTES)])])
}

async function twoWorkers(): Promise<Service> {
  const server = await startServer(await newDirectory(), ['--workers', '2'])
  closing.push(() => server.end('SIGTERM'))
  const { pid } = server.process
  return {
    addresses: () => [server.address],
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

/** A change that was acknowledged, and the time before it was requested. */
interface Change<Subject> {
  readonly subject: Subject
  readonly begun: number
}

/** The changes that were acknowledged. */
class History {
  readonly created: Change<string>[] = []
  readonly deleted: Change<string>[] = []
  readonly elements: Change<number>[] = []
}

/** The events that a listener had, and the time at which it heard for the last time that some are gone. */
interface Heard {
  readonly events: FeedEvent[]
  gone: number
}

interface Run {
  readonly below: (limit: number) => number
  readonly address: () => string
  readonly history: History
  readonly root: string
  readonly dataset: string
  /** True: the service keeps few events, and a listener is away for longer than that. */
  readonly losesEvents: boolean
  /** Is called when a listener heard that events are gone. */
  readonly hasLost: () => void
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
    await pause(50)
    return undefined
  }
}

async function write(run: Run): Promise<void> {
  const { history, below, root, dataset } = run
  while (!run.isOver) {
    const number = run.next++
    const begun = performance.now()
    const kind = below(4)
    if (kind === 0) {
      await answered(run, 'PUT', `/groups/${root}/attributes/a${number}`, { type: 'H5T_STD_I8LE', value: 1 })
    } else if (kind === 1) {
      const body = { start: [number], stop: [number + 1], value: [number] }
      if (await answered(run, 'PUT', `/datasets/${dataset}/value`, body))
        history.elements.push({ subject: number, begun })
    } else {
      const reply = await answered(run, 'POST', '/groups', { link: { id: root, name: `g${number}` } })
      const id = reply?.json<{ id: string }>().id
      if (id === undefined) continue
      history.created.push({ subject: id, begun })
      if (kind === 3 && (await answered(run, 'DELETE', `/groups/${id}`)))
        history.deleted.push({ subject: id, begun })
    }
  }
}

/** Fills the log with events of another domain, each of a hundred groups. */
async function fill(run: Run): Promise<void> {
  const options = { user: ADMIN, alone: true }
  const groups = Array.from({ length: 100 }, () => ({}))
  const send = async (method: 'PUT' | 'POST', target: string, body?: unknown) => {
    try {
      await sendTo(run.address(), method, target, body, options)
    } catch (error) {
      if (!hasLostConnection(error)) throw error
      await pause(50)
    }
  }
  await send('PUT', '/?domain=/fill.h5')
  while (!run.isOver) await send('POST', '/groups?domain=/fill.h5', groups)
}

/**
 * Has all events until an attribute of the dataset was changed, which no writer does. `isAway`: the listener is away
 * for longer than events are kept, once.
 */
async function listen(run: Run, since: string, isAway: boolean): Promise<Heard> {
  const heard: Heard = { events: [], gone: 0 }
  let position = since
  for (;;) {
    const address = run.address()
    let stream: EventStream
    try {
      stream = await openEventStream(address, `/events?since=${position}`, { host: HOST })
    } catch (error) {
      if (!hasLostConnection(error)) throw error
      await pause(50)
      continue
    }
    try {
      for (let left = 1 + run.below(60); left > 0; left--) {
        const message = await stream.next()
        if (message === undefined) break
        position = message.lastId
        if (run.losesEvents && message.name === 'gone') {
          heard.gone = performance.now()
          run.hasLost()
          continue
        }
        expect(message.name).toBe('message')
        heard.events.push(message.data)
        await requireReadable(address, message.data)
        const isEnd = message.data.changes.some(({ kind, id }) => kind === 'attributes' && id === run.dataset)
        if (isEnd) return heard
      }
    } finally {
      stream.close()
    }
    if (isAway && heard.gone === 0) await becomeGone(run, position)
  }
}

/** Waits until events after the position are gone. */
async function becomeGone(run: Run, position: string): Promise<void> {
  const target = `/events?wait=0&since=${position}`
  for (;;) {
    try {
      const reply = await sendTo(run.address(), 'GET', target, undefined, {
        headers: { host: HOST },
        alone: true,
      })
      if (reply.json<FeedPage>().gone) return
    } catch (error) {
      if (!hasLostConnection(error)) throw error
    }
    await pause(200)
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

function requireHistory({ created, deleted, elements }: History, { events, gone }: Heard): void {
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
  const notOnce = (kind: string, changes: readonly Change<string>[]) =>
    changes.filter(({ subject, begun }) => {
      const count = times.get(`${kind} ${subject}`) ?? 0
      return count > 1 || (count === 0 && begun > gone)
    })
  expect(notOnce('created', created)).toEqual([])
  expect(notOnce('deleted', deleted)).toEqual([])
  expect(elements.filter(({ subject, begun }) => begun > gone && !written.has(subject))).toEqual([])
}

it.each([
  ['one process', oneProcess],
  ['one process that keeps few events', withFewEvents],
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
  const losesEvents = start === withFewEvents
  const history = new History()
  let hasLost = () => {}
  const loss = new Promise<void>(resolve => {
    hasLost = resolve
  })
  const run: Run = { below, address, history, root, dataset, losesEvents, hasLost, next: 0, isOver: false }
  const listening = Array.from({ length: LISTENERS }, (_, i) => listen(run, since, losesEvents && i === 0))
  const writing = Array.from({ length: WRITERS }, () => write(run))
  if (losesEvents) writing.push(fill(run))
  for (let kill = 0; kill < KILLS; kill++) {
    await pause(LOAD_MS)
    await service.kill()
  }
  if (losesEvents) await loss
  const { created, deleted, elements } = history
  const before = created.length
  await pause(LOAD_MS)
  // On a busy machine they take longer; one at least was requested after the loss.
  while (created.length <= before + WRITERS || deleted.length * elements.length === 0) await pause(100)
  run.isOver = true
  await Promise.all(writing)
  const end = () =>
    answered(run, 'PUT', `/datasets/${dataset}/attributes/end`, { type: 'H5T_STD_I8LE', value: 1 })
  while ((await end()) === undefined);
  const histories = await Promise.all(listening)
  for (const heard of histories) requireHistory(history, heard)
  // Some of the history is behind that.
  for (const { gone } of histories) expect(created.some(({ begun }) => begun > gone)).toBe(true)
  console.log(`${name}: ${created.length} created, ${deleted.length} deleted, ${elements.length} written`)
})
