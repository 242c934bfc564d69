// Metadata that would be too much for others to wait for, or for every later request to read, is refused by a rule that
// the answer names; what is just within the rule is taken.

import { beforeAll, describe, expect, test } from 'vitest'
import type { Method } from './client.ts'
import { type Domain, makeHome, newDomain } from './hsds/domain.ts'

const I32 = 'H5T_STD_I32LE'

function list<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index))
}

const enumOf = (length: number) => ({
  class: 'H5T_ENUM',
  base: I32,
  mapping: Object.fromEntries(list(length, i => [`m${i}`, i])),
})
const compoundOf = (length: number) => ({
  class: 'H5T_COMPOUND',
  fields: list(length, i => ({ name: `f${i}`, type: I32 })),
})

beforeAll(makeHome)

describe('types', () => {
  test('a dataset of strings of 10^8 bytes is made; a value of it is neither stored nor read, with 413', async () => {
    const domain = await newDomain()
    const type = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length: 1e8 }
    const layout = { class: 'H5D_CHUNKED', dims: [1] }
    const id = await domain.dataset({ type, shape: [3], creationProperties: { layout } })
    expect(await domain.want(200, 'GET', `/datasets/${id}`)).toMatchObject({ type: { length: 1e8 }, layout })
    await domain.refuse(413, 'GET', `/datasets/${id}/value`)
    await domain.refuse(413, 'POST', `/datasets/${id}/value`, { points: [1] })
    await domain.refuse(413, 'PUT', `/datasets/${id}/value`, { value: ['a', 'b', 'c'] })
    const attribute = `/groups/${domain.root}/attributes/a`
    await domain.refuse(413, 'PUT', attribute, { type, value: 'a' })
    await domain.refuse(404, 'GET', attribute)
    await domain.refuse(413, 'POST', '/datasets', {
      type,
      shape: [1],
      creationProperties: { fillValue: 'a' },
    })
    await domain.refuse(413, 'POST', '/datasets', { type, shape: [1], value: ['a'] })
    await domain.refuse(400, 'POST', '/datasets', { type: { ...type, length: 2 ** 31 }, shape: [1] })
  })

  test.each([
    ['an enum', 65_535, enumOf],
    ['a compound', 8192, compoundOf],
  ])('%s of %i is taken and read, one of more is 400', async (_, most, typeOf) => {
    const domain = await newDomain()
    const id = await domain.datatype({ type: typeOf(most) })
    const { type } = await domain.want<{ type: Record<string, object> }>(200, 'GET', `/datatypes/${id}`)
    expect(Object.keys(type.mapping ?? type.fields ?? {})).toHaveLength(most)
    for (const [path, body] of [
      ['/datatypes', { type: typeOf(most + 1) }],
      ['/datasets', { type: typeOf(most + 1), shape: [1] }],
    ] as const) {
      const refused = await domain.send('POST', path, body)
      expect(refused.status, refused.story).toBe(400)
      expect(refused.json()).toMatchObject({
        code: 'malformed-type',
        message: expect.stringContaining(String(most)),
      })
    }
  })

  test('all fields of a type count, wherever they lie', async () => {
    const domain = await newDomain()
    const fields = ['a', 'b'].map(name => ({ name, type: compoundOf(5000) }))
    await domain.refuse(400, 'POST', '/datatypes', { type: { class: 'H5T_COMPOUND', fields } })
  })
})

test.each<[string, number, Method, string, (root: string) => unknown]>([
  [
    'an access list',
    400,
    'PUT',
    '/acls',
    () => ({ acls: list(1001, i => ({ userName: `u${i}`, read: true })) }),
  ],
  [
    'creation properties',
    400,
    'POST',
    '/groups',
    () => ({ creationProperties: { mine: 'x'.repeat(1_100_000) } }),
  ],
  [
    'those of a dataset',
    400,
    'POST',
    '/datasets',
    () => ({ type: I32, creationProperties: { mine: list(600_000, () => 1) } }),
  ],
  ['a path', 400, 'POST', '/', () => ({ h5paths: ['/x'.repeat(1001)] })],
  ['the path of a new object', 400, 'POST', '/groups?implicit=1', () => ({ h5path: '/x'.repeat(100_000) })],
  [
    'groups for many paths',
    413,
    'POST',
    '/groups?implicit=1',
    () => list(30, i => ({ h5path: `/${i}${'/x'.repeat(500)}` })),
  ],
  ['a soft link', 400, 'PUT', '/groups/ROOT/links/l', () => ({ h5path: 'x'.repeat(65_536) })],
  [
    'an external link',
    400,
    'PUT',
    '/groups/ROOT/links/l',
    () => ({ h5path: 'x', h5domain: 'x'.repeat(65_536) }),
  ],
  ['a shape', 400, 'POST', '/datasets', () => ({ type: I32, shape: list(100_000, () => 1) })],
])('%s that is too long is %i', async (_, status, method, path, body) => {
  const domain = await newDomain()
  const before = await contents(domain)
  const reply = await domain.send(method, path.replace('ROOT', domain.root), body(domain.root))
  expect(reply.status, reply.story).toBe(status)
  expect(await contents(domain)).toEqual(before)
})

async function contents(domain: Domain): Promise<unknown> {
  const [links, acls, groups] = await Promise.all(
    [`/groups/${domain.root}/links`, '/acls', '/groups'].map(path => domain.want(200, 'GET', path)),
  )
  return { links: links?.links, acls: acls?.acls, groups: groups?.groups }
}

test('a list of coordinates of 524,289 is 413, points may be more', async () => {
  const domain = await newDomain()
  const id = await domain.dataset({ type: 'H5T_STD_U8LE', shape: [600_000] })
  const coordinates = list(524_289, i => i)
  await domain.refuse(413, 'PUT', `/datasets/${id}/value`, { select: [coordinates], value: 1 })
  await domain.refuse(413, 'PUT', `/datasets/${id}/value`, { select: `[[${coordinates}]]`, value: 1 })
  const read = await domain.send('POST', `/datasets/${id}/value`, { points: coordinates })
  expect(read.status, read.story).toBe(200)
})
