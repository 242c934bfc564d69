// Buckets are namespaces beside each other (hsds-objects 1.2): what is done in one is seen in no other, by whichever
// way the bucket is named; the classic dialect sees the default one only.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ADMIN, BASE_DOMAIN, type Options, send, USER1, USER2, uniqueName } from '../client.ts'
import { BUCKET } from '../server.ts'
import { expectRefusal, HOME, makeHome, newDomain, relsOf } from './domain.ts'

const inBucket: Options = { user: USER1, headers: { 'x-hdf-bucket': BUCKET } }
const asAdmin: Options = { user: ADMIN, headers: { 'x-hdf-bucket': BUCKET } }

/** A server that was not started by these tests may have no second bucket. */
let hasBucket = false

beforeAll(async () => {
  await makeHome()
  hasBucket = (await send('GET', `/domains?bucket=${BUCKET}`)).status === 200
  if (!hasBucket) return
  for (const [path, owner] of [
    ['/home', ADMIN],
    [HOME, USER1],
  ]) {
    const reply = await send('PUT', `/?domain=${path}`, { folder: true, owner }, asAdmin)
    expect([201, 409], reply.story).toContain(reply.status)
  }
})

async function makeDomain(path: string): Promise<string> {
  const reply = await send('PUT', `/?domain=${path}`, undefined, inBucket)
  expect(reply.status, reply.story).toBe(201)
  onTestFinished(async () => {
    await send('DELETE', `/?domain=${path}`, undefined, asAdmin)
  })
  return reply.json<{ root: string }>().root
}

async function namesIn(target: string, options: Options = {}): Promise<string[]> {
  const reply = await send('GET', target, undefined, options)
  expect(reply.status, reply.story).toBe(200)
  return reply.json<{ domains: { name: string }[] }>().domains.map(({ name }) => name)
}

async function defaultBucket(): Promise<string> {
  const domain = await newDomain()
  return (await domain.want<{ bucket: string }>(200, 'GET', `/groups/${domain.root}`)).bucket
}

describe('the bucket of a request', () => {
  test('the default one may be named, by the name that groups tell', async () => {
    const domain = await newDomain()
    const bucket = await defaultBucket()
    for (const target of [
      `/?domain=${domain.path}&bucket=${bucket}`,
      `/?domain=${bucket}${domain.path}`,
      `/?domain=${bucket}${domain.path}&bucket=`,
    ]) {
      const reply = await send('GET', target, undefined, { user: USER1 })
      expect(reply.json().root, reply.story).toBe(domain.root)
    }
    const headers = { 'x-hdf-bucket': bucket, 'x-hdf-domain': domain.path }
    expect((await send('GET', '/', undefined, { user: USER1, headers })).json().root).toBe(domain.root)
  })

  test.each(['bad/bucket', 'b%20c', 'b%25', '%C3%BC'])('%s is no name: 400', async name => {
    expectRefusal(await send('GET', `/?domain=${HOME}&bucket=${name}`, undefined, { user: USER1 }), 400)
    const headers = { 'x-hdf-bucket': decodeURIComponent(name) }
    expectRefusal(await send('GET', `/?domain=${HOME}`, undefined, { user: USER1, headers }), 400)
  })

  test('an unknown one is 404, for every request, whatever the caller may do', async () => {
    const domain = await newDomain()
    const bucket = `no-${uniqueName()}`
    for (const user of [undefined, USER1, ADMIN]) {
      for (const target of [
        `/?domain=${domain.path}&bucket=${bucket}`,
        `/?domain=${bucket}${domain.path}`,
        `/domains?bucket=${bucket}`,
        `/domains?domain=${bucket}/home/`,
        `/groups/${domain.root}?domain=${domain.path}&bucket=${bucket}`,
      ]) {
        const reply = await send('GET', target, undefined, { user })
        expectRefusal(reply, 404)
        expect(reply.json().code).toBe('bucket-not-found')
      }
    }
    const put = await send('PUT', `/?domain=${domain.path}&bucket=${bucket}`, undefined, { user: ADMIN })
    expectRefusal(put, 404)
  })
})

describe('a bucket of its own', () => {
  test('has other domains under the same paths', async ({ skip }) => {
    if (!hasBucket) skip()
    const domain = await newDomain()
    const { path } = domain
    expectRefusal(await send('GET', `/?domain=${path}`, undefined, inBucket), 404)
    const root = await makeDomain(path)
    expect(root).not.toBe(domain.root)

    const made = await send('POST', `/groups?domain=${path}`, { link: { id: root, name: 'g' } }, inBucket)
    expect(made.status, made.story).toBe(201)
    const links = async (options: Options, id: string) =>
      (await send('GET', `/groups/${id}/links?domain=${path}`, undefined, options)).json<{
        links: object[]
      }>().links
    expect(await links(inBucket, root)).toHaveLength(1)
    expect(await links({ user: USER1 }, domain.root)).toHaveLength(0)
    // An id of the other bucket's domain is foreign.
    expectRefusal(await send('GET', `/groups/${root}?domain=${path}`, undefined, { user: USER1 }), 400)

    await domain.want(200, 'DELETE', '/')
    await domain.refuse(410, 'GET', '/')
    expect((await send('GET', `/?domain=${path}`, undefined, inBucket)).json().root).toBe(root)
  })

  test('is named by the parameter, the header or before the path', async ({ skip }) => {
    if (!hasBucket) skip()
    const path = `${HOME}/${uniqueName()}.h5`
    const root = await makeDomain(path)
    for (const [target, headers] of [
      [`/?domain=${path}&bucket=${BUCKET}`, {}],
      [`/?domain=${BUCKET}${path}`, {}],
      [`/?domain=hdf5:/${path}&bucket=${BUCKET}`, {}],
      [`/?bucket=${BUCKET}`, { 'x-hdf-domain': path }],
      ['/', { 'x-hdf-domain': path, 'x-hdf-bucket': BUCKET }],
    ] as const) {
      const reply = await send('GET', target, undefined, { user: USER1, headers })
      expect(reply.json().root, reply.story).toBe(root)
    }
    const both = await send('GET', `/?domain=${path}&bucket=${BUCKET}`, undefined, {
      user: USER1,
      headers: { 'x-hdf-bucket': 'other' },
    })
    expect(both.json().root, both.story).toBe(root)
  })

  test('is named by groups and in addresses, and names of domains stand alone', async ({ skip }) => {
    if (!hasBucket) skip()
    const path = `${HOME}/${uniqueName()}.h5`
    const root = await makeDomain(path)
    const target = `/groups/${root}?domain=${path}&bucket=${BUCKET}`
    const group = (await send('GET', target, undefined, { user: USER1 })).json<{
      hrefs: { rel: string; href: string }[]
    }>()
    expect(group).toMatchObject({ bucket: BUCKET, domain: path })
    const self = group.hrefs.find(({ rel }) => rel === 'self')?.href ?? ''
    expect(new URL(self).search).toBe(`?domain=${path}&bucket=${BUCKET}`)

    const domain = (await send('GET', `/?domain=${BUCKET}${path}`, undefined, { user: USER1 })).json<{
      hrefs: { rel: string; href: string }[]
    }>()
    expect(relsOf(domain)).toHaveLength(7)
    const parent = new URL(domain.hrefs.at(-1)?.href ?? '')
    expect(parent.search).toBe(`?domain=${BUCKET}${HOME}`)
    const folder = await send('GET', parent.pathname + parent.search, undefined, { user: USER1 })
    expect(folder.json().class, folder.story).toBe('folder')
  })

  test('is listed alone, its items with addresses that lead to them', async ({ skip }) => {
    if (!hasBucket) skip()
    const path = `${HOME}/${uniqueName()}.h5`
    const root = await makeDomain(path)
    expect(await namesIn(`/domains?domain=${HOME}/`)).not.toContain(path)
    for (const target of [
      `/domains?domain=${HOME}/&bucket=${BUCKET}`,
      `/domains?domain=${HOME}&bucket=${BUCKET}`,
      `/domains?domain=${BUCKET}${HOME}/`,
    ]) {
      expect(await namesIn(target)).toContain(path)
    }
    const listing = await send('GET', `/domains?domain=${HOME}&bucket=${BUCKET}`)
    const { domains } = listing.json<{ domains: { name: string; hrefs: { href: string }[] }[] }>()
    const href = new URL(domains.find(({ name }) => name === path)?.hrefs[0]?.href ?? '')
    const followed = await send('GET', href.pathname + href.search, undefined, { user: USER1 })
    expect(followed.json().root, followed.story).toBe(root)
  })

  test('has a top level of its own, where only administrators make things', async ({ skip }) => {
    if (!hasBucket) skip()
    const top = `/${uniqueName()}`
    const options = { folder: true }
    expectRefusal(await send('PUT', `/?domain=${top}`, options, inBucket), 403)
    expect((await send('PUT', `/?domain=${top}`, options, asAdmin)).status).toBe(201)
    for (const target of [`/?bucket=${BUCKET}`, `/domains?bucket=${BUCKET}`, `/domains?domain=${BUCKET}/`]) {
      expect(await namesIn(target)).toContain(top)
    }
    expect(await namesIn('/domains')).not.toContain(top)
    expectRefusal(await send('DELETE', `/?domain=${top}`, undefined, inBucket), 403)
    expect((await send('DELETE', `/?domain=${top}`, undefined, asAdmin)).status).toBe(200)
    expectRefusal(await send('GET', `/?domain=${top}`, undefined, inBucket), 410)
    expectRefusal(await send('GET', `/?domain=${top}`, undefined, { user: USER1 }), 404)
    expectRefusal(await send('PUT', `/?bucket=${BUCKET}`, undefined, asAdmin), 400)
  })

  test('hands down the lists of its own folders', async ({ skip }) => {
    if (!hasBucket) skip()
    const folder = `${HOME}/${uniqueName()}`
    for (const [owner, options] of [
      [USER1, { user: ADMIN }],
      [USER2, asAdmin],
    ] as const) {
      const made = await send('PUT', `/?domain=${folder}`, { folder: true, owner }, options)
      expect(made.status, made.story).toBe(201)
    }
    const create = (name: string, options: Options) =>
      send('PUT', `/?domain=${folder}/${name}`, undefined, options)
    expectRefusal(await create('x', { user: USER2 }), 403)
    expect((await create('x', { ...inBucket, user: USER2 })).status).toBe(201)
    // The administrator's domain is the folder's owner's too.
    const { acls } = (await create('y', asAdmin)).json<{ acls: object }>()
    expect(Object.keys(acls).sort()).toEqual([ADMIN, USER1, USER2])
    for (const [path, options] of [
      [`${folder}/x`, asAdmin],
      [`${folder}/y`, asAdmin],
      [folder, asAdmin],
      [folder, { user: ADMIN }],
    ] as const) {
      expect((await send('DELETE', `/?domain=${path}`, undefined, options)).status).toBe(200)
    }
  })

  test('is where its external links lead, and what linked_domain means', async ({ skip }) => {
    if (!hasBucket) skip()
    const there = `${HOME}/${uniqueName()}.h5`
    const target = await newDomain(there)
    await target.group('here')
    const root = await makeDomain(there)
    const link = { link: { id: root, name: 'there' } }
    expect((await send('POST', `/groups?domain=${there}`, link, inBucket)).status).toBe(201)

    const path = `${HOME}/${uniqueName()}.h5`
    const holder = await makeDomain(path)
    for (const [name, h5domain] of [
      ['absolute', there],
      ['prefixed', `hdf5:/${there}`],
      ['relative', there.slice(HOME.length + 1)],
    ] as const) {
      const body = { h5domain, h5path: '/' }
      const put = await send('PUT', `/groups/${holder}/links/${name}?domain=${path}`, body, inBucket)
      expect(put.status, put.story).toBe(201)
      const follow = (h5path: string) =>
        send('GET', `/?domain=${path}&h5path=/${name}/${h5path}&follow_external_links=1`, undefined, inBucket)
      const found = await follow('there')
      expect(found.status, found.story).toBe(200)
      expect(found.json()).toMatchObject({ domain: there, root, class: 'group' })
      expect((await follow('here')).status).toBe(404)
    }

    const shared = `${HOME}/${uniqueName()}.h5`
    for (const [body, expected] of [
      [{ linked_domain: there }, root],
      [{ linked_domain: there, linked_bucket: BUCKET }, root],
      [{ linked_domain: there, linked_bucket: await defaultBucket() }, target.root],
    ] as const) {
      const put = await send('PUT', `/?domain=${shared}`, body, inBucket)
      expect(put.json().root, put.story).toBe(expected)
      const gone = await send('DELETE', `/?domain=${shared}`, { keep_root: 1 }, inBucket)
      expect(gone.status, gone.story).toBe(200)
    }
    const unknown = { linked_domain: there, linked_bucket: uniqueName() }
    expectRefusal(await send('PUT', `/?domain=${shared}`, unknown, inBucket), 404)
  })

  test('is not there for the classic dialect', async ({ skip }) => {
    if (!hasBucket) skip()
    const name = uniqueName()
    await makeDomain(`${HOME}/${name}`)
    const host = `${name}.test_user1.home.${BASE_DOMAIN}`
    const reply = await send('GET', '/', undefined, { user: USER1, headers: { host } })
    expect(reply.status, reply.story).toBe(404)
  })
})
