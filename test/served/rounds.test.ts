// Requests about many objects, domains or datasets read them together: in PostgreSQL a round of reads is one statement
// or two. Reads of one object after another would make a round or two for each.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openMemoryEngine } from '../engines/memory.ts'
import { withRounds } from '../engines/with-rounds.ts'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { type Method, type Reply, sendTo } from '../wire/client.ts'

const COUNT = 60
/** Rounds of each request: some 30, or a few more on a busy machine; of one object after another at least `COUNT`. */
const MOST_ROUNDS = 55
const NUMBERS = Array.from({ length: COUNT }, (_, i) => i)
const FOLDER = '/f'
const DOMAIN = `domain=${FOLDER}/d.h5`
const INTEGER = { type: 'H5T_STD_I32LE', value: 1 }

const { engine, takeRounds } = withRounds(openMemoryEngine())
const CHUNKED = { layout: { class: 'H5D_CHUNKED', dims: [4] }, filters: ['H5Z_FILTER_DEFLATE'] }
const TEXT = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}
let server: ServedHere
let root: string
let groups: readonly string[]
let datasets: readonly string[]

async function send(method: Method, path: string, body?: unknown): Promise<Reply> {
  const reply = await sendTo(server.address, method, path, body)
  expect(reply.status, reply.story).toBeLessThan(300)
  return reply
}

async function create(collection: string, make: (i: number) => object): Promise<readonly string[]> {
  const { objects } = (await send('POST', `/${collection}?${DOMAIN}`, NUMBERS.map(make))).json<{
    objects: readonly { readonly id: string }[]
  }>()
  return objects.map(({ id }) => id)
}

const named = <T>(prefix: string, value: (i: number) => T) =>
  Object.fromEntries(NUMBERS.map(i => [`${prefix}${i}`, value(i)]))

beforeAll(async () => {
  // Turns end by the time, which divides rounds on a slow machine.
  vi.spyOn(SYSTEM_CLOCK, 'elapsed').mockReturnValue(SYSTEM_CLOCK.elapsed())
  server = await serveHere({}, { engine })
  await send('PUT', `/?domain=${FOLDER}&folder=1`)
  root = (await send('PUT', `/?${DOMAIN}`)).json<{ root: string }>().root
  groups = await create('groups', i => ({ link: { id: root, name: `g${i}` } }))
  const shape = { type: 'H5T_STD_I32LE', shape: [4], value: [1, 2, 3, 4] }
  datasets = await create('datasets', i => ({ ...shape, link: { id: groups[i], name: 'd' } }))
  await create('datasets', i => ({
    type: TEXT,
    shape: [1],
    value: ['x'],
    link: { id: groups[i], name: 'text' },
  }))
  await create('datasets', i => ({
    ...shape,
    creationProperties: CHUNKED,
    link: { id: groups[i], name: 'chunked' },
  }))
  await create('datatypes', i => ({ type: 'H5T_STD_I32LE', link: { id: root, name: `t${i}` } }))
  await send('PUT', `/groups/${root}/attributes?${DOMAIN}`, { attributes: named('a', () => INTEGER) })
  const owners = [...groups, ...datasets].map(id => [id, { attributes: { x: INTEGER } }])
  await send('PUT', `/groups/${root}/attributes?${DOMAIN}`, { obj_ids: Object.fromEntries(owners) })
  await send('PUT', `/values?${DOMAIN}`, { values: datasets.map(id => ({ id, value: [1, 2, 3, 4] })) })
  for (const i of NUMBERS) await send('PUT', `/?domain=${FOLDER}/${i}.h5`)
})

afterAll(async () => {
  vi.restoreAllMocks()
  await server.end()
})

type Request = readonly [method: Method, path: string, body?: unknown]

const REQUESTS: readonly (() => Request)[] = [
  () => ['GET', `/groups/${root}/links?${DOMAIN}&follow_links=1`],
  () => ['GET', `/groups/${root}/attributes?${DOMAIN}&follow_links=1`],
  () => ['POST', `/groups/${root}/attributes?${DOMAIN}`, { attr_names: Object.keys(named('a', () => 0)) }],
  () => ['POST', `/groups/${root}/attributes?${DOMAIN}`, { obj_ids: datasets }],
  () => ['POST', `/groups/${root}/attributes?${DOMAIN}`, { obj_ids: datasets, attr_names: ['x'] }],
  () => ['POST', `/groups/${root}/links?${DOMAIN}`, { grp_ids: groups }],
  () => ['POST', `/groups/${root}/links?${DOMAIN}`, { titles: NUMBERS.map(i => `g${i}`) }],
  () => ['GET', `/?${DOMAIN}&verbose=1`],
  () => ['GET', `/?${DOMAIN}&getobjs=1&include_attrs=1`],
  () => ['POST', `/?${DOMAIN}`, { h5paths: NUMBERS.map(i => `/g${i}`) }],
  () => ['POST', `/?${DOMAIN}&include_attrs=1`, { h5paths: NUMBERS.map(i => `/g${i}/d`) }],
  () => ['GET', `/datasets?${DOMAIN}`],
  () => ['GET', `/domains?domain=${FOLDER}&verbose=1`],
  () => ['GET', `/domains?domain=${FOLDER}&query=x==1`],
  () => ['GET', `/usage?folder=${FOLDER}`],
  () => ['GET', '/usage?by=owner'],
  () => ['GET', `/?domain=${FOLDER}`],
  () => ['POST', `/values?${DOMAIN}`, { values: datasets.map(id => ({ id })) }],
  () => ['GET', `/paths?${DOMAIN}`],
  () => ['GET', `/h5grove/paths?file=${FOLDER}/d.h5&path=/`],
  () => ['GET', `/zarr/v3${FOLDER}/d.h5/zarr.json`],
  () => ['PUT', `/groups/${root}/links?${DOMAIN}`, { links: named('n', i => ({ id: groups[i] })) }],
  () => ['DELETE', `/groups/${root}/links?${DOMAIN}&titles=${NUMBERS.map(i => `n${i}`).join('/')}`],
  () => ['PUT', `/groups/${root}/attributes?${DOMAIN}`, { attributes: named('n', () => INTEGER) }],
  () => ['DELETE', `/groups/${root}/attributes?${DOMAIN}&attr_names=${NUMBERS.map(i => `n${i}`).join('/')}`],
  () => [
    'PUT',
    `/groups/${root}/attributes?${DOMAIN}`,
    { obj_ids: Object.fromEntries(datasets.map(id => [id, { attributes: { y: INTEGER } }])) },
  ],
  () => ['POST', `/groups?${DOMAIN}`, NUMBERS.map(i => ({ link: { id: root, name: `new${i}` } }))],
  () => ['GET', `/groups?${DOMAIN}`],
  () => ['GET', `/datatypes?${DOMAIN}`],
  () => ['PUT', `/values?${DOMAIN}`, { values: datasets.map(id => ({ id, value: [4, 3, 2, 1] })) }],
  () => [
    'PUT',
    `/values?${DOMAIN}`,
    { values: datasets.map(id => ({ id, start: [1], stop: [3], value: [5, 6] })) },
  ],
  () => ['GET', `/h5${FOLDER}/d.h5`],
  () => ['DELETE', `/groups/${groups[0]}?${DOMAIN}`],
  () => ['DELETE', `/?${DOMAIN}`],
]

test('a request about many objects reads them in a few rounds', async () => {
  for (const makeRequest of REQUESTS) {
    const request = makeRequest()
    takeRounds()
    await send(...request)
    expect.soft(takeRounds(), `${request[0]} ${request[1]}`).toBeLessThan(MOST_ROUNDS)
  }
})
