// Service information, domains, folders and their permissions in the hsds dialect (hsds-objects 1.1, 1.8, 3, 4, 6, 8.1,
// 8.3 and 8.4 as far as single operations go).

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ADMIN, basic, send, USER1, USER2, uniqueName } from '../client.ts'
import {
  expectRefusal,
  HOME,
  JSON_TYPE,
  makeHome,
  newDomain,
  newPath,
  relsOf,
  removeDomain,
} from './domain.ts'

const ALL = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }
const ANONYMOUS = { user: undefined }

beforeAll(makeHome)

describe('hsds-objects 6: service information', () => {
  test('GET /about', async () => {
    const reply = await send('GET', '/about')
    expect(reply.status, reply.story).toBe(200)
    expect(reply.headers['content-type']).toMatch(/^application\/json/)
    const about = reply.json<{ start_time: number; node_count: number }>()
    expect(about).toMatchObject({
      state: 'READY',
      name: expect.any(String),
      greeting: expect.any(String),
      about: expect.any(String),
      hsds_version: expect.stringMatching(/^(0\.9|1\.\d+)\.\d+$/),
      username: 'anonymous',
      isadmin: false,
    })
    expect(Number.isInteger(about.start_time)).toBe(true)
    expect(about.node_count).toBeGreaterThan(0)
    expect(about).not.toHaveProperty('statusCode')
  })

  test('GET /about verifies credentials and names the caller', async () => {
    const about = async (user: string) => (await send('GET', '/about', undefined, { user })).json()
    expect(await about(USER1)).toMatchObject({ username: USER1, isadmin: false })
    expect(await about(ADMIN)).toMatchObject({ username: ADMIN, isadmin: true })
    const headers = { authorization: basic(USER1, 'wrong') }
    expect((await send('GET', '/about', undefined, { headers })).status).toBe(401)
  })

  test('GET /info', async () => {
    const { node } = (await send('GET', '/info')).json<{ node: object }>()
    expect(node).toMatchObject({
      id: expect.stringMatching(/^sn-/),
      type: 'sn',
      state: 'READY',
      node_count: expect.any(Number),
    })
    expect(node).not.toHaveProperty('node_number')
  })
})

describe('hsds-objects 8.1: GET /', () => {
  test('a domain: its fields, and seven hrefs', async () => {
    const domain = await newDomain()
    const body = await domain.want(200, 'GET', '/')
    expect(body).toMatchObject({
      root: domain.root,
      class: 'domain',
      owner: USER1,
      created: expect.any(Number),
      lastModified: expect.any(Number),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      limits: {
        min_chunk_size: expect.any(Number),
        max_chunk_size: expect.any(Number),
        max_request_size: expect.any(Number),
      },
    })
    expect(body.compressors).toBeInstanceOf(Array)
    expect(body).not.toHaveProperty('acls')
    expect(body).not.toHaveProperty('num_groups')
    expect(body).not.toHaveProperty('domain_objs')
    expect(relsOf(body)).toEqual(['self', 'database', 'groupbase', 'typebase', 'root', 'acls', 'parent'])
  })

  test('1.8: times are numbers of seconds, created <= lastModified', async () => {
    const domain = await newDomain()
    const { created, lastModified } = await domain.want<{ created: number; lastModified: number }>(
      200,
      'GET',
      '/',
    )
    expect(created).toBeLessThanOrEqual(lastModified)
    expect(Math.abs(created - Date.now() / 1000)).toBeLessThan(60)
  })

  test('a folder: class folder, owner, no root, four hrefs', async () => {
    const reply = await send('GET', `/?domain=${HOME}`, undefined, { user: USER1 })
    expect(reply.status, reply.story).toBe(200)
    const body = reply.json()
    expect(body).toMatchObject({ class: 'folder', owner: USER1, created: expect.any(Number) })
    expect(body).not.toHaveProperty('root')
    expect(relsOf(body)).toEqual(['self', 'domains', 'acls', 'parent'])
  })

  test('no domain: the list of top-level domains', async () => {
    const reply = await send('GET', '/')
    expect(reply.status, reply.story).toBe(200)
    const { domains } = reply.json<{ domains: { name: string; class: string }[] }>()
    expect(domains.find(item => item.name === '/home')).toMatchObject({ class: 'folder' })
  })

  test.each(['/home/', '/home/test_user1/', '/home//x', '/home/../x'])(
    'a bad domain: %s is 400',
    async name => {
      expect((await send('GET', `/?domain=${name}`, undefined, { user: USER1 })).status).toBe(400)
    },
  )

  // The classic dialect names it `a.<base domain>` (common 3).
  test('a name of one letter is a name', async () => {
    expectRefusal(await send('GET', '/?domain=/a', undefined, { user: USER1 }), 404)
  })

  test('unknown is 404', async () => {
    expectRefusal(await send('GET', `/?domain=${newPath()}`, undefined, { user: USER1 }), 404)
  })
})

describe('hsds-objects 1.1 and 1.3: how a domain is named', () => {
  test.each([
    ['?domain=<path>', {}],
    ['?domain=hdf5:/<path>', {}],
    ['?domain=<encoded>', {}],
    ['?domain=<path>&domain=/home', {}],
    ['?domain=<path>', { 'x-hdf-domain': '/home' }],
    ['?domain=', { 'x-hdf-domain': '<path>' }],
    ['', { 'x-hdf-domain': '<path>' }],
    ['', { 'x-hdf-domain': 'hdf5:/<path>' }],
    ['?domain=<path>&api_key=x&CreateOrder=1&foo=bar&Domain=/home', {}],
  ])('%s %j', async (query, headers) => {
    const domain = await newDomain(`${HOME}/${uniqueName()} +&=%ü.h5`)
    const encoded = encodeURIComponent(domain.path)
    const target = query.replace('<encoded>', encoded).replace('<path>', encoded.replaceAll('%2F', '/'))
    const sent = Object.entries(headers).map(([name, value]) => [
      name,
      // UTF-8, as Node sends it.
      Buffer.from(value.replace('<path>', domain.path)).toString('latin1'),
    ])
    // One of the queries has unknown parameters.
    const options = { user: USER1, headers: Object.fromEntries(sent), undeclared: query.includes('foo') }
    const reply = await send('GET', `/${target}`, undefined, options)
    expect(reply.json().root, reply.story).toBe(domain.root)
  })

  test('upper and lower case differ', async () => {
    const { path } = await newDomain()
    const other = path.replace(HOME, HOME.toUpperCase())
    expectRefusal(await send('GET', `/?domain=${other}`, undefined, { user: USER1 }), 404)
  })

  test.each([
    'bad_domain.h5',
    'user.home',
    'home/test_user1/x.h5',
    '/',
    'hdf5://',
    '/home/',
    '//home',
    '/a//b',
    '/a/../b',
  ])('the header %s names no domain: 400', async name => {
    const headers = { 'x-hdf-domain': name }
    for (const [method, target] of [
      ['PUT', '/'],
      ['GET', '/groups'],
    ] as const) {
      expectRefusal(await send(method, target, undefined, { user: USER1, headers }), 400)
    }
  })
})

describe('hsds-objects 8.3: PUT /', () => {
  test('201 with root, owner, acls as a map, times, limits, version', async () => {
    const path = newPath()
    onTestFinished(() => removeDomain(path))
    const reply = await send('PUT', `/?domain=${path}`, undefined, { user: USER1 })
    expect(reply.status, reply.story).toBe(201)
    expect(reply.headers['content-type']).toBe(JSON_TYPE)
    expect(reply.json()).toMatchObject({
      root: expect.stringMatching(/^g-.{36}$/),
      owner: USER1,
      acls: { [USER1]: ALL },
      created: expect.any(Number),
      lastModified: expect.any(Number),
      limits: expect.any(Object),
      version: expect.any(String),
    })
  })

  test('by the header X-Hdf-domain', async () => {
    const path = newPath()
    onTestFinished(() => removeDomain(path))
    const options = { user: USER1, headers: { 'x-hdf-domain': path } }
    const { root } = (await send('PUT', '/', {}, options)).json()
    expect((await send('GET', `/?domain=${path}`, undefined, { user: USER1 })).json().root).toBe(root)
    expect((await send('DELETE', '/', undefined, options)).status).toBe(200)
  })

  test('a folder: no root; its children are domains', async () => {
    const folder = `${HOME}/${uniqueName()}`
    onTestFinished(() => removeDomain(folder))
    const reply = await send('PUT', `/?domain=${folder}`, { folder: true }, { user: USER1 })
    expect(reply.status, reply.story).toBe(201)
    expect(reply.json()).not.toHaveProperty('root')
    const path = newPath(folder)
    onTestFinished(() => removeDomain(path))
    expect((await send('PUT', `/?domain=${path}`, undefined, { user: USER1 })).status).toBe(201)
    expectRefusal(await send('DELETE', `/?domain=${folder}`, undefined, { user: USER1 }), 409)
  })

  test('exists: 409; a missing parent: 404; a domain as parent: 400; a bad name: 400', async () => {
    const domain = await newDomain()
    const put = (path: string) => send('PUT', `/?domain=${path}`, undefined, { user: USER1 })
    expectRefusal(await put(domain.path), 409)
    expectRefusal(await put(`${HOME}/${uniqueName()}/x`), 404)
    expectRefusal(await put(`${domain.path}/x`), 400)
    expectRefusal(await put('/home/'), 400)
  })

  test.each([
    { folder: 'true' },
    { folder: 2 },
    { flush: '1' },
    { rescan: [] },
    { getdnids: {} },
    { group: 'x' },
    { owner: '' },
    { owner: 'default' },
    { owner: 'g:staff' },
    { owner: 'a\0' },
    { group: [] },
  ])('400: %j', async body => {
    const path = newPath()
    expectRefusal(await send('PUT', `/?domain=${path}`, body, { user: USER1 }), 400)
    expectRefusal(await send('GET', `/?domain=${path}`, undefined, { user: USER1 }), 404)
  })

  test('permissions: 401 without credentials, 403 without create on the folder or at the top level', async () => {
    expectRefusal(await send('PUT', `/?domain=${newPath()}`), 401)
    expectRefusal(await send('PUT', `/?domain=${newPath()}`, undefined, { user: USER2 }), 403)
    expectRefusal(await send('PUT', `/?domain=/${uniqueName()}`, { folder: true }, { user: USER1 }), 403)
    expectRefusal(await send('PUT', `/?domain=${newPath()}`, { owner: USER2 }, { user: USER1 }), 403)
  })

  test('an administrator may set the owner', async () => {
    const path = newPath()
    onTestFinished(() => removeDomain(path))
    const reply = await send('PUT', `/?domain=${path}`, { owner: USER2 }, { user: ADMIN })
    expect(reply.status, reply.story).toBe(201)
    expect(reply.json()).toMatchObject({ owner: USER2, acls: { [USER2]: ALL } })
  })
})

describe('hsds-objects 8.4: DELETE /', () => {
  test('200; afterwards the domain and its objects are 410; a new domain of that name has a new root', async () => {
    const domain = await newDomain()
    const group = await domain.group()
    const reply = await domain.send('DELETE', '/')
    expect(reply.status, reply.story).toBe(200)
    await domain.refuse(410, 'GET', '/')
    await domain.refuse(410, 'DELETE', '/')
    await domain.refuse(410, 'GET', `/groups/${group}`)
    const again = await newDomain(domain.path)
    expect(again.root).not.toBe(domain.root)
  })

  test('unknown: 404; permissions: 401, 403', async () => {
    expectRefusal(await send('DELETE', `/?domain=${newPath()}`, undefined, { user: USER1 }), 404)
    const domain = await newDomain()
    await domain.refuse(401, 'DELETE', '/', undefined, ANONYMOUS)
    await domain.refuse(403, 'DELETE', '/', undefined, { user: USER2 })
    await domain.want(200, 'GET', '/')
  })

  test('400 for an option that is neither true nor false', async () => {
    const domain = await newDomain()
    await domain.refuse(400, 'DELETE', '/', { keep_root: 'no' })
    await domain.refuse(400, 'DELETE', '/', { meta_only: 'yes' })
    await domain.want(200, 'GET', '/')
  })

  test('an empty folder can be deleted', async () => {
    const folder = `${HOME}/${uniqueName()}`
    await send('PUT', `/?domain=${folder}`, { folder: true }, { user: USER1 })
    expect((await send('DELETE', `/?domain=${folder}`, undefined, { user: USER1 })).status).toBe(200)
  })
})

describe('hsds-objects 3 and 4: permissions', () => {
  test('a new domain is private: others and anonymous readers get 403, anonymous writers 401', async () => {
    const domain = await newDomain()
    const group = await domain.group()
    for (const path of ['/', '/groups', `/groups/${group}`, `/groups/${group}/links`]) {
      await domain.refuse(403, 'GET', path, undefined, { user: USER2 })
      await domain.refuse(403, 'GET', path, undefined, ANONYMOUS)
      await domain.want(200, 'GET', path, undefined, { user: ADMIN })
    }
    await domain.refuse(401, 'POST', '/groups', {}, ANONYMOUS)
    await domain.refuse(403, 'POST', '/groups', {}, { user: USER2 })
    await domain.refuse(401, 'DELETE', `/groups/${group}`, undefined, ANONYMOUS)
  })

  test('bad credentials: 401 for a wrong password, 400 for a malformed header', async () => {
    const domain = await newDomain()
    const as = (authorization: string) => ({ user: undefined, headers: { authorization } })
    await domain.refuse(401, 'GET', '/', undefined, as(basic(USER1, 'wrong')))
    await domain.refuse(401, 'GET', '/', undefined, as(basic('nosuchuser', 'x')))
    for (const header of ['Basic ###', `Basic ${Buffer.from('nocolon').toString('base64')}`]) {
      await domain.refuse(400, 'GET', '/', undefined, as(header))
    }
  })
})
