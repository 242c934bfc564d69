// Datasets in the classic dialect: description, shape, type, creation properties, deletion (classic 7.1 to 7.7, 15.1
// and 16).

import { describe, expect, test } from 'vitest'
import type { Fields } from '../client.ts'
import { hrefOf, hrefTable, newDomain, relsOf } from './domain.ts'

const UNKNOWN_ID = '0c1d4a5e-aaaa-11e4-8000-0242ac110002'
const I32 = 'H5T_STD_I32LE'

describe('classic 7.1: GET /datasets', () => {
  test('classic 7.1a: lists linked and anonymous datasets', async () => {
    const domain = await newDomain()
    const anonymous = await domain.dataset({ type: I32 })
    const linked = await domain.dataset({ type: I32, link: { id: domain.root, name: 'd' } })
    const body = await domain.want(200, 'GET', '/datasets')
    expect(body.datasets).toEqual([anonymous, linked].sort())
    expect(hrefTable(body)).toEqual({
      self: `${domain.base}/datasets`,
      root: `${domain.base}/groups/${domain.root}`,
      home: `${domain.base}/`,
    })
  })
})

describe('classic 7.2: POST /datasets, refusals', () => {
  test.each<[string, object]>([
    ['classic 7.2a: no type', { shape: [10] }],
    ['classic 7.2a, 14.1b: unknown type name', { type: 'badtype' }],
    ['classic 14.1b: native type name', { type: 'H5T_NATIVE_INT' }],
    ['type that is a number', { type: 5 }],
    ['type null', { type: null }],
    ['type that is a list', { type: ['H5T_STD_I8LE'] }],
    ['classic 7.2b: negative extent', { type: I32, shape: -5 }],
    ['negative extent in a list', { type: I32, shape: [5, -1] }],
    ['fractional extent', { type: I32, shape: [2.5] }],
    ['boolean extent', { type: I32, shape: [true] }],
    ['boolean shape', { type: I32, shape: true }],
    ['extent as text', { type: I32, shape: ['5'] }],
    ['nested shape', { type: I32, shape: [[5]] }],
    ['unknown word as shape', { type: I32, shape: 'H5S_FOO' }],
    ['null shape', { type: I32, shape: null }],
    ['object as shape', { type: I32, shape: { class: 'H5S_SIMPLE', dims: [5] } }],
    ['word for a scalar as shape', { type: I32, shape: 'H5S_SCALAR' }],
    ['maxdims of another rank', { type: I32, shape: [5, 5], maxdims: [5] }],
    ['maxdims on a scalar', { type: I32, maxdims: [5] }],
    ['classic 7.2e: maxdims below the extent', { type: I32, shape: [5], maxdims: [4] }],
    ['negative maxdims', { type: I32, shape: [5], maxdims: [-1] }],
    ['fractional maxdims', { type: I32, shape: [5], maxdims: [7.5] }],
    ['maxdims as text', { type: I32, shape: [5], maxdims: 'x' }],
    ['link without name', { type: I32, link: { id: UNKNOWN_ID } }],
    ['link without id', { type: I32, link: { name: 'd' } }],
    ['creationProperties that are no object', { type: I32, creationProperties: 5 }],
    [
      'chunks of another rank',
      { type: I32, shape: [10], creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [2, 2] } } },
    ],
    [
      'classic 7.2f, 16.1a: chunk extent larger than a non-extensible extent',
      { type: I32, shape: [10], creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [11] } } },
    ],
    [
      'zero chunk extent',
      { type: I32, shape: [10], creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [0] } } },
    ],
    ['filter without id', { type: I32, shape: [10], creationProperties: { filters: [{ level: 1 }] } }],
    ['deflate level 10', { type: I32, shape: [10], creationProperties: { filters: [{ id: 1, level: 10 }] } }],
    [
      'scale-offset without scaleOffset',
      { type: I32, shape: [10], creationProperties: { filters: [{ id: 6 }] } },
    ],
    [
      'szip with unknown coding',
      {
        type: I32,
        shape: [10],
        creationProperties: {
          filters: [{ id: 4, coding: 'x', bitsPerPixel: 8, pixelsPerBlock: 8, pixelsPerScanline: 8 }],
        },
      },
    ],
    ['filters on a scalar', { type: I32, creationProperties: { filters: [{ id: 2 }] } }],
    ['fill value of another type', { type: I32, shape: [1], creationProperties: { fillValue: 'XX' } }],
    [
      'classic 16.1b: compound fill value of another length',
      {
        type: { class: 'H5T_COMPOUND', fields: [{ name: 'a', type: I32 }] },
        shape: [1],
        creationProperties: { fillValue: [1, 2] },
      },
    ],
  ])('%s is 400 and creates nothing', async (_title, body) => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/datasets', body)
    expect((await domain.want(200, 'GET', '/datasets')).datasets).toEqual([])
  })

  test.each([
    '{"type": "H5T_STD_I32LE", "shape": 5.0}',
    '{"type": "H5T_STD_I32LE", "shape": [5, 1e1]}',
    '{"type": "H5T_STD_I32LE", "shape": [5], "maxdims": [9.0]}',
  ])('an extent that is not written as an integer is 400: %s', async text => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/datasets', Buffer.from(text))
    expect((await domain.want(200, 'GET', '/datasets')).datasets).toEqual([])
  })

  test('a link name that exists is 409 and creates nothing', async () => {
    const domain = await newDomain()
    await domain.group('taken')
    await domain.refuse(409, 'POST', '/datasets', { type: I32, link: { id: domain.root, name: 'taken' } })
    expect((await domain.want(200, 'GET', '/datasets')).datasets).toEqual([])
  })
})

describe('classic 7.3: GET /datasets/<id>', () => {
  test('classic 7.3a: id, type, shape, creationProperties, attributeCount, times and hrefs', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [2, 3] })
    const body = await domain.want(200, 'GET', `/datasets/${id}`)
    expect(Object.keys(body).sort()).toEqual([
      'attributeCount',
      'created',
      'creationProperties',
      'hrefs',
      'id',
      'lastModified',
      'shape',
      'type',
    ])
    const self = `${domain.base}/datasets/${id}`
    expect(relsOf(body)).toEqual(['data', 'self', 'root', 'attributes', 'home'])
    expect(hrefTable(body)).toEqual({
      data: `${self}/value`,
      self,
      root: `${domain.base}/groups/${domain.root}`,
      attributes: `${self}/attributes`,
      home: `${domain.base}/`,
    })
  })

  test.each<[unknown, string]>([
    [[101], '[0:100]'],
    [[20, 10], '[0:10,0:10]'],
    [[200, 2], '[0:50,0:2]'],
    [[3, 60], '[0:3,0:33]'],
    [[5, 200, 300], '[0:1,0:100,0:1]'],
  ])('more than 100 elements, %j: preview of %s instead of data', async (shape, select) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape })
    const body = await domain.want(200, 'GET', `/datasets/${id}`)
    expect(hrefOf(body, 'data')).toBeUndefined()
    expect(hrefOf(body, 'preview')).toBe(`${domain.base}/datasets/${id}/value?select=${select}`)
    await domain.want(200, 'GET', `/datasets/${id}/value?select=${select}`)
  })

  test.each([
    ['a scalar', undefined],
    ['null', 'H5S_NULL'],
    ['100 elements', [10, 10]],
    ['none', [0, 1000]],
  ])('%s has the relation data', async (_title, shape) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape })
    const body = await domain.want(200, 'GET', `/datasets/${id}`)
    expect(hrefOf(body, 'data')).toBe(`${domain.base}/datasets/${id}/value`)
    expect(hrefOf(body, 'preview')).toBeUndefined()
  })

  test('classic 7.3b: unknown is 404', async () => {
    const domain = await newDomain()
    for (const part of ['', '/shape', '/type', '/value']) {
      await domain.refuse(404, 'GET', `/datasets/${UNKNOWN_ID}${part}`)
    }
  })
})

describe('classic 7.4: DELETE /datasets/<id>', () => {
  test('classic 7.4a, 7.4b, 7.4c: 200 with hrefs; all hard links to it go; works for anonymous ones too', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, link: { id: domain.root, name: 'a' } })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/b`, { id })
    const body = await domain.want(200, 'DELETE', `/datasets/${id}`)
    expect(hrefTable(body)).toEqual({
      self: `${domain.base}/datasets`,
      root: `${domain.base}/groups/${domain.root}`,
      home: `${domain.base}/`,
    })
    expect((await domain.want(200, 'GET', `/groups/${domain.root}/links`)).links).toEqual([])
    const anonymous = await domain.dataset({ type: I32, shape: [3] })
    await domain.want(200, 'DELETE', `/datasets/${anonymous}`)
    await domain.refuse(404, 'DELETE', `/datasets/${UNKNOWN_ID}`)
    expect((await domain.want(200, 'GET', '/datasets')).datasets).toEqual([])
  })
})

describe('classic 7.5 and 7.6: shape', () => {
  test('classic 7.5a: GET: shape, times, hrefs self (without /shape), owner, root', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [2] })
    const body = await domain.want(200, 'GET', `/datasets/${id}/shape`)
    expect(Object.keys(body).sort()).toEqual(['created', 'hrefs', 'lastModified', 'shape'])
    const self = `${domain.base}/datasets/${id}`
    expect(hrefTable(body)).toEqual({ self, owner: self, root: `${domain.base}/groups/${domain.root}` })
  })

  test('classic 15.1c, 15.1d: maxdims is there while a dimension can grow, fixed dimensions show their extent', async () => {
    const domain = await newDomain()
    const shapeOf = async (id: string) => (await domain.want(200, 'GET', `/datasets/${id}/shape`)).shape
    const id = await domain.dataset({ type: I32, shape: [10, 4], maxdims: [20, 4] })
    expect(await shapeOf(id)).toEqual({ class: 'H5S_SIMPLE', dims: [10, 4], maxdims: [20, 4] })
    await domain.want(200, 'PUT', `/datasets/${id}/shape`, { shape: [20, 4] })
    expect(await shapeOf(id)).toEqual({ class: 'H5S_SIMPLE', dims: [20, 4] })
    const fixed = await domain.dataset({ type: I32, shape: [10], maxdims: [10] })
    expect(await shapeOf(fixed)).toEqual({ class: 'H5S_SIMPLE', dims: [10] })
    const unlimited = await domain.dataset({ type: I32, shape: [0], maxdims: 0 })
    expect(await shapeOf(unlimited)).toEqual({ class: 'H5S_SIMPLE', dims: [0], maxdims: [0] })
    const spelled = await domain.dataset({ type: I32, shape: [1], maxdims: ['H5S_UNLIMITED'] })
    expect(await shapeOf(spelled)).toEqual({ class: 'H5S_SIMPLE', dims: [1], maxdims: [0] })
  })

  test('classic 7.6a: PUT: new elements are the fill value, old ones stay; hrefs self, owner, root', async () => {
    const domain = await newDomain()
    const creationProperties = { fillValue: 7 }
    const id = await domain.dataset({ type: I32, shape: [2, 2], maxdims: [0, 0], creationProperties })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, {
      value: [
        [1, 2],
        [3, 4],
      ],
    })
    const body = await domain.want(200, 'PUT', `/datasets/${id}/shape`, { shape: [3, 4] })
    const self = `${domain.base}/datasets/${id}`
    expect(hrefTable(body)).toEqual({ self, owner: self, root: `${domain.base}/groups/${domain.root}` })
    expect(await domain.value(id)).toEqual([
      [1, 2, 7, 7],
      [3, 4, 7, 7],
      [7, 7, 7, 7],
    ])
  })

  test('PUT: a bare integer for rank 1, equal extents are fine', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [2], maxdims: [5] })
    await domain.want(200, 'PUT', `/datasets/${id}/shape`, { shape: 2 })
    await domain.want(200, 'PUT', `/datasets/${id}/shape`, { shape: 5 })
    expect(await domain.value(id)).toEqual([0, 0, 0, 0, 0])
  })

  test.each<[string, unknown]>([
    ['no shape', {}],
    ['malformed JSON', '{"shape": [20'],
    ['no body', undefined],
    ['text', { shape: '20' }],
    ['null', { shape: null }],
    ['fractional', { shape: [12.5, 10] }],
    ['negative', { shape: [-1, 10] }],
    ['boolean', { shape: [true, 10] }],
    ['classic 7.6b: wrong rank', { shape: [12] }],
    ['classic 7.6b: shrinking', { shape: [9, 10] }],
    ['classic 7.6b: beyond maxdims', { shape: [21, 10] }],
    ['classic 7.6b: a dimension that cannot grow', { shape: [10, 11] }],
    ['absurd', { shape: [1e308, 10] }],
    ['H5S_NULL', { shape: 'H5S_NULL' }],
    ['an extent that is not written as an integer', Buffer.from('{"shape": [11.0, 10]}')],
  ])('PUT: %s is 400 and changes nothing', async (_title, body) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [10, 10], maxdims: [20, 10] })
    await domain.refuse(400, 'PUT', `/datasets/${id}/shape`, body)
    expect((await domain.want(200, 'GET', `/datasets/${id}/shape`)).shape).toMatchObject({ dims: [10, 10] })
  })

  test.each<[string, Fields]>([
    ['a scalar dataset', {}],
    ['a null dataset', { shape: 'H5S_NULL' }],
    ['a dataset without maxdims, growing', { shape: [2] }],
  ])('PUT: %s is 400', async (_title, shape) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, ...shape })
    await domain.refuse(400, 'PUT', `/datasets/${id}/shape`, { shape: [3] })
  })

  test('PUT: unchanged extents of a dataset without maxdims are 400', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [2] })
    await domain.refuse(400, 'PUT', `/datasets/${id}/shape`, { shape: [2] })
  })

  test('PUT: unknown is 404', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'PUT', `/datasets/${UNKNOWN_ID}/shape`, { shape: [3] })
  })
})

describe('classic 7.7: GET /datasets/<id>/type', () => {
  test('classic 7.7a, 7.7b, 14.3k: the full type, also of a committed one; hrefs self, owner, root', async () => {
    const domain = await newDomain()
    const committed = await domain.datatype({ type: I32 })
    const id = await domain.dataset({ type: committed })
    const body = await domain.want(200, 'GET', `/datasets/${id}/type`)
    expect(body.type).toEqual({ class: 'H5T_INTEGER', base: I32 })
    const owner = `${domain.base}/datasets/${id}`
    expect(hrefTable(body)).toEqual({
      self: `${owner}/type`,
      owner,
      root: `${domain.base}/groups/${domain.root}`,
    })
  })
})

describe('classic 16: creationProperties', () => {
  const properties: [string, Fields, Fields][] = [
    ['unknown keys', { trackTimes: true, nosuch: { a: [1, 2.5, 'x', null] } }, { shape: [4] }],
    [
      'classic 16.1c: fill and allocation times',
      { fillTime: 'H5D_FILL_TIME_NEVER', allocTime: 'H5D_ALLOC_TIME_LATE' },
      { shape: [4] },
    ],
    ['contiguous layout', { layout: { class: 'H5D_CONTIGUOUS' } }, { shape: [4] }],
    ['compact layout', { layout: { class: 'H5D_COMPACT' } }, { shape: [4] }],
    ['chunked layout', { layout: { class: 'H5D_CHUNKED', dims: [2] } }, { shape: [4] }],
    [
      'chunks beyond an extensible extent',
      { layout: { class: 'H5D_CHUNKED', dims: [9] } },
      { shape: [4], maxdims: [0] },
    ],
    ['fill value', { fillValue: 3 }, { shape: [4] }],
    ['attributeCreationOrder', { attributeCreationOrder: 7, attributePhaseChange: { maxCompact: 8 } }, {}],
  ]
  test.each(properties)('classic 16.2a: %s come back verbatim', async (_title, creationProperties, shape) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, ...shape, creationProperties })
    expect((await domain.want(200, 'GET', `/datasets/${id}`)).creationProperties).toEqual(creationProperties)
  })

  test('classic 16.2a: each filter gets its class and nothing else; layout with the chosen chunks is added', async () => {
    const domain = await newDomain()
    const filters = [{ id: 2 }, { id: 1, level: 9 }, { id: 3, name: 'mine' }, { id: 30001, parameters: [1] }]
    const id = await domain.dataset({ type: I32, shape: [50, 60], creationProperties: { filters } })
    const { creationProperties } = await domain.want<{ creationProperties: Fields }>(
      200,
      'GET',
      `/datasets/${id}`,
    )
    expect(creationProperties).toEqual({
      filters: [
        { id: 2, class: 'H5Z_FILTER_SHUFFLE' },
        { id: 1, level: 9, class: 'H5Z_FILTER_DEFLATE' },
        { id: 3, name: 'mine', class: 'H5Z_FILTER_FLETCHER32' },
        { id: 30001, parameters: [1], class: 'H5Z_FILTER_USER' },
      ],
      layout: { class: 'H5D_CHUNKED', dims: [expect.any(Number), expect.any(Number)] },
    })
  })

  test('classic 16.2a: an extensible dataset gets the layout with the chosen chunks', async () => {
    const domain = await newDomain()
    const body = { type: I32, shape: [4], maxdims: [0], creationProperties: { fillValue: 1 } }
    const id = await domain.dataset(body)
    expect((await domain.want(200, 'GET', `/datasets/${id}`)).creationProperties).toEqual({
      fillValue: 1,
      layout: { class: 'H5D_CHUNKED', dims: [expect.any(Number)] },
    })
  })

  const defaults: [string, Fields, Fields][] = [
    [
      'a fixed shape',
      { type: I32, shape: [4] },
      {
        allocTime: 'H5D_ALLOC_TIME_LATE',
        fillTime: 'H5D_FILL_TIME_IFSET',
        layout: { class: 'H5D_CONTIGUOUS' },
      },
    ],
    [
      'a variable-length type',
      { type: { class: 'H5T_VLEN', base: I32 }, shape: [4] },
      {
        allocTime: 'H5D_ALLOC_TIME_LATE',
        fillTime: 'H5D_FILL_TIME_ALLOC',
        layout: { class: 'H5D_CONTIGUOUS' },
      },
    ],
    [
      'an extensible shape',
      { type: I32, shape: [4, 5], maxdims: [0, 5] },
      {
        allocTime: 'H5D_ALLOC_TIME_INCR',
        fillTime: 'H5D_FILL_TIME_ALLOC',
        layout: { class: 'H5D_CHUNKED', dims: [expect.any(Number), expect.any(Number)] },
      },
    ],
  ]
  test.each(defaults)(
    '16.2: without properties, %s shows the effective values',
    async (_title, body, shown) => {
      const domain = await newDomain()
      const bare = await domain.dataset(body)
      expect((await domain.want(200, 'GET', `/datasets/${bare}`)).creationProperties).toEqual(shown)
      const empty = await domain.dataset({ ...body, creationProperties: {} })
      expect((await domain.want(200, 'GET', `/datasets/${empty}`)).creationProperties).toEqual(shown)
    },
  )

  test('integers of a fill value keep all their digits', async () => {
    const domain = await newDomain()
    const text =
      '{"type": "H5T_STD_I64LE", "shape": [1], "creationProperties": {"fillValue": 9223372036854775807}}'
    const { id } = await domain.want<{ id: string }>(201, 'POST', '/datasets', text)
    expect((await domain.send('GET', `/datasets/${id}`)).text).toMatch(/"fillValue": ?9223372036854775807/)
    expect((await domain.send('GET', `/datasets/${id}/value`)).text).toMatch(/\[ ?9223372036854775807 ?\]/)
  })
})
