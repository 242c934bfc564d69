// Clients that leave, that send or take too little, and that are too many, each test with its own server: their
// requests always release what they hold, and other clients are served.

import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { basic, type Method, type Reply, sendTo } from '../wire/client.ts'
import { RawConnection, request } from '../wire/raw-connection.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const AUTHORIZATION = { Authorization: basic('admin') }
const OCTETS = 'application/octet-stream'
const DOMAIN = 'domain=/c.h5'

interface Service extends RunningServer {
  readonly send: (method: Method, target: string, body?: unknown, type?: string) => Promise<Reply>
  /** A figure of /metrics. */
  readonly figure: (name: string) => Promise<number>
  /** A dataset of bytes, as the path of its values. */
  readonly dataset: (length: number) => Promise<string>
  readonly connect: () => RawConnection
}

/** All that the service prints to its log from now on. */
function logOf({ process }: RunningServer): () => string {
  let printed = ''
  process.stderr?.on('data', piece => {
    printed += piece
  })
  return () => printed
}

/** A folder with the account, of which every server gets a copy. */
let template: string

beforeAll(async () => {
  template = await newWorkingDirectory()
  await runCommand(template, ['user', 'add', 'admin', '--admin'], 'admin\n')
})
afterAll(() => rm(template, { recursive: true, force: true }))

async function serving(
  options: readonly string[],
  limits?: { readonly openFiles: number },
): Promise<Service> {
  const directory = await newWorkingDirectory()
  await cp(template, directory, { recursive: true })
  const server = await startServer(directory, options, limits)
  onTestFinished(async () => {
    await server.end('SIGKILL')
    await rm(directory, { recursive: true, force: true })
  })
  const send: Service['send'] = (method, target, body, type) =>
    sendTo(server.address, method, target, body, {
      user: 'admin',
      alone: true,
      headers: { ...(type && { 'content-type': type, accept: type }) },
    })
  expect((await send('PUT', `/?${DOMAIN}`)).status).toBe(201)
  return {
    ...server,
    send,
    async figure(name) {
      const { text } = await send('GET', '/metrics')
      return Number(
        text
          .split('\n')
          .find(line => line.startsWith(`${name} `))
          ?.slice(name.length),
      )
    },
    async dataset(length) {
      const reply = await send('POST', `/datasets?${DOMAIN}`, { type: 'H5T_STD_I8LE', shape: [length] })
      return `/datasets/${reply.json<{ id: string }>().id}/value?${DOMAIN}`
    },
    connect() {
      const connection = new RawConnection(server.address)
      onTestFinished(() => connection.leave())
      return connection
    },
  }
}

function read(path: string): string {
  return request('GET', path, { ...AUTHORIZATION, Accept: OCTETS })
}

/** Waits until nothing is held by any request but the one that asks. */
async function untilNothingIsHeld({ figure }: Service, after = 'requests'): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(await figure('hyperslab_requests_in_flight'), after).toBe(1)
      for (const name of [
        'requests_queued',
        'requests_waiting',
        'requests_working',
        'request_memory_bytes',
      ]) {
        expect(await figure(`hyperslab_${name}`), `${name} after ${after}`).toBe(0)
      }
      expect(await figure('hyperslab_store_transactions'), after).toBe(0)
    },
    { timeout: 60_000, interval: 200 },
  )
}

describe('a client that leaves', () => {
  test('with pipelined requests that stream, wait for room and are queued, holds nothing', async () => {
    const service = await serving(['--max-request-memory', '16777216'])
    const path = await service.dataset(32 << 20)
    const clients = Array.from({ length: 30 }, service.connect)
    for (const client of clients) client.send(read(path).repeat(3))
    await vi.waitFor(
      async () => {
        expect(await service.figure('hyperslab_requests_waiting')).toBeGreaterThan(20)
        expect(await service.figure('hyperslab_requests_queued')).toBe(60)
      },
      { timeout: 60_000 },
    )
    await Promise.all(clients.map(client => client.leave()))
    await untilNothingIsHeld(service)
    expect((await service.send('GET', path, undefined, OCTETS)).bytes).toHaveLength(32 << 20)
    const left =
      'hyperslab_request_duration_seconds_count{operation="get-value",dialect="hsds",status="left"}'
    expect(await service.figure(left)).toBe(30)
  })

  test('with 20,000 requests queued is held back, and no more than a piece of them is parsed', async () => {
    const service = await serving([])
    const path = await service.dataset(64 << 20)
    const client = service.connect()
    client.send(read(path), request('GET', '/about').repeat(20_000))
    await once(client.socket, 'readable')
    await vi.waitFor(
      async () => {
        expect(await service.figure('hyperslab_requests_queued')).toBeGreaterThanOrEqual(8)
      },
      { timeout: 60_000 },
    )
    expect(await service.figure('hyperslab_requests_queued')).toBeLessThan(200)
    await client.leave()
    await untilNothingIsHeld(service)
  })

  test('in an upload, a short body, an answer of JSON, a query or with requests queued, holds nothing', async () => {
    const service = await serving([])
    const path = await service.dataset(8 << 20)
    const upload = { ...AUTHORIZATION, 'Content-Type': OCTETS, 'Content-Length': '8388608' }
    const texts = {
      'an upload': `${request('PUT', path, upload)}${'x'.repeat(3 << 20)}`,
      'a short body': `${request('PUT', path, { ...AUTHORIZATION, 'Content-Length': '30' })}{"value`,
      'an answer of JSON': request('GET', path, AUTHORIZATION),
      'a query': request('GET', `${path}&query=x==1`, AUTHORIZATION),
      'many requests queued': read(path).repeat(100),
    }
    for (const [what, text] of Object.entries(texts)) {
      for (const isPolite of [true, false]) {
        const clients = Array.from({ length: 5 }, service.connect)
        for (const client of clients) client.send(text)
        await pause(100)
        // Closes its side only, or both.
        for (const client of clients) if (isPolite) client.socket.end()
        await pause(100)
        await Promise.all(clients.map(client => client.leave()))
        await untilNothingIsHeld(service, what)
      }
    }
  })
})

describe('a client that is waited for', () => {
  /** Takes 10 MiB a second of an answer of 128 MiB for 8 seconds, then the rest; how many bytes came. */
  async function takeSlowly(service: Service): Promise<number> {
    const { socket } = service.connect()
    socket.write(read(await service.dataset(128 << 20)))
    let taken = 0
    let allowed = 0
    socket.on('data', piece => {
      taken += piece.length
      if (taken > 128 << 20) socket.destroy()
      else if (taken >= allowed) socket.pause()
    })
    socket.on('end', () => socket.destroy())
    for (let i = 0; i < 80 && !socket.closed; i++) {
      allowed += 1 << 20
      socket.resume()
      await pause(100)
    }
    allowed = Number.POSITIVE_INFINITY
    if (!socket.closed) await once(socket.resume(), 'close')
    return taken
  }

  test.each([
    { rate: 0, cutOff: 0 },
    { rate: 100_000_000, cutOff: 1 },
  ])('and takes less than $rate bytes a second is cut off ($cutOff)', async ({ rate, cutOff }) => {
    const service = await serving(['--client-timeout', '5', '--min-client-rate', String(rate)])
    const taken = await takeSlowly(service)
    expect(taken < 128 << 20).toBe(cutOff === 1)
    expect(await service.figure('hyperslab_slow_clients_total')).toBe(cutOff)
    await untilNothingIsHeld(service)
  })

  test('and sends a body byte by byte gets 408 and is cut off', async () => {
    const service = await serving(['--client-timeout', '1'])
    for (const length of ['1000', '100000']) {
      const client = service.connect()
      client.send(request('PUT', `/?domain=/slow.h5`, { ...AUTHORIZATION, 'Content-Length': length }))
      const dripping = setInterval(() => client.send(' '), 100)
      const answer = await client.answer()
      clearInterval(dripping)
      expect(answer?.status).toBe(408)
      expect(JSON.parse(String(answer?.body))).toMatchObject({ code: 'client-too-slow' })
    }
    expect(await service.figure('hyperslab_slow_clients_total')).toBe(2)
    await untilNothingIsHeld(service)
  })
})

describe('too many connections', () => {
  test('are idle: files can be opened, and others are served', async () => {
    const service = await serving([], { openFiles: 256 })
    const idle: RawConnection[] = []
    for (let i = 0; i < 1000; i++) idle.push(service.connect())
    await Promise.all(idle.map(({ socket }) => (socket.connecting ? once(socket, 'connect') : undefined)))
    // Values of more than 64 KiB are in files.
    for (let round = 0; round < 5; round++) {
      const path = await service.dataset(1 << 18)
      const values = Buffer.alloc(1 << 18, round)
      const written = await service.send('PUT', path, values, OCTETS)
      expect(written.status, written.story).toBe(200)
      expect((await service.send('GET', path, undefined, OCTETS)).bytes.equals(values)).toBe(true)
    }
    // Many at once, each with files of its own.
    const paths = await Promise.all(Array.from({ length: 60 }, () => service.dataset(1 << 18)))
    const values = Buffer.alloc(1 << 18, 7)
    for (let round = 0; round < 2; round++) {
      const written = paths.map(path => service.send('PUT', path, values, OCTETS))
      for (const reply of await Promise.all(written)) expect(reply.status, reply.story).toBe(200)
      const read = paths.map(path => service.send('GET', path, undefined, OCTETS))
      for (const reply of await Promise.all(read)) expect(reply.bytes.equals(values), reply.story).toBe(true)
    }
    expect(await service.figure('hyperslab_connections')).toBeLessThanOrEqual(128)
    expect(await service.figure('hyperslab_idle_connections_closed_total')).toBeGreaterThan(800)
    expect(await service.figure('hyperslab_connections_refused_total')).toBe(0)
  })

  test('are busy: a new one is refused', async () => {
    const service = await serving(['--max-connections', '4'])
    const printed = logOf(service)
    const path = await service.dataset(64 << 20)
    const busy = Array.from({ length: 4 }, service.connect)
    for (const client of busy) client.send(read(path))
    await Promise.all(busy.map(({ socket }) => once(socket, 'readable')))
    const refused = await service.connect().answers()
    expect(refused.map(({ status }) => status)).toEqual([503])
    expect(refused[0]?.head).toMatch(/^retry-after: 1$/im)
    expect(JSON.parse(String(refused[0]?.body))).toMatchObject({ code: 'too-busy' })
    await Promise.all(busy.map(client => client.leave()))
    await vi.waitFor(async () => expect(await service.figure('hyperslab_connections')).toBe(1), {
      timeout: 60_000,
    })
    expect(await service.figure('hyperslab_connections_refused_total')).toBeGreaterThan(0)
    await vi.waitFor(() => expect(printed()).toContain('"code":"too-busy","address":"127.0.0.1"'))
  })
})

test('a connection without HTTP has a line in the log, a flood of them few', async () => {
  const service = await serving([])
  const printed = logOf(service)
  for (let i = 0; i < 30; i++) {
    const client = service.connect()
    client.send('\x16\x03\x01 nonsense\r\n')
    expect((await client.answers()).map(({ status }) => status)).toEqual([400])
  }
  await service.end('SIGTERM')
  const lines = printed()
    .split('\n')
    .filter(line => line.includes('refused'))
  expect(lines).toHaveLength(11)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ code: 'malformed-request', address: '127.0.0.1' })
  expect(JSON.parse(lines[10] ?? '')).toMatchObject({ refused: { 'malformed-request': 20 } })
})

test('a connection between two requests is kept for keep_alive_timeout', async () => {
  const [short, long] = [
    await serving(['--keep-alive-timeout', '1']),
    await serving(['--client-timeout', '1']),
  ]
  const [closing, kept] = [short.connect(), long.connect()]
  for (const client of [closing, kept]) {
    client.send(request('GET', '/about'))
    expect((await client.answer())?.status).toBe(200)
  }
  expect(await closing.answer()).toBeUndefined()
  kept.send(request('GET', '/about'))
  const answer = await kept.answer()
  expect(answer?.head).toMatch(/^keep-alive: timeout=620$/im)
})

describe('after SIGTERM', () => {
  /** Connections on which answers have begun that are not taken, with requests queued behind. */
  async function busyWith(
    service: Service,
    count: number,
  ): Promise<{ path: string; clients: RawConnection[] }> {
    const path = await service.dataset(32 << 20)
    const clients = Array.from({ length: count }, service.connect)
    for (const client of clients) client.send(read(path).repeat(20))
    await vi.waitFor(
      async () => {
        const waiting = await service.figure('hyperslab_requests_waiting')
        expect(clients.filter(({ socket }) => socket.readableLength > 0).length + waiting).toBe(count)
      },
      { timeout: 60_000 },
    )
    return { path, clients }
  }

  /** The output of the process, and its exit status. */
  async function end(service: Service): Promise<{ code: number; printed: () => string }> {
    const printed = logOf(service)
    const gone = once(service.process, 'exit')
    service.process.kill('SIGTERM')
    return { code: (await gone)[0] as number, printed }
  }

  test('it answers the current requests whole, none of those behind them, and ends in order', async () => {
    const service = await serving(['--shutdown-grace', '60'])
    const { clients } = await busyWith(service, 3)
    const ended = end(service)
    await pause(300)
    for (const client of clients) {
      const answers = await client.answers()
      expect(answers.map(({ status, body }) => [status, body.length])).toEqual([[200, 32 << 20]])
    }
    expect((await ended).code).toBe(0)
  })

  test('it answers the first request of a connection that was made just before', async () => {
    const service = await serving([])
    const client = service.connect()
    // Its connection comes later, so that of the client is accepted.
    await service.figure('hyperslab_requests_waiting')
    const ended = end(service)
    await pause(100)
    client.send(request('GET', '/about'))
    expect((await client.answers()).map(({ status }) => status)).toEqual([200])
    expect((await ended).code).toBe(0)
  })

  test('it does not wait for clients that have left', async () => {
    const service = await serving(['--shutdown-grace', '600'])
    const { path, clients } = await busyWith(service, 3)
    const upload = service.connect()
    upload.send(
      request('PUT', path, { ...AUTHORIZATION, 'Content-Type': OCTETS, 'Content-Length': '33554432' }),
      'x',
    )
    const ended = end(service)
    await pause(300)
    for (const client of [...clients, upload]) await client.leave()
    expect((await ended).code).toBe(0)
  })

  test('it cuts off requests that are not answered in the grace, and closes its data folder', async () => {
    const service = await serving(['--shutdown-grace', '1', '--max-request-memory', '16777216'])
    const { clients } = await busyWith(service, 10)
    const { code, printed } = await end(service)
    expect(code).toBe(1)
    expect(printed()).toMatch(/finishing 10 requests[\s\S]*not answered within 1 s and are cut off/)
    expect(printed()).not.toMatch(/could not be closed/)
    for (const client of clients) {
      expect((await client.answers()).filter(({ body }) => body.length === 32 << 20)).toEqual([])
    }
  })
})
