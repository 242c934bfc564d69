// Writing values in the classic dialect: selections, points, and the shapes that data may have (classic 7.10).

import { describe, expect, test } from 'vitest'
import type { Fields } from '../client.ts'
import { type Domain, hrefTable, newDomain } from './domain.ts'

const I32 = 'H5T_STD_I32LE'
const UNKNOWN_ID = '0c1d4a5e-aaaa-11e4-8000-0242ac110002'

/** 4 x 6 elements, each 10 * row + column. */
const GRID = Array.from({ length: 4 }, (_, row) =>
  Array.from({ length: 6 }, (_, column) => 10 * row + column),
)

async function grid(domain: Domain): Promise<string> {
  const id = await domain.dataset({ type: I32, shape: [4, 6] })
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: GRID })
  return id
}

describe('classic 7.10: PUT value', () => {
  test('classic 7.10f: 200 with hrefs self, root, owner, home', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [2] })
    const body = await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [1, 2] })
    const owner = `${domain.base}/datasets/${id}`
    expect(hrefTable(body)).toEqual({
      self: `${owner}/value`,
      root: `${domain.base}/groups/${domain.root}`,
      owner,
      home: `${domain.base}/`,
    })
  })

  /** The elements that are not 0 afterwards, as [row, column, element]. */
  test.each<[string, Fields, number[][]]>([
    [
      'start and stop',
      {
        start: [1, 2],
        stop: [3, 4],
        value: [
          [1, 2],
          [3, 4],
        ],
      },
      [
        [1, 2, 1],
        [1, 3, 2],
        [2, 2, 3],
        [2, 3, 4],
      ],
    ],
    [
      'start alone: to the extent',
      { start: [3, 4], value: [[1, 2]] },
      [
        [3, 4, 1],
        [3, 5, 2],
      ],
    ],
    [
      'stop alone: from 0',
      { stop: [1, 2], value: [[1, 2]] },
      [
        [0, 0, 1],
        [0, 1, 2],
      ],
    ],
    [
      'a stride: ceil((stop - start) / step) each',
      {
        start: [0, 1],
        stop: [4, 6],
        step: [2, 3],
        value: [
          [1, 2],
          [3, 4],
        ],
      },
      [
        [0, 1, 1],
        [0, 4, 2],
        [2, 1, 3],
        [2, 4, 4],
      ],
    ],
    [
      'a stride with an uneven end',
      {
        start: [0, 0],
        stop: [3, 6],
        step: [2, 4],
        value: [
          [1, 2],
          [3, 4],
        ],
      },
      [
        [0, 0, 1],
        [0, 4, 2],
        [2, 0, 3],
        [2, 4, 4],
      ],
    ],
    [
      'points',
      {
        points: [
          [3, 5],
          [0, 0],
        ],
        value: [8, 9],
      },
      [
        [0, 0, 9],
        [3, 5, 8],
      ],
    ],
    ['points, surplus values are ignored', { points: [[0, 1]], value: [8, 9] }, [[0, 1, 8]]],
    [
      'a bare scalar fills the selection',
      { start: [1, 0], stop: [2, 3], value: 7 },
      [
        [1, 0, 7],
        [1, 1, 7],
        [1, 2, 7],
      ],
    ],
    [
      'a one-element array fills the selection',
      { stop: [2, 2], value: [7] },
      [
        [0, 0, 7],
        [0, 1, 7],
        [1, 0, 7],
        [1, 1, 7],
      ],
    ],
    [
      'dimensions of extent 1 may be missing',
      { start: [2, 3], stop: [3, 6], value: [1, 2, 3] },
      [
        [2, 3, 1],
        [2, 4, 2],
        [2, 5, 3],
      ],
    ],
    [
      'dimensions of extent 1 may be additional',
      { stop: [1, 2], value: [[[[1, 2]]]] },
      [
        [0, 0, 1],
        [0, 1, 2],
      ],
    ],
    ['value wins over value_base64', { stop: [1, 1], value: [[5]], value_base64: 'CQAAAA==' }, [[0, 0, 5]]],
  ])('%s', async (_title, body, written) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [4, 6] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, body)
    const expected = GRID.map(row => row.map(() => 0))
    for (const [row = 0, column = 0, element = 0] of written) expected[row]?.splice(column, 1, element)
    expect(await domain.value(id)).toEqual(expected)
  })

  test('rank 1 takes integers for start, stop, step; 0 and absent are the defaults', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [6] })
    const put = (body: Fields) => domain.want(200, 'PUT', `/datasets/${id}/value`, body)
    await put({ start: 1, stop: 5, step: 2, value: [1, 2] })
    expect(await domain.value(id)).toEqual([0, 1, 0, 2, 0, 0])
    await put({ start: 0, stop: 0, step: 0, value: [6, 5, 4, 3, 2, 1] })
    expect(await domain.value(id)).toEqual([6, 5, 4, 3, 2, 1])
    await put({ start: [4], stop: [6], value: [[8, 9]] })
    expect(await domain.value(id)).toEqual([6, 5, 4, 3, 8, 9])
    await put({ points: [5, 0], value: [1, 2] })
    expect(await domain.value(id)).toEqual([2, 5, 4, 3, 8, 1])
  })

  test('classic 7.10d: a scalar dataset takes a bare value or a one-element array', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32 })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: 5 })
    expect(await domain.value(id)).toBe(5)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [6] })
    expect(await domain.value(id)).toBe(6)
    for (const body of [{ value: [1, 2] }, { start: 0, stop: 1, value: 5 }, { points: [0], value: [1] }]) {
      await domain.refuse(400, 'PUT', `/datasets/${id}/value`, body)
    }
    expect(await domain.value(id)).toBe(6)
  })

  test('classic 7.10e: a compound of one element: the flat field list, or nested', async () => {
    const domain = await newDomain()
    const type = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'a', type: I32 },
        { name: 'b', type: 'H5T_IEEE_F32LE' },
      ],
    }
    const scalar = await domain.dataset({ type })
    await domain.want(200, 'PUT', `/datasets/${scalar}/value`, { value: [42, 0.5] })
    expect(await domain.value(scalar)).toEqual([42, 0.5])
    const three = await domain.dataset({ type, shape: [3] })
    const put = (body: Fields) => domain.want(200, 'PUT', `/datasets/${three}/value`, body)
    await put({ start: 0, stop: 1, value: [1, 0.25] })
    await put({ start: 1, stop: 2, value: [[2, 0.5]] })
    await put({ points: [2], value: [[3, 0.75]] })
    expect(await domain.value(three)).toEqual([
      [1, 0.25],
      [2, 0.5],
      [3, 0.75],
    ])
    await domain.refuse(400, 'PUT', `/datasets/${three}/value`, { value: [[1, 2], [3, 4], [5]] })
  })

  const square = { start: [0, 0], stop: [2, 2] }
  test.each<[string, unknown]>([
    ['malformed JSON', '{"value": [[1,'],
    ['no body', undefined],
    ['neither value nor value_base64', {}],
    ['start of another length', { start: [0], value: GRID }],
    ['stop of another length', { stop: [4, 6, 1], value: GRID }],
    ['step of another length', { step: [1], value: GRID }],
    ['an integer start for rank 2', { start: 1, value: GRID }],
    ['negative start', { start: [-1, 0], stop: [1, 1], value: [[1, 2]] }],
    ['start at the extent', { start: [4, 0], value: [] }],
    ['stop at start', { start: [2, 0], stop: [2, 6], value: [] }],
    ['stop before start', { start: [2, 0], stop: [1, 6], value: [[1]] }],
    ['stop beyond the extent', { stop: [5, 6], value: GRID }],
    ['negative step', { step: [-1, 1], value: GRID }],
    ['step beyond the extent', { step: [5, 1], value: [GRID[0]] }],
    ['fractional start', { start: [0.5, 0], value: GRID }],
    ['text as start', { start: 'x', value: GRID }],
    ['a flat list for a 2-D selection', { ...square, value: [1, 2, 3, 4] }],
    ['classic 7.10b: too few elements', { ...square, value: [[1, 2], [3]] }],
    ['too few rows', { ...square, value: [[1, 2]] }],
    [
      'classic 7.10b: too many elements',
      {
        ...square,
        value: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
    ],
    [
      'too many rows',
      {
        ...square,
        value: [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
      },
    ],
    [
      'the wrong way round',
      {
        start: [0, 0],
        stop: [2, 3],
        value: [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
      },
    ],
    ['no elements', { ...square, value: [] }],
    ['points and start', { points: [[0, 0]], start: [0, 0], value: [1] }],
    ['points that are no list', { points: 3, value: [1] }],
    [
      'more points than values',
      {
        points: [
          [0, 0],
          [0, 1],
        ],
        value: [1],
      },
    ],
    ['a point out of bounds', { points: [[0, 6]], value: [1] }],
    [
      'text',
      {
        ...square,
        value: [
          ['a', 'b'],
          ['c', 'd'],
        ],
      },
    ],
    ['null', { ...square, value: null }],
    [
      'null for an integer',
      {
        ...square,
        value: [
          [1, 2],
          [3, null],
        ],
      },
    ],
    ['an object', { ...square, value: { a: 1 } }],
    ['NaN for an integer', '{"start": [0,0], "stop": [1,1], "value": [[NaN]]}'],
    ['classic 7.10c: Base64 of too few bytes', { ...square, value_base64: 'AAAA' }],
    [
      'classic 7.10c: Base64 of too many bytes',
      { stop: [1, 1], value_base64: Buffer.alloc(8).toString('base64') },
    ],
    ['classic 7.10c: bad Base64', { stop: [1, 1], value_base64: '***' }],
    ['Base64 that is no text', { stop: [1, 1], value_base64: 5 }],
  ])('%s is 400 and changes nothing', async (_title, body) => {
    const domain = await newDomain()
    const id = await grid(domain)
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, body)
    expect(await domain.value(id)).toEqual(GRID)
  })

  test.each(['append', 'append_dim', 'element_count', 'fields', 'query', 'regionref'])(
    'the option %s of the other dialect is 400, in the body and in the URL',
    async name => {
      const domain = await newDomain()
      const id = await grid(domain)
      const path = `/datasets/${id}/value`
      const told = `writes have no option "${name}" in this dialect: leave it out`
      for (const [target, body] of [
        [path, { [name]: 1, value: 0 }],
        [`${path}?${name}=1`, { value: 0 }],
      ] as const) {
        const reply = await domain.send('PUT', target, body)
        expect(reply.status, reply.story).toBe(400)
        expect(reply.json()).toMatchObject({ code: 'malformed-parameter', message: told })
      }
      expect(await domain.value(id)).toEqual(GRID)
    },
  )

  test.each(['start', 'stop', 'step', 'points', 'value'])('%s in the URL is 400', async name => {
    const domain = await newDomain()
    const id = await grid(domain)
    const reply = await domain.send('PUT', `/datasets/${id}/value?${name}=1`, { value: 0 })
    expect(reply.status, reply.story).toBe(400)
    expect(reply.json().message).toBe(`${name} must be in the body of a write, not in the URL`)
    expect(await domain.value(id)).toEqual(GRID)
  })

  test('unknown names, and options without a value, are ignored', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [2] })
    const body = { value: [1, 2], nonstrict: 1, fields: null, query: '' }
    const target = `/datasets/${id}/value?nonstrict=1&append=&start=`
    await domain.want(200, 'PUT', target, body, { undeclared: true })
    expect(await domain.value(id)).toEqual([1, 2])
  })

  test('a null dataset is 400, an unknown one 404', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: 'H5S_NULL' })
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value: 1 })
    await domain.refuse(404, 'PUT', `/datasets/${UNKNOWN_ID}/value`, { value: 1 })
    await domain.refuse(404, 'POST', `/datasets/${UNKNOWN_ID}/value`, { points: [0] })
  })
})
