// The dialect of a request (common 1), and one namespace and one id for both (common 3 and 4).

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { BASE_DOMAIN, type Options, ownHost, send, USER1, uniqueName } from '../client.ts'
import {
  classicId,
  expectRefusal,
  HOME,
  JSON_TYPE,
  makeHome,
  newDomain,
  newPath,
  removeDomain,
} from './domain.ts'

const ID = /^[gdt]-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{6}-[0-9a-f]{6}$/

beforeAll(makeHome)

/** A domain with a name that can be written in both spellings, without asking the server. */
async function bilingual() {
  const label = uniqueName()
  const domain = await newDomain(`${HOME}/${label}`)
  return { domain, host: `${label}.test_user1.home.${BASE_DOMAIN}` }
}

describe('common 1: the dialect of a request', () => {
  const signs: [
    string,
    'hsds' | 'classic',
    (at: { path: string; host: string; root: string }) => [string, Options],
  ][] = [
    ['?domain= that starts with /', 'hsds', ({ path }) => [`/?domain=${path}`, {}]],
    ['?domain= that starts with hdf5:/', 'hsds', ({ path }) => [`/?domain=hdf5:/${path}`, {}]],
    ['header X-Hdf-domain', 'hsds', ({ path }) => ['/', { headers: { 'x-hdf-domain': path } }]],
    [
      'header X-Hdf-domain beside a DNS Host',
      'hsds',
      ({ path, host }) => ['/', { headers: { 'x-hdf-domain': path, host } }],
    ],
    ['?host=', 'classic', ({ host }) => [`/?host=${host}`, {}]],
    ['?domain= without slash', 'classic', ({ host }) => [`/?domain=${host}`, {}]],
    [
      'X-Forwarded-Host',
      'classic',
      ({ host }) => ['/', { headers: { 'x-forwarded-host': host, host: ownHost() } }],
    ],
    ['Host', 'classic', ({ host }) => ['/', { headers: { host } }]],
  ]
  test.each(signs)('%s: %s', async (_title, dialect, request) => {
    const { domain, host } = await bilingual()
    const [target, options] = request({ path: domain.path, host, root: domain.root })
    const reply = await send('GET', target, undefined, { user: USER1, ...options })
    expect(reply.status, reply.story).toBe(200)
    expect(reply.headers['content-type']).toBe(dialect === 'hsds' ? JSON_TYPE : 'application/json')
    expect(reply.json().root).toBe(dialect === 'hsds' ? domain.root : classicId(domain.root))
    expect(typeof reply.json().created).toBe(dialect === 'hsds' ? 'number' : 'string')
  })

  test('an id with a prefix in the path: hsds, so a domain is needed', async () => {
    const { domain, host } = await bilingual()
    const headers = { 'x-hdf-domain': domain.path, host }
    const reply = await send('GET', `/groups/${domain.root}`, undefined, { user: USER1, headers })
    expect(reply.json().id).toBe(domain.root)
    const without = await send('GET', `/groups/${domain.root}`, undefined, { headers: { host: ownHost() } })
    expectRefusal(without, 400)
  })

  test('messages tell of the other dialect: its ids, its names of domains', async () => {
    const { path, root } = await newDomain()
    const message = async (target: string, host?: string) => {
      const headers = host === undefined ? {} : { host }
      const reply = await send('GET', target, undefined, { user: USER1, headers })
      expect([400, 404], reply.story).toContain(reply.status)
      return reply.json().message
    }
    expect(await message('/?domain=run7')).toContain('/run7 in the hsds dialect')
    expect(await message(`/?domain=${path.slice(1)}`)).toContain('no bucket "home"')
    expect(await message(`/groups/${classicId(root)}?domain=${path}`)).toContain('this one is classic')
    expect(await message(`/groups/${root}`, `x.${BASE_DOMAIN}`)).toContain('by ?domain=/path')
  })

  test('X-Hdf-bucket: hsds', async () => {
    const { domain } = await bilingual()
    const headers = { 'x-hdf-bucket': 'bad/bucket' }
    expectRefusal(await send('GET', `/?domain=${domain.path}`, undefined, { user: USER1, headers }), 400)
  })

  test('a header X-Hdf-domain that does not start with / is 400', async () => {
    for (const name of ['bad_domain.h5', 'user.home', 'home/test_user1/x']) {
      const headers = { 'x-hdf-domain': name }
      const reply = await send('GET', '/', undefined, { user: USER1, headers })
      expectRefusal(reply, 400)
    }
  })

  test('?host= that starts with / is 400', async () => {
    expect((await send('GET', '/?host=/home/test_user1')).status).toBe(400)
  })

  test('a query domain wins over the header (hsds-objects 1.1)', async () => {
    const { domain } = await bilingual()
    const headers = { 'x-hdf-domain': newPath() }
    const reply = await send('GET', `/?domain=${domain.path}`, undefined, { user: USER1, headers })
    expect(reply.json().root).toBe(domain.root)
  })

  test('X-Hdf-domain is raw UTF-8 (hsds-objects 1.1)', async () => {
    const domain = await newDomain(`${HOME}/${uniqueName()}-数据ü`)
    const headers = { 'x-hdf-domain': Buffer.from(domain.path).toString('latin1') }
    const reply = await send('GET', '/', undefined, { user: USER1, headers })
    expect(reply.json().root, reply.story).toBe(domain.root)
  })
})

describe('common 3 and 4: one namespace, one id', () => {
  test('a domain and its objects made in hsds are there in classic, the digits regrouped', async () => {
    const { domain, host } = await bilingual()
    const group = await domain.group('g')
    const type = await domain.datatype({ type: 'H5T_STD_I32LE' })
    const dataset = await domain.dataset({
      type: 'H5T_STD_I32LE',
      shape: [3],
      link: { id: group, name: 'd' },
    })
    await domain.want(200, 'PUT', `/datasets/${dataset}/value`, { value: [1, 2, 3] })
    await domain.want(201, 'PUT', `/groups/${group}/attributes/a`, { type: 'H5T_STD_I32LE', value: 5 })
    const get = async (path: string) => {
      const reply = await send('GET', path, undefined, { user: USER1, headers: { host } })
      expect(reply.status, reply.story).toBe(200)
      return reply.json()
    }
    expect((await get('/')).root).toBe(classicId(domain.root))
    expect((await get('/groups')).groups).toEqual([classicId(group)])
    expect((await get('/datatypes')).datatypes).toEqual([classicId(type)])
    expect((await get(`/groups/${classicId(group)}/links/d`)).link).toMatchObject({ id: classicId(dataset) })
    expect((await get(`/datasets/${classicId(dataset)}/value`)).value).toEqual([1, 2, 3])
    expect((await get(`/groups/${classicId(group)}/attributes/a`)).value).toBe(5)
  })

  test('a domain and its objects made in classic are there in hsds', async () => {
    const label = uniqueName()
    const host = `${label}.test_user1.home.${BASE_DOMAIN}`
    const path = `${HOME}/${label}`
    const options = { user: USER1, headers: { host } }
    const made = await send('PUT', '/', undefined, options)
    expect(made.status, made.story).toBe(201)
    onTestFinished(() => removeDomain(path))
    const link = { id: made.json().root, name: 'g' }
    const group = (await send('POST', '/groups', { link }, options)).json().id
    const get = async (target: string) => {
      const reply = await send('GET', target, undefined, { user: USER1, headers: { 'x-hdf-domain': path } })
      expect(reply.status, reply.story).toBe(200)
      return reply.json<{ root: string; link: { id: string } }>()
    }
    const { root } = await get('/')
    expect(root).toMatch(ID)
    expect(classicId(root)).toBe(made.json().root)
    const { link: found } = await get(`/groups/${root}/links/g`)
    expect(found.id).toMatch(ID)
    expect(classicId(found.id)).toBe(group)
  })

  test('a dot of a file name is %2E in the DNS spelling', async () => {
    const label = uniqueName()
    const domain = await newDomain(`${HOME}/${label}.v1.h5`)
    const host = `${label}%2Ev1%2Eh5.test_user1.home.${BASE_DOMAIN}`
    const reply = await send('GET', '/', undefined, { user: USER1, headers: { host } })
    expect(reply.json().root, reply.story).toBe(classicId(domain.root))
  })

  test('a domain deleted in one dialect is gone in the other: 410 in hsds, 404 in classic', async () => {
    const { domain, host } = await bilingual()
    const gone = await send('DELETE', '/', undefined, { user: USER1, headers: { host } })
    expect(gone.status, gone.story).toBe(200)
    await domain.refuse(410, 'GET', '/')
    expect((await send('GET', '/', undefined, { user: USER1, headers: { host } })).status).toBe(404)
  })

  test('the root group follows from any id of the domain (hsds-objects 5.1)', async () => {
    const { domain } = await bilingual()
    const digitsOf = (id: string) => id.slice(2).replaceAll('-', '')
    const flipped = (digits: string) =>
      [...digits].map(digit => ((Number.parseInt(digit, 16) + 8) % 16).toString(16)).join('')
    const root = digitsOf(domain.root)
    expect(root.slice(16)).toBe(flipped(root.slice(0, 16)))
    for (const id of [
      await domain.group(),
      await domain.dataset({ type: 'H5T_STD_I8LE' }),
      await domain.datatype({ type: 'H5T_STD_I8LE' }),
    ]) {
      expect(id).toMatch(ID)
      expect(id).toHaveLength(38)
      expect(digitsOf(id).slice(0, 16)).toBe(root.slice(0, 16))
      expect(digitsOf(id).slice(16)).not.toBe(root.slice(16))
    }
  })
})
