// The bound of the writes that one short request may cause: a value for a whole dataset is stored once, everything else
// is bounded by max_write_bytes, and a write ends when its client leaves or the service stops.

import { request as httpRequest } from 'node:http'
import type { Engine } from '@hyperslab/store/engines'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedHere, serveHere, sharedMemory, storedText } from '../fixtures/served.ts'
import { basic, type Reply, sendTo, USER1 } from '../wire/client.ts'

const DOMAIN = '/writes.h5'
const MIB = 2 ** 20

const open = sharedMemory()
let server: ServedHere
let stored: Engine

beforeAll(async () => {
  const users = { [USER1]: { password: 'test', admin: true } }
  const settings = { maxWriteBytes: `${64 * MIB}`, metrics: 'public' }
  server = await serveHere(settings, { engine: open(), users })
  stored = open()
  await want(201, 'PUT', '/')
})
afterAll(async () => {
  expect(await server.findings()).toEqual([])
  await server.end()
})

const own = { 'x-hdf-domain': DOMAIN }

async function want(
  status: number,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
): Promise<Reply> {
  const reply = await sendTo(server.address, method, path, body, { user: USER1, headers: own })
  expect(reply.status, reply.story).toBe(status)
  return reply
}

async function dataset(shape: readonly number[], maxdims = shape): Promise<string> {
  const { id } = (await want(201, 'POST', '/datasets', { type: 'H5T_STD_I32LE', shape, maxdims })).json<{
    id: string
  }>()
  return `/datasets/${id}`
}

/** Bytes of all records and values. */
async function storedBytes(): Promise<number> {
  return (await storedText(stored)).length
}

async function openTransactions(): Promise<number> {
  const { text } = await want(200, 'GET', '/metrics')
  return Number(/^hyperslab_store_transactions (\d+)/m.exec(text)?.[1])
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: 200_000 }).toBe(true)
}

test.each([
  ['10^12 elements', [1e12], [999_999_999_999]],
  ['as many as there can be', [2 ** 53 - 1], [2 ** 53 - 2]],
  ['of two dimensions', [1e7, 1e7], [9_999_999, 9_999_999]],
])('one value for all of %s takes no more than itself', async (_name, shape, last) => {
  const path = await dataset(shape)
  const before = await storedBytes()
  await want(200, 'PUT', `${path}/value`, { value: 7, element_count: 1 })
  expect((await storedBytes()) - before).toBeLessThan(MIB)
  const select = `[${last.map(index => `${index}:${index + 1}`)}]`
  const { value } = (await want(200, 'GET', `${path}/value?select=${select}`)).json()
  expect([value].flat(2)).toEqual([7])
})

const FAR_APART = Array.from({ length: 1000 }, (_, i) => i * 1e9)

test.each<[string, readonly number[], Record<string, unknown>]>([
  ['one value, a step apart', [1e12], { start: [0], stop: [1e12], step: [1e8], value: 1, element_count: 1 }],
  [
    'one value for nearly all',
    [2 ** 53 - 1],
    { start: [1], stop: [2 ** 53 - 1], value: 1, element_count: 1 },
  ],
  ['a pattern', [1e9, 4], { value: [1, 2, 3, 4], element_count: 4 }],
  ['points far apart', [1e12], { points: FAR_APART, value: FAR_APART.map(() => 1) }],
  ['a column', [1e6, 1e6], { start: [0, 5], stop: [1e6, 6], value: 1, element_count: 1 }],
])('beyond max_write_bytes nothing is stored: %s', async (_name, shape, body) => {
  const path = await dataset(shape)
  const before = await storedBytes()
  const refused = await want(413, 'PUT', `${path}/value`, body)
  expect(refused.json()).toMatchObject({ code: 'write-too-large' })
  expect(refused.text).toContain('max_write_bytes')
  expect((await storedBytes()) - before).toBeLessThan(MIB)
})

test('to grow costs nothing, and what has grown can be cut again', async () => {
  const path = await dataset([1], [0])
  const before = await storedBytes()
  await want(201, 'PUT', `${path}/shape`, { shape: [2 ** 53 - 1] })
  await want(200, 'PUT', `${path}/value`, { value: 3, element_count: 1 })
  expect((await storedBytes()) - before).toBeLessThan(MIB)
})

/** Begins to write values at a slow pace, and never ends. */
function uploadWithoutEnd(path: string): { leave: () => void } {
  const request = httpRequest(`${server.address}${path}/value`, {
    method: 'PUT',
    headers: { ...own, authorization: basic(USER1), 'content-type': 'application/octet-stream' },
  })
  request.on('error', () => {})
  const timer = setInterval(() => request.write(Buffer.alloc(MIB)), 10)
  return {
    leave() {
      clearInterval(timer)
      request.destroy()
    },
  }
}

test('a write whose client leaves ends, and what it has stored goes', async () => {
  const path = await dataset([15e6])
  const before = await storedBytes()
  const upload = uploadWithoutEnd(path)
  await until(async () => (await storedBytes()) - before > 8 * MIB)
  upload.leave()
  await until(async () => (await openTransactions()) === 0)
  await until(async () => (await storedBytes()) - before < MIB)
  expect((await want(200, 'GET', `${path}/value?select=[0:2]`)).json().value).toEqual([0, 0])
})

test('one that needs no more of its client ends too', async () => {
  const wide = await serveHere({ maxWriteBytes: `${2 ** 40}`, metrics: 'public' }, { engine: open() })
  const path = await dataset([1e11])
  const before = await storedBytes()
  // Half of each chunk: too much for a patch.
  const body = JSON.stringify({ start: [0], stop: [1e11], step: [2], value: 1, element_count: 1 })
  const request = httpRequest(`${wide.address}${path}/value`, {
    method: 'PUT',
    headers: { ...own, authorization: basic(USER1), 'content-type': 'application/json' },
  })
  request.on('error', () => {})
  request.end(body)
  await until(async () => (await storedBytes()) - before > 8 * MIB)
  request.destroy()
  await until(async () => (await storedBytes()) - before < MIB)
  await wide.end()
  expect((await storedBytes()) - before).toBeLessThan(MIB)
})
