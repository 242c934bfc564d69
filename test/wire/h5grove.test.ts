// The API of h5grove (common 23): what is refused, links, caches, and both forms of a path. Its values are compared
// with those of h5py in test/h5py, and its permission is tested with those of the other routes.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Reply, send, USER1 } from './client.ts'
import { type Domain, makeHome, newDomain } from './hsds/domain.ts'

let domain: Domain

beforeAll(makeHome)

beforeEach(async () => {
  domain = await newDomain()
  const matrix = { type: 'H5T_STD_I16BE', shape: [2, 3], link: { id: domain.root, name: 'm' } }
  const id = await domain.dataset(matrix)
  const value = [
    [-1, 0, 2],
    [3, 4, 5],
  ]
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
  await domain.dataset({ type: 'H5T_STD_I16BE', shape: 'H5S_NULL', link: { id: domain.root, name: 'null' } })
  const group = await domain.group('g')
  for (const [name, h5path] of [
    ['soft', '/m'],
    ['lost', '/nowhere'],
    ['loop', '/loop'],
  ])
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/${name}`, { h5path })
  await domain.want(201, 'PUT', `/groups/${group}/links/up`, { id: domain.root })
})

function ask(target: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const [path, query = ''] = target.split('?')
  const file = query.includes('file=') ? '' : `file=${encodeURIComponent(domain.path)}&`
  return send('GET', `/h5grove/${path}?${file}${query}`, undefined, { user: USER1, headers })
}

async function answer(target: string): Promise<unknown> {
  const reply = await ask(target)
  expect(reply.status, reply.story).toBe(200)
  return reply.json()
}

test.each([
  [
    'data?path=/m',
    [
      [-1, 0, 2],
      [3, 4, 5],
    ],
  ],
  [
    'data/?path=m',
    [
      [-1, 0, 2],
      [3, 4, 5],
    ],
  ],
  ['data?path=/m&flatten=1', [-1, 0, 2, 3, 4, 5]],
  ['data?path=/m&selection=-1', [3, 4, 5]],
  [
    'data?path=/m&selection=:,1:99',
    [
      [0, 2],
      [4, 5],
    ],
  ],
  ['data?path=/m&selection=...,-1', [2, 5]],
  ['data?path=/m&selection=0,::2', [-1, 2]],
  ['data?path=/m&selection=1,1', 4],
  ['data?path=/soft&selection=1,1', 4],
  ['data?path=/null', null],
  [
    'stats?path=/m',
    {
      strict_positive_min: 2,
      positive_min: 0,
      min: -1,
      max: 5,
      mean: 13 / 6,
      std: Math.sqrt(55 / 6 - (13 / 6) ** 2),
    },
  ],
  [
    'stats?path=/m&selection=0,0',
    { strict_positive_min: null, positive_min: null, min: -1, max: -1, mean: -1, std: 0 },
  ],
  [
    'stats?path=/null',
    { strict_positive_min: null, positive_min: null, min: null, max: null, mean: null, std: null },
  ],
  ['paths?path=/', ['/', '/g', '/loop', '/lost', '/m', '/null', '/soft', '/g/up']],
  [
    'paths/?path=/g',
    ['/g', '/g/up', '/g/up/g', '/g/up/loop', '/g/up/lost', '/g/up/m', '/g/up/null', '/g/up/soft'],
  ],
  ['paths?path=/m', ['/m']],
  ['attr?path=/m', {}],
])('%s', async (target, expected) => {
  const found = await answer(target)
  if (target.startsWith('stats') && expected !== null && (expected as { std: number }).std > 0)
    expect(found).toEqual({
      ...(expected as object),
      std: expect.closeTo((expected as { std: number }).std, 12),
    })
  else expect(found).toEqual(expected)
})

test('bytes are those of the dataset, or little-endian', async () => {
  const bytes = async (types: string) => [...(await ask(`data?path=/m&format=bin&selection=1${types}`)).bytes]
  expect([await bytes(''), await bytes('&dtype=origin'), await bytes('&dtype=safe')]).toEqual([
    [0, 3, 0, 4, 0, 5],
    [0, 3, 0, 4, 0, 5],
    [3, 0, 4, 0, 5, 0],
  ])
})

describe('links', () => {
  const kinds = async (rule: string) => {
    const { children } = (await answer(`meta?path=/${rule}`)) as {
      children: readonly { readonly name: string; readonly kind: string }[]
    }
    return Object.fromEntries(children.map(({ name, kind }) => [name, kind]))
  }

  test('are shown at their ends if they lead somewhere, unless they are not followed', async () => {
    const others = { g: 'group', m: 'dataset', null: 'dataset', lost: 'soft_link', loop: 'soft_link' }
    expect(await kinds('')).toEqual({ ...others, soft: 'dataset' })
    expect(await kinds('&resolve_links=none')).toEqual({ ...others, soft: 'soft_link' })
    const lost = { name: 'lost', kind: 'soft_link', attributes: [], target_path: '/nowhere' }
    expect(await answer('meta?path=/lost')).toEqual(lost)
    expect((await ask('meta?path=/lost&resolve_links=all')).status).toBe(404)
    expect((await ask('data?path=/lost')).text).toContain('Cannot resolve')
  })
})

test('an answer that the client has is not sent again', async () => {
  for (const target of [
    'meta?path=/',
    'data?path=/m',
    'data?path=/m&format=bin&dtype=safe',
    'attr?path=/m',
    'stats?path=/m',
  ]) {
    const { etag } = (await ask(target)).headers
    expect([target, typeof etag]).toEqual([target, 'string'])
    expect([target, (await ask(target, { 'if-none-match': String(etag) })).status]).toEqual([target, 304])
  }
})

test.each([
  [400, 'meta?file=', 'file is missing'],
  [404, 'meta?file=/no/such.h5', '/no/such.h5'],
  [404, 'meta?path=/nothing', 'nothing'],
  [404, 'data?path=/g', 'leads to a group: only a dataset has values'],
  [400, 'data?path=/m&selection=0,0,0', 'has 3 items for 2 dimensions'],
  [400, 'data?path=/m&selection=2', 'out of bounds in dimension 0 of extent 2'],
  [400, 'data?path=/m&selection=-3', 'out of bounds in dimension 0 of extent 2'],
  [400, 'data?path=/m&selection=a', 'must have an index or start:stop:step'],
  [400, 'data?path=/m&selection=::0', 'steps from 1 on'],
  [400, 'data?path=/m&selection=::-1', 'must have an index or start:stop:step'],
  [400, 'data?path=/m&selection=1:1', 'selects nothing in dimension 0'],
  [400, 'data?path=/m&format=xls', 'must be one of json, bin, csv, npy, tiff'],
  [400, 'data?path=/m&dtype=small', 'must be one of origin, safe'],
  [400, 'meta?path=/&resolve_links=some', 'must be one of only_valid, none, all'],
])('%i for %s', async (status, target, message) => {
  const reply = await ask(target)
  expect(reply.status, reply.story).toBe(status)
  expect(reply.text).toContain(message)
})

test('complex numbers have the member names that h5web knows', async () => {
  const fields = ['real', 'imag'].map(name => ({ name, type: 'H5T_IEEE_F64LE' }))
  await domain.dataset({
    type: { class: 'H5T_COMPOUND', fields },
    shape: [1],
    link: { id: domain.root, name: 'z' },
  })
  expect(await answer('meta?path=/z')).toMatchObject({ type: { members: [{ name: 'r' }, { name: 'i' }] } })
})
