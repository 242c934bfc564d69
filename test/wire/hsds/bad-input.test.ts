// Bad input in the hsds dialect: every endpoint that takes a JSON body refuses what is no JSON object with a 400 that
// says why, and what the domain holds stays as it was.

import { beforeAll, describe, expect, test } from 'vitest'
import { type Method, send, USER1 } from '../client.ts'
import { NO_OBJECTS } from '../no-objects.ts'
import { type Domain, expectRefusal, makeHome, newDomain, newPath } from './domain.ts'

const I32 = 'H5T_STD_I32LE'
/** In this dialect a list of creation bodies is not malformed (hsds-objects 17.1). */
const { 'a list': _, ...MALFORMED } = NO_OBJECTS

beforeAll(makeHome)

const ENDPOINTS: [string, Method, (place: Place) => string][] = [
  ['POST /groups', 'POST', () => '/groups'],
  ['POST /datasets', 'POST', () => '/datasets'],
  ['POST /datatypes', 'POST', () => '/datatypes'],
  ['PUT link', 'PUT', ({ group }) => `/groups/${group}/links/l`],
  ['PUT attribute', 'PUT', ({ dataset }) => `/datasets/${dataset}/attributes/a`],
  ['PUT shape', 'PUT', ({ dataset }) => `/datasets/${dataset}/shape`],
  ['PUT value', 'PUT', ({ dataset }) => `/datasets/${dataset}/value`],
  ['PUT ACL', 'PUT', () => `/acls/${USER1}`],
]

interface Place {
  readonly domain: Domain
  readonly group: string
  readonly dataset: string
}

async function furnished(): Promise<Place> {
  const domain = await newDomain()
  const group = await domain.group('g')
  const link = { id: group, name: 'd' }
  const dataset = await domain.dataset({ type: I32, shape: [3], maxdims: [0], link })
  await domain.want(200, 'PUT', `/datasets/${dataset}/value`, { value: [1, 2, 3] })
  return { domain, group, dataset }
}

async function everything({ domain, group, dataset }: Place): Promise<unknown[]> {
  const paths = [
    '/',
    '/acls',
    '/groups',
    '/datasets',
    '/datatypes',
    `/groups/${group}`,
    `/groups/${group}/links`,
  ]
  paths.push(`/datasets/${dataset}`, `/datasets/${dataset}/attributes`, `/datasets/${dataset}/value`)
  const seen: unknown[] = []
  for (const path of paths) seen.push(await domain.want(200, 'GET', path))
  return seen
}

describe.each(ENDPOINTS)('%s', (_title, method, target) => {
  test('a body that is no JSON object is 400 and changes nothing', async () => {
    const place = await furnished()
    const before = await everything(place)
    for (const body of Object.values(MALFORMED)) {
      expectRefusal(await place.domain.send(method, target(place), body), 400)
    }
    expect(await everything(place)).toEqual(before)
  })
})

test('PUT /: a body that is no JSON object is 400 and makes no domain', async () => {
  const path = newPath()
  for (const body of Object.values(MALFORMED)) {
    expectRefusal(await send('PUT', `/?domain=${path}`, body, { user: USER1 }), 400)
  }
  expectRefusal(await send('GET', `/?domain=${path}`, undefined, { user: USER1 }), 404)
})

describe('members and parameters that will have been meant are 400, and change nothing (hsds-objects 1.3)', () => {
  const type = I32
  test.each<[Method, (place: Place) => string, unknown, string]>([
    ['POST', () => '/groups', { h5pth: '/x' }, '"h5path"'],
    ['POST', () => '/groups', [{}, { lnk: {} }], '"link"'],
    ['POST', () => '/groups', { link: { name: 'x', parent: 'y' } }, 'body.link must not have "parent"'],
    ['POST', () => '/groups?implict=1', { h5path: '/a/b' }, '"implicit"'],
    ['POST', () => '/groups?h5path=/x', undefined, 'must be a member of the body'],
    ['POST', () => '/datasets', { type, shape: [1], maxdim: [0] }, '"maxdims"'],
    ['POST', () => '/datasets', { type, shape: [40_000], vlaue: new Array(40_000).fill(1) }, '"value"'],
    ['POST', () => '/datatypes', { type, tpye: I32 }, '"type"'],
    ['PUT', ({ group }) => `/groups/${group}/links/l`, { h5path: '/d', h5domian: '/x' }, '"h5domain"'],
    ['PUT', ({ group }) => `/groups/${group}/links`, { link: {} }, '"links"'],
    ['PUT', ({ dataset }) => `/datasets/${dataset}/attributes/a`, { type, values: 1 }, '"value"'],
    [
      'PUT',
      ({ dataset }) => `/datasets/${dataset}/attributes`,
      { attributes: { a: { type, vlue: 1 } } },
      '"value"',
    ],
    ['PUT', ({ dataset }) => `/datasets/${dataset}/attributes/a?replce=1`, { type, value: 1 }, '"replace"'],
    // Without the misspelled member, elements would be written elsewhere.
    ['PUT', ({ dataset }) => `/datasets/${dataset}/value`, { value: [7, 8, 9], apend: 3 }, '"append"'],
    [
      'PUT',
      ({ dataset }) => `/datasets/${dataset}/value`,
      { value: [7], append: 1, append_dmi: 0 },
      '"append_dim"',
    ],
    ['PUT', ({ dataset }) => `/datasets/${dataset}/value`, { value: 7, strat: 1 }, '"start"'],
    ['PUT', ({ dataset }) => `/datasets/${dataset}/value`, { value: 7, Select: '[1:2]' }, '"select"'],
    ['PUT', ({ dataset }) => `/datasets/${dataset}/shape`, { extend: 1, extend_dmi: 0 }, '"extend_dim"'],
    ['PUT', ({ dataset }) => `/datasets/${dataset}/shape`, { shape: [4], maxdims: [9] }, '"maxdims"'],
    ['DELETE', () => '/?keeproot=1', undefined, '"keep_root"'],
    ['DELETE', () => '/', { keeproot: true }, '"keep_root"'],
    ['GET', ({ dataset }) => `/datasets/${dataset}?format=npy`, undefined, 'format'],
  ])('%s %s: %j', async (method, target, body, hint) => {
    const place = await furnished()
    const before = await everything(place)
    const reply = await place.domain.send(method, target(place), body)
    expectRefusal(reply, 400)
    expect(reply.json().message).toContain(hint)
    expect(await everything(place)).toEqual(before)
  })

  test.each([
    ['', { moved_form: '/a' }, '"moved_from"'],
    ['', { group: { creationproperties: {} } }, '"creationProperties"'],
    ['&moved_from=/a', undefined, 'must be a member of the body'],
    ['&foldr=1', undefined, '"folder"'],
  ])('PUT /%s: %j makes no domain', async (query, body, hint) => {
    const path = newPath()
    const reply = await send('PUT', `/?domain=${path}${query}`, body, { user: USER1 })
    expectRefusal(reply, 400)
    expect(reply.json().message).toContain(hint)
    expectRefusal(await send('GET', `/?domain=${path}`, undefined, { user: USER1 }), 404)
  })

  test('descriptions of objects and attributes can be sent back', async () => {
    const { domain, group, dataset } = await furnished()
    await domain.want(201, 'PUT', `/datasets/${dataset}/attributes/a`, { type, value: 1 })
    const attribute = await domain.want<object>(200, 'GET', `/datasets/${dataset}/attributes/a`)
    await domain.want(201, 'PUT', `/groups/${group}/attributes/a`, attribute)
    const { id: _, ...description } = await domain.want<{ id: string }>(200, 'GET', `/datasets/${dataset}`)
    await domain.want(201, 'POST', '/datasets', description)
    const { id: __, ...described } = await domain.want<{ id: string }>(200, 'GET', `/groups/${group}`)
    await domain.want(201, 'POST', '/groups', described)
  })
})
