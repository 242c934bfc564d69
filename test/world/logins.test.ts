// Sessions, tokens and shares of several processes on one disk: each is accepted by every process from the answer that
// makes it until its end, and by none after the answer that ends it.

import { expect, test } from 'vitest'
import type { WorldService } from './service.ts'
import { inWorlds, type Reply, type RequestOptions, type World } from './world.ts'

const DOMAIN = '/d.h5'
const MINUTE = 60_000
const IDLE = 20 * MINUTE
const LONGEST_SESSION = 120 * MINUTE
const OPTIONS = {
  store: { sweeps: false },
  sessions: { sessionIdle: IDLE / 1000, sessionEnd: LONGEST_SESSION / 1000 },
}
/** The share of the idle time that a use of a session may be older than what is noted. */
const NOTED = 1 / 10
/** Milliseconds in which the use of a session is stored. */
const LONGEST_NOTE = 1000
/** A request takes less, so the time of a session is known that well. */
const SLACK = 2000

async function begin(world: World, processes: number): Promise<void> {
  for (let i = 0; i < processes; i++) world.start(OPTIONS)
  expect((await world.ask('PUT', `/?domain=${DOMAIN}`)).status).toBe(201)
}

interface Login {
  readonly kind: 'session' | 'token' | 'share'
  readonly id: string
  readonly end: number
  readonly use: (to?: WorldService) => Promise<Reply>
  used: number
  isEnded: boolean
  /** Its last use may not be stored: a process was killed at once. */
  isUseLost: boolean
}

const endIn = (world: World, milliseconds: number): string =>
  new Date(world.services[0].clock.now() + milliseconds).toISOString()

async function newToken(world: World, milliseconds: number): Promise<Login> {
  const end = endIn(world, milliseconds)
  const made = await world.ask('POST', '/tokens', { name: 'program', end })
  expect(made.status).toBe(201)
  const { id, token } = made.json<{ id: string; token: string }>()
  const headers = { authorization: `Bearer ${token}` }
  return login(world, { kind: 'token', id, end: Date.parse(end) }, `/?domain=${DOMAIN}`, { headers })
}

async function newShare(world: World, milliseconds: number): Promise<Login> {
  const end = endIn(world, milliseconds)
  const made = await world.ask('POST', '/shares', { domain: DOMAIN, end })
  expect(made.status).toBe(201)
  const { id, address } = made.json<{ id: string; address: string }>()
  const target = `${new URL(address).pathname}?domain=${DOMAIN}`
  return login(world, { kind: 'share', id, end: Date.parse(end) }, target)
}

async function newSession(world: World): Promise<Login> {
  const headers = { 'x-requested-with': 'fetch' }
  const made = await world.ask('POST', '/login', undefined, { headers })
  expect(made.status).toBe(201)
  const cookie = made.headers['set-cookie']?.[0].split(';')[0]
  const own = { headers: { ...headers, cookie } }
  const listed = await world.ask('GET', '/sessions', undefined, { user: '', ...own })
  const { id } = listed
    .json<{ sessions: { id: string; current: boolean }[] }>()
    .sessions.find(one => one.current) ?? {
    id: '',
  }
  const end = world.services[0].clock.now() + LONGEST_SESSION
  return login(world, { kind: 'session', id, end }, `/?domain=${DOMAIN}`, own)
}

function login(
  world: World,
  about: Pick<Login, 'kind' | 'id' | 'end'>,
  target: string,
  options: RequestOptions = {},
): Login {
  const use = (to?: WorldService) =>
    world.ask('GET', target, undefined, { user: '', ...options, ...(to && { to }) })
  return { ...about, use, used: world.time.passed, isEnded: false, isUseLost: false }
}

const CODES = { session: 'session-ended', token: 'token-ended', share: 'share-not-found' }

test('a token is accepted until its end and refused from then on, which its message says', () =>
  inWorlds(async world => {
    await begin(world, 3)
    const milliseconds = 1000 * (1 + world.below(100))
    const token = await newToken(world, milliseconds)
    await world.pass(milliseconds - 1)
    for (const to of world.services) expect((await token.use(to)).status).toBe(200)
    await world.pass(1)
    for (const to of world.services) {
      const reply = await token.use(to)
      expect(reply.status).toBe(401)
      expect(reply.json()).toMatchObject({
        code: 'token-ended',
        message: expect.stringContaining('expired at'),
      })
    }
  }))

test('a share shows its domain until its end, and nothing from then on', () =>
  inWorlds(async world => {
    await begin(world, 3)
    const milliseconds = 1000 * (1 + world.below(100))
    const share = await newShare(world, milliseconds)
    await world.pass(milliseconds - 1)
    for (const to of world.services) expect((await share.use(to)).status).toBe(200)
    await world.pass(1)
    for (const to of world.services) {
      expect((await share.use(to)).json()).toEqual({
        status: 404,
        code: 'share-not-found',
        message: 'this address shows nothing: it is unknown, or it was for a time that is over',
      })
    }
  }))

test('an end in the past is refused, one a millisecond ahead is not', () =>
  inWorlds(async world => {
    await begin(world, 1)
    for (const [target, body] of [
      ['/tokens', { name: 'x' }],
      ['/shares', { domain: DOMAIN }],
    ] as const) {
      expect((await world.ask('POST', target, { ...body, end: endIn(world, 0) })).status).toBe(400)
      expect((await world.ask('POST', target, { ...body, end: endIn(world, 1) })).status).toBe(201)
    }
  }, 1))

test('the requests of a share are counted in every process, and those that were stored outlive it', () =>
  inWorlds(async world => {
    await begin(world, 3)
    const share = await newShare(world, 60 * MINUTE)
    const uses = async () => {
      const { shares } = (await world.ask('GET', '/shares')).json<{
        shares: { id: string; uses: number; used?: string }[]
      }>()
      return shares.find(({ id }) => id === share.id)
    }
    expect(await uses()).toMatchObject({ uses: 0 })
    const count = 1 + world.below(20)
    for (let n = 0; n < count; n++) await share.use()
    const last = world.services[0].clock.now()
    // Each process stores what it has counted within ten seconds.
    await world.pass(11_000)
    expect(await uses()).toMatchObject({ uses: count, used: new Date(last).toISOString() })
    world.services[0].kill()
    expect(await uses()).toMatchObject({ uses: count })
  }))

test('every login is accepted by every process until its end, and by none after it was ended', () =>
  inWorlds(async world => {
    world.disk.delay = () => world.below(20)
    world.network.delay = () => world.below(20)
    await begin(world, 3)
    const logins: Login[] = []
    const check = async (one: Login, to?: WorldService) => {
      const before = world.services[0].clock.now()
      const idle = world.time.passed - one.used
      const { status, text } = await one.use(to)
      const after = world.services[0].clock.now()
      const isSession = one.kind === 'session'
      const slack = isSession ? SLACK : 0
      const mustEnd = one.isEnded || before >= one.end + slack || (isSession && idle >= IDLE + slack)
      const mayBeIdle = isSession && (one.isUseLost || idle >= IDLE * (1 - NOTED) - slack)
      const mustHold = !one.isEnded && after < one.end - slack && !mayBeIdle
      world.note(`${one.kind} ${one.id}: ${status}, idle ${idle}, end ${one.end}, ended ${one.isEnded}`)
      if (mustEnd) expect(status).toBe(one.kind === 'share' ? 404 : 401)
      if (mustHold) expect(status).toBe(200)
      if (status === 200) {
        one.used = world.time.passed
        one.isUseLost = false
      } else {
        one.isEnded = true
        expect(JSON.parse(text).code).toBe(CODES[one.kind])
      }
    }
    for (let step = 0; step < 50; step++) {
      const draw = world.below(14)
      if (draw === 0) logins.push(await newSession(world))
      else if (draw === 1) logins.push(await newToken(world, 1000 + world.below(60 * MINUTE)))
      else if (draw === 2) logins.push(await newShare(world, 1000 + world.below(60 * MINUTE)))
      else if (draw < 9 && logins.length > 0) await check(world.pick(logins))
      else if (draw === 9 && logins.length > 0) {
        const one = world.pick(logins)
        const alive = world.services.filter(({ isAlive }) => isAlive)
        // All of them have it at hand when it ends.
        world.network.delay = () => world.below(3)
        for (const to of alive) await check(one, to)
        const folder = { session: '/sessions', token: '/tokens', share: '/shares' }[one.kind]
        const { status } = await world.ask('DELETE', `${folder}/${one.id}`)
        if (status === 200) one.isEnded = true
        for (const to of alive) if (one.isEnded) await check(one, to)
        world.network.delay = () => world.below(20)
      } else if (draw === 10) {
        const alive = world.services.filter(({ isAlive }) => isAlive)
        if (alive.length > 1) {
          world.pick(alive).kill()
          for (const one of logins) one.isUseLost ||= world.time.passed - one.used < LONGEST_NOTE
        }
        world.start(OPTIONS)
      } else await world.pass(world.below(10 * MINUTE))
    }
    for (const one of logins) await check(one)
  }))
