// Sessions and tokens: how they begin, what they are good for, and how they end, in any process of the service.

import { beforeAll, describe, expect, inject, test } from 'vitest'
import {
  ADMIN,
  basic,
  type Fields,
  type Method,
  type Options,
  type Reply,
  send,
  USER1,
  USER2,
  uniqueName,
} from './client.ts'
import { openEventStream } from './event-stream.ts'
import { HOME, makeHome, newDomain } from './hsds/domain.ts'

beforeAll(makeHome)

const PAGE = { 'x-requested-with': 'test' }
const LATER = '2999-01-01'
const EVIL = 'http://evil.example'

/** The cookie of a new session, as a browser sends it. */
async function logIn(user = USER1): Promise<string> {
  const reply = await send('POST', '/login', undefined, { user })
  expect(reply.status, reply.story).toBe(201)
  return cookieIn(reply)
}

function cookieIn({ headers }: Reply): string {
  const [cookie = ''] = headers['set-cookie'] ?? []
  return cookie.split(';')[0] ?? ''
}

const by = (cookie: string, headers: Fields = {}): Options => ({
  headers: { cookie, ...PAGE, ...headers } as Options['headers'] & object,
})

async function newToken(members: Fields = {}, user = USER1): Promise<{ id: string; token: string }> {
  const reply = await send('POST', '/tokens', { name: uniqueName(), end: LATER, ...members }, { user })
  expect(reply.status, reply.story).toBe(201)
  return reply.json()
}

const bearer = (token: string): Options => ({ headers: { authorization: `Bearer ${token}` } })

const asAdmin = { user: ADMIN }
const as = (name: string, password: string): Options => ({
  headers: { authorization: basic(name, password) },
})

/** A user of one test alone: other files use the common ones at the same time. */
async function newUser(): Promise<string> {
  const name = uniqueName()
  const reply = await send('PUT', `/users/${name}`, { password: 'first' }, asAdmin)
  expect(reply.status, reply.story).toBe(201)
  expect(reply.json()).toEqual({ name, admin: false, groups: [], disabled: false, stored: true })
  return name
}

async function expectError(reply: Promise<Reply>, status: number, code: string, text = ''): Promise<void> {
  const { status: was, story, json } = await reply
  expect(was, story).toBe(status)
  const error = json<{ code: string; message: string }>()
  expect(error.code).toBe(code)
  expect(error.message).toContain(text)
}

describe('a session', () => {
  test('has a cookie that scripts cannot read and foreign sites cannot send', async () => {
    const reply = await send('POST', '/login', undefined, { user: USER1 })
    expect(reply.json()).toMatchObject({ username: USER1, login: 'session', isadmin: false })
    const [cookie = ''] = reply.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^hyperslab(-\d+)?=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    expect(reply.text).not.toContain(cookie.split(/[=;]/)[1])
  })

  test('behind TLS its cookie is for this host and TLS only', async () => {
    const headers = { 'x-forwarded-proto': 'https' }
    const reply = await send('POST', '/login', undefined, { user: USER1, headers })
    const [cookie = ''] = reply.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^__Host-hyperslab(-\d+)?=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/)
    expect((await send('GET', '/login', undefined, by(cookieIn(reply), headers))).json()).toMatchObject({
      username: USER1,
    })
    expect((await send('GET', '/login', undefined, by(cookieIn(reply)))).json()).toMatchObject({
      login: 'none',
    })
  })

  test('says the caller in both dialects, beside other cookies, and an Authorization header wins', async () => {
    const cookie = await logIn()
    for (const target of ['/login', '/about']) {
      const reply = await send('GET', target, undefined, by(`a=b; ${cookie}; c=d`))
      expect(reply.json()).toMatchObject({ username: USER1 })
      expect(reply.headers.vary).toContain('Cookie')
    }
    const headers = { ...by(cookie).headers, authorization: basic(USER2) }
    expect((await send('GET', '/login', undefined, { headers })).json()).toMatchObject({
      username: USER2,
      login: 'password',
    })
    expect((await send('GET', '/login')).json()).toEqual({
      username: 'anonymous',
      isadmin: false,
      login: 'none',
      accounts: true,
    })
  })

  test('needs right credentials in an Authorization header', async () => {
    await expectError(send('POST', '/login'), 401, 'credentials-required')
    const wrong = { headers: { authorization: basic(USER1, 'wrong') } }
    await expectError(send('POST', '/login', undefined, wrong), 401, 'wrong-credentials')
    await expectError(send('POST', '/login', undefined, by(await logIn())), 401, 'credentials-required')
  })

  test('may read and write what its user may, and writes need a header that no form can send', async () => {
    const cookie = await logIn()
    const { path } = await newDomain()
    const at = (method: Method, headers: Options['headers']) =>
      send(method, `/groups?domain=${path}`, method === 'POST' ? {} : undefined, {
        ...(headers && { headers }),
      })
    expect((await at('GET', { cookie })).status).toBe(200)
    await expectError(at('POST', { cookie }), 403, 'header-required', 'X-Requested-With')
    expect((await at('GET', { cookie })).json<{ groups: [] }>().groups).toHaveLength(0)
    expect((await at('POST', { cookie, ...PAGE })).status).toBe(201)
    await expectError(at('POST', {}), 401, 'credentials-required')
  })

  test('that one process ends is ended in every process when that is answered', async () => {
    const cookie = await logIn()
    for (let n = 0; n < 8; n++) expect((await send('GET', '/about', undefined, by(cookie))).status).toBe(200)
    const out = await send('DELETE', '/login', undefined, by(cookie))
    expect(out.json()).toEqual({ username: 'anonymous', isadmin: false, login: 'none', accounts: true })
    expect(out.headers['set-cookie']?.[0]).toMatch(/^hyperslab(-\d+)?=; Path=\/; Max-Age=0;/)
    for (let n = 0; n < 8; n++) {
      const reply = await send('GET', '/about', undefined, by(cookie))
      await expectError(Promise.resolve(reply), 401, 'session-ended', 'the user has ended it')
      expect(reply.headers['set-cookie']?.[0]).toContain('Max-Age=0')
    }
    await expectError(
      send('GET', '/about', undefined, by(cookie.replace(/...$/, 'xyz'))),
      401,
      'session-ended',
      'unknown',
    )
    expect((await send('DELETE', '/login', undefined, by(cookie))).status).toBe(200)
    expect((await send('DELETE', '/login')).status).toBe(200)
  })

  test('is listed for its user, and ends alone or with all others but one', async () => {
    const list = async (cookie: string) =>
      (await send('GET', '/sessions', undefined, by(cookie))).json<{
        sessions: { id: string; current: boolean; client: string }[]
      }>().sessions
    const name = await newUser()
    const begin = async () => cookieIn(await send('POST', '/login', undefined, as(name, 'first')))
    const [one, two] = [await begin(), await begin()]
    const sessions = await list(two)
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    const other = (await list(one)).find(({ current }) => current)?.id
    const own = sessions.find(({ current }) => current)?.id
    expect(sessions.map(({ id }) => id)).toEqual(expect.arrayContaining([own, other]))
    await expectError(
      send('DELETE', `/sessions/${other}`, undefined, by(await logIn())),
      404,
      'session-not-found',
    )
    await expectError(send('DELETE', '/sessions/%2F', undefined, by(two)), 404, 'session-not-found')
    expect((await send('DELETE', `/sessions/${other}`, undefined, by(two))).json()).toEqual({ ended: 1 })
    expect((await send('GET', '/login', undefined, by(one))).status).toBe(401)
    await expectError(send('DELETE', `/sessions/${other}`, undefined, by(two)), 404, 'session-not-found')
    await begin()
    const ended = await send('DELETE', '/sessions', undefined, by(two))
    expect(ended.json<{ ended: number }>().ended).toBeGreaterThan(0)
    expect(await list(two)).toMatchObject([{ id: own, current: true }])
    await expectError(send('GET', '/sessions'), 401, 'credentials-required')
  })

  test('of a page of another origin does not count', async () => {
    const cookie = await logIn()
    const about = async (headers: Fields) =>
      (
        await send('GET', '/about', undefined, {
          headers: { cookie, ...headers } as Options['headers'] & object,
        })
      ).json()
    for (const headers of [
      { origin: EVIL },
      { origin: EVIL, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(await about(headers), JSON.stringify(headers)).toMatchObject({ username: 'anonymous' })
    }
    const { headers } = await send('GET', '/about', undefined, by(cookie, { origin: EVIL }))
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    for (const own of [
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
      {},
    ]) {
      expect(await about(own), JSON.stringify(own)).toMatchObject({ username: USER1 })
    }
  })

  test('cannot be begun, ended or used to write by a page of another origin', async () => {
    const cookie = await logIn()
    const evil = { origin: EVIL, 'sec-fetch-site': 'cross-site', cookie, ...PAGE }
    for (const [method, target] of [
      ['POST', '/login'],
      ['DELETE', '/login'],
      ['DELETE', '/sessions'],
      ['POST', '/tokens'],
      ['PUT', `/?domain=${HOME}/${uniqueName()}`],
    ] as const) {
      await expectError(send(method, target, undefined, { headers: evil }), 403, 'origin-not-allowed')
    }
    expect((await send('GET', '/login', undefined, by(cookie))).json()).toMatchObject({ username: USER1 })
    const preflight = await send('OPTIONS', '/tokens', undefined, {
      headers: {
        origin: EVIL,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-requested-with,authorization',
      },
    })
    expect(preflight.headers['access-control-allow-headers']).toBe('content-type')
  })
})

describe('a token', () => {
  test('is taken as a bearer and as a password, in both dialects and in every process', async () => {
    const { token } = await newToken({ writes: true })
    const { path } = await newDomain()
    for (const options of [bearer(token), { headers: { authorization: basic(USER1, token) } }]) {
      expect((await send('GET', '/login', undefined, options)).json()).toMatchObject({
        username: USER1,
        login: 'token',
        scope: { writes: true },
      })
      for (let n = 0; n < 4; n++) {
        expect((await send('POST', `/groups?domain=${path}`, {}, options)).status).toBe(201)
        expect((await send('GET', `/?domain=${path}`, undefined, options)).status).toBe(200)
      }
    }
    await expectError(
      send('GET', '/about', undefined, { headers: { authorization: basic(USER2, token) } }),
      401,
      'wrong-credentials',
    )
  })

  test('is shown once, is listed without its secret, and is refused in every process once it is revoked', async () => {
    const { token, id } = await newToken({ name: 'beamline 7', within: HOME })
    const list = await send('GET', '/tokens', undefined, { user: USER1 })
    expect(list.text).not.toContain(token)
    expect(list.json<{ tokens: object[] }>().tokens).toContainEqual({
      id,
      name: 'beamline 7',
      writes: false,
      uses: 0,
      within: HOME,
      created: expect.any(String),
      end: '2999-01-01T00:00:00.000Z',
    })
    for (let n = 0; n < 8; n++)
      expect((await send('GET', '/about', undefined, bearer(token))).status).toBe(200)
    await expectError(send('DELETE', `/tokens/${id}`, undefined, { user: USER2 }), 404, 'token-not-found')
    expect((await send('DELETE', `/tokens/${id}`, undefined, { user: USER1 })).json()).toEqual({ ended: 1 })
    for (let n = 0; n < 8; n++)
      await expectError(send('GET', '/about', undefined, bearer(token)), 401, 'token-ended', 'revoked')
    await expectError(send('DELETE', `/tokens/${id}`, undefined, { user: USER1 }), 404, 'token-not-found')
  })

  test('for reading writes nothing, one for a folder reaches nothing else, and the message names the scope', async () => {
    const domain = await newDomain()
    const other = await newDomain()
    const reading = bearer((await newToken()).token)
    expect((await send('GET', `/?domain=${domain.path}`, undefined, reading)).status).toBe(200)
    expect((await send('POST', `/?domain=${domain.path}`, { h5paths: ['/'] }, reading)).status).toBe(200)
    const scope = 'the scope of the token is'
    for (const [method, target, body] of [
      ['POST', `/groups?domain=${domain.path}`, {}],
      ['PUT', `/?domain=${HOME}/${uniqueName()}`, undefined],
      ['DELETE', `/?domain=${domain.path}`, undefined],
      ['PUT', `/acls/${USER2}?domain=${domain.path}`, { read: true }],
    ] as const) {
      await expectError(send(method, target, body, reading), 403, 'scope-exceeded', `${scope} "read all"`)
    }
    const inDomain = bearer((await newToken({ writes: true, within: domain.path })).token)
    expect((await send('POST', `/groups?domain=${domain.path}`, {}, inDomain)).status).toBe(201)
    const named = `${scope} "read and write ${domain.path}"`
    for (const [method, target, body] of [
      ['GET', `/?domain=${other.path}`, undefined],
      ['GET', `/groups/${other.root}?domain=${other.path}`, undefined],
      ['POST', `/groups?domain=${other.path}`, {}],
      ['GET', `/domains?domain=${HOME}/`, undefined],
      ['GET', '/domains', undefined],
      ['GET', `/?domain=${HOME}`, undefined],
      ['GET', `/acls?domain=${other.path}`, undefined],
      ['PUT', `/?domain=${HOME}/${uniqueName()}`, undefined],
      ['PUT', `/?domain=${HOME}/${uniqueName()}`, { linked_domain: domain.path }],
      ['GET', `/h5${other.path}`, undefined],
      ['GET', `/zarr/v3${other.path}/zarr.json`, undefined],
    ] as const) {
      await expectError(send(method, target, body, inDomain), 403, 'scope-exceeded', named)
    }
    // The links of the domain lead out of the scope.
    const link = { h5domain: other.path, h5path: '/' }
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/out`, link)
    const follow = 'follow_external_links=1&follow_soft_links=1&h5path=/out'
    await domain.want(200, 'GET', `/?${follow}`)
    expect((await send('GET', `/?domain=${domain.path}&${follow}`, undefined, inDomain)).status).toBe(404)
    const inFolder = bearer((await newToken({ writes: true, within: HOME })).token)
    expect((await send('GET', `/domains?domain=${HOME}/`, undefined, inFolder)).status).toBe(200)
    expect((await send('GET', `/?domain=${other.path}`, undefined, inFolder)).status).toBe(200)
  })

  test('that is revoked ends the feed of events that it has begun', async () => {
    const domain = await newDomain()
    const { token, id } = await newToken()
    const headers = { authorization: `Bearer ${token}` }
    const feed = await openEventStream(inject('address'), `/events?domain=${domain.path}`, headers)
    expect((await feed.next())?.name).toBe('start')
    expect((await send('DELETE', `/tokens/${id}`, undefined, { user: USER1 })).status).toBe(200)
    const group = await domain.group()
    expect(await feed.rest()).not.toContain(group)
  })

  test('of an administrator reaches only its scope', async () => {
    const { path } = await newDomain()
    const { token } = await newToken({ writes: true, within: `${HOME}/x` }, ADMIN)
    await expectError(send('GET', `/?domain=${path}`, undefined, bearer(token)), 403, 'scope-exceeded')
    await expectError(send('GET', '/metrics', undefined, bearer(token)), 403, 'scope-exceeded')
  })

  test('is not good for sessions and tokens', async () => {
    const all = bearer((await newToken({ writes: true })).token)
    for (const [method, target, body] of [
      ['POST', '/login', undefined],
      ['GET', '/sessions', undefined],
      ['DELETE', '/sessions', undefined],
      ['DELETE', '/sessions/x', undefined],
      ['GET', '/tokens', undefined],
      ['POST', '/tokens', { name: 'x', end: LATER }],
      ['DELETE', '/tokens/x', undefined],
    ] as const) {
      await expectError(send(method, target, body, all), 403, 'scope-exceeded', '"read and write all"')
    }
  })

  test.each([
    [undefined, 'malformed-body', 'must have a JSON body'],
    ['[]', 'malformed-body', 'must be a JSON object'],
    [{ end: LATER }, 'malformed-body', 'body.name must be a string'],
    [{ name: '', end: LATER }, 'malformed-body', 'body.name must have 1 to 100 characters'],
    [{ name: 'a\nb', end: LATER }, 'malformed-body', 'without control characters'],
    [{ name: 'a'.repeat(101), end: LATER }, 'malformed-body', 'body.name'],
    [{ name: 'a' }, 'malformed-body', 'body.end must be a string'],
    [{ name: 'a', end: 'tomorrow' }, 'malformed-body', 'body.end must be a date such as'],
    [{ name: 'a', end: '2020-01-01' }, 'malformed-body', 'later than now'],
    [{ name: 'a', end: '2999-02-30' }, 'malformed-body', 'body.end'],
    [{ name: 'a', end: '2999-01-01T12:00' }, 'malformed-body', 'body.end'],
    [{ name: 'a', end: LATER, writes: 1 }, 'malformed-body', 'body.writes must be true or false'],
    [{ name: 'a', end: LATER, within: 1 }, 'malformed-body', 'body.within must be a string'],
    [{ name: 'a', end: LATER, within: 'physics' }, 'malformed-domain', 'must start with "/"'],
    [{ name: 'a', end: LATER, within: '/physics/' }, 'malformed-domain', 'must not end with "/"'],
    [{ name: 'a', end: LATER, within: 'nowhere/physics' }, 'bucket-not-found', 'nowhere'],
    [{ name: 'a', end: LATER, wihtin: '/physics' }, 'malformed-body', 'wihtin'],
  ])('is refused with the body %j', async (body, code, text) => {
    const user = as(await newUser(), 'first')
    const reply = await send('POST', '/tokens', body, user)
    expect([400, 404], reply.story).toContain(reply.status)
    expect(reply.json()).toMatchObject({ code, message: expect.stringContaining(text) })
    expect((await send('GET', '/tokens', undefined, user)).json()).toMatchObject({ tokens: [] })
  })
})

describe('a user', () => {
  const listed = async (name: string) =>
    (await send('GET', '/users', undefined, asAdmin))
      .json<{ users: { name: string }[] }>()
      .users.filter(user => user.name === name)

  test('that an administrator creates can log in in every process, and the name is taken', async () => {
    const name = await newUser()
    for (let n = 0; n < 4; n++)
      expect((await send('GET', '/about', undefined, as(name, 'first'))).json()).toMatchObject({
        username: name,
      })
    await expectError(send('PUT', `/users/${name}`, { password: 'x' }, asAdmin), 409, 'user-exists', name)
    expect(await listed(name)).toEqual([{ name, admin: false, groups: [], disabled: false, stored: true }])
    const other = uniqueName()
    await send('PUT', `/users/${other}`, { password: 'first', admin: true }, asAdmin)
    expect((await send('GET', '/users', undefined, as(other, 'first'))).status).toBe(200)
  })

  test('that is disabled cannot log in in any way, in any process, and the name stays taken', async () => {
    const name = await newUser()
    const session = by(cookieIn(await send('POST', '/login', undefined, as(name, 'first'))))
    const { token } = (await send('POST', '/tokens', { name: 't', end: LATER }, session)).json<{
      token: string
    }>()
    for (const options of [session, bearer(token)])
      expect((await send('GET', '/about', undefined, options)).json()).toMatchObject({ username: name })
    expect((await send('DELETE', `/users/${name}`, undefined, asAdmin)).json()).toEqual({
      name,
      disabled: true,
    })
    for (let n = 0; n < 4; n++) {
      await expectError(send('GET', '/about', undefined, as(name, 'first')), 401, 'wrong-credentials')
      await expectError(send('GET', '/about', undefined, session), 401, 'session-ended', 'is disabled')
      await expectError(send('GET', '/about', undefined, bearer(token)), 401, 'token-ended', 'is disabled')
    }
    await expectError(send('PUT', `/users/${name}`, { password: 'x' }, asAdmin), 409, 'user-exists')
    expect(await listed(name)).toMatchObject([{ disabled: true }])
    expect((await send('DELETE', `/users/${name}`, undefined, asAdmin)).status).toBe(200)
  })

  test('that changes the password goes on with the session, and all others end; tokens stay', async () => {
    const name = await newUser()
    const logInAs = async () => by(cookieIn(await send('POST', '/login', undefined, as(name, 'first'))))
    const [own, other] = [await logInAs(), await logInAs()]
    const { token } = (await send('POST', '/tokens', { name: 't', end: LATER }, own)).json<{
      token: string
    }>()
    await expectError(
      send('PUT', '/password', { password: 'wrong', new: 'second' }, own),
      403,
      'wrong-password',
    )
    const changed = await send('PUT', '/password', { password: 'first', new: 'second' }, own)
    expect(changed.json(), changed.story).toEqual({ ended: 1 })
    for (let n = 0; n < 4; n++) {
      expect((await send('GET', '/about', undefined, own)).json()).toMatchObject({ username: name })
      expect((await send('GET', '/about', undefined, bearer(token))).status).toBe(200)
      expect((await send('GET', '/about', undefined, as(name, 'second'))).status).toBe(200)
      await expectError(send('GET', '/about', undefined, other), 401, 'session-ended', 'password')
      await expectError(send('GET', '/about', undefined, as(name, 'first')), 401, 'wrong-credentials')
    }
    const byPassword = await send(
      'PUT',
      '/password',
      { password: 'second', new: 'third' },
      as(name, 'second'),
    )
    expect(byPassword.json()).toEqual({ ended: 1 })
    expect((await send('GET', '/about', undefined, own)).status).toBe(401)
  })

  test('needs to be an administrator to see and change users, and no token is good for it', async () => {
    const { token } = await newToken({ writes: true }, ADMIN)
    for (const [method, target, body] of [
      ['GET', '/users', undefined],
      ['PUT', `/users/${uniqueName()}`, { password: 'x' }],
      ['DELETE', `/users/${USER1}`, undefined],
    ] as const) {
      await expectError(
        send(method, target, body, { user: USER1 }),
        403,
        'permission-denied',
        'administrator',
      )
      await expectError(send(method, target, body), 401, 'credentials-required')
      await expectError(send(method, target, body, bearer(token)), 403, 'scope-exceeded')
    }
    const passwords = { password: 'admin', new: 'x' }
    await expectError(send('PUT', '/password', passwords, bearer(token)), 403, 'scope-exceeded')
    await expectError(send('PUT', '/password', passwords), 401, 'credentials-required')
    await expectError(send('DELETE', `/users/${uniqueName()}`, undefined, asAdmin), 404, 'user-not-found')
  })

  test.each([
    ['PUT', '/users/a%20b', { password: 'x' }, 'malformed-parameter', '1 to 64 letters'],
    ['PUT', '/users/default', { password: 'x' }, 'malformed-parameter', 'every user'],
    ['DELETE', '/users/%00', undefined, 'malformed-parameter', '1 to 64 letters'],
    ['PUT', '/users/x1', undefined, 'malformed-body', 'JSON body'],
    ['PUT', '/users/x1', {}, 'malformed-body', 'body.password'],
    ['PUT', '/users/x1', { password: '' }, 'malformed-body', '1 to 1000 characters'],
    ['PUT', '/users/x1', { password: 'x'.repeat(1001) }, 'malformed-body', '1 to 1000 characters'],
    ['PUT', '/users/x1', { password: `hyperslab_${'a'.repeat(43)}` }, 'malformed-body', 'form of a token'],
    ['PUT', '/users/x1', { password: 'x', admin: 1 }, 'malformed-body', 'body.admin'],
    ['PUT', '/users/x1', { password: 'x', group: 'lab' }, 'malformed-body', 'group'],
    ['PUT', '/password', { password: 'admin' }, 'malformed-body', 'body.new'],
    ['PUT', '/password', { password: 'admin', new: 1 }, 'malformed-body', 'body.new'],
  ] as const)('%s %s with %j is refused', async (method, target, body, code, text) => {
    const reply = await send(method, target, body, asAdmin)
    expect(reply.status, reply.story).toBe(400)
    expect(reply.json()).toMatchObject({ code, message: expect.stringContaining(text) })
    expect(await listed('x1')).toEqual([])
  })
})
