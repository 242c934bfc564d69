// Quotas (common 28). That the use is exact under any program is tested in test/conformance/store-quotas.ts.

import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ADMIN, send, USER1, USER2, uniqueName } from './client.ts'
import { HOME, makeHome, newDomain, removeDomain } from './hsds/domain.ts'

interface Quota {
  readonly folder?: string
  readonly owner?: string
  readonly bytes?: number
  readonly objects?: number
  readonly used: { readonly bytes: number; readonly objects: number }
  readonly enforced: boolean
}

beforeAll(makeHome)

async function newFolder(): Promise<string> {
  const folder = `${HOME}/${uniqueName()}`
  const reply = await send('PUT', `/?domain=${folder}`, { folder: true }, { user: USER1 })
  expect(reply.status, reply.story).toBe(201)
  onTestFinished(() => removeDomain(folder))
  return folder
}

async function setQuota(quota: object): Promise<Quota> {
  const reply = await send('PUT', '/quotas', quota, { user: ADMIN })
  expect(reply.status, reply.story).toBe(200)
  const { folder, owner } = reply.json<Quota>()
  const query = folder === undefined ? `owner=${owner}` : `folder=${folder}`
  onTestFinished(async () => {
    await send('DELETE', `/quotas?${query}`, undefined, { user: ADMIN })
  })
  return reply.json<Quota>()
}

async function quotaOf(folder: string): Promise<Quota | undefined> {
  const reply = await send('GET', '/quotas', undefined, { user: ADMIN })
  expect(reply.status, reply.story).toBe(200)
  return reply.json<{ quotas: readonly Quota[] }>().quotas.find(quota => quota.folder === folder)
}

test('counts what is there, and what comes and goes', async () => {
  const folder = await newFolder()
  const domain = await newDomain(`${folder}/a.h5`)
  const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [1000] })
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [...new Array(1000).keys()] })
  const quota = await setQuota({ folder: `${folder}/`, bytes: 1_000_000, objects: 100 })
  expect(quota).toMatchObject({
    folder,
    bytes: 1_000_000,
    objects: 100,
    used: { objects: 2 },
    enforced: true,
  })
  expect(quota.used.bytes).toBeGreaterThan(4000)
  const usage = await send('GET', `/usage?folder=${folder}`, undefined, { user: USER1 })
  expect(usage.json()).toMatchObject({ quotas: [quota] })
  await domain.want(200, 'DELETE', `/datasets/${id}`)
  expect(await quotaOf(folder)).toMatchObject({ used: { objects: 1 } })
})

test('a write that needs more than is left is 507, and changes nothing', async () => {
  const folder = await newFolder()
  const domain = await newDomain(`${folder}/a.h5`)
  const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [1000] })
  const { used } = await setQuota({ folder, bytes: 1000 })
  const write = (value: readonly number[]) => domain.send('PUT', `/datasets/${id}/value`, { value })
  const refused = await write([...new Array(1000).keys()])
  expect(refused.status, refused.story).toBe(507)
  expect(refused.json()).toMatchObject({ code: 'quota-exceeded' })
  expect(refused.story).toContain(
    `the quota of the folder ${folder} is 1000 bytes, of which ${used.bytes} are used`,
  )
  const { value } = await domain.want<{ value: number[] }>(200, 'GET', `/datasets/${id}/value?select=[0:3]`)
  expect(value).toEqual([0, 0, 0])
  // A write that fits is accepted.
  await setQuota({ folder, bytes: used.bytes + 6000 })
  expect((await write([...new Array(1000).keys()])).status).toBe(200)
})

test('folders and owners add up, and the first that is exceeded is named', async () => {
  const folder = await newFolder()
  await setQuota({ folder, objects: 1000 })
  const inner = `${folder}/in`
  expect((await send('PUT', `/?domain=${inner}`, { folder: true }, { user: USER1 })).status).toBe(201)
  onTestFinished(() => removeDomain(inner))
  await setQuota({ folder: inner, objects: 1 })
  await newDomain(`${inner}/a.h5`)
  const second = await send('PUT', `/?domain=${inner}/b.h5`, undefined, { user: USER1 })
  expect(second.status, second.story).toBe(507)
  expect(second.story).toContain(`the quota of the folder ${inner} is 1 objects`)
  expect(await quotaOf(folder)).toMatchObject({ used: { objects: 1 } })
})

test('a file that is longer than what is left is refused before it is sent', async () => {
  const folder = await newFolder()
  await setQuota({ folder, bytes: 100_000 })
  const headers = { 'Content-Type': 'application/x-hdf5', Expect: '100-continue' }
  const reply = await send('PUT', `/?domain=${folder}/big.h5`, Buffer.alloc(100_001), {
    user: USER1,
    headers,
  })
  expect(reply.status, reply.story).toBe(507)
  expect(reply.story).toContain('the file has 100001 bytes')
})

test.each<[string, unknown, string]>([
  ['neither a folder nor an owner', { bytes: 1 }, 'must name either'],
  ['both', { folder: '/', owner: 'ann', bytes: 1 }, 'must name either'],
  ['no limit', { folder: '/' }, 'a quota has a limit'],
  ['a negative limit', { folder: '/', bytes: -1 }, 'body.bytes must be a whole number'],
  ['half an object', { folder: '/', objects: 0.5 }, 'body.objects must be a whole number'],
  [
    'a folder that is not there',
    { folder: '/nowhere/at/all', bytes: 1 },
    'there is no folder /nowhere/at/all',
  ],
])('%s is refused', async (_what, quota, rule) => {
  const reply = await send('PUT', '/quotas', quota, { user: ADMIN })
  expect(reply.status, reply.story).toBeGreaterThanOrEqual(400)
  expect(reply.status, reply.story).toBeLessThan(500)
  expect(reply.story).toContain(rule)
})

test('only administrators set and remove quotas; users see those on what they own', async () => {
  for (const [method, path] of [
    ['PUT', '/quotas'],
    ['DELETE', '/quotas?folder=/'],
  ] as const) {
    const body = method === 'PUT' ? { folder: '/', bytes: 0 } : undefined
    expect((await send(method, path, body, { user: USER1 })).status).toBe(403)
  }
  const owner = uniqueName()
  await setQuota({ owner, bytes: 10 })
  await setQuota({ owner: USER2, objects: 100_000 })
  const own = await send('GET', '/quotas', undefined, { user: USER2 })
  expect(own.json()).toMatchObject({ quotas: [{ owner: USER2, objects: 100_000 }] })
})

test('a quota that is not there cannot be removed', async () => {
  const reply = await send('DELETE', `/quotas?owner=${uniqueName()}`, undefined, { user: ADMIN })
  expect(reply.status, reply.story).toBe(404)
  expect(reply.json()).toMatchObject({ code: 'quota-not-found' })
})
