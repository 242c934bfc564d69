// The descriptions of groups, datasets and committed datatypes, and by which path (hsds-values 4.1, 5
// and 19; hsds-objects 8.7, 10.2, 12.9 and 1.3).

import { beforeAll, describe, expect, test } from 'vitest'
import { type Fields, USER2 } from '../client.ts'
import { type Domain, makeHome, newDomain, relsOf } from './domain.ts'

const I32 = 'H5T_STD_I32LE'
const INTEGER = { class: 'H5T_INTEGER', base: I32 }
const SCALAR = { class: 'H5S_SCALAR' }

beforeAll(makeHome)

const KINDS = [
  ['groups', {}],
  ['datasets', { type: I32, shape: [4] }],
  ['datatypes', { type: I32 }],
] as const

async function make(domain: Domain, collection: string, body: Fields): Promise<string> {
  return (await domain.want<{ id: string }>(201, 'POST', `/${collection}`, body)).id
}

describe.each(KINDS)('%s', (collection, item) => {
  test.each<[string, boolean]>([
    ['', false],
    ['include_attrs=', false],
    ['include_attrs=0', false],
    ['include_attrs=false', false],
    ['include_attrs=False', false],
    ['include_attrs=1', true],
    ['include_attrs=true', true],
    ['include_attrs=T', true],
  ])('attributes with %j', async (query, isTold) => {
    const domain = await newDomain()
    const attributes = { z: { type: I32, value: 5 }, a: { type: I32, shape: [2], value: [1, 2] } }
    const id = await make(domain, collection, { ...item, attributes })
    const body = await domain.want(200, 'GET', `/${collection}/${id}?${query}`)
    if (!isTold) {
      expect(body).not.toHaveProperty('attributes')
      return
    }
    const created = expect.any(Number)
    expect(body.attributes).toEqual({
      a: { name: 'a', shape: { class: 'H5S_SIMPLE', dims: [2] }, type: INTEGER, value: [1, 2], created },
      z: { name: 'z', shape: SCALAR, type: INTEGER, value: 5, created },
    })
    expect(Object.keys(body.attributes as object)).toEqual(['a', 'z'])
    const ordered = await domain.want(200, 'GET', `/${collection}/${id}?${query}&CreateOrder=1`)
    expect(Object.keys(ordered.attributes as object)).toEqual(['z', 'a'])
  })

  test('the alias is the first path in depth-first order, none for what nothing leads to', async () => {
    const domain = await newDomain()
    const outer = await domain.group('b')
    const inner = await domain.group('z', outer)
    const id = await make(domain, collection, { ...item, link: { id: domain.root, name: 'c' } })
    const aliasOf = async (of: string) =>
      (await domain.want(200, 'GET', `/${collection}/${of}?getalias=1`)).alias
    expect(await aliasOf(id)).toEqual(['/c'])
    await domain.want(201, 'PUT', `/groups/${inner}/links/x`, { id })
    // A circle.
    await domain.want(201, 'PUT', `/groups/${inner}/links/a`, { id: outer })
    expect(await aliasOf(id)).toEqual(['/b/z/x'])
    expect(await aliasOf(await make(domain, collection, item))).toEqual([])
    expect(await domain.want(200, 'GET', `/${collection}/${id}?getalias=0`)).not.toHaveProperty('alias')
  })

  test('by an absolute path, and by a relative one from grpid, with and without a slash', async () => {
    const domain = await newDomain()
    const outer = await domain.group('outer')
    const id = await make(domain, collection, { ...item, link: { id: outer, name: 'x y' } })
    const paths = [
      '/outer/x%20y',
      '/outer//x%20y/',
      `outer/x%20y&grpid=${domain.root}`,
      `x%20y&grpid=${outer}`,
    ]
    for (const path of [...paths, `./x%20y&grpid=${outer}`]) {
      for (const slash of ['/', '']) {
        const body = await domain.want(200, 'GET', `/${collection}${slash}?h5path=${path}`)
        expect(body.id).toBe(id)
        expect(body.domain).toBe(domain.path)
      }
    }
    const full = await domain.want(
      200,
      'GET',
      `/${collection}/?h5path=/outer/x%20y&getalias=1&include_attrs=1`,
    )
    expect(full).toMatchObject({ alias: ['/outer/x y'], attributes: {} })
  })

  test.each<[string, number, string]>([
    ['neither an id nor a path', 400, ''],
    ['an empty path', 400, '?h5path='],
    ['a relative path from nowhere', 400, '?h5path=outer'],
    ['a malformed group', 400, '?h5path=outer&grpid=foobar'],
    ['the id of no group', 400, '?h5path=outer&grpid=d-00000000-00000000-0000-000000-000000'],
    ['an unknown group', 404, '?h5path=outer&grpid=g-00000000-00000000-0000-000000-000000'],
    ['a missing link', 404, '?h5path=/outer/foobar'],
    ['a link that was deleted', 410, '?h5path=/deleted'],
    ['a link to what was deleted', 410, '?h5path=/dangling'],
    ['a soft link', 400, '?h5path=/soft'],
    ['a soft link on the way', 400, '?h5path=/soft/x'],
    ['what is no group on the way', 404, '?h5path=/dataset/x'],
  ])('%s: %i', async (_title, status, query) => {
    const domain = await newDomain()
    await domain.group('outer')
    await domain.dataset({ type: I32, link: { id: domain.root, name: 'dataset' } })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/soft`, { h5path: '/outer' })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/deleted`, { h5path: '/outer' })
    await domain.want(200, 'DELETE', `/groups/${domain.root}/links/deleted`)
    const dangling = await make(domain, collection, { ...item, link: { id: domain.root, name: 'dangling' } })
    await domain.want(200, 'DELETE', `/${collection}/${dangling}`)
    await domain.refuse(status, 'GET', `/${collection}/${query}`)
  })

  test('a path to another kind of object is 404, and one that the caller may not see 403', async () => {
    const domain = await newDomain()
    for (const [other, body] of KINDS) {
      await make(domain, other, { ...body, link: { id: domain.root, name: other } })
    }
    for (const [other] of KINDS) {
      if (other !== collection) await domain.refuse(404, 'GET', `/${collection}/?h5path=/${other}`)
    }
    await domain.want(200, 'GET', `/${collection}/?h5path=/${collection}`)
    await domain.refuse(403, 'GET', `/${collection}/?h5path=/${collection}`, undefined, { user: USER2 })
  })
})

describe('groups', () => {
  test('the root by its path; a path below the group that is named by its id', async () => {
    const domain = await newDomain()
    const outer = await domain.group('outer')
    const inner = await domain.group('inner', outer)
    expect((await domain.want(200, 'GET', '/groups/?h5path=/')).id).toBe(domain.root)
    expect((await domain.want(200, 'GET', `/groups/${domain.root}?getalias=1`)).alias).toEqual(['/'])
    expect((await domain.want(200, 'GET', `/groups/${outer}?h5path=inner`)).id).toBe(inner)
    expect((await domain.want(200, 'GET', `/groups/${inner}?h5path=/outer`)).id).toBe(outer)
  })

  test('links by title, or in the order of their creation', async () => {
    const domain = await newDomain()
    const id = await domain.group('b')
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/a`, { h5path: '/b' })
    const body = await domain.want(200, 'GET', `/groups/${domain.root}?include_links=1`)
    expect(Object.keys(body.links as object)).toEqual(['a', 'b'])
    expect(body.links).toMatchObject({
      a: { title: 'a', class: 'H5L_TYPE_SOFT', h5path: '/b' },
      b: { title: 'b', class: 'H5L_TYPE_HARD', id },
    })
    const ordered = await domain.want(200, 'GET', `/groups/${domain.root}?include_links=1&CreateOrder=1`)
    expect(Object.keys(ordered.links as object)).toEqual(['b', 'a'])
  })
})

describe('datasets: statistics (hsds-values 19)', () => {
  const stats = async (domain: Domain, id: string) => {
    const body = await domain.want(200, 'GET', `/datasets/${id}?verbose=1`)
    return [body.num_chunks, body.allocated_size]
  }

  test('nothing written, written, written over, shrunk; never without verbose', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [10], maxdims: [0] })
    expect(await stats(domain, id)).toEqual([0, 0])
    const value = Array.from({ length: 10 }, (_, i) => i)
    for (let times = 0; times < 2; times++) {
      await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
      expect(await stats(domain, id)).toEqual([1, 40])
    }
    await domain.want(201, 'PUT', `/datasets/${id}/shape`, { shape: [0] })
    expect(await stats(domain, id)).toEqual([0, 0])
    const plain = await domain.want(200, 'GET', `/datasets/${id}?verbose=0`)
    expect(plain).not.toHaveProperty('num_chunks')
    expect(plain).not.toHaveProperty('allocated_size')
  })

  test.each<[string, Fields, unknown, number[]]>([
    ['two dimensions', { shape: [4, 8] }, Array(32).fill(1), [1, 128]],
    ['a scalar', {}, 1, [1, 4]],
    ['a null dataspace', { shape: 'H5S_NULL' }, undefined, [0, 0]],
    [
      'several chunks',
      { shape: [1000, 1000], creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [500, 1000] } } },
      Array(1_000_000).fill(1),
      [2, 4_000_000],
    ],
  ])('%s', async (_, dataset, value, expected) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, ...dataset, ...(value !== undefined && { value }) })
    expect(await stats(domain, id)).toEqual(expected)
    expect((await domain.send('PUT', '/?flush=1&rescan=1')).status).toBe(204)
    expect(await stats(domain, id)).toEqual(expected)
  })

  test('what filters make of the values is what answers have', async () => {
    const domain = await newDomain()
    const creationProperties = { filters: ['gzip'] }
    const value = Array(10_000).fill(7)
    const id = await domain.dataset({ type: I32, shape: [10_000], creationProperties, value })
    const [chunks, bytes] = await stats(domain, id)
    expect(chunks).toBe(1)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(1000)
  })
})

describe('datasets: extents (hsds-values 5)', () => {
  const grow = (domain: Domain, id: string, body: Fields) =>
    domain.want(201, 'PUT', `/datasets/${id}/shape`, body)

  test('extend tells the new region', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [10, 20], maxdims: [0, 0] })
    expect(await grow(domain, id, { extend: 5 })).toEqual({ selection: '[10:15,:]' })
    expect(await grow(domain, id, { extend: '10', extend_dim: '1' })).toEqual({ selection: '[:,20:30]' })
    const shape = await domain.want(200, 'GET', `/datasets/${id}/shape`)
    expect(shape.shape).toEqual({ class: 'H5S_SIMPLE', dims: [15, 30], maxdims: [0, 0] })
    expect(relsOf(shape)).toHaveLength(3)
  })

  test('a shape tells it too where one dimension grows, and nothing otherwise', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [0, 3, 0], maxdims: [0, 3, 0] })
    expect(await grow(domain, id, { shape: [5, 3, 0] })).toEqual({ selection: '[0:5,:,:]' })
    expect(await grow(domain, id, { shape: [5, 3, 0] })).toEqual({})
    expect(await grow(domain, id, { shape: [6, 3, 1] })).toEqual({})
    expect(await grow(domain, id, { shape: [4, 3, 2] })).toEqual({})
    expect(await grow(domain, id, { shape: [4, 2, 2] })).toEqual({})
    expect(await grow(domain, id, { shape: [4, 3, 2] })).toEqual({ selection: '[:,2:3,:]' })
    await domain.refuse(409, 'PUT', `/datasets/${id}/shape`, { extend: 1, extend_dim: 1 })
  })

  test('the change marks the dataset as changed', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [2], maxdims: [4] })
    const before = await domain.want(200, 'GET', `/datasets/${id}`)
    await grow(domain, id, { shape: 3 })
    const after = await domain.want(200, 'GET', `/datasets/${id}`)
    expect(after.lastModified).toBeGreaterThan(before.lastModified as number)
    expect(after.created).toBe(before.created)
  })

  test('what is dropped reads as the fill value when it is there again', async () => {
    const domain = await newDomain()
    const creationProperties = { fillValue: 42, filters: ['gzip'] }
    const id = await domain.dataset({ type: I32, shape: [10], maxdims: [10], creationProperties })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: Array(10).fill(1) })
    await grow(domain, id, { shape: [5] })
    await grow(domain, id, { shape: [10] })
    expect(await domain.value(id)).toEqual([1, 1, 1, 1, 1, 42, 42, 42, 42, 42])
  })

  test.each<[string, number, Fields, unknown]>([
    ['beyond maxdims', 409, { shape: [10], maxdims: [20] }, { shape: [25] }],
    ['beyond maxdims by extending', 409, { shape: [15], maxdims: [20] }, { extend: 10 }],
    ['without maxdims', 400, { shape: [10] }, { extend: 5 }],
    ['without maxdims, the same', 400, { shape: [10] }, { shape: [10] }],
    ['a scalar', 400, {}, { shape: [1] }],
    ['a null dataspace', 400, { shape: 'H5S_NULL' }, { shape: [1] }],
    ['another rank', 400, { shape: [10], maxdims: [0] }, { shape: [10, 1] }],
    ['negative', 400, { shape: [10], maxdims: [0] }, { shape: [-1] }],
    ['a fraction', 400, { shape: [10], maxdims: [0] }, { shape: [10.5] }],
    ['null', 400, { shape: [10], maxdims: [0] }, { shape: null }],
    ['a null extent', 400, { shape: [10], maxdims: [0] }, { shape: [null] }],
    ['true', 400, { shape: [10], maxdims: [0] }, { shape: [true] }],
    ['extend 0', 400, { shape: [10], maxdims: [0] }, { extend: 0 }],
    ['extend -1', 400, { shape: [10], maxdims: [0] }, { extend: -1 }],
    ['extend by a fraction', 400, { shape: [10], maxdims: [0] }, { extend: 1.5 }],
    ['no such dimension', 400, { shape: [10], maxdims: [0] }, { extend: 1, extend_dim: 1 }],
    ['a negative dimension', 400, { shape: [10], maxdims: [0] }, { extend: 1, extend_dim: -1 }],
    ['both', 400, { shape: [10], maxdims: [0] }, { extend: 1, shape: [11] }],
    ['neither', 400, { shape: [10], maxdims: [0] }, {}],
    ['no body', 400, { shape: [10], maxdims: [0] }, undefined],
  ])('%s: %i, and nothing changes', async (_title, status, dataset, body) => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, ...dataset })
    const before = await domain.want(200, 'GET', `/datasets/${id}/shape`)
    await domain.refuse(status, 'PUT', `/datasets/${id}/shape`, body)
    expect(await domain.want(200, 'GET', `/datasets/${id}/shape`)).toEqual(before)
  })
})
