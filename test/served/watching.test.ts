// The properties of a service that operators rely on: its log without secrets, figures for callers that may see them,
// and clients that do not send the head of a request.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { basic, type Fields, type Method, type Options, sendTo } from '../wire/client.ts'

const DOMAIN = { 'x-hdf-domain': '/watched.h5' }

let server: ServedHere

beforeAll(async () => {
  server = await serveHere({ logLevel: 'info' }, { users: ACCOUNTS })
  await want(201, 'PUT', '/', undefined, { user: 'admin', headers: DOMAIN })
})
afterAll(() => server.end())

async function want(status: number, method: Method, path: string, body?: unknown, options?: Options) {
  const reply = await sendTo(server.address, method, path, body, options)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

describe('the log', () => {
  test('has a line for each request, and no secret of it', async () => {
    const secrets = [
      'hunter2-wrong',
      'eyJhbGciOiJIUzI1NiJ9.secret',
      'key-in-query',
      'value-of-body',
      'cookie-crumb',
    ]
    const [password, token, key, value, cookie] = secrets
    await want(401, 'GET', '/', undefined, {
      headers: { ...DOMAIN, authorization: basic('admin', password) },
    })
    await want(401, 'GET', '/', undefined, { headers: { ...DOMAIN, authorization: `Bearer ${token}` } })
    await want(404, 'GET', `/groups/g-00000000-00000000-0000-000000-000001?api_key=${key}`, undefined, {
      user: 'admin',
      headers: { ...DOMAIN, cookie },
    })
    const other = { user: 'admin', headers: { 'x-hdf-domain': '/other.h5' } }
    await want(400, 'PUT', '/', { password: value }, { ...other, undeclared: true })
    await want(201, 'PUT', '/', {}, other)
    await want(200, 'DELETE', `/?domain=/other.h5&api_key=${key}`, undefined, {
      undeclared: true,
      user: 'admin',
      headers: { 'x-forwarded-for': '192.0.2.1' },
    })
    const headers = { ...DOMAIN, 'x-request-id': 'nightly-17' }
    const reply = await want(200, 'GET', '/', undefined, { user: 'admin', headers })
    expect(reply.headers['x-request-id']).toBe('nightly-17')
    // A line is written when its answer has been sent, which is a moment after it has been received.
    const lines = await vi.waitFor(
      () => {
        const written = server.log().split('\n').slice(0, -1)
        const found = written.flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as Fields] : []))
        expect(found).toContainEqual(expect.objectContaining({ id: 'nightly-17' }))
        return found
      },
      { timeout: 60_000 },
    )
    const line = lines.find(({ id }) => id === 'nightly-17')
    expect(line).toMatchObject({
      user: 'admin',
      address: '127.0.0.1',
      bucket: 'hyperslab',
      domain: '/watched.h5',
      operation: 'get-domain',
      dialect: 'hsds',
      method: 'GET',
      path: '/',
      status: 200,
      received: 0,
      sent: expect.any(Number),
      milliseconds: expect.any(Number),
    })
    const who = { user: 'admin', address: '127.0.0.1', forwardedFor: '192.0.2.1' }
    const deleted = lines.find(({ method, domain }) => method === 'DELETE' && domain === '/other.h5')
    expect(deleted).toMatchObject({ ...who, operation: 'delete-domain', status: 200 })
    expect(lines.filter(({ status }) => status === 401)).toMatchObject([{ tried: 'admin' }, {}])
    expect(lines.filter(({ msg }) => msg === 'answered').length).toBeGreaterThanOrEqual(6)
    for (const secret of [...secrets, basic('admin').slice(6)]) expect(server.log()).not.toContain(secret)
  })

  test('an id that is not short and plain is replaced', async () => {
    const id = `x${'y'.repeat(70)}`
    const reply = await want(200, 'GET', '/info', undefined, { headers: { 'x-request-id': id } })
    expect(reply.headers['x-request-id']).toMatch(/^[\w-]{5,30}$/)
  })
})

describe('figures', () => {
  test('are for administrators', async () => {
    await want(401, 'GET', '/metrics')
    await want(403, 'GET', '/metrics', undefined, { user: 'test_user1' })
    const { text, headers } = await want(200, 'GET', '/metrics', undefined, { user: 'admin' })
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(text).toMatch(/duration_seconds_count\{operation="create-domain",dialect="hsds",status="2xx"\} \d/)
    expect(text).toMatch(/^hyperslab_store_commits_total [1-9]/m)
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m)
    expect(text).not.toContain('watched')
    expect((await want(200, 'GET', '/info')).json()).not.toHaveProperty('memory')
    const info = (await want(200, 'GET', '/info', undefined, { user: 'admin' })).json<Fields>()
    expect(info).toMatchObject({
      memory: { rss: expect.any(Number) },
      req_count: { GET: expect.any(Number) },
    })
  })

  test('health and readiness are for anybody', async () => {
    await want(200, 'GET', '/health')
    await want(200, 'GET', '/ready')
    await want(200, 'HEAD', '/ready')
    const { text, headers } = await want(200, 'GET', '/status')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('<h1>The service is ready</h1>')
    expect(text).toMatch(/<th scope="row">Runs since<td>20\d\d-\d\d-\d\d \d\d:\d\d UTC/)
  })
})

describe('a client that is waited for too long', () => {
  let impatient: ServedHere

  beforeAll(async () => {
    impatient = await serveHere({ clientTimeout: '1' })
  })
  afterAll(() => impatient.end())

  function open(text: string): { socket: Socket; end: Promise<string> } {
    const socket = connect({ port: Number(new URL(impatient.address).port), host: '127.0.0.1' })
    let received = ''
    socket.on('data', piece => {
      received += piece
    })
    socket.on('error', () => {})
    socket.write(text)
    return { socket, end: once(socket, 'close').then(() => received) }
  }

  test('sends half a head: 408', async () => {
    expect(await open('GET /info HTTP/1.1\r\nHost: a\r\n').end).toMatch(/^HTTP\/1\.1 408 |^$/)
  })

  test('sends a head byte by byte: 408', async () => {
    const { socket, end } = open('GET /info HTTP/1.1\r\nX-Slow: ')
    const dripping = setInterval(() => socket.write('x'), 100)
    expect(await end).toMatch(/^HTTP\/1\.1 408 /)
    clearInterval(dripping)
  })
})
