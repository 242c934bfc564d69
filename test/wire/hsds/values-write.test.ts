// Writing values in the hsds dialect: members of compounds, append, repeated elements, points, and what a body may be
// (hsds-values 1.2, 7, 10, 13.3 and 20).

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { basic, type Fields, send, USER1 } from '../client.ts'
import { type Domain, makeHome, newDomain, OCTETS } from './domain.ts'

const I32 = 'H5T_STD_I32LE'
const BINARY_BODY = { user: USER1, headers: { 'content-type': OCTETS } }
const TEXT = { class: 'H5T_STRING', charSet: 'H5T_CSET_UTF8', length: 'H5T_VARIABLE' }

beforeAll(makeHome)

function int32s(...numbers: number[]): Buffer {
  return Buffer.from(Int32Array.from(numbers).buffer)
}

function compound(...fields: [name: string, type: unknown][]): Fields {
  return { class: 'H5T_COMPOUND', fields: fields.map(([name, type]) => ({ name, type })) }
}

/** Five I32 members, x0 to x4. */
const FIVE = compound(...[0, 1, 2, 3, 4].map((i): [string, unknown] => [`x${i}`, I32]))

async function shapeOf(domain: Domain, id: string): Promise<unknown> {
  const { shape } = await domain.want<{ shape: Fields }>(200, 'GET', `/datasets/${id}/shape`)
  return shape.dims
}

describe('hsds-values 10: fields of a write', () => {
  async function five(shape: unknown = [3], creationProperties = {}) {
    const domain = await newDomain()
    const id = await domain.dataset({ type: FIVE, shape, creationProperties })
    return { domain, id, path: `/datasets/${id}/value` }
  }

  test('one by body, two not adjacent in another order by query, the others stay', async () => {
    const { domain, id, path } = await five()
    await domain.want(200, 'PUT', path, { fields: 'x2', value: [1, 2, 3] })
    await domain.want(200, 'PUT', path, { fields: ['x0'], value: [[4], [5], [6]] })
    await domain.want(200, 'PUT', `${path}?fields=x4:x1`, {
      value: [
        [7, 70],
        [8, 80],
        [9, 90],
      ],
    })
    expect(await domain.value(id)).toEqual([
      [4, 70, 1, 0, 7],
      [5, 80, 2, 0, 8],
      [6, 90, 3, 0, 9],
    ])
    await domain.want(200, 'PUT', `${path}?fields=x3:x2&select=[0:3:2]`, int32s(1, 2, 3, 4), BINARY_BODY)
    expect(await domain.value(id, '?fields=x2:x3')).toEqual([
      [2, 1],
      [2, 0],
      [4, 3],
    ])
  })

  test('on elements never written the other members have the fill value', async () => {
    const { domain, id, path } = await five([2], { fillValue: [1, 2, 3, 4, 5] })
    await domain.want(200, 'PUT', path, { select: '[1]', fields: 'x3', value: [-1] })
    expect(await domain.value(id)).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3, -1, 5],
    ])
  })

  test('with points, Base64, element_count and append', async () => {
    const { domain, id, path } = await five()
    const base64 = int32s(1, 2, 3, 4).toString('base64')
    await domain.want(200, 'PUT', path, { points: [2, 0], fields: 'x1:x0', value_base64: base64 })
    await domain.want(200, 'PUT', path, { fields: 'x4', value: [9], element_count: 1 })
    await domain.want(200, 'PUT', `${path}?fields=x3&element_count=1`, int32s(8), BINARY_BODY)
    expect(await domain.value(id)).toEqual([
      [4, 3, 0, 8, 9],
      [0, 0, 0, 8, 9],
      [2, 1, 0, 8, 9],
    ])
    const growing = await domain.dataset({ type: FIVE, shape: [0], maxdims: [0] })
    await domain.want(200, 'PUT', `/datasets/${growing}/value`, { append: 2, fields: 'x2', value: [5, 6] })
    expect(await domain.value(growing)).toEqual([
      [0, 0, 5, 0, 0],
      [0, 0, 6, 0, 0],
    ])
  })

  test('one member that is an array or a compound: bare or as a list of one', async () => {
    const domain = await newDomain()
    const type = compound(
      ['a', { class: 'H5T_ARRAY', base: I32, dims: [2] }],
      ['c', compound(['x', I32], ['y', TEXT])],
      ['t', TEXT],
    )
    const id = await domain.dataset({ type, shape: [2] })
    const path = `/datasets/${id}/value`
    await domain.want(200, 'PUT', path, {
      fields: 'a',
      value: [
        [1, 2],
        [3, 4],
      ],
    })
    await domain.want(200, 'PUT', path, { fields: 'c', value: [[[5, 'five']], [[6, 'six']]] })
    await domain.want(200, 'PUT', path, { fields: 't', value: ['ü', 'long text'], select: '[:]' })
    expect(await domain.value(id)).toEqual([
      [[1, 2], [5, 'five'], 'ü'],
      [[3, 4], [6, 'six'], 'long text'],
    ])
    await domain.want(200, 'PUT', path, { fields: 'a', value: [[[7, 8]], [[9, 10]]] })
    expect(await domain.value(id, '?fields=a')).toEqual([[[7, 8]], [[9, 10]]])
  })

  test.each<[string, Fields]>([
    ['an unknown member', { fields: 'x5', value: [1, 2, 3] }],
    [
      'a member twice',
      {
        fields: 'x1:x1',
        value: [
          [1, 1],
          [2, 2],
          [3, 3],
        ],
      },
    ],
    [
      'an empty name',
      {
        fields: 'x1:',
        value: [
          [1, 1],
          [2, 2],
          [3, 3],
        ],
      },
    ],
    ['no text and no list', { fields: 5, value: [1, 2, 3] }],
    [
      'rows that are too long',
      {
        fields: 'x1:x2',
        value: [
          [1, 1, 1],
          [2, 2, 2],
          [3, 3, 3],
        ],
      },
    ],
    ['rows that are too short', { fields: 'x1:x2', value: [[1], [2], [3]] }],
    ['too few rows', { fields: 'x1:x2', value: [[1, 1]] }],
    ['an object instead of a row', { fields: 'x1:x2', value: [{ x1: 1, x2: 2 }, {}, {}] }],
  ])('%s is 400, and nothing is changed', async (_, body) => {
    const { domain, id, path } = await five()
    await domain.refuse(400, 'PUT', path, body)
    expect(await domain.value(id)).toEqual(new Array(3).fill([0, 0, 0, 0, 0]))
  })

  test('of a type without members is 400', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [1] })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value?fields=x`, { value: [1] })
  })
})

describe('hsds-values 7.5: append', () => {
  async function growing(shape: unknown, maxdims: unknown = [0, 0], type: unknown = I32) {
    const domain = await newDomain()
    const id = await domain.dataset({ type, shape, maxdims })
    return { domain, id, path: `/datasets/${id}/value` }
  }
  const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i)

  test('the example of the contract: along dimension 1, then along 0', async () => {
    const { domain, id, path } = await growing([1, 0])
    expect(await domain.want(200, 'PUT', path, { value: numbers(10), append: 10, append_dim: 1 })).toEqual({})
    expect(await domain.value(id)).toEqual([numbers(10)])
    await domain.want(200, 'PUT', path, { value: numbers(10, 10), append: 1 })
    expect(await shapeOf(domain, id)).toEqual([2, 10])
    expect(await domain.value(id)).toEqual([numbers(10), numbers(10, 10)])
  })

  test.each([
    ['whole elements', '', (i: number) => [i, 7]],
    ['one field', '&fields=x1', (i: number) => [0, i]],
  ])('a long one during which another one ends first comes after it: %s', async (_, fields, row) => {
    const pair = compound(['x0', I32], ['x1', I32])
    const { domain, id, path } = await growing([0], [0], pair)
    const isWhole = fields === ''
    const count = (isWhole ? 3 : 6) * 2 ** 20
    const member = (i: number) => (isWhole ? (i % 2 === 0 ? i / 2 : 7) : i)
    const long = Buffer.from(Int32Array.from({ length: 6 * 2 ** 20 }, (_, i) => member(i)).buffer)
    const address = new URL(`${path}?append=${count}${fields}&domain=${domain.path}`, inject('address'))
    const headers = { 'content-type': OCTETS, 'content-length': long.length, authorization: basic(USER1) }
    const sending = request(address, { method: 'PUT', headers })
    const answered = once(sending, 'response')
    // Sockets do not hold that much: when it has left, the service is storing the elements.
    const most = 20 * 2 ** 20
    await new Promise(resolve => sending.write(long.subarray(0, most), resolve))
    await domain.want(200, 'PUT', `${path}?append=2`, int32s(-1, -2, -3, -4), BINARY_BODY)
    sending.end(long.subarray(most))
    const [answer] = (await answered) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(200)
    expect(await shapeOf(domain, id)).toEqual([count + 2])
    expect(await domain.value(id, '?select=[0:5]')).toEqual([[-1, -2], [-3, -4], row(0), row(1), row(2)])
    const last = [row(count - 2), row(count - 1)]
    expect(await domain.value(id, `?select=[${count}:${count + 2}]`)).toEqual(last)
  })

  test('binary by query, Base64, JSON by query; text of variable length', async () => {
    const { domain, id, path } = await growing([0], [0])
    await domain.want(200, 'PUT', `${path}?append=2`, int32s(1, 2), BINARY_BODY)
    await domain.want(200, 'PUT', path, { append: 1, value_base64: int32s(3).toString('base64') })
    await domain.want(200, 'PUT', `${path}?append=2&append_dim=0`, { value: [4, 5] })
    await domain.want(200, 'PUT', path, { append: 3, value: 6, element_count: 1 })
    expect(await domain.value(id)).toEqual([1, 2, 3, 4, 5, 6, 6, 6])
    const texts = await growing([0], [0], TEXT)
    await texts.domain.want(200, 'PUT', texts.path, { append: 2, value: ['a', 'ß'] })
    await texts.domain.want(200, 'PUT', texts.path, { append: 1, value: ['c'] })
    expect(await texts.domain.value(texts.id)).toEqual(['a', 'ß', 'c'])
  })

  test('megabytes', async () => {
    const { domain, id, path } = await growing([1], [0])
    // More than what is moved at once.
    const bytes = Buffer.from(Int32Array.from(numbers(3_000_000)).buffer)
    await domain.want(200, 'PUT', `${path}?append=3000000`, bytes, BINARY_BODY)
    expect(await shapeOf(domain, id)).toEqual([3_000_001])
    const reply = await domain.send('GET', `${path}?select=[1:3000001]`, undefined, {
      user: USER1,
      headers: { accept: OCTETS },
    })
    expect(Buffer.compare(reply.bytes, bytes)).toBe(0)
  })

  test.each<[number, string, string, Fields]>([
    [400, 'no elements', '', { append: 0, value: [] }],
    [400, 'a negative number', '', { append: -1, value: [1] }],
    [400, 'a fraction', '', { append: 1.5, value: [1, 2] }],
    [400, 'text', '', { append: 'one', value: [1, 2] }],
    [400, 'text in the query', '?append=one', { value: [1, 2] }],
    [400, 'true', '', { append: true, value: [1, 2] }],
    [400, 'a dimension that is not there', '', { append: 1, append_dim: 2, value: [1, 2] }],
    [400, 'a negative dimension', '', { append: 1, append_dim: -1, value: [1, 2] }],
    [400, 'too few values', '', { append: 2, value: [1, 2, 3] }],
    [400, 'too many values', '', { append: 1, value: [1, 2, 3] }],
    [400, 'with select', '?select=[0:1,:]', { append: 1, value: [1, 2] }],
    [400, 'with select in the body', '', { append: 1, select: '[0:1,:]', value: [1, 2] }],
    [400, 'with start', '', { append: 1, start: [0, 0], stop: [1, 2], value: [1, 2] }],
    [400, 'with points', '', { append: 1, points: [[0, 0]], value: [1, 2] }],
    [400, 'no value', '', { append: 1 }],
    [409, 'beyond the maximum', '', { append: 1, append_dim: 1, value: [1] }],
  ])('%i for %s, and the dataset is as it was', async (status, _, query, body) => {
    const { domain, id, path } = await growing([1, 2], [0, 2])
    await domain.refuse(status, 'PUT', path + query, body)
    expect(await domain.value(id)).toEqual([[0, 0]])
  })

  test('binary of the wrong length, fixed extents, scalars, null spaces and empty other extents are 400', async () => {
    const { domain, id, path } = await growing([1, 2], [0, 2])
    await domain.refuse(400, 'PUT', `${path}?append=1`, int32s(1), BINARY_BODY)
    await domain.refuse(400, 'PUT', `${path}?append=1`, int32s(1, 2, 3), BINARY_BODY)
    expect(await shapeOf(domain, id)).toEqual([1, 2])
    for (const body of [
      { type: I32, shape: [2] },
      { type: I32 },
      { type: I32, shape: 'H5S_NULL' },
      { type: I32, shape: [0, 0], maxdims: [0, 0] },
    ]) {
      const other = await domain.dataset(body)
      await domain.refuse(400, 'PUT', `/datasets/${other}/value`, { append: 1, value: [1] })
    }
  })

  test('sixteen at once stand one behind the other, none torn, none lost', async () => {
    const { domain, id, path } = await growing([0, 3], [0, 3])
    const writers = numbers(16, 1)
    await Promise.all(
      writers.map(i =>
        i % 2 === 0
          ? domain.want(200, 'PUT', path, { append: 1, value: [i, i, i] })
          : domain.want(200, 'PUT', `${path}?append=1`, int32s(i, i, i), BINARY_BODY),
      ),
    )
    const rows = (await domain.value(id)) as number[][]
    expect(rows.toSorted(([a], [b]) => a - b)).toEqual(writers.map(i => [i, i, i]))
  })
})

describe('hsds-values 7.6: element_count', () => {
  test.each<[number[], number, unknown, unknown]>([
    [[3], 1, [42], [42, 42, 42]],
    [[3], 1, 42, [42, 42, 42]],
    [
      [2, 3],
      3,
      [1, 2, 3],
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
    ],
    [
      [2, 3],
      6,
      [1, 2, 3, 4, 5, 6],
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    [
      [2, 2, 3],
      6,
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
      ],
    ],
  ])('%j by %i', async (shape, element_count, value, expected) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape })
    const path = `/datasets/${id}/value`
    await domain.want(200, 'PUT', `${path}?element_count=${element_count}`, { value })
    expect(await domain.value(id)).toEqual(expected)
    const other = await domain.dataset({ type: I32, shape })
    await domain.want(200, 'PUT', `/datasets/${other}/value`, { value, element_count })
    expect(await domain.value(other)).toEqual(expected)
    const third = await domain.dataset({ type: I32, shape })
    const flat = int32s(...[value].flat(3).map(Number))
    await domain.want(
      200,
      'PUT',
      `/datasets/${third}/value?element_count=${element_count}`,
      flat,
      BINARY_BODY,
    )
    expect(await domain.value(third)).toEqual(expected)
  })

  test('with select, steps, points and variable types', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: TEXT, shape: [3, 4] })
    const path = `/datasets/${id}/value`
    await domain.want(200, 'PUT', `${path}?select=[0:3:2,1:3]&element_count=2`, { value: ['a', 'b'] })
    await domain.want(200, 'PUT', path, {
      points: [
        [1, 1],
        [1, 3],
      ],
      element_count: 1,
      value: 'p',
    })
    expect(await domain.value(id)).toEqual([
      ['', 'a', 'b', ''],
      ['', 'p', '', 'p'],
      ['', 'a', 'b', ''],
    ])
  })

  test('a single element for as many as there are, at once', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [3000, 1000] })
    await domain.want(200, 'PUT', `/datasets/${id}/value?element_count=1`, Buffer.of(7), BINARY_BODY)
    expect(await domain.value(id, '?select=[2999,998:1000]')).toEqual([[7, 7]])
  })

  test.each<[string, Fields]>([
    ['4', { value: [1, 2, 3, 4], element_count: 4 }],
    ['0', { value: [], element_count: 0 }],
    ['-1', { value: [1], element_count: -1 }],
    ['a fraction', { value: [1], element_count: 1.5 }],
    ['text', { value: [1], element_count: 'one' }],
    ['more values than it says', { value: [1, 2, 3, 4, 5], element_count: 1 }],
    ['fewer values than it says', { value: [1, 2, 3], element_count: 5 }],
    ['Base64 of another length', { value_base64: int32s(1, 2).toString('base64'), element_count: 1 }],
  ])('[4,5] by %s is 400', async (_, body) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [4, 5] })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, body)
    expect(await domain.value(id)).toEqual(new Array(4).fill([0, 0, 0, 0, 0]))
  })
})

describe('hsds-values 1.2 and 7.2: what a body may be', () => {
  test.each<[number, string | undefined]>([
    [200, undefined],
    [200, 'application/json'],
    [200, 'application/json; charset=utf-8'],
    [400, 'text/plain'],
    [400, 'application/x-www-form-urlencoded'],
    [400, 'multipart/form-data; boundary=x'],
  ])('%i for JSON as %s', async (status, type) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32 })
    const options = type === undefined ? {} : { headers: { 'content-type': type } }
    const send = (body: unknown) => domain.send('PUT', `/datasets/${id}/value`, body, options)
    expect((await send({ value: 7 })).status).toBe(status)
    expect(await domain.value(id)).toBe(status === 200 ? 7 : 0)
  })

  test('a body of another length than the selection needs is refused before it is read', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [1000, 1000] })
    const path = `/datasets/${id}/value`
    await domain.refuse(400, 'PUT', path, Buffer.alloc(4_000_004), { ...BINARY_BODY, alone: true })
    await domain.refuse(400, 'PUT', path, Buffer.alloc(3_999_996), { ...BINARY_BODY, alone: true })
    await domain.want(200, 'PUT', path, Buffer.alloc(4_000_000, 1), BINARY_BODY)
  })

  test('a value of null is no value', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_IEEE_F64LE' })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value: null })
    const target = `/datasets/${id}/value?domain=${domain.path}`
    expect((await send('PUT', target, { value: null }, { user: USER1 })).story).toContain('must not be null')
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: null, value_base64: 'AAAAAAAA8D8=' })
    expect(await domain.value(id)).toBe(1)
  })

  test('nothing that is selected is 400', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [0], maxdims: [0] })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value: [] })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, Buffer.alloc(0), BINARY_BODY)
  })
})

describe('hsds-values 13.3: finding the elements in a value', () => {
  const PAIR = compound(['a', I32], ['b', TEXT])
  const SEQUENCE = { class: 'H5T_VLEN', base: I32 }
  const ARRAY = { class: 'H5T_ARRAY', base: I32, dims: [2, 2] }
  test.each<[string, unknown, unknown, unknown, unknown]>([
    ['a scalar, bare', I32, undefined, 42, 42],
    ['a scalar in a list', I32, undefined, [42], 42],
    ['a scalar in lists', I32, [1], [[42]], [42]],
    [
      'a flat list',
      I32,
      [2, 2],
      [1, 2, 3, 4],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['more nested than the selection', I32, [2], [[1], [2]], [1, 2]],
    ['a compound, bare', PAIR, undefined, [1, 'x'], [1, 'x']],
    ['a compound in a list', PAIR, undefined, [[1, 'x']], [1, 'x']],
    ['one compound of a list, bare', PAIR, [1], [1, 'x'], [[1, 'x']]],
    [
      'compounds in a flat list',
      PAIR,
      [2, 1],
      [
        [1, 'x'],
        [2, 'y'],
      ],
      [[[1, 'x']], [[2, 'y']]],
    ],
    ['compounds, nested', PAIR, [2, 1], [[[1, 'x']], [[2, 'y']]], [[[1, 'x']], [[2, 'y']]]],
    [
      'an array, bare',
      ARRAY,
      undefined,
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'an array in a list',
      ARRAY,
      [1],
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ],
    ['a sequence, bare', SEQUENCE, undefined, [1, 2, 3], [1, 2, 3]],
    ['a sequence in a list', SEQUENCE, undefined, [[1, 2, 3]], [1, 2, 3]],
    [
      'sequences in a flat list',
      SEQUENCE,
      [2, 2],
      [[1], [], [2, 3], []],
      [
        [[1], []],
        [[2, 3], []],
      ],
    ],
    [
      'sequences, nested',
      SEQUENCE,
      [2, 2],
      [
        [[], [1]],
        [[2], []],
      ],
      [
        [[], [1]],
        [[2], []],
      ],
    ],
  ])('%s', async (_, type, shape, value, expected) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type, ...(shape !== undefined && { shape }) })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
    const text = JSON.stringify(await domain.value(id))
    // An empty sequence may be shown as it was never written (13.4).
    expect([JSON.stringify(expected), JSON.stringify(expected).replaceAll('[]', '0')]).toContain(text)
  })
})

describe('hsds-values 7.4: points', () => {
  test('unsorted, by value and Base64; of a repeated one the last stays', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({
      type: I32,
      shape: [4, 4],
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [2, 2] } },
    })
    const path = `/datasets/${id}/value`
    await domain.want(200, 'PUT', path, {
      points: [
        [3, 3],
        [0, 0],
        [3, 3],
      ],
      value: [1, 2, 3],
    })
    const value_base64 = int32s(5, 6).toString('base64')
    await domain.want(200, 'PUT', path, {
      points: [
        [2, 0],
        [1, 2],
      ],
      value_base64,
    })
    expect(await domain.value(id)).toEqual([
      [2, 0, 0, 0],
      [0, 0, 6, 0],
      [5, 0, 0, 0],
      [0, 0, 0, 3],
    ])
  })

  test('of strings, over several chunks', async () => {
    const domain = await newDomain()
    const layout = { class: 'H5D_CHUNKED', dims: [3] }
    const id = await domain.dataset({ type: TEXT, shape: [9], creationProperties: { layout } })
    const path = `/datasets/${id}/value`
    await domain.want(200, 'PUT', path, { points: [8, 0, 4, 8], value: ['x', 'y', 'z', 'w'] })
    expect(await domain.value(id)).toEqual(['y', '', '', '', 'z', '', '', '', 'w'])
  })

  test.each<[string, Fields]>([
    ['out of bounds', { points: [[4, 0]], value: [1] }],
    ['of another rank', { points: [[1, 2, 3]], value: [1] }],
    ['of different ranks', { points: [[1, 2], [1]], value: [1, 2] }],
    ['not whole', { points: [[1.5, 2]], value: [1] }],
    ['negative', { points: [[-1, 2]], value: [1] }],
    ['fewer than values', { points: [[1, 2]], value: [1, 2] }],
    [
      'more than values',
      {
        points: [
          [1, 2],
          [2, 2],
        ],
        value: [1],
      },
    ],
    ['with start', { points: [[1, 2]], start: [0, 0], stop: [1, 1], value: [1] }],
    ['none at all', { points: [], value: [] }],
  ])('that are %s are 400', async (_, body) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [4, 4] })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, body)
    expect(await domain.value(id)).toEqual(new Array(4).fill([0, 0, 0, 0]))
  })
})

describe('what tells the elements of a write stands where it has an effect', () => {
  test.each(['start', 'stop', 'step', 'points', 'value'])('%s in the URL is 400', async name => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [2] })
    const path = `/datasets/${id}/value?${name}=1`
    for (const [body, options] of [
      [{ value: [1, 2] }, undefined],
      [int32s(1, 2), BINARY_BODY],
    ] as const) {
      const reply = await domain.send('PUT', path, body, options)
      expect(reply.status, reply.story).toBe(400)
      expect(reply.json().message).toBe(`${name} must be in the body of a write, not in the URL`)
    }
    const target = `/datasets/${id}/value?nonstrict=1`
    await domain.want(200, 'PUT', target, { value: [3, 4] }, { undeclared: true })
    expect(await domain.value(id)).toEqual([3, 4])
  })
})
