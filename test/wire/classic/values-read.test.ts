// Reading values in the classic dialect: selections, points, elements never written (classic 7.8, 7.9, 15.2, 15.3 and
// 15.7).

import { describe, expect, test } from 'vitest'
import type { Fields } from '../client.ts'
import { type Domain, hrefTable, newDomain } from './domain.ts'

const I32 = 'H5T_STD_I32LE'

/** 4 x 6 elements, each 10 * row + column. */
const GRID = Array.from({ length: 4 }, (_, row) =>
  Array.from({ length: 6 }, (_, column) => 10 * row + column),
)

async function grid(domain: Domain): Promise<string> {
  const id = await domain.dataset({ type: I32, shape: [4, 6] })
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: GRID })
  return id
}

describe('classic 7.8: GET value', () => {
  test('classic 7.8b: value and hrefs self, root, owner, home; select= as given in self', async () => {
    const domain = await newDomain()
    const id = await grid(domain)
    const owner = `${domain.base}/datasets/${id}`
    const rest = { root: `${domain.base}/groups/${domain.root}`, owner, home: `${domain.base}/` }
    const all = await domain.want(200, 'GET', `/datasets/${id}/value`)
    expect(Object.keys(all).sort()).toEqual(['hrefs', 'value'])
    expect(all.value).toEqual(GRID)
    expect(hrefTable(all)).toEqual({ self: `${owner}/value`, ...rest })
    const part = await domain.want(200, 'GET', `/datasets/${id}/value?select=[0:1,0:2]`)
    expect(hrefTable(part)).toEqual({ self: `${owner}/value?select=[0:1,0:2]`, ...rest })
  })

  test('classic 7.8c: a scalar is the bare value, select is ignored; null space is null', async () => {
    const domain = await newDomain()
    const scalar = await domain.dataset({ type: I32 })
    await domain.want(200, 'PUT', `/datasets/${scalar}/value`, { value: 42 })
    expect(await domain.value(scalar)).toBe(42)
    expect(await domain.value(scalar, '?select=[0:1]')).toBe(42)
    expect(await domain.value(await domain.dataset({ type: I32, shape: 'H5S_NULL' }))).toBeNull()
  })

  test('zero extents are empty arrays', async () => {
    const domain = await newDomain()
    expect(await domain.value(await domain.dataset({ type: I32, shape: [0] }))).toEqual([])
    expect(await domain.value(await domain.dataset({ type: I32, shape: [2, 0] }))).toEqual([[], []])
    expect(await domain.value(await domain.dataset({ type: I32, shape: [0, 5] }))).toEqual([])
  })

  const text = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', length: 'H5T_VARIABLE' }
  const fixed = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', length: 5 }
  const point = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'x', type: I32 },
      { name: 's', type: fixed },
    ],
  }
  test.each<[string, unknown, Fields, unknown]>([
    ['an integer is 0', I32, {}, [0, 0]],
    ['a float is 0', 'H5T_IEEE_F64LE', {}, [0, 0]],
    ['a fixed string is ""', fixed, {}, ['', '']],
    ['a variable string is ""', text, {}, ['', '']],
    ['a sequence is []', { class: 'H5T_VLEN', base: I32 }, {}, [[], []]],
    [
      'an object reference is "null"',
      { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' },
      {},
      ['null', 'null'],
    ],
    [
      'a compound has empty fields',
      point,
      {},
      [
        [0, ''],
        [0, ''],
      ],
    ],
    [
      'an array is full of zeros',
      { class: 'H5T_ARRAY', base: I32, dims: [2] },
      {},
      [
        [0, 0],
        [0, 0],
      ],
    ],
    ['classic 15.7a: an integer fill value', I32, { fillValue: 42 }, [42, 42]],
    ['a float fill value', 'H5T_IEEE_F64BE', { fillValue: -1.5 }, [-1.5, -1.5]],
    ['a fill value that is a string', fixed, { fillValue: 'none' }, ['none', 'none']],
    [
      'a compound fill value',
      point,
      { fillValue: [7, 'ab'] },
      [
        [7, 'ab'],
        [7, 'ab'],
      ],
    ],
  ])('15.7: never written: %s', async (_title, type, creationProperties, value) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type, shape: [2], creationProperties })
    expect(await domain.value(id)).toEqual(value)
  })

  test('15.7: what a write leaves out is the fill value', async () => {
    const domain = await newDomain()
    const body = { type: I32, shape: [2000], maxdims: [0], creationProperties: { fillValue: 42 } }
    const id = await domain.dataset(body)
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { start: 10, stop: 12, value: [1, 2] })
    expect(await domain.value(id, '?select=[8:14]')).toEqual([42, 42, 1, 2, 42, 42])
    expect(await domain.value(id, '?select=[1998:2000]')).toEqual([42, 42])
  })
})

describe('classic 15.2: select', () => {
  test.each<[string, unknown]>([
    ['[:,:]', GRID],
    ['[0:4,0:6]', GRID],
    [
      '[1:3,2:4]',
      [
        [12, 13],
        [22, 23],
      ],
    ],
    [
      '[2:,:2]',
      [
        [20, 21],
        [30, 31],
      ],
    ],
    ['[:,1:6:2]', GRID.map(row => [row[1], row[3], row[5]])],
    [
      '[::2,::3]',
      [
        [0, 3],
        [20, 23],
      ],
    ],
    [
      '[::3,::5]',
      [
        [0, 5],
        [30, 35],
      ],
    ],
    ['[0:4:9,0:6:9]', [[0]]],
    [
      '[ 1 : 3 , 2 : 4 ]',
      [
        [12, 13],
        [22, 23],
      ],
    ],
    ['[2,3]', [[23]]],
    ['[2,0:2]', [[20, 21]]],
    ['[0:2,5]', [[5], [15]]],
    ['[1:1,0:2]', []],
    ['[0:2,3:3]', [[], []]],
    ['[3:1,0:2]', []],
    ['[4:4,0:2]', []],
    ['ALL', GRID],
  ])(
    'classic 15.2a, 15.2b, 15.2c, 15.2d, 15.2e: %s, raw and URL-encoded: rank is kept',
    async (select, value) => {
      const domain = await newDomain()
      const id = await grid(domain)
      expect(await domain.value(id, `?select=${select.replaceAll(' ', '%20')}`)).toEqual(value)
      expect(await domain.value(id, `?select=${encodeURIComponent(select)}`)).toEqual(value)
    },
  )

  test.each([
    '',
    '[',
    ']',
    '[]',
    '0:4,0:6',
    '[0:4,0:6',
    '0:4,0:6]',
    '[0:4]',
    '[0:4,0:6,0:1]',
    '[0:4,]',
    '[,0:6]',
    '[0:5,0:6]',
    '[0:4,0:7]',
    '[5:,0:6]',
    '[-1:2,0:6]',
    '[3:-1,0:6]',
    '[0:4:0,0:6]',
    '[0:4:-1,0:6]',
    '[0:4:1:1,0:6]',
    '[a:b,0:6]',
    '[0.5:2,0:6]',
    '[1e1:2,0:6]',
    '[0:99999999999999999999,0:6]',
    '[4,0]',
    '[0,6]',
    '[-1,0]',
    '[0:4 0:6]',
    '[[0,1],0:6]',
    '[...,0:6]',
    'all',
    '[0x1:2,0:6]',
    '[1 2:3,0:6]',
  ])('classic 7.8g, 15.2f, 15.2g, 15.2h, 15.2i: %j is 400', async select => {
    const domain = await newDomain()
    const id = await grid(domain)
    await domain.refuse(400, 'GET', `/datasets/${id}/value?select=${encodeURIComponent(select)}`)
  })
})

describe('classic 7.9: POST value', () => {
  test('classic 7.9a, 7.9b: one element per point, order and repetitions kept; hrefs as GET value', async () => {
    const domain = await newDomain()
    const id = await grid(domain)
    const body = await domain.want(200, 'POST', `/datasets/${id}/value`, {
      points: [
        [3, 5],
        [0, 0],
        [1, 2],
        [3, 5],
      ],
    })
    expect(body.value).toEqual([35, 0, 12, 35])
    const owner = `${domain.base}/datasets/${id}`
    expect(hrefTable(body)).toEqual({
      self: `${owner}/value`,
      root: `${domain.base}/groups/${domain.root}`,
      owner,
      home: `${domain.base}/`,
    })
  })

  test('classic 7.9a: rank 1 takes integers; no points give []', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [5] })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [5, 6, 7, 8, 9] })
    const read = async (points: unknown[]) =>
      (await domain.want(200, 'POST', `/datasets/${id}/value`, { points })).value
    expect(await read([4, 0, 4])).toEqual([9, 5, 9])
    expect(await read([])).toEqual([])
  })

  test.each<[string, unknown]>([
    ['malformed JSON', '{"points": [[1,'],
    ['no body', undefined],
    ['no points', {}],
    ['points that are no list', { points: 5 }],
    ['points null', { points: null }],
    ['a number for rank 2', { points: [1] }],
    ['a point of rank 1', { points: [[1]] }],
    ['a point of rank 3', { points: [[1, 1, 1]] }],
    ['a ragged list', { points: [[1, 1], [1]] }],
    ['a fractional coordinate', { points: [[1, 1.5]] }],
    ['a boolean coordinate', { points: [[true, 1]] }],
    ['a coordinate that is a string', { points: [['1', 1]] }],
    ['a null coordinate', { points: [[null, 1]] }],
    ['a negative coordinate', { points: [[-1, 1]] }],
    ['a coordinate at the extent', { points: [[4, 0]] }],
    ['an absurd coordinate', '{"points": [[1e300, 0]]}'],
    ['a 64-bit coordinate', '{"points": [[18446744073709551616, 0]]}'],
  ])('%s is 400', async (_title, body) => {
    const domain = await newDomain()
    const id = await grid(domain)
    await domain.refuse(400, 'POST', `/datasets/${id}/value`, body)
  })

  test('a scalar or null dataset is 400', async () => {
    const domain = await newDomain()
    for (const shape of [undefined, 'H5S_NULL']) {
      const id = await domain.dataset({ type: I32, shape })
      await domain.refuse(400, 'POST', `/datasets/${id}/value`, { points: [0] })
    }
  })
})

describe('classic 15.3: row-major nesting over chunks', () => {
  test('classic 15.3a: a dataset of many chunks is written and read whole, in parts, by strides and by points', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({
      type: 'H5T_STD_I32BE',
      shape: [70, 90],
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [16, 32] } },
    })
    const model = Array.from({ length: 70 }, (_, i) => Array.from({ length: 90 }, (_, j) => i * 1000 + j))
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: model })
    expect(await domain.value(id)).toEqual(model)
    const block = model.slice(10, 40).map(row => row.slice(20, 70))
    expect(await domain.value(id, '?select=[10:40,20:70]')).toEqual(block)
    const strided = model.filter((_, i) => i % 7 === 3).map(row => row.filter((_, j) => j % 11 === 5))
    expect(await domain.value(id, '?select=[3::7,5::11]')).toEqual(strided)
    const value = strided.map(row => row.map(element => -element))
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { start: [3, 5], step: [7, 11], value })
    for (let i = 3; i < 70; i += 7) for (let j = 5; j < 90; j += 11) model[i]?.splice(j, 1, -(i * 1000 + j))
    expect(await domain.value(id)).toEqual(model)
    const points = [
      [69, 89],
      [0, 0],
      [15, 31],
      [16, 32],
      [69, 0],
    ]
    const read = await domain.want(200, 'POST', `/datasets/${id}/value`, { points })
    expect(read.value).toEqual(points.map(([i = 0, j = 0]) => model[i]?.[j]))
  })
})
