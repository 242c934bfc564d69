// Writes by the protocol of Zarr (common 31): documents make domains, groups, datasets and attributes, chunks are
// stored as they come, and what cannot be stored is refused by name. Real clients write in test/clients.

import { deflateSync, gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fields, type Method, type Options, type Reply, send, USER1, USER2 } from './client.ts'
import { type Domain, expectRefusal, makeHome, newDomain, newPath } from './hsds/domain.ts'

beforeAll(makeHome)

let domain: Domain

beforeEach(async () => {
  domain = await newDomain()
})

function ask(
  method: Method,
  format: 2 | 3,
  path: string,
  body?: unknown,
  options: Options = {},
): Promise<Reply> {
  return send(method, `/zarr/v${format}${domain.path}/${path}`, body, { user: USER1, ...options })
}

async function put(
  status: number,
  format: 2 | 3,
  path: string,
  body: unknown,
  options?: Options,
): Promise<Reply> {
  const reply = await ask('PUT', format, path, body, options)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

async function refuse(status: number, format: 2 | 3, path: string, body: unknown): Promise<string> {
  const reply = await ask('PUT', format, path, body)
  expectRefusal(reply, status)
  return reply.json<{ message: string }>().message
}

async function document(format: 2 | 3, path: string): Promise<Fields> {
  const reply = await ask('GET', format, path)
  expect(reply.status, reply.story).toBe(200)
  return reply.json()
}

async function bytesAt(format: 2 | 3, path: string): Promise<Buffer> {
  const reply = await ask('GET', format, path)
  expect(reply.status, reply.story).toBe(200)
  return reply.bytes
}

async function valuesIn(name: string): Promise<unknown> {
  const reply = await domain.send('GET', `/?h5path=/${name}`, undefined)
  const { id } = reply.json<{ id: string }>()
  const value = await domain.send('GET', `/datasets/${id}/value`, undefined)
  return value.json<{ value: unknown }>().value
}

const BYTES = { name: 'bytes', configuration: { endian: 'little' } }
const GZIP = { name: 'gzip', configuration: { level: 5 } }

function array3(shape: readonly number[], chunks: readonly number[], more: Fields = {}): Fields {
  return {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: 'int32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: chunks } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [BYTES],
    attributes: {},
    ...more,
  }
}

function array2(shape: readonly number[], chunks: readonly number[], more: Fields = {}): Fields {
  return {
    zarr_format: 2,
    shape,
    chunks,
    dtype: '<i4',
    compressor: null,
    fill_value: null,
    order: 'C',
    filters: null,
    ...more,
  }
}

const ints = (...numbers: readonly number[]) => Buffer.from(Int32Array.from(numbers).buffer)
const group3 = (attributes: Fields = {}) => ({ zarr_format: 3, node_type: 'group', attributes })

describe('documents', () => {
  test('of an array make it with the groups above it, and those of groups find them there', async () => {
    await put(201, 3, 'g/h/a/zarr.json', array3([4], [2], { attributes: { units: 'K' } }))
    await put(204, 3, 'g/h/zarr.json', group3({ title: 'h' }))
    await put(204, 3, 'zarr.json', group3({ title: 'root' }))
    expect(await document(3, 'zarr.json')).toMatchObject({
      attributes: { title: 'root' },
      consolidated_metadata: { metadata: { 'g/h': { attributes: { title: 'h' } }, 'g/h/a': { shape: [4] } } },
    })
    expect(await document(2, 'g/h/a/.zattrs')).toMatchObject({ units: 'K' })
  })

  test('make the domain: the first part of the path that is no folder', async () => {
    const path = newPath()
    const target = `/zarr/v3${path}/a/zarr.json`
    const created = await send('PUT', target, array3([2], [2]), { user: USER1 })
    expect(created.status, created.story).toBe(201)
    const home = await send('GET', `/?domain=${path}`, undefined, { user: USER1 })
    expect(home.json()).toMatchObject({ class: 'domain', owner: USER1 })
    const below = await send('PUT', `/zarr/v3${newPath()}/x/run.h5/zarr.json`, group3(), { user: USER1 })
    expectRefusal(below, 404)
    const removed = await send('DELETE', `/zarr/v3${path}`, undefined, { user: USER1 })
    expect(removed.status, removed.story).toBe(204)
    expect((await send('GET', target, undefined, { user: USER1 })).status).toBe(404)
  })

  test('of the same array change its extents, attributes and names; others replace it', async () => {
    await put(201, 3, 'a/zarr.json', array3([4], [2], { dimension_names: ['x'] }))
    await put(204, 3, 'a/c/0', ints(1, 2))
    await put(204, 3, 'a/zarr.json', array3([3], [2], { dimension_names: ['y'], attributes: { n: 1 } }))
    expect(await document(3, 'a/zarr.json')).toMatchObject({
      shape: [3],
      dimension_names: ['y'],
      attributes: { n: 1 },
    })
    expect(await valuesIn('a')).toEqual([1, 2, 0])
    await put(204, 3, 'a/zarr.json', array3([3], [3]))
    expect(await valuesIn('a')).toEqual([0, 0, 0])
  })

  test('of Zarr 2 may come in any order, and a fill value means missing data', async () => {
    await put(201, 2, 'a/.zattrs', { _ARRAY_DIMENSIONS: ['x'], units: 'm' })
    await put(204, 2, 'a/.zarray', array2([3], [2], { fill_value: -9 }))
    await put(204, 2, '.zmetadata', { zarr_consolidated_format: 1, metadata: {} })
    expect(await document(2, 'a/.zarray')).toMatchObject({ shape: [3], fill_value: -9 })
    expect(await document(2, 'a/.zattrs')).toEqual({ _ARRAY_DIMENSIONS: ['x'], units: 'm' })
    expect(await document(3, 'a/zarr.json')).toMatchObject({ attributes: { _FillValue: -9, units: 'm' } })
    expect(await valuesIn('a')).toEqual([-9, -9, -9])
  })

  test.each<[string, unknown]>([
    ['text', 'ä'],
    ['a boolean', true],
    ['an integer', -(2 ** 40)],
    ['a float', 0.1],
    ['strings', ['a', 'ü']],
    [
      'rows',
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ])('keep attributes: %s', async (_, value) => {
    await put(204, 3, 'zarr.json', group3({ value }))
    expect(await document(3, 'zarr.json')).toMatchObject({ attributes: { value } })
    await put(204, 3, 'zarr.json', group3())
    expect((await document(3, 'zarr.json')).attributes).toEqual({})
  })

  test.each<[string, unknown, unknown]>([
    ['NaN in bits', '0x7fc00001', 'NaN'],
    ['an infinity in bits', '0x7f800000', 'Infinity'],
    ['a number in bits', '0x3fc00000', 1.5],
    ['an infinity', '-Infinity', '-Infinity'],
  ])('keep fill values: %s', async (_, fill_value, shown) => {
    await put(201, 3, 'f/zarr.json', array3([2], [2], { data_type: 'float32', fill_value }))
    expect(await document(3, 'f/zarr.json')).toMatchObject({ fill_value: shown })
  })

  test('leave the types of attributes that they do not change', async () => {
    const body = { type: 'H5T_STD_U8LE', value: 7 }
    await domain.want(201, 'PUT', `/groups/${domain.root}/attributes/small`, body)
    await put(204, 3, 'zarr.json', group3({ small: 7, more: 1 }))
    const reply = await domain.send('GET', `/groups/${domain.root}/attributes/small`, undefined)
    expect(reply.json()).toMatchObject({ type: { base: 'H5T_STD_U8LE' } })
  })

  test.each<[string, string, unknown, string]>([
    ['an array as root', 'zarr.json', array3([2], [2]), 'root'],
    ['a codec', 'a/zarr.json', array3([2], [2], { codecs: [BYTES, { name: 'lzma' }] }), '"lzma"'],
    [
      'shards',
      'a/zarr.json',
      array3([2], [2], { codecs: [{ name: 'sharding_indexed' }] }),
      'sharding_indexed is not supported: create the array without shards',
    ],
    ['two codecs', 'a/zarr.json', array3([2], [2], { codecs: [BYTES, GZIP, { name: 'crc32c' }] }), 'crc32c'],
    ['a type', 'a/zarr.json', array3([2], [2], { data_type: 'r24' }), '"r24"'],
    ['a chunk shape of another rank', 'a/zarr.json', array3([2], [2, 2]), '[2, 2]'],
    ['a chunk shape of 0', 'a/zarr.json', array3([2], [0]), 'chunk_shape'],
    ['a huge chunk', 'a/zarr.json', array3([2], [2 ** 30]), 'too large'],
    ['a null attribute', 'zarr.json', group3({ nothing: null }), '"nothing"'],
    ['an object as attribute', 'zarr.json', group3({ deep: { a: 1 } }), '"deep"'],
    ['the other format', 'zarr.json', { zarr_format: 2, node_type: 'group' }, 'zarr_format'],
    ['no object', 'zarr.json', [1], 'object'],
    ['a name that readers cannot ask for', 'a%23b/zarr.json', group3(), '#'],
  ])('are refused for %s, and nothing is changed', async (_, path, body, named) => {
    const before = (await domain.send('GET', '/', undefined)).json<{ state: string }>().state
    const reply = await ask('PUT', 3, path, body)
    expect([400, 501]).toContain(reply.status)
    expect(reply.json<{ message: string }>().message).toContain(named)
    expect((await domain.send('GET', '/', undefined)).json<{ state: string }>().state).toBe(before)
  })
})

describe('chunks', () => {
  test('of each codec come back as readers with that codec expect them', async () => {
    const numbers = Array.from({ length: 1000 }, (_, i) => i % 7)
    const gzipped = gzipSync(ints(...numbers))
    await put(201, 3, 'g/zarr.json', array3([1000], [1000], { codecs: [BYTES, GZIP] }))
    await put(204, 3, 'g/c/0', gzipped)
    expect(await valuesIn('g')).toEqual(numbers)
    const { gunzipSync } = await import('node:zlib')
    expect(gunzipSync(await bytesAt(3, 'g/c/0'))).toEqual(ints(...numbers))

    const deflated = deflateSync(ints(...numbers), { level: 9 })
    await put(201, 2, 'z/.zarray', array2([1000], [1000], { compressor: { id: 'zlib', level: 1 } }))
    await put(204, 2, 'z/0', deflated)
    expect(await valuesIn('z')).toEqual(numbers)
    expect(await bytesAt(2, 'z/0')).toEqual(deflated)
    // Zarr 3 has no zlib: there they are frames of Blosc.
    expect(await document(3, 'z/zarr.json')).toMatchObject({ codecs: [{ name: 'bytes' }, { name: 'blosc' }] })
  })

  test('that others have written are encoded for a reader with the codec, whatever they hold', async () => {
    await put(201, 2, 'z/.zarray', array2([4], [4], { compressor: { id: 'zlib', level: 1 } }))
    const { id } = (await domain.send('GET', '/?h5path=/z', undefined)).json<{ id: string }>()
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [5, -6, 7, 8] })
    const { inflateSync } = await import('node:zlib')
    expect(inflateSync(await bytesAt(2, 'z/0'))).toEqual(ints(5, -6, 7, 8))
  })

  test('at the edge lose what is outside the extents', async () => {
    await put(201, 2, 'z/.zarray', array2([3, 3], [2, 2], { compressor: { id: 'zlib', level: 1 } }))
    await put(204, 2, 'z/1.1', deflateSync(ints(1, 99, 99, 99)))
    await put(204, 2, 'z/0.1', deflateSync(ints(2, 99, 3, 99)))
    await put(204, 2, 'z/.zarray', array2([4, 4], [2, 2], { compressor: { id: 'zlib', level: 1 } }))
    expect(await valuesIn('z')).toEqual([
      [0, 0, 2, 0],
      [0, 0, 3, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 0],
    ])
    await put(201, 3, 'p/zarr.json', array3([3, 3], [2, 2]))
    await put(204, 3, 'p/c/1/1', ints(1, 99, 99, 99))
    await put(204, 3, 'p/zarr.json', array3([4, 4], [2, 2]))
    expect(await valuesIn('p')).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 0],
    ])
  })

  test('of a scalar, of text, and of datasets that are frames of Blosc', async () => {
    await put(201, 3, 's/zarr.json', array3([], []))
    await put(204, 3, 's/c', ints(7))
    expect(await valuesIn('s')).toBe(7)
    const text = { data_type: 'string', fill_value: '', codecs: [{ name: 'vlen-utf8' }] }
    await put(201, 3, 't/zarr.json', array3([3], [2], text))
    const chunk = (...items: readonly string[]) =>
      Buffer.concat([
        ints(items.length),
        ...items.flatMap(item => [ints(Buffer.byteLength(item)), Buffer.from(item)]),
      ])
    await put(204, 3, 't/c/0', chunk('ä', ''))
    await put(204, 3, 't/c/1', chunk('end', 'outside'))
    expect(await valuesIn('t')).toEqual(['ä', '', 'end'])
    await domain.dataset({
      type: 'H5T_STD_I32LE',
      shape: [2],
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [2] }, filters: ['gzip'] },
      link: { id: domain.root, name: 'f' },
    })
    const head = Buffer.from([2, 1, 2 | 16, 1])
    await put(204, 3, 'f/c/0', Buffer.concat([head, ints(8, 8, 24), ints(3, 4)]))
    expect(await valuesIn('f')).toEqual([3, 4])
  })

  test('that are no chunks of their array are refused, and nothing is changed', async () => {
    await put(201, 2, 'z/.zarray', array2([4], [2], { compressor: { id: 'zlib', level: 1 } }))
    await put(201, 3, 'p/zarr.json', array3([4], [2]))
    expect(await refuse(400, 2, 'z/0', Buffer.from('no zlib'))).toContain('cannot decode')
    expect(await refuse(400, 2, 'z/0', deflateSync(ints(1)))).toContain('4 bytes instead of 8')
    expect(await refuse(400, 2, 'z/0', deflateSync(ints(1, 2, 3)))).toContain('8')
    expect(await refuse(400, 3, 'p/c/0', ints(1))).toContain('4 bytes instead of 8')
    expect(await refuse(404, 3, 'p/c/2', ints(1, 2))).toContain('[2]')
    expect(await refuse(404, 3, 'none/c/0', ints(1, 2))).toContain('none')
    expect(await valuesIn('z')).toEqual([0, 0, 0, 0])
    expect(await valuesIn('p')).toEqual([0, 0, 0, 0])
  })

  test('of strings of fixed length are refused, and so is text that claims more than it has', async () => {
    const FIXED = { class: 'H5T_STRING', length: 8, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' }
    const link = { id: domain.root, name: 'fixed' }
    await domain.dataset({ type: FIXED, shape: [2], value: ['ab', 'cd'], link })
    const chunk = Buffer.concat([ints(2, 1), Buffer.from('x'), ints(1), Buffer.from('y')])
    expect(await refuse(501, 3, 'fixed/c/0', chunk)).toContain('PUT of values')
    expect(await valuesIn('fixed')).toEqual(['ab', 'cd'])
    const text = { data_type: 'string', fill_value: '', codecs: [{ name: 'vlen-utf8' }] }
    await put(201, 3, 't/zarr.json', array3([2 ** 20], [2 ** 20], text))
    expect(await refuse(400, 3, 't/c/0', ints(2 ** 20))).toContain('ends before string')
  })

  test('come and go by the codec that the dataset declares, if its filters are others too', async () => {
    await domain.dataset({
      type: 'H5T_STD_I32LE',
      shape: [4],
      creationProperties: {
        layout: { class: 'H5D_CHUNKED', dims: [4] },
        filters: ['shuffle', 'gzip'],
        zarr: { codec: { id: 'zlib', level: 1 } },
      },
      link: { id: domain.root, name: 'm' },
    })
    await put(204, 2, 'm/0', deflateSync(ints(1, 2, 3, 4)))
    expect(await valuesIn('m')).toEqual([1, 2, 3, 4])
    const { inflateSync } = await import('node:zlib')
    expect(inflateSync(await bytesAt(2, 'm/0'))).toEqual(ints(1, 2, 3, 4))
  })

  test('have tags: of two writers with the same one, one succeeds', async () => {
    await put(201, 3, 'p/zarr.json', array3([2], [2]))
    await put(204, 3, 'p/c/0', ints(1, 2), { headers: { 'if-none-match': '*' } })
    const { etag } = (await ask('GET', 3, 'p/c/0')).headers
    expect(etag).toBeDefined()
    const writes = [3, 4].map(n => ask('PUT', 3, 'p/c/0', ints(n, n), { headers: { 'if-match': `${etag}` } }))
    expect((await Promise.all(writes)).map(({ status }) => status).sort()).toEqual([204, 412])
  })

  test('are deleted: their elements have the fill value', async () => {
    await put(201, 3, 'p/zarr.json', array3([3], [2], { fill_value: 5 }))
    await put(204, 3, 'p/c/0', ints(1, 2))
    expect((await ask('DELETE', 3, 'p/c/1')).status).toBe(404)
    expect((await ask('DELETE', 3, 'p/c/0')).status).toBe(204)
    expect(await valuesIn('p')).toEqual([5, 5, 5])
  })
})

test('a group lists its members by links, and a node is deleted by its document or its path', async () => {
  await put(201, 3, 'g/a/zarr.json', array3([2], [2]))
  const page = await ask('GET', 3, 'g/')
  expect(page.headers['content-type']).toContain('text/html')
  expect([...page.text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['zarr.json', 'a'])
  expect((await ask('DELETE', 3, 'g/a/zarr.json')).status).toBe(204)
  expect((await ask('GET', 3, 'g/a/zarr.json')).status).toBe(404)
  expect((await ask('DELETE', 3, 'g')).status).toBe(204)
  expect((await ask('DELETE', 3, 'g')).status).toBe(404)
})

test('mounted files, states and callers without permission are refused', async () => {
  await put(201, 3, 'p/zarr.json', array3([2], [2]))
  const { state } = (await domain.send('GET', '/', undefined)).json<{ state: string }>()
  const pinned = await send('PUT', `/zarr/v3/~${state}${domain.path}/p/c/0`, ints(1, 2), { user: USER1 })
  expectRefusal(pinned, 400)
  for (const path of ['p/c/0', 'p/zarr.json', 'zarr.json', 'q/zarr.json']) {
    const body = path === 'p/c/0' ? ints(1, 2) : path === 'zarr.json' ? group3({ a: 1 }) : array3([3], [2])
    expectRefusal(await ask('PUT', 3, path, body, { user: USER2 }), 403)
    expectRefusal(await ask('DELETE', 3, path, undefined, { user: USER2 }), 403)
  }
})
