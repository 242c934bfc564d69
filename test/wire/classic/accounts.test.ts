// Authentication and access control lists in the classic dialect (classic 10, 13.1 and 10.4),
// and times (classic 3.6).

import { dirname } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { ADMIN, basic, USER1, USER2, uniqueName } from '../client.ts'
import { runCommand } from '../server.ts'
import { type Domain, hrefTable, newDomain } from './domain.ts'

const NONE = { create: false, read: false, update: false, delete: false, readACL: false, updateACL: false }

describe('classic 13.1: Authorization', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  /** The root group grants nothing to anonymous callers, everything to test_user1. */
  async function closed() {
    const domain = await newDomain()
    const all = Object.fromEntries(Object.keys(NONE).map(flag => [flag, true]))
    await domain.want(201, 'PUT', `/acls/${USER1}`, all)
    await domain.want(201, 'PUT', '/acls/default', NONE)
    return domain
  }
  test.each<[string, string, number]>([
    ['classic 13.1a: valid', basic(USER1), 200],
    ['classic 13.1a: the scheme name in lower case', basic(USER1).replace('Basic', 'basic'), 200],
    ['the scheme name in upper case', basic(USER1).replace('Basic', 'BASIC'), 200],
    ['another scheme: anonymous', 'Bearer abc', 401],
    ['Basic without data: anonymous', 'Basic', 401],
    ['Basic with blanks only: anonymous', 'Basic ', 401],
    ['empty user: anonymous', `Basic ${encode(':test')}`, 401],
    ['empty password: anonymous', `Basic ${encode('test_user1:')}`, 401],
    ['classic 13.1b: not valid Base64', 'Basic xxx123', 400],
    ['classic 13.1b: wrong padding', `Basic ${encode('test_user1:test').replace(/=*$/, '')}=`, 400],
    ['other characters', 'Basic ####', 400],
    ['no colon', `Basic ${encode('test_user1')}`, 400],
    ['classic 13.1c: wrong password', basic(USER1, 'wrong'), 401],
    ['the password of another user', basic(USER1, 'admin'), 401],
    ['classic 13.1c: unknown user', basic('nosuchuser', 'test'), 401],
  ])('%s: %s', async (_title, authorization, status) => {
    const domain = await closed()
    const headers = { authorization }
    if (status === 200) await domain.want(200, 'GET', '/', undefined, { headers })
    else await domain.refuse(status, 'GET', '/', undefined, { headers })
  })

  test('classic 13.1b, 13.1c: bad credentials are refused on public domains too, whatever is asked', async () => {
    const domain = await newDomain()
    for (const [authorization, status] of [
      ['Basic xxx123', 400],
      [basic(USER1, 'wrong'), 401],
    ] as const) {
      const headers = { authorization }
      for (const path of ['/', '/groups', `/groups/${domain.root}`, '/acls']) {
        await domain.refuse(status, 'GET', path, undefined, { headers })
      }
      await domain.refuse(status, 'POST', '/groups', undefined, { headers })
    }
  })

  const folder = inject('dataFolder')
  test.skipIf(folder === undefined)(
    'classic 13.1d: an account that is added while the service runs can be used at once',
    async () => {
      const domain = await newDomain()
      const user = uniqueName()
      const headers = { authorization: basic(user, 'secret') }
      await domain.refuse(401, 'GET', '/', undefined, { headers })
      await domain.refuse(404, 'GET', `/acls/${user}`)
      await runCommand(dirname(folder ?? ''), ['user', 'add', user], 'secret\n')
      await domain.want(200, 'GET', '/', undefined, { headers })
      await domain.want(200, 'GET', `/acls/${user}`)
    },
  )

  test('classic 13.2b: anonymous callers do everything on a new domain', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    await domain.want(201, 'PUT', `/groups/${group}/acls/${USER1}`, { read: true })
    await domain.want(200, 'DELETE', `/groups/${group}`)
  })

  test('classic 13.2c: once default has no flags, the next anonymous PUT of it is 401', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', '/acls/default', NONE)
    await domain.refuse(401, 'PUT', '/acls/default', { read: true })
  })
})

const OBJECTS: [string, (domain: Domain) => Promise<string>][] = [
  ['the root group by /acls', async () => ''],
  ['the root group', async domain => `/groups/${domain.root}`],
  ['a group', async domain => `/groups/${await domain.group()}`],
  ['a dataset', async domain => `/datasets/${await domain.dataset({ type: 'H5T_STD_I8LE' })}`],
  ['a committed datatype', async domain => `/datatypes/${await domain.datatype({ type: 'H5T_STD_I8LE' })}`],
]

describe.each(OBJECTS)('classic 10: the list of %s', (_title, make) => {
  async function target() {
    const domain = await newDomain()
    const path = await make(domain)
    return { domain, path, object: path === '' ? `/groups/${domain.root}` : path }
  }

  test('classic 10.1a, 10.1b: no items at first, then in order of first definition; hrefs self, root, home, owner', async () => {
    const { domain, path, object } = await target()
    const root = `${domain.base}/groups/${domain.root}`
    const empty = await domain.want(200, 'GET', `${path}/acls`)
    expect(empty.acls).toEqual([])
    expect(hrefTable(empty)).toMatchObject({
      root,
      home: `${domain.base}/`,
      owner: `${domain.base}${object}`,
    })
    expect([`${domain.base}${object}/acls`, `${domain.base}/acls`]).toContain(hrefTable(empty).self)
    await domain.want(201, 'PUT', `${path}/acls/${USER2}`, { read: true })
    await domain.want(201, 'PUT', `${path}/acls/default`, {
      ...NONE,
      read: true,
      readACL: true,
      updateACL: true,
    })
    await domain.want(201, 'PUT', `${path}/acls/${USER1}`, { update: true })
    await domain.want(201, 'PUT', `${path}/acls/${USER2}`, { create: true })
    expect((await domain.want(200, 'GET', `${path}/acls`)).acls).toEqual([
      { ...NONE, userName: USER2, read: true, create: true },
      { ...NONE, userName: 'default', read: true, readACL: true, updateACL: true },
      { ...NONE, userName: USER1, update: true },
    ])
  })

  test('10.2: one item; hrefs self, root, home, owner', async () => {
    const { domain, path, object } = await target()
    await domain.want(201, 'PUT', `${path}/acls/${USER1}`, { delete: true })
    const body = await domain.want(200, 'GET', `${path}/acls/${USER1}`)
    expect(body.acl).toEqual({ ...NONE, userName: USER1, delete: true })
    expect(hrefTable(body)).toMatchObject({
      root: `${domain.base}/groups/${domain.root}`,
      owner: `${domain.base}${object}`,
    })
    expect(hrefTable(body).self).toMatch(/\/acls\/test_user1$/)
  })

  test('classic 10.3a: flags not given are false in a new item and stay in an old one', async () => {
    const { domain, path } = await target()
    const put = await domain.want(201, 'PUT', `${path}/acls/${USER1}`, { read: true })
    expect(Object.keys(hrefTable(put)).sort()).toEqual(['home', 'owner', 'root', 'self'])
    await domain.want(201, 'PUT', `${path}/acls/${USER1}`, { update: true, read: true })
    await domain.want(201, 'PUT', `${path}/acls/${USER1}`, { read: false })
    expect((await domain.want(200, 'GET', `${path}/acls/${USER1}`)).acl).toEqual({
      ...NONE,
      userName: USER1,
      update: true,
    })
  })

  test('classic 10.5a: a removed item leaves the user what groups and default have', async () => {
    const { domain, path } = await target()
    await domain.want(201, 'PUT', `${path}/acls/default`, { read: true, readACL: true, updateACL: true })
    await domain.want(201, 'PUT', `${path}/acls/${USER2}`, { updateACL: true })
    await domain.refuse(403, 'GET', path === '' ? '/groups' : path, undefined, { user: USER2 })
    const removed = await domain.want(200, 'DELETE', `${path}/acls/${USER2}`)
    expect(Object.keys(hrefTable(removed)).sort()).toEqual(['home', 'owner', 'root', 'self'])
    await domain.want(200, 'GET', path === '' ? '/groups' : path, undefined, { user: USER2 })
    const { acls } = await domain.want<{ acls: { userName: string }[] }>(200, 'GET', `${path}/acls`)
    expect(acls.map(({ userName }) => userName)).toEqual(['default'])
    // No item, also of a name that the service does not know.
    await domain.refuse(404, 'DELETE', `${path}/acls/${USER2}`)
    await domain.refuse(404, 'DELETE', `${path}/acls/nosuchuser`)
  })

  test('10.3: unknown user, no known flag, malformed JSON, no body are 400 and change nothing', async () => {
    const { domain, path } = await target()
    await domain.refuse(400, 'PUT', `${path}/acls/nosuchuser`, { read: true })
    for (const body of [{}, { nosuch: true }, { read: true, updat: true }, '{"read":', undefined, []]) {
      await domain.refuse(400, 'PUT', `${path}/acls/${USER1}`, body)
    }
    await domain.refuse(400, 'PUT', `${path}/acls/`, { read: true })
    await domain.refuse(400, 'PUT', `${path}/acls/Default`, { read: true })
    expect((await domain.want(200, 'GET', `${path}/acls`)).acls).toEqual([])
  })

  test('classic 10.4: PUT of several items is one request, items of others stay', async () => {
    const { domain, path } = await target()
    await domain.want(201, 'PUT', `${path}/acls/${USER1}`, { read: true, update: true })
    await domain.want(200, 'PUT', `${path}/acls`, {
      acls: [
        { userName: USER2, delete: true },
        { username: 'default', read: true, readACL: true, updateACL: true },
      ],
    })
    expect((await domain.want(200, 'GET', `${path}/acls`)).acls).toEqual([
      { ...NONE, userName: USER1, read: true, update: true },
      { ...NONE, userName: USER2, delete: true },
      { ...NONE, userName: 'default', read: true, readACL: true, updateACL: true },
    ])
  })

  test('classic 10.4: one bad item and nothing is changed', async () => {
    const { domain, path } = await target()
    for (const body of [
      {
        acls: [
          { userName: USER1, read: true },
          { userName: 'nosuchuser', read: true },
        ],
      },
      { acls: [{ userName: USER1, read: true }, { read: true }] },
      { acls: [{ userName: USER1, read: true }, 'x'] },
      { acls: [{ userName: USER1, read: true, updat: true }] },
      { acls: { userName: USER1 } },
      {},
      '[',
    ]) {
      await domain.refuse(400, 'PUT', `${path}/acls`, body)
    }
    expect((await domain.want(200, 'GET', `${path}/acls`)).acls).toEqual([])
  })
})

describe('classic 10.2: the effective item', () => {
  test('a user without an item there gets the item that decides, under its name', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    const itemOf = async (user: string) =>
      (await domain.want(200, 'GET', `/groups/${group}/acls/${user}`, undefined, { user: ADMIN })).acl
    const put = (path: string, item: object) => domain.want(201, 'PUT', path, item, { user: ADMIN })
    expect(await itemOf(USER1)).toEqual({
      userName: 'default',
      create: true,
      read: true,
      update: true,
      delete: true,
      readACL: true,
      updateACL: true,
    })
    await put('/acls/default', { readACL: true })
    expect(await itemOf(USER1)).toEqual({ ...NONE, userName: 'default', readACL: true })
    await put(`/groups/${group}/acls/default`, { read: true })
    expect(await itemOf(USER1)).toEqual({ ...NONE, userName: 'default', read: true })
    await put(`/acls/${USER1}`, { update: true })
    expect(await itemOf(USER1)).toEqual({ ...NONE, userName: USER1, update: true })
    await put(`/groups/${group}/acls/${USER1}`, { delete: true })
    expect(await itemOf(USER1)).toEqual({ ...NONE, userName: USER1, delete: true })
  })

  test('a user name that the service does not know is 404', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'GET', '/acls/nosuchuser')
  })

  test('classic 13.2f: a list on one object makes no items elsewhere; unknown objects are 404', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    await domain.want(201, 'PUT', '/acls/default', { read: true, readACL: true })
    expect((await domain.want(200, 'GET', `/groups/${group}/acls`)).acls).toEqual([])
    await domain.refuse(404, 'GET', '/groups/0c1d4a5e-aaaa-11e4-8000-0242ac110002/acls')
  })
})

describe('classic 3.6: times', () => {
  test('created of a link and of an attribute are their own', async () => {
    const domain = await newDomain()
    const now = Date.now()
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/l`, { h5path: '/x' })
    await domain.want(201, 'PUT', `/groups/${domain.root}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 })
    for (const path of ['links/l', 'attributes/a']) {
      const { created, lastModified } = await domain.want(200, 'GET', `/groups/${domain.root}/${path}`)
      expect(created).toBe(lastModified)
      expect(Math.abs(Date.parse(`${created}`) - now)).toBeLessThan(60_000)
    }
  })
})
