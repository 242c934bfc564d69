// Mounted folders with readers of their own: other callers find neither the folder nor its files, in lists, searches,
// tables of contents and the feed of both dialects.

import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import h5wasm, { ready } from 'h5wasm/node'
import { afterAll, beforeAll, expect, it, test, vi } from 'vitest'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN, type Fields, sendTo, USER1, USER2 } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

let directory: string
let server: ServedHere

const detector = () => join(directory, 'detector')

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  for (const folder of ['detector', 'public', 'inner', 'private']) {
    await mkdir(join(directory, folder))
    const file = new h5wasm.File(join(directory, folder, `${folder}.h5`), 'w')
    file.create_attribute('title', 'a mounted file')
    file.create_dataset({ name: 'd', data: Int32Array.from({ length: 10 }, (_, i) => i), shape: [10] })
    file.close()
  }
  // USER1 is in the group, USER2 is not.
  await writeFile(join(directory, 'groups'), `beamline3: ${USER1}\n`)
  server = await serveHere(
    {
      mount: [
        `${detector()}=/detector`,
        `${join(directory, 'public')}=/public`,
        `${join(directory, 'inner')}=/lab/inner`,
        `${join(directory, 'private')}=/private`,
      ],
      mountReaders: ['/detector=g:beamline3', '/public=default', `/lab/inner=${USER2}`],
      mountAcl: 'none',
      groupsFile: join(directory, 'groups'),
    },
    { users: { ...ACCOUNTS, [USER2]: { password: 'test' } } },
  )
  expect((await get('/', ADMIN, 'PUT', '?domain=/stored.h5')).status).toBe(201)
})

afterAll(async () => {
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

function get(path: string, user?: string, method: 'GET' | 'PUT' = 'GET', query = '') {
  return sendTo(server.address, method, path + query, undefined, { user })
}

async function json<T = Fields>(path: string, user?: string): Promise<T> {
  const reply = await get(path, user)
  expect(reply.status, reply.story).toBe(200)
  return reply.json<T>()
}

async function listed(query: string, user?: string): Promise<string[]> {
  const { domains } = await json<{ domains: { name: string }[] }>(`/domains?${query}`, user)
  return domains.map(({ name }) => name)
}

const FOLDERS: [string | undefined, string[]][] = [
  [USER1, ['/detector', '/public', '/stored.h5']],
  [USER2, ['/lab', '/public', '/stored.h5']],
  [undefined, ['/public', '/stored.h5']],
  [ADMIN, ['/detector', '/lab', '/private', '/public', '/stored.h5']],
]

// The folder that leads to a mount of USER2 is found by its readers.
it.each(FOLDERS)('lists have what %s may read, whole and in pages', async (user, expected) => {
  expect(await listed('domain=/', user)).toEqual(expected)
  const paged: string[] = []
  for (let marker = ''; ; ) {
    const page = await listed(`domain=/&Limit=1${marker}`, user)
    if (page.length === 0) break
    expect(page).toHaveLength(1)
    paged.push(...page)
    marker = `&Marker=${page[0]}`
  }
  expect(paged).toEqual(expected)
})

it.each<[string, string | undefined, boolean]>([
  ['/detector/detector.h5', USER1, true],
  ['/detector/detector.h5', USER2, false],
  ['/detector/detector.h5', undefined, false],
  ['/detector/detector.h5', ADMIN, true],
  ['/public/public.h5', USER2, true],
  ['/public/public.h5', undefined, true],
  ['/lab/inner/inner.h5', USER2, true],
  ['/lab/inner/inner.h5', USER1, false],
  ['/private/private.h5', USER1, false],
  ['/private/private.h5', ADMIN, true],
])('%s, its folder and its list for %s: %s', async (path, user, may) => {
  const status = may ? 200 : 403
  const folder = path.slice(0, path.lastIndexOf('/'))
  for (const target of [
    `/?domain=${path}`,
    `/domains?domain=${folder}/`,
    `/?domain=${folder}`,
    `/acls?domain=${path}`,
    `/events?domain=${path}&wait=0`,
    `/thumbnail?domain=${path}&h5path=/d`,
  ]) {
    const reply = await get(target, user)
    if (target.startsWith('/thumbnail') && may) expect(reply.status, reply.story).toBeLessThan(400)
    else expect(reply.status, reply.story).toBe(status)
  }
  const names = path.slice(1, -3).split('/').reverse()
  const host = [...names, 'hdfgroup.org'].join('.')
  const classic = await sendTo(server.address, 'GET', '/', undefined, { user, headers: { Host: host } })
  expect(classic.status, classic.story).toBe(may ? 200 : user === undefined ? 401 : 403)
})

test('the list of a mount names its readers, and nobody else may read', async () => {
  const { acls } = await json<{ acls: Fields[] }>('/acls?domain=/detector', USER1)
  expect(acls.map(({ userName, read, update }) => [userName, read, update])).toEqual([
    ['default', false, false],
    ['g:beamline3', true, false],
  ])
})

test('searches find what the caller may read', async () => {
  const query = encodeURIComponent("title == 'a mounted file'")
  expect(await listed(`domain=/detector/&query=${query}`, USER1)).toEqual(['/detector/detector.h5'])
  expect(await listed('domain=/&pattern=d*', USER2)).toEqual([])
  expect(await listed('domain=/&pattern=d*', USER1)).toEqual(['/detector'])
})

test('tables of contents have the folders that the caller may read', async () => {
  const tableOf = async (user: string | undefined) => {
    const options = { user, headers: { Host: 'hdfgroup.org' } }
    const { root } = (await sendTo(server.address, 'GET', '/', undefined, options)).json<{ root: string }>()
    const reply = await sendTo(server.address, 'GET', `/groups/${root}/links`, undefined, options)
    const group = await sendTo(server.address, 'GET', `/groups/${root}`, undefined, options)
    const { links } = reply.json<{ links: { title: string }[] }>()
    expect(group.json<{ linkCount: number }>().linkCount, group.story).toBe(links.length)
    return links.map(({ title }) => title)
  }
  // In turn: one caller sees nothing of what another one was shown.
  for (const [user, titles] of [
    [ADMIN, ['detector', 'lab', 'private', 'public', 'stored']],
    [USER2, ['lab', 'public', 'stored']],
    [USER1, ['detector', 'public', 'stored']],
    [undefined, ['public', 'stored']],
  ] as const)
    expect(await tableOf(user)).toEqual(titles)
})

test('the feed has events of files for their readers only', async () => {
  interface Page {
    readonly events: { domain: string }[]
    readonly next: string
  }
  const page = (user: string | undefined, since?: string) =>
    json<Page>(`/events?domain=/&wait=0${since === undefined ? '' : `&since=${since}`}`, user)
  const { next } = await page(ADMIN)
  await copyFile(join(detector(), 'detector.h5'), join(detector(), 'new.h5'))
  const seen = async (user: string | undefined) =>
    (await page(user, next)).events.map(({ domain }) => domain).filter(name => name.startsWith('/detector/'))
  await vi.waitFor(async () => expect(await seen(ADMIN)).toContain('/detector/new.h5'), { timeout: 60_000 })
  expect(await seen(USER1)).toContain('/detector/new.h5')
  expect(await seen(USER2)).toEqual([])
  expect(await seen(undefined)).toEqual([])
  const position = (await page(ADMIN)).next
  await rm(join(detector(), 'new.h5'))
  const gone = async (user: string | undefined) => (await page(user, position)).events.length
  await vi.waitFor(async () => expect(await gone(ADMIN)).toBe(1), { timeout: 60_000 })
  expect(await gone(USER1)).toBe(1)
  expect(await gone(USER2)).toBe(0)
})

test('readers of a folder that is not mounted are an error before the service starts', async () => {
  const misspelt = serveHere({ mount: [`${detector()}=/detector`], mountReaders: ['/detektor=ann'] })
  await expect(misspelt).rejects.toThrow('--mount-readers: nothing is mounted at /detektor')
})
