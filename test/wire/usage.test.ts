// The use of a folder, which is the same in both dialects (common 25). Sums are compared with the domains themselves in
// packages/server/service/domains/usage.test.ts.

import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ADMIN, send, USER1, USER2, uniqueName } from './client.ts'
import { HOME, makeHome, newDomain, removeDomain } from './hsds/domain.ts'

interface Item {
  readonly name?: string
  readonly class?: string
  readonly owner?: string
  readonly domains: number
  readonly objects: number
  readonly bytes: number
}

interface Usage {
  readonly folder: string
  readonly by: string
  readonly total: Item
  readonly items: readonly Item[]
  readonly next?: string
}

beforeAll(makeHome)

/** A folder with a domain, and a folder in it with two, of which one has values; only their maker may read them. */
async function newFolder(): Promise<string> {
  const folder = `${HOME}/${uniqueName()}`
  for (const path of [folder, `${folder}/in`]) {
    const reply = await send('PUT', `/?domain=${path}`, { folder: true }, { user: USER1 })
    expect(reply.status, reply.story).toBe(201)
    // Domains that tests have made are removed first.
    onTestFinished(() => removeDomain(path))
  }
  await newDomain(`${folder}/a.h5`)
  await newDomain(`${folder}/in/b.h5`)
  const full = await newDomain(`${folder}/in/c.h5`)
  const id = await full.dataset({ type: 'H5T_STD_I32LE', shape: [1000] })
  await full.want(200, 'PUT', `/datasets/${id}/value`, { value: Array.from({ length: 1000 }, (_, i) => i) })
  return folder
}

async function ask(query: string, user: string | undefined = USER1): Promise<Usage> {
  const reply = await send('GET', `/usage?${query}`, undefined, { user })
  expect(reply.status, reply.story).toBe(200)
  return reply.json<Usage>()
}

test('the children of a folder come with all below them, those with most bytes first', async () => {
  const folder = await newFolder()
  const usage = await ask(`folder=${folder}/`)
  expect(usage).toMatchObject({ folder, by: 'folder', total: { domains: 3, objects: 4 } })
  expect(usage.items).toMatchObject([
    { name: `${folder}/in`, class: 'folder', domains: 2, objects: 3, allocated_bytes: 4000 },
    { name: `${folder}/a.h5`, class: 'domain', domains: 1, objects: 1, allocated_bytes: 0 },
  ])
  const verbose = await send('GET', `/domains?domain=${folder}/&verbose=1`, undefined, { user: USER1 })
  const { domains } = verbose.json<{ domains: readonly Record<string, unknown>[] }>()
  const [a] = domains.filter(({ name }) => name === `${folder}/a.h5`)
  expect(usage.items[1].bytes).toBe(a?.total_size)
  // A request of the hsds dialect names the folder as it names domains.
  expect(await ask(`domain=${folder}`)).toEqual(usage)
  expect(await ask(`domain=/&folder=${folder}`)).toEqual(usage)
})

test('the owners of domains below a folder', async () => {
  const folder = await newFolder()
  const { total, items } = await ask(`folder=${folder}&by=owner`)
  expect(items).toEqual([{ owner: USER1, ...total }])
})

test('pages', async () => {
  const folder = await newFolder()
  const { items } = await ask(`folder=${folder}`)
  const first = await ask(`folder=${folder}&Limit=1`)
  expect(first.items).toEqual(items.slice(0, 1))
  const rest = await ask(`folder=${folder}&Limit=1&Marker=${encodeURIComponent(first.next ?? '')}`)
  expect(rest.items).toEqual(items.slice(1))
  expect(rest.next).toBeUndefined()
})

test('only what the caller may read is counted, for an administrator everything', async () => {
  const folder = await newFolder()
  expect((await ask(`folder=${folder}`, ADMIN)).total.domains).toBe(3)
  expect(await ask(`folder=${folder}`, USER2)).toMatchObject({ total: { domains: 0 }, items: [] })
  const item = { read: true, create: false, update: false, delete: false, readACL: false, updateACL: false }
  const given = await send('PUT', `/acls/${USER2}?domain=${folder}/a.h5`, item, { user: USER1 })
  expect(given.status, given.story).toBe(201)
  expect((await ask(`folder=${folder}`, USER2)).items.map(({ name }) => name)).toEqual([`${folder}/a.h5`])
})

test.each<[string, number, string]>([
  ['by=user', 400, 'malformed-parameter'],
  ['Marker=x', 400, 'malformed-parameter'],
  ['folder=lab', 400, 'malformed-domain'],
  ['folder=/no-such-folder', 404, 'domain-not-found'],
])('%s is %i', async (query, status, code) => {
  const reply = await send('GET', `/usage?${query}`, undefined, { user: ADMIN })
  expect(reply.status, reply.story).toBe(status)
  expect(reply.json<{ code?: string }>().code ?? code).toBe(code)
})
