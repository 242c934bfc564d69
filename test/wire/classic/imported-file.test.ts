// Types, values and creation properties that only a file can have: the files of fixtures, which each test imports over
// HTTP (classic 9.2, 14.3, 15.4, 15.8 and 16.2).

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Fields, send } from '../client.ts'
import { type Domain, domainAt, importedDomain, relsOf } from './domain.ts'
import { compound, fixed, float, int } from './type-objects.ts'

const VARIED = fileURLToPath(new URL('../fixtures/varied.h5', import.meta.url))
const FROM_H5SERV = fileURLToPath(new URL('../fixtures/from-h5serv.h5', import.meta.url))
const DAMAGED = fileURLToPath(new URL('../fixtures/damaged-parts.h5', import.meta.url))
const OCTETS = { headers: { accept: 'application/octet-stream' } }

async function varied(): Promise<Domain> {
  return await importedDomain(await readFile(VARIED))
}

/** The id of the object at a path, link by link. */
async function idAt(domain: Domain, ...titles: readonly string[]): Promise<string> {
  let id = domain.root
  for (const title of titles) {
    const path = `/groups/${id}/links/${encodeURIComponent(title)}`
    id = (await domain.want<{ link: { id: string } }>(200, 'GET', path)).link.id
  }
  return id
}

async function described(domain: Domain, ...titles: readonly string[]): Promise<Fields> {
  return await domain.want(200, 'GET', `/datasets/${await idAt(domain, ...titles)}`)
}

test('classic 15.4b, 15.8c, 14.3n: strings that are padded with spaces lose them, in bytes to NULs', async () => {
  const domain = await varied()
  const id = await idAt(domain, 'types', 'space padded')
  expect((await domain.want(200, 'GET', `/datasets/${id}`)).type).toEqual(fixed(7))
  const words = ['Parting', 'is such', 'sweet', 'sorrow.']
  expect(await domain.value(id)).toEqual(words)
  const path = `/groups/${domain.root}/attributes/space%20padded`
  expect(await domain.want(200, 'GET', path)).toMatchObject({ type: fixed(7), value: words })
  const { bytes } = await domain.send('GET', `/datasets/${id}/value`, undefined, OCTETS)
  expect(bytes.toString()).toBe('Partingis suchsweet\0\0sorrow.')
})

test('classic 7.3: values that could not be imported have no link', async () => {
  const domain = await importedDomain(await readFile(DAMAGED))
  const id = await idAt(domain, 'external')
  const body = await domain.want(200, 'GET', `/datasets/${id}`)
  expect(relsOf(body)).toEqual(['self', 'root', 'attributes', 'home'])
  await domain.refuse(501, 'GET', `/datasets/${id}/value`)
  // hsds-objects 1.9: so it is there.
  const inHsds = async (target: string) => {
    const reply = await send('GET', `${target}?domain=/test/${domain.host.split('.')[0]}`)
    expect(reply.status, reply.story).toBe(200)
    return reply.json()
  }
  const { root } = await inHsds('/')
  const { link } = await inHsds(`/groups/${root}/links/external`)
  const described = await inHsds(`/datasets/${(link as { id: string }).id}`)
  expect(relsOf(described)).toEqual(['self', 'root', 'home', 'attributes'])
})

test('classic 5.2g: a file that replaces a domain is a new one, of which nothing old is left', async () => {
  const file = await readFile(VARIED)
  const domain = await importedDomain(file)
  const types = await idAt(domain, 'types')
  const group = await idAt(domain, 'a group')
  await domain.want(200, 'DELETE', `/groups/${group}`)
  await domain.want(201, 'PUT', `/groups/${domain.root}/links/added`, { h5path: '/x' })
  const headers = { 'content-type': 'application/x-hdf5' }
  const { root } = await domain.want<{ root: string }>(201, 'PUT', '/?replace=1', file, { headers })
  const replaced = domainAt(domain.host, root)
  expect((await replaced.want(200, 'GET', '/')).root).toBe(root)
  for (const id of [domain.root, types, group]) await replaced.refuse(404, 'GET', `/groups/${id}`)
  await replaced.refuse(404, 'GET', `/groups/${root}/links/added`)
  expect(await idAt(replaced, 'types')).not.toBe(types)
  await replaced.want(200, 'GET', `/groups/${root}/links/a+group`)
})

test('classic 14.3p: a type of reduced precision is shown as the type of its size', async () => {
  const domain = await varied()
  const id = await idAt(domain, 'types', 'narrow')
  expect((await domain.want(200, 'GET', `/datasets/${id}/type`)).type).toEqual(int('H5T_STD_I32LE'))
  expect(await domain.value(id)).toEqual([1, -2])
})

test('classic 14.3m: bits are unsigned integers, of one byte LE', async () => {
  const domain = await varied()
  const id = await idAt(domain, 'types', 'bits')
  expect((await domain.want(200, 'GET', `/datasets/${id}/type`)).type).toEqual(int('H5T_STD_U8LE'))
  expect(await domain.value(id)).toEqual([
    [0, 1],
    [2, 255],
  ])
})

test('classic 9.2c, 15.4i: an opaque attribute has no value', async () => {
  const domain = await varied()
  const attribute = await domain.want(200, 'GET', `/groups/${domain.root}/attributes/opaque`)
  expect(attribute).toMatchObject({ name: 'opaque', type: { class: 'H5T_OPAQUE', size: 7 } })
  expect(attribute).not.toHaveProperty('value')
  await domain.refuse(501, 'GET', `/datasets/${await idAt(domain, 'types', 'opaque')}/value`)
})

test('classic 14.3o: the committed datatype of a member is shown as the full type', async () => {
  const domain = await varied()
  const inner = compound({ a: float('H5T_IEEE_F32LE'), b: fixed(3) })
  const { type } = await described(domain, 'types', 'member committed')
  expect(type).toEqual(compound({ inner, n: int('H5T_STD_I32LE') }))
})

test('classic 14.3k: where a whole type is committed, it is shown as datatypes/<uuid>', async () => {
  const domain = await varied()
  const name = `datatypes/${await idAt(domain, 'types', 'committed')}`
  expect((await described(domain, 'types', 'of committed')).type).toBe(name)
  expect((await domain.want(200, 'GET', `/groups/${domain.root}/attributes/of+committed`)).type).toBe(name)
})

test.each<[string, Fields]>([
  [
    'filters',
    {
      allocTime: 'H5D_ALLOC_TIME_INCR',
      fillTime: 'H5D_FILL_TIME_IFSET',
      layout: { class: 'H5D_CHUNKED', dims: [10] },
      filters: [
        { id: 2, name: 'shuffle', class: 'H5Z_FILTER_SHUFFLE' },
        { id: 1, name: 'deflate', class: 'H5Z_FILTER_DEFLATE', level: 9 },
        { id: 3, name: 'fletcher32', class: 'H5Z_FILTER_FLETCHER32' },
      ],
    },
  ],
  [
    'compact',
    {
      allocTime: 'H5D_ALLOC_TIME_EARLY',
      fillTime: 'H5D_FILL_TIME_IFSET',
      layout: { class: 'H5D_COMPACT' },
    },
  ],
  [
    'extensible',
    {
      allocTime: 'H5D_ALLOC_TIME_INCR',
      fillTime: 'H5D_FILL_TIME_IFSET',
      fillValue: 7,
      layout: { class: 'H5D_CHUNKED', dims: [10] },
    },
  ],
])('classic 16.2b: creation properties of "%s" are those of the file', async (title, properties) => {
  const domain = await varied()
  const { creationProperties } = await described(domain, 'layouts', title)
  expect(creationProperties).toEqual(properties)
})

test('a file that h5serv has served: its table does not show, and properties are those that it kept', async () => {
  const domain = await importedDomain(await readFile(FROM_H5SERV))
  const root = `/groups/${domain.root}`
  expect(await domain.want(200, 'GET', root)).toMatchObject({ linkCount: 2, attributeCount: 0 })
  const { links } = await domain.want<{ links: Fields[] }>(200, 'GET', `${root}/links`)
  expect(links.map(link => link.title)).toEqual(['d', 'g'])
  await domain.refuse(404, 'GET', `${root}/links/__db__`)
  expect((await domain.want(200, 'GET', '/groups')).groups).toEqual([await idAt(domain, 'g')])
  const linked = await idAt(domain, 'd')
  const { datasets } = await domain.want<{ datasets: string[] }>(200, 'GET', '/datasets')
  const others = datasets.filter(id => id !== linked)
  expect(await Promise.all(others.map(id => domain.value(id)))).toEqual([[7, 8]])
  expect((await described(domain, 'd')).creationProperties).toEqual({
    fillTime: 'H5D_FILL_TIME_NEVER',
    layout: 'H5D_COMPACT',
  })
})
