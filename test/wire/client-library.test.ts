// The client for JavaScript (client/) against a server: what it writes and reads, pages, files, errors.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import {
  basic,
  bearer,
  type Domain,
  Hyperslab,
  RequestError,
  UnreachableError,
} from '../../packages/client/index.ts'
import { partsOf } from '../../packages/client/multipart.ts'
import { ADMIN, basic as header, USER1, uniqueName } from './client.ts'
import { makeHome, newPath } from './hsds/domain.ts'
import { BUCKET } from './server.ts'

let client: Hyperslab

beforeAll(async () => {
  await makeHome()
  client = new Hyperslab(inject('address'), { authorization: header(USER1) })
})

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

async function newDomain(): Promise<{ readonly domain: Domain; readonly root: string }> {
  const domain = client.domain(newPath())
  await domain.create()
  onTestFinished(async () => {
    await domain.delete()
  })
  const description = await domain.describe()
  if (!('root' in description)) throw new Error('a domain has a root group')
  return { domain, root: description.root }
}

async function newDataset(
  domain: Domain,
  type: unknown,
  shape: unknown,
  link?: object,
  by = client,
): Promise<string> {
  const body = { type, shape, ...(link && { link }) } as never
  const created = await by.request('POST /datasets', { domain: domain.path }, { body })
  if (!('id' in created)) throw new Error('one dataset has an id')
  return created.id
}

const F64 = 'H5T_IEEE_F64LE'
const TEXT = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}
const FIXED = { ...TEXT, length: 6, strPad: 'H5T_STR_NULLPAD' }
const BOOLEAN = { class: 'H5T_ENUM', base: 'H5T_STD_I8LE', mapping: { FALSE: 0, TRUE: 1 } }

describe('values', () => {
  // Type, what is written as JSON, what is read.
  test.each<[string, unknown, readonly unknown[], unknown]>([
    ['bytes', 'H5T_STD_I8LE', [-128, 127], Int8Array.of(-128, 127)],
    ['big-endian shorts', 'H5T_STD_U16BE', [1, 65_535], Uint16Array.of(1, 65_535)],
    ['integers', 'H5T_STD_I32BE', [-2, 2 ** 31 - 1], Int32Array.of(-2, 2 ** 31 - 1)],
    ['half floats', 'H5T_IEEE_F16LE', [0.5, -65_504, 2 ** -24], Float32Array.of(0.5, -65_504, 2 ** -24)],
    ['floats', 'H5T_IEEE_F32BE', [0.1, -1e30], Float32Array.of(0.1, -1e30)],
    ['doubles', F64, [0.1, 1e300], Float64Array.of(0.1, 1e300)],
    ['booleans', BOOLEAN, [true, false], [true, false]],
    [
      'an enum',
      { class: 'H5T_ENUM', base: 'H5T_STD_U16LE', mapping: { RED: 500 } },
      [500],
      Uint16Array.of(500),
    ],
    ['strings', TEXT, ['né', '', '😀'], ['né', '', '😀']],
    ['fixed strings', FIXED, ['né', '', 'abcdef'], ['né', '', 'abcdef']],
    ['opaque bytes', { class: 'H5T_OPAQUE', size: 2 }, ['AQI='], [Uint8Array.of(1, 2)]],
    [
      'sequences',
      { class: 'H5T_VLEN', base: 'H5T_STD_U16LE' },
      [[7, 8], [], [9]],
      [Uint16Array.of(7, 8), Uint16Array.of(), Uint16Array.of(9)],
    ],
    [
      'arrays',
      { class: 'H5T_ARRAY', base: 'H5T_STD_I16LE', dims: [2, 1] },
      [
        [[1], [2]],
        [[3], [4]],
      ],
      [Int16Array.of(1, 2), Int16Array.of(3, 4)],
    ],
    [
      'compounds with parts of variable size',
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'k', type: 'H5T_STD_I16BE' },
          { name: 'v', type: { class: 'H5T_ARRAY', base: TEXT, dims: [2] } },
          { name: 'ok', type: BOOLEAN },
        ],
      },
      [
        [1, ['a', 'bc'], true],
        [2, ['', ''], false],
      ],
      [
        [1, ['a', 'bc'], true],
        [2, ['', ''], false],
      ],
    ],
  ])('of %s are read as they were written', async (_, type, written, expected) => {
    const { domain } = await newDomain()
    const id = await newDataset(domain, type, [written.length])
    await domain.write(id, written)
    const dataset = await domain.dataset(id)
    const { shape, data } = await domain.read(dataset)
    expect(shape).toEqual([written.length])
    expect(data).toEqual(expected)
    expect(await domain.readSeveral([{ dataset }, { dataset }])).toEqual([
      { shape, data: expected },
      { shape, data: expected },
    ])
  })

  test('of several datasets are read, and written, in one request', async () => {
    const { domain } = await newDomain()
    const ids = await Promise.all(
      [[6], [2, 3], [0], [], 'H5S_NULL'].map(shape => newDataset(domain, 'H5T_STD_I32LE', shape)),
    )
    const [line = '', matrix = '', empty = '', scalar = '', none = ''] = ids
    const odd = new Uint8Array(Int32Array.of(7, 8).buffer)
    await domain.writeSeveral([
      { id: line, data: [1, 2, 3, 4, 5, 6] },
      { id: matrix, data: [[-1], [-2]], select: [undefined, { start: 1, stop: 2 }] },
      { id: line, data: odd, select: [{ start: 2, stop: 4 }] },
      { id: scalar, data: 9 },
    ])
    const [lines, matrices, empties, scalars, nones] = await Promise.all(
      [line, matrix, empty, scalar, none].map(id => domain.dataset(id)),
    )
    if (!lines || !matrices || !empties || !scalars || !nones) throw new Error('there are five datasets')
    expect(
      await domain.readSeveral([
        { dataset: nones },
        { dataset: lines },
        { dataset: empties },
        { dataset: lines, select: [{ start: 3, stop: 3 }] },
        { dataset: matrices, select: [1, { start: 1 }] },
        { dataset: scalars },
        { dataset: lines, select: [{ step: 5 }] },
      ]),
    ).toEqual([
      { shape: [], data: [] },
      { shape: [6], data: Int32Array.of(1, 2, 7, 8, 5, 6) },
      { shape: [0], data: new Int32Array(0) },
      { shape: [0], data: new Int32Array(0) },
      { shape: [1, 2], data: Int32Array.of(-2, 0) },
      { shape: [], data: Int32Array.of(9) },
      { shape: [2], data: Int32Array.of(1, 6) },
    ])
    const points = [
      [1, 1],
      [0, 0],
    ] as const
    expect(
      await domain.readSeveral([
        { dataset: matrices, points },
        { dataset: lines, points: [5, 0, 5] },
        { dataset: empties, points: [] },
      ]),
    ).toEqual([
      { shape: [2], data: Int32Array.of(-2, 0) },
      { shape: [3], data: Int32Array.of(6, 1, 6) },
      { shape: [0], data: new Int32Array(0) },
    ])
    expect(await domain.readSeveral([])).toEqual([])
    await domain.writeSeveral([])
    const large = new Uint8Array(Int32Array.from({ length: 30_000 }, (_, i) => i).buffer)
    const long = await domain.dataset(await newDataset(domain, 'H5T_STD_I32LE', [30_000]))
    await domain.writeSeveral([{ id: long.id, data: large }])
    const [read] = await domain.readSeveral([{ dataset: long }])
    expect(read?.data).toEqual(new Int32Array(large.buffer))
    const wrong = domain.writeSeveral([
      { id: line, data: [0, 0, 0, 0, 0, 0] },
      { id: scalar, data: 'x' },
    ])
    await expect(wrong).rejects.toThrow(/body\.values\[1\]/)
    expect((await domain.read(lines)).data).toEqual(Int32Array.of(1, 2, 7, 8, 5, 6))
  })

  test('of an answer that is cut off are an error', () => {
    const bytes = (text: string) => Uint8Array.from(Buffer.from(text))
    const type = 'multipart/mixed; boundary=b'
    const whole =
      '--b\r\nContent-Type: x\r\n\r\none\r\n--b\r\nContent-Type: y\r\nContent-Length: 8\r\n\r\n\r\n--b\r\n.\r\n--b--\r\n'
    expect(
      partsOf(type, bytes(whole)).map(part => [part.contentType, Buffer.from(part.bytes).toString()]),
    ).toEqual([
      ['x', 'one'],
      ['y', '\r\n--b\r\n.'],
    ])
    for (let length = 0; length < whole.length - 4; length++) {
      expect(() => partsOf(type, bytes(whole.slice(0, length))), String(length)).toThrow()
    }
    expect(() => partsOf('text/plain', bytes(whole))).toThrow('text/plain')
  })

  test('of 64 bits, NaN and infinities are exact', async () => {
    const { domain } = await newDomain()
    const id = await newDataset(domain, 'H5T_STD_U64BE', [2])
    await domain.write(id, Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255, 0, 32, 0, 0, 0, 0, 0, 1))
    const { data } = await domain.read(await domain.dataset(id))
    expect(data).toEqual(BigUint64Array.of(2n ** 64n - 1n, 2n ** 53n + 1n))
    const floats = await newDataset(domain, F64, [3])
    const odd = Float64Array.of(Number.NaN, Number.NEGATIVE_INFINITY, -0)
    await domain.write(floats, new Uint8Array(odd.buffer))
    expect((await domain.read(await domain.dataset(floats))).data).toEqual(odd)
  })

  test('of a selection have its shape, and reduced ones theirs', async () => {
    const { domain } = await newDomain()
    const id = await newDataset(domain, 'H5T_STD_I32LE', [4, 5])
    const rows = Array.from({ length: 4 }, (_, row) =>
      Array.from({ length: 5 }, (_, column) => 10 * row + column),
    )
    await domain.write(id, rows)
    const dataset = await domain.dataset(id)
    const read = async (options: Parameters<Domain['read']>[1]) => domain.read(dataset, options)
    expect(await read({ select: [2, undefined] })).toMatchObject({ shape: [1, 5] })
    expect(await read({ select: [1, { start: 1, step: 3 }] })).toEqual({
      shape: [1, 2],
      data: Int32Array.of(11, 14),
    })
    expect(await read({ select: [{ stop: 2 }, { start: 4 }] })).toEqual({
      shape: [2, 1],
      data: Int32Array.of(4, 14),
    })
    expect(await read({ reduce: 'mean:2,5' })).toEqual({ shape: [2, 1], data: Float64Array.of(7, 27) })
    expect(await read({ reduce: 'sum:4,5', select: [undefined, { stop: 1 }] })).toEqual({
      shape: [1, 1],
      data: BigInt64Array.of(60n),
    })
    expect(await domain.statistics(dataset, { select: [2, undefined], bins: 2 })).toMatchObject({
      count: 5,
      min: 20,
      max: 24,
      mean: 22,
      histogram: { min: 20, max: 24, counts: [2, 3] },
    })
    await domain.write(id, [[-1, -2]], { select: [3, { stop: 2 }] })
    expect((await read({ select: [3, undefined] })).data).toEqual(Int32Array.of(-1, -2, 32, 33, 34))
  })

  test('are read and written by path, with selections as text that count from the end', async () => {
    const { domain, root } = await newDomain()
    const id = await newDataset(domain, 'H5T_STD_I32LE', [4, 5])
    const target = { id: root, title: 'a b', domain: domain.path }
    await client.request('PUT /groups/{id}/links/{title}', target, { body: { id } as never })
    await domain.write('/a b', [[1, 2, 3]], { select: '-1, :-2' })
    const last = { shape: [1, 5], data: Int32Array.of(1, 2, 3, 0, 0) }
    expect(await domain.read('/a b', { select: '-1, :' })).toEqual(last)
    expect(await domain.read(await domain.dataset('/a b'), { select: [-1, undefined] })).toEqual(last)
    expect(await domain.read('/a b', { select: '-2:, 1' })).toEqual({
      shape: [2, 1],
      data: Int32Array.of(0, 2),
    })
    expect(await domain.readSeveral([{ dataset: await domain.dataset(id), select: '-1,-9:2' }])).toEqual([
      { shape: [1, 2], data: Int32Array.of(1, 2) },
    ])
    await domain.writeSeveral([{ id, data: [[9]], select: '-1,-1' }])
    expect(await domain.statistics({ id }, { select: '-1,-1', bins: 0 })).toMatchObject({ count: 1, max: 9 })
    await expect(domain.read('/a b', { select: '-5, :' })).rejects.toThrow(/index -5 .* extent is 4/)
    await expect(domain.read('/a b', { select: '1;2' })).rejects.toThrow(/must have an index or a range/)
    await expect(domain.dataset('/')).rejects.toThrow(/must be a dataset, not a group/)
    await expect(domain.dataset('/nowhere')).rejects.toMatchObject({ status: 404 })
    for await (const { title } of domain.links('/')) expect(title).toBe('a b')
    for await (const { name } of domain.attributes('datasets', '/a b')) expect(name).toBe('none')
  })

  test('of no elements, a scalar and a null dataspace', async () => {
    const { domain } = await newDomain()
    const none = await domain.dataset(await newDataset(domain, F64, [0, 3]))
    expect(await domain.read(none)).toEqual({ shape: [0, 3], data: new Float64Array(0) })
    const scalar = await newDataset(domain, F64, [])
    await domain.write(scalar, 2.5)
    expect(await domain.read(await domain.dataset(scalar))).toEqual({ shape: [], data: Float64Array.of(2.5) })
    const dataset = await domain.dataset(await newDataset(domain, F64, 'H5S_NULL'))
    expect(dataset.shape).toBeUndefined()
    expect(await domain.read(dataset)).toEqual({ shape: [], data: [] })
  })

  test('of references name objects', async () => {
    const { domain, root } = await newDomain()
    const type = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
    const id = await newDataset(domain, type, [2])
    await domain.write(id, [`groups/${root}`, ''])
    expect((await domain.read(await domain.dataset(id))).data).toEqual([`groups/${root}`, ''])
  })
})

test('objects are found by path, links and domains by pages', async () => {
  const { domain, root } = await newDomain()
  const titles = Array.from({ length: 7 }, (_, i) => `träger ${i}`)
  for (const name of titles) await newDataset(domain, F64, [1], { id: root, name })
  const links = await collect(domain.links(root, { pageSize: 3 }))
  expect(links.map(({ title }) => title)).toEqual(titles)
  const found = await domain.object('/träger 3')
  expect('id' in found && found.id).toBe('id' in links[3] && links[3].id)
  const folder = domain.path.slice(0, domain.path.lastIndexOf('/'))
  const name = domain.path.slice(folder.length + 1)
  const listed = await collect(client.folder(folder, { pageSize: 1, pattern: name }))
  expect(listed.map(each => each.name)).toEqual([domain.path])
})

test('paths come in several parts, each with what is there', async () => {
  const { domain, root } = await newDomain()
  const names = Array.from({ length: 1000 }, (_, i) => `a, "name" with a number ${i}`)
  await client.request(
    'PUT /groups/{id}/links',
    { id: root, domain: domain.path },
    {
      body: { links: Object.fromEntries(names.map(name => [name, { id: root }])) },
    },
  )
  const parts = await collect(domain.paths())
  const expected = ['/', ...names.map(name => `/${name}`).sort()]
  expect(parts.flat()).toEqual(expected.map(path => ({ path, kind: 'group', id: root })))
  expect(parts.length).toBeGreaterThan(1)
  const { domain: empty, root: only } = await newDomain()
  expect(await collect(empty.paths())).toEqual([[{ path: '/', kind: 'group', id: only }]])
})

test('attributes are read with their values, of any type and size', async () => {
  const { domain, root } = await newDomain()
  const many = Array.from({ length: 20_000 }, (_, i) => i / 8)
  const sequences = { class: 'H5T_VLEN', base: 'H5T_STD_I64LE' }
  const named = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 't', type: TEXT },
      { name: 'n', type: F64 },
    ],
  }
  // Type, shape, what is written, what is read.
  const attributes: readonly [string, unknown, readonly number[] | 'H5S_NULL', unknown, unknown][] = [
    ['a/b', TEXT, [], 'text', ['text']],
    [
      'compounds',
      named,
      [2, 1],
      [[['x', 1]], [['y', 2]]],
      [
        ['x', 1],
        ['y', 2],
      ],
    ],
    ['large', F64, [20_000], many, Float64Array.from(many)],
    ['long strings', TEXT, [200], Array(200).fill('t'), Array(200).fill('t')],
    ['n', 'H5T_STD_I64LE', [], 3, BigInt64Array.of(3n)],
    ['none', F64, 'H5S_NULL', undefined, []],
    ['sequences', sequences, [2], [[1, 2], []], [BigInt64Array.of(1n, 2n), BigInt64Array.of()]],
    ['unwritten', TEXT, [2], undefined, ['', '']],
    ['yes', BOOLEAN, [2], [true, false], [true, false]],
  ]
  for (const [name, type, shape, value] of attributes) {
    const parameters = { id: root, name, domain: domain.path }
    await client.request('PUT /groups/{id}/attributes/{name}', parameters, {
      body: { type, shape, value } as never,
    })
  }
  const found = await collect(domain.attributes('groups', root, { pageSize: 2 }))
  expect(found.map(({ name, shape, data }) => [name, shape ?? 'H5S_NULL', data])).toEqual(
    attributes.map(([name, , shape, , expected]) => [name, shape, expected]),
  )
})

test('a domain goes out as a file and comes in again', async () => {
  const { domain, root } = await newDomain()
  const id = await newDataset(domain, F64, [3], { id: root, name: 'x' })
  await domain.write(id, [1, 2, 3])
  const file = await (await domain.download()).blob()
  const copy = client.domain(newPath())
  onTestFinished(async () => {
    await copy.delete()
  })
  await copy.upload(file)
  await expect(copy.upload(file)).rejects.toMatchObject({ status: 409 })
  await copy.upload(file, { replace: true })
  const found = await copy.object('/x')
  if (!('id' in found)) throw new Error('the dataset is gone')
  expect((await copy.read(await copy.dataset(found.id))).data).toEqual(Float64Array.of(1, 2, 3))
})

describe('errors', () => {
  test('are none for a name and a password of any characters', () => {
    expect(basic('zoé', 'p:ß😀')).toBe(header('zoé', 'p:ß😀'))
  })

  test('have the status, the code and the message of the server', async () => {
    const failure = await client
      .domain(newPath())
      .describe()
      .catch((error: unknown) => error)
    if (!(failure instanceof RequestError)) throw failure
    expect(failure.status).toBe(404)
    expect(failure.message).toContain('/home/')
    const stranger = new Hyperslab(inject('address'), { authorization: () => bearer('nonsense') })
    await expect(stranger.domain('/home/x.h5').describe()).rejects.toMatchObject({ status: 401 })
  })

  async function serverThat(answer: (response: ServerResponse, count: number) => void): Promise<string> {
    let count = 0
    const server = createServer((request, response) => {
      request.resume()
      answer(response, ++count)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    // It listens on a port.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test('of a busy server are waited for, as often as it is allowed', async () => {
    const endpoint = await serverThat((response, count) => {
      if (count % 3 !== 0) response.writeHead(503, { 'retry-after': '0' }).end('{"message":"busy"}')
      else response.end('{"name":"x"}')
    })
    expect(await new Hyperslab(endpoint).request('GET /about', {})).toEqual({ name: 'x' })
    const impatient = new Hyperslab(endpoint, { retries: 1 })
    await expect(impatient.request('GET /about', {})).rejects.toThrow('busy')
  })

  test('of another program, and an answer that never comes', async () => {
    const endpoint = await serverThat((response, count) => {
      if (count === 1) response.writeHead(502).end('<h1>Bad gateway</h1>')
      else if (count === 2) response.writeHead(503, { 'retry-after': '60' }).end()
    })
    const other = new Hyperslab(endpoint)
    await expect(other.request('GET /about', {})).rejects.toThrow('GET /about: 502 Bad Gateway <h1>')
    const aborted = () => ({ signal: AbortSignal.timeout(200) })
    await expect(other.request('GET /about', {}, aborted())).rejects.toMatchObject({ name: 'TimeoutError' })
    await expect(other.request('GET /about', {}, aborted())).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})

test('the error of an address where no server is has the address', async () => {
  // Nothing listens on port 1.
  const nowhere = new Hyperslab('http://127.0.0.1:1')
  const error: unknown = await nowhere.request('GET /about', {}).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UnreachableError)
  expect(String(error)).toMatch(/http:\/\/127\.0\.0\.1:1 does not answer: .*/)
})

describe('objects behind external links', () => {
  // Only administrators create domains at the top level of a bucket.
  const admin = new Hyperslab(inject('address'), { authorization: header(ADMIN) })

  /** Two domains in one folder: `/here` of the first leads to the group `/g` of the second, which holds a dataset. */
  async function linked(bucket = '') {
    const newName = () => (bucket === '' ? newPath() : `${bucket}/${uniqueName()}`)
    const near = admin.domain(newName())
    const far = admin.domain(newName())
    for (const domain of [near, far]) {
      await domain.create()
      onTestFinished(async () => {
        await domain.delete()
      })
    }
    const root = async (domain: Domain) => (await domain.object('/')).id
    const farPath = far.path.slice(bucket.length)
    const put = async (domain: Domain, id: string, title: string, body: object) =>
      admin.request(
        'PUT /groups/{id}/links/{title}',
        { id, title, domain: domain.path },
        { body: body as never },
      )
    const link = { id: await root(far), name: 'g' }
    const group = await admin.request('POST /groups', { domain: far.path }, { body: { link } })
    if (!('id' in group)) throw new Error('one group has an id')
    const data = await newDataset(far, 'H5T_STD_I32LE', [3], { id: group.id, name: 'd' }, admin)
    await far.write(data, [1, 2, 3])
    const attribute = { body: { type: TEXT, value: 'm' } } as never
    await admin.request(
      'PUT /datasets/{id}/attributes/{name}',
      { id: data, name: 'unit', domain: far.path },
      attribute,
    )
    const nearRoot = await root(near)
    await put(near, nearRoot, 'here', { h5domain: farPath, h5path: '/g' })
    await put(near, nearRoot, 'lost', { h5domain: `${farPath}x`, h5path: '/g' })
    await put(far, group.id, 'again', { h5path: '/g/d' })
    return { near, far, group: group.id, data, nearRoot }
  }

  test.each([
    ['the default bucket', ''],
    ['another bucket', BUCKET],
  ])('are read in the domain that the answer names, in %s', async (_, bucket) => {
    const { near, far, group, data, nearRoot } = await linked(bucket)
    const found = await near.object('/here')
    expect(found).toMatchObject({ id: group, class: 'group' })
    expect([near.pathOf(group), near.pathOf(nearRoot)]).toEqual([far.path, near.path])
    const links = await collect(near.links(found.id))
    expect(links.map(({ title }) => title)).toEqual(['again', 'd'])
    // The group was behind the link; what it holds is in its domain too.
    const dataset = await near.dataset(data)
    expect((await near.read(dataset, { select: [{ start: 1 }] })).data).toEqual(Int32Array.of(2, 3))
    expect((await near.read(dataset, { reduce: 'sum:3' })).data).toEqual(BigInt64Array.of(6n))
    expect(await near.statistics(dataset)).toMatchObject({ count: 3, max: 3 })
    expect(await collect(near.attributes('datasets', data))).toMatchObject([{ name: 'unit', data: ['m'] }])
    await near.write(data, [7], { select: [0] })
    expect((await far.read(dataset)).data).toEqual(Int32Array.of(7, 2, 3))
    expect(await near.object('/here/again', { attributes: true })).toMatchObject({
      id: data,
      attributes: { unit: { value: 'm' } },
    })
  })

  test('come with one request for many paths, errors in their places', async () => {
    const { near, group, data, nearRoot } = await linked()
    let requests = 0
    const counting = new Hyperslab(inject('address'), {
      authorization: header(ADMIN),
      fetch: (...given) => {
        requests++
        return fetch(...given)
      },
    })
    const domain = counting.domain(near.path)
    const paths = ['/', '/lost', '/here', '/here/d', ...Array.from({ length: 400 }, (_, i) => `/none${i}`)]
    const found = await domain.objects(paths, { links: true })
    expect([requests, found.size]).toEqual([1, paths.length])
    expect(found.get('/')).toMatchObject({ id: nearRoot, links: { here: { h5path: '/g' }, lost: {} } })
    expect(found.get('/here')).toMatchObject({ id: group })
    expect(found.get('/here/d')).toMatchObject({ id: data })
    for (const path of ['/lost', '/none0', '/none399']) {
      const error = found.get(path)
      expect(error).toBeInstanceOf(RequestError)
      expect(error).toMatchObject({ status: 404 })
    }
    expect((await domain.read(await domain.dataset(data))).data).toEqual(Int32Array.of(1, 2, 3))
    expect((await domain.objects([])).size).toBe(0)
  })
})
