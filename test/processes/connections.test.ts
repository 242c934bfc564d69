// Connections of a real server: more of them than it may have files open, and its end after a signal. What clients may
// do in time is in test/world.

import { once } from 'node:events'
import { cp, rm } from 'node:fs/promises'
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
    const printed = logOf(service)
    const ended = end(service)
    await expect.poll(printed, { timeout: 60_000 }).toContain('finishing 3 requests')
    for (const client of clients) {
      const answers = await client.answers()
      expect(answers.map(({ status, body }) => [status, body.length])).toEqual([[200, 32 << 20]])
    }
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
