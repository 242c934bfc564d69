// Attributes and committed datatypes in the classic dialect (classic 8 and 9 and, as far as attributes
// need it, 15.6).

import { describe, expect, test } from 'vitest'
import type { Fields } from '../client.ts'
import { type Domain, hrefTable, newDomain, relsOf } from './domain.ts'
import { compound, fixed, float, int, variable, vlen } from './type-objects.ts'

const UNKNOWN_ID = '0c1d4a5e-aaaa-11e4-8000-0242ac110002'
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const I32 = 'H5T_STD_I32LE'

const OWNERS: [string, (domain: Domain) => Promise<string>][] = [
  ['groups', domain => domain.group()],
  ['datasets', domain => domain.dataset({ type: I32, shape: 'H5S_NULL' })],
  ['datatypes', domain => domain.datatype({ type: I32 })],
]

describe.each(OWNERS)('classic 9: attributes of %s', (collection, make) => {
  async function owned() {
    const domain = await newDomain()
    const owner = `/${collection}/${await make(domain)}`
    return { domain, owner, path: `${owner}/attributes` }
  }

  test('classic 9.1a, 9.1b, 9.1c: a list ordered by name, elements without value, four hrefs', async () => {
    const { domain, owner, path } = await owned()
    for (const name of ['b', 'a c', 'B']) {
      await domain.want(201, 'PUT', `${path}/${encodeURIComponent(name)}`, {
        type: I32,
        shape: [1],
        value: [1],
      })
    }
    const body = await domain.want<{ attributes: Fields[] }>(200, 'GET', path)
    expect(body.attributes.map(attribute => attribute.name)).toEqual(['B', 'a c', 'b'])
    expect(body.attributes[1]).toEqual({
      name: 'a c',
      type: int(I32),
      shape: { class: 'H5S_SIMPLE', dims: [1] },
      created: expect.stringMatching(TIMESTAMP),
      lastModified: expect.stringMatching(TIMESTAMP),
      href: `${domain.base}${path}/a+c`,
    })
    const self = `${domain.base}${path}`
    const rest = { root: `${domain.base}/groups/${domain.root}`, home: `${domain.base}/` }
    expect(hrefTable({ ...body })).toEqual({ self, owner: `${domain.base}${owner}`, ...rest })
    expect((await domain.want(200, 'GET', owner)).attributeCount).toBe(3)
  })

  test('classic 9.2a: one attribute has its value and no href; four hrefs', async () => {
    const { domain, owner, path } = await owned()
    await domain.want(201, 'PUT', `${path}/a`, { type: I32, shape: [2], value: [1, 2] })
    const body = await domain.want(200, 'GET', `${path}/a`)
    expect(Object.keys(body).sort()).toEqual([
      'created',
      'hrefs',
      'lastModified',
      'name',
      'shape',
      'type',
      'value',
    ])
    expect(hrefTable(body)).toEqual({
      self: `${domain.base}${path}/a`,
      owner: `${domain.base}${owner}`,
      root: `${domain.base}/groups/${domain.root}`,
      home: `${domain.base}/`,
    })
  })

  test('classic 9.3b, 9.3d: PUT is 201 with hrefs self, owner, root; a name that exists is 409 and stays', async () => {
    const { domain, owner, path } = await owned()
    const body = await domain.want(201, 'PUT', `${path}/a`, { type: I32, value: 1 })
    expect(hrefTable(body)).toEqual({
      self: `${domain.base}${path}/a`,
      owner: `${domain.base}${owner}`,
      root: `${domain.base}/groups/${domain.root}`,
    })
    await domain.refuse(409, 'PUT', `${path}/a`, { type: I32, value: 1 })
    await domain.refuse(409, 'PUT', `${path}/a`, { type: I32, value: 2 })
    expect((await domain.want(200, 'GET', `${path}/a`)).value).toBe(1)
  })

  test('classic 9.4a: DELETE is 200 with hrefs self, owner, root, home', async () => {
    const { domain, owner, path } = await owned()
    await domain.want(201, 'PUT', `${path}/a`, { type: I32, value: 1 })
    const body = await domain.want(200, 'DELETE', `${path}/a`)
    expect(relsOf(body)).toEqual(['self', 'owner', 'root', 'home'])
    expect(hrefTable(body)).toMatchObject({ self: `${domain.base}${path}`, owner: `${domain.base}${owner}` })
    expect((await domain.want(200, 'GET', owner)).attributeCount).toBe(0)
    await domain.refuse(404, 'DELETE', `${path}/nosuch`)
  })

  test('classic 9.2f: unknown objects and attributes, and objects of another collection, are 404', async () => {
    const { domain, owner, path } = await owned()
    await domain.refuse(404, 'GET', `${path}/nosuch`)
    const id = owner.split('/')[2]
    for (const other of OWNERS.map(([name]) => name).filter(name => name !== collection)) {
      await domain.refuse(404, 'GET', `/${other}/${id}/attributes`)
      await domain.refuse(404, 'PUT', `/${other}/${id}/attributes/a`, { type: I32, value: 1 })
    }
    for (const id of [UNKNOWN_ID, 'nonsense']) {
      await domain.refuse(404, 'GET', `/${collection}/${id}/attributes`)
      await domain.refuse(404, 'GET', `/${collection}/${id}/attributes/a`)
      await domain.refuse(404, 'PUT', `/${collection}/${id}/attributes/a`, { type: I32, value: 1 })
      await domain.refuse(404, 'DELETE', `/${collection}/${id}/attributes/a`)
    }
  })
})

describe('classic 9.2 and 9.3: shapes and values', () => {
  const weather = compound({ time: 'H5T_STD_I64LE', pressure: 'H5T_IEEE_F64LE', wind: fixed(6) })
  test.each<[string, Fields, unknown, unknown]>([
    ['classic 9.2d, 9.3c: scalar', { type: I32, value: 42 }, { class: 'H5S_SCALAR' }, 42],
    ['scalar by an empty shape', { type: I32, shape: [], value: 42 }, { class: 'H5S_SCALAR' }, 42],
    ['scalar as a one-element list', { type: I32, value: [42] }, { class: 'H5S_SCALAR' }, 42],
    ['classic 9.2b: null', { type: I32, shape: 'H5S_NULL' }, { class: 'H5S_NULL' }, null],
    ['null, value ignored', { type: I32, shape: 'H5S_NULL', value: [1] }, { class: 'H5S_NULL' }, null],
    [
      'classic 9.3c: integer shape',
      { type: I32, shape: 2, value: [1, 2] },
      { class: 'H5S_SIMPLE', dims: [2] },
      [1, 2],
    ],
    [
      'classic 9.3c: float list',
      { type: 'H5T_IEEE_F64LE', shape: [1], value: [3.12] },
      { class: 'H5S_SIMPLE', dims: [1] },
      [3.12],
    ],
    [
      'matrix',
      {
        type: I32,
        shape: [2, 2],
        value: [
          [0, 1],
          [2, 3],
        ],
      },
      { class: 'H5S_SIMPLE', dims: [2, 2] },
      [
        [0, 1],
        [2, 3],
      ],
    ],
    ['no elements', { type: I32, shape: [0], value: [] }, { class: 'H5S_SIMPLE', dims: [0] }, []],
    [
      'classic 9.3c: a bare string for shape [1]',
      { type: fixed(5), shape: [1], value: 'hello' },
      { class: 'H5S_SIMPLE', dims: [1] },
      ['hello'],
    ],
    ['a string cut to its length', { type: fixed(3), value: 'hello' }, { class: 'H5S_SCALAR' }, 'hel'],
    [
      'classic 9.3c: strings',
      { type: variable(), shape: [2], value: ['a', ''] },
      { class: 'H5S_SIMPLE', dims: [2] },
      ['a', ''],
    ],
    [
      'a scalar compound',
      { type: weather, value: [1412732704, 35.43, 'SE 8'] },
      { class: 'H5S_SCALAR' },
      [1412732704, 35.43, 'SE 8'],
    ],
    [
      'classic 9.3c: a compound of shape [1]',
      { type: weather, shape: [1], value: [[1, 2, 'x']] },
      { class: 'H5S_SIMPLE', dims: [1] },
      [[1, 2, 'x']],
    ],
    [
      'a compound of shape [1], flat',
      { type: weather, shape: [1], value: [1, 2, 'x'] },
      { class: 'H5S_SIMPLE', dims: [1] },
      [[1, 2, 'x']],
    ],
    ['a scalar sequence', { type: vlen(I32), value: [1, 2, 3] }, { class: 'H5S_SCALAR' }, [1, 2, 3]],
  ])('%s', async (_title, body, shape, value) => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/attributes/a`
    await domain.want(201, 'PUT', path, body)
    const attribute = await domain.want(200, 'GET', path)
    expect(attribute.shape).toEqual(shape)
    expect(attribute.value).toEqual(value)
  })

  test('classic 9.2e: the shape never has maxdims', async () => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/attributes/a`
    const body = { type: I32, shape: [2], maxdims: [4], value: [1, 2] }
    await domain.want(201, 'PUT', path, body, { undeclared: true })
    expect((await domain.want(200, 'GET', path)).shape).toEqual({ class: 'H5S_SIMPLE', dims: [2] })
  })

  test('classic 9.3c, 14.3k: a committed type: by its UUID or datatypes/<uuid>, shown as datatypes/<uuid>; unknown 404', async () => {
    const domain = await newDomain()
    const id = await domain.datatype({ type: I32 })
    const path = `/groups/${domain.root}/attributes`
    for (const [name, type] of [
      ['a', id],
      ['b', `datatypes/${id}`],
    ]) {
      await domain.want(201, 'PUT', `${path}/${name}`, { type, value: 1 })
      expect((await domain.want(200, 'GET', `${path}/${name}`)).type).toBe(`datatypes/${id}`)
    }
    await domain.refuse(404, 'PUT', `${path}/c`, { type: UNKNOWN_ID, value: 1 })
  })

  test('an attribute of many megabytes', async () => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/attributes/a`
    const value = Array.from({ length: 300_000 }, (_, i) => i * 7)
    await domain.want(201, 'PUT', path, { type: I32, shape: [300_000], value })
    expect((await domain.want(200, 'GET', path)).value).toEqual(value)
  })

  test('classic 9.3c: DIMENSION_LIST and REFERENCE_LIST are accepted as ordinary attributes', async () => {
    const domain = await newDomain()
    const scale = await domain.dataset({ type: I32, shape: [2] })
    const data = await domain.dataset({ type: I32, shape: [2] })
    const reference = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
    await domain.want(201, 'PUT', `/datasets/${data}/attributes/DIMENSION_LIST`, {
      type: vlen(reference),
      shape: [1],
      value: [[`datasets/${scale}`]],
    })
    const list = await domain.want(200, 'GET', `/datasets/${data}/attributes/DIMENSION_LIST`)
    expect(list.value).toEqual([[`datasets/${scale}`]])
    const type = compound({ dataset: reference, dimension: I32 })
    const value = [[`datasets/${data}`, 0]]
    await domain.want(201, 'PUT', `/datasets/${scale}/attributes/REFERENCE_LIST`, { type, shape: [1], value })
    await domain.want(200, 'GET', `/datasets/${scale}/attributes/REFERENCE_LIST`)
  })

  test.each<[string, unknown]>([
    ['no body', undefined],
    ['classic 3.9a, 9.3e: malformed JSON', '{"type": "H5T_STD_I32LE", "value": '],
    ['truncated JSON', '{"type": "H5T_STD_I32LE", "value": 4'],
    ['classic 9.3a: no type', { value: 1 }],
    ['classic 9.3a: bad type', { type: 'badtype', value: 1 }],
    ['classic 9.3e: no value', { type: I32 }],
    ['no value for a shape', { type: I32, shape: [2] }],
    ['classic 9.3e: bad shape', { type: I32, shape: [-1], value: [1] }],
    ['unknown shape word', { type: I32, shape: 'H5S_FOO', value: 1 }],
    ['too few elements', { type: I32, shape: [3], value: [1, 2] }],
    ['too many elements', { type: I32, shape: [3], value: [1, 2, 3, 4] }],
    ['many for a scalar', { type: I32, value: [1, 2] }],
    ['a ragged matrix', { type: I32, shape: [2, 2], value: [[1, 2], [3]] }],
    ['text for an integer', { type: I32, value: 'x' }],
    ['a bad reference', { type: { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }, value: 'x' }],
    ['a list as body', []],
  ])('9.3: %s is 400 and makes no attribute', async (_title, body) => {
    const domain = await newDomain()
    await domain.refuse(400, 'PUT', `/groups/${domain.root}/attributes/a`, body)
    expect((await domain.want(200, 'GET', `/groups/${domain.root}/attributes`)).attributes).toEqual([])
  })
})

describe('classic 15.6: region references in attributes', () => {
  const type = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }

  test('classic 9.3c, 15.6a, 15.6b, 15.6c, 15.6d, 15.6e: points, hyperslabs (exclusive ends), all: written and read back the same', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [3, 16] })
    const points = {
      id,
      select_type: 'H5S_SEL_POINTS',
      selection: [
        [0, 1],
        [2, 11],
        [1, 0],
        [2, 4],
      ],
    }
    const blocks = {
      id,
      select_type: 'H5S_SEL_HYPERSLABS',
      selection: [
        [
          [0, 0],
          [1, 3],
        ],
        [
          [0, 11],
          [1, 14],
        ],
        [
          [2, 0],
          [3, 3],
        ],
        [
          [2, 11],
          [3, 14],
        ],
      ],
    }
    const all = { id, select_type: 'H5S_SEL_ALL' }
    const path = `/groups/${domain.root}/attributes/a`
    await domain.want(201, 'PUT', path, { type, shape: [3], value: [points, blocks, all] })
    const { value } = await domain.want(200, 'GET', path)
    expect(value).toEqual([points, blocks, { ...all, selection: null }])
    await domain.want(201, 'PUT', `/groups/${domain.root}/attributes/b`, { type, shape: [3], value })
    expect((await domain.want(200, 'GET', `/groups/${domain.root}/attributes/b`)).value).toEqual(value)
  })

  test('classic 9.3c, 15.6c: none, and the null reference, are accepted', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [3, 16] })
    const value = [{ id, select_type: 'H5S_SEL_NONE' }, { select_type: 'H5S_SEL_NONE' }]
    await domain.want(201, 'PUT', `/groups/${domain.root}/attributes/a`, { type, shape: [2], value })
    await domain.want(200, 'GET', `/groups/${domain.root}/attributes/a`)
  })

  test.each<[string, (id: string) => unknown]>([
    ['no select_type', id => ({ id, selection: [[0, 0]] })],
    ['unknown select_type', id => ({ id, select_type: 'H5S_SEL_FOO', selection: [[0, 0]] })],
    ['no id', () => ({ select_type: 'H5S_SEL_POINTS', selection: [[0, 0]] })],
    ['unknown id', () => ({ id: UNKNOWN_ID, select_type: 'H5S_SEL_POINTS', selection: [[0, 0]] })],
    ['no selection', id => ({ id, select_type: 'H5S_SEL_POINTS' })],
    ['points of another rank', id => ({ id, select_type: 'H5S_SEL_POINTS', selection: [[0]] })],
    ['blocks of another rank', id => ({ id, select_type: 'H5S_SEL_HYPERSLABS', selection: [[[0], [1]]] })],
    [
      'negative start',
      id => ({
        id,
        select_type: 'H5S_SEL_HYPERSLABS',
        selection: [
          [
            [-1, 0],
            [1, 1],
          ],
        ],
      }),
    ],
    [
      'stop at start',
      id => ({
        id,
        select_type: 'H5S_SEL_HYPERSLABS',
        selection: [
          [
            [1, 0],
            [1, 1],
          ],
        ],
      }),
    ],
    ['text', () => 'x'],
  ])('%s is 400', async (_title, reference) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [3, 16] })
    const body = { type, shape: [1], value: [reference(id)] }
    await domain.refuse(400, 'PUT', `/groups/${domain.root}/attributes/a`, body)
  })
})

describe('classic 8: committed datatypes', () => {
  test('classic 8.1a, 8.2a, 8.3a: list, create, read', async () => {
    const domain = await newDomain()
    const made = await domain.want<{ id: string }>(201, 'POST', '/datatypes', { type: 'H5T_IEEE_F32LE' })
    expect(Object.keys(made).sort()).toEqual(['attributeCount', 'created', 'hrefs', 'id', 'lastModified'])
    expect(made).toMatchObject({ attributeCount: 0, created: expect.stringMatching(TIMESTAMP) })
    const root = `${domain.base}/groups/${domain.root}`
    const home = `${domain.base}/`
    const self = `${domain.base}/datatypes/${made.id}`
    expect(hrefTable({ ...made })).toEqual({ self, root, attributes: `${self}/attributes` })
    const list = await domain.want(200, 'GET', '/datatypes')
    expect(list.datatypes).toEqual([made.id])
    expect(hrefTable(list)).toEqual({ self: `${domain.base}/datatypes`, root, home })
    const body = await domain.want(200, 'GET', `/datatypes/${made.id}`)
    expect(body).toMatchObject({ id: made.id, type: float('H5T_IEEE_F32LE'), attributeCount: 0 })
    expect(hrefTable(body)).toEqual({ self, root, attributes: `${self}/attributes`, home })
  })

  test('classic 8.2b: link, and the refusals that create nothing', async () => {
    const domain = await newDomain()
    const id = await domain.datatype({ type: I32, link: { id: domain.root, name: 't' } })
    const link = await domain.want(200, 'GET', `/groups/${domain.root}/links/t`)
    expect(link.link).toEqual({ title: 't', class: 'H5L_TYPE_HARD', collection: 'datatypes', id })
    await domain.refuse(409, 'POST', '/datatypes', { type: I32, link: { id: domain.root, name: 't' } })
    await domain.refuse(404, 'POST', '/datatypes', { type: I32, link: { id: UNKNOWN_ID, name: 'u' } })
    await domain.refuse(400, 'POST', '/datatypes', { type: I32, link: { id: domain.root } })
    await domain.refuse(400, 'POST', '/datatypes', {})
    await domain.refuse(400, 'POST', '/datatypes')
    await domain.refuse(400, 'POST', '/datatypes', '{"type": "H5T_STD_I32LE"')
    expect((await domain.want(200, 'GET', '/datatypes')).datatypes).toEqual([id])
  })

  test('classic 8.4a, 8.3b: DELETE; what uses the type keeps working and then shows the full type', async () => {
    const domain = await newDomain()
    const id = await domain.datatype({ type: I32, link: { id: domain.root, name: 't' } })
    const dataset = await domain.dataset({ type: id, shape: [2] })
    await domain.want(200, 'PUT', `/datasets/${dataset}/value`, { value: [1, 2] })
    await domain.want(201, 'PUT', `/datasets/${dataset}/attributes/a`, { type: id, value: 3 })
    const body = await domain.want(200, 'DELETE', `/datatypes/${id}`)
    expect(hrefTable(body)).toEqual({
      self: `${domain.base}/datatypes`,
      home: `${domain.base}/`,
      root: `${domain.base}/groups/${domain.root}`,
    })
    await domain.refuse(410, 'GET', `/groups/${domain.root}/links/t`)
    expect((await domain.want(200, 'GET', `/datasets/${dataset}`)).type).toEqual(int(I32))
    expect(await domain.value(dataset)).toEqual([1, 2])
    const attribute = await domain.want(200, 'GET', `/datasets/${dataset}/attributes/a`)
    expect(attribute).toMatchObject({ type: int(I32), value: 3 })
    await domain.refuse(404, 'DELETE', `/datatypes/${id}`)
    await domain.refuse(404, 'GET', `/datatypes/${UNKNOWN_ID}`)
  })
})
