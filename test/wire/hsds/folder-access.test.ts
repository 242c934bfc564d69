// Access to folders, and what they hand down to what is made in them (hsds-objects 4 and 9), in both dialects.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { withHost } from '../classic/domain.ts'
import { ADMIN, type Fields, type Method, type Reply, send, USER1, USER2 } from '../client.ts'
import { expectRefusal, HOME, hostOf, makeHome, newDomain, newPath, removeDomain } from './domain.ts'

beforeAll(makeHome)

const NONE = { create: false, read: false, update: false, delete: false, readACL: false, updateACL: false }
const ALL = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }

async function want<T = Fields>(
  status: number,
  method: Method,
  target: string,
  body?: unknown,
  user: string | undefined = USER1,
): Promise<T> {
  const reply = await send(method, target, body, { user })
  expect(reply.status, reply.story).toBe(status)
  return reply.json<T>()
}

async function newFolder(parent = HOME): Promise<string> {
  const path = newPath(parent).replace('.h5', '')
  await want(201, 'PUT', `/?domain=${path}`, { folder: true })
  onTestFinished(() => removeDomain(path))
  return path
}

/** The items of a list by their names. */
async function itemsOf(path: string, user = USER1): Promise<Readonly<Record<string, Fields>>> {
  const { acls } = await want<{ acls: { userName: string }[] }>(
    200,
    'GET',
    `/acls?domain=${path}`,
    undefined,
    user,
  )
  return Object.fromEntries(acls.map(({ userName, ...item }) => [userName, item]))
}

describe('the list of a folder', () => {
  test('a new folder has its owner and, for everybody, reading', async () => {
    const folder = await newFolder()
    const body = await want<{ acls: unknown; hrefs: unknown[] }>(200, 'GET', `/acls?domain=${folder}`)
    expect(body.acls).toEqual([
      { userName: 'default', ...NONE, read: true },
      { userName: USER1, ...ALL },
    ])
    expect(body.hrefs).toHaveLength(3)
    const own = await want<{ acl: unknown; hrefs: unknown[] }>(200, 'GET', `/acls/${USER1}?domain=${folder}`)
    expect(own.acl).toEqual({ userName: USER1, ...ALL })
    expect(own.hrefs).toHaveLength(3)
  })

  test('callers with the permission change it, others do not; nothing is found before that is known', async () => {
    const folder = await newFolder()
    const at = (name: string) => `/acls/${name}?domain=${folder}`
    expectRefusal(await send('PUT', at(USER2), ALL, { user: USER2 }), 403)
    expectRefusal(await send('PUT', at(USER2), ALL, {}), 401)
    expectRefusal(await send('GET', at('nobody'), undefined, { user: USER2 }), 403)
    expectRefusal(await send('GET', at(USER2), undefined, { user: USER2 }), 404)
    expectRefusal(await send('GET', at('nobody'), undefined, { user: USER1 }), 404)
    expect((await send('GET', at('default'), undefined, { user: USER2 })).status).toBe(200)

    expect(await want(201, 'PUT', at(USER2), { create: true, read: true })).toEqual({})
    await want(201, 'PUT', `/?domain=${folder}/made-by-2.h5`, undefined, USER2)
    onTestFinished(() => removeDomain(`${folder}/made-by-2.h5`))
    await want(201, 'PUT', `/acls?domain=${folder}`, { acls: [{ userName: 'default', read: false }] })
    expectRefusal(await send('GET', `/domains?domain=${folder}`, undefined, {}), 403)
    await want(200, 'GET', `/domains?domain=${folder}`, undefined, USER2)
  })

  test('is handed down by value: later changes stay where they are made', async () => {
    const folder = await newFolder()
    await want(201, 'PUT', `/acls/${USER2}?domain=${folder}`, { read: true })
    await want(201, 'PUT', `/acls/carl?domain=${folder}`, { read: false })
    const domain = await newDomain(newPath(folder))
    const inherited = { ...NONE, read: true, domain: expect.stringContaining(folder) }
    expect(await itemsOf(domain.path)).toEqual({ [USER1]: ALL, [USER2]: inherited })
    await want(200, 'GET', `/?domain=${domain.path}`, undefined, USER2)
    await want(201, 'PUT', `/acls/${USER2}?domain=${folder}`, { read: false })
    await want(200, 'GET', `/?domain=${domain.path}`, undefined, USER2)
  })

  test('a domain that another user makes is that user’s, and of the folder’s owner too', async () => {
    const folder = await newFolder()
    await want(201, 'PUT', `/acls/${USER2}?domain=${folder}`, { create: true })
    const domain = await newDomain(newPath(folder), USER2)
    expect(await itemsOf(domain.path)).toEqual({ [USER1]: ALL, [USER2]: ALL })
  })
})

describe('what the caller may do', () => {
  const own = (path: string, name: string) => `/acls/${name}?domain=${path}&effective=1`

  test('is shown to the caller, also without an item, and creation follows it', async () => {
    const folder = await newFolder()
    const below = await newFolder(folder)
    const told = async (path: string, user: string | undefined, name = user ?? 'default') => {
      const reply = await send('GET', own(path, name), undefined, { user })
      expect(reply.status, reply.story).toBe(200)
      return reply.json<{ acl: Fields }>().acl
    }
    for (const path of [folder, below]) {
      expect(await told(path, USER1)).toEqual({ userName: USER1, ...ALL })
      expect(await told(path, USER2)).toEqual({ userName: USER2, ...NONE, read: true })
      expect(await told(path, ADMIN)).toEqual({ userName: ADMIN, ...ALL })
      expect(await told(path, undefined)).toEqual({ userName: 'default', ...NONE, read: true })
    }
    const creates = (user: string) => send('PUT', `/?domain=${newPath(folder)}`, { folder: true }, { user })
    expectRefusal(await creates(USER2), 403)
    await want(201, 'PUT', `/acls/${USER2}?domain=${folder}`, { read: true, create: true })
    expect(await told(folder, USER2)).toEqual({ userName: USER2, ...NONE, read: true, create: true })
    const made = newPath(folder)
    await want(201, 'PUT', `/?domain=${made}`, { folder: true }, USER2)
    onTestFinished(() => removeDomain(made))
    const domain = await newDomain(newPath(folder))
    expect(await told(domain.path, USER1)).toEqual({ userName: USER1, ...ALL })
  })

  test('is shown to no other caller, and to none that may not read', async () => {
    const folder = await newFolder()
    expectRefusal(await send('GET', own(folder, USER2), undefined, { user: USER1 }), 400)
    await want(201, 'PUT', `/acls/default?domain=${folder}`, { read: false })
    expectRefusal(await send('GET', own(folder, USER2), undefined, { user: USER2 }), 403)
    expectRefusal(await send('GET', own(folder, 'default'), undefined, {}), 403)
    expectRefusal(await send('GET', own(`${folder}x`, USER1), undefined, { user: USER1 }), 404)
  })
})

describe('what the classic dialect makes in a folder with a list', () => {
  async function classicDomain(folder: string, user: string, path = newPath(folder)): Promise<Reply> {
    onTestFinished(() => removeDomain(path))
    return await send('PUT', '/', undefined, withHost(hostOf(path), { user }))
  }

  test('is the maker’s and closed to others, in both dialects', async () => {
    const folder = await newFolder()
    const path = newPath(folder)
    const made = await classicDomain(folder, USER1, path)
    expect(made.status, made.story).toBe(201)
    expect(await itemsOf(path)).toEqual({ [USER1]: ALL })
    expectRefusal(await send('GET', `/?domain=${path}`), 403)
    expectRefusal(await send('GET', `/?domain=${path}`, undefined, { user: USER2 }), 403)
    expect((await send('GET', '/', undefined, withHost(hostOf(path)))).status).toBe(401)
    expect((await send('GET', '/', undefined, withHost(hostOf(path), { user: USER2 }))).status).toBe(403)
    expect((await send('GET', '/', undefined, withHost(hostOf(path), { user: USER1 }))).status).toBe(200)
  })

  test('has what the folder hands down, also far below it, where folders are made in passing', async () => {
    const folder = await newFolder()
    await want(201, 'PUT', `/acls/${USER2}?domain=${folder}`, { read: true })
    const path = newPath(`${folder}/made/in-passing`)
    onTestFinished(async () => {
      for (const each of [path, `${folder}/made/in-passing`, `${folder}/made`]) await removeDomain(each)
    })
    const made = await send('PUT', '/', undefined, withHost(hostOf(path), { user: USER1 }))
    expect(made.status, made.story).toBe(201)
    expect(await itemsOf(path)).toMatchObject({ [USER1]: ALL, [USER2]: { ...NONE, read: true } })
    expectRefusal(await send('GET', `/?domain=${path}`), 403)
    // The folder in between is under the list of the folder above it.
    expect(await itemsOf(`${folder}/made`)).toEqual(await itemsOf(folder))
    expectRefusal(await send('PUT', `/?domain=${folder}/made/x.h5`, undefined, { user: USER2 }), 403)
  })

  test('needs `create` on the folder', async () => {
    const folder = await newFolder()
    expect((await classicDomain(folder, USER2)).status).toBe(403)
    expect((await classicDomain(folder, ADMIN)).status).toBe(201)
  })
})
