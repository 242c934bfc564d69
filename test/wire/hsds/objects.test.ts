// Groups, links, datasets and committed datatypes in the hsds dialect, one at a time (hsds-objects 5, 7, 8.9, 10, 11
// and 13; hsds-values 3 to 5).

import { beforeAll, describe, expect, test } from 'vitest'
import { send, USER1 } from '../client.ts'
import { type Domain, makeHome, newDomain, relsOf } from './domain.ts'

const UNKNOWN = '-0c1d4a5e-aaaaaaaa-11e4-800002-42ac11'
const I32 = { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }

beforeAll(makeHome)

describe('hsds-objects 1.6 and 5.3: ids in a path', () => {
  test('malformed or of another prefix 400, unknown 404, of another domain 400, deleted 410', async () => {
    const domain = await newDomain()
    const other = await newDomain()
    const group = await domain.group()
    const foreign = await other.group()
    for (const id of ['g-foobar', 'g-', `d${UNKNOWN}`, `${group}0`, group.toUpperCase()]) {
      await domain.refuse(400, 'GET', `/groups/${id}`)
    }
    await domain.refuse(404, 'GET', `/groups/g${UNKNOWN}`)
    await domain.refuse(404, 'GET', '/groups/g-0c1d4a5e-aaaa-11e4-8000-0242ac110002')
    await domain.refuse(404, 'GET', `/datasets/d${UNKNOWN}`)
    await domain.refuse(400, 'GET', `/groups/${foreign}`)
    await domain.refuse(400, 'DELETE', `/groups/${foreign}`)
    await domain.want(200, 'DELETE', `/groups/${group}`)
    await domain.refuse(410, 'GET', `/groups/${group}`)
    await domain.refuse(410, 'DELETE', `/groups/${group}`)
    await other.want(200, 'GET', `/groups/${foreign}`)
  })

  test('deleted is 410 in a body too, wherever it names an object', async () => {
    const domain = await newDomain()
    const gone = await domain.group()
    const type = await domain.datatype({ type: 'H5T_STD_I8LE' })
    for (const path of [`/groups/${gone}`, `/datatypes/${type}`]) await domain.want(200, 'DELETE', path)
    const root = `/groups/${domain.root}`
    const at = { id: gone, name: 'x' }
    await domain.refuse(410, 'POST', '/groups', { link: at })
    await domain.refuse(410, 'POST', '/groups', { parent_id: gone, h5path: 'x' })
    await domain.refuse(410, 'POST', '/groups', [{}, { links: { x: { id: gone } } }])
    await domain.refuse(410, 'POST', '/datasets', { type })
    await domain.refuse(410, 'PUT', `${root}/attributes/x`, { type })
    await domain.refuse(410, 'PUT', `${root}/links/x`, { id: gone })
    await domain.refuse(410, 'PUT', `${root}/links`, { links: { x: { id: type } } })
    await domain.refuse(410, 'PUT', `${root}/links`, { links: { x: { h5path: '/' } }, grp_ids: [gone] })
    await domain.refuse(410, 'POST', `${root}/attributes`, { obj_ids: [domain.root, type] })
    expect(await domain.want(200, 'GET', root)).toMatchObject({ linkCount: 0, attributeCount: 0 })
  })

  test('no domain 400, a folder as domain 400, an unknown domain 404', async () => {
    const domain = await newDomain()
    const at = (query: string) => send('GET', `/groups/${domain.root}${query}`, undefined, { user: USER1 })
    expect((await at('')).status).toBe(400)
    expect((await at('?domain=/home/test_user1')).status).toBe(400)
    expect((await at('?domain=/home/test_user1/nosuch.h5')).status).toBe(404)
  })
})

describe('hsds-objects 2: routing failures', () => {
  test('an unknown route is 404, a known path with another method 405', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'GET', '/nosuch')
    for (const method of ['GET', 'PUT', 'POST', 'DELETE'] as const) {
      await domain.refuse(404, method, `/groups/${domain.root}/links/`)
      await domain.refuse(404, method, `/groups/${domain.root}/attributes/`)
    }
    await domain.refuse(405, 'POST', `/groups/${domain.root}/links/a`)
    await domain.refuse(404, 'GET', `/groups/${domain.root}/links/a/b`)
    await domain.refuse(404, 'GET', `/groups/${domain.root}/attributes/`)
    await domain.refuse(405, 'PATCH', `/groups/${domain.root}`)
    await domain.refuse(405, 'DELETE', '/groups')
  })
})

describe('hsds-objects 10: groups', () => {
  test.each([
    ['no body', undefined],
    ['{}', {}],
    ['null', 'null'],
  ])('POST with %s: an anonymous group', async (_title, body) => {
    const domain = await newDomain()
    const group = await domain.want<{ id: string }>(201, 'POST', '/groups', body)
    expect(group).toMatchObject({
      id: expect.stringMatching(/^g-.{36}$/),
      root: domain.root,
      created: expect.any(Number),
      lastModified: expect.any(Number),
      linkCount: 0,
      attributeCount: 0,
    })
    await domain.want(200, 'GET', `/groups/${group.id}`)
    expect((await domain.want(200, 'GET', '/groups')).groups).toEqual([])
  })

  test('GET: counts, domain, five hrefs; links and attributes absent unless asked', async () => {
    const domain = await newDomain()
    const id = await domain.group('g')
    await domain.group('inner', id)
    const body = await domain.want(200, 'GET', `/groups/${id}`)
    expect(body).toMatchObject({
      id,
      root: domain.root,
      linkCount: 1,
      attributeCount: 0,
      domain: domain.path,
    })
    expect(body).not.toHaveProperty('links')
    expect(body).not.toHaveProperty('attributes')
    expect(body).not.toHaveProperty('creationProperties')
    expect(relsOf(body)).toEqual(['self', 'links', 'root', 'home', 'attributes'])
  })

  test('creationProperties are any JSON, kept verbatim', async () => {
    const domain = await newDomain()
    for (const creationProperties of [{ CreateOrder: true, rdcc_nbytes: 1024 }, 'YWJj']) {
      const { id } = await domain.want<{ id: string }>(201, 'POST', '/groups', { creationProperties })
      expect((await domain.want(200, 'GET', `/groups/${id}`)).creationProperties).toEqual(creationProperties)
    }
  })

  test('DELETE: {} and then 410; links to it stay and dangle; the root group is 403', async () => {
    const domain = await newDomain()
    const id = await domain.group('g')
    const child = await domain.group('child', id)
    await domain.want(200, 'DELETE', `/groups/${id}`)
    await domain.refuse(410, 'GET', `/groups/${id}`)
    await domain.want(200, 'GET', `/groups/${child}`)
    expect((await domain.want(200, 'GET', `/groups/${domain.root}/links/g`)).link).toMatchObject({ id })
    await domain.refuse(403, 'DELETE', `/groups/${domain.root}`)
  })

  test.each<[string, number, (root: string) => unknown]>([
    ['a link without name', 400, root => ({ link: { id: root } })],
    ['a link name with a slash', 400, root => ({ link: { id: root, name: 'a/b' } })],
    ['a malformed group', 400, () => ({ link: { id: 'foobar', name: 'a' } })],
    ['an unknown group', 404, () => ({ link: { id: `g${UNKNOWN}`, name: 'a' } })],
    ['a name that is taken', 409, root => ({ link: { id: root, name: 'taken' } })],
    ['malformed JSON', 400, () => '{"link"'],
  ])('POST: %s is %i and makes nothing', async (_title, status, body) => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/taken`, { h5path: '/x' })
    await domain.refuse(status, 'POST', '/groups', body(domain.root))
    expect((await domain.want(200, 'GET', `/groups/${domain.root}`)).linkCount).toBe(1)
  })
})

describe('hsds-objects 8.9: collections list what hard links reach, the root group left out', () => {
  test('linked objects show, anonymous ones do not; Limit and Marker', async () => {
    const domain = await newDomain()
    const outer = await domain.group('outer')
    const inner = await domain.group('inner', outer)
    await domain.group()
    const dataset = await domain.dataset({ type: I32, link: { id: inner, name: 'd' } })
    await domain.dataset({ type: I32 })
    const body = await domain.want(200, 'GET', '/groups')
    const sorted = [outer, inner].sort()
    expect(body.groups).toEqual(sorted)
    expect(relsOf(body)).toEqual(['self', 'root', 'home'])
    expect((await domain.want(200, 'GET', '/groups?Limit=1')).groups).toEqual(sorted.slice(0, 1))
    expect((await domain.want(200, 'GET', `/groups?Marker=${sorted[0]}`)).groups).toEqual(sorted.slice(1))
    expect((await domain.want(200, 'GET', '/datasets')).datasets).toEqual([dataset])
    expect((await domain.want(200, 'GET', '/datatypes')).datatypes).toEqual([])
    await domain.refuse(400, 'GET', '/groups?Limit=abc')
    await domain.refuse(400, 'GET', '/groups?Limit=-1')
  })

  test.each([
    ['group', 'g'],
    ['dataset', 'd'],
    ['datatype', 't'],
  ])('the list goes on after a deleted %s', async (kind, prefix) => {
    const domain = await newDomain()
    const made: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) {
      const body = kind === 'group' ? {} : { type: I32 }
      const { id } = await domain.want(201, 'POST', `/${kind}s`, { ...body, link: { id: domain.root, name } })
      made.push(id as string)
    }
    const sorted = made.sort()
    const list = async (marker = '') =>
      (await domain.want(200, 'GET', `/${kind}s?Marker=${marker}`))[`${kind}s`]
    for (const id of [sorted[1], sorted[3]]) await domain.want(200, 'DELETE', `/${kind}s/${id}`)
    expect(await list(sorted[1])).toEqual([sorted[2]])
    expect(await list(sorted[3])).toEqual([])
    await domain.refuse(404, 'GET', `/${kind}s?Marker=${prefix}${UNKNOWN}`)
  })
})

describe('hsds-objects 11: links', () => {
  async function link(domain: Domain, body: unknown, name = 'l') {
    const path = `/groups/${domain.root}/links/${encodeURIComponent(name)}`
    await domain.want(201, 'PUT', path, body)
    return await domain.want(200, 'GET', path)
  }

  test('GET of each class', async () => {
    const domain = await newDomain()
    const id = await domain.group()
    const hard = await link(domain, { id }, 'hard')
    expect(hard.link).toMatchObject({ title: 'hard', class: 'H5L_TYPE_HARD', id, collection: 'groups' })
    expect(relsOf(hard)).toEqual(['self', 'home', 'owner', 'target'])
    expect(hard.created).toBe(hard.lastModified)
    const soft = await link(domain, { h5path: 'a/b' }, 'soft')
    expect(soft.link).toMatchObject({ title: 'soft', class: 'H5L_TYPE_SOFT', h5path: 'a/b' })
    expect(soft.link).not.toHaveProperty('h5domain')
    expect(soft.link).not.toHaveProperty('file')
    expect(relsOf(soft)).toEqual(['self', 'home', 'owner'])
    for (const key of ['h5domain', 'file']) {
      const external = await link(domain, { h5path: 'a/b', [key]: '/home/x.h5' }, key)
      const both = { h5domain: '/home/x.h5', file: '/home/x.h5' }
      expect(external.link).toMatchObject({ class: 'H5L_TYPE_EXTERNAL', h5path: 'a/b', ...both })
    }
  })

  test('GET of all: by title, each with created; hard ones with collection and target; three hrefs', async () => {
    const domain = await newDomain()
    const id = await domain.group('b')
    await link(domain, { h5path: '/b' }, 'a')
    const body = await domain.want<{ links: object[] }>(200, 'GET', `/groups/${domain.root}/links`)
    expect(body.links).toMatchObject([
      {
        title: 'a',
        class: 'H5L_TYPE_SOFT',
        h5path: '/b',
        created: expect.any(Number),
        href: expect.any(String),
      },
      { title: 'b', class: 'H5L_TYPE_HARD', id, collection: 'groups', target: expect.any(String) },
    ])
    expect(relsOf(body)).toEqual(['self', 'home', 'owner'])
  })

  test('Limit, and Marker exclusive; an unknown Marker is 404', async () => {
    const domain = await newDomain()
    for (const title of ['c', 'a', 'b']) await link(domain, { h5path: '/x' }, title)
    const titles = async (query: string) => {
      const body = await domain.want<{ links: { title: string }[] }>(
        200,
        'GET',
        `/groups/${domain.root}/links${query}`,
      )
      return body.links.map(item => item.title)
    }
    expect(await titles('')).toEqual(['a', 'b', 'c'])
    expect(await titles('?Limit=2')).toEqual(['a', 'b'])
    expect(await titles('?Marker=a&Limit=1')).toEqual(['b'])
    expect(await titles('?Marker=c')).toEqual([])
    await domain.refuse(404, 'GET', `/groups/${domain.root}/links?Marker=nosuch`)
    await domain.refuse(400, 'GET', `/groups/${domain.root}/links?Limit=x`)
  })

  test('1.8: created of links made one after another is strictly increasing', async () => {
    const domain = await newDomain()
    const created: number[] = []
    for (const title of ['z', 'y', 'x', 'w'])
      created.push(Number((await link(domain, { h5path: '/' }, title)).created))
    expect(created).toEqual([...new Set(created)].sort((a, b) => a - b))
  })

  test('PUT of the same link again is 200, of another one 409', async () => {
    const domain = await newDomain()
    const id = await domain.group()
    const path = `/groups/${domain.root}/links/l`
    await domain.want(201, 'PUT', path, { id })
    await domain.want(200, 'PUT', path, { id })
    await domain.refuse(409, 'PUT', path, { h5path: '/a' })
    await domain.refuse(409, 'PUT', path, { id: domain.root })
  })

  test.each<[string, number, unknown]>([
    ['no body', 400, undefined],
    ['{}', 400, {}],
    ['id and h5path', 400, { id: `g${UNKNOWN}`, h5path: '/a' }],
    ['an empty h5path', 400, { h5path: '' }],
    ['a class that disagrees', 400, { class: 'H5L_TYPE_HARD', h5path: '/a' }],
    ['h5domain and file that differ', 400, { h5path: '/a', h5domain: '/b', file: '/c' }],
    ['a malformed id', 400, { id: 'foobar' }],
    ['an unknown id', 404, { id: `g${UNKNOWN}` }],
  ])('PUT: %s is %i', async (_title, status, body) => {
    const domain = await newDomain()
    await domain.refuse(status, 'PUT', `/groups/${domain.root}/links/l`, body)
  })

  test('PUT: an id of another domain is 400', async () => {
    const domain = await newDomain()
    const foreign = await (await newDomain()).group()
    await domain.refuse(400, 'PUT', `/groups/${domain.root}/links/l`, { id: foreign })
  })

  test.each(['a b', 'a+b', 'a\\b', '#x', '%', '数', '{x}'])(
    'a title may be %j; + is a plus (clients 9.1)',
    async title => {
      const domain = await newDomain()
      expect((await link(domain, { h5path: '/x' }, title)).link).toMatchObject({ title })
      if (title.includes('+')) await domain.want(200, 'GET', `/groups/${domain.root}/links/a+b`)
    },
  )

  test('DELETE: the object stays; 410 afterwards, 404 for what never was, made again it is there', async () => {
    const domain = await newDomain()
    const id = await domain.group('g')
    const path = `/groups/${domain.root}/links/g`
    await domain.want(200, 'DELETE', path)
    await domain.refuse(410, 'GET', path)
    await domain.refuse(410, 'DELETE', path)
    await domain.refuse(404, 'DELETE', `${path}2`)
    await domain.want(200, 'GET', `/groups/${id}`)
    await domain.want(201, 'PUT', path, { id })
    await domain.want(200, 'GET', path)
  })
})

describe('hsds-values 3 to 5: datasets', () => {
  test('POST: id, root, times, attributeCount, type, shape', async () => {
    const domain = await newDomain()
    const body = await domain.want(201, 'POST', '/datasets', {
      type: 'H5T_STD_I32LE',
      shape: [10],
      maxdims: [20],
    })
    expect(body).toMatchObject({
      id: expect.stringMatching(/^d-.{36}$/),
      root: domain.root,
      created: expect.any(Number),
      lastModified: expect.any(Number),
      attributeCount: 0,
      type: I32,
      shape: { class: 'H5S_SIMPLE', dims: [10], maxdims: [20] },
    })
  })

  test('GET: domain, layout in both places, five hrefs', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [4, 6] })
    const body = await domain.want(200, 'GET', `/datasets/${id}`)
    const layout = { class: 'H5D_CHUNKED', dims: [expect.any(Number), expect.any(Number)] }
    expect(body).toMatchObject({
      id,
      root: domain.root,
      domain: domain.path,
      type: I32,
      shape: { class: 'H5S_SIMPLE', dims: [4, 6] },
      layout,
      creationProperties: { layout },
      attributeCount: 0,
    })
    expect(body.shape).not.toHaveProperty('maxdims')
    expect(body).not.toHaveProperty('attributes')
    expect(body).not.toHaveProperty('num_chunks')
    expect(relsOf(body)).toEqual(['self', 'root', 'home', 'attributes', 'data'])
  })

  test('GET: maxdims whenever it was given, 0 as 0; scalar and null shapes have no dims', async () => {
    const domain = await newDomain()
    const shapeOf = async (body: object) => {
      const id = await domain.dataset({ type: I32, ...body })
      return (await domain.want(200, 'GET', `/datasets/${id}/shape`)).shape
    }
    expect(await shapeOf({ shape: [3, 5], maxdims: [3, 0] })).toEqual({
      class: 'H5S_SIMPLE',
      dims: [3, 5],
      maxdims: [3, 0],
    })
    expect(await shapeOf({})).toEqual({ class: 'H5S_SCALAR' })
    expect(await shapeOf({ shape: 'H5S_SCALAR' })).toEqual({ class: 'H5S_SCALAR' })
    expect(await shapeOf({ shape: 'H5S_NULL' })).toEqual({ class: 'H5S_NULL' })
  })

  test('GET type and shape have three hrefs', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [4] })
    expect(relsOf(await domain.want(200, 'GET', `/datasets/${id}/type`))).toHaveLength(3)
    const shape = await domain.want(200, 'GET', `/datasets/${id}/shape`)
    expect(relsOf(shape)).toHaveLength(3)
    expect(shape).not.toHaveProperty('type')
  })

  test('PUT shape is 201 (hsds-values 5); growing shows the fill value, shrinking discards', async () => {
    const domain = await newDomain()
    const creationProperties = { fillValue: 42 }
    const id = await domain.dataset({ type: I32, shape: [4], maxdims: [0], creationProperties })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [1, 2, 3, 4] })
    await domain.want(201, 'PUT', `/datasets/${id}/shape`, { shape: [2] })
    await domain.want(201, 'PUT', `/datasets/${id}/shape`, { shape: [5] })
    expect(await domain.value(id)).toEqual([1, 2, 42, 42, 42])
  })

  test('PUT shape: beyond maxdims 409, otherwise bad 400', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [4], maxdims: [6] })
    await domain.refuse(409, 'PUT', `/datasets/${id}/shape`, { shape: [7] })
    for (const shape of [[4, 4], [-1], [1.5], 'x', null]) {
      await domain.refuse(400, 'PUT', `/datasets/${id}/shape`, { shape })
    }
    await domain.refuse(400, 'PUT', `/datasets/${await domain.dataset({ type: I32, shape: [4] })}/shape`, {
      shape: [4],
    })
  })

  test('DELETE: {} and then 410', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: I32, shape: [4] })
    await domain.want(200, 'DELETE', `/datasets/${id}`)
    await domain.refuse(410, 'GET', `/datasets/${id}`)
    await domain.refuse(410, 'GET', `/datasets/${id}/value`)
  })

  test.each<[string, object]>([
    ['no type', { shape: [4] }],
    ['unknown type', { type: 'H5T_NATIVE_INT' }],
    ['class and base that disagree', { type: { class: 'H5T_FLOAT', base: 'H5T_STD_I32LE' } }],
    ['negative extent', { type: I32, shape: [-4] }],
    ['maxdims of another rank', { type: I32, shape: [4], maxdims: [4, 4] }],
    ['rank 33', { type: I32, shape: Array(33).fill(1) }],
    ['fill value of another type', { type: I32, shape: [1], creationProperties: { fillValue: 'XXXX' } }],
  ])('POST: %s is 400', async (_title, body) => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/datasets', body)
  })
})

describe('hsds-objects 13: committed datatypes', () => {
  test('POST, GET, use by a dataset, DELETE', async () => {
    const domain = await newDomain()
    const made = await domain.want<{ id: string }>(201, 'POST', '/datatypes', { type: 'H5T_IEEE_F32LE' })
    const type = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F32LE' }
    expect(made).toMatchObject({ root: domain.root, type, attributeCount: 0, created: expect.any(Number) })
    expect(made.id).toMatch(/^t-.{36}$/)
    const body = await domain.want(200, 'GET', `/datatypes/${made.id}`)
    expect(body).toMatchObject({ id: made.id, type, domain: domain.path })
    expect(relsOf(body)).toEqual(['self', 'root', 'home', 'attributes'])
    const dataset = await domain.dataset({ type: made.id, shape: [2] })
    expect((await domain.want(200, 'GET', `/datasets/${dataset}`)).type).toMatchObject({
      ...type,
      id: made.id,
    })
    await domain.want(200, 'DELETE', `/datatypes/${made.id}`)
    await domain.refuse(410, 'GET', `/datatypes/${made.id}`)
    expect(await domain.value(dataset)).toEqual([0, 0])
    await domain.refuse(404, 'POST', '/datasets', { type: `t${UNKNOWN}` })
  })
})
