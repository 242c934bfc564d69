// Mounted files of which parts cannot be read, or have names that are not UTF-8: what is counted is listed, in both
// dialects, and a file of such a domain is an error that names the part before the first byte, or says in its headers
// what it does not have.

import { copyFile, mkdir, readdir, rm, truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import h5wasm, { ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const FIXTURE = fileURLToPath(new URL('../wire/fixtures/damaged-parts.h5', import.meta.url))
const NAMES = fileURLToPath(new URL('../wire/fixtures/names-not-utf8.h5', import.meta.url))
const REGIONS = fileURLToPath(new URL('../wire/fixtures/regions-without-heap.h5', import.meta.url))
const LOST = fileURLToPath(new URL('../wire/fixtures/lost-references.h5', import.meta.url))
const DAMAGED = '/m/damaged-parts.h5'

let directory: string
let server: ServedHere

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  const files = join(directory, 'm')
  await mkdir(files)
  await copyFile(FIXTURE, join(files, 'damaged-parts.h5'))
  await copyFile(NAMES, join(files, 'names.h5'))
  await copyFile(REGIONS, join(files, 'regions.h5'))
  await copyFile(LOST, join(files, 'lost.h5'))
  const cut = join(files, 'cut.h5')
  const file = new h5wasm.File(cut, 'w')
  file.create_dataset({ name: 'first', data: Int32Array.of(1, 2) })
  file.create_dataset({ name: 'whole', data: new Int32Array(1000) })
  file.close()
  await truncate(cut, 4096)
  const short = join(files, 'short.h5')
  const longer = new h5wasm.File(short, 'w')
  const entry = longer.create_group('entry')
  for (let i = 0; i < 20; i++) entry.create_dataset({ name: `d${i}`, data: new Int32Array(100) })
  longer.close()
  await truncate(short, 2048)
  // A file that was changed a moment ago may not be complete yet, and damage of it is 503.
  for (const name of await readdir(files)) await utimes(join(files, name), 0, 0)
  server = await serveHere({ mount: [`${files}=/m`] })
})

afterAll(async () => {
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

const DIALECTS = ['hsds', 'classic'] as const

interface ListedMember {
  readonly title?: string
  readonly name?: string
  readonly class?: string
  readonly unreadable?: string
}

function get(path: string, dialect: (typeof DIALECTS)[number] = 'hsds', domain = DAMAGED) {
  const host = `${domain.slice(3, -3)}.m.hdfgroup.org`
  const target = dialect === 'hsds' ? `${path}${path.includes('?') ? '&' : '?'}domain=${domain}` : path
  return sendTo(server.address, 'GET', target, undefined, dialect === 'classic' ? { headers: { host } } : {})
}

async function idOf(dialect: (typeof DIALECTS)[number], title: string): Promise<string> {
  const { root } = (await get('/', dialect)).json<{ root: string }>()
  const { link } = (await get(`/groups/${root}/links/${title}`, dialect)).json<{ link: { id: string } }>()
  return link.id
}

describe.each(DIALECTS)('in the %s dialect', dialect => {
  it('a link whose object cannot be read is counted, listed with the reason, and an error alone', async () => {
    const inner = `/groups/${await idOf(dialect, 'inner')}`
    const { linkCount } = (await get(inner, dialect)).json<{ linkCount: number }>()
    const { links } = (await get(`${inner}/links`, dialect)).json<{ links: readonly ListedMember[] }>()
    expect(linkCount).toBe(1)
    expect(links).toMatchObject([{ title: 'lost', class: 'H5L_TYPE_ERROR' }])
    expect(links[0].unreadable).toContain('there is no version 238 of it')
    const alone = await get(`${inner}/links/lost`, dialect)
    expect(alone.status).toBe(501)
    expect(alone.json().message).toContain(links[0].unreadable)
    const after = await get(`${inner}/links?Marker=lost`, dialect)
    expect(after.status).toBe(200)
    expect(after.json().links).toEqual([])
  })

  it('an attribute that cannot be read is counted, listed with the reason, and an error alone', async () => {
    const sound = `/datasets/${await idOf(dialect, 'sound')}`
    const { attributeCount } = (await get(sound, dialect)).json<{ attributeCount: number }>()
    const { attributes } = (await get(`${sound}/attributes`, dialect)).json<{
      attributes: readonly ListedMember[]
    }>()
    expect(attributeCount).toBe(2)
    expect(attributes.map(({ name, unreadable }) => [name, unreadable !== undefined])).toEqual([
      ['good', false],
      ['spoilt', true],
    ])
    expect((await get(`${sound}/attributes/spoilt`, dialect)).status).toBe(501)
    const after = await get(`${sound}/attributes?Marker=spoilt`, dialect)
    expect(after.json().attributes).toEqual([])
  })

  it('its paths have a link whose object cannot be read', async () => {
    const paths = (await get('/paths', dialect)).json<readonly (readonly string[])[]>()
    expect(paths.map(([path, kind]) => [path, kind])).toContainEqual(['/inner/lost', 'link'])
  })

  it('its file, written anew, is an error that names the first part that cannot be read', async () => {
    const file = await get('/?format=hdf5&repack=1', dialect)
    expect(file.status).toBe(501)
    expect(file.json().message).toContain(
      '/external: the values cannot be read: the external file not_here.raw',
    )
  })

  it('its file, written anew without what cannot be read, says which parts it does not have', async () => {
    const file = await get('/?format=hdf5&repack=1&skip_unreadable=1', dialect)
    expect(file.status).toBe(200)
    expect(file.headers['x-left-out']).toBe('/external,/virtual,/inner/lost,/sound')
    expect(file.bytes.length).toBe(Number(file.headers['content-length']))
  })
})

it('descriptions of all objects have as many links and attributes as they count', async () => {
  const { domain_objs: objects } = (await get('/?getobjs=1&include_attrs=1')).json<{
    domain_objs: Record<string, Record<string, unknown>>
  }>()
  const described = Object.values(objects)
  expect(described).toHaveLength(5)
  for (const { links = {}, linkCount = 0, attributes = {}, attributeCount } of described) {
    expect(Object.keys(links as object)).toHaveLength(linkCount as number)
    expect(Object.keys(attributes as object)).toHaveLength(attributeCount as number)
  }
  const inner = (await get(`/groups/${await idOf('hsds', 'inner')}?include_links=1`)).json<{
    links: object
  }>()
  expect(inner.links).toMatchObject({ lost: { class: 'H5L_TYPE_ERROR' } })
})

it('region references whose heap is missing are errors that name it, in values, attributes and files', async () => {
  const idAt = async (path: string) =>
    (await get(`/?h5path=${path}`, 'hsds', '/m/regions.h5')).json<{ id: string }>().id
  const value = `/datasets/${await idAt('/r')}/value`
  for (const format of ['', '?format=csv', '?format=arrow']) {
    const answer = await get(`${value}${format}`, 'hsds', '/m/regions.h5')
    expect([answer.status, answer.json().code]).toEqual([501, 'values-unreadable'])
    expect(answer.json().message).toContain('the global heap collection')
  }
  const attribute = await get(`/datasets/${await idAt('/d')}/attributes/part`, 'hsds', '/m/regions.h5')
  expect(attribute.status).toBe(501)
  expect((await get('/?format=hdf5&repack=1', 'hsds', '/m/regions.h5')).status).toBe(501)
  const rest = await get('/?format=hdf5&repack=1&skip_unreadable=1', 'hsds', '/m/regions.h5')
  expect(rest.headers['x-left-out']).toBe('/r,/d')
})

it('references to objects that are not there are null, and a file that is written anew names their owners', async () => {
  const { id } = (await get('/?h5path=/flat', 'hsds', '/m/lost.h5')).json<{ id: string }>()
  const { value } = (await get(`/datasets/${id}/value`, 'hsds', '/m/lost.h5')).json<{ value: string[] }>()
  expect(value).toEqual([expect.stringMatching(/^groups\//), ''])
  for (const target of ['/?format=hdf5&repack=1', '/?format=hdf5&repack=1&skip_unreadable=1']) {
    const file = await get(target, 'hsds', '/m/lost.h5')
    expect(file.status).toBe(200)
    expect(String(file.headers['x-left-out']).split(',').sort()).toEqual([
      '/chunks',
      '/d',
      '/flat',
      '/lists',
      '/rows',
    ])
    expect(file.bytes.length).toBe(Number(file.headers['content-length']))
  }
  expect((await get('/?format=hdf5', 'hsds', '/m/lost.h5')).headers['x-left-out']).toBeUndefined()
})

it('a file that ends before its values, written anew, is an error before the first byte', async () => {
  const file = await get('/?format=hdf5&repack=1', 'hsds', '/m/cut.h5')
  expect(file.status).toBe(501)
  expect(file.json().message).toMatch(/^\/whole: the values cannot be read: /)
  const rest = await get('/?format=hdf5&repack=1&skip_unreadable=1', 'hsds', '/m/cut.h5')
  expect(rest.headers['x-left-out']).toBe('/whole')
})

describe.each(DIALECTS)(
  'a file that was cut off, of which a group has lost its names, in the %s dialect',
  dialect => {
    const SHORT = '/m/short.h5'
    const isCut = expect.stringMatching(/^the file is cut off: it has 2048 of \d+ bytes/)
    const isLost = expect.stringContaining('the file ends at 2048')

    it('says so in the domain, in the group and in its lists', async () => {
      const domain = (await get('/', dialect, SHORT)).json<{ root: string }>()
      expect(domain).toMatchObject({ damage: isCut })
      const link = await get(`/groups/${domain.root}/links/entry`, dialect, SHORT)
      const entry = `/groups/${link.json<{ link: { id: string } }>().link.id}`
      expect((await get(entry, dialect, SHORT)).json()).toMatchObject({ linkCount: 0, damage: isLost })
      expect((await get(`${entry}/links`, dialect, SHORT)).json()).toMatchObject({
        links: [],
        damage: isLost,
      })
      expect((await get(`${entry}/attributes`, dialect, SHORT)).json()).toMatchObject({ damage: isLost })
      const paths = (await get('/paths', dialect, SHORT)).json<readonly (readonly string[])[]>()
      expect(paths.map(([path]) => path)).toEqual(['/', '/entry'])
      expect((await get(`/groups/${domain.root}`, dialect, SHORT)).json()).not.toHaveProperty('damage')
      expect((await get('/', dialect)).json()).not.toHaveProperty('damage')
    })
  },
)

it('a file that was cut off says so in the listing of its folder', async () => {
  for (const more of ['', '&verbose=1']) {
    const { domains } = (await sendTo(server.address, 'GET', `/domains?domain=/m/${more}`)).json<{
      domains: readonly { name: string; damage?: string }[]
    }>()
    const damaged = domains.filter(({ damage }) => damage?.startsWith('the file is cut off'))
    expect(damaged.map(({ name }) => name)).toEqual(['/m/cut.h5', '/m/short.h5'])
  }
})

describe.each(DIALECTS)('names that are not UTF-8, in the %s dialect', dialect => {
  const named = ['caf\\xe9', 'café', 'caf\ufffdxe9', 'caf\ufffdxef\ufffdxbf\ufffdxbdxe9']

  it('are apart from names that have the same text, and lead to their objects', async () => {
    const domain = '/m/names.h5'
    const { root } = (await get('/', dialect, domain)).json<{ root: string }>()
    const list = await get(`/groups/${root}/links`, dialect, domain)
    const titles = list.json<{ links: readonly ListedMember[] }>().links.map(({ title }) => title)
    expect(titles).toEqual([...named, 'to'])
    const values: unknown[] = []
    for (const title of named) {
      const path = `/groups/${root}/links/${encodeURIComponent(title)}`
      const { link } = (await get(path, dialect, domain)).json<{ link: { id: string } }>()
      const value = (await get(`/datasets/${link.id}/value`, dialect, domain)).json<{ value: number[] }>()
      const attribute = await get(`/groups/${root}/attributes/${encodeURIComponent(title)}`, dialect, domain)
      expect(attribute.json().value).toBe(value.value[0])
      values.push(...value.value)
    }
    expect(values).toEqual([2, 4, 1, 3])
  })

  it('have their bytes in the file of the domain', async () => {
    const { bytes } = await get('/?format=hdf5', dialect, '/m/names.h5')
    const text = bytes.toString('latin1')
    for (const name of ['caf\xe9', 'caf\\xe9', 'caf\xef\xbf\xbdxe9', 'caf\xc3\xa9', '/caf\xe9'])
      expect(text).toContain(name)
    expect(text).not.toContain('\xef\xbf\xbdxef')
  })
})
