// Connections, in simulated time: clients that leave, that send or take too little, and that are too many; the end of a
// service. Whatever a client does, its requests release what they hold, and other clients are served.

import { expect, test } from 'vitest'
import { type RawConnection, request } from '../wire/raw-connection.ts'
import type { SocketEnd } from './network.ts'
import type { ServiceOptions } from './service.ts'
import { inWorlds, WORLDS, type World } from './world.ts'

const DOMAIN = 'domain=/c.h5'
const OCTETS = 'application/octet-stream'
const AUTHORIZATION = { Authorization: `Basic ${btoa('boss:boss')}` }
const MIB = 1 << 20
const HELD = [
  'requests_queued',
  'requests_waiting',
  'requests_working',
  'request_memory_bytes',
  'store_transactions',
]

class Scene {
  readonly world: World

  constructor(world: World, options: ServiceOptions = {}) {
    this.world = world
    world.start(options)
  }

  async figure(name: string): Promise<number> {
    const { text } = await this.world.ask('GET', '/metrics')
    const line = text.split('\n').find(line => line.startsWith(`hyperslab_${name} `))
    return Number(line?.split(' ').at(-1))
  }

  /** A dataset of bytes, as the path of its values. */
  async dataset(length: number): Promise<string> {
    await this.world.ask('PUT', `/?${DOMAIN}`)
    const made = await this.world.ask('POST', `/datasets?${DOMAIN}`, {
      type: 'H5T_STD_I8LE',
      shape: [length],
    })
    return `/datasets/${made.json<{ id: string }>().id}/value?${DOMAIN}`
  }

  /** Nothing is held by any request but the one that asks. */
  async expectNothingHeld(): Promise<void> {
    await this.world.pass(1000)
    expect(await this.figure('requests_in_flight')).toBe(1)
    for (const name of HELD) expect([name, await this.figure(name)]).toEqual([name, 0])
  }

  clients(count: number): RawConnection[] {
    return Array.from({ length: count }, () => this.world.raw())
  }

  read(path: string): string {
    return request('GET', path, { ...AUTHORIZATION, Accept: OCTETS })
  }
}

const inScenes = (
  program: (scene: Scene, world: World) => Promise<void>,
  options?: ServiceOptions,
  count = 1,
) => inWorlds(world => program(new Scene(world, options), world), count)

test('a client that leaves with pipelined requests that stream, wait for room and are queued, holds nothing', () =>
  inScenes(
    async (scene, world) => {
      const path = await scene.dataset(32 * MIB)
      const clients = scene.clients(30)
      for (const client of clients) client.send(scene.read(path).repeat(3))
      await world.pass(1000)
      expect(await scene.figure('requests_waiting')).toBeGreaterThan(20)
      expect(await scene.figure('requests_queued')).toBe(60)
      for (const client of clients) client.socket.destroy()
      await scene.expectNothingHeld()
      const left = 'request_duration_seconds_count{operation="get-value",dialect="hsds",status="left"}'
      expect(await scene.figure(left)).toBe(30)
    },
    { limits: { bytes: 16 * MIB } },
  ))

test('a client with 20,000 requests queued is held back, and no more than a piece of them is parsed', () =>
  inScenes(async (scene, world) => {
    const path = await scene.dataset(64 * MIB)
    const [client] = scene.clients(1)
    client.send(scene.read(path), request('GET', '/about').repeat(20_000))
    await world.pass(1000)
    const queued = await scene.figure('requests_queued')
    expect(queued).toBeGreaterThanOrEqual(8)
    expect(queued).toBeLessThan(200)
    client.socket.destroy()
    await scene.expectNothingHeld()
  }))

test('clients that leave at any moment of any request hold nothing', () =>
  inScenes(
    async (scene, world) => {
      world.network.delay = () => world.below(20)
      const path = await scene.dataset(8 * MIB)
      const upload = { ...AUTHORIZATION, 'Content-Type': OCTETS, 'Content-Length': String(8 * MIB) }
      const texts = [
        `${request('PUT', path, upload)}${'x'.repeat(3 * MIB)}`,
        `${request('PUT', path, { ...AUTHORIZATION, 'Content-Length': '30' })}{"value`,
        request('GET', path, AUTHORIZATION),
        request('GET', `${path}&query=x==1`, AUTHORIZATION),
        scene.read(path).repeat(100),
        `GET /about HTTP/1.1\r\nHost: x`,
        `GET /events?${DOMAIN} HTTP/1.1\r\nHost: x\r\nAuthorization: ${AUTHORIZATION.Authorization}\r\n\r\n`,
      ]
      for (let step = 0; step < 40; step++) {
        const [client] = scene.clients(1)
        client.send(world.pick(texts))
        await world.pass(world.below(150))
        const draw = world.below(3)
        // It closes its side, or both, or the connection is cut.
        if (draw === 0) client.socket.end()
        else if (draw === 1) client.socket.destroy()
        else client.socket.destroy(new Error('cut'))
        if (draw === 0) world.time.after(world.below(300), () => client.socket.destroy())
      }
      await world.pass(1000)
      await scene.expectNothingHeld()
      expect((await world.ask('GET', path, undefined, { headers: { accept: OCTETS } })).bytes).toHaveLength(
        8 * MIB,
      )
    },
    {},
    WORLDS,
  ))

/** Whether the service has closed the connection. */
function isClosed({ socket }: Pick<RawConnection, 'socket'>): boolean {
  // The connections of a world are such pairs.
  return (socket as unknown as SocketEnd).peer?.destroyed ?? false
}

/** Takes a number of bytes each tenth of a second, until `seconds` are over; the bytes taken in all. */
async function takeSlowly(
  world: World,
  client: RawConnection,
  perStep: number,
  seconds: number,
): Promise<number> {
  let taken = 0
  client.socket.on('readable', () => {})
  for (let step = 0; step < 10 * seconds && !isClosed(client); step++) {
    await world.pass(100)
    for (let left = perStep; left > 0; ) {
      const piece: Buffer | null = client.socket.read(
        Math.min(left, client.socket.readableLength) || undefined,
      )
      if (piece === null) break
      left -= piece.length
      taken += piece.length
    }
  }
  return taken
}

test.each([
  ['takes nothing', 0, 0, 1],
  ['takes too little', 5000, 100_000, 1],
  ['takes as much as it must', 20_000, 100_000, 0],
  ['takes a byte now and then where that is enough', 1, 0, 0],
])('a client that %s', (_, perStep, minClientRate, cutOff) =>
  inScenes(
    async (scene, world) => {
      const path = await scene.dataset(8 * MIB)
      const [client] = scene.clients(1)
      client.send(scene.read(path))
      // The system of the client takes some bytes for it; a byte that it takes makes room for no more of them.
      await takeSlowly(world, client, perStep === 1 ? 60_000 : perStep, 30)
      expect(await scene.figure('slow_clients_total')).toBe(cutOff)
      expect(isClosed(client)).toBe(cutOff === 1)
      client.socket.destroy()
      await scene.expectNothingHeld()
    },
    { clientTimeoutSeconds: 5, minClientRate },
  ),
)

test.each([
  ['half a body', 0],
  ['a body byte by byte', 1],
])('a client that sends %s gets 408 and is cut off, and nothing was done', (_, bytes) =>
  inScenes(
    async (scene, world) => {
      for (const length of [1000, 100_000]) {
        const [client] = scene.clients(1)
        const headers = {
          ...AUTHORIZATION,
          'Content-Type': 'application/json',
          'Content-Length': String(length),
        }
        client.send(request('PUT', `/?domain=/slow.h5`, headers), '{')
        const answering = client.answer()
        for (let step = 0; step < 30 && !isClosed(client); step++) {
          if (bytes > 0) client.send(' ')
          await world.pass(100)
        }
        const answer = await world.until(answering)
        expect(answer?.status).toBe(408)
        expect(JSON.parse(String(answer?.body))).toMatchObject({ code: 'client-too-slow' })
        await world.pass(100)
        expect(isClosed(client)).toBe(true)
      }
      expect(await scene.figure('slow_clients_total')).toBe(2)
      expect((await world.ask('GET', '/?domain=/slow.h5')).status).toBe(404)
      await scene.expectNothingHeld()
    },
    { clientTimeoutSeconds: 1 },
  ),
)

test('a connection on which nothing is sent is closed after the client timeout', () =>
  inScenes(
    async (_, world) => {
      const { socket: client } = world.raw()
      client.resume()
      await world.pass(900)
      expect(isClosed({ socket: client })).toBe(false)
      await world.pass(200)
      expect(isClosed({ socket: client })).toBe(true)
    },
    { clientTimeoutSeconds: 1 },
  ))

test('a connection between two requests is kept for keep_alive_timeout, and no longer', () =>
  inScenes(
    async (scene, world) => {
      const [client] = scene.clients(1)
      client.send(request('GET', '/about'))
      const answer = await world.until(client.answer())
      expect(answer?.head).toMatch(/^keep-alive: timeout=30$/im)
      await world.pass(29_000)
      client.send(request('GET', '/about'))
      expect((await world.until(client.answer()))?.status).toBe(200)
      // Node waits a second longer than it says.
      await world.pass(32_000)
      expect(await world.until(client.answer())).toBeUndefined()
    },
    { keepAliveSeconds: 30, clientTimeoutSeconds: 1 },
  ))

test('the rest of a refused upload is read until its client pauses for the client timeout', () =>
  inScenes(
    async (scene, world) => {
      const [client] = scene.clients(1)
      const headers = { ...AUTHORIZATION, 'Content-Type': OCTETS, 'Content-Length': '100000000000' }
      client.send(request('PUT', '/datasets/d-0/value?domain=/no/such.h5', headers))
      expect((await world.until(client.answer()))?.status).toBe(404)
      for (let step = 0; step < 5; step++) {
        client.send('more')
        await world.pass(1900)
        expect(isClosed(client)).toBe(false)
      }
      await world.pass(200)
      expect(isClosed(client)).toBe(true)
    },
    { clientTimeoutSeconds: 2 },
  ))

test('too many connections are idle: the longest idle one makes room', () =>
  inScenes(
    async (scene, world) => {
      const idle = scene.clients(4)
      for (const client of idle) {
        client.send(request('GET', '/about'))
        await world.until(client.answer())
        await world.pass(1000)
      }
      const [next] = scene.clients(1)
      next.send(request('GET', '/about'))
      expect((await world.until(next.answer()))?.status).toBe(200)
      await world.pass(100)
      expect(idle.map(isClosed)).toEqual([true, false, false, false])
    },
    { maxConnections: 4 },
  ))

test('too many connections are busy: a new one is refused, with a line in the log', () =>
  inScenes(
    async (scene, world) => {
      const path = await scene.dataset(64 * MIB)
      await world.pass(1000)
      const busy = scene.clients(4)
      for (const client of busy) client.send(scene.read(path))
      await world.pass(100)
      const [refused] = scene.clients(1)
      const answers = await world.until(refused.answers())
      expect(answers.map(({ status }) => status)).toEqual([503])
      expect(answers[0]?.head).toMatch(/^retry-after: 1$/im)
      expect(JSON.parse(String(answers[0]?.body))).toMatchObject({ code: 'too-busy' })
      for (const client of busy) client.socket.destroy()
      await world.pass(1000)
      expect(await scene.figure('connections')).toBe(1)
      expect(await scene.figure('connections_refused_total')).toBe(1)
      expect(world.story.join('\n')).toContain('"code":"too-busy","address":"10.0.')
    },
    { maxConnections: 4 },
  ))

test('a connection without HTTP has a line in the log, a flood of them few, and their number a minute later', () =>
  inScenes(async (scene, world) => {
    for (const client of scene.clients(30)) {
      client.send('\x16\x03\x01 nonsense\r\n')
      expect((await world.until(client.answers())).map(({ status }) => status)).toEqual([400])
    }
    const lines = () =>
      world.story
        .filter(line => line.includes('refused'))
        .map(line => JSON.parse(line.slice(line.indexOf('{'))))
    expect(lines()).toHaveLength(10)
    await world.pass(60_000)
    expect(lines()).toHaveLength(11)
    expect(lines()[0]).toMatchObject({
      code: 'malformed-request',
      address: expect.stringMatching(/^10\.0\./),
    })
    expect(lines()[10]).toMatchObject({ refused: { 'malformed-request': 20 } })
  }))

/** Connections on which answers have begun that are not taken, with requests queued behind. */
async function busyWith(scene: Scene, count: number): Promise<{ path: string; clients: RawConnection[] }> {
  const path = await scene.dataset(2 * MIB)
  await scene.world.pass(2000)
  const clients = scene.clients(count)
  for (const client of clients) client.send(scene.read(path).repeat(20))
  await scene.world.pass(100)
  return { path, clients }
}

test('a service that ends answers the current requests whole, and none of those behind them', () =>
  inScenes(async (scene, world) => {
    const { clients } = await busyWith(scene, 3)
    const [service] = world.services
    const ended = service.end()
    await world.pass(300)
    for (const client of clients) {
      const answers = await world.until(client.answers())
      expect(answers.map(({ status, body }) => [status, body.length])).toEqual([[200, 2 * MIB]])
    }
    await world.until(ended)
  }))

test('a service that ends answers the first request of a connection that was made just before', () =>
  inScenes(async (scene, world) => {
    const [client, silent] = scene.clients(2)
    await world.pass(10)
    const ended = world.services[0].end()
    await world.pass(900)
    expect(isClosed(silent)).toBe(false)
    client.send(request('GET', '/about'))
    expect((await world.until(client.answers())).map(({ status }) => status)).toEqual([200])
    await world.until(ended)
  }))

test('a service that will end says so in the answers in flight and the next ones, and takes new connections', () =>
  inScenes(async (scene, world) => {
    const [uploading, idle, silent] = scene.clients(3)
    const headers = { ...AUTHORIZATION, 'Content-Length': '2' }
    uploading.send(request('PUT', '/?domain=/late.h5', headers), '{')
    idle.send(request('GET', '/about'))
    const before = await world.until(idle.answer())
    expect(before?.head).toMatch(/^connection: keep-alive$/im)
    world.services[0].server.announceEnd()
    const [late] = scene.clients(1)
    uploading.send('}')
    for (const client of [idle, late]) client.send(request('GET', '/about'))
    for (const client of [uploading, idle, late]) {
      const answer = await world.until(client.answer())
      expect(answer?.head).toMatch(/^connection: close$/im)
      expect(await world.until(client.answer())).toBeUndefined()
    }
    expect(isClosed(silent)).toBe(false)
  }))

test('a service that ends does not wait for clients that have left, and can cut off the others', () =>
  inScenes(async (scene, world) => {
    const { path, clients } = await busyWith(scene, 3)
    const [upload] = scene.clients(1)
    const headers = { ...AUTHORIZATION, 'Content-Type': OCTETS, 'Content-Length': String(2 * MIB) }
    upload.send(request('PUT', path, headers), 'x')
    await world.pass(100)
    const [service] = world.services
    const ended = service.end()
    await world.pass(300)
    for (const client of clients.slice(1)) client.socket.destroy()
    upload.socket.destroy()
    await world.pass(300)
    expect(service.server.requestsInFlight).toBe(1)
    service.server.cutOff()
    await world.until(ended)
  }))
