// The list of the requests that are being answered, and their end (docs/guide/watching.md, "What runs now"): the
// callers that may use them, and what the list has of a request.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { basic, type Fields, type Method, type Options, sendTo } from '../wire/client.ts'
import { RawConnection, request } from '../wire/raw-connection.ts'

const PATH = '/running.h5'
const BYTES = 100
const ADMIN: Options = { user: 'admin' }

let server: ServedHere

beforeAll(async () => {
  server = await serveHere({ metrics: 'public' }, { users: ACCOUNTS })
  await want(201, 'PUT', `/?domain=${PATH}`, undefined, ADMIN)
})
afterAll(() => server.end())

async function want(status: number, method: Method, path: string, body?: unknown, options?: Options) {
  const reply = await sendTo(server.address, method, path, body, options)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

async function list(): Promise<readonly Fields[]> {
  return (await want(200, 'GET', '/requests', undefined, ADMIN)).json<{ requests: Fields[] }>().requests
}

/** Begins a request, and waits until the list has it in the state; it ends with the connection. */
async function begin(
  id: string,
  state: string,
  method: Method,
  target: string,
  body = '',
  length = body.length,
) {
  const connection = new RawConnection(server.address)
  const headers = {
    'X-Request-Id': id,
    Authorization: basic('admin'),
    ...(length > 0 && { 'Content-Length': String(length) }),
  }
  connection.send(request(method, target, headers) + body)
  await expect.poll(list).toContainEqual(expect.objectContaining({ id, state }))
  const found = (await list()).find(each => each.id === id)
  return { connection, found }
}

async function token(wanted: object): Promise<Options> {
  const body = { name: 'top', end: '2999-01-01', ...wanted }
  const made = (await want(201, 'POST', '/tokens', body, ADMIN)).json<{ token: string }>()
  return { headers: { authorization: `Bearer ${made.token}` } }
}

test('only administrators with rights for the whole service may list and end requests', async () => {
  for (const [method, path] of [
    ['GET', '/requests'],
    ['DELETE', '/requests/x'],
  ] as const) {
    await want(401, method, path)
    await want(403, method, path, undefined, { user: 'test_user1' })
    const inPart = await want(403, method, path, undefined, await token({ writes: true, within: PATH }))
    expect(inPart.json()).toMatchObject({ code: 'scope-exceeded' })
  }
  const reads = await token({})
  await want(200, 'GET', '/requests', undefined, reads)
  expect((await want(403, 'DELETE', '/requests/x', undefined, reads)).json()).toMatchObject({
    code: 'scope-exceeded',
  })
  const unknown = await want(404, 'DELETE', '/requests/x', undefined, await token({ writes: true }))
  expect(unknown.json()).toMatchObject({ code: 'request-not-found' })
})

test('a listener is listed, and ended by its id', async () => {
  const { connection, found } = await begin(
    'listener',
    'listening',
    'GET',
    `/events?domain=${PATH}&key=hidden`,
  )
  expect(found).toMatchObject({
    method: 'GET',
    operation: 'get-events',
    dialect: 'hsds',
    user: 'admin',
    callers: 'administrators',
    address: '127.0.0.1',
    domain: PATH,
    path: '/events',
    received: 0,
    since: expect.any(Number),
    seconds: expect.any(Number),
    sent: expect.any(Number),
  })
  expect(Number(found?.sent)).toBeGreaterThan(0)
  expect(JSON.stringify(found)).not.toContain('hidden')
  const reply = await want(200, 'DELETE', '/requests/listener', undefined, ADMIN)
  expect(reply.json()).toEqual({ ended: 1 })
  await connection.answers()
  await expect.poll(async () => (await list()).map(({ id }) => id)).not.toContain('listener')
  await want(404, 'DELETE', '/requests/listener', undefined, ADMIN)
})

test('a request whose body does not come is receiving, and nothing of it is done when it is ended', async () => {
  const target = '/?domain=/never.h5'
  const { connection, found } = await begin('slow', 'receiving', 'PUT', target, '{', BYTES)
  expect(found).toMatchObject({ operation: 'create-domain', received: 1, sent: 0, domain: '/never.h5' })
  await want(200, 'DELETE', '/requests/slow', undefined, ADMIN)
  expect(await connection.answers()).toEqual([])
  await want(404, 'GET', target, undefined, ADMIN)
})

test('a request by the address of a share has the id of the share and not its secret', async () => {
  const body = { domain: PATH, end: '2999-01-01' }
  const share = (await want(201, 'POST', '/shares', body, ADMIN)).json<{ id: string; address: string }>()
  const target = new URL(share.address, server.address).pathname.replace(/\/$/, '')
  const connection = new RawConnection(server.address)
  const headers = { 'X-Request-Id': 'shared' }
  connection.send(request('GET', `${target}/events?domain=${PATH}`, headers))
  const listening = { id: 'shared', state: 'listening', share: share.id, callers: 'anonymous' }
  await expect.poll(list).toContainEqual(expect.objectContaining(listening))
  expect(JSON.stringify(await list())).not.toContain(target.slice(3))
  await want(200, 'DELETE', '/requests/shared', undefined, ADMIN)
  await connection.answers()
})
