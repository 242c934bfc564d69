// Attributes of several objects, or several attributes, in one request (hsds-objects 12.6 to 12.10).

import { beforeAll, describe, expect, test } from 'vitest'
import { send, USER2 } from '../client.ts'
import { type Domain, makeHome, newDomain } from './domain.ts'

beforeAll(makeHome)

const I32 = 'H5T_STD_I32LE'
const ONE = { type: I32, value: 1 }
const TEXT = {
  class: 'H5T_STRING',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
  length: 'H5T_VARIABLE',
}

interface Item {
  readonly name: string
  readonly created: number
  readonly [name: string]: unknown
}
type Attributes = readonly Item[] | Readonly<Record<string, readonly Item[]>>

function namesOf(attributes: Attributes): unknown {
  const names = (items: readonly Item[]) => items.map(item => item.name)
  if (Array.isArray(attributes)) return names(attributes)
  return Object.fromEntries(Object.entries(attributes).map(([id, items]) => [id, names(items)]))
}

const pathOf = (id: string) =>
  `/${{ g: 'groups', d: 'datasets', t: 'datatypes' }[id[0] as 'g' | 'd' | 't']}/${id}/attributes`

async function attributesOf(domain: Domain, id: string, query = ''): Promise<readonly Item[]> {
  const body = await domain.want<{ attributes: Item[] }>(200, 'GET', pathOf(id) + query)
  return body.attributes
}

async function namesIn(domain: Domain, id: string, query = ''): Promise<unknown> {
  return namesOf(await attributesOf(domain, id, query))
}

/**
 * A group with a dataset and a type below the root group: the root has a and b, the dataset b and c, the others none.
 */
async function tree() {
  const domain = await newDomain()
  const G = await domain.group('g')
  const D = await domain.dataset({ type: I32, link: { id: G, name: 'd' } })
  const T = await domain.datatype({ type: I32, link: { id: G, name: 't' } })
  await domain.want(201, 'PUT', pathOf(domain.root), {
    obj_ids: {
      [domain.root]: { attributes: { a: ONE, b: { ...ONE, value: 2 } } },
      [D]: { attributes: { b: { ...ONE, value: 3 }, c: { ...ONE, value: 4 } } },
    },
  })
  return { domain, root: domain.root, G, D, T }
}

describe('GET attributes', () => {
  test.each<[string, unknown]>([
    ['', ['a1', 'a2', 'b1', 'é']],
    ['?CreateOrder=1', ['é', 'b1', 'a2', 'a1']],
    ['?CreateOrder=1&Marker=b1&Limit=1', ['a2']],
    ['?pattern=a*', ['a1', 'a2']],
    ['?pattern=*1', ['a1', 'b1']],
    ['?pattern=*1&Limit=1&Marker=a1', ['b1']],
    ['?pattern=*1&Limit=1&CreateOrder=1', ['b1']],
    ['?pattern=?', ['é']],
  ])('%s', async (query, names) => {
    const domain = await newDomain()
    for (const name of ['é', 'b1', 'a2', 'a1']) {
      await domain.want(201, 'PUT', `${pathOf(domain.root)}/${encodeURIComponent(name)}`, ONE)
    }
    expect(await namesIn(domain, domain.root, query)).toEqual(names)
  })

  test.each(['pattern=**', 'pattern=[', 'max_data_size=x', 'encoding=hex', 'Limit=-1'])(
    '%s is 400',
    async query => {
      const domain = await newDomain()
      await domain.refuse(400, 'GET', `${pathOf(domain.root)}?${query}`)
    },
  )

  test('max_data_size: at, below and above the size; 512 bytes for each element of variable size', async () => {
    const domain = await newDomain()
    const attributes = {
      fixed: { type: I32, shape: [3], value: [1, 2, 3] },
      text: { type: TEXT, shape: [2], value: ['a', 'b'] },
      null: { type: I32, shape: 'H5S_NULL' },
    }
    await domain.want(201, 'PUT', pathOf(domain.root), { attributes })
    const shown = async (size: number) =>
      (await attributesOf(domain, domain.root, `?IncludeData=1&max_data_size=${size}`))
        .filter(item => 'value' in item)
        .map(item => item.name)
    expect(await shown(11)).toEqual(['null'])
    expect(await shown(12)).toEqual(['fixed', 'null'])
    expect(await shown(1023)).toEqual(['fixed', 'null'])
    expect(await shown(1024)).toEqual(['fixed', 'null', 'text'])
    expect(await shown(0)).toEqual(['fixed', 'null', 'text'])
  })

  describe('follow_links', () => {
    const follow = async (domain: Domain, id: string, query = '') =>
      (await domain.want<{ attributes: Attributes }>(200, 'GET', `${pathOf(id)}?follow_links=1${query}`))
        .attributes

    test('every object that hard links reach, also those without attributes', async () => {
      const { domain, root, G, D, T } = await tree()
      await domain.want(201, 'PUT', `/groups/${G}/links`, { links: { back: { id: root }, twice: { id: D } } })
      const all = { [root]: ['a', 'b'], [G]: [], [D]: ['b', 'c'], [T]: [] }
      expect(namesOf(await follow(domain, root))).toEqual(all)
      expect(namesOf(await follow(domain, G))).toEqual(all)
    })

    test('pattern, Limit over all, CreateOrder, values and encoding', async () => {
      const { domain, root, G, D, T } = await tree()
      const none = { [G]: [], [T]: [] }
      expect(namesOf(await follow(domain, root, '&pattern=b'))).toEqual({
        ...none,
        [root]: ['b'],
        [D]: ['b'],
      })
      expect(namesOf(await follow(domain, root, '&Limit=3'))).toEqual({
        ...none,
        [root]: ['a', 'b'],
        [D]: ['b'],
      })
      expect(namesOf(await follow(domain, root, '&Limit=1&pattern=b&Marker=zzz'))).toEqual({
        ...none,
        [root]: ['b'],
        [D]: [],
      })
      const found = (await follow(domain, root, '&IncludeData=1')) as Record<string, readonly Item[]>
      expect(found[D].map(item => item.value)).toEqual([3, 4])
      const encoded = (await follow(domain, root, '&IncludeData=1&encoding=base64')) as typeof found
      expect(encoded[D][0]).toMatchObject({ value: 'AwAAAA==', encoding: 'base64' })
    })

    test('only from groups', async () => {
      const { domain, D, T } = await tree()
      for (const id of [D, T]) await domain.refuse(400, 'GET', `${pathOf(id)}?follow_links=1`)
    })
  })
})

describe('POST attributes', () => {
  const read = async (domain: Domain, body: unknown, query = '') =>
    (await domain.want<{ attributes: Attributes }>(200, 'POST', pathOf(domain.root) + query, body)).attributes

  test('attr_names: in the order asked; none: all; without values unless asked', async () => {
    const { domain, root } = await tree()
    expect(namesOf(await read(domain, { attr_names: ['b', 'a'] }))).toEqual(['b', 'a'])
    expect(namesOf(await read(domain, { attr_names: [] }))).toEqual(['a', 'b'])
    const body = await domain.want<{ attributes: Item[] }>(200, 'POST', pathOf(root), { attr_names: ['b'] })
    expect(Object.keys(body)).toEqual(['attributes'])
    expect(body.attributes[0]).not.toHaveProperty('value')
    const [b] = (await read(domain, { attr_names: ['b'] }, '?IncludeData=1')) as readonly Item[]
    expect(b).toMatchObject({
      name: 'b',
      shape: { class: 'H5S_SCALAR' },
      type: { base: I32 },
      value: 2,
      created: expect.any(Number),
    })
    const options = '?IncludeData=1&encoding=base64&max_data_size=4'
    const [a] = (await read(domain, { attr_names: ['a'] }, options)) as readonly Item[]
    expect(a).toMatchObject({ value: 'AQAAAA==', encoding: 'base64' })
    const [small] = (await read(
      domain,
      { attr_names: ['a'] },
      '?IncludeData=1&max_data_size=3',
    )) as readonly Item[]
    expect(small).not.toHaveProperty('value')
  })

  test('obj_ids of any collection: a list of one, a map of several, with names those of each (35, F13)', async () => {
    const { domain, root, D, T } = await tree()
    expect(namesOf(await read(domain, { obj_ids: [D] }))).toEqual(['b', 'c'])
    expect(namesOf(await read(domain, { obj_ids: [D, T] }))).toEqual({ [D]: ['b', 'c'], [T]: [] })
    expect(namesOf(await read(domain, { obj_ids: [D, root], attr_names: ['b'] }))).toEqual({
      [D]: ['b'],
      [root]: ['b'],
    })
    expect(namesOf(await read(domain, { obj_ids: [D], attr_names: ['c'] }))).toEqual(['c'])
    expect(namesOf(await read(domain, { obj_ids: { [D]: ['c', 'b'], [root]: ['a'] } }))).toEqual({
      [D]: ['c', 'b'],
      [root]: ['a'],
    })
    expect(namesOf(await read(domain, { obj_ids: { [D]: ['c'] } }))).toEqual(['c'])
    const map = (await read(domain, { obj_ids: [D, root] }, '?IncludeData=1&encoding=base64')) as Record<
      string,
      readonly Item[]
    >
    expect(map[D][0]).toMatchObject({ value: 'AwAAAA==', encoding: 'base64' })
  })

  test('an attribute that is not there is 404, one that was deleted 410, in every form', async () => {
    const { domain, root, D } = await tree()
    await domain.want(200, 'DELETE', `${pathOf(D)}/c`)
    for (const [status, name] of [
      [404, 'nosuch'],
      [410, 'c'],
    ] as const) {
      await domain.refuse(status, 'POST', pathOf(D), { attr_names: [name] })
      await domain.refuse(status, 'POST', pathOf(root), { obj_ids: [D], attr_names: [name] })
      await domain.refuse(status, 'POST', pathOf(root), { obj_ids: { [root]: ['a'], [D]: [name] } })
    }
  })

  test('what contradicts itself is 400', async () => {
    const { domain, D } = await tree()
    const bodies: unknown[] = [
      undefined,
      'null',
      [],
      {},
      { attr_names: 'a' },
      { attr_names: [1] },
      { attr_names: [''] },
      { obj_ids: [] },
      { obj_ids: {} },
      { obj_ids: D },
      { obj_ids: ['foobar'] },
      { obj_ids: [null] },
      { obj_ids: { [D]: 'b' } },
      { obj_ids: { [D]: ['b'] }, attr_names: ['b'] },
    ]
    for (const body of bodies) await domain.refuse(400, 'POST', pathOf(domain.root), body)
    await domain.refuse(400, 'POST', `${pathOf(domain.root)}?encoding=hex`, { attr_names: ['a'] })
    await domain.refuse(400, 'POST', `/datasets/${domain.root}/attributes`, { attr_names: ['a'] })
  })

  test('every object must be of the domain and open to the caller (35, F11)', async () => {
    const { domain, root, D, G } = await tree()
    const other = await newDomain()
    await domain.want(200, 'DELETE', `/groups/${G}`)
    const unknown = `d${root.slice(1, 20)}0000-000000-000000`
    for (const [status, id] of [
      [400, other.root],
      [404, unknown],
      [404, `d${root.slice(1)}`],
      [410, G],
    ] as const) {
      await domain.refuse(status, 'POST', pathOf(root), { obj_ids: [D, id] })
      await domain.refuse(status, 'PUT', pathOf(root), { obj_ids: [D, id], attributes: { n: ONE } })
      const each = { [D]: { attributes: { n: ONE } }, [id]: { attributes: { n: ONE } } }
      await domain.refuse(status, 'PUT', pathOf(root), { obj_ids: each })
    }
    expect(await namesIn(domain, D)).toEqual(['b', 'c'])
    await domain.refuse(403, 'POST', pathOf(root), { obj_ids: [D] }, { user: USER2 })
    await domain.refuse(403, 'PUT', pathOf(root), { attributes: { n: ONE } }, { user: USER2 })
    await domain.refuse(403, 'DELETE', `${pathOf(root)}?attr_names=a`, undefined, { user: USER2 })
    await domain.refuse(401, 'PUT', pathOf(root), { attributes: { n: ONE } }, { user: undefined })
  })
})

describe('PUT attributes', () => {
  test('201 if one is new or changed, 200 if all are equal, {} in any case', async () => {
    const { domain, root, G, D, T } = await tree()
    const attributes = {
      x: ONE,
      y: { type: TEXT, shape: [2], value: ['a', 'é'] },
      z: { type: I32, shape: [0] },
    }
    expect(await domain.want(201, 'PUT', pathOf(T), { attributes })).toEqual({})
    expect(await domain.want(200, 'PUT', pathOf(T), { attributes })).toEqual({})
    expect(await domain.want(201, 'PUT', pathOf(root), { attributes, obj_ids: [T, G] })).toEqual({})
    expect(await namesIn(domain, G)).toEqual(['x', 'y', 'z'])
    expect(await namesIn(domain, root)).toEqual(['a', 'b'])
    const one = { type: I32, shape: [2], value: [5, 6] }
    await domain.want(201, 'PUT', pathOf(root), {
      obj_ids: { [G]: { attributes: { x: ONE } }, [D]: { attributes: { n: one } } },
    })
    expect(await domain.want(200, 'GET', `${pathOf(D)}/n`)).toMatchObject({ value: [5, 6] })
    expect((await domain.want(200, 'GET', `/groups/${G}`)).attributeCount).toBe(3)
  })

  test('the attribute alone, as older clients send it', async () => {
    const domain = await newDomain()
    const path = pathOf(domain.root)
    await domain.want(201, 'PUT', path, { name: 'a', type: I32, shape: [2], value: [1, 2] })
    await domain.want(200, 'PUT', path, { name: 'a', type: I32, shape: [2], value: [1, 2] })
    await domain.refuse(409, 'PUT', path, { name: 'a', ...ONE })
    await domain.refuse(400, 'PUT', path, ONE)
    await domain.refuse(400, 'PUT', path, { name: 7, ...ONE })
    expect((await domain.want(200, 'GET', `${path}/a`)).value).toEqual([1, 2])
  })

  test('another attribute of that name is 409, or replaced and still as old', async () => {
    const { domain, root, D } = await tree()
    const before = await attributesOf(domain, root, '?IncludeData=1')
    const attributes = { n: ONE, a: { type: I32, shape: [2], value: [1, 2] } }
    await domain.refuse(409, 'PUT', pathOf(root), { attributes })
    await domain.refuse(409, 'PUT', pathOf(root), { attributes, obj_ids: [D, root] })
    expect(await attributesOf(domain, root, '?IncludeData=1')).toEqual(before)
    expect(await namesIn(domain, D)).toEqual(['b', 'c'])
    await domain.want(201, 'PUT', `${pathOf(root)}?replace=1`, { attributes })
    await domain.want(200, 'PUT', `${pathOf(root)}?replace=1`, { attributes })
    const [a, b, n] = await attributesOf(domain, root, '?IncludeData=1')
    expect(a).toMatchObject({ value: [1, 2], created: before[0].created })
    expect([b, n.name]).toEqual([before[1], 'n'])
  })

  test('the order of the body is that of creation, whatever the names look like', async () => {
    const domain = await newDomain()
    const names = [
      'z',
      '10',
      '9',
      '__proto__',
      'constructor',
      '#attr/1#',
      '{x} %41?',
      ' ',
      '名前',
      '😀',
      'a\\b',
    ]
    const members = names.map(name => `${JSON.stringify(name)}: ${JSON.stringify(ONE)}`)
    await domain.want(201, 'PUT', pathOf(domain.root), `{"attributes": {${members.join()}}}`)
    const attributes = await attributesOf(domain, domain.root, '?CreateOrder=1')
    expect(namesOf(attributes)).toEqual(names)
    const times = attributes.map(item => item.created)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    const body = await domain.want<{ attributes: Item[] }>(200, 'POST', pathOf(domain.root), {
      attr_names: names,
    })
    expect(namesOf(body.attributes)).toEqual(names)
    for (const name of names) {
      if (name.includes('/')) continue
      const path = `${pathOf(domain.root)}/${encodeURIComponent(name)}`
      expect((await domain.want(200, 'GET', path)).name).toBe(name)
    }
  })

  test('created tells the order; what is equal keeps that of the body', async () => {
    const domain = await newDomain()
    const now = Math.floor(Date.now() / 1000)
    await domain.want(201, 'PUT', pathOf(domain.root), {
      attributes: {
        y: { ...ONE, created: now },
        x: { ...ONE, created: now },
        early: { ...ONE, created: now - 1 },
        odd: { ...ONE, created: 999 },
      },
    })
    const attributes = await attributesOf(domain, domain.root, '?CreateOrder=1')
    expect((namesOf(attributes) as string[]).filter(name => name !== 'odd')).toEqual(['early', 'y', 'x'])
    expect(attributes.find(item => item.name === 'y')?.created).toBe(now)
    expect(attributes.find(item => item.name === 'odd')?.created).toBeGreaterThan(now - 60)
  })

  test('one bad item, and nothing is written', async () => {
    const { domain, root, G, D } = await tree()
    const cases: [number, unknown][] = [
      [400, {}],
      [400, null],
      [400, []],
      [400, { type: 'nosuch', value: 1 }],
      [400, { type: I32, value: 'x' }],
      [400, { type: I32, value: 2147483648 }],
      [400, { type: I32, shape: [2], value: [1] }],
      [400, { type: I32, value: 'AQ==', encoding: 'base64' }],
      [400, { type: I32, shape: 'H5S_NULL', value: 1 }],
      [404, { type: `t${root.slice(1, 20)}0000-000000-000000`, value: 1 }],
    ]
    for (const [status, bad] of cases) {
      const attributes = { n: ONE, bad }
      await domain.refuse(status, 'PUT', pathOf(root), { attributes })
      const each = { [G]: { attributes: { n: ONE } }, [D]: { attributes } }
      await domain.refuse(status, 'PUT', pathOf(root), { obj_ids: each })
    }
    expect(await namesIn(domain, root)).toEqual(['a', 'b'])
    expect(await namesIn(domain, G)).toEqual([])
  })

  test('what is no batch is 400', async () => {
    const { domain, root, D } = await tree()
    const bodies: unknown[] = [
      undefined,
      'null',
      '{"attributes": ',
      [],
      { attributes: [] },
      { attributes: null },
      { attributes: { '': ONE } },
      { obj_ids: [D] },
      { obj_ids: [], attributes: { n: ONE } },
      { obj_ids: {} },
      { obj_ids: ['foobar'], attributes: { n: ONE } },
      { obj_ids: { foobar: { attributes: { n: ONE } } } },
      { obj_ids: { [D]: { attributes: { n: ONE } } }, attributes: { n: ONE } },
      { obj_ids: { [D]: [] } },
    ]
    for (const body of bodies) await domain.refuse(400, 'PUT', pathOf(root), body)
    expect(await namesIn(domain, D)).toEqual(['b', 'c'])
  })

  test('hsds-objects 18: nothing to write is 400 at level 1.0, 200 at level 0.9', async () => {
    const { domain, root, D } = await tree()
    const about = (await send('GET', '/about')).json<{ hsds_version: string }>()
    const status = about.hsds_version.startsWith('0.9') ? 200 : 400
    for (const body of [
      {},
      { attributes: {} },
      { obj_ids: { [D]: {} } },
      { obj_ids: { [D]: { attributes: {} } } },
    ]) {
      const reply = await domain.send('PUT', pathOf(root), body)
      expect(reply.status, reply.story).toBe(status)
    }
  })
})

describe('DELETE attributes', () => {
  test('410 afterwards; what was deleted before is passed over; they can be made again', async () => {
    const { domain, D } = await tree()
    expect(await domain.want(200, 'DELETE', `${pathOf(D)}?attr_names=b`)).toEqual({ hrefs: [] })
    await domain.refuse(410, 'GET', `${pathOf(D)}/b`)
    await domain.want(200, 'DELETE', `${pathOf(D)}?attr_names=b/c/c`)
    expect(await namesIn(domain, D)).toEqual([])
    expect((await domain.want(200, 'GET', `/datasets/${D}`)).attributeCount).toBe(0)
    await domain.want(201, 'PUT', pathOf(D), { attributes: { b: ONE } })
  })

  test('one that never was is 404, and nothing is deleted', async () => {
    const { domain, D } = await tree()
    await domain.refuse(404, 'DELETE', `${pathOf(D)}?attr_names=b/nosuch/c`)
    expect(await namesIn(domain, D)).toEqual(['b', 'c'])
  })

  test('separators, several parameters, and Base64', async () => {
    const domain = await newDomain()
    const path = pathOf(domain.root)
    const names = ['a/b', 'c!d', '#e#', '名', 'f g', '%41', 'h']
    await domain.want(201, 'PUT', path, { attributes: Object.fromEntries(names.map(name => [name, ONE])) })
    await domain.want(200, 'DELETE', `${path}?attr_names=${encodeURIComponent('a/b|c!d')}&separator=|`)
    const base64 = Buffer.from('#e#/名').toString('base64')
    await domain.want(200, 'DELETE', `${path}?attr_names=${encodeURIComponent(base64)}&encoding=base64`)
    expect(await namesIn(domain, domain.root)).toEqual(['%41', 'f g', 'h'])
    await domain.want(200, 'DELETE', `${path}?attr_names=h&attr_names=f%20g/%2541`)
    expect(await namesIn(domain, domain.root)).toEqual([])
  })

  test.each([
    '',
    '?attr_names=',
    '?attr_names=a//b',
    '?attr_names=a&encoding=hex',
    '?attr_names=a!&encoding=base64',
    '?attr_names=/v8=&encoding=base64',
  ])('%s is 400', async query => {
    const { domain, root } = await tree()
    await domain.refuse(400, 'DELETE', pathOf(root) + query)
    expect(await namesIn(domain, root)).toEqual(['a', 'b'])
  })
})
