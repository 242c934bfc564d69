// The feed of events of several processes on one disk: each listener gets each change once and in order, wherever it
// listens, whatever is cut, held or killed, and hears that events are gone when they are.

import { expect, test } from 'vitest'
import { EventStream, type FeedPage, type Message } from '../wire/event-stream.ts'
import { inWorlds, type World } from './world.ts'

const DOMAIN = '/d.h5'
const OPTIONS = { minClientRate: 0 }

async function makeDomain(world: World): Promise<string> {
  const reply = await world.ask('PUT', `/?domain=${DOMAIN}`)
  expect(reply.status).toBe(201)
  return reply.json<{ root: string }>().root
}

/** The position that a new listener begins at. */
async function newest(world: World): Promise<string> {
  return (await world.ask('GET', `/events?domain=${DOMAIN}&wait=0`)).json<FeedPage>().next
}

const creates = (message: Message) =>
  message.data.changes.flatMap(({ kind, id }) => (kind === 'created' && id !== undefined ? [id] : []))

/** Listens until it has heard of a number of groups, and comes back when its stream ends. */
class Follower {
  readonly created: string[] = []
  readonly numbers: number[] = []
  readonly names: string[] = []
  isOver = false
  #position: string
  readonly #world: World
  #stream: EventStream | undefined

  constructor(world: World, position: string) {
    this.#world = world
    this.#position = position
    void this.#run()
  }

  /** Its client loses the connection. */
  cut(): void {
    this.#stream?.close()
  }

  async #run(): Promise<void> {
    while (!this.isOver) {
      try {
        const target = `/events?domain=${DOMAIN}&since=${this.#position}`
        const response = await this.#world.begin('GET', target)
        if (response.statusCode !== 200) {
          response.destroy()
          throw new Error(`${response.statusCode}`)
        }
        this.#stream = new EventStream(response)
        for (let next = await this.#stream.next(); next; next = await this.#stream.next()) this.#take(next)
      } catch {
        // It comes back.
      }
      await new Promise<void>(resolve => this.#world.time.after(100, resolve))
    }
  }

  #take(message: Message): void {
    this.names.push(message.name)
    this.#position = message.lastId
    if (message.name !== 'message') return
    this.numbers.push(Number(message.data.id.split('-')[0]))
    this.created.push(...creates(message))
  }
}

test('each change comes once and in order to every listener, whatever is cut, held, delayed or killed', () =>
  inWorlds(async world => {
    const slowest = world.below(80)
    world.network.delay = () => world.below(1 + slowest)
    world.disk.delay = () => world.below(1 + world.below(30))
    for (let i = 0; i < 3; i++) world.start(OPTIONS, world.below(2000) - 1000)
    await makeDomain(world)
    const followers: Follower[] = []
    const start = await newest(world)
    for (let i = 0; i < 4; i++) followers.push(new Follower(world, start))
    const acknowledged: string[] = []
    const maybe: string[] = []
    const write = async () => {
      try {
        const reply = await world.send('POST', `/groups?domain=${DOMAIN}`, {})
        if (reply.status === 201) acknowledged.push(reply.json<{ id: string }>().id)
      } catch {
        maybe.push('lost')
      }
    }
    for (let step = 0; step < 60; step++) {
      const draw = world.below(20)
      if (draw < 12) void write()
      else if (draw < 14) world.pick(followers).cut()
      else if (draw === 14) world.network.hold()
      else if (draw < 17) world.network.heal()
      else if (draw === 17) {
        const alive = world.services.filter(({ isAlive }) => isAlive)
        if (alive.length > 1) world.pick(alive).kill()
        world.start(OPTIONS, world.below(2000) - 1000)
      }
      await world.pass(world.below(200))
    }
    world.network.heal()
    await world.pass(5000)
    const last = await world.ask('POST', `/groups?domain=${DOMAIN}`, {})
    const { id } = last.json<{ id: string }>()
    await world.untilSo(() => followers.every(({ created }) => created.includes(id)))
    for (const follower of followers) {
      follower.isOver = true
      expect(follower.names.every(name => name === 'message')).toBe(true)
      expect(follower.numbers).toEqual([...follower.numbers].sort((a, b) => a - b))
      expect(new Set(follower.created).size).toBe(follower.created.length)
      for (const group of [...acknowledged, id]) expect(follower.created).toContain(group)
      // Writes whose answers were lost may be there or not, for all listeners alike.
      expect(follower.created).toEqual(followers[0].created)
      expect(follower.created.length).toBeLessThanOrEqual(acknowledged.length + 1 + maybe.length)
    }
    for (const follower of followers) follower.cut()
  }))

test('a listener that is away for longer than events are kept hears that some are gone, and goes on', () =>
  inWorlds(async world => {
    const store = { keptEvents: { hours: 1 } }
    for (let i = 0; i < 2; i++) world.start({ ...OPTIONS, store })
    await makeDomain(world)
    const since = await newest(world)
    const write = () => world.ask('POST', `/groups?domain=${DOMAIN}`, {})
    await write()
    const page = await world.ask('GET', `/events?domain=${DOMAIN}&wait=0&since=${since}`)
    expect(page.json<FeedPage>().events).toHaveLength(1)
    await world.pass(2 * 3600 * 1000)
    await write()
    await world.pass(30_000)
    const late = (await world.ask('GET', `/events?domain=${DOMAIN}&wait=0&since=${since}`)).json<FeedPage>()
    expect(late).toMatchObject({ gone: true, events: [] })
    const follower = new Follower(world, since)
    await write()
    await world.untilSo(() => follower.created.length === 1)
    expect(follower.names).toEqual(['gone', 'message'])
    follower.isOver = true
    follower.cut()
  }))

test('a page without events is answered after its wait, and with one as soon as it is there, in every process', () =>
  inWorlds(async world => {
    for (let i = 0; i < 2; i++) world.start()
    await makeDomain(world)
    const since = await newest(world)
    const wait = 1 + world.below(60)
    const target = `/events?domain=${DOMAIN}&since=${since}&wait=${wait}`
    const begun = world.time.passed
    const empty = (await world.ask('GET', target)).json<FeedPage>()
    expect([empty.events, world.time.passed - begun]).toEqual([[], wait * 1000])
    const waiting = world.services.map(to => world.send('GET', target, undefined, { to }))
    await world.settle()
    const written = world.time.passed
    await world.ask('POST', `/groups?domain=${DOMAIN}`, {})
    for (const page of await world.until(Promise.all(waiting)))
      expect(page.json<FeedPage>().events).toHaveLength(1)
    // The other process looks for commits again and again.
    expect(world.time.passed - written).toBeLessThanOrEqual(200)
  }))

test('a stream shows that it is alive, and ends when its service ends; the client goes on at another one', () =>
  inWorlds(async world => {
    const first = world.start()
    await makeDomain(world)
    const response = await world.until(world.begin('GET', `/events?domain=${DOMAIN}`))
    let text = ''
    let hasEnded = false
    response.setEncoding('utf8').on('data', piece => {
      text += piece
    })
    response.on('close', () => {
      hasEnded = true
    })
    await world.settle()
    const begun = text.length
    await world.pass(60_000)
    expect(text.slice(begun).split('\n\n').length).toBeGreaterThanOrEqual(4)
    const second = world.start()
    await world.until(first.end())
    await world.pass(1000)
    expect(hasEnded).toBe(true)
    expect((await world.ask('GET', '/about', undefined, { to: second })).status).toBe(200)
  }))

test('listeners beyond the limit are refused until one leaves', () =>
  inWorlds(async world => {
    world.start({ maxListeners: 2 })
    await makeDomain(world)
    const listen = () => world.until(world.begin('GET', `/events?domain=${DOMAIN}`))
    const streams = [await listen(), await listen()]
    expect(streams.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect((await world.ask('GET', `/events?domain=${DOMAIN}`)).status).toBe(503)
    streams[0].destroy()
    await world.pass(1000)
    const next = await listen()
    expect(next.statusCode).toBe(200)
    for (const stream of [streams[1], next]) stream.destroy()
  }))

test('no address and no share takes all listeners, and users with an account go before them', () =>
  inWorlds(async world => {
    world.start({ maxListeners: 16 })
    await makeDomain(world)
    const share = await world.ask('POST', '/shares', { domain: DOMAIN, end: '2999-01-01' })
    const shared = `${new URL(share.json<{ address: string }>().address).pathname}events?domain=${DOMAIN}`
    const streams: { destroy(): void }[] = []
    const listen = async (target: string, user: string) => {
      const response = await world.until(world.begin('GET', target, undefined, { user, from: '10.9.9.9' }))
      streams.push(response)
      return response.statusCode
    }
    for (let i = 0; i < 8; i++) expect(await listen('/events?domain=/', '')).toBe(200)
    expect(await listen('/events?domain=/', '')).toBe(503)
    // Another caller without an account gets one; then the places are for users with an account.
    expect(await listen(shared, '')).toBe(200)
    expect(await listen(shared, '')).toBe(503)
    for (let i = 0; i < 5; i++) expect(await listen('/events?domain=/', 'boss')).toBe(200)
    expect(await listen('/events?domain=/', 'boss')).toBe(503)
    for (const stream of streams) stream.destroy()
  }, 1))

test('events beyond the bytes that are kept are gone, the newest are there', () =>
  inWorlds(async world => {
    world.start({ store: { keptEvents: { bytes: 1 << 16 } } })
    await makeDomain(world)
    const events = async (since: string) =>
      (await world.ask('GET', `/events?domain=${DOMAIN}&wait=0&since=${since}`)).json<FeedPage>()
    const first = await newest(world)
    // An event names a hundred groups, and takes some kilobytes.
    const groups = Array.from({ length: 100 }, () => ({}))
    for (let i = 0; i < 40; i++) await world.ask('POST', `/groups?domain=${DOMAIN}`, groups)
    await world.pass(30_000)
    const gone = await events(first)
    const domain = (await world.ask('GET', `/?domain=${DOMAIN}`)).json<{ state: string }>()
    expect(gone).toMatchObject({ gone: true, events: [], state: domain.state })
    await world.ask('POST', `/groups?domain=${DOMAIN}`, {})
    const later = await events(gone.next)
    expect(later.events).toMatchObject([{ changes: [{ kind: 'created', class: 'group' }] }])
  }, 1))
