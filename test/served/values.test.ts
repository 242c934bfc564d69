// Values that several services write and read in one store at the same time, each as a process: a write is seen wholly
// or not at all, writers of different selections both win, and a body that breaks off writes nothing. The projects
// `workers` and `nodes` run such tests of test/wire against several real processes.

import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServedHere, serveHere, sharedMemory } from '../fixtures/served.ts'
import { basic, type Fields, type Method, type Reply, sendTo, USER1 } from '../wire/client.ts'

const DOMAIN = '/processes.h5'
const OCTETS = 'application/octet-stream'
const I32 = 'H5T_STD_I32LE'

const open = sharedMemory()
/** Two services on the same store. */
let servers: ServedHere[]

beforeAll(async () => {
  const users = { [USER1]: { password: 'test', admin: true } }
  const first = await serveHere({}, { engine: open(), users })
  servers = [first, await serveHere({}, { engine: open() })]
  await want(0, 201, 'PUT', '/')
})
afterAll(async () => {
  expect(await servers[0].findings()).toEqual([])
  for (const server of servers) await server.end()
})

function send(server: number, method: Method, path: string, body?: unknown, headers = {}): Promise<Reply> {
  const own = { 'x-hdf-domain': DOMAIN, ...headers }
  return sendTo(servers[server % servers.length].address, method, path, body, { user: USER1, headers: own })
}

async function want(
  server: number,
  status: number,
  method: Method,
  path: string,
  body?: unknown,
  headers = {},
) {
  const reply = await send(server, method, path, body, headers)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

/**
 * A write that others get in the way of for 10 seconds is refused, as on a busy machine; nothing was written, so it is
 * sent again.
 */
async function put(server: number, path: string, body: Buffer): Promise<void> {
  const reply = await send(server, 'PUT', path, body, asBytes)
  if (reply.status === 503 && reply.json<{ code: string }>().code === 'storage-conflict') {
    return put(server, path, body)
  }
  expect(reply.status, reply.story).toBe(200)
}

async function dataset(body: Fields): Promise<string> {
  const { id } = (await want(0, 201, 'POST', '/datasets', body)).json<{ id: string }>()
  return `/datasets/${id}/value`
}

const asBytes = { 'content-type': OCTETS }
const chunked = (...dims: number[]) => ({ layout: { class: 'H5D_CHUNKED', dims } })
const numbersIn = ({ bytes }: Reply) => new Int32Array(new Uint8Array(bytes).buffer)

test('a write over many chunks is seen wholly or not at all, by both services', async () => {
  const path = await dataset({ type: I32, shape: [512, 512], creationProperties: chunked(64, 64) })
  const seen = [new Set<number>(), new Set<number>()]
  let last = 0
  let isOver = false
  const writing = (async () => {
    // Until each reader has read between two writes.
    for (let generation = 1; generation <= 8 || seen.some(({ size }) => size < 2); generation++) {
      await want(
        generation,
        200,
        'PUT',
        path,
        Buffer.from(new Int32Array(512 * 512).fill(generation).buffer),
        asBytes,
      )
      last = generation
    }
    isOver = true
  })()
  const reading = seen.map(async (generations, server) => {
    while (!isOver) {
      const before = last
      const numbers = numbersIn(await want(server, 200, 'GET', path, undefined, { accept: OCTETS }))
      expect(numbers.every(number => number === numbers[0])).toBe(true)
      expect(numbers[0]).toBeGreaterThanOrEqual(before)
      generations.add(numbers[0])
    }
  })
  await Promise.all([writing, ...reading])
})

test('appends from both services stand one behind the other, none torn, none lost', async () => {
  const path = await dataset({ type: I32, shape: [0, 3], maxdims: [0, 3], creationProperties: chunked(4, 3) })
  const numbers = Array.from({ length: 40 }, (_, i) => i + 1)
  await Promise.all(
    [0, 1].map(async server => {
      for (const number of numbers.filter(number => number % 2 === server)) {
        await want(server, 200, 'PUT', path, { append: 1, value: [number, number, number] })
      }
    }),
  )
  const rows = (await want(0, 200, 'GET', path)).json<{ value: number[][] }>().value
  expect(rows.toSorted(([a], [b]) => a - b)).toEqual(numbers.map(number => [number, number, number]))
})

test('writers of other elements and other members of the same chunk all win', async () => {
  const type = { class: 'H5T_COMPOUND', fields: ['a', 'b'].map(name => ({ name, type: I32 })) }
  const path = await dataset({ type, shape: [16], creationProperties: chunked(16) })
  await Promise.all(
    Array.from({ length: 32 }, (_, i) =>
      want(i, 200, 'PUT', path, { points: [i >> 1], fields: i % 4 < 2 ? 'a' : 'b', value: [i + 1] }),
    ),
  )
  // Even and odd writers of an element write the same member there; the last one has won.
  const { value } = (await want(1, 200, 'GET', path)).json<{ value: number[][] }>()
  value.forEach(([a, b], i) => {
    expect([2 * i + 1, 2 * i + 2]).toContain(i % 2 === 0 ? a : b)
    expect(i % 2 === 0 ? b : a).toBe(0)
  })
  await Promise.all([
    want(0, 200, 'PUT', path, { fields: 'a', value: new Array(16).fill(-1) }),
    want(1, 200, 'PUT', path, { fields: 'b', value: new Array(16).fill(-2) }),
  ])
  expect((await want(0, 200, 'GET', path)).json().value).toEqual(new Array(16).fill([-1, -2]))
})

test('a hundred in both services write rows of one chunk, and append: all win', async () => {
  const path = await dataset({ type: I32, shape: [100, 1024], creationProperties: chunked(100, 1024) })
  const log = await dataset({
    type: I32,
    shape: [0, 256],
    maxdims: [0, 256],
    creationProperties: {
      ...chunked(1024, 256),
      filters: [{ class: 'H5Z_FILTER_DEFLATE', id: 1, level: 4 }],
    },
  })
  const rows = Array.from({ length: 100 }, (_, i) => i)
  await Promise.all(
    rows.flatMap(i => [
      put(i, `${path}?select=[${i},:]`, Buffer.from(new Int32Array(1024).fill(i + 1).buffer)),
      put(i, `${log}?append=1`, Buffer.from(new Int32Array(256).fill(i + 1).buffer)),
    ]),
  )
  for (const [server, target, columns] of [
    [0, path, 1024],
    [1, log, 256],
  ] as const) {
    const numbers = numbersIn(await want(server, 200, 'GET', target, undefined, { accept: OCTETS }))
    const firsts = numbers.filter((_, i) => i % columns === 0)
    expect([...firsts].sort((a, b) => a - b)).toEqual(rows.map(i => i + 1))
    expect(numbers.every((number, i) => number === firsts[Math.floor(i / columns)])).toBe(true)
  }
})

test('sixteen streams into different chunks do not fail one another', async () => {
  const path = await dataset({ type: I32, shape: [16, 1_000_000], creationProperties: chunked(1, 1_000_000) })
  await Promise.all(
    Array.from({ length: 16 }, (_, i) => {
      const row = Buffer.from(new Int32Array(1_000_000).fill(i + 1).buffer)
      return want(i, 200, 'PUT', `${path}?select=[${i},:]`, row, asBytes)
    }),
  )
  const column = (await want(0, 200, 'GET', `${path}?select=[:,999999]`)).json<{ value: number[][] }>().value
  expect(column.flat()).toEqual(Array.from({ length: 16 }, (_, i) => i + 1))
})

test('sixteen streams into parts of one chunk all win', async () => {
  const path = await dataset({ type: I32, shape: [16, 200_000], creationProperties: chunked(16, 200_000) })
  await Promise.all(
    Array.from({ length: 16 }, (_, i) => {
      const row = Buffer.from(new Int32Array(200_000).fill(i + 1).buffer)
      return want(i, 200, 'PUT', `${path}?select=[${i},:]`, row, asBytes)
    }),
  )
  const column = (await want(0, 200, 'GET', `${path}?select=[:,199999]`)).json<{ value: number[][] }>().value
  expect(column.flat()).toEqual(Array.from({ length: 16 }, (_, i) => i + 1))
})

test.each([
  ['with a length', { 'content-length': 8_000_000 }],
  ['without a length', {}],
])('a stream that breaks off writes nothing: %s', async (_, headers) => {
  const path = await dataset({ type: I32, shape: [2, 1_000_000], creationProperties: chunked(1, 100_000) })
  const { hostname, port } = new URL(servers[0].address)
  const request = httpRequest({
    hostname,
    port,
    method: 'PUT',
    path,
    headers: { authorization: basic(USER1), 'x-hdf-domain': DOMAIN, ...asBytes, ...headers },
  })
  const failed = once(request, 'error')
  for (let i = 0; i < 5; i++) {
    if (!request.write(Buffer.alloc(1_000_000, 1))) await once(request, 'drain')
  }
  request.destroy(new Error('the client leaves'))
  await failed
  for (const server of [0, 1]) {
    const reply = await want(server, 200, 'GET', `${path}?select=[:,::100000]`)
    expect(
      reply
        .json<{ value: number[][] }>()
        .value.flat()
        .every(number => number === 0),
    ).toBe(true)
  }
})

test('a stream of unknown length is written; one with a byte too many or too few is refused', async () => {
  const path = await dataset({ type: I32, shape: [500_000] })
  const { hostname, port } = new URL(servers[1].address)
  const put = async (length: number): Promise<number> => {
    const request = httpRequest({
      hostname,
      port,
      method: 'PUT',
      path,
      headers: { authorization: basic(USER1), 'x-hdf-domain': DOMAIN, ...asBytes },
    })
    const answered = once(request, 'response')
    request.write(Buffer.alloc(1_000_000, 1))
    request.end(Buffer.alloc(length - 1_000_000, 1))
    const [response] = await answered
    response.resume()
    return response.statusCode
  }
  expect(await put(2_000_001)).toBe(400)
  expect(await put(1_999_999)).toBe(400)
  expect((await want(0, 200, 'GET', `${path}?select=[0]`)).json().value).toEqual([0])
  expect(await put(2_000_000)).toBe(200)
  expect((await want(0, 200, 'GET', `${path}?select=[499999]`)).json().value).toEqual([0x01010101])
})

test('what both services write and delete at the same time is counted once', async () => {
  const texts = {
    class: 'H5T_STRING',
    length: 'H5T_VARIABLE',
    charSet: 'H5T_CSET_UTF8',
    strPad: 'H5T_STR_NULLTERM',
  }
  const path = await dataset({ type: texts, shape: [2] })
  const counted = async (server: number) =>
    (await want(server, 200, 'GET', '/?verbose=1')).json<
      Record<'num_datasets' | 'num_chunks' | 'allocated_bytes', number>
    >()
  const before = await counted(0)
  const write = async (server: number): Promise<void> => {
    for (let round = 0; round < 20; round++) {
      const long = 'x'.repeat(round * (server + 1))
      await want(server, 200, 'PUT', path, { value: [long, ''] })
      const { id } = (await want(server, 201, 'POST', '/datasets', { type: I32, shape: [4] })).json<{
        id: string
      }>()
      await want(server + 1, 200, 'PUT', `/datasets/${id}/value`, { value: [1, 2, 3, 4] })
      if (round > 0) await want(server, 200, 'DELETE', `/datasets/${id}`)
    }
  }
  await Promise.all([0, 1, 0, 1].map(write))
  const { num_chunks, allocated_size } = (
    await want(0, 200, 'GET', `${path.replace('/value', '')}?verbose=1`)
  ).json<Record<'num_chunks' | 'allocated_size', number>>()
  expect(num_chunks).toBe(1)
  // Four datasets stay, of a chunk of 16 bytes each.
  for (const server of [0, 1]) {
    const after = await counted(server)
    expect(after.num_datasets - before.num_datasets).toBe(4)
    expect(after.num_chunks - before.num_chunks).toBe(5)
    expect(after.allocated_bytes - before.allocated_bytes).toBe(4 * 16 + allocated_size)
  }
})

test('a long attribute is replaced through both services: each reads one of them whole', async () => {
  const count = 200_000
  const { root } = (await want(0, 200, 'GET', '/')).json<{ root: string }>()
  const path = `/groups/${root}/attributes/numbers`
  const type = { type: I32, shape: [count] }
  const bytesOf = (value: number) => Buffer.from(new Int32Array(count).fill(value).buffer)
  await want(0, 201, 'PUT', path, { ...type, value: new Array(count).fill(0) })
  let isOver = false
  const reading = [0, 1].map(async server => {
    while (!isOver) {
      const read = await want(server, 200, 'GET', `${path}/value`, undefined, { accept: OCTETS })
      const numbers = numbersIn(read)
      expect(numbers.every(number => number === numbers[0])).toBe(true)
    }
  })
  for (let round = 0; round < 3; round++) {
    await Promise.all([1, 2, 3, 4].map(writer => put(writer, `${path}/value`, bytesOf(10 * round + writer))))
  }
  isOver = true
  await Promise.all(reading)
  const [last] = numbersIn(await want(0, 200, 'GET', `${path}/value`, undefined, { accept: OCTETS }))
  expect([21, 22, 23, 24]).toContain(last)
})

test('the value of an attribute may be longer than max_json_body, that of one in a batch may not', async () => {
  const server = await serveHere({ maxJsonBody: '100000' }, { engine: open() })
  try {
    const { root } = (await want(0, 200, 'GET', '/')).json<{ root: string }>()
    const attribute = { type: I32, shape: [200_000], value: new Array(200_000).fill(12345) }
    const sendLong = (path: string, body: unknown) =>
      sendTo(server.address, 'PUT', path, body, { user: USER1, headers: { 'x-hdf-domain': DOMAIN } })
    const path = `/groups/${root}/attributes`
    expect((await sendLong(`${path}/long`, attribute)).status).toBe(201)
    expect((await want(0, 200, 'GET', `${path}/long`)).json().value).toEqual(attribute.value)
    const refused = await sendLong(path, { attributes: { other: attribute } })
    expect([refused.status, refused.json().code]).toEqual([413, 'body-too-large'])
    const name = { ...attribute, type: { class: 'H5T_STRING', length: 1, note: 'x'.repeat(200_000) } }
    expect((await sendLong(`${path}/other`, name)).status).toBe(413)
  } finally {
    await server.end()
  }
})
