// Every route of the hsds dialect and the forms that it takes, for every kind of caller (hsds-objects 2). The list of a
// domain decides: one flag is needed, all others do not help, and it alone is enough. Anonymous callers get 403 of
// what they may not read and 401 of all else; wrong credentials are 401 everywhere.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ADMIN,
  basic,
  type Method,
  type Options,
  type Reply,
  send,
  USER1,
  USER2,
  uniqueName,
} from '../client.ts'
import {
  classicId,
  type Domain,
  expectRefusal,
  HOME,
  hostOf,
  keptDomain,
  makeHome,
  newDomain,
  newPath,
  removeDomain,
} from './domain.ts'

beforeAll(makeHome)

const FLAGS = ['create', 'read', 'update', 'delete', 'readACL', 'updateACL'] as const
type Flag = (typeof FLAGS)[number]

const I8 = 'H5T_STD_I8LE'
const ONE = { type: I8, value: 1 }

interface Place {
  readonly domain: Domain
  /** Ids by the words that paths and bodies use for them. */
  readonly ids: Readonly<Record<string, string>>
}

interface Row {
  readonly method: Method
  /** ROOT, GROUP, DATASET and DATATYPE represent the ids of objects, in bodies too, PATH the path of the domain. */
  readonly target: string
  readonly body?: object
  readonly success: number
  readonly needs: Flag
  /** The route of docs/routes.md, when the target does not tell it. */
  readonly route?: string
}

function row(
  method: Method,
  target: string,
  success: number,
  needs: Flag,
  body?: object,
  route?: string,
): Row {
  return { method, target, success, needs, ...(body && { body }), ...(route && { route }) }
}

const OBJECTS = ['/groups/GROUP', '/datasets/DATASET', '/datatypes/DATATYPE']

/** The attributes are those of the objects: a document without one deletes it. */
const ZARR_GROUP = { zarr_format: 3, node_type: 'group', attributes: { a: 1 } }

const ROWS: readonly Row[] = [
  row('GET', '/', 200, 'read'),
  row('GET', '/?verbose=1', 200, 'read'),
  row('GET', '/?getdnids=1', 200, 'read'),
  row('GET', '/thumbnail', 204, 'read'),
  row('GET', '/thumbnail?h5path=/group/dataset', 200, 'read'),
  row('GET', '/thumbnail?object=DATASET', 200, 'read'),
  row('GET', '/h5PATH', 200, 'read', undefined, '/h5/*'),
  row('DELETE', '/h5PATH', 204, 'delete', undefined, '/h5/*'),
  row('GET', '/events?wait=0', 200, 'read'),
  row('GET', '/events?wait=0&object=DATASET', 200, 'read'),
  row('GET', '/?getobjs=1&include_attrs=1', 200, 'read'),
  row('GET', '/paths', 200, 'read'),
  row('GET', '/?h5path=/group/dataset', 200, 'read'),
  row('GET', '/?h5path=/soft&follow_soft_links=1', 200, 'read'),
  row('GET', '/?h5path=dataset&parent_id=GROUP', 200, 'read'),
  row('POST', '/', 200, 'read', { h5paths: ['/group', '/group/dataset'] }),
  row('POST', '/', 200, 'read', { h5paths: [] }),
  row('PUT', '/?flush=1', 204, 'update'),
  row('PUT', '/', 200, 'update', { flush: 1, getdnids: 1 }),
  row('PUT', '/?rescan=1', 204, 'update'),
  row('DELETE', '/', 200, 'delete'),
  // No other domain shares its root group; a caller that may not delete does not learn that.
  row('DELETE', '/?keep_root=1', 409, 'delete'),
  row('DELETE', '/?meta_only=1', 200, 'delete'),

  row('GET', '/acls', 200, 'readACL'),
  row('GET', `/acls/${USER1}`, 200, 'readACL', undefined, '/acls/:user'),
  row('PUT', '/acls', 201, 'updateACL', { acls: [{ userName: 'ann', read: true }] }),
  row('PUT', '/acls/ann', 201, 'updateACL', { read: true }, '/acls/:user'),
  row('PUT', `/acls/${USER2}`, 201, 'updateACL', { delete: true }, '/acls/:user'),
  row('DELETE', `/acls/${USER1}`, 200, 'updateACL', undefined, '/acls/:user'),
  row('PUT', '/access', 200, 'updateACL', { acls: [{ userName: USER2, delete: true }] }),
  ...OBJECTS.map(object => row('GET', `${object}/acls`, 200, 'readACL')),
  ...OBJECTS.map(object =>
    row('GET', `${object}/acls/${USER1}`, 200, 'readACL', undefined, '/:collection/:id/acls/:user'),
  ),

  ...['groups', 'datasets', 'datatypes'].map(collection => row('GET', `/${collection}`, 200, 'read')),
  row('POST', '/groups', 201, 'create'),
  row('POST', '/groups', 201, 'create', { link: { id: 'GROUP', name: 'new' } }),
  row('POST', '/groups', 201, 'create', { h5path: 'group/new' }),
  row('POST', '/groups', 201, 'create', [{ attributes: { a: ONE } }, { links: { soft: { h5path: '/' } } }]),
  row('POST', '/datasets', 201, 'create', { type: I8 }),
  row('POST', '/datasets', 201, 'create', { type: I8, shape: 2, value: [1, 2] }),
  row('POST', '/datasets', 201, 'create', [{ type: I8 }, { type: 'DATATYPE', shape: 2 }]),
  row('POST', '/datatypes', 201, 'create', { type: I8 }),
  row('POST', '/datatypes', 201, 'create', [{ type: I8 }, { type: I8 }]),
  row('GET', '/groups/?h5path=/group', 200, 'read', undefined, '/groups/:id'),
  row('GET', '/datasets/?h5path=/group/dataset', 200, 'read', undefined, '/datasets/:id'),
  row('GET', '/datatypes/?h5path=/type', 200, 'read', undefined, '/datatypes/:id'),
  row('GET', '/groups/GROUP?include_links=1', 200, 'read'),
  row('GET', '/datasets/DATASET?verbose=1', 200, 'read'),
  ...OBJECTS.flatMap(object => [
    row('GET', object, 200, 'read'),
    row('GET', `${object}?include_attrs=1&getalias=1`, 200, 'read'),
    row('DELETE', object, 200, 'delete'),
    row('GET', `${object}/attributes`, 200, 'read'),
    row('GET', `${object}/attributes?IncludeData=1&pattern=*`, 200, 'read'),
    row('POST', `${object}/attributes`, 200, 'read', { attr_names: ['a'] }),
    row('POST', `${object}/attributes`, 200, 'read', { obj_ids: ['GROUP', 'DATASET'] }),
    row('PUT', `${object}/attributes`, 201, 'create', { attributes: { n: ONE, m: ONE } }),
    row('PUT', `${object}/attributes?replace=1`, 201, 'create', {
      attributes: { a: { type: I8, value: 2 } },
    }),
    row('PUT', `${object}/attributes`, 201, 'create', { obj_ids: { GROUP: { attributes: { n: ONE } } } }),
    row('DELETE', `${object}/attributes?attr_names=a`, 200, 'delete'),
    row('GET', `${object}/attributes/a`, 200, 'read', undefined, '/:collection/:id/attributes/*'),
    row('PUT', `${object}/attributes/n`, 201, 'create', ONE, '/:collection/:id/attributes/*'),
    row(
      'PUT',
      `${object}/attributes/a?replace=1`,
      201,
      'create',
      { type: I8, value: 2 },
      '/:collection/:id/attributes/*',
    ),
    row('DELETE', `${object}/attributes/a`, 200, 'delete', undefined, '/:collection/:id/attributes/*'),
    row(
      'GET',
      `${object}/attributes/a/value`,
      200,
      'read',
      undefined,
      '/:collection/:id/attributes/:name/value',
    ),
    row(
      'PUT',
      `${object}/attributes/a/value`,
      200,
      'update',
      { value: 3 },
      '/:collection/:id/attributes/:name/value',
    ),
  ]),
  row('GET', '/groups/GROUP/attributes?follow_links=1', 200, 'read'),
  row('POST', '/groups/GROUP/attributes?IncludeData=1', 200, 'read', { attr_names: ['a'] }),

  row('GET', '/groups/GROUP/links', 200, 'read'),
  row('GET', '/groups/ROOT/links?follow_links=1&pattern=*', 200, 'read'),
  row('POST', '/groups/ROOT/links', 200, 'read', { titles: ['group'] }),
  row('POST', '/groups/ROOT/links', 200, 'read', { grp_ids: ['GROUP', 'ROOT'] }),
  row('POST', '/groups/ROOT/links', 200, 'read', { grp_ids: { GROUP: ['dataset'] } }),
  row('PUT', '/groups/GROUP/links', 201, 'create', { links: { n: { h5path: '/' } } }),
  row('PUT', '/groups/ROOT/links', 201, 'create', {
    grp_ids: { GROUP: { links: { n: { id: 'DATASET' } } } },
  }),
  row('PUT', '/groups/ROOT/links?replace=1', 201, 'create', { links: { soft: { h5path: '/' } } }),
  row('DELETE', '/groups/GROUP/links?titles=dataset', 200, 'delete'),
  row('GET', '/groups/GROUP/links/dataset', 200, 'read', undefined, '/groups/:id/links/*'),
  row('PUT', '/groups/GROUP/links/n', 201, 'create', { id: 'DATASET' }, '/groups/:id/links/*'),
  row('DELETE', '/groups/GROUP/links/dataset', 200, 'delete', undefined, '/groups/:id/links/*'),

  row('GET', '/datasets/DATASET/shape', 200, 'read'),
  row('GET', '/datasets/DATASET/type', 200, 'read'),
  row('PUT', '/datasets/DATASET/shape', 201, 'update', { shape: [8] }),
  row('PUT', '/datasets/DATASET/shape', 201, 'update', { extend: 2 }),
  row('GET', '/datasets/DATASET/value', 200, 'read'),
  row('GET', '/datasets/DATASET/value?select=[0:2]', 200, 'read'),
  row('GET', '/datasets/DATASET/value?query=_%20>%20-1', 200, 'read'),
  row('GET', '/datasets/DATASET/query?query=_%20>%20-1', 200, 'read'),
  row('POST', '/datasets/DATASET/value', 200, 'read', { points: [0, 2] }),
  row('POST', '/datasets/DATASET/value', 200, 'read', { select: '[0:2]' }),
  row('PUT', '/datasets/DATASET/value', 200, 'update', { value: [1, 2, 3, 4] }),
  row('PUT', '/datasets/DATASET/value', 200, 'update', { start: [0], stop: [1], value: [7] }),
  row('PUT', '/datasets/DATASET/value?query=_%20>%20-1', 200, 'update', { value: 5 }),
  row('PUT', '/datasets/DATASET/value?append=1', 200, 'update', { value: [9] }),

  row('GET', '/value?h5path=/soft/dataset', 200, 'read'),
  row('POST', '/values', 200, 'read', { values: [{ id: 'DATASET' }, { h5path: '/soft/dataset' }] }),
  row('PUT', '/values', 200, 'update', { values: [{ id: 'DATASET', value: [1, 2, 3, 4] }] }),

  ...['meta', 'attr', 'data', 'stats', 'paths'].flatMap(name =>
    [name, `${name}/`].map(path =>
      row('GET', `/h5grove/${path}?file=PATH&path=/soft/dataset`, 200, 'read', undefined, `/h5grove/${path}`),
    ),
  ),
  row('GET', '/zarr/v2PATH/.zmetadata', 200, 'read', undefined, '/zarr/v2/*'),
  row('GET', '/zarr/v3PATH/zarr.json', 200, 'read', undefined, '/zarr/v3/*'),
  row('GET', '/zarr/v3PATH/soft/dataset/zarr.json', 200, 'read', undefined, '/zarr/v3/*'),
  row('GET', '/zarr/refsPATH', 200, 'read', undefined, '/zarr/refs/*'),
  row('GET', '/zarr/refsPATH/soft/dataset', 200, 'read', undefined, '/zarr/refs/*'),
  row('PUT', '/zarr/v3PATH/group/zarr.json', 204, 'update', ZARR_GROUP, '/zarr/v3/*'),
  row('PUT', '/zarr/v3PATH/group/new/zarr.json', 201, 'create', ZARR_GROUP, '/zarr/v3/*'),
  row('PUT', '/zarr/v2PATH/group/.zgroup', 204, 'update', { zarr_format: 2 }, '/zarr/v2/*'),
  row('DELETE', '/zarr/v3PATH/group/dataset/zarr.json', 204, 'delete', undefined, '/zarr/v3/*'),
  row('DELETE', '/zarr/v2PATH', 204, 'delete', undefined, '/zarr/v2/*'),
  // Nothing is stored: a caller that may not read does not learn that.
  row('GET', '/zarr/v3PATH/group/dataset/c/0', 404, 'read', undefined, '/zarr/v3/*'),
]

/** A domain with one object of each kind, each with an attribute `a`, linked in the root group or below it. */
async function furnished(make = newDomain): Promise<Place> {
  const domain = await make()
  const group = await domain.group('group')
  const dataset = await domain.dataset({
    type: I8,
    shape: [4],
    maxdims: [0],
    link: { id: group, name: 'dataset' },
  })
  const datatype = await domain.datatype({ type: I8, link: { id: domain.root, name: 'type' } })
  const ids = { ROOT: domain.root, GROUP: group, DATASET: dataset, DATATYPE: datatype, PATH: domain.path }
  await domain.want(201, 'PUT', `/groups/${domain.root}/links/soft`, { h5path: '/group' })
  const attributes = { attributes: { a: ONE } }
  await domain.want(201, 'PUT', `/groups/${group}/attributes`, {
    obj_ids: [group, dataset, datatype],
    ...attributes,
  })
  return { domain, ids }
}

function filledIn(text: string, { ids }: Place): string {
  return text.replace(/ROOT|GROUP|DATASET|DATATYPE|PATH/g, name => ids[name] ?? name)
}

function sendRow(place: Place, { method, target, body }: Row, caller: Options, prefix = ''): Promise<Reply> {
  const sent = body && JSON.parse(filledIn(JSON.stringify(body), place))
  return place.domain.send(method, prefix + filledIn(target, place), sent, caller)
}

function item(...granted: Flag[]) {
  return Object.fromEntries(FLAGS.map(flag => [flag, granted.includes(flag)]))
}

/** Says what test_user2 may do in the domain. */
async function permit({ domain }: Place, ...granted: Flag[]): Promise<void> {
  await domain.want(201, 'PUT', `/acls/${USER2}`, item(...granted), { user: ADMIN })
}

const AS_USER2 = { user: USER2 }
const ANONYMOUS = { user: undefined }
const WRONG = { user: undefined, headers: { authorization: basic(USER1, 'wrong') } }

/** The ways of logging in as test_user2, and tokens that are good for less. */
let ways: readonly Options[]
let readingToken: Options
/** A share of another domain. */
let shareElsewhere: string
let tokenElsewhere: Options

beforeAll(async () => {
  const session = await send('POST', '/login', undefined, AS_USER2)
  const [cookie = ''] = session.headers['set-cookie'] ?? []
  const token = async (scope: object) => {
    const reply = await send('POST', '/tokens', { name: 'matrix', end: '2999-01-01', ...scope }, AS_USER2)
    const { token } = reply.json<{ token: string }>()
    return { bearer: { ...ANONYMOUS, headers: { authorization: `Bearer ${token}` } }, token }
  }
  const all = await token({ writes: true })
  ways = [
    AS_USER2,
    { ...ANONYMOUS, headers: { cookie: cookie.split(';')[0], 'x-requested-with': 'test' } },
    all.bearer,
    { ...ANONYMOUS, headers: { authorization: basic(USER2, all.token) } },
  ]
  readingToken = (await token({})).bearer
  const elsewhere = `${HOME}/${uniqueName()}`
  await send('PUT', `/?domain=${elsewhere}`, { folder: true }, { user: USER1 })
  shareElsewhere = await prefixOfShare(elsewhere)
  tokenElsewhere = (await token({ writes: true, within: `${HOME}/elsewhere` })).bearer
})

/** The path before that of a request by a share, which administrators make. */
async function prefixOfShare(domain: string): Promise<string> {
  const reply = await send('POST', '/shares', { domain, end: '2999-01-01' }, { user: ADMIN })
  expect(reply.status, reply.story).toBe(201)
  return new URL(reply.json<{ address: string }>().address).pathname.slice(0, -1)
}

/** Whether the request changes nothing, so that it can be sent again. */
const isReading = ({ needs }: Row) => needs === 'read' || needs === 'readACL'

/** The pattern that docs/routes.md lists for a row. */
function patternOf({ target, route }: Row): string {
  if (route !== undefined) return route
  return (target.split('?')[0] ?? '')
    .replace(/^\/(groups|datasets|datatypes)\/[A-Z]+\/(attributes|acls)/, '/:collection/:id/$2')
    .replace(/\/(ROOT|GROUP|DATASET|DATATYPE)/, '/:id')
}

test('every route that the documentation lists for hsds has a row, or needs no permission, or is tested below', () => {
  const documentation = readFileSync(new URL('../../../docs/routes.md', import.meta.url), 'utf8')
  const listed = [...documentation.matchAll(/^\| (\w+) \| `([^`]+)` \| [\w-]+ \| (\w+) \| (hsds|both) \| /gm)]
    .filter(([, , , permission]) => permission !== 'none')
    .map(([, method, path]) => `${method} ${path}`)
  expect(listed.length).toBeGreaterThan(30)
  const rows = new Set(ROWS.map(one => `${one.method} ${patternOf(one)}`))
  expect(listed.filter(route => !rows.has(route))).toEqual(['GET /domains', 'PUT /h5/*', 'GET /usage'])
})

/** One domain for all rows that change nothing. */
let placeForReading: Place
beforeAll(async () => {
  placeForReading = await furnished(keptDomain)
})
afterAll(() => removeDomain(placeForReading.domain.path))

/** A domain in whose list test_user2 is not. */
async function placeFor(one: Row): Promise<Place> {
  if (!isReading(one)) return await furnished()
  await placeForReading.domain.send('DELETE', `/acls/${USER2}`, undefined, { user: ADMIN })
  return placeForReading
}

describe.each(ROWS.map((one, index) => ({ ...one, index })))('$method $target $body', ({ index, ...one }) => {
  const { needs, success } = one

  test(`needs ${needs}: others 403, anonymous callers 403 or 401, wrong credentials 401`, async () => {
    const place = await placeFor(one)
    const anonymously = needs === 'read' || needs === 'readACL' ? 403 : 401
    expectRefusal(await sendRow(place, one, ways[index % ways.length]), 403)
    await permit(place, ...FLAGS.filter(flag => flag !== needs))
    for (const way of ways) expectRefusal(await sendRow(place, one, way), 403)
    expectRefusal(await sendRow(place, one, ANONYMOUS), anonymously)
    await permit(place, needs)
    expectRefusal(await sendRow(place, one, ANONYMOUS), anonymously)
    expectRefusal(await sendRow(place, one, WRONG), 401)
    expectRefusal(await sendRow(place, one, tokenElsewhere), 403)
    if (!isReading(one)) expectRefusal(await sendRow(place, one, readingToken), 403)
    expectRefusal(await sendRow(place, one, ANONYMOUS, shareElsewhere), 403)
    // A share is for reading, and nothing else.
    const shared = await sendRow(place, one, ANONYMOUS, await prefixOfShare(place.domain.path))
    if (needs === 'read') expect(shared.status, shared.story).toBe(success)
    else expectRefusal(shared, 403)
    // A write is sent once: the next row takes the next way.
    const accepted = isReading(one) ? [...ways, readingToken] : [ways[index % ways.length]]
    for (const way of accepted) {
      const reply = await sendRow(place, one, way)
      expect(reply.status, reply.story).toBe(success)
    }
  })
})

test('what needs no permission: /about, whose credentials are checked, and /info, whose are not', async () => {
  expect((await send('GET', '/about')).status).toBe(200)
  expect((await send('GET', '/about', undefined, WRONG)).status).toBe(401)
  expect((await send('GET', '/info', undefined, WRONG)).status).toBe(200)
})

test('logging in at an identity provider needs no permission, whatever the credentials of the request are', async () => {
  for (const way of [...ways, readingToken, tokenElsewhere, ANONYMOUS, WRONG]) {
    const reply = await send('GET', '/providers', undefined, way)
    expect(reply.status, reply.story).toBe(200)
    // This server has no provider.
    expect(reply.json()).toEqual({ providers: [] })
    for (const path of ['/login/lab', '/login/lab/callback?code=1&state=2', '/login/lab/callback']) {
      const unknown = await send('GET', path, undefined, way)
      expect(unknown.status, unknown.story).toBe(404)
      expect(unknown.json()).toMatchObject({ code: 'provider-not-found' })
      expect(unknown.headers['set-cookie']).toBeUndefined()
    }
  }
  // Errors as pages are not in the description of the API.
  const html = { headers: { accept: 'text/html' }, undeclared: true }
  const page = await send('GET', '/login/%3Cb%3E', undefined, html)
  expect(page.status).toBe(404)
  expect(page.text).toContain('<h1>You are not logged in</h1>')
  expect(page.text).not.toContain('<b>')
})

describe('one’s own entry decides, also when it denies', () => {
  test.each([
    ['the entry of everybody', 'default'],
    ['the entry of a group', 'g:test_group'],
  ])('what %s grants', async (_, name) => {
    const place = await furnished()
    const { domain } = place
    await domain.want(201, 'PUT', `/acls/${name}`, item('read', 'create', 'update'))
    if (name === 'default') await domain.want(200, 'GET', '/', undefined, AS_USER2)
    await permit(place, 'create')
    await domain.refuse(403, 'GET', '/', undefined, AS_USER2)
    await domain.want(201, 'POST', '/groups', {}, AS_USER2)
    await domain.refuse(403, 'PUT', `/datasets/${place.ids.DATASET}/value`, { value: [1, 2, 3, 4] }, AS_USER2)
    await permit(place)
    await domain.refuse(403, 'POST', '/groups', {}, AS_USER2)
  })

  test('of oneself and of everybody can be read by callers that may read', async () => {
    const place = await furnished()
    const { domain } = place
    await permit(place, 'read')
    await domain.want(200, 'GET', `/acls/${USER2}`, undefined, AS_USER2)
    await domain.refuse(404, 'GET', '/acls/default', undefined, AS_USER2)
    await domain.refuse(403, 'GET', '/acls/nobody', undefined, AS_USER2)
    await permit(place, 'readACL')
    await domain.want(200, 'GET', `/acls/${USER2}`, undefined, AS_USER2)
    await domain.refuse(404, 'GET', '/acls/nobody', undefined, AS_USER2)
  })
})

describe('folders and the top level', () => {
  const at = (method: Method, target: string, body?: unknown, user?: string) =>
    send(method, target, body, { user })
  const statusOf = async (...request: Parameters<typeof at>) => (await at(...request)).status

  test('to make, list and delete needs create, read and delete on the folder', async () => {
    const folder = newPath().replace('.h5', '')
    const inside = newPath(folder)
    const target = `/?domain=${inside}`
    expect(await statusOf('PUT', `/?domain=${folder}`, { folder: true }, USER1)).toBe(201)
    const give = (...granted: Flag[]) =>
      statusOf('PUT', `/acls/${USER2}?domain=${folder}`, item(...granted), USER1)
    expect(await give(...FLAGS.filter(flag => flag !== 'create'))).toBe(201)
    expect(await statusOf('PUT', target, undefined, USER2)).toBe(403)
    expect(await statusOf('PUT', target)).toBe(401)
    expect(await statusOf('PUT', target, { folder: true }, USER2)).toBe(403)
    await give('create')
    expect(await statusOf('PUT', target, { owner: USER1 }, USER2)).toBe(403)
    expect(await statusOf('PUT', target, undefined, USER2)).toBe(201)
    expect(await statusOf('GET', `/domains?domain=${folder}`, undefined, USER2)).toBe(403)
    expect(await statusOf('GET', `/?domain=${folder}`, undefined, USER2)).toBe(403)
    await give('read')
    expect(await statusOf('GET', `/domains?domain=${folder}`, undefined, USER2)).toBe(200)
    expect(await statusOf('GET', `/?domain=${folder}`, undefined, USER2)).toBe(200)
    await removeDomain(inside)
    await give(...FLAGS.filter(flag => flag !== 'delete'))
    expect(await statusOf('DELETE', `/?domain=${folder}`, undefined, USER2)).toBe(403)
    await give('delete')
    expect(await statusOf('DELETE', `/?domain=${folder}`)).toBe(401)
    expect(await statusOf('DELETE', `/?domain=${folder}`, undefined, USER2)).toBe(200)
  })

  test('the lists of a folder need readACL and updateACL there', async () => {
    const folder = newPath().replace('.h5', '')
    expect(await statusOf('PUT', `/?domain=${folder}`, { folder: true }, USER1)).toBe(201)
    const give = (...granted: Flag[]) =>
      statusOf('PUT', `/acls/${USER2}?domain=${folder}`, item(...granted), USER1)
    const list = `/acls?domain=${folder}`
    const change = [`/acls/ann?domain=${folder}`, { read: true }] as const
    await give(...FLAGS.filter(flag => flag !== 'readACL' && flag !== 'updateACL'))
    expect(await statusOf('GET', list, undefined, USER2)).toBe(403)
    expect(await statusOf('GET', list)).toBe(403)
    expect(await statusOf('PUT', ...change, USER2)).toBe(403)
    expect(await statusOf('PUT', ...change)).toBe(401)
    await give('readACL')
    expect(await statusOf('GET', list, undefined, USER2)).toBe(200)
    expect(await statusOf('PUT', ...change, USER2)).toBe(403)
    await give('updateACL')
    expect(await statusOf('PUT', ...change, USER2)).toBe(201)
    await removeDomain(folder)
  })

  test('the top level and other owners are for administrators', async () => {
    const top = `/${HOME.slice(1).replaceAll('/', '-')}-${Date.now()}`
    for (const body of [undefined, { folder: true }]) {
      expect(await statusOf('PUT', `/?domain=${top}`, body)).toBe(401)
      expect(await statusOf('PUT', `/?domain=${top}`, body, USER1)).toBe(403)
      expect(await statusOf('PUT', `/?domain=${top}`, { ...body, owner: USER1 }, ADMIN)).toBe(201)
      expect(await statusOf('DELETE', `/?domain=${top}`, undefined, USER1)).toBe(403)
      expect(await statusOf('DELETE', `/?domain=${top}`, undefined, ADMIN)).toBe(200)
    }
  })

  test('a folder that may not be read shows nothing of it in a listing by query or verbosely', async () => {
    const { domain } = await furnished()
    const list = async (query: string, user?: string) => {
      const reply = await at('GET', `/domains?domain=${HOME}&${query}`, undefined, user)
      expect(reply.status, reply.story).toBe(200)
      const { domains } = reply.json<{ domains: { name: string }[] }>()
      return domains.find(({ name }) => name === domain.path)
    }
    await domain.want(201, 'PUT', `/groups/${domain.root}/attributes/secret`, ONE)
    expect(await list('query=secret==1', USER1)).toBeDefined()
    expect(await list('query=secret==1', USER2)).toBeUndefined()
    expect(await list('verbose=1', USER1)).toHaveProperty('num_objects')
    expect(await list('verbose=1', USER2)).not.toHaveProperty('num_objects')
  })
})

describe('an object with a list of its own, which the classic dialect gives it', () => {
  /** A dataset and a group that test_user2 may do nothing with, in a domain where it may do everything else. */
  async function withClosed(): Promise<Place> {
    const place = await furnished()
    const { domain, ids } = place
    await permit(place, ...FLAGS)
    for (const path of [
      `/datasets/${classicId(ids.DATASET ?? '')}`,
      `/groups/${classicId(ids.GROUP ?? '')}`,
    ]) {
      const reply = await send('PUT', `${path}/acls/${USER2}?host=${hostOf(domain.path)}`, item(), {
        user: USER1,
      })
      expect(reply.status, reply.story).toBe(201)
    }
    return place
  }

  const touching = ROWS.filter(({ target, body }) => {
    const text = target + JSON.stringify(body ?? '')
    return /GROUP|DATASET/.test(text) && !/\/datatypes\/DATATYPE|"id":"DATASET"/.test(text)
  })
  test('is closed to each request that names it', async () => {
    // One domain for all: what is refused changes nothing.
    const place = await withClosed()
    for (const one of touching) {
      const reply = await sendRow(place, one, AS_USER2)
      expect(reply.status, `${one.target} ${JSON.stringify(one.body)}: ${reply.story}`).toBe(403)
    }
  })

  test('is closed to requests about several objects, which then change nothing', async () => {
    const place = await withClosed()
    const { domain, ids } = place
    const refused = (method: Method, target: string, body: object) =>
      domain.refuse(
        403,
        method,
        filledIn(target, place),
        JSON.parse(filledIn(JSON.stringify(body), place)),
        AS_USER2,
      )
    const attributes = { n: ONE }
    const links = { n: { h5path: '/' } }
    await refused('PUT', '/datatypes/DATATYPE/attributes', { obj_ids: ['DATATYPE', 'DATASET'], attributes })
    await refused('PUT', '/groups/ROOT/links', { grp_ids: ['ROOT', 'GROUP'], links })
    await refused('POST', '/groups', [
      { link: { id: 'ROOT', name: 'n' } },
      { link: { id: 'GROUP', name: 'n' } },
    ])
    await refused('POST', '/datasets', { type: I8, link: { id: 'GROUP', name: 'n' } })
    await refused('POST', '/datasets', { type: I8, h5path: 'group/n' })
    await refused('POST', '/datatypes/DATATYPE/attributes', { obj_ids: ['DATATYPE', 'DATASET'] })
    await refused('POST', '/', { h5paths: ['/type', '/group'] })
    await domain.refuse(404, 'GET', '/?h5path=/soft&follow_soft_links=1', undefined, AS_USER2)
    const titles = (
      await domain.want<{ links: { title: string }[] }>(200, 'GET', `/groups/${ids.ROOT}/links`)
    ).links
    expect(titles.map(({ title }) => title)).toEqual(['group', 'soft', 'type'])
    await domain.refuse(404, 'GET', `/datatypes/${ids.DATATYPE}/attributes/n`)
  })

  test('is left out where a request takes what it finds', async () => {
    const { domain, ids } = await withClosed()
    const { domain_objs } = await domain.want<{ domain_objs: object }>(
      200,
      'GET',
      '/?getobjs=1',
      undefined,
      AS_USER2,
    )
    expect(Object.keys(domain_objs).sort()).toEqual([ids.DATATYPE, ids.ROOT].sort())
    // No way to an object is shown that leads through it.
    const hidden = await domain.dataset({ type: I8, link: { id: ids.GROUP, name: 'hidden' } })
    const alias = async (options?: Options) =>
      (await domain.want(200, 'GET', `/datasets/${hidden}?getalias=1`, undefined, options)).alias
    expect(await alias()).toEqual(['/group/hidden'])
    expect(await alias(AS_USER2)).toEqual([])
    const all = await domain.want<{ domain_objs: object }>(200, 'GET', '/?getobjs=1')
    expect(Object.keys(all.domain_objs)).toHaveLength(5)
  })
})

test('another domain that a request leads to must be readable', async () => {
  const { domain } = await furnished()
  const other = await furnished()
  await domain.want(201, 'PUT', '/acls/default', { read: true })
  await domain.want(201, 'PUT', `/groups/${domain.root}/links/out`, {
    h5domain: other.domain.path,
    h5path: '/group',
  })
  const follow = '?follow_external_links=1&follow_soft_links=1'
  await domain.refuse(404, 'GET', `/${follow}&h5path=/out`, undefined, AS_USER2)
  await domain.refuse(404, 'GET', `/${follow}&h5path=/out`, undefined, ANONYMOUS)
  await domain.refuse(404, 'POST', `/${follow}`, { h5paths: ['/', '/out'] }, AS_USER2)
  await permit(other, 'read')
  await domain.want(200, 'GET', `/${follow}&h5path=/out`, undefined, AS_USER2)
  await domain.refuse(404, 'GET', `/${follow}&h5path=/out`, undefined, ANONYMOUS)
})

test('an object of another domain is 400 to callers that may read the domain that is named, and 403 to others', async () => {
  const { domain } = await furnished()
  const other = await furnished()
  await permit(other, 'read')
  const path = `/groups/${other.ids.GROUP}`
  await domain.refuse(400, 'GET', path)
  await other.domain.want(200, 'GET', path, undefined, AS_USER2)
  await domain.refuse(403, 'GET', path, undefined, AS_USER2)
})
