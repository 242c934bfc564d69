// Shares: addresses that show a domain or folder, read only, to callers without an account, and nothing else
// (common 20). Other tests send their reads by a share, too: the permission matrix has a caller that comes by one.

import fc from 'fast-check'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import {
  ADMIN,
  basic,
  type Fields,
  type Method,
  type Options,
  type Reply,
  send,
  sendTo,
  USER1,
  USER2,
  uniqueName,
} from './client.ts'
import { openEventStream } from './event-stream.ts'
import { HOME, hostOf, makeHome, newDomain, newPath } from './hsds/domain.ts'

beforeAll(makeHome)

const LATER = '2999-01-01'
const PERSON = { headers: { accept: 'text/html,*/*' } }
const GONE = {
  status: 404,
  code: 'share-not-found',
  message: 'this address shows nothing: it is unknown, or it was for a time that is over',
}

interface Share {
  readonly id: string
  readonly address: string
  /** `/s/SECRET`. */
  readonly prefix: string
  readonly secret: string
}

async function newShare(
  domain: string,
  members: Fields = {},
  options: Options = { user: USER1 },
): Promise<Share> {
  const reply = await send('POST', '/shares', { domain, end: LATER, ...members }, options)
  expect(reply.status, reply.story).toBe(201)
  const { id, address } = reply.json<{ id: string; address: string }>()
  const prefix = new URL(address).pathname.slice(0, -1)
  return { id, address, prefix, secret: prefix.slice('/s/'.length) }
}

const revoke = (id: string, user = USER1) => send('DELETE', `/shares/${id}`, undefined, { user })

async function expectError(reply: Promise<Reply>, status: number, code: string, text = ''): Promise<void> {
  const { status: was, story, json, headers } = await reply
  expect(was, story).toBe(status)
  const error = json<{ code: string; message: string }>()
  expect(error.code).toBe(code)
  expect(error.message).toContain(text)
  expectPrivate(headers)
}

/** The headers of every answer below a share. */
function expectPrivate(headers: Reply['headers']): void {
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(headers['x-robots-tag']).toBe('noindex')
  expect(headers['cache-control']).toMatch(/private|no-store/)
}

/** A domain that nobody but its owner may read, with a dataset in a group. */
async function closedDomain() {
  const domain = await newDomain()
  const group = await domain.group('data')
  const dataset = await domain.dataset({
    type: 'H5T_STD_I16LE',
    shape: [4, 6],
    link: { id: group, name: 'values' },
  })
  const value = [0, 1, 2, 3].map(row => [0, 1, 2, 3, 4, 5].map(column => 10 * row + column))
  await domain.want(200, 'PUT', `/datasets/${dataset}/value`, { value })
  return { ...domain, dataset, value }
}

describe('a share', () => {
  test('shows values, files, Zarr, pictures, events and the page without an account, in both dialects', async () => {
    const { path, dataset, value, root } = await closedDomain()
    const { prefix } = await newShare(path)
    expect((await send('GET', `/?domain=${path}`)).status).toBe(403)
    for (const target of [
      `/?domain=${path}`,
      `/?domain=${path}&h5path=/data/values`,
      `/?domain=${path}&getobjs=1&include_attrs=1&verbose=1`,
      `/?domain=${path}&format=hdf5`,
      `/?host=${hostOf(path)}`,
      `/groups/${root}/links?domain=${path}&follow_links=1`,
      `/datasets/${dataset}/value?domain=${path}&format=npy`,
      `/datasets/${dataset}/value?domain=${path}&format=png`,
      `/h5${path}`,
      `//h5${path}`,
      `/zarr/v2${path}/.zmetadata`,
      `/zarr/v3${path}/zarr.json`,
      `/zarr/v3${path}/data/values/c/0/0`,
      `/zarr/refs${path}`,
      `/thumbnail?domain=${path}`,
      `/events?domain=${path}&wait=0`,
      '/ui',
      '/about',
      '/info',
    ]) {
      const reply = await send('GET', prefix + target)
      expect(reply.status, reply.story).toBe(200)
      expectPrivate(reply.headers)
      expect((await send('HEAD', prefix + target)).status, target).toBe(200)
    }
    const read = await send('GET', `${prefix}/datasets/${dataset}/value?domain=${path}`)
    expect(read.json().value).toEqual(value)
    const posted = await send('POST', `${prefix}/datasets/${dataset}/value?domain=${path}`, {
      points: [[1, 2]],
    })
    expect(posted.json().value).toEqual([12])
    const part = await send('GET', `${prefix}/h5${path}`, undefined, { headers: { range: 'bytes=1-3' } })
    expect([part.status, part.text]).toEqual([206, 'HDF'])
    const { headers } = await send('GET', `${prefix}/h5${path}`)
    const known = { headers: { 'if-none-match': headers.etag } }
    const unchanged = await send('GET', `${prefix}/h5${path}`, undefined, known)
    expect(unchanged.status).toBe(304)
    expectPrivate(unchanged.headers)
  })

  test('of a folder shows what is in it, also what is made later', async () => {
    const folder = newPath().replace(/\.h5$/, '')
    const made = await send('PUT', `/?domain=${folder}`, { folder: true }, { user: USER1 })
    expect(made.status, made.story).toBe(201)
    const { prefix } = await newShare(folder)
    const domain = await newDomain(`${folder}/later.h5`)
    const list = await send('GET', `${prefix}/domains?domain=${folder}/`)
    expect(list.json<{ domains: { name: string }[] }>().domains.map(({ name }) => name)).toEqual([
      domain.path,
    ])
    expect((await send('GET', `${prefix}/?domain=${domain.path}`)).status).toBe(200)
    expect((await send('GET', `${prefix}/h5${domain.path}`)).status).toBe(200)
    await expectError(send('GET', `${prefix}/domains`), 403, 'scope-exceeded', folder)
  })

  test('changes nothing, and shows nothing about users, lists and other domains, there or not', async () => {
    const domain = await closedDomain()
    const other = await newDomain()
    const { path, root, dataset } = domain
    const { prefix } = await newShare(path, {}, { user: ADMIN })
    const at = `domain=${path}`
    const scope = `the scope of the share is "read ${path}"`
    const link = { h5domain: other.path, h5path: '/' }
    await domain.want(201, 'PUT', `/groups/${root}/links/out`, link)
    for (const [method, target, body] of [
      ['PUT', `/?domain=${newPath()}`, undefined],
      ['DELETE', `/?${at}`, undefined],
      ['POST', `/groups?${at}`, {}],
      ['DELETE', `/groups/${root}/links/data?${at}`, undefined],
      ['PUT', `/datasets/${dataset}/value?${at}`, { value: domain.value }],
      ['PUT', `/acls/default?${at}`, { read: true }],
      ['GET', `/acls?${at}`, undefined],
      ['GET', `/acls/default?${at}`, undefined],
      ['GET', `/acls/${USER1}?${at}`, undefined],
      ['GET', `/groups/${root}/acls?${at}`, undefined],
      ['POST', '/login', undefined],
      ['DELETE', '/login', undefined],
      ['GET', '/login/any', undefined],
      ['GET', '/login/any/callback?state=x', undefined],
      ['GET', '/sessions', undefined],
      ['DELETE', '/sessions', undefined],
      ['GET', '/tokens', undefined],
      ['POST', '/tokens', { name: 'x', end: LATER }],
      ['GET', '/shares', undefined],
      ['POST', '/shares', { domain: path, end: LATER }],
      ['DELETE', '/shares/x', undefined],
      ['GET', '/users', undefined],
      ['PUT', '/users/eve', { password: 'x' }],
      ['DELETE', `/users/${USER2}`, undefined],
      ['PUT', '/password', { password: 'test', new: 'x' }],
      ['GET', '/metrics', undefined],
      ['GET', '/requests', undefined],
      ['DELETE', '/requests/x', undefined],
      ['GET', `/?domain=${other.path}`, undefined],
      ['GET', `/?domain=${newPath()}`, undefined],
      ['GET', `/?host=${hostOf(other.path)}`, undefined],
      ['GET', `/groups/${other.root}?domain=${other.path}`, undefined],
      ['GET', `/h5${other.path}`, undefined],
      ['GET', `/h5${newPath()}`, undefined],
      ['GET', `/zarr/v3${other.path}/zarr.json`, undefined],
      ['GET', `/zarr/v3${newPath()}/zarr.json`, undefined],
      ['GET', `/zarr/refs${other.path}`, undefined],
      ['GET', `/events?domain=${other.path}&wait=0`, undefined],
      ['GET', `/thumbnail?domain=${other.path}`, undefined],
      ['GET', '/domains', undefined],
      ['GET', '/?domain=/', undefined],
    ] as const) {
      await expectError(send(method, prefix + target, body), 403, 'scope-exceeded', scope)
    }
    const follow = 'follow_external_links=1&follow_soft_links=1&h5path=/out'
    await domain.want(200, 'GET', `/?${follow}`)
    expect((await send('GET', `${prefix}/?${at}&${follow}`)).status).toBe(404)
    expect((await domain.want<{ groups: [] }>(200, 'GET', '/groups')).groups).toHaveLength(1)
  })

  test('is in frames of the origins that its user chooses, of those that the setting allows', async () => {
    const { path } = await closedDomain()
    const frames = async (body: Fields) => {
      const { prefix } = await newShare(path, body)
      const { headers } = await send('GET', `${prefix}/ui`)
      return String(headers['content-security-policy']).split('frame-ancestors ')[1]
    }
    // The setting of the server under test allows none.
    expect(await frames({})).toBe("'none'")
    expect(await frames({ frame_ancestors: [] })).toBe("'none'")
    const body = { domain: path, end: LATER, frame_ancestors: ['https://portal.example'] }
    const refused = await send('POST', '/shares', body, { user: USER1 })
    expect(refused.status, refused.story).toBe(400)
    expect(refused.json().message).toContain('frame_ancestors')
    for (const wrong of ['https://portal.example', [1], {}]) {
      const malformed = { ...body, frame_ancestors: wrong }
      expect((await send('POST', '/shares', malformed, { user: USER1, undeclared: true })).status).toBe(400)
    }
  })

  test('names no owner, of the domain and in lists', async () => {
    const { path } = await closedDomain()
    expect((await send('GET', `/?domain=${path}`, undefined, { user: USER1 })).json().owner).toBe(USER1)
    const { prefix } = await newShare(path)
    for (const target of [
      `/?domain=${path}`,
      `/?domain=${path}&verbose=1`,
      `/domains?domain=${path}&verbose=1`,
    ]) {
      const reply = await send('GET', prefix + target)
      expect(reply.status, reply.story).toBe(200)
      expect(reply.text).not.toContain(`"owner":"${USER1}"`)
    }
  })

  test('is the only identity below its address, and names nobody', async () => {
    const { path } = await closedDomain()
    const { prefix } = await newShare(path, { view: 'domain=/x&path=/a%20b' })
    const session = await send('POST', '/login', undefined, { user: ADMIN })
    const cookie = session.headers['set-cookie']?.[0]?.split(';')[0]
    for (const headers of [
      {},
      { authorization: basic(ADMIN) },
      { authorization: basic(USER1, 'wrong') },
      { authorization: 'Bearer hyperslab_x' },
      { cookie },
    ]) {
      const login = await send('GET', `${prefix}/login`, undefined, { headers })
      expect(login.json()).toEqual({
        username: 'anonymous',
        isadmin: false,
        login: 'share',
        end: '2999-01-01T00:00:00.000Z',
        scope: { writes: false, within: path },
        view: 'domain=/x&path=/a%20b',
      })
      const about = await send('GET', `${prefix}/about`, undefined, { headers })
      expect(about.json()).toMatchObject({ username: 'anonymous', isadmin: false })
      await expectError(send('GET', `${prefix}/metrics`, undefined, { headers }), 403, 'scope-exceeded')
      const write = send('POST', `${prefix}/groups?domain=${path}`, {}, { headers })
      await expectError(write, 403, 'scope-exceeded')
    }
  })

  test('has answers whose addresses lead below it again, and only the answer that makes it has the secret', async () => {
    const domain = await closedDomain()
    const { path, root, dataset } = domain
    const { address, prefix, secret, id } = await newShare(path)
    const base = address.slice(0, -1)
    for (const target of [
      `/?domain=${path}`,
      `/groups?domain=${path}`,
      `/groups/${root}?domain=${path}`,
      `/groups/${root}/links?domain=${path}`,
      `/groups/${root}/links/data?domain=${path}`,
      `/datasets/${dataset}?domain=${path}`,
      `/datasets/${dataset}/value?domain=${path}`,
      `/datasets/${dataset}/shape?domain=${path}`,
      `/datasets/${dataset}/attributes?domain=${path}`,
      `/?host=${hostOf(path)}`,
      `/groups?host=${hostOf(path)}`,
    ]) {
      const { hrefs } = (await send('GET', prefix + target)).json<{ hrefs: { href: string }[] }>()
      expect(hrefs.length).toBeGreaterThan(0)
      for (const { href } of hrefs) expect(href.startsWith(`${base}/`), href).toBe(true)
    }
    const { refs } = (await send('GET', `${prefix}/zarr/refs${path}`)).json<{
      refs: Record<string, unknown>
    }>()
    const references = Object.values(refs).filter(one => Array.isArray(one))
    expect(references).toHaveLength(1)
    for (const [reference] of references) {
      expect(String(reference).startsWith(`${base}/`)).toBe(true)
      expect((await send('GET', new URL(String(reference)).pathname)).status).toBe(200)
    }
    const { headers } = await send('GET', `${prefix}/zarr/v3${path}/zarr.json`)
    expect(headers['content-location']).toContain(`${prefix}/zarr/v3/~`)
    expect((await send('GET', String(headers['content-location']))).status).toBe(200)
    // The same read without the share, and by another share, is another answer.
    const other = await newShare(path)
    for (const target of [`/groups?domain=${path}`, `/zarr/refs${path}`]) {
      expect((await send('GET', other.prefix + target)).text).not.toContain(secret)
      expect((await send('GET', target, undefined, { user: USER1 })).text).not.toContain('/s/')
    }
    const list = await send('GET', '/shares', undefined, { user: USER1 })
    expect(list.text).not.toContain(secret)
    const listed = list.json<{ shares: { id: string }[] }>().shares.find(share => share.id === id)
    expect(listed).toEqual({
      id,
      domain: path,
      note: '',
      view: `domain=${encodeURIComponent(path)}`,
      created: expect.any(String),
      end: '2999-01-01T00:00:00.000Z',
      uses: expect.any(Number),
      used: expect.any(String),
    })
  })

  test('leads a browser to the page with what it shows, below the address', async () => {
    const { path } = await closedDomain()
    const { prefix, secret } = await newShare(path)
    const go = async (target: string) => {
      const { status, headers } = await send('GET', target, undefined, { ...PERSON, undeclared: true })
      expectPrivate(headers)
      return [status, headers.location]
    }
    expect(await go(prefix)).toEqual([307, `${secret}/`])
    expect(await go(`${prefix}?domain=${path}`)).toEqual([307, `${secret}/?domain=${path}`])
    expect(await go(`${prefix}/`)).toEqual([307, `./ui?domain=${encodeURIComponent(path)}`])
    expect(await go(`${prefix}/ui`)).toEqual([200, undefined])
    const page = await send('GET', `${prefix}/ui`, undefined, PERSON)
    const [, script = ''] = /src="([^"]+\.js)"/.exec(page.text) ?? []
    if (script !== '') {
      const reply = await send('GET', new URL(script, `http://h${prefix}/ui`).pathname)
      expect(reply.status).toBe(200)
      expect(reply.headers['cache-control']).toBe('private, max-age=31536000, immutable')
    }
    const gone = await send('GET', `/s/${'x'.repeat(43)}/`, undefined, { ...PERSON, undeclared: true })
    expect(gone.status).toBe(404)
    expect(gone.headers['content-type']).toContain('text/html')
    expectPrivate(gone.headers)
  })

  test('counts its requests, in every process', async () => {
    const { path } = await closedDomain()
    const { prefix, id } = await newShare(path)
    const uses = async () => {
      const { shares } = (await send('GET', '/shares', undefined, { user: USER1 })).json<{
        shares: { id: string; uses: number; used?: string }[]
      }>()
      return shares.find(share => share.id === id)
    }
    expect(await uses()).toMatchObject({ uses: 0 })
    const start = Date.now()
    for (let n = 0; n < 7; n++) await send('GET', `${prefix}/?domain=${path}`)
    await send('GET', `/s/${'x'.repeat(43)}/?domain=${path}`)
    await expect.poll(async () => (await uses())?.uses).toBe(7)
    expect(Date.parse((await uses())?.used ?? '')).toBeGreaterThanOrEqual(start)
  })
})

describe('a share of a dataset', () => {
  const ATTRIBUTE = { type: 'H5T_STD_I32LE', value: 7 }

  /** Beside /data/values there is what must not be seen: each with `hidden` in a name or a value of 4711. */
  async function neighbours() {
    const domain = await closedDomain()
    const { path, root, dataset, want } = domain
    const hidden = await domain.group('hidden')
    const body = { type: 'H5T_STD_I32LE', shape: [3], link: { id: hidden, name: 'hidden' } }
    const { id: other } = await want<{ id: string }>(201, 'POST', '/datasets', body)
    await want(200, 'PUT', `/datasets/${other}/value`, { value: [4711, 4711, 4711] })
    const { links } = await want<{ links: { id: string; title: string }[] }>(
      200,
      'GET',
      `/groups/${root}/links`,
    )
    const data = links.find(({ title }) => title === 'data')?.id ?? ''
    await want(201, 'PUT', `/groups/${data}/links/hidden`, { id: other })
    for (const owner of [`groups/${root}`, `groups/${data}`, `datasets/${other}`])
      await want(201, 'PUT', `/${owner}/attributes/hidden`, ATTRIBUTE)
    await want(201, 'PUT', `/datasets/${dataset}/attributes/units`, ATTRIBUTE)
    return { ...domain, data, hidden, other, at: `domain=${path}` }
  }

  test('shows it with its attributes and the way to it, by path, id, link, file and Zarr', async () => {
    const { path, at, root, data, dataset, value } = await neighbours()
    const { prefix } = await newShare(path, { h5path: 'data/values' })
    const get = async <T = Fields>(target: string) => {
      const reply = await send('GET', prefix + target)
      expect(reply.status, reply.story).toBe(200)
      expect(reply.text).not.toMatch(/hidden|4711/)
      return reply.json<T>()
    }
    expect((await get(`/datasets/${dataset}/value?${at}`)).value).toEqual(value)
    expect(await get(`/?${at}&h5path=/data/values`)).toMatchObject({ id: dataset, class: 'dataset' })
    expect(await get(`/datasets/${dataset}/attributes?${at}`)).toMatchObject({
      attributes: [{ name: 'units' }],
    })
    expect(await get(`/?${at}&verbose=1`)).toMatchObject({
      root,
      num_groups: 2,
      num_datasets: 1,
      num_datatypes: 0,
    })
    expect(await get(`/groups?${at}`)).toMatchObject({ groups: [data] })
    expect(await get(`/datasets?${at}`)).toMatchObject({ datasets: [dataset] })
    for (const [id, title] of [
      [root, 'data'],
      [data, 'values'],
    ]) {
      expect(await get(`/groups/${id}?${at}`)).toMatchObject({ linkCount: 1, attributeCount: 0 })
      expect(await get(`/groups/${id}/links?${at}`)).toMatchObject({ links: [{ title }] })
      expect(await get(`/groups/${id}/attributes?${at}`)).toMatchObject({ attributes: [] })
      expect((await send('GET', `${prefix}/groups/${id}/links/hidden?${at}`)).status).toBe(404)
    }
    const { domain_objs: objects } = await get<{ domain_objs: object }>(`/?${at}&getobjs=1&include_attrs=1`)
    expect(Object.keys(objects).sort()).toEqual([root, data, dataset].sort())
    await get(`/groups/${root}/links?${at}&follow_links=1`)
    const { consolidated_metadata: all } = await get<{ consolidated_metadata: { metadata: object } }>(
      `/zarr/v3${path}/zarr.json`,
    )
    expect(Object.keys(all.metadata).sort()).toEqual(['data', 'data/values'])
    await get(`/zarr/v3${path}/data/values/zarr.json`)
    expect((await send('GET', `${prefix}/zarr/v3${path}/data/values/c/0/0`)).bytes).toHaveLength(48)
    const { refs } = await get<{ refs: Record<string, unknown> }>(`/zarr/refs${path}`)
    expect(refs['data/values/0.0']).toEqual([expect.stringContaining(`${prefix}/zarr/v2/~`), 0, 48])
    const file = await send('GET', `${prefix}/h5${path}`)
    expect(file.text.slice(1, 4)).toBe('HDF')
    expect(file.bytes.includes('values')).toBe(true)
    expect(file.bytes.includes('hidden')).toBe(false)
    expect(file.bytes.includes(Buffer.from(Int32Array.of(4711).buffer))).toBe(false)
    expect((await send('GET', `${prefix}/thumbnail?${at}`)).status).toBe(200)
    expect((await get('/login')).scope).toEqual({ writes: false, within: path, h5path: '/data/values' })
    // The same requests without the share have all of it.
    const whole = await send('GET', `/zarr/v3${path}/zarr.json`, undefined, { user: USER1 })
    expect(whole.text).toContain('hidden')
    expect((await send('GET', `/h5${path}`, undefined, { user: USER1 })).bytes.includes('hidden')).toBe(true)
  })

  test('shows nothing else, however it is named, and no feed', async () => {
    const { path, at, other, hidden, data } = await neighbours()
    const { prefix } = await newShare(path, { h5path: '/data/values' })
    for (const target of [
      `/datasets/${other}?${at}`,
      `/datasets/${other}/value?${at}`,
      `/datasets/${other}/attributes?${at}`,
      `/groups/${hidden}?${at}`,
      `/groups/${hidden}/links?${at}`,
      `/groups/${data}/attributes/hidden?${at}`,
      `/?${at}&h5path=/hidden`,
      `/?${at}&h5path=/hidden/hidden`,
      `/?${at}&h5path=/data/hidden`,
      `/zarr/v3${path}/hidden/zarr.json`,
      `/zarr/v3${path}/data/hidden/c/0`,
      `/zarr/v2${path}/data/.zattrs/hidden`,
    ]) {
      const reply = await send('GET', prefix + target)
      expect([404, 410], reply.story).toContain(reply.status)
      expect(reply.text).not.toContain('4711')
    }
    const several = await send('POST', `${prefix}/values?${at}`, { values: [{ id: other }] })
    expect(several.text).not.toContain('4711')
    await expectError(send('GET', `${prefix}/events?${at}&wait=0`), 403, 'scope-exceeded', '/data/values')
  })

  test('is made with a path through soft links, follows the name, and is gone with it', async () => {
    const { path, at, root, data, want, dataset, group } = await neighbours()
    await want(201, 'PUT', `/groups/${root}/links/plot`, { h5path: 'data/values' })
    await want(201, 'PUT', `/groups/${data}/links/up`, { id: data })
    const share = await send(
      'POST',
      '/shares',
      { domain: path, h5path: '/data/up/../plot', end: LATER },
      { user: USER1 },
    )
    expect(share.status, share.story).toBe(404)
    for (const h5path of ['/plot', '/data/up/up/values', 'data//values']) {
      const made = await send('POST', '/shares', { domain: path, h5path, end: LATER }, { user: USER1 })
      expect(made.json()).toMatchObject({
        h5path: '/data/values',
        view: expect.stringContaining('&path=%2Fdata%2Fvalues'),
      })
    }
    const { prefix } = await newShare(path, { h5path: '/plot' })
    const value = () => send('GET', `${prefix}/?${at}&h5path=/data/values`)
    expect((await value()).json()).toMatchObject({ id: dataset })
    await want(200, 'DELETE', `/groups/${data}/links/values`)
    expect((await value()).status).toBe(404)
    expect((await send('GET', `${prefix}/ui`)).json()).toEqual(GONE)
    const next = await group('next', data)
    expect((await send('GET', `${prefix}/groups/${next}?${at}`)).status).toBe(404)
  })

  test.each([
    ['/data', 404, 'object-not-found'],
    ['/', 404, 'object-not-found'],
    ['/data/nothing', 404, 'object-not-found'],
    ['/data/values/more', 404, 'object-not-found'],
    [7, 400, 'malformed-body'],
  ])('needs a dataset: not %j', async (h5path, status, code) => {
    const { path } = await closedDomain()
    const reply = await send('POST', '/shares', { domain: path, h5path, end: LATER }, { user: USER1 })
    expect(reply.json()).toMatchObject({ status, code })
  })

  test('needs a domain', async () => {
    const body = { domain: HOME, h5path: '/x', end: LATER }
    const reply = await send('POST', '/shares', body, { user: USER1 })
    expect(reply.json()).toMatchObject({ code: 'domain-is-folder' })
  })
})

describe('the address shows nothing, with one answer,', () => {
  async function expectGone(prefix: string, path: string): Promise<void> {
    for (const target of [
      `/?domain=${path}`,
      `/h5${path}`,
      '/login',
      '/ui',
      '/nothing',
      `/zarr/v3${path}/zarr.json`,
      '/',
    ]) {
      const reply = await send('GET', prefix + target, undefined, { undeclared: true })
      expect(reply.status, reply.story).toBe(404)
      expect(reply.json()).toEqual(GONE)
      expectPrivate(reply.headers)
    }
    for (const method of ['PUT', 'POST', 'DELETE'] as const) {
      const reply = await send(method, `${prefix}/?domain=${path}`, undefined, { undeclared: true })
      expect(reply.json()).toEqual(GONE)
    }
  }

  test('when it was revoked: in every process when that is answered', async () => {
    const { path } = await closedDomain()
    const { prefix, id } = await newShare(path)
    for (let n = 0; n < 8; n++) expect((await send('GET', `${prefix}/?domain=${path}`)).status).toBe(200)
    expect((await revoke(id, USER2)).status).toBe(404)
    expect((await send('GET', `${prefix}/?domain=${path}`)).status).toBe(200)
    expect((await revoke(id)).json()).toEqual({ ended: 1 })
    for (let n = 0; n < 8; n++) expect((await send('GET', `${prefix}/?domain=${path}`)).json()).toEqual(GONE)
    await expectGone(prefix, path)
    expect((await revoke(id)).json()).toMatchObject({ status: 404, code: 'share-not-found' })
  })

  test('where its user may not read any more', async () => {
    const { path, want } = await closedDomain()
    const all = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }
    await want(201, 'PUT', `/acls/${USER2}`, all)
    const { prefix } = await newShare(path, {}, { user: USER2 })
    expect((await send('GET', `${prefix}/?domain=${path}`)).status).toBe(200)
    await want(201, 'PUT', `/acls/${USER2}`, { read: false })
    for (const target of [`/?domain=${path}`, `/h5${path}`, '/login', '/ui', `/zarr/v3${path}/zarr.json`]) {
      expect((await send('GET', prefix + target)).json()).toEqual(GONE)
    }
    await want(201, 'PUT', `/acls/${USER2}`, { read: true, updateACL: false })
    expect((await send('GET', `${prefix}/?domain=${path}`)).status).toBe(200)
  })

  test('when the account of its user is disabled', async () => {
    const { path, want } = await closedDomain()
    const name = uniqueName()
    await send('PUT', `/users/${name}`, { password: 'first' }, { user: ADMIN })
    await want(201, 'PUT', `/acls/${name}`, { read: true, updateACL: true })
    const { prefix } = await newShare(path, {}, { headers: { authorization: basic(name, 'first') } })
    expect((await send('GET', `${prefix}/?domain=${path}`)).status).toBe(200)
    expect((await send('DELETE', `/users/${name}`, undefined, { user: ADMIN })).status).toBe(200)
    await expectGone(prefix, path)
  })

  test('when its domain is deleted', async () => {
    const { path } = await closedDomain()
    const { prefix } = await newShare(path)
    expect((await send('DELETE', `/?domain=${path}`, undefined, { user: USER1 })).status).toBe(200)
    expect((await send('GET', `${prefix}/ui`)).json()).toEqual(GONE)
    expect((await send('GET', `${prefix}/?domain=${path}`)).status).toBe(410)
  })

  test('a feed by it ends when it is revoked', async () => {
    const domain = await closedDomain()
    const { prefix, id } = await newShare(domain.path)
    const feed = await openEventStream(inject('address'), `${prefix}/events?domain=${domain.path}`, {})
    expect(feed.response.headers['cache-control']).toBe('no-store')
    expect((await feed.next())?.name).toBe('start')
    expect((await revoke(id)).status).toBe(200)
    const group = await domain.group()
    expect(await feed.rest()).not.toContain(group)
  })
})

describe('to make a share', () => {
  test('needs a user that may read it and change its list', async () => {
    const { path, want } = await closedDomain()
    const body = { domain: path, end: LATER }
    await expect(send('POST', '/shares', body)).resolves.toMatchObject({ status: 401 })
    const mayShare = async () => (await send('POST', '/shares', body, { user: USER2 })).status
    const item = { create: true, update: true, delete: true, readACL: true }
    await want(201, 'PUT', `/acls/${USER2}`, { ...item, read: true })
    expect(await mayShare()).toBe(403)
    await want(201, 'PUT', `/acls/${USER2}`, { ...item, read: false, updateACL: true })
    expect(await mayShare()).toBe(403)
    await want(201, 'PUT', `/acls/${USER2}`, { ...item, read: true, updateACL: true })
    expect(await mayShare()).toBe(201)
    const token = await send('POST', '/tokens', { name: 't', end: LATER, writes: true }, { user: USER1 })
    const authorization = `Bearer ${token.json<{ token: string }>().token}`
    const byToken = await send('POST', '/shares', body, { headers: { authorization } })
    expect(byToken.json()).toMatchObject({ status: 403, code: 'scope-exceeded' })
    const missing = await send('POST', '/shares', { ...body, domain: newPath() }, { user: USER1 })
    expect(missing.json()).toMatchObject({ status: 404, code: 'domain-not-found' })
  })

  test.each([
    [undefined, 'malformed-body', 'must have a JSON body'],
    [{ end: LATER }, 'malformed-body', 'body.domain must be a string'],
    [{ domain: 'physics', end: LATER }, 'malformed-domain', 'must start with "/"'],
    [{ domain: '/physics' }, 'malformed-body', 'body.end must be a string'],
    [{ domain: '/physics', end: '2020-01-01' }, 'malformed-body', 'later than now'],
    [{ domain: '/physics', end: LATER, note: 1 }, 'malformed-body', 'body.note must be a string'],
    [{ domain: '/physics', end: LATER, note: 'a\nb' }, 'malformed-body', 'without control characters'],
    [{ domain: '/physics', end: LATER, note: 'a'.repeat(501) }, 'malformed-body', 'at most 500 characters'],
    [{ domain: '/physics', end: LATER, view: 'a b' }, 'malformed-body', 'body.view must be the query'],
    [{ domain: '/physics', end: LATER, view: 'a#b' }, 'malformed-body', 'body.view must be the query'],
    [{ domain: '/physics', end: LATER, view: 'a\r\nSet-Cookie: x' }, 'malformed-body', 'body.view'],
    [{ domain: '/physics', end: LATER, view: 'a'.repeat(2001) }, 'malformed-body', 'at most 2000'],
    [{ domain: '/physics', end: LATER, writes: true }, 'malformed-body', 'writes'],
  ])('with the body %j is refused', async (body, code, text) => {
    const reply = await send('POST', '/shares', body, { user: USER1 })
    expect(reply.status, reply.story).toBe(400)
    expect(reply.json()).toMatchObject({ code, message: expect.stringContaining(text) })
  })
})

describe('a hostile address', () => {
  test('with a share in the wrong form or place leads nowhere', async () => {
    const { path } = await closedDomain()
    const [one, two] = [await newShare(path), await newShare(path)]
    const encoded = `/s/${[...one.secret].map(c => `%${c.charCodeAt(0).toString(16)}`).join('')}`
    for (const target of [
      `${one.prefix}${two.prefix}/?domain=${path}`,
      `${one.prefix}${one.prefix}/ui`,
      `//s/${one.secret}/?domain=${path}`,
      `/./s/${one.secret}/?domain=${path}`,
      `/S/${one.secret}/?domain=${path}`,
      `/%73/${one.secret}/?domain=${path}`,
      `/s%2F${one.secret}/?domain=${path}`,
      `${encoded}/?domain=${path}`,
      `${one.prefix}=/?domain=${path}`,
      `${one.prefix}x/?domain=${path}`,
      `${one.prefix.slice(0, -1)}/?domain=${path}`,
      `/s//${one.secret}/?domain=${path}`,
      `/s/${'a'.repeat(100_000)}/?domain=${path}`,
      `/s/${one.secret}%00/?domain=${path}`,
      `/s?domain=${path}`,
      '/s/',
      `/s/../?domain=${path}`,
      `${one.prefix}/../../?domain=${path}`,
      `${one.prefix}/..%2f..%2f?domain=${path}`,
    ]) {
      const reply = await send('GET', target, undefined, { undeclared: true })
      expect([400, 404], reply.story).toContain(reply.status)
      expect(reply.text).not.toContain(two.secret)
      if (!target.includes('aaaa')) expect(reply.text, target).not.toContain(one.secret)
    }
    const absolute = await sendTo(
      inject('address'),
      'GET',
      `${inject('address').replace(/\/$/, '')}${one.prefix}/?domain=${path}`,
      undefined,
      { undeclared: true },
    )
    expect([200, 400, 404]).toContain(absolute.status)
  })

  test('never gives more than the share, whatever follows it', async () => {
    const { path } = await closedDomain()
    const secretText = uniqueName()
    const hidden = await newDomain()
    await hidden.want(201, 'PUT', `/groups/${hidden.root}/attributes/a`, {
      type: { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length: 40 },
      value: secretText,
    })
    const { prefix } = await newShare(path)
    const segment = fc.constantFrom(
      ...[
        '',
        '.',
        '..',
        '%2e%2e',
        's',
        prefix.slice(1),
        'h5',
        'zarr',
        'v3',
        'v2',
        'refs',
        'groups',
        'datasets',
      ],
      ...[
        'acls',
        'users',
        'shares',
        hidden.root,
        path.slice(1),
        hidden.path.slice(1),
        'zarr.json',
        '.zmetadata',
      ],
      ...['attributes', 'a', 'value', '%00', '%', 'ui', 'login', 'domains', '~', 'links'],
    )
    const target = fc
      .tuple(
        fc.array(segment, { maxLength: 5 }),
        fc.constantFrom(
          '',
          `?domain=${path}`,
          `?domain=${hidden.path}`,
          `?host=${hostOf(hidden.path)}`,
          '?domain=/',
        ),
      )
      .map(([segments, query]) => `${prefix}/${segments.join('/')}${query}`)
    const method = fc.constantFrom<Method>('GET', 'GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD')
    const header = fc.constantFrom(
      {},
      { 'x-hdf-domain': hidden.path },
      { 'x-forwarded-host': hostOf(hidden.path) },
      { host: hidden.path },
    )
    await fc.assert(
      fc.asyncProperty(method, target, header, async (method, target, headers) => {
        const reply = await send(method, target, undefined, { headers, undeclared: true, alone: true })
        expect(reply.status, reply.story).toBeLessThan(500)
        expect(reply.text, target).not.toContain(secretText)
        if (method !== 'OPTIONS' && method !== 'HEAD' && reply.status < 300)
          expect(reply.text.includes(hidden.root), reply.story).toBe(false)
        expect(reply.headers['referrer-policy']).toBe('no-referrer')
      }),
      { numRuns: 300 },
    )
    expect((await hidden.want<{ groups: [] }>(200, 'GET', '/groups')).groups).toEqual([])
  })
})
