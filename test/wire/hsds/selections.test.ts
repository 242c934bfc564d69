// The selections of reads in the hsds dialect: ranges and lists of coordinates (hsds-values 9), members of compounds
// (hsds-values 10), the selection of a POST (hsds-values 8), `reduce_dim` (hsds-values 6), and regions (hsds-values
// 21).

import { beforeAll, describe, expect, test } from 'vitest'
import { USER1, USER2 } from '../client.ts'
import { type Domain, makeHome, newDomain, OCTETS } from './domain.ts'

const BINARY = { user: USER1, headers: { accept: OCTETS } }

beforeAll(makeHome)

/** Ten rows (i, 2i + 0.5, "r<i>"), named x, y:z and s. */
async function rows(domain: Domain): Promise<string> {
  const type = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'x', type: 'H5T_STD_I16LE' },
      { name: 'y:z', type: 'H5T_IEEE_F32BE' },
      { name: 's', type: { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', length: 3 } },
    ],
  }
  const id = await domain.dataset({ type, shape: [10] })
  const value = Array.from({ length: 10 }, (_, i) => [i, 2 * i + 0.5, `r${i}`])
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
  return id
}

describe('hsds-values 10: fields', () => {
  test('the members asked for, in that order; a list also for one', async () => {
    const domain = await newDomain()
    const id = await rows(domain)
    expect(await domain.value(id, '?fields=s:x&select=[2:4]')).toEqual([
      ['r2', 2],
      ['r3', 3],
    ])
    expect(await domain.value(id, '?fields=x&select=[::4]')).toEqual([[0], [4], [8]])
    expect(await domain.value(id, '?fields=&select=[1]')).toEqual([[1, 2.5, 'r1']])
  })

  test('binary: the packed members, with their length', async () => {
    const domain = await newDomain()
    const id = await rows(domain)
    const reply = await domain.send('GET', `/datasets/${id}/value?fields=s:x&select=[2:4]`, undefined, BINARY)
    expect(reply.headers['content-length'], reply.story).toBe('10')
    expect(reply.bytes.toString('hex')).toBe('723200020072330003' + '00')
    const body = { points: [9, 1], fields: ['y:z', 'x'] }
    const points = await domain.send('POST', `/datasets/${id}/value`, body, BINARY)
    expect(points.headers['content-length'], points.story).toBe('12')
    expect(points.bytes.toString('hex')).toBe('4194000009004020000001' + '00')
  })

  test('of points: as text or list, in the body or in the query', async () => {
    const domain = await newDomain()
    const id = await rows(domain)
    const read = async (query: string, body: object) =>
      (await domain.want(200, 'POST', `/datasets/${id}/value${query}`, body)).value
    expect(await read('', { points: [3, 1], fields: 'x' })).toEqual([[3], [1]])
    expect(await read('', { points: [3, 1], fields: ['y:z'] })).toEqual([[6.5], [2.5]])
    expect(await read('?fields=s', { points: [3, 1] })).toEqual([['r3'], ['r1']])
  })

  test('elements never written have the fill value of the members', async () => {
    const domain = await newDomain()
    const fields = ['a', 'b', 'c'].map(name => ({ name, type: 'H5T_STD_I32LE' }))
    const creationProperties = { fillValue: [1, 2, 3] }
    const id = await domain.dataset({
      type: { class: 'H5T_COMPOUND', fields },
      shape: [2, 1],
      creationProperties,
    })
    expect(await domain.value(id, '?fields=c:a')).toEqual([[[3, 1]], [[3, 1]]])
  })

  test('unknown, repeated and empty names, and types without members are 400', async () => {
    const domain = await newDomain()
    const id = await rows(domain)
    for (const fields of ['q', 'x:x', 'x:', ':', 'X', 'x,s', 'x:y:z']) {
      await domain.refuse(400, 'GET', `/datasets/${id}/value?fields=${fields}`)
      await domain.refuse(400, 'GET', `/datasets/${id}/value?fields=${fields}`, undefined, BINARY)
    }
    for (const fields of [5, [], ['x', 1], { x: 1 }]) {
      await domain.refuse(400, 'POST', `/datasets/${id}/value`, { points: [1], fields })
    }
    const plain = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [3] })
    await domain.refuse(400, 'GET', `/datasets/${plain}/value?fields=x`)
  })
})

/** 10 x 10 elements, i * j each. */
async function table(domain: Domain): Promise<string> {
  const layout = { class: 'H5D_CHUNKED', dims: [3, 4] }
  const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [10, 10], creationProperties: { layout } })
  const value = Array.from({ length: 10 }, (_, i) => Array.from({ length: 10 }, (_, j) => i * j))
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
  return id
}

/** Numbered elements. */
async function numbered(domain: Domain, ...shape: number[]): Promise<string> {
  const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape })
  const value = Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i)
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
  return id
}

describe('hsds-values 9: select', () => {
  test.each<[string, unknown]>([
    [
      '[1:3,[2,4,7]]',
      [
        [2, 4, 7],
        [4, 8, 14],
      ],
    ],
    [
      '[0:4,[7,4,2]]',
      [
        [0, 0, 0],
        [7, 4, 2],
        [14, 8, 4],
        [21, 12, 6],
      ],
    ],
    ['[[0,3,7],[6,4,2]]', [0, 12, 14]],
    ['[[0,1,3],[7,4,2]]', [0, 4, 6]],
    ['[3:4,[0,2,5]]', [[0, 6, 15]]],
    ['[ [9, 9,0] , 3 ]', [[27], [27], [0]]],
    ['[8:10:5,::9]', [[0, 72]]],
  ])('%s, raw and URL-encoded, in JSON and binary', async (select, value) => {
    const domain = await newDomain()
    const id = await table(domain)
    expect(await domain.value(id, `?select=${select.replaceAll(' ', '%20')}`)).toEqual(value)
    expect(await domain.value(id, `?select=${encodeURIComponent(select)}`)).toEqual(value)
    const bytes = await domain.send(
      'GET',
      `/datasets/${id}/value?select=${encodeURIComponent(select)}`,
      undefined,
      BINARY,
    )
    expect(numbersIn(bytes.bytes)).toEqual([value].flat(2))
  })

  test('a range between two lists: the lists are one dimension, at the place of the first', async () => {
    const domain = await newDomain()
    const id = await numbered(domain, 10, 4, 10)
    expect(await domain.value(id, '?select=[[1,2],0:4,[3,4]]')).toEqual([
      [43, 53, 63, 73],
      [84, 94, 104, 114],
    ])
    expect(await domain.value(id, '?select=[0:2,[3,0],[9,0]]')).toEqual([
      [39, 0],
      [79, 40],
    ])
  })

  test('writes: of a repeated coordinate the last value stays', async () => {
    const domain = await newDomain()
    const id = await numbered(domain, 2, 3)
    await domain.want(200, 'PUT', `/datasets/${id}/value?select=[0:2,[2,0,2]]`, {
      value: [-1, -2, -3, -4, -5, -6],
    })
    expect(await domain.value(id)).toEqual([
      [-2, 1, -3],
      [-5, 4, -6],
    ])
  })

  test('empty select and zero extents', async () => {
    const domain = await newDomain()
    const id = await numbered(domain, 2, 2)
    expect(await domain.value(id, '?select=')).toEqual([
      [0, 1],
      [2, 3],
    ])
    const empty = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [2, 0], maxdims: [2, 0] })
    expect(await domain.value(empty)).toEqual([[], []])
    expect(await domain.value(empty, '?select=[:,:]')).toEqual([[], []])
    await domain.refuse(400, 'GET', `/datasets/${empty}/value?select=[:,0:0]`)
  })

  test('a scalar is the bare value, as if of dims [1]', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE' })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: 7 })
    for (const select of ['[0]', '[0:1]', '[:]']) expect(await domain.value(id, `?select=${select}`)).toBe(7)
    for (const select of ['[1]', '[0:2]', '[0,0]']) {
      await domain.refuse(400, 'GET', `/datasets/${id}/value?select=${select}`)
    }
  })

  test.each([
    '2:8',
    'x0:2x',
    '[0:4',
    '[[0,1],[0,1,2]]',
    '[[0,10],0]',
    '[[],0]',
    '[[0,1]]',
    '[0:4,[1,2],3]',
    '[0:12,0:12]',
    '[0:4,]',
    '[..., 0]',
    '[-1,0]',
    '[+1,0]',
    '[1_0,0]',
    '[5:5,0]',
    '[0:5:0,0]',
    'ALL',
    '[:,:]]',
  ])('%s is 400 in JSON and binary', async select => {
    const domain = await newDomain()
    const id = await table(domain)
    const path = `/datasets/${id}/value?select=${encodeURIComponent(select)}`
    await domain.refuse(400, 'GET', path)
    await domain.refuse(400, 'GET', path, undefined, BINARY)
  })
})

const POINT_BYTES = { user: USER1, headers: { 'content-type': OCTETS } }

function uint64s(...numbers: (number | bigint)[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length)
  for (const [i, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), 8 * i)
  return bytes
}

describe('hsds-values 8: POST value', () => {
  test.each<[string, unknown, unknown]>([
    [
      'points in any order, repeated',
      {
        points: [
          [5, 2],
          [0, 0],
          [5, 2],
          [9, 9],
        ],
      },
      [10, 0, 10, 81],
    ],
    ['no points', { points: [] }, []],
    ['select as text', { select: '[3:4,[0,2,5]]' }, [[0, 6, 15]]],
    ['select as a list', { select: [3, [0, 2, 5]] }, [[0, 6, 15]]],
    [
      'select as a list with strings',
      { select: ['2:4', '::9'] },
      [
        [0, 18],
        [0, 27],
      ],
    ],
    [
      'start, stop and step',
      { start: [2, 0], stop: [4, 10], step: [1, 9] },
      [
        [0, 18],
        [0, 27],
      ],
    ],
    ['start and stop, step null', { start: [9, 8], stop: [10, 10], step: null }, [[72, 81]]],
  ])('%s, in JSON and binary', async (_title, body, value) => {
    const domain = await newDomain()
    const id = await table(domain)
    const reply = await domain.want<{ value: unknown; hrefs: object[] }>(
      200,
      'POST',
      `/datasets/${id}/value`,
      body,
    )
    expect(reply.value).toEqual(value)
    expect(reply.hrefs).toHaveLength(4)
    const bytes = await domain.send('POST', `/datasets/${id}/value`, body, BINARY)
    expect(bytes.headers['content-type'], bytes.story).toBe(OCTETS)
    expect(bytes.headers['content-length']).toBe(String(bytes.bytes.length))
    expect(numbersIn(bytes.bytes)).toEqual([value].flat(3))
  })

  test('select in the query', async () => {
    const domain = await newDomain()
    const id = await table(domain)
    const { value } = await domain.want(200, 'POST', `/datasets/${id}/value?select=[3,[0,2]]`, {})
    expect(value).toEqual([[0, 6]])
  })

  test('points as bytes, answered in JSON and binary', async () => {
    const domain = await newDomain()
    const id = await table(domain)
    const points = uint64s(5, 9, 9, 9, 0, 3)
    expect((await domain.want(200, 'POST', `/datasets/${id}/value`, points, POINT_BYTES)).value).toEqual([
      45, 81, 0,
    ])
    const both = { user: USER1, headers: { 'content-type': OCTETS, accept: OCTETS } }
    const reply = await domain.send('POST', `/datasets/${id}/value`, points, both)
    expect(numbersIn(reply.bytes), reply.story).toEqual([45, 81, 0])
    const none = await domain.want(200, 'POST', `/datasets/${id}/value`, Buffer.alloc(0), POINT_BYTES)
    expect(none.value).toEqual([])
  })

  test('rank 1: numbers, or arrays of one', async () => {
    const domain = await newDomain()
    const id = await numbered(domain, 10)
    const read = async (body: object) => (await domain.want(200, 'POST', `/datasets/${id}/value`, body)).value
    expect(await read({ points: [3, 5, 3] })).toEqual([3, 5, 3])
    expect(await read({ points: [[3], [5]] })).toEqual([3, 5])
    expect(await read({ select: [[0, 1, 3, 7]] })).toEqual([0, 1, 3, 7])
    expect(await read({ start: 2, stop: 10, step: 3 })).toEqual([2, 5, 8])
  })

  test.each<[string, unknown]>([
    ['no body', undefined],
    ['malformed JSON', '{"points": [[1,'],
    ['a list', []],
    ['neither points nor select', {}],
    ['null points', { points: null }],
    ['points and select', { points: [[1, 1]], select: '[0,0]' }],
    ['points and start', { points: [[1, 1]], start: [0, 0], stop: [1, 1] }],
    ['select and start', { select: '[0,0]', start: [0, 0], stop: [1, 1] }],
    ['a lone start', { start: [0, 0] }],
    ['a lone stop', { stop: [1, 1] }],
    ['an empty range', { start: [0, 0], stop: [0, 1] }],
    ['a scalar step for rank 2', { start: [0, 0], stop: [2, 2], step: 1 }],
    ['points that are no list', { points: 5 }],
    ['points of another rank', { points: [1, 2] }],
    ['ragged points', { points: [[1, 2], [3]] }],
    ['fractions', { points: [[1, 2.5]] }],
    ['booleans', { points: [[1, true]] }],
    ['texts', { points: [['1', 2]] }],
    ['negative coordinates', { points: [[1, -2]] }],
    ['out of bounds', { points: [[1, 10]] }],
    ['beyond 2^64', '{"points": [[1, 18446744073709551616]]}'],
    ['select out of bounds', { select: '[0:11,0]' }],
    ['select that is no selection', { select: 5 }],
    ['an empty select', { select: [] }],
    ['a select with null', { select: [null, 1] }],
  ])('%s is 400', async (_title, body) => {
    const domain = await newDomain()
    const id = await table(domain)
    await domain.refuse(400, 'POST', `/datasets/${id}/value`, body)
    await domain.refuse(400, 'POST', `/datasets/${id}/value`, body, BINARY)
  })

  test('bytes: of half a coordinate, half a point, out of bounds, with select: 400', async () => {
    const domain = await newDomain()
    const id = await table(domain)
    const path = `/datasets/${id}/value`
    for (const bytes of [Buffer.alloc(12), uint64s(1, 2, 3), uint64s(1, 10), uint64s(1, 2n ** 63n)]) {
      await domain.refuse(400, 'POST', path, bytes, POINT_BYTES)
    }
    await domain.refuse(400, 'POST', `${path}?select=[0,0]`, uint64s(1, 1), POINT_BYTES)
  })

  test('scalar and null datasets are 400', async () => {
    const domain = await newDomain()
    for (const shape of [undefined, 'H5S_NULL']) {
      const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape })
      for (const body of [{ points: [0] }, { points: [] }, { select: '[0]' }, { start: 0, stop: 1 }]) {
        await domain.refuse(400, 'POST', `/datasets/${id}/value`, body)
      }
    }
  })

  test('50000 points of many chunks come in their order', async () => {
    const domain = await newDomain()
    const layout = { class: 'H5D_CHUNKED', dims: [30, 30] }
    const body = { type: 'H5T_STD_I32LE', shape: [300, 300], creationProperties: { layout } }
    const id = await domain.dataset(body)
    const elements = Buffer.alloc(4 * 300 * 300)
    for (let i = 0; i < 300 * 300; i++) elements.writeInt32LE(i, 4 * i)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, elements, POINT_BYTES)
    const points = Array.from({ length: 50_000 }, (_, i) => [(i * 7919) % 300, (i * 104_729) % 300])
    const expected = points.map(([row = 0, column = 0]) => 300 * row + column)
    const reply = await domain.send('POST', `/datasets/${id}/value`, { points }, BINARY)
    expect(numbersIn(reply.bytes)).toEqual(expected)
    const both = { user: USER1, headers: { 'content-type': OCTETS, accept: OCTETS } }
    const again = await domain.send('POST', `/datasets/${id}/value`, uint64s(...points.flat()), both)
    expect(again.bytes.equals(reply.bytes)).toBe(true)
  })
})

describe('hsds-values 6: options of GET value', () => {
  test('reduce_dim drops dimensions of extent 1 of JSON results, but not the only one', async () => {
    const domain = await newDomain()
    const id = await table(domain)
    expect(await domain.value(id, '?select=[2,0:4]&reduce_dim=1')).toEqual([0, 2, 4, 6])
    expect(await domain.value(id, '?select=[2:4,3]&reduce_dim=true')).toEqual([6, 9])
    expect(await domain.value(id, '?select=[2,3]&reduce_dim=1')).toBe(6)
    expect(await domain.value(id, '?select=[2,3]&reduce_dim=0')).toEqual([[6]])
    expect(await domain.value(id, '?select=[2,3]&reduce_dim=false')).toEqual([[6]])
    const line = await numbered(domain, 1)
    expect(await domain.value(line, '?reduce_dim=1')).toEqual([0])
    const reply = await domain.send(
      'GET',
      `/datasets/${id}/value?select=[2,3]&reduce_dim=1`,
      undefined,
      BINARY,
    )
    expect(numbersIn(reply.bytes)).toEqual([6])
  })

  test('Limit has to be an integer; empty parameters and nonstrict mean nothing', async () => {
    const domain = await newDomain()
    const id = await numbered(domain, 3)
    for (const query of ['Limit=1', 'Limit=', 'query=', 'fields=', 'nonstrict=1', 'select=&reduce_dim=']) {
      const target = `/datasets/${id}/value?${query}`
      const { value } = await domain.want(200, 'GET', target, undefined, { undeclared: true })
      expect(value).toEqual([0, 1, 2])
    }
    for (const limit of ['abc', '1.5', '1e3']) {
      await domain.refuse(400, 'GET', `/datasets/${id}/value?Limit=${limit}`)
    }
  })

  test('POST with ignore_nan', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_IEEE_F64LE', shape: [2] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, '{"value": [NaN, 1]}')
    const { value } = await domain.want(200, 'POST', `/datasets/${id}/value?ignore_nan=1`, { points: [0, 1] })
    expect(value).toEqual([null, 1])
  })
})

describe('hsds-values 21: regionref', () => {
  const REGION = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }

  async function regions(domain: Domain) {
    const id = await table(domain)
    const reference = { id: id.slice(2) }
    const points = {
      ...reference,
      select_type: 'H5S_SEL_POINTS',
      selection: [
        [2, 3],
        [0, 1],
        [9, 9],
      ],
    }
    const block = {
      ...reference,
      select_type: 'H5S_SEL_HYPERSLABS',
      selection: [
        [
          [1, 2],
          [2, 4],
        ],
      ],
    }
    const blocks = {
      ...reference,
      select_type: 'H5S_SEL_HYPERSLABS',
      selection: [
        [
          [1, 2],
          [2, 3],
        ],
        [
          [9, 8],
          [9, 9],
        ],
      ],
    }
    return { id, points, block, blocks }
  }

  test('from an attribute: points are a flat list, one block keeps the rank, several are points', async () => {
    const domain = await newDomain()
    const { id, points, block, blocks } = await regions(domain)
    const owner = `/groups/${domain.root}/attributes/roi%2F1`
    await domain.want(201, 'PUT', owner, { type: REGION, shape: [4], value: [points, block, blocks, null] })
    const source = encodeURIComponent(`/groups/${domain.root}/attributes/roi/1`)
    const read = (select: string) => domain.value(id, `?regionref=${source}&select=${select}`)
    expect(await read('[0]')).toEqual([6, 0, 81])
    expect(await read('[1]')).toEqual([
      [2, 3, 4],
      [4, 6, 8],
    ])
    expect(await read('[2:3]')).toEqual([2, 3, 4, 6, 72, 81])
    const bytes = await domain.send(
      'GET',
      `/datasets/${id}/value?regionref=${source}&select=[0]`,
      undefined,
      BINARY,
    )
    expect(numbersIn(bytes.bytes), bytes.story).toEqual([6, 0, 81])
    const nothing = await domain.send('GET', `/datasets/${id}/value?regionref=${source}&select=[3]`)
    expect(nothing.status, nothing.story).toBe(204)
    expect(nothing.bytes).toHaveLength(0)
    for (const select of ['', '[0:2]', '[4]', '[0,0]']) {
      await domain.refuse(400, 'GET', `/datasets/${id}/value?regionref=${source}&select=${select}`)
    }
  })

  test('from a dataset', async () => {
    const domain = await newDomain()
    const { id, points, block } = await regions(domain)
    const source = await domain.dataset({ type: REGION, shape: [2, 2] })
    await domain.want(200, 'PUT', `/datasets/${source}/value`, {
      value: [
        [points, block],
        [null, points],
      ],
    })
    expect(await domain.value(id, `?regionref=/datasets/${source}&select=[1,1]`)).toEqual([6, 0, 81])
    const scalar = await domain.dataset({ type: REGION })
    await domain.want(200, 'PUT', `/datasets/${scalar}/value`, { value: block })
    expect(await domain.value(id, `?regionref=/datasets/${scalar}`)).toEqual([
      [2, 3, 4],
      [4, 6, 8],
    ])
  })

  test('another type, another rank, out of bounds, malformed: 400; what is not there: 404', async () => {
    const domain = await newDomain()
    const { id, points } = await regions(domain)
    const path = `/groups/${domain.root}/attributes`
    await domain.want(201, 'PUT', `${path}/roi`, { type: REGION, value: points })
    await domain.want(201, 'PUT', `${path}/number`, { type: 'H5T_STD_I32LE', value: 1 })
    const line = await numbered(domain, 10)
    const small = await numbered(domain, 3, 3)
    const refuse = (status: number, dataset: string, source: string) =>
      domain.refuse(status, 'GET', `/datasets/${dataset}/value?regionref=${source}`)
    await refuse(400, line, `${path}/roi`)
    await refuse(400, small, `${path}/roi`)
    await refuse(400, id, `${path}/number`)
    await refuse(400, id, `/datasets/${line}`)
    for (const source of [
      'roi',
      `/groups/${domain.root}`,
      `${path}/`,
      `/groups/x/attributes/roi`,
      '/datasets',
    ]) {
      await refuse(400, id, source)
    }
    await refuse(404, id, `${path}/nosuch`)
    await domain.refuse(400, 'POST', `/datasets/${id}/value?regionref=${path}/roi`, { points: [[1, 1]] })
  })

  test('PUT writes what the region selects; null selects nothing: 400', async () => {
    const domain = await newDomain()
    const { id, points, block } = await regions(domain)
    const source = `/datasets/${id}/attributes/roi`
    await domain.want(201, 'PUT', source, { type: REGION, shape: [3], value: [points, block, null] })
    const put = (select: string) => `/datasets/${id}/value?regionref=${source}&select=${select}`
    await domain.want(200, 'PUT', put('[0]'), { value: [-1, -2, -3] })
    expect(await domain.value(id, '?select=[[2,0,9],[3,1,9]]')).toEqual([-1, -2, -3])
    const bytes = Buffer.alloc(24, 0xff)
    await domain.want(200, 'PUT', put('[1]'), bytes, POINT_BYTES)
    expect(await domain.value(id, '?select=[0:4,2:5]')).toEqual([
      [0, 0, 0],
      [-1, -1, -1],
      [-1, -1, -1],
      [6, 9, 12],
    ])
    await domain.refuse(400, 'PUT', put('[2]'), { value: [1] })
    await domain.refuse(400, 'PUT', put('[0]'), { value: [1] })
    for (const more of [
      { points: [[0, 0]] },
      { start: [0, 0], stop: [1, 1] },
      { select: '[0,0]' },
      { append: 1 },
    ]) {
      await domain.refuse(400, 'PUT', put('[0]'), { value: [1], ...more })
    }
    await domain.refuse(400, 'GET', `${put('[0]')}&query=_%3E1`)
  })

  test('the source has to be open to the caller: a caller that may only update cannot follow it', async () => {
    const domain = await newDomain()
    const { id, points } = await regions(domain)
    const source = `/datasets/${id}/attributes/roi`
    await domain.want(201, 'PUT', source, { type: REGION, value: points })
    await domain.want(201, 'PUT', `/acls/${USER2}`, { update: true, read: false })
    const body = { value: [1, 2, 3] }
    await domain.want(200, 'PUT', `/datasets/${id}/value?select=[0,0:3]`, body, { user: USER2 })
    await domain.refuse(403, 'PUT', `/datasets/${id}/value?regionref=${source}`, body, { user: USER2 })
  })
})

function numbersIn(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(4 * i))
}
