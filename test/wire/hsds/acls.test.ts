// Access control lists of domains and who is told what (20, section 9 and 3.1; 00, decisions 13 and 19).

import { beforeAll, describe, expect, test } from 'vitest'
import { USER1, USER2 } from '../client.ts'
import { makeHome, newDomain } from './domain.ts'

beforeAll(makeHome)

const NONE = { create: false, read: false, update: false, delete: false, readACL: false, updateACL: false }
const ALL = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }

describe('contract 20, 9: access control lists', () => {
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
    const items = (second: string) => ({
      acls: [
        { userName: 'default', read: true },
        { userName: second, read: true },
      ],
    })
    await domain.refuse(400, 'PUT', '/acls', items('nobody-of-that-name'))
    await domain.refuse(404, 'GET', '/acls/default')
    await domain.want(201, 'PUT', '/acls', items(USER2))
    await domain.want(200, 'GET', '/acls/default')
  })

  test.each<[string, unknown]>([
    ['no body', undefined],
    ['no flag', {}],
    ['a flag that is no boolean', { read: 1 }],
    ['an unknown flag', { read: true, write: true }],
    ['malformed JSON', '{'],
  ])('PUT with %s is 400', async (_, body) => {
    const domain = await newDomain()
    await domain.refuse(400, 'PUT', `/acls/${USER2}`, body)
    await domain.refuse(404, 'GET', `/acls/${USER2}`)
  })

  test('who has no item: 404 for those who may see the list, 403 for others', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'GET', '/acls/default')
    await domain.refuse(404, 'GET', `/acls/${USER2}`)
    await domain.refuse(403, 'GET', `/acls/${USER2}`, undefined, { user: USER2 })
    await domain.refuse(403, 'GET', `/acls/${USER1}`, undefined, { user: USER2 })
  })

  test('one who may read sees his own item and that of default, and no other', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', `/acls/${USER2}`, { read: true })
    await domain.want(200, 'GET', `/acls/${USER2}`, undefined, { user: USER2 })
    await domain.refuse(404, 'GET', '/acls/default', undefined, { user: USER2 })
    await domain.refuse(403, 'GET', `/acls/${USER1}`, undefined, { user: USER2 })
    await domain.refuse(403, 'GET', '/acls', undefined, { user: USER2 })
    await domain.refuse(403, 'PUT', `/acls/${USER2}`, { update: true }, { user: USER2 })
  })

  test('no trailing slash, no DELETE, no lists of objects', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'GET', '/acls/')
    await domain.refuse(405, 'DELETE', `/acls/${USER1}`)
    await domain.refuse(404, 'GET', `/groups/${domain.root}/acls`)
  })
})

describe('decision 13: callers without credentials', () => {
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
