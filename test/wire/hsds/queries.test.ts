// Queries in the hsds dialect: what is found, in JSON and binary, where it is, and query-updates (hsds-values 11).

import { beforeAll, describe, expect, test } from 'vitest'
import { USER1, USER2 } from '../client.ts'
import { type Domain, makeHome, newDomain, OCTETS } from './domain.ts'

const BINARY = { user: USER1, headers: { accept: OCTETS } }
const I32 = 'H5T_STD_I32LE'

beforeAll(makeHome)

function text(length: number | 'H5T_VARIABLE') {
  return { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length }
}

const STOCKS = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'stock_symbol', type: text(4) },
    { name: 'date', type: text(8) },
    { name: 'open', type: I32 },
    { name: 'close', type: I32 },
  ],
}

const ROWS: readonly (readonly (string | number)[])[] = [
  ['EBAY', '20170102', 3023, 3088],
  ['AAPL', '20170102', 3054, 2933],
  ['AMZN', '20170102', 2973, 3011],
  ['EBAY', '20170103', 3042, 3128],
  ['AAPL', '20170103', 3182, 3034],
  ['AMZN', '20170103', 3021, 2788],
  ['EBAY', '20170104', 2798, 2876],
  ['AAPL', '20170104', 2834, 2867],
  ['AMZN', '20170104', 2891, 2978],
  ['EBAY', '20170105', 2973, 2962],
  ['AAPL', '20170105', 2934, 3010],
  ['AMZN', '20170105', 3018, 3086],
]

/** Chunks of 5 rows, and room to grow. */
async function stocks(domain: Domain): Promise<string> {
  const id = await domain.dataset({
    type: STOCKS,
    shape: [12],
    maxdims: [20],
    creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [5] } },
  })
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: ROWS })
  return id
}

interface Answer {
  readonly value: unknown[]
  readonly index?: number[]
  readonly indices?: number[][]
  readonly hrefs: { rel: string; href: string }[]
}

function query(expression: string, more = ''): string {
  return `?query=${encodeURIComponent(expression)}${more}`
}

const TABLE: [string, string, number[]][] = [
  ["stock_symbol == b'AAPL'", '', [1, 4, 7, 10]],
  ["stock_symbol == 'AAPL'", '', [1, 4, 7, 10]],
  ["stock_symbol == b'AAPL'", '&Limit=1', [1]],
  ["stock_symbol == b'AAPL'", '&Limit=0', [1, 4, 7, 10]],
  ["stock_symbol == b'AAPL'", '&Limit=-1', [1, 4, 7, 10]],
  ["stock_symbol == b'AAPL'", '&Limit=3', [1, 4, 7]],
  ["stock_symbol == b'AAPL'", '&select=[2:12]', [4, 7, 10]],
  ["stock_symbol == b'AAPL'", '&select=[1:12:3]', [1, 4, 7, 10]],
  ["stock_symbol == b'AAPL'", '&select=[2:12:2]', [4, 10]],
  ["stock_symbol == b'AAPL'", '&select=[2:12]&Limit=2', [4, 7]],
  ["stock_symbol == b'AAPL'", '&select=[[10,3,4,4]]', [10, 4, 4]],
  ['(open > 3000) & (open < 3100)', '', [0, 1, 3, 5, 11]],
  ['open > 3000 and OPEN < 3100'.replace('OPEN', 'open'), '', [0, 1, 3, 5, 11]],
  ["where stock_symbol in (b'AAPL', b'EBAY')", '', [0, 1, 3, 4, 6, 7, 9, 10]],
  ["open < 3000 where stock_symbol in (b'AAPL', b'EBAY')", '', [6, 7, 9, 10]],
  ["open < 3000 where stock_symbol in (b'AAPL', b'EBAY')", '&Limit=2', [6, 7]],
  ["stock_symbol NOT IN (AAPL, 'EBAY') AND NOT open <= 2973", '', [5, 11]],
  ["stock_symbol == 'AAPL' xor open > 3100", '', [1, 7, 10]],
  ['open == 0', '', []],
]

describe('hsds-values 11.4: GET value with a query', () => {
  test('JSON: the rows in order without index, and a list of indexes', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    for (const [expression, more, expected] of TABLE) {
      const target = `/datasets/${id}/value${query(expression, more)}`
      const { value, index, hrefs } = await domain.want<Answer>(200, 'GET', target)
      expect(index, `${expression} ${more}`).toEqual(expected)
      expect(value).toEqual(expected.map(row => ROWS[row]))
      expect(hrefs).toHaveLength(4)
    }
  })

  test('binary: the packed rows', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    for (const [expression, more, expected] of TABLE) {
      const reply = await domain.send(
        'GET',
        `/datasets/${id}/value${query(expression, more)}`,
        undefined,
        BINARY,
      )
      expect(reply.status, reply.story).toBe(200)
      expect(reply.headers['content-type']).toBe(OCTETS)
      expect(reply.bytes.toString('hex')).toBe(
        expected
          .map(row => {
            const [symbol, date, open, close] = ROWS[row]
            const numbers = Buffer.alloc(8)
            numbers.writeInt32LE(Number(open))
            numbers.writeInt32LE(Number(close), 4)
            return Buffer.from(`${symbol}${date}`).toString('hex') + numbers.toString('hex')
          })
          .join(''),
      )
    }
  })

  test('hsds-values 11.2: nested members and elements of arrays, stored or not', async () => {
    const domain = await newDomain()
    const point = { class: 'H5T_COMPOUND', fields: ['x', 'y'].map(name => ({ name, type: I32 })) }
    const type = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'name', type: text('H5T_VARIABLE') },
        { name: 'path', type: { class: 'H5T_ARRAY', base: point, dims: [2] } },
      ],
    }
    const rows = Array.from({ length: 6 }, (_, i) => [
      `N${i}`,
      [
        [i, 1],
        [2, -i],
      ],
    ])
    const id = await domain.dataset({ type, shape: [8], maxdims: [8] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: rows, start: [0], stop: [6] })
    const target = `/datasets/${id}/value${query("path[1].y < -1 AND name != 'N4'", '&fields=name')}`
    const { value, index } = await domain.want<Answer>(200, 'GET', target)
    expect([value, index]).toEqual([
      [['N2'], ['N3'], ['N5']],
      [2, 3, 5],
    ])
    // Names with blanks are in quotes, with all that they are nested in.
    const quoted = await domain.want<Answer>(200, 'GET', `/datasets/${id}/value${query('"path[1].y" < -4')}`)
    expect(quoted.index).toEqual([5])
    const empty = await domain.want<Answer>(200, 'GET', `/datasets/${id}/value${query('path[0].y == 0')}`)
    expect(empty.index).toEqual([6, 7])
    await domain.want(200, 'PUT', `/datasets/${id}/value${query('path[0].x >= 4')}`, { name: 'far' })
    const far = await domain.want<Answer>(200, 'GET', `/datasets/${id}/value${query("name == 'far'")}`)
    expect(far.index).toEqual([4, 5])
    for (const expression of ['path[2].x == 1', 'path.x == 1', 'path[0].z == 1', 'path[0] == 1'])
      await domain.refuse(400, 'GET', `/datasets/${id}/value${query(expression)}`)
  })

  test('fields are what is returned, not what may be tested', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    const target = `/datasets/${id}/value${query("stock_symbol == 'AAPL'", '&fields=close:open&Limit=2')}`
    const { value } = await domain.want<Answer>(200, 'GET', target)
    expect(value).toEqual([
      [2933, 3054],
      [3034, 3182],
    ])
    const one = `/datasets/${id}/value${query('open > 3100', '&fields=date')}`
    expect((await domain.want<Answer>(200, 'GET', one)).value).toEqual([['20170103']])
    const reply = await domain.send('GET', target, undefined, BINARY)
    expect(reply.bytes.toString('hex')).toBe('750b0000ee0b0000da0b00006e0c0000')
  })

  test.each([
    'foobar',
    'open @ 12',
    'gloop < blag',
    'x = 12',
    'open > 12; close < 40',
    "import os; print(os.environ['FOO'])",
    'i = 2',
    'closed > 3',
    "open == '3'",
    'stock_symbol == 3',
    'stock_symbol in ()',
    'where open > 3',
    'open + 1 > 3',
    '_ == 3',
    `${'('.repeat(1000)}`,
  ])('400 before any output, in JSON and binary: %s', async expression => {
    const domain = await newDomain()
    const id = await stocks(domain)
    const target = `/datasets/${id}/value${query(expression)}`
    await domain.refuse(400, 'GET', target)
    expect((await domain.send('GET', target, undefined, BINARY)).status).toBe(400)
    await domain.refuse(400, 'GET', target.replace('/value', '/query'))
    await domain.refuse(400, 'PUT', target, { open: 1 })
    expect(await domain.value(id)).toEqual(ROWS)
  })

  test('400: a Limit that is no number, what does not go together, scalars and null dataspaces', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    await domain.refuse(400, 'GET', `/datasets/${id}/value${query('open > 1', '&Limit=abc')}`)
    await domain.refuse(400, 'GET', `/datasets/${id}/value${query('open > 1', '&fields=nobody')}`)
    await domain.refuse(400, 'GET', `/datasets/${id}/value${query('open > 1', '&select=[0:13]')}`)
    await domain.refuse(400, 'GET', `/datasets/${id}/query`)
    for (const shape of ['H5S_SCALAR', 'H5S_NULL']) {
      const other = await domain.dataset({ type: I32, shape })
      await domain.refuse(400, 'GET', `/datasets/${other}/value${query('_ > 1')}`)
      await domain.refuse(400, 'GET', `/datasets/${other}/query${query('_ > 1')}`)
      await domain.refuse(400, 'PUT', `/datasets/${other}/value${query('_ > 1')}`, '3')
    }
  })

  test('an empty query is none', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    expect(await domain.value(id, '?query=')).toEqual(ROWS)
  })

  test('raw quotes, brackets and signs in the URL', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    const target = `/datasets/${id}/value?query=stock_symbol==b'AAPL'&select=[2:12]`
    expect((await domain.want<Answer>(200, 'GET', target)).index).toEqual([4, 7, 10])
  })

  test('any rank and type: a flat list in row-major order, no index; Limit across chunks', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({
      type: 'H5T_STD_I64BE',
      shape: [5, 7],
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [2, 3] } },
    })
    const value = Array.from({ length: 5 }, (_, i) => Array.from({ length: 7 }, (_, j) => (i * 7 + j) % 4))
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
    const all = value.flat().flatMap((number, at) => (number === 3 ? [at] : []))
    const asked = query('_ == 3')
    const answer = await domain.want<Answer>(200, 'GET', `/datasets/${id}/value${asked}`)
    expect(answer.value).toEqual(all.map(() => 3))
    expect(answer.index).toBeUndefined()
    for (let limit = 1; limit <= all.length; limit++) {
      const found = await domain.want<Answer>(200, 'GET', `/datasets/${id}/query${asked}&Limit=${limit}`)
      expect(found.indices).toEqual(all.slice(0, limit).map(at => [Math.floor(at / 7), at % 7]))
    }
    const part = await domain.want<Answer>(200, 'GET', `/datasets/${id}/query${asked}&select=[1:5:2,[6,0,2]]`)
    const searched = [1, 3].flatMap(i => [6, 0, 2].map(j => [i, j]))
    expect(part.indices).toEqual(searched.filter(([i, j]) => value[i][j] === 3))
  })

  test('never-written chunks are compared as the fill value; nothing beyond the extents', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({
      type: I32,
      shape: [12],
      maxdims: [20],
      creationProperties: { fillValue: 42, layout: { class: 'H5D_CHUNKED', dims: [5] } },
    })
    await domain.want(200, 'PUT', `/datasets/${id}/value?select=[6:8]`, { value: [1, 2] })
    const target = `/datasets/${id}/value${query('_ == 42')}`
    expect((await domain.want<Answer>(200, 'GET', target)).index).toEqual([0, 1, 2, 3, 4, 5, 8, 9, 10, 11])
  })

  test('variable-length rows are JSON only; 64-bit literals are exact', async () => {
    const domain = await newDomain()
    const type = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'id', type: 'H5T_STD_U64LE' },
        { name: 'wind speed', type: 'H5T_IEEE_F32LE' },
        { name: 'Größe', type: text('H5T_VARIABLE') },
      ],
    }
    const id = await domain.dataset({ type, shape: [3] })
    const value = '[[9007199254740993,0.1,"a"],[9007199254740992,0.5,"été"],[18446744073709551615,NaN,""]]'
    await domain.want(200, 'PUT', `/datasets/${id}/value`, `{"value":${value}}`)
    const indexOf = async (expression: string) =>
      (await domain.want<Answer>(200, 'GET', `/datasets/${id}/query${query(expression)}`)).index
    expect(await indexOf('id == 9007199254740993')).toEqual([0])
    expect(await indexOf('18446744073709551615 <= id')).toEqual([2])
    expect(await indexOf('wind speed == 0.1')).toEqual([0])
    expect(await indexOf('"wind speed" != 0.1')).toEqual([1, 2])
    expect(await indexOf("Größe IN ('été', '')")).toEqual([1, 2])
    const reply = await domain.send('GET', `/datasets/${id}/value${query("Größe > 'a'")}`, undefined, BINARY)
    expect(reply.headers['content-type'], reply.story).not.toBe(OCTETS)
    expect(reply.json<Answer>().value).toEqual([[9007199254740992, 0.5, 'été']])
  })

  // Beyond 65,536 hits the service searches a second time for the list of indexes.
  test.each([65_536, 65_537, 0])(
    'many hits come as one list, and so do their indexes: Limit %d',
    async limit => {
      const domain = await newDomain()
      const id = await domain.dataset({ type: I32, shape: [100_000] })
      const value = Array.from({ length: 100_000 }, (_, i) => i % 10)
      await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
      const asked = query('_ < 9', `&select=[5:100000]&Limit=${limit}`)
      const hits = value.flatMap((number, i) => (i >= 5 && number < 9 ? [i] : []))
      const expected = limit === 0 ? hits : hits.slice(0, limit)
      const found = await domain.want<Answer>(200, 'GET', `/datasets/${id}/value${asked}`)
      expect(found.value).toEqual(expected.map(i => i % 10))
      expect(found.index).toEqual(expected)
      const places = await domain.want<Answer>(200, 'GET', `/datasets/${id}/query${asked}`)
      expect(places.indices).toEqual(expected.map(i => [i]))
      expect(places.index).toEqual(expected)
      const changed = await domain.want<Answer>(200, 'PUT', `/datasets/${id}/value${asked}`, { value: 8 })
      expect(changed.index).toEqual(expected)
    },
  )
})

describe('hsds-values 11.6: GET query', () => {
  test('indices, and index for rank 1; the self href is the path; binary is int64', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    const target = `/datasets/${id}/query${query("stock_symbol == 'AAPL'", '&Limit=2')}`
    const answer = await domain.want<Answer>(200, 'GET', target)
    expect(answer.indices).toEqual([[1], [4]])
    expect(answer.index).toEqual([1, 4])
    expect(answer.hrefs.find(({ rel }) => rel === 'self')?.href).toContain(`/datasets/${id}/query`)
    const reply = await domain.send('GET', target, undefined, BINARY)
    expect(reply.headers['content-type'], reply.story).toBe(OCTETS)
    expect(reply.bytes.toString('hex')).toBe('01000000000000000400000000000000')
    const none = await domain.send('GET', `/datasets/${id}/query${query('open == 0')}`, undefined, BINARY)
    expect(none.status).toBe(200)
    expect(none.bytes).toHaveLength(0)
  })
})

describe('hsds-values 11.5: PUT value with a query', () => {
  test('only the fields change, of the elements found; the answer tells which', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    const target = `/datasets/${id}/value${query("stock_symbol == b'AAPL'")}`
    const answer = await domain.want<Answer>(200, 'PUT', target, { open: 999 })
    expect(answer.indices).toEqual([[1], [4], [7], [10]])
    expect(answer.index).toEqual([1, 4, 7, 10])
    expect(await domain.value(id)).toEqual(
      ROWS.map(([symbol, date, open, close]) => [symbol, date, symbol === 'AAPL' ? 999 : open, close]),
    )
  })

  test('more elements than can be held until the change is made are refused, and the message names Limit', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [2 ** 25] })
    await domain.refuse(413, 'PUT', `/datasets/${id}/value${query('_ < 9')}`, '5')
    await domain.want(200, 'PUT', `/datasets/${id}/value${query('_ < 9', '&Limit=3')}`, '5')
    expect(await domain.value(id, '?select=[0:5]')).toEqual([5, 5, 5, 0, 0])
  })

  test('Limit, select, several fields in any order, null', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    const target = `/datasets/${id}/value${query("stock_symbol == 'AAPL'", '&Limit=2&select=[2:12]')}`
    const answer = await domain.want<Answer>(200, 'PUT', target, {
      close: -1,
      stock_symbol: 'ABCDE',
      date: null,
    })
    expect(answer.indices).toEqual([[4], [7]])
    const expected = ROWS.map((row, i) => (i === 4 || i === 7 ? ['ABCD', row[1], row[2], -1] : row))
    expect(await domain.value(id)).toEqual(expected)
  })

  test('the messages tell the form of a body and of fields', async () => {
    const domain = await newDomain()
    const path = `/datasets/${await stocks(domain)}/value`
    const put = await domain.send('PUT', `${path}${query('open == 0')}`, { value: 1 })
    expect(put.status, put.story).toBe(400)
    expect(put.json().message).toContain('of a compound the body has the form {"field": value}')
    const get = await domain.send('GET', `${path}?fields=open,date`)
    expect(get.status, get.story).toBe(400)
    expect(get.json().message).toContain('":" separates the names')
  })

  test('no hits: nothing changes', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    const before = await domain.want(200, 'GET', `/datasets/${id}`)
    const answer = await domain.want<Answer>(200, 'PUT', `/datasets/${id}/value${query('open == 0')}`, {
      open: 1,
    })
    expect(answer.indices).toEqual([])
    expect(await domain.want(200, 'GET', `/datasets/${id}`)).toEqual(before)
    const target = `/datasets/${id}/value${query('open == 0')}`
    const binary = { user: USER1, headers: { accept: OCTETS } }
    const reply = await domain.send('PUT', target, { open: 1 }, binary)
    expect(reply.bytes).toHaveLength(0)
  })

  test('other types: a bare value or {"value": v}; rank 2 tells pairs; binary is int64', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [2, 3] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [1, 2, 3, 1, 2, 3] })
    const answer = await domain.want<Answer>(200, 'PUT', `/datasets/${id}/value${query('_ == 3')}`, '30')
    expect(answer.indices).toEqual([
      [0, 2],
      [1, 2],
    ])
    expect(answer.index).toBeUndefined()
    const target = `/datasets/${id}/value${query('_ == 1', '&Limit=1')}`
    const reply = await domain.send('PUT', target, { value: 10 }, BINARY)
    expect(reply.bytes.toString('hex'), reply.story).toBe('0'.repeat(32))
    expect(await domain.value(id)).toEqual([
      [10, 2, 30],
      [1, 2, 30],
    ])
  })

  test('never-written elements, of variable size too', async () => {
    const domain = await newDomain()
    const type = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'name', type: text('H5T_VARIABLE') },
        { name: 'flag', type: I32 },
      ],
    }
    const id = await domain.dataset({ type, shape: [4] })
    await domain.want(200, 'PUT', `/datasets/${id}/value?select=[1:2]`, { value: [['b', 1]] })
    await domain.want(200, 'PUT', `/datasets/${id}/value${query("name == ''", '&Limit=2')}`, { name: 'new' })
    expect(await domain.value(id)).toEqual([
      ['new', 0],
      ['b', 1],
      ['new', 0],
      ['', 0],
    ])
  })

  test('query, Limit and select in the body; a member of that name is the field', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    const body = { query: "stock_symbol == 'EBAY'", Limit: 1, select: '[2:12]', open: 5 }
    const answer = await domain.want<Answer>(200, 'PUT', `/datasets/${id}/value`, body)
    expect(answer.indices).toEqual([[3]])
    const type = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'query', type: I32 },
        { name: 'Limit', type: I32 },
      ],
    }
    const odd = await domain.dataset({ type, shape: [2] })
    await domain.want(200, 'PUT', `/datasets/${odd}/value${query('query == 0', '&Limit=1')}`, {
      query: 7,
      Limit: 8,
    })
    expect(await domain.value(odd)).toEqual([
      [7, 8],
      [0, 0],
    ])
    const plain = await domain.dataset({ type: I32, shape: [3] })
    await domain.want(200, 'PUT', `/datasets/${plain}/value`, { query: '_ == 0', Limit: 2, value: 9 })
    expect(await domain.value(plain)).toEqual([9, 9, 0])
  })

  test.each<[string, string, unknown]>([
    ['an unknown field', '', { opened: 1 }],
    ['no field', '', {}],
    ['only null', '', { open: null }],
    ['a list', '', [1]],
    ['a value that does not convert', '', { open: 'many' }],
    ['a value out of range', '', { open: 2 ** 40 }],
    ['no body', '', undefined],
    ['append', '&append=1', { open: 1 }],
    ['element_count', '&element_count=1', { open: 1 }],
    ['a bad select', '&select=[0:99]', { open: 1 }],
    ['select twice', '&select=[0:9]', { open: 1, select: '[0:9]' }],
    ['a bad Limit', '&Limit=few', { open: 1 }],
    ['a bad Limit in the body', '', { open: 1, Limit: [1] }],
    ['points', '', { open: 1, points: [1] }],
  ])('400 and nothing changes: %s', async (_, more, body) => {
    const domain = await newDomain()
    const id = await stocks(domain)
    await domain.refuse(400, 'PUT', `/datasets/${id}/value${query('open > 0', more)}`, body)
    expect(await domain.value(id)).toEqual(ROWS)
  })

  test('400: bytes as body, a query in the body that is no text', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    const bytes = { user: USER1, headers: { 'content-type': OCTETS } }
    const target = `/datasets/${id}/value${query('open > 0')}`
    await domain.refuse(400, 'PUT', target, Buffer.alloc(4), bytes)
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { query: 5, open: 1 })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { query: 'open > 0', open: 1, append: 1 })
    expect(await domain.value(id)).toEqual(ROWS)
  })

  test('needs update, a search needs read', async () => {
    const domain = await newDomain()
    const id = await stocks(domain)
    const item = (flags: object) =>
      domain.want(201, 'PUT', '/acls/test_user2', { read: false, update: false, ...flags })
    await item({ read: true })
    const target = `/datasets/${id}/value${query('open > 3100')}`
    const other = { user: USER2 }
    await domain.refuse(403, 'PUT', target, { open: 1 }, other)
    await domain.want(200, 'GET', target, undefined, other)
    await item({ update: true })
    await domain.want(200, 'PUT', target, { open: 1 }, other)
    await domain.refuse(403, 'GET', target, undefined, other)
    await domain.refuse(403, 'GET', target.replace('/value', '/query'), undefined, other)
  })

  test('more matches than are written at once, which meet in a chunk', async () => {
    const domain = await newDomain()
    const type = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'a', type: 'H5T_STD_I8LE' },
        { name: 'b', type: 'H5T_STD_I8LE' },
      ],
    }
    const creationProperties = { layout: { class: 'H5D_CHUNKED', dims: [300, 200] } }
    const id = await domain.dataset({ type, shape: [600, 500], creationProperties })
    const bytes = Buffer.from(Array.from({ length: 600_000 }, (_, i) => (i % 2 === 0 ? (i / 2) % 7 : 1)))
    const put = { user: USER1, headers: { 'content-type': OCTETS } }
    await domain.send('PUT', `/datasets/${id}/value`, bytes, put)
    const target = `/datasets/${id}/value${query('a != 3')}`
    const reply = await domain.send('PUT', target, { b: 9 }, BINARY)
    const expected = Buffer.from(bytes.map((byte, i) => (i % 2 === 1 && bytes[i - 1] !== 3 ? 9 : byte)))
    expect(reply.bytes.length / 16, reply.story).toBe(expected.filter(byte => byte === 9).length)
    const after = await domain.send('GET', `/datasets/${id}/value`, undefined, BINARY)
    expect(after.bytes.equals(expected)).toBe(true)
  })

  test('each of many at once that take one free element gets another one', async () => {
    const domain = await newDomain()
    const type = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'taken', type: I32 },
        { name: 'other', type: I32 },
      ],
    }
    const creationProperties = { layout: { class: 'H5D_CHUNKED', dims: [8] } }
    const id = await domain.dataset({ type, shape: [24], creationProperties })
    const target = `/datasets/${id}/value${query('taken == 0', '&Limit=1')}`
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => domain.want<Answer>(200, 'PUT', target, { taken: i + 1 })),
    )
    const taken = answers.map(({ index }) => index?.[0] ?? -1)
    expect(taken.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => i))
    const value = Array.from({ length: 24 }, (_, i) => [taken.indexOf(i) + 1, 0])
    expect(await domain.value(id)).toEqual(value)
  })

  test('random rows: what a loop would change is changed, and nothing else', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({
      type: STOCKS,
      shape: [1000],
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [64] } },
    })
    let seed = 20_261_121
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed % below
    }
    let rows = Array.from({ length: 1000 }, () => [
      ['AAPL', 'EBAY', 'X'][random(3)],
      String(random(100)),
      random(50) - 25,
      random(50),
    ])
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: rows })
    for (let round = 0; round < 10; round++) {
      const [low, limit, start, step] = [random(50) - 25, random(300), random(900), 1 + random(5)]
      const target = `/datasets/${id}/value${query(
        `stock_symbol != 'X' AND open >= ${low}`,
        `&Limit=${limit}&select=[${start}:1000:${step}]`,
      )}`
      const changed = rows
        .flatMap(([symbol, , open], i) => {
          const looked = i >= start && (i - start) % step === 0
          return looked && symbol !== 'X' && Number(open) >= low ? [i] : []
        })
        .slice(0, limit === 0 ? undefined : limit)
      const set = { close: round * 1000, stock_symbol: ['NEW', 'EBAY'][round % 2] }
      const answer = await domain.want<Answer>(200, 'PUT', target, set)
      expect(answer.index, `round ${round}: ${target}`).toEqual(changed)
      rows = rows.map((row, i) => (changed.includes(i) ? [set.stock_symbol, row[1], row[2], set.close] : row))
      expect(await domain.value(id)).toEqual(rows)
    }
  })
})
