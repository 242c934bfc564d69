// The specification line by line, part 1: datasets (sections 2.1, 4.1) over HTTP.

import { describe, expect, test } from 'vitest'
import { type Domain, hrefTable, newDomain, relsOf } from './domain.ts'

const UNKNOWN_ID = '0c1d4a5e-aaaa-11e4-8000-0242ac110002'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const F32 = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F32LE' }

async function described(domain: Domain, body: object) {
  const id = await domain.dataset({ ...body })
  return await domain.want<{ type: unknown; shape: unknown; creationProperties: object }>(
    200,
    'GET',
    `/datasets/${id}`,
  )
}

describe('specification 2.1, fields of the creation request', () => {
  test('type: a predefined type name', async () => {
    const domain = await newDomain()
    expect((await described(domain, { type: 'H5T_IEEE_F32LE' })).type).toEqual(F32)
  })

  test('type: a JSON object, with the keys that the specification shows for a string type', async () => {
    const domain = await newDomain()
    const type = {
      class: 'H5T_STRING',
      strsize: 'H5T_VARIABLE',
      cset: 'H5T_CSET_ASCII',
      order: 'H5T_ORDER_NONE',
      strpad: 'H5T_STR_NULLTERM',
    }
    expect((await described(domain, { type })).type).toMatchObject({
      class: 'H5T_STRING',
      length: 'H5T_VARIABLE',
      charSet: 'H5T_CSET_ASCII',
      strPad: 'H5T_STR_NULLTERM',
    })
  })

  test('type: the UUID of a committed type', async () => {
    const domain = await newDomain()
    const committed = await domain.datatype({ type: 'H5T_IEEE_F32LE' })
    const dataset = await described(domain, { type: committed, shape: [3] })
    expect(dataset.type).toBe(`datatypes/${committed}`)
  })

  test('classic 7.2a, 7.2d: type is required', async () => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/datasets', { shape: [10] })
    await domain.refuse(400, 'POST', '/datasets', {})
    await domain.refuse(400, 'POST', '/datasets')
  })

  const shapes: [string, object, object][] = [
    ['an integer array', { shape: [4, 6] }, { class: 'H5S_SIMPLE', dims: [4, 6] }],
    ['classic 7.2b: a bare integer is one-dimensional', { shape: 10 }, { class: 'H5S_SIMPLE', dims: [10] }],
    ['classic 7.2b, 15.1a: omitted: a scalar dataset', {}, { class: 'H5S_SCALAR' }],
    ['classic 7.2b, 15.1b: H5S_NULL: a null dataspace', { shape: 'H5S_NULL' }, { class: 'H5S_NULL' }],
    [
      'classic 15.1c: maxdims as array, 0 is unlimited',
      { shape: [10, 4], maxdims: [20, 0] },
      { class: 'H5S_SIMPLE', dims: [10, 4], maxdims: [20, 0] },
    ],
    [
      'maxdims as a bare integer',
      { shape: 10, maxdims: 20 },
      { class: 'H5S_SIMPLE', dims: [10], maxdims: [20] },
    ],
    ['maxdims omitted: non-extensible', { shape: [10] }, { class: 'H5S_SIMPLE', dims: [10] }],
  ]
  test.each(shapes)('shape: %s', async (_title, body, shape) => {
    const domain = await newDomain()
    expect((await described(domain, { type: 'H5T_STD_I32LE', ...body })).shape).toEqual(shape)
  })

  test('maxdims is invalid when shape is H5S_NULL', async () => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/datasets', { type: 'H5T_STD_I32LE', shape: 'H5S_NULL', maxdims: [0] })
    await domain.refuse(400, 'POST', '/datasets', { type: 'H5T_STD_I32LE', shape: 'H5S_NULL', maxdims: 0 })
  })

  test('a null dataspace has attributes and a type but cannot store values', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: 'H5S_NULL' })
    await domain.want(201, 'PUT', `/datasets/${id}/attributes/a`, { type: 'H5T_STD_I32LE', value: 4 })
    await domain.want(200, 'GET', `/datasets/${id}/type`)
    await domain.refuse(400, 'PUT', `/datasets/${id}/value`, { value: 1 })
    expect(await domain.value(id)).toBeNull()
  })

  test('creationProperties: filters and layout as the specification shows them', async () => {
    const domain = await newDomain()
    const szip = {
      bitsPerPixel: 8,
      coding: 'H5_SZIP_EC_OPTION_MASK',
      id: 4,
      pixelsPerBlock: 32,
      pixelsPerScanline: 100,
    }
    const layout = { class: 'H5D_CHUNKED', dims: [100, 100] }
    const { creationProperties } = await described(domain, {
      type: 'H5T_IEEE_F32LE',
      shape: [1000, 1000],
      creationProperties: { filters: [szip], layout },
    })
    expect(creationProperties).toEqual({ filters: [{ ...szip, class: 'H5Z_FILTER_SZIP' }], layout })
  })

  test('creationProperties omitted: defaults are used', async () => {
    const domain = await newDomain()
    const { creationProperties } = await described(domain, { type: 'H5T_IEEE_F32LE', shape: [10] })
    expect(creationProperties).toMatchObject({ layout: { class: 'H5D_CONTIGUOUS' } })
  })
})

describe('specification 2.1, fields of the creation response', () => {
  test('id, attributeCount 0, created, lastModified, hrefs', async () => {
    const domain = await newDomain()
    const body = await domain.want(201, 'POST', '/datasets', { type: 'H5T_STD_I32LE', shape: 10 })
    expect(Object.keys(body).sort()).toEqual(['attributeCount', 'created', 'hrefs', 'id', 'lastModified'])
    expect(body.id).toMatch(UUID)
    expect(body.attributeCount).toBe(0)
    expect(body.created).toMatch(TIMESTAMP)
    expect(body.lastModified).toBe(body.created)
  })

  test('classic 7.2c: specification 2.4: hrefs are self, root, attributes and value', async () => {
    const domain = await newDomain()
    const body = await domain.want(201, 'POST', '/datasets', { type: 'H5T_STD_I32LE', shape: 10 })
    const self = `${domain.base}/datasets/${body.id}`
    expect(relsOf(body)).toEqual(['self', 'root', 'attributes', 'value'])
    expect(hrefTable(body)).toEqual({
      self,
      root: `${domain.base}/groups/${domain.root}`,
      attributes: `${self}/attributes`,
      value: `${self}/value`,
    })
  })
})

describe('specification 4.1, rules of POST /datasets', () => {
  test('rule 1: when shape is omitted, the dataset is scalar', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE' })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: 42 })
    expect(await domain.value(id)).toBe(42)
  })

  test('rule 3: a maxdims entry of 0 makes that dimension unlimited, without maxdims nothing grows', async () => {
    const domain = await newDomain()
    const unlimited = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [10, 5], maxdims: [0, 5] })
    await domain.want(200, 'PUT', `/datasets/${unlimited}/shape`, { shape: [1_000_000, 5] })
    await domain.refuse(400, 'PUT', `/datasets/${unlimited}/shape`, { shape: [1_000_000, 6] })
    const fixed = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [10] })
    await domain.refuse(400, 'PUT', `/datasets/${fixed}/shape`, { shape: [11] })
  })

  test('rule 4: when type is a UUID, it refers to a committed type', async () => {
    const domain = await newDomain()
    const committed = await domain.datatype({ type: 'H5T_IEEE_F32LE' })
    const id = await domain.dataset({ type: committed })
    expect((await domain.want(200, 'GET', `/datasets/${id}/type`)).type).toEqual(F32)
    await domain.refuse(404, 'POST', '/datasets', { type: UNKNOWN_ID })
  })

  test('rule 5: link with a valid group UUID creates a link of that name to the new dataset', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    const id = await domain.dataset({ type: 'H5T_STD_I32LE', link: { id: group, name: 'd' } })
    const link = await domain.want<{ link: object }>(200, 'GET', `/groups/${group}/links/d`)
    expect(link.link).toEqual({ title: 'd', class: 'H5L_TYPE_HARD', collection: 'datasets', id })
  })

  test.each([
    ['unknown', UNKNOWN_ID, 404],
    ['not a UUID', 'nonsense', 404],
    ['a number', 5, 400],
    ['null', null, 400],
  ])('rule 6: link.id %s: the request fails and no dataset is created', async (_title, id, status) => {
    const domain = await newDomain()
    await domain.refuse(status, 'POST', '/datasets', { type: 'H5T_STD_I32LE', link: { id, name: 'd' } })
    expect((await domain.want(200, 'GET', '/datasets')).datasets).toEqual([])
  })

  test('rule 6: link.id that names a dataset: the request fails and no dataset is created', async () => {
    const domain = await newDomain()
    const other = await domain.dataset({ type: 'H5T_STD_I32LE' })
    await domain.refuse(404, 'POST', '/datasets', { type: 'H5T_STD_I32LE', link: { id: other, name: 'd' } })
    expect((await domain.want(200, 'GET', '/datasets')).datasets).toEqual([other])
  })

  test('rule 7: a new dataset has attributeCount 0', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE' })
    expect((await domain.want(200, 'GET', `/datasets/${id}`)).attributeCount).toBe(0)
  })
})
