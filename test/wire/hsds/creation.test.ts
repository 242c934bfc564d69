// Creating groups, datasets and committed datatypes: one or many, with ids, paths, attributes, links and values
// (hsds-objects 17, 10.1 and 13; hsds-values 3.6 and 3.7).

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Fields, send, USER1, USER2 } from '../client.ts'
import { type Domain, expectRefusal, makeHome, newDomain, newPath, removeDomain } from './domain.ts'

const I32 = 'H5T_STD_I32LE'
const INTEGER = { class: 'H5T_INTEGER', base: I32 }
const MALFORMED = 'foobar'

beforeAll(makeHome)

interface Made extends Fields {
  readonly id: string
}

interface Many {
  readonly objects: readonly Made[]
}

const KINDS = [
  ['groups', 'g', {}],
  ['datasets', 'd', { type: I32 }],
  ['datatypes', 't', { type: I32 }],
] as const

/** Like an id that a client makes of the root id that it has read. */
function clientId(domain: Domain, prefix: string): string {
  const digits = Array.from({ length: 16 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
  const half = domain.root.slice(2, 19)
  return `${prefix}-${half}-${digits.slice(0, 4)}-${digits.slice(4, 10)}-${digits.slice(10)}`
}

const flipped = (hex: string) =>
  hex.replace(/[0-9a-f]/g, digit => ((Number.parseInt(digit, 16) + 8) % 16).toString(16))

async function linkCount(domain: Domain): Promise<unknown> {
  return (await domain.want(200, 'GET', `/groups/${domain.root}`)).linkCount
}

describe.each(KINDS)('hsds-objects 17.1: the forms of a body for %s', (collection, prefix, item) => {
  test('one object, a list of one, a list of several', async () => {
    const domain = await newDomain()
    const path = `/${collection}`
    const single = await domain.want<Made>(201, 'POST', path, item)
    const [one] = [await domain.want<Made>(201, 'POST', path, [item])]
    expect(Object.keys(one).sort()).toEqual(Object.keys(single).sort())
    const several = await domain.want<Many>(201, 'POST', path, [item, item, item])
    expect(Object.keys(several)).toEqual(['objects'])
    expect(new Set(several.objects.map(object => object.id)).size).toBe(3)
    for (const { id } of [single, one, ...several.objects]) {
      expect(id).toMatch(new RegExp(`^${prefix}-`))
      await domain.want(200, 'GET', `${path}/${id}`)
    }
  })

  test('nothing: one anonymous group, else 400; an empty list and other JSON is 400', async () => {
    const domain = await newDomain()
    for (const body of [undefined, 'null']) {
      if (prefix !== 'g') await domain.refuse(400, 'POST', `/${collection}`, body)
      else expect(await domain.want(201, 'POST', '/groups', body)).toMatchObject({ linkCount: 0 })
    }
    for (const body of ['[]', '1', '"text"', '[1]', '[[]]', '[null]', '[{}, 1]', '{', 'true']) {
      await domain.refuse(400, 'POST', `/${collection}`, body)
    }
  })

  test('the order of the answer is that of the request', async () => {
    const domain = await newDomain()
    const titles = Array.from({ length: 50 }, (_, i) => `n${(i * 7) % 50}`)
    const items = titles.map(name => ({ ...item, link: { id: domain.root, name } }))
    const { objects } = await domain.want<Many>(201, 'POST', `/${collection}`, items)
    const { links } = await domain.want<{ links: { title: string; id: string; created: number }[] }>(
      200,
      'GET',
      `/groups/${domain.root}/links?CreateOrder=1`,
    )
    expect(links.map(link => [link.title, link.id])).toEqual(
      titles.map((title, i) => [title, objects[i]?.id]),
    )
    expect(new Set(links.map(link => link.created)).size).toBe(50)
  })

  test('more than 10,000 items are 413', async () => {
    const domain = await newDomain()
    await domain.refuse(413, 'POST', `/${collection}`, Array(10_001).fill(item))
  })

  test('all or nothing: the first bad item decides', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/taken`, { h5path: '/x' })
    const at = (id: string, name: string) => ({ ...item, link: { id, name } })
    const good = at(domain.root, 'good')
    const unknown = at(clientId(domain, 'g'), 'a')
    const taken = at(domain.root, 'taken')
    const bad = at(MALFORMED, 'a')
    const cases: [number, unknown[]][] = [
      [400, [good, bad, taken]],
      [404, [good, unknown, bad]],
      [409, [good, taken, unknown]],
      [409, [good, good]],
      [400, [good, 1]],
    ]
    for (const [status, items] of cases) await domain.refuse(status, 'POST', `/${collection}`, items)
    expect(await linkCount(domain)).toBe(1)
    const reply = await domain.send('POST', `/${collection}`, [good, taken])
    expect(reply.json().message).toMatch(/^item 1 of the list: /)
  })
})

describe.each(KINDS)('hsds-objects 17.5: ids that clients choose for %s', (collection, prefix, item) => {
  test('a good one is taken, and refused when it is in use', async () => {
    const domain = await newDomain()
    const id = clientId(domain, prefix)
    expect((await domain.want<Made>(201, 'POST', `/${collection}`, { ...item, id })).id).toBe(id)
    await domain.refuse(400, 'POST', `/${collection}`, { ...item, id })
    await domain.want(200, 'DELETE', `/${collection}/${id}`)
    await domain.refuse(410, 'GET', `/${collection}/${id}`)
    expect((await domain.want<Made>(201, 'POST', `/${collection}`, { ...item, id })).id).toBe(id)
    await domain.want(200, 'GET', `/${collection}/${id}`)
  })

  test('malformed, of another kind, of another domain, that of a root group: 400; twice in a list: 409', async () => {
    const domain = await newDomain()
    const other = await newDomain()
    const half = domain.root.slice(2, 19)
    const root = `${prefix}-${half}-${flipped(half.slice(0, 4))}-${flipped(half.slice(4, 8) + half.slice(9, 11))}-${flipped(half.slice(11))}`
    const wrong = prefix === 'g' ? 'd' : 'g'
    const ids = [MALFORMED, '', 5, null, clientId(domain, wrong), clientId(other, prefix), root]
    for (const id of ids) await domain.refuse(400, 'POST', `/${collection}`, { ...item, id })
    const id = clientId(domain, prefix)
    await domain.refuse(409, 'POST', `/${collection}`, [
      { ...item, id },
      { ...item, id },
    ])
    await domain.refuse(404, 'GET', `/${collection}/${id}`)
  })

  test('the digits of an object of another kind are in use too', async () => {
    const domain = await newDomain()
    const id = clientId(domain, 'g')
    await domain.want(201, 'POST', '/groups', { id })
    await domain.refuse(400, 'POST', `/${collection}`, { ...item, id: prefix + id.slice(1) })
  })
})

describe.each(KINDS)('hsds-values 3.6: places for %s', (collection, _prefix, item) => {
  const path = `/${collection}`

  test('a path below the root or below a group; a slash at its end says nothing', async () => {
    const domain = await newDomain()
    const outer = await domain.group('outer')
    const at = async (body: object) => (await domain.want<Made>(201, 'POST', path, { ...item, ...body })).id
    const made = [
      await at({ h5path: '/outer/a' }),
      await at({ h5path: 'outer/b/' }),
      await at({ h5path: './c', parent_id: outer }),
      await at({ h5path: '/outer//d', parent_id: domain.root }),
    ]
    const { links } = await domain.want<{ links: { title: string; id: string }[] }>(
      200,
      'GET',
      `/groups/${outer}/links`,
    )
    expect(links.map(link => [link.title, link.id])).toEqual(made.map((id, i) => ['abcd'[i], id]))
  })

  test('missing groups on the way: 404, or made with implicit', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'POST', path, { ...item, h5path: 'g2/g3/x' })
    await domain.refuse(404, 'POST', `${path}?implicit=0`, { ...item, h5path: 'g2/g3/x' })
    expect(await linkCount(domain)).toBe(0)
    const items = ['g2/g3/x', 'g2/g3/y', 'g2/z'].map(h5path => ({ ...item, h5path }))
    const { objects } = await domain.want<Many>(201, 'POST', `${path}?implicit=1`, items)
    expect(objects).toHaveLength(3)
    const { id } = await domain.want<Made>(201, 'POST', path, { ...item, h5path: '/g2/g3/w' })
    expect(id).toBeTruthy()
    const root = await domain.want<{ links: { id: string }[] }>(200, 'GET', `/groups/${domain.root}/links`)
    expect(root.links).toMatchObject([{ title: 'g2', class: 'H5L_TYPE_HARD' }])
    expect(await domain.want(200, 'GET', `/groups/${root.links[0]?.id}`)).toMatchObject({ linkCount: 2 })
  })

  test.each<[string, number, (domain: Domain) => Promise<Fields>]>([
    ['a target that is there', 409, async () => ({ h5path: '/outer' })],
    ['a dangling target', 409, async () => ({ h5path: 'soft' })],
    ['a soft link on the way', 400, async () => ({ h5path: 'soft/a' })],
    [
      'no group on the way',
      400,
      async domain => {
        await domain.dataset({ type: I32, link: { id: domain.root, name: 'd' } })
        return { h5path: 'd/a' }
      },
    ],
    ['an empty path', 400, async () => ({ h5path: '' })],
    ['the path of the root', 400, async () => ({ h5path: '/' })],
    ['a path that is no text', 400, async () => ({ h5path: 5 })],
    [
      'an absolute path below a group',
      400,
      async domain => ({ h5path: '/a', parent_id: await domain.group() }),
    ],
    ['a malformed parent', 400, async () => ({ h5path: 'a', parent_id: MALFORMED })],
    ['an unknown parent', 404, async domain => ({ h5path: 'a', parent_id: clientId(domain, 'g') })],
    ['a parent of another domain', 400, async () => ({ h5path: 'a', parent_id: (await newDomain()).root })],
    ['a path and a link', 400, async domain => ({ h5path: 'a', link: { id: domain.root, name: 'b' } })],
    ['a link without a name', 400, async domain => ({ link: { id: domain.root } })],
    ['a link that is no object', 400, async () => ({ link: 'a' })],
    ['a name with a slash', 400, async domain => ({ link: { id: domain.root, name: 'a/b' } })],
    ['an empty name', 400, async domain => ({ link: { id: domain.root, name: '' } })],
    ['a malformed group', 400, async () => ({ link: { id: MALFORMED, name: 'a' } })],
    ['a group of another domain', 400, async () => ({ link: { id: (await newDomain()).root, name: 'a' } })],
    ['a name that is taken', 409, async domain => ({ link: { id: domain.root, name: 'outer' } })],
  ])('%s is %i and makes nothing', async (_title, status, body) => {
    const domain = await newDomain()
    await domain.group('outer')
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/soft`, { h5path: '/outer' })
    const members = await body(domain)
    const before = await linkCount(domain)
    await domain.refuse(status, 'POST', `${path}?implicit=1`, { ...item, ...members })
    expect(await linkCount(domain)).toBe(before)
  })

  test('a link without a group is one of the root', async () => {
    const domain = await newDomain()
    const { id } = await domain.want<Made>(201, 'POST', path, { ...item, link: { name: 'x' } })
    expect((await domain.want(200, 'GET', `/groups/${domain.root}/links/x`)).link).toMatchObject({ id })
  })

  test('without the permission 403, without credentials 401', async () => {
    const domain = await newDomain()
    await domain.refuse(403, 'POST', path, [item, item], { user: USER2 })
    await domain.refuse(401, 'POST', path, [item, item], { user: undefined })
  })
})

describe.each(KINDS)('hsds-objects 17.2: attributes of new %s', (collection, _prefix, item) => {
  test('are made with the object and counted', async () => {
    const domain = await newDomain()
    const attributes = {
      unit: { type: I32, value: 5 },
      '10': { type: I32, shape: [2], value: [1, 2] },
      none: { type: I32, shape: 'H5S_NULL' },
    }
    const made = await domain.want<Made>(201, 'POST', `/${collection}`, { ...item, attributes })
    expect(made.attributeCount).toBe(3)
    const owner = `/${collection}/${made.id}`
    expect((await domain.want(200, 'GET', `${owner}/attributes/10`)).value).toEqual([1, 2])
    expect((await domain.want(200, 'GET', `${owner}/attributes/unit`)).value).toBe(5)
    expect((await domain.want(200, 'GET', owner)).attributeCount).toBe(3)
  })

  test('keep the order of the request, or the times that they are given', async () => {
    const domain = await newDomain()
    const names = async (attributes: Fields) => {
      const { id } = await domain.want<Made>(201, 'POST', `/${collection}`, { ...item, attributes })
      const body = await domain.want<{ attributes: { name: string; created: number }[] }>(
        200,
        'GET',
        `/${collection}/${id}/attributes?CreateOrder=1`,
      )
      return body.attributes
    }
    const scalar = { type: I32, value: 1 }
    const listed = await names({ z: scalar, a: scalar, m: scalar })
    expect(listed.map(attribute => attribute.name)).toEqual(['z', 'a', 'm'])
    const now = Date.now() / 1000
    const timed = await names({
      // The clock of the server may be some milliseconds behind.
      z: { ...scalar, created: now - 1 },
      a: { ...scalar, created: now - 100 },
      old: { ...scalar, created: 999 },
    })
    expect(timed.map(attribute => attribute.name)).toEqual(['a', 'z', 'old'])
    expect(timed[0]?.created).toBeCloseTo(now - 100, 5)
    expect(timed[2]?.created).toBeGreaterThan(now - 60)
  })

  test.each<[string, number, unknown]>([
    ['a list', 400, []],
    ['an attribute that is no object', 400, { a: 5 }],
    ['no type', 400, { a: { value: 1 } }],
    ['a value that does not fit', 400, { a: { type: I32, shape: [2], value: [1] } }],
    ['an empty name', 400, { '': { type: I32, value: 1 } }],
  ])('%s: %i, and nothing is made', async (_title, status, attributes) => {
    const domain = await newDomain()
    const link = { id: domain.root, name: 'x' }
    await domain.refuse(status, 'POST', `/${collection}`, { ...item, link, attributes })
    expect(await linkCount(domain)).toBe(0)
  })

  test.each<[unknown, string]>([
    [{ value: 1 }, 'body.attributes.v: the type is missing'],
    [{ type: I32, shape: 'x', value: 1 }, 'body.attributes.v: '],
    [{ type: I32, shape: [2], value: [1] }, 'attribute "v": 2 elements'],
  ])('%j: the message names the attribute', async (attribute, start) => {
    const domain = await newDomain()
    const attributes = { u: { type: I32, value: 1 }, v: attribute }
    const reply = await domain.send('POST', `/${collection}`, { ...item, attributes })
    expect(reply.json().message, reply.story).toMatch(new RegExp(`^${start}`))
  })
})

describe('hsds-objects 17.2: members of one kind', () => {
  test('links of a new group', async () => {
    const domain = await newDomain()
    const target = await domain.group()
    const links = {
      hard: { id: target },
      soft: { h5path: '/x' },
      file: { h5path: '/x', file: '/home/other.h5' },
    }
    const group = await domain.want<Made>(201, 'POST', '/groups', {
      links,
      attributes: { a: { type: I32, value: 1 } },
    })
    expect(group).toMatchObject({ linkCount: 3, attributeCount: 1 })
    const listed = await domain.want<{ links: Fields[] }>(
      200,
      'GET',
      `/groups/${group.id}/links?CreateOrder=1`,
    )
    expect(listed.links).toMatchObject([
      { title: 'hard', id: target },
      { title: 'soft', h5path: '/x' },
      { title: 'file', h5domain: '/home/other.h5', file: '/home/other.h5' },
    ])
    await domain.refuse(404, 'POST', '/groups', { links: { a: { id: clientId(domain, 'g') } } })
    for (const bad of [[], { a: 5 }, { a: {} }, { 'a/b': { h5path: '/x' } }]) {
      await domain.refuse(400, 'POST', '/groups', { links: bad })
    }
  })

  test('a group has no type and no shape, a datatype no shape, and only groups have links', async () => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/groups', { type: I32 })
    await domain.refuse(400, 'POST', '/groups', { shape: [1] })
    await domain.refuse(400, 'POST', '/datatypes', { type: I32, shape: [1] })
    await domain.refuse(400, 'POST', '/datatypes', { type: I32, links: {} })
    await domain.refuse(400, 'POST', '/datasets', { type: I32, links: {} })
  })

  test('creation properties of a datatype are kept', async () => {
    const domain = await newDomain()
    const { id } = await domain.want<Made>(201, 'POST', '/datatypes', {
      type: I32,
      creationProperties: 'YWJj',
    })
    expect((await domain.want(200, 'GET', `/datatypes/${id}`)).creationProperties).toBe('YWJj')
  })

  test('a committed type is resolved for each item; others of it are 404, 400', async () => {
    const domain = await newDomain()
    const type = await domain.datatype({ type: I32 })
    const { objects } = await domain.want<Many>(201, 'POST', '/datasets', [{ type }, { type: I32 }])
    expect(objects.map(object => object.type)).toEqual([{ ...INTEGER, id: type }, INTEGER])
    await domain.refuse(404, 'POST', '/datasets', [{ type: I32 }, { type: clientId(domain, 't') }])
    const foreign = await (await newDomain()).datatype({ type: I32 })
    await domain.refuse(400, 'POST', '/datasets', [{ type: I32 }, { type: foreign }])
  })

  test('unknown members are passed over, times of objects too', async () => {
    const domain = await newDomain()
    const body = { created: 5, lastModified: 5, alias: ['/x'] }
    const made = await domain.want(201, 'POST', '/groups', body, { undeclared: true })
    expect(made.created).toBeGreaterThan(1e9)
  })

  test('the dataset answer has type, shape and creation properties', async () => {
    const domain = await newDomain()
    const body = { type: I32, shape: { class: 'H5S_SIMPLE', dims: [3], maxdims: [0] } }
    expect(await domain.want(201, 'POST', '/datasets', body)).toMatchObject({
      type: INTEGER,
      shape: { class: 'H5S_SIMPLE', dims: [3], maxdims: [0] },
      creationProperties: { layout: { class: 'H5D_CHUNKED' } },
      attributeCount: 0,
    })
    for (const shape of [{ class: 'H5S_NULL' }, { class: 'H5S_SCALAR' }]) {
      expect((await domain.want(201, 'POST', '/datasets', { type: I32, shape })).shape).toEqual(shape)
    }
  })
})

describe('hsds-objects 17.4: first values', () => {
  const STRING = {
    class: 'H5T_STRING',
    charSet: 'H5T_CSET_UTF8',
    strPad: 'H5T_STR_NULLTERM',
    length: 'H5T_VARIABLE',
  }

  test.each<[string, Fields, unknown, unknown]>([
    ['numbers', { shape: [3] }, [4, 5, 6], [4, 5, 6]],
    ['a scalar', {}, 7, 7],
    ['0 over a fill value', { creationProperties: { fillValue: 3 } }, 0, 0],
    ['an empty text', { type: STRING, creationProperties: { fillValue: 'x' } }, '', ''],
    ['no elements', { shape: [0], maxdims: [0] }, [], []],
    [
      'two dimensions',
      { shape: [2, 2] },
      [
        [1, 2],
        [3, 4],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['null, which says nothing', { creationProperties: { fillValue: 3 } }, null, 3],
  ])('%s', async (_, dataset, value, read) => {
    const domain = await newDomain()
    for (const body of [
      { type: I32, ...dataset, value },
      [{ type: I32 }, { type: I32, ...dataset, value }],
    ]) {
      const answer = await domain.want<Made & Many>(201, 'POST', '/datasets', body)
      expect(await domain.value(answer.id ?? answer.objects[1]?.id)).toEqual(read)
    }
  })

  test('of many chunks, with filters, and longer than a body that is parsed at once', async () => {
    const domain = await newDomain()
    const value = Array.from({ length: 300_000 }, (_, i) => i % 1000)
    const creationProperties = { layout: { class: 'H5D_CHUNKED', dims: [50_000] }, filters: ['gzip'] }
    const dataset = { type: 'H5T_STD_I64LE', shape: [300_000], creationProperties }
    const { id } = await domain.want<Made>(201, 'POST', '/datasets', { value, ...dataset })
    expect(await domain.value(id, '?select=[299998:300000]')).toEqual([998, 999])
    const { objects } = await domain.want<Many>(201, 'POST', '/datasets', [
      { ...dataset, value },
      { type: I32 },
    ])
    expect(await domain.value(objects[0]?.id ?? '', '?select=[0:300000:60001]')).toEqual([0, 1, 2, 3, 4])
  })

  test.each<[string, Fields, unknown]>([
    ['too few', { shape: [3] }, [1, 2]],
    ['too many', { shape: [3] }, [1, 2, 3, 4]],
    ['of another kind', { shape: [1] }, ['text']],
    ['an object', { shape: [1] }, { a: 1 }],
    ['of a null dataspace', { shape: 'H5S_NULL' }, [1]],
    ['too many and long', { shape: [3] }, Array(40_000).fill(1)],
  ])('%s: 400, and nothing is made', async (_title, dataset, value) => {
    const domain = await newDomain()
    const link = { id: domain.root, name: 'x' }
    await domain.refuse(400, 'POST', '/datasets', { type: I32, ...dataset, link, value })
    expect(await linkCount(domain)).toBe(0)
  })

  test('need no other permission than to create', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', `/acls/${USER2}`, { create: true, read: true, update: false })
    const body = { type: I32, shape: [2], value: [1, 2] }
    const { id } = await domain.want<Made>(201, 'POST', '/datasets', body, { user: USER2 })
    expect(await domain.value(id)).toEqual([1, 2])
  })
})

test('thousands of objects in one request', async () => {
  const domain = await newDomain()
  const items = Array.from({ length: 3000 }, (_, i) => ({ type: I32, link: { name: `d${i}` }, value: i }))
  const { objects } = await domain.want<Many>(201, 'POST', '/datasets', items)
  expect(objects).toHaveLength(3000)
  expect(await linkCount(domain)).toBe(3000)
  expect(await domain.value(objects[2999]?.id ?? '')).toBe(2999)
})

describe('hsds-objects 17.5: the root group of a new domain', () => {
  /** The id of a root group: its second half is the first one with the top bit of each digit flipped. */
  function newRootId(): string {
    const half = Array.from({ length: 16 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
    const rest = flipped(half)
    return `g-${half.slice(0, 8)}-${half.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 10)}-${rest.slice(10)}`
  }
  const put = (path: string, body: Fields) => send('PUT', `/?domain=${path}`, body, { user: USER1 })

  test('is the one that is asked for; in use 409, free again when its domain is gone', async () => {
    const [path, other] = [newPath(), newPath()]
    onTestFinished(async () => {
      await removeDomain(path)
      await removeDomain(other)
    })
    const root_id = newRootId()
    const reply = await put(path, { root_id })
    expect(reply.status, reply.story).toBe(201)
    expect(reply.json().root).toBe(root_id)
    expectRefusal(await put(other, { root_id }), 409)
    await removeDomain(path)
    const again = await put(other, { root_id })
    expect(again.status, again.story).toBe(201)
    expect(again.json().root).toBe(root_id)
  })

  test.each<[string, Fields]>([
    ['malformed', { root_id: MALFORMED }],
    ['no text', { root_id: 5 }],
    ['not that of a root', { root_id: 'g-00000000-00000000-0000-000000-000000' }],
    ['of a dataset', { root_id: newRootId().replace('g', 'd') }],
    ['of a folder', { root_id: newRootId(), folder: true }],
  ])('%s: 400', async (_title, body) => {
    expectRefusal(await put(newPath(), body), 400)
  })
})
