// The day of clients that were written for h5serv, over a file that they have imported (clients 7): export programs,
// which read all objects by their listings, and viewers, which edit the addresses that they get.

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { BASE_DOMAIN, type Fields, ownHost, send, uniqueName } from '../client.ts'
import { type Domain, hrefOf, hrefsOf, importedDomain } from './domain.ts'

const VARIED = fileURLToPath(new URL('../fixtures/varied.h5', import.meta.url))

async function varied(): Promise<Domain> {
  return await importedDomain(await readFile(VARIED))
}

/** The types of the attributes of an object, each read by its name as it is; HTTP has only blanks encoded. */
async function attributesOf(domain: Domain, object: string): Promise<Fields> {
  const { attributes } = await domain.want<{ attributes: { name: string; shape: { class: string } }[] }>(
    200,
    'GET',
    `${object}/attributes`,
  )
  const found: Record<string, unknown> = {}
  for (const { name, shape } of attributes) {
    const path = `${object}/attributes/${name.replaceAll(' ', '%20')}`
    const { value, ...attribute } = await domain.want(200, 'GET', path)
    expect(attribute).toMatchObject({ name, shape })
    found[name] = value === undefined ? 'no value' : shape.class
  }
  return found
}

test('clients 7.2: an export program reads all objects by their listings', async () => {
  const domain = await varied()
  const { root } = await domain.want<{ root: string }>(200, 'GET', '/')
  const idsOf = async (collection: string) =>
    (await domain.want<Record<string, string[]>>(200, 'GET', `/${collection}`))[collection]
  const groups = [root, ...(await idsOf('groups'))]
  const linked = new Set<string>([root])
  for (const id of groups) {
    const { linkCount } = await domain.want(200, 'GET', `/groups/${id}`)
    const { links } = await domain.want<{ links: Fields[] }>(200, 'GET', `/groups/${id}/links`)
    expect(links).toHaveLength(Number(linkCount))
    for (const link of links) {
      if (link.class === 'H5L_TYPE_HARD') linked.add(`${link.id}`)
      else expect(link.h5path).toMatch(/./)
      if (link.class === 'H5L_TYPE_EXTERNAL') expect(link.h5domain).toMatch(/\.test\./)
    }
  }
  const datasets = await idsOf('datasets')
  const datatypes = await idsOf('datatypes')
  expect(new Set([...groups, ...datasets, ...datatypes])).toEqual(linked)
  expect([groups.length, datasets.length, datatypes.length]).toEqual([5, 25, 1])
  for (const id of datasets) {
    const { type, shape } = await domain.want<{ type: unknown; shape: Fields }>(200, 'GET', `/datasets/${id}`)
    const reply = await domain.send('GET', `/datasets/${id}/value`)
    const isOpaque = (type as Fields).class === 'H5T_OPAQUE'
    expect(reply.status, reply.story).toBe(isOpaque ? 501 : 200)
    if (shape.class === 'H5S_NULL') expect(reply.json().value).toBeNull()
    await attributesOf(domain, `/datasets/${id}`)
  }
  expect(await attributesOf(domain, `/groups/${root}`)).toEqual({
    bits: 'H5S_SIMPLE',
    narrow: 'H5S_SIMPLE',
    null: 'H5S_NULL',
    'of committed': 'H5S_SCALAR',
    opaque: 'no value',
    'space padded': 'H5S_SIMPLE',
  })
  expect(await attributesOf(domain, `/datatypes/${datatypes[0]}`)).toEqual({ note: 'H5S_SCALAR' })
})

test('clients 7.4: a viewer appends to the address of the root group', async () => {
  const domain = await varied()
  const root = hrefOf(await domain.want(200, 'GET', '/'), 'root') ?? ''
  expect(root).toMatch(/^http:\/\/[^?]*$/)
  const { links } = await domain.want<{ links: Fields[] }>(
    200,
    'GET',
    `${root.slice(domain.base.length)}/links`,
  )
  expect(links.map(link => link.title)).toContain('types')
})

test('clients 7.4: a viewer puts parts of a path before ?host= in the targets of listings', async () => {
  const domain = await varied()
  const host = ownHost()
  const origin = `http://${host}`
  const get = async (address: string): Promise<Fields> => {
    expect(address.startsWith(origin), address).toBe(true)
    const reply = await send('GET', address.slice(origin.length), undefined, { headers: { host } })
    expect(reply.status, reply.story).toBe(200)
    for (const { href } of hrefsOf(reply.json())) expect(href).toContain(`?host=${domain.host}`)
    return reply.json()
  }
  const linksOf = async (address: string) =>
    (await get(address.replace('?host', '/links?host'))).links as Fields[]
  const targetIn = (links: readonly Fields[], title: string) =>
    `${links.find(link => link.title === title)?.target}`

  const top = await linksOf(hrefOf(await get(`${origin}/?host=${domain.host}`), 'root') ?? '')
  expect(targetIn(top, 'external')).toBe(
    `${origin}/?host=${domain.host.replace(/^[^.]*/, 'somefile')}#h5path(somepath)`,
  )
  const grid = targetIn(await linksOf(targetIn(top, 'types')), 'grid')
  expect(await get(grid)).toMatchObject({ type: { class: 'H5T_INTEGER' }, shape: { dims: [3, 16] } })
  const values = await get(`${grid.replace('?host', '/value?host')}&select=[1:3,0:4:2]`)
  expect(values.value).toEqual([
    [16, 18],
    [32, 34],
  ])
})

test('clients 7.4: a program goes from the table of contents to values by editing ?host=', async () => {
  const name = `two words ${uniqueName()}`
  const domain = await importedDomain(await readFile(VARIED), `${name}.test.${BASE_DOMAIN}`)
  const origin = `http://${ownHost()}`
  const get = async (address: string): Promise<Fields> => {
    const reply = await send('GET', address.slice(origin.length))
    expect(reply.status, reply.story).toBe(200)
    return reply.json()
  }
  const linkIn = async (group: unknown, title: string) =>
    ((await get(`${group}/links`)).links as Fields[]).find(link => link.title === title)
  const top = hrefOf(await get(`${origin}/`), 'root')
  const address = (await linkIn((await linkIn(top, 'test'))?.target, name))?.target
  // The pattern of the program is `.host`: any character before it.
  const { datasets } = await get(`${address}`.replace(/.host/, 'datasets?host'))
  expect(datasets).toEqual((await domain.want(200, 'GET', '/datasets')).datasets)
  const described = await get(`${address}`.replace(/.host/, `datasets/${(datasets as string[])[0]}?host`))
  const values = await get((hrefOf(described, 'self') ?? '').replace('?host', '/value?host'))
  expect(values.value).toEqual(await domain.value((datasets as string[])[0]))
})
