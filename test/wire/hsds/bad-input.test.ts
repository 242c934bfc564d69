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
