// Changes of owners and of lists of many domains at once, in both dialects (common 27).

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ADMIN, type Fields, type Method, send, USER1, USER2, uniqueName } from './client.ts'
import { HOME, hostOf, makeHome, removeDomain } from './hsds/domain.ts'

beforeAll(makeHome)

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

async function make(path: string, body?: Fields, user = USER1): Promise<string> {
  await want(201, 'PUT', `/?domain=${path}`, body, user)
  onTestFinished(() => removeDomain(path))
  return path
}

/** A folder of USER1 with a domain, and a folder in it that has one of USER1 and one of USER2. */
async function newTree() {
  const folder = await make(`${HOME}/${uniqueName()}`, { folder: true })
  const inner = await make(`${folder}/in`, { folder: true })
  const a = await make(`${folder}/a.h5`)
  const b = await make(`${inner}/b.h5`)
  const others = await make(`${inner}/others.h5`, { owner: USER2 }, ADMIN)
  return { folder, inner, a, b, others, all: [folder, inner, a, b, others] }
}

type Dialect = 'hsds' | 'classic'

async function change(
  dialect: Dialect,
  path: string,
  body: unknown,
  { user = ADMIN, query = '' }: { readonly user?: string; readonly query?: string } = {},
) {
  const target = dialect === 'hsds' ? `/access?domain=${path}&${query}` : `/access?${query}`
  const headers = dialect === 'hsds' ? {} : { Host: hostOf(path) }
  return send('PUT', target, body, { user, headers })
}

async function changed(...given: Parameters<typeof change>): Promise<Fields> {
  const reply = await change(...given)
  expect(reply.status, reply.story).toBe(200)
  return reply.json()
}

async function refused(status: number, code: string, ...given: Parameters<typeof change>): Promise<string> {
  const reply = await change(...given)
  expect(reply.status, reply.story).toBe(status)
  const body = reply.json<{ code?: string; message: string }>()
  expect(body.code ?? code).toBe(code)
  return body.message
}

async function ownerOf(path: string): Promise<unknown> {
  return (await want(200, 'GET', `/?domain=${path}`, undefined, ADMIN)).owner
}

async function itemsOf(path: string): Promise<Readonly<Record<string, Fields>>> {
  type List = { acls: { userName: string }[] }
  const { acls } = await want<List>(200, 'GET', `/acls?domain=${path}`, undefined, ADMIN)
  return Object.fromEntries(acls.map(({ userName, ...item }) => [userName, item]))
}

describe.each<Dialect>(['hsds', 'classic'])('%s', dialect => {
  test('another owner of what a user owns: the item goes with it, and all else stays', async () => {
    const { folder, inner, a, b, others } = await newTree()
    await want(403, 'GET', `/?domain=${b}`, undefined, USER2)
    const body = { owner: USER2, owned_by: USER1, below: true }
    expect(await changed(dialect, folder, body)).toEqual({ changed: 4, unchanged: 0 })
    for (const path of [folder, inner, a, b]) {
      expect(await ownerOf(path)).toBe(USER2)
      const items = await itemsOf(path)
      expect(items[USER1]).toBeUndefined()
      expect(items[USER2]).toMatchObject(ALL)
    }
    expect(await ownerOf(others)).toBe(USER2)
    expect((await itemsOf(others))[USER1]).toMatchObject(ALL)
    await want(403, 'GET', `/?domain=${b}`)
    await want(200, 'GET', `/?domain=${b}`, undefined, USER2)
    // Again: there is nothing left to change.
    expect(await changed(dialect, folder, body)).toEqual({ changed: 0, unchanged: 0 })
    // The owner's item comes back where it is missing.
    await want(200, 'DELETE', `/acls/${USER2}?domain=${b}`, undefined, USER2)
    expect(await changed(dialect, folder, { owner: USER2, below: true })).toEqual({
      changed: 1,
      unchanged: 4,
    })
    expect((await itemsOf(b))[USER2]).toMatchObject(ALL)
  })

  test('listeners of a domain get its change', async () => {
    const { folder, b } = await newTree()
    const page = (since: string) => want(200, 'GET', `/events?domain=${b}&${since}`, undefined, ADMIN)
    const { next } = await page('wait=0')
    await changed(dialect, folder, { owner: USER2, below: true })
    const changes = expect.arrayContaining([expect.objectContaining({ kind: 'acl', h5path: '/' })])
    expect(await page(`wait=60&since=${next}`)).toMatchObject({ events: [{ domain: b, changes }] })
  })

  test('one domain, without those below', async () => {
    const { folder, inner, a } = await newTree()
    expect(await changed(dialect, a, { owner: USER2 })).toEqual({ changed: 1, unchanged: 0 })
    expect(await changed(dialect, folder, { owner: USER2 })).toEqual({ changed: 1, unchanged: 0 })
    expect(await Promise.all([a, folder, inner].map(ownerOf))).toEqual([USER2, USER2, USER1])
  })

  test('items that a whole tree gets and loses', async () => {
    const { folder, a, b, all } = await newTree()
    const given = { acls: [{ userName: USER2, read: true }], below: true, owned_by: USER1 }
    expect(await changed(dialect, folder, given, { user: USER1 })).toEqual({ changed: 4, unchanged: 0 })
    await want(200, 'GET', `/?domain=${b}`, undefined, USER2)
    expect((await itemsOf(a))[USER2]).toMatchObject({ read: true, update: false })
    // Flags that are not named stay.
    const more = { acls: [{ userName: USER2, update: true }], below: true, owned_by: USER1 }
    expect(await changed(dialect, folder, more, { user: USER1 })).toEqual({ changed: 4, unchanged: 0 })
    expect((await itemsOf(b))[USER2]).toMatchObject({ read: true, update: true })
    expect(await changed(dialect, folder, more, { user: USER1 })).toEqual({ changed: 0, unchanged: 4 })
    // A domain that is made later has the item too.
    const later = await make(`${folder}/later.h5`)
    expect((await itemsOf(later))[USER2]).toMatchObject({ read: true })
    const taken = { remove: [USER2], below: true, owned_by: USER1 }
    expect(await changed(dialect, folder, taken, { user: USER1 })).toEqual({ changed: 5, unchanged: 0 })
    for (const path of all.slice(0, 4)) expect((await itemsOf(path))[USER2]).toBeUndefined()
    await want(403, 'GET', `/?domain=${b}`, undefined, USER2)
  })

  test('without a right on one of them nothing is changed', async () => {
    const { folder, a, b, others } = await newTree()
    await want(200, 'DELETE', `/acls/${USER1}?domain=${others}`, undefined, ADMIN)
    const body = { acls: [{ userName: 'default', read: true }], below: true }
    const message = await refused(403, 'permission-denied', dialect, folder, body, { user: USER1 })
    expect(message).toContain(others)
    for (const path of [a, b]) expect((await itemsOf(path)).default).toBeUndefined()
    await refused(403, 'permission-denied', dialect, folder, body, { user: USER2 })
    expect(await changed(dialect, folder, body)).toEqual({ changed: 3, unchanged: 2 })
  })

  test('only administrators give something to another owner', async () => {
    const { folder } = await newTree()
    await refused(403, 'permission-denied', dialect, folder, { owner: USER2 }, { user: USER1 })
    expect(await ownerOf(folder)).toBe(USER1)
  })

  test('in parts, each after the last one', async () => {
    const { folder, a, all } = await newTree()
    const body = { acls: [{ userName: USER2, read: true }], below: true }
    const next: unknown[] = []
    let count = 0
    for (let query = 'Limit=2'; ; ) {
      const part = await changed(dialect, folder, body, { query })
      count += Number(part.changed)
      if (part.next === undefined) break
      next.push(part.next)
      query = `Limit=2&Marker=${part.next}`
    }
    expect(next).toEqual([a, `${folder}/in/b.h5`])
    expect(count).toBe(4)
    for (const path of all) expect((await itemsOf(path))[USER2]).toMatchObject({ read: true })
    await refused(400, 'malformed-parameter', dialect, a, body, { query: `Marker=${folder}` })
  })

  test.each<[string, number, string, unknown]>([
    ['an owner that no account has', 400, 'acl-user-unknown', { owner: 'nobody-known' }],
    ['an item of an unknown name', 400, 'acl-user-unknown', { acls: [{ userName: 'g:none', read: true }] }],
    ['a group as the owner', 400, 'malformed-name', { owner: 'g:lab' }],
    ['the item of the owner', 409, 'acl-of-owner', { remove: [USER1] }],
    ['a flag of the owner', 409, 'acl-of-owner', { acls: [{ userName: USER1, update: false }] }],
    ['nothing', 400, 'malformed-body', {}],
    ['a member that is unknown', 400, 'malformed-body', { owner: USER2, bellow: true }],
    ['a flag that is none', 400, 'malformed-body', { owner: USER2, below: 1 }],
    ['a name twice', 400, 'malformed-acl', { remove: [USER2], acls: [{ userName: USER2, read: true }] }],
  ])('%s: %i', async (_title, status, code, body) => {
    const { folder } = await newTree()
    const reply = await change(dialect, folder, body)
    expect([reply.status, reply.json<{ code: string }>().code], reply.story).toEqual([status, code])
    expect(await ownerOf(folder)).toBe(USER1)
  })

  test('names that no account has, with force', async () => {
    const { folder, a } = await newTree()
    const body = { acls: [{ userName: 'later-known', read: true }], force: true, below: true }
    expect(await changed(dialect, folder, body)).toMatchObject({ changed: 5 })
    expect((await itemsOf(a))['later-known']).toMatchObject({ read: true })
  })
})

test('two requests at once: each is applied as a whole, and the owner of all is one of them', async () => {
  const { folder, all } = await newTree()
  const owners = [USER1, USER2]
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, i) => change('hsds', folder, { owner: owners[i % 2], below: true })),
  )
  for (const reply of replies) expect(reply.status, reply.story).toBe(200)
  const [owner, ...rest] = await Promise.all(all.map(ownerOf))
  expect(rest).toEqual(rest.map(() => owner))
  const former = owner === USER1 ? USER2 : USER1
  for (const path of all) {
    expect((await itemsOf(path))[former]).toBeUndefined()
    expect((await itemsOf(path))[String(owner)]).toMatchObject(ALL)
  }
})
