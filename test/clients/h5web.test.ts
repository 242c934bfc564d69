// The requests of the viewer h5web (@h5web/app 17, HsdsProvider) for a domain, in its order, as a browser sends them
// from a page of another origin; and the parts of the answers that its code needs: strict JSON in everything but
// values, the members that it reads, and the forms of types that it knows. Needs no client to be installed.

import { beforeAll, describe, expect, test } from 'vitest'
import { type Fields, type Reply, send, USER1 } from '../wire/client.ts'
import { type Domain, makeHome, newDomain } from '../wire/hsds/domain.ts'
import { VIEWER } from '../wire/server.ts'

const BROWSER = {
  origin: VIEWER,
  'sec-fetch-mode': 'cors',
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br',
}

interface Shape {
  readonly class: string
  readonly dims?: readonly number[]
}

interface Link {
  readonly title: string
  readonly class: string
  readonly collection?: string
  readonly id?: string
  readonly h5path?: string
  readonly file?: string
}

/** The nodes that a walk has visited, by path. */
interface Seen {
  readonly [path: string]: { readonly kind: string; readonly shape?: Shape; readonly value?: unknown }
}

/** Asks as the viewer does: with its origin, and with credentials. */
async function ask(path: string, target: string): Promise<Reply> {
  const separator = target.includes('?') ? '&' : '?'
  const reply = await send('GET', `${target}${separator}domain=${encodeURIComponent(path)}`, undefined, {
    user: USER1,
    headers: { ...BROWSER, 'accept-encoding': 'identity' },
  })
  expect(reply.status, reply.story).toBe(200)
  expect(reply.headers['access-control-allow-origin'], reply.story).toBe(VIEWER)
  return reply
}

/** JSON.parse takes no NaN, so this also asserts that none stands anywhere in the answer. */
async function entity<T = Fields>(path: string, target: string): Promise<T> {
  return (await ask(path, target)).json<T>()
}

/** Values: strict JSON first; then with the words that are no JSON in quotes, as the viewer does. */
async function value(path: string, target: string): Promise<unknown> {
  const { text } = await ask(path, target)
  try {
    return (JSON.parse(text) as { value: unknown }).value // the boundary: the test says what it expects
  } catch {
    return (JSON.parse(text.replace(/-?Infinity|NaN/g, '"$&"')) as { value: unknown }).value
  }
}

function expectShape(shape: Shape): void {
  expect(['H5S_SIMPLE', 'H5S_SCALAR', 'H5S_NULL']).toContain(shape.class)
  if (shape.class !== 'H5S_SIMPLE') return
  for (const extent of shape.dims ?? [Number.NaN]) expect(extent).toBeGreaterThanOrEqual(0)
}

/** The viewer throws on a type in another form, and then shows nothing of the group. */
function expectType(type: Fields): void {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_FLOAT':
      expect(type.base).toMatch(/^H5T_(IEEE|STD)_[A-Z]\d+(BE|LE)$/)
      return
    case 'H5T_STRING':
      expect(type.charSet).toMatch(/^H5T_CSET_(ASCII|UTF8)$/)
      expect(type.strPad).toMatch(/^H5T_STR_(NULLTERM|NULLPAD|SPACEPAD)$/)
      expect(type.length === 'H5T_VARIABLE' || Number.isInteger(type.length)).toBe(true)
      return
    case 'H5T_ENUM':
      expectType(type.base as Fields)
      for (const number of Object.values(type.mapping as Fields)) expect(number).toBeTypeOf('number')
      return
    case 'H5T_ARRAY':
      for (const extent of type.dims as readonly number[]) expect(extent).toBeGreaterThan(0)
      expectType(type.base as Fields)
      return
    case 'H5T_VLEN':
      expectType(type.base as Fields)
      return
    case 'H5T_COMPOUND':
      for (const field of type.fields as readonly Fields[]) {
        expect(field.name).toBeTypeOf('string')
        expectType(field.type as Fields)
      }
      return
    default:
      expect(['H5T_REFERENCE', 'H5T_OPAQUE', 'H5T_BITFIELD', 'H5T_TIME']).toContain(type.class)
  }
}

async function walkAttributes(path: string, object: string, count: number): Promise<void> {
  if (count === 0) return
  const { attributes } = await entity<{ attributes: readonly Fields[] }>(path, `/${object}/attributes`)
  expect(attributes.length).toBe(count)
  for (const { name, shape, type } of attributes) {
    expectShape(shape as Shape)
    expectType(type as Fields)
    await value(path, `/${object}/attributes/${encodeURI(String(name))}`) // as browsers do
  }
}

/** Every object below a group, each met as the viewer meets it. */
async function walk(path: string, id: string, at: string, seen: Record<string, Seen[string]>): Promise<void> {
  const group = await entity<{ attributeCount: number; linkCount: number }>(path, `/groups/${id}`)
  seen[at] = { kind: 'group' }
  await walkAttributes(path, `groups/${id}`, group.attributeCount)
  if (group.linkCount === 0) return
  const { links } = await entity<{ links: readonly Link[] }>(path, `/groups/${id}/links`)
  expect(links.length).toBe(group.linkCount)
  for (const link of links) {
    const child = `${at === '/' ? '' : at}/${link.title}`
    if (link.class === 'H5L_TYPE_HARD') {
      expect(['groups', 'datasets', 'datatypes']).toContain(link.collection)
      await walkObject(path, `${link.collection}/${link.id}`, child, seen)
    } else {
      expect(link.h5path).toBeTypeOf('string')
      const external = link.class === 'H5L_TYPE_EXTERNAL'
      if (external) expect(link.file).toBeTypeOf('string')
      seen[child] = { kind: external ? `external ${link.file}` : 'soft' }
    }
  }
}

async function walkObject(
  path: string,
  object: string,
  at: string,
  seen: Record<string, Seen[string]>,
): Promise<void> {
  const [collection, id] = object.split('/')
  if (collection === 'groups') return walk(path, id ?? '', at, seen)
  const described = await entity<{ shape: Shape; type: Fields; attributeCount: number }>(path, `/${object}`)
  expectType(described.type)
  if (collection === 'datatypes') {
    seen[at] = { kind: 'datatype' }
    return
  }
  expectShape(described.shape)
  await walkAttributes(path, object, described.attributeCount)
  const empty = described.shape.class === 'H5S_NULL'
  const shown = empty ? {} : { value: await value(path, `/${object}/value`) }
  seen[at] = { kind: 'dataset', shape: described.shape, ...shown }
}

async function seenIn(path: string): Promise<Seen> {
  const seen: Record<string, Seen[string]> = {}
  const { root } = await entity<{ root: string }>(path, '/')
  await walk(path, root, '/', seen)
  return seen
}

const INTEGER = { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }
const DOUBLE = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
const TEXT = {
  class: 'H5T_STRING',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
  length: 'H5T_VARIABLE',
}
const BOOL = {
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' },
  mapping: { FALSE: 0, TRUE: 1 },
}
const COMPLEX = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'r', type: DOUBLE },
    { name: 'i', type: DOUBLE },
  ],
}

/** A dataset with its value written, linked from the root group. */
async function put(domain: Domain, name: string, body: Fields, written: string): Promise<string> {
  const id = await domain.dataset({ ...body, link: { id: domain.root, name } })
  await domain.want(200, 'PUT', `/datasets/${id}/value`, `{"value": ${written}}`)
  return id
}

describe('what h5web asks', () => {
  beforeAll(makeHome)

  test.each(['authorization', 'Authorization, X-Hdf-Domain', 'x-hdf-domain,authorization,accept'])(
    'a preflight for %s needs no credentials',
    async headers => {
      for (const target of ['/?domain=%2Fhome%2Fnothing', '/groups/g-1', '/datasets/d-1/value?domain=/x']) {
        const reply = await send('OPTIONS', target, undefined, {
          headers: {
            ...BROWSER,
            'access-control-request-method': 'GET',
            'access-control-request-headers': headers,
          },
        })
        expect(reply.status, reply.story).toBeGreaterThanOrEqual(200)
        expect(reply.status, reply.story).toBeLessThan(300)
        expect(reply.headers['access-control-allow-origin']).toBe(VIEWER)
        expect(reply.headers['access-control-allow-methods']).toMatch(/\bGET\b/)
        const allowed = String(reply.headers['access-control-allow-headers'])
          .toLowerCase()
          .split(/\s*,\s*/)
        for (const name of headers.toLowerCase().split(/\s*,\s*/)) expect(allowed).toContain(name)
        expect(Number(reply.headers['access-control-max-age'])).toBeGreaterThan(0)
      }
    },
  )

  test.each([
    [404, '/?domain=%2Fhome%2Ftest_user1%2Fnothing.h5'],
    [400, '/groups/g-no-id?domain=%2Fhome%2Ftest_user1'],
    [405, '/about'],
  ])('an error %i tells its status to the page', async (status, target) => {
    const reply = await send(status === 405 ? 'PUT' : 'GET', target, undefined, {
      user: USER1,
      headers: BROWSER,
    })
    expect(reply.status, reply.story).toBe(status)
    expect(reply.headers['access-control-allow-origin'], reply.story).toBe(VIEWER)
  })

  test('a wrong password tells its status to the page', async () => {
    const headers = {
      ...BROWSER,
      authorization: `Basic ${Buffer.from('test_user1:wrong').toString('base64')}`,
    }
    const reply = await send('GET', '/?domain=%2Fhome', undefined, { headers })
    expect(reply.status, reply.story).toBe(401)
    expect(reply.headers['access-control-allow-origin'], reply.story).toBe(VIEWER)
  })

  test('it reads a domain of every kind of object', async () => {
    const domain = await newDomain()
    const filled = { type: DOUBLE, shape: [3], link: { id: domain.root, name: 'nan fill' } }
    const body = JSON.stringify(filled).replace(/}$/, ', "creationProperties": {"fillValue": NaN}}')
    const reply = await domain.send('POST', '/datasets', body)
    expect(reply.status, reply.story).toBe(201)
    await put(domain, 'nan first', { type: DOUBLE, shape: [3] }, '[NaN, 1.5, -Infinity]')
    await put(domain, 'enum', { type: { ...BOOL, mapping: { RED: 0, 10: 1, 9: 2 } }, shape: [2] }, '[0, 2]')
    await put(domain, 'bool', { type: BOOL, shape: [2] }, '[1, 0]')
    await put(domain, 'complex', { type: COMPLEX, shape: [2] }, '[[1, 2], [3, 4]]')
    await put(domain, 'vlen', { type: { class: 'H5T_VLEN', base: INTEGER }, shape: [2] }, '[[1, 2, 3], []]')
    await put(
      domain,
      'array',
      { type: { class: 'H5T_ARRAY', base: INTEGER, dims: [2] }, shape: [2] },
      '[[1, 2], [3, 4]]',
    )
    await put(domain, 'text', { type: TEXT, shape: [2] }, '["ü", ""]')
    await put(domain, 'scalar', { type: INTEGER }, '5')
    const id = await put(domain, 'cube', { type: INTEGER, shape: [2, 1, 3] }, '[[[0, 1, 2]], [[3, 4, 5]]]')
    await domain.dataset({ type: INTEGER, shape: 'H5S_NULL', link: { id: domain.root, name: 'null' } })
    await domain.datatype({ type: COMPLEX, link: { id: domain.root, name: 'type' } })
    await domain.group('empty')
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/soft`, { h5path: '/scalar' })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/away`, {
      h5path: '/x',
      h5domain: '/other.h5',
    })
    for (const [name, type, values] of [
      ['number', DOUBLE, 'NaN'],
      ['ünit', TEXT, '"m"'],
      ['with blank', INTEGER, '4'],
      ['flag', BOOL, 'true'],
    ] as const) {
      const attribute = `{"type": ${JSON.stringify(type)}, "value": ${values}}`
      await domain.want(201, 'PUT', `/datasets/${id}/attributes/${encodeURIComponent(name)}`, attribute)
    }

    const seen = await seenIn(domain.path)
    const values = Object.fromEntries(Object.entries(seen).map(([path, { value }]) => [path.slice(1), value]))
    expect(values).toEqual({
      '': undefined,
      'nan fill': ['NaN', 'NaN', 'NaN'],
      'nan first': ['NaN', 1.5, '-Infinity'],
      enum: [0, 2],
      bool: [true, false],
      complex: [
        [1, 2],
        [3, 4],
      ],
      vlen: [[1, 2, 3], []],
      array: [
        [1, 2],
        [3, 4],
      ],
      text: ['ü', ''],
      scalar: 5,
      cube: [[[0, 1, 2]], [[3, 4, 5]]],
      null: undefined,
      type: undefined,
      empty: undefined,
      soft: undefined,
      away: undefined,
    })
    expect(seen['/away']?.kind).toBe('external /other.h5')
    expect(seen['/soft']?.kind).toBe('soft')

    // It flattens rank - 1 levels of what it selects, so none may be left out.
    expect(await value(domain.path, `/datasets/${id}/value?select=[0,:,1:3]`)).toEqual([[[1, 2]]])
    expect(await value(domain.path, `/datasets/${id}/value?select=[:,0,2]`)).toEqual([[[2]], [[5]]])
  })

  test('it reads a group of 2,000 links', async () => {
    const domain = await newDomain()
    const links = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`l${i}`, { h5path: `/${i}` }]))
    await domain.want(201, 'PUT', `/groups/${domain.root}/links`, { links })
    expect(Object.keys(await seenIn(domain.path)).length).toBe(2001)
  })

  // clients 5.4: the next provider asks for a level of the tree with two requests.
  test('the next version reads a level of the tree with two requests', async () => {
    const domain = await newDomain()
    const other = await newDomain()
    const group = await domain.group('g')
    const id = await put(domain, 'values', { type: DOUBLE, shape: [2, 2] }, '[[NaN, 1], [2, 3]]')
    await domain.want(201, 'PUT', `/groups/${domain.root}/attributes/a`, { type: TEXT, value: 'of the root' })
    await domain.want(201, 'PUT', `/datasets/${id}/attributes/b`, { type: { ...BOOL }, value: 1 })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/soft`, { h5path: '/values' })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/lost`, { h5path: '/nowhere' })
    const away = await put(other, 'there', { type: INTEGER }, '7')
    const external = { h5path: '/there', h5domain: other.path }
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/away`, external)

    const follow = 'follow_external_links=true&follow_soft_links=true'
    const root = await entity<Fields & { links: Readonly<Record<string, Link>> }>(
      domain.path,
      `/?h5path=${encodeURIComponent('/')}&include_links=true&include_attrs=true&${follow}`,
    )
    expect(root).toMatchObject({
      id: domain.root,
      class: 'group',
      domain: domain.path,
      links: {
        g: { class: 'H5L_TYPE_HARD', id: group },
        soft: { class: 'H5L_TYPE_SOFT', h5path: '/values' },
        away: { class: 'H5L_TYPE_EXTERNAL', h5path: '/there', h5domain: other.path },
      },
      attributes: { a: { shape: { class: 'H5S_SCALAR' }, type: TEXT } },
    })

    const names = Object.entries(root.links).flatMap(([name, link]) => (link.id === undefined ? [] : [name]))
    const parent = `/?domain=${encodeURIComponent(domain.path)}&parent_id=${domain.root}&include_attrs=true`
    const asked = {
      user: USER1,
      headers: { ...BROWSER, 'accept-encoding': 'identity', 'content-type': 'text/plain' },
    }
    const members = await send('POST', parent, { h5paths: names }, asked)
    expect(members.status, members.story).toBe(200)
    const { h5paths } = members.json<{ h5paths: Readonly<Record<string, Fields>> }>()
    expect(Object.keys(h5paths).sort()).toEqual(['g', 'values'])
    expect(h5paths.values).toMatchObject({
      id,
      class: 'dataset',
      shape: { class: 'H5S_SIMPLE', dims: [2, 2] },
      type: DOUBLE,
      creationProperties: { layout: { dims: [2, 2] } },
      attributes: {
        b: { type: { mapping: { FALSE: 0, TRUE: 1 }, members: [{ name: 'FALSE' }, { name: 'TRUE' }] } },
      },
    })
    const none = await send('POST', parent, { h5paths: [] }, asked)
    expect(none.status, none.story).toBe(200)

    const one = (path: string) => `/?h5path=${encodeURIComponent(path)}&include_attrs=true&${follow}`
    expect(await entity(domain.path, one('/soft'))).toMatchObject({
      id,
      class: 'dataset',
      domain: domain.path,
    })
    expect(await entity(domain.path, one('/away'))).toMatchObject({
      id: away,
      class: 'dataset',
      domain: other.path,
    })
    const lost = await domain.send('GET', one('/lost'), undefined, { headers: BROWSER })
    expect(lost.status, lost.story).toBe(404)

    const { attributes } = await entity<Fields>(domain.path, `/datasets/${id}/attributes?IncludeData=true`)
    expect(attributes).toMatchObject([{ name: 'b', value: true }])
    const bytes = await domain.send('GET', `/datasets/${id}/value`, undefined, {
      headers: { ...BROWSER, accept: 'application/octet-stream' },
    })
    expect(bytes.headers['content-type']).toBe('application/octet-stream')
    const numbers = [0, 8, 16, 24].map(offset => bytes.bytes.readDoubleLE(offset))
    expect([bytes.bytes.length, ...numbers]).toEqual([32, Number.NaN, 1, 2, 3])
  })
})
