// The routes by which administrators change users, and see and end the logins of all, in any process of the service.

import { describe, expect, test } from 'vitest'
import { ADMIN, basic, type Options, type Reply, send, USER1, uniqueName } from './client.ts'

const asAdmin = { user: ADMIN }
const LATER = '2999-01-01'
const as = (name: string, password: string): Options => ({
  headers: { authorization: basic(name, password) },
})
const bearer = (token: string): Options => ({ headers: { authorization: `Bearer ${token}` } })

/** A user of one test alone: other files use the common ones at the same time. */
async function newUser(): Promise<string> {
  const name = uniqueName()
  const reply = await send('PUT', `/users/${name}`, { password: 'first' }, asAdmin)
  expect(reply.status, reply.story).toBe(201)
  return name
}

async function newToken(name: string): Promise<{ id: string; token: string }> {
  const reply = await send('POST', '/tokens', { name: 'beam', end: LATER }, as(name, 'first'))
  expect(reply.status, reply.story).toBe(201)
  return reply.json()
}

async function expectError(request: Promise<Reply>, status: number, code: string): Promise<void> {
  const reply = await request
  expect(reply.status, reply.story).toBe(status)
  expect(reply.json(), reply.story).toMatchObject({ code })
}

describe('an administrator', () => {
  const change = (name: string, body: object) => send('POST', `/users/${name}`, body, asAdmin)

  test('sets a password, which ends sessions and no tokens, in every process', async () => {
    const name = await newUser()
    const { token } = await newToken(name)
    const begun = await send('POST', '/login', undefined, as(name, 'first'))
    const cookie = begun.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const session = { headers: { cookie } }
    const changed = await change(name, { password: 'second' })
    expect([changed.status, changed.json()], changed.story).toEqual([
      200,
      { name, admin: false, groups: [], disabled: false, stored: true },
    ])
    for (let n = 0; n < 4; n++) {
      await expectError(send('GET', '/about', undefined, as(name, 'first')), 401, 'wrong-credentials')
      await expectError(send('GET', '/about', undefined, session), 401, 'session-ended')
      for (const way of [as(name, 'second'), bearer(token)])
        expect((await send('GET', '/about', undefined, way)).json()).toMatchObject({ username: name })
    }
  })

  test('gives rights and takes them, disables and enables, and each answer has the user as it is then', async () => {
    const name = await newUser()
    const users = () => send('GET', '/users', undefined, as(name, 'first'))
    for (const [body, then, status] of [
      [{ admin: true }, { admin: true, disabled: false }, 200],
      [{ admin: false }, { admin: false, disabled: false }, 403],
      [{ admin: true, disabled: true }, { admin: true, disabled: true }, 401],
      [{ disabled: false }, { admin: true, disabled: false }, 200],
    ] as const) {
      expect((await change(name, body)).json()).toMatchObject({ name, ...then })
      for (let n = 0; n < 2; n++) expect((await users()).status).toBe(status)
    }
  })

  test('removes a user with its logins, and the name is free again', async () => {
    const name = await newUser()
    const { token } = await newToken(name)
    const removed = await send('DELETE', `/users/${name}?remove=1`, undefined, asAdmin)
    expect(removed.json(), removed.story).toEqual({ name, removed: true })
    await expectError(send('GET', '/about', undefined, bearer(token)), 401, 'wrong-credentials')
    await expectError(send('DELETE', `/users/${name}?remove=1`, undefined, asAdmin), 404, 'user-not-found')
    expect((await send('PUT', `/users/${name}`, { password: 'first' }, asAdmin)).status).toBe(201)
    await expectError(send('GET', '/about', undefined, bearer(token)), 401, 'wrong-credentials')
    const { logins } = (await send('GET', `/logins?user=${name}`, undefined, asAdmin)).json()
    expect(logins).toEqual([])
  })

  test('sees the logins of a user without secrets, and ends them', async () => {
    const name = await newUser()
    const { id, token } = await newToken(name)
    await send('POST', '/login', undefined, as(name, 'first'))
    const list = async (query: string) => {
      const reply = await send('GET', `/logins?${query}`, undefined, asAdmin)
      expect(reply.status, reply.story).toBe(200)
      expect(reply.text).not.toContain(token)
      return reply.json<{ logins: { kind: string; user: string; id: string }[]; next?: string }>()
    }
    const { logins } = await list(`user=${name}`)
    expect(logins.map(({ kind }) => kind).sort()).toEqual(['session', 'token'])
    expect((await list(`user=${name}&kind=token`)).logins).toMatchObject([
      { id, user: name, kind: 'token', title: 'beam', writes: false },
    ])
    const target = `/logins/${id}?user=${name}&kind=token`
    expect((await send('DELETE', target, undefined, asAdmin)).json()).toEqual({ ended: 1 })
    for (let n = 0; n < 4; n++) {
      const reply = await send('GET', '/about', undefined, bearer(token))
      expect([reply.status, reply.text], reply.story).toEqual([
        401,
        expect.stringContaining('an administrator'),
      ])
    }
    await expectError(send('DELETE', target, undefined, asAdmin), 404, 'token-not-found')
    await expectError(
      send('DELETE', `/logins/${id}?user=${name}`, undefined, asAdmin),
      400,
      'malformed-parameter',
    )
  })

  test('sees the logins of all in pages, each once', async () => {
    const names = await Promise.all([newUser(), newUser(), newUser()])
    await Promise.all(names.map(newToken))
    const seen: string[] = []
    let marker: string | undefined
    do {
      const query = `kind=token&Limit=2${marker === undefined ? '' : `&Marker=${marker}`}`
      const page = (await send('GET', `/logins?${query}`, undefined, asAdmin)).json<{
        logins: { user: string }[]
        next?: string
      }>()
      expect(page.logins.length).toBeLessThanOrEqual(2)
      seen.push(...page.logins.map(({ user }) => user).filter(user => names.includes(user)))
      marker = page.next
    } while (marker !== undefined)
    expect(seen.sort()).toEqual([...names].sort())
    await expectError(send('GET', '/logins?Marker=x', undefined, asAdmin), 400, 'malformed-parameter')
  })
})

test('changes of users and logins of all are for administrators, and no token is good for them', async () => {
  const name = await newUser()
  const made = await send('POST', '/tokens', { name: uniqueName(), end: LATER, writes: true }, asAdmin)
  const { token } = made.json<{ token: string }>()
  for (const [method, target, body] of [
    ['POST', `/users/${name}`, { admin: true }],
    ['DELETE', `/users/${name}?remove=1`, undefined],
    ['GET', '/logins', undefined],
    ['DELETE', `/logins/x?user=${USER1}&kind=token`, undefined],
    ['GET', '/audit', undefined],
  ] as const) {
    await expectError(send(method, target, body, { user: USER1 }), 403, 'permission-denied')
    await expectError(send(method, target, body), 401, 'credentials-required')
    await expectError(send(method, target, body, bearer(token)), 403, 'scope-exceeded')
  }
})

test.each([
  [{}, 400, 'malformed-body'],
  [{ admin: 'yes' }, 400, 'malformed-body'],
  [{ disabled: 1 }, 400, 'malformed-body'],
  [{ password: '' }, 400, 'malformed-body'],
  [{ name: 'x' }, 400, 'malformed-body'],
] as const)('a user is not changed by %j', async (body, status, code) => {
  await expectError(send('POST', `/users/${USER1}`, body, { ...asAdmin, undeclared: true }), status, code)
})

test('a user that is not there is not changed', async () => {
  await expectError(send('POST', `/users/${uniqueName()}`, { admin: true }, asAdmin), 404, 'user-not-found')
})
