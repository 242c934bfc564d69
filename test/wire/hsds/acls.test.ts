// Access control lists of domains and what each caller sees of them (hsds-objects 9 and 3.1).

import { beforeAll, describe, expect, test } from 'vitest'
import { send, USER1, USER2 } from '../client.ts'
import { classicId, hostOf, makeHome, newDomain, removeDomain } from './domain.ts'

beforeAll(makeHome)

const NONE = { create: false, read: false, update: false, delete: false, readACL: false, updateACL: false }
const ALL = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }

describe('hsds-objects 9: access control lists', () => {
  test('a new domain has the item of its owner, of seven members', async () => {
    const domain = await newDomain()
    const { acls, hrefs } = await domain.want<{ acls: unknown; hrefs: unknown[] }>(200, 'GET', '/acls')
    expect(acls).toEqual([{ userName: USER1, ...ALL }])
    expect(hrefs).toHaveLength(4)
    expect((await domain.want(200, 'GET', `/acls/${USER1}`)).acl).toEqual({ userName: USER1, ...ALL })
  })

  test('PUT: 201 for a new item and for a change; flags that are not named stay', async () => {
    const domain = await newDomain()
    expect(await domain.want(201, 'PUT', `/acls/${USER2}`, { read: true })).toEqual({})
    await domain.want(201, 'PUT', `/acls/${USER2}`, { update: true })
    const { acl } = await domain.want(200, 'GET', `/acls/${USER2}`)
    expect(acl).toMatchObject({ userName: USER2, ...NONE, read: true, update: true })
  })

  test('PUT of several items at once: 201, all of them or none', async () => {
    const domain = await newDomain()
    const items = (second: object) => ({ acls: [{ userName: 'default', read: true }, second] })
    await domain.refuse(400, 'PUT', '/acls', items({ userName: USER2, read: 1 }))
    await domain.refuse(404, 'GET', '/acls/default')
    expect(await domain.want(201, 'PUT', '/acls', items({ username: USER2, read: true }))).toEqual({})
    await domain.want(200, 'GET', '/acls/default')
    expect((await domain.want(200, 'GET', `/acls/${USER2}`)).acl).toMatchObject({
      userName: USER2,
      read: true,
    })
  })

  test('an item that was put has eight members: where it was put, too', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', '/acls/default', { read: true })
    const expected = {
      userName: 'default',
      ...NONE,
      read: true,
      domain: expect.stringContaining(domain.path),
    }
    const { acl } = await domain.want<{ acl: object }>(200, 'GET', '/acls/default')
    expect(acl).toEqual(expected)
    const { acls } = await domain.want(200, 'GET', '/acls')
    expect(acls).toEqual([expected, { userName: USER1, ...ALL }])
    // The list that GET returns can be put back.
    await domain.want(201, 'PUT', '/acls/default', acl)
    await domain.want(201, 'PUT', '/acls', { acls })
  })

  test('items come by name, in the order of their code points; names may be any, percent-encoded in the path', async () => {
    const domain = await newDomain()
    const names = ['g:test_group', 'nobody of that name', 'Zoë', '\uff5e', '\u{1f600}', 'a/b', '%41']
    for (const name of names) {
      await domain.want(201, 'PUT', `/acls/${encodeURIComponent(name)}`, { read: true })
      const { acl } = await domain.want<{ acl: { userName: string } }>(
        200,
        'GET',
        `/acls/${encodeURIComponent(name)}`,
      )
      expect(acl.userName).toBe(name)
    }
    const { acls } = await domain.want<{ acls: { userName: string }[] }>(200, 'GET', '/acls')
    const expected = [
      '%41',
      'Zoë',
      'a/b',
      'g:test_group',
      'nobody of that name',
      USER1,
      '\uff5e',
      '\u{1f600}',
    ]
    expect(acls.map(({ userName }) => userName)).toEqual(expected)
  })

  test('names that no caller can have are refused, and the message names the user that stands for everybody', async () => {
    const domain = await newDomain()
    for (const name of ['Default', 'anonymous', 'g:']) {
      await domain.refuse(400, 'PUT', `/acls/${name}`, { read: true })
      await domain.refuse(404, 'GET', `/acls/${name}`)
    }
    const put = await send('PUT', `/acls/Default?domain=${domain.path}`, { read: true }, { user: USER1 })
    expect(put.story).toContain('also without login')
  })

  test('without a domain 400, of an unknown one 404, of a deleted one 410', async () => {
    const domain = await newDomain()
    await removeDomain(domain.path)
    await domain.refuse(410, 'GET', '/acls')
    await domain.refuse(410, 'PUT', `/acls/${USER2}`, { read: true })
    for (const path of ['/acls', `/acls/${USER1}`]) {
      expect((await send('GET', `${path}?domain=${domain.path}x`, undefined, { user: USER1 })).status).toBe(
        404,
      )
      expect((await send('GET', `${path}?domain=/`, undefined, { user: USER1 })).status).toBe(400)
    }
    const put = await send('PUT', `/acls/${USER2}?domain=${domain.path}x`, { read: true }, { user: USER1 })
    expect(put.status, put.story).toBe(404)
  })

  test.each<[string, unknown]>([
    ['no body', undefined],
    ['the name of another user', { userName: 'ann', read: true }],
    ['no flag', {}],
    ['a flag that is no boolean', { read: 1 }],
    ['an unknown flag', { read: true, write: true }],
    ['malformed JSON', '{'],
  ])('PUT with %s is 400', async (_, body) => {
    const domain = await newDomain()
    await domain.refuse(400, 'PUT', `/acls/${USER2}`, body)
    await domain.refuse(404, 'GET', `/acls/${USER2}`)
  })

  test('a user without an item: 404 for callers that may see the list, 403 for others', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'GET', '/acls/default')
    await domain.refuse(404, 'GET', `/acls/${USER2}`)
    await domain.refuse(403, 'GET', `/acls/${USER2}`, undefined, { user: USER2 })
    await domain.refuse(403, 'GET', `/acls/${USER1}`, undefined, { user: USER2 })
  })

  test('a caller that may read sees its own item and that of default, and no other', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', `/acls/${USER2}`, { read: true })
    await domain.want(200, 'GET', `/acls/${USER2}`, undefined, { user: USER2 })
    await domain.refuse(404, 'GET', '/acls/default', undefined, { user: USER2 })
    await domain.refuse(403, 'GET', `/acls/${USER1}`, undefined, { user: USER2 })
    await domain.refuse(403, 'GET', '/acls', undefined, { user: USER2 })
    await domain.refuse(403, 'PUT', `/acls/${USER2}`, { update: true }, { user: USER2 })
  })

  test('no trailing slash, no DELETE', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'GET', '/acls/')
    await domain.refuse(404, 'DELETE', '/acls/')
    await domain.refuse(405, 'DELETE', '/acls')
  })

  test('an object tells the items that hold for it, and has none to be changed', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', `/acls/${USER2}`, { read: true })
    const dataset = await domain.dataset({ type: 'H5T_STD_I8LE' })
    const group = await domain.group()
    for (const object of [`/groups/${domain.root}`, `/groups/${group}`, `/datasets/${dataset}`]) {
      const { acls } = await domain.want<{ acls: object[] }>(200, 'GET', `${object}/acls`)
      expect(acls).toEqual([
        { userName: USER1, username: USER1, ...ALL },
        { userName: USER2, username: USER2, ...NONE, read: true, domain: expect.any(String) },
      ])
      const { acl } = await domain.want(200, 'GET', `${object}/acls/${USER1}`)
      expect(acl).toEqual(acls[0])
      await domain.refuse(404, 'GET', `${object}/acls/default`)
      await domain.refuse(405, 'PUT', `${object}/acls/${USER2}`, { update: true })
      await domain.refuse(405, 'PUT', `${object}/acls`, { acls: [{ userName: USER2, update: true }] })
      await domain.refuse(403, 'GET', `${object}/acls`, undefined, { user: USER2 })
      await domain.want(200, 'GET', `${object}/acls/${USER2}`, undefined, { user: USER2 })
    }
    // Items of its own come from the classic dialect, and count before those of the domain.
    const own = `/datasets/${classicId(dataset)}/acls/${USER2}?host=${hostOf(domain.path)}`
    const put = await send('PUT', own, { update: true }, { user: USER1 })
    expect(put.status, put.story).toBe(201)
    const { acls } = await domain.want<{ acls: { userName: string }[] }>(
      200,
      'GET',
      `/datasets/${dataset}/acls`,
    )
    expect(acls).toMatchObject([{ userName: USER1 }, { userName: USER2, read: false, update: true }])
  })
})

describe('hsds-objects 3.1: callers without credentials', () => {
  const anonymous = { user: undefined }
  test('reading what is not open is 403, changing anything 401', async () => {
    const domain = await newDomain()
    for (const path of ['/', `/groups/${domain.root}`, '/acls', `/acls/${USER1}`, '/groups']) {
      await domain.refuse(403, 'GET', path, undefined, anonymous)
    }
    await domain.refuse(401, 'PUT', '/', undefined, anonymous)
    await domain.refuse(401, 'POST', '/groups', {}, anonymous)
    await domain.refuse(
      401,
      'PUT',
      `/groups/${domain.root}/attributes/a`,
      { type: 'H5T_STD_I8LE' },
      anonymous,
    )
    await domain.refuse(401, 'DELETE', `/groups/${domain.root}`, undefined, anonymous)
    await domain.refuse(401, 'DELETE', '/', undefined, anonymous)
  })

  test('what is open can be read, but not changed, whatever the list grants', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', '/acls/default', ALL)
    await domain.want(200, 'GET', '/', undefined, anonymous)
    await domain.want(200, 'GET', `/acls/${USER1}`, undefined, anonymous)
    await domain.refuse(401, 'POST', '/groups', {}, anonymous)
  })

  test('wrong credentials are 401 on reads too, and odd ones 400', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', '/acls/default', { read: true })
    const as = (authorization: string) => ({ user: undefined, headers: { authorization } })
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    await domain.refuse(401, 'GET', '/', undefined, as(`Basic ${base64(`${USER1}:wrong`)}`))
    await domain.refuse(401, 'GET', '/', undefined, as(`Basic ${base64('nobody:x')}`))
    await domain.refuse(400, 'GET', '/', undefined, as('Basic'))
    await domain.refuse(400, 'GET', '/', undefined, as(`Basic ${base64('no-colon')}`))
    await domain.refuse(400, 'GET', '/', undefined, as(`Basic ${base64(':password')}`))
    await domain.refuse(400, 'GET', '/', undefined, as('Digest x'))
    await domain.want(200, 'GET', '/', undefined, as(`basic ${base64(`${USER1}:test`)}`))
  })
})

test('DELETE removes the item of a user: those of everybody hold for the user then', async () => {
  const domain = await newDomain()
  const names = async () => {
    const { acls } = await domain.want<{ acls: { userName: string }[] }>(200, 'GET', '/acls')
    return acls.map(({ userName }) => userName)
  }
  await domain.want(201, 'PUT', '/acls/default', { read: true })
  await domain.want(201, 'PUT', `/acls/${USER2}`, { update: true })
  await domain.refuse(403, 'GET', '/groups', undefined, { user: USER2 })
  expect(await domain.want(200, 'DELETE', `/acls/${USER2}`)).toEqual({})
  await domain.want(200, 'GET', '/groups', undefined, { user: USER2 })
  expect(await names()).toEqual(['default', USER1])
  await domain.refuse(404, 'DELETE', `/acls/${USER2}`)
  await domain.want(200, 'DELETE', '/acls/default')
  await domain.refuse(403, 'GET', '/groups', undefined, { user: USER2 })
  expect(await names()).toEqual([USER1])
})
