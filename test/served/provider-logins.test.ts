// People that log in at identity providers, of which two run on this machine, while two services serve one store: what
// begins at one service ends at the other. The secrets of a login are in no log and in no error.

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ServedHere,
  type SettingTexts,
  serveHere,
  setUsers,
  sharedMemory,
  storedText,
} from '../fixtures/served.ts'
import { type IdentityProvider, startIdentityProvider } from '../servers/identity-provider.ts'
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts'
import { type Visit, Visitor } from '../servers/visitor.ts'
import { basic } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

let directory: string
let lab: IdentityProvider
let uni: IdentityProvider
let settings: SettingTexts & { readonly audit: string }
const open = sharedMemory()
let servers: ServedHere[]
/** The address that people use, which leads to the first server. */
let address: string
let proxy: TcpProxy

const logged = () => servers.map(server => server.log()).join('')

beforeAll(async () => {
  directory = await newWorkingDirectory()
  ;[lab, uni] = await Promise.all([startIdentityProvider(), startIdentityProvider()])
  // The servers must know it before they have ports.
  proxy = await startTcpProxy(() => Number(new URL(servers[0].address).port))
  address = `http://127.0.0.1:${proxy.port}`
  for (const provider of [lab, uni]) provider.setService(address)
  lab.people.set('ann', person('1', 'ann', { name: 'Ann of the lab', groups: ['physics', 'staff'] }))
  lab.people.set('bob', person('2', 'bob', { name: '<b>Bob</b>', groups: 'physics' }))
  lab.people.set('mia', person('4', 'mia', {}))
  uni.people.set('ann', person('1', 'ann', { name: 'Ann of the university', groups: ['physics'] }))
  await writeFile(join(directory, 'lab-secret'), `${lab.client.secret}\n`)
  const { id: client_id, secret: client_secret } = lab.client
  const providers = [
    { name: 'lab', title: 'The lab', issuer: lab.issuer, client_id, client_secret_file: 'lab-secret' },
    { name: 'uni', issuer: uni.issuer, client_id, client_secret },
  ]
  await writeFile(join(directory, 'providers.json'), JSON.stringify(providers))
  settings = {
    loginProviders: join(directory, 'providers.json'),
    publicUrl: address,
    defaultAcl: 'none',
    logLevel: 'trace',
    audit: join(directory, 'audit.log'),
  }
  const users = { root: { password: 'root-secret', admin: true } }
  const first = await serveHere(settings, { engine: open(), users })
  servers = [first, await serveHere(settings, { engine: open() })]
})

afterAll(async () => {
  expect(await servers[0]?.findings()).toEqual([])
  await proxy.close()
  await Promise.all([...servers.map(server => server.end()), lab.close(), uni.close()])
  await rm(directory, { recursive: true, force: true })
})

function person(subject: string, name: string, claims: object) {
  return { subject, claims: { preferred_username: name, ...claims } }
}

/** Logs in at the provider, to the address to which it sends the person back. */
async function answerOf(visitor: Visitor, name: string, provider = 'lab', query = ''): Promise<string> {
  const form = await visitor.visit(`${address}/login/${provider}${query}`)
  expect(form.text).toContain('<form>')
  return (await visitor.visit(`${form.url}?name=${name}`, address)).url
}

async function logIn(name: string, provider = 'lab', query = ''): Promise<{ visitor: Visitor; end: Visit }> {
  const visitor = new Visitor()
  const end = await visitor.get(await answerOf(visitor, name, provider, query))
  expect(end.status, end.text).toBe(302)
  return { visitor, end }
}

/** The login of the visitor, as a server sees it. */
async function loginOf(visitor: Visitor, at = address): Promise<Record<string, unknown>> {
  const { text } = await visitor.get(`${at}/login`, { accept: 'application/json' })
  return JSON.parse(text)
}

async function asRoot(method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: basic('root', 'root-secret') }
  return fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}

test('a person logs in, and is the same user at every server; the name and the groups are those of the provider', async () => {
  const { visitor, end } = await logIn('ann', 'lab', '?next=/ui%3Ffolder%3D/home')
  expect(end.headers.get('location')).toBe(`${address}/ui?folder=/home`)
  expect(end.headers.get('referrer-policy')).toBe('no-referrer')
  expect(end.headers.get('cache-control')).toBe('no-store')
  const login = { username: 'ann@lab', displayName: 'Ann of the lab', login: 'session', isadmin: false }
  for (const server of servers) expect(await loginOf(visitor, server.address)).toMatchObject(login)
  const { id: session } = await loginOf(visitor)
  const audit = await readFile(settings.audit, 'utf8')
  expect(JSON.parse(audit.split('\n')[0] ?? '')).toMatchObject({
    operation: 'finish-provider-login',
    outcome: 'done',
    what: { provider: 'lab', user: 'ann@lab', session },
  })
  expect(audit).not.toMatch(/state|code=/)
  // Only the cookie of the session is left, and nothing of it is in an address.
  const names = [...visitor.cookies.keys()].filter(name => name.startsWith('hyperslab'))
  expect(names).toEqual([`hyperslab-${new URL(address).port}`])

  expect((await asRoot('PUT', '/?domain=/x', { folder: true, owner: 'root' })).status).toBe(201)
  const get = () => visitor.get(`${servers[1]?.address}/?domain=/x`, { accept: 'application/json' })
  expect((await get()).status).toBe(403)
  expect((await asRoot('PUT', '/acls/g:physics@lab?domain=/x', { read: true })).status).toBe(201)
  expect((await get()).status).toBe(200)
  const users = (await (await asRoot('GET', '/users')).json()) as { users: object[] }
  expect(users.users).toContainEqual({
    name: 'ann@lab',
    displayName: 'Ann of the lab',
    issuer: lab.issuer,
    admin: false,
    groups: [],
    disabled: false,
    stored: true,
  })
})

test('what a token and a share may follows the groups of the last login of their user', async () => {
  lab.people.set('max', person('20', 'max', { groups: ['optics'] }))
  const { visitor } = await logIn('max')
  await asRoot('PUT', '/?domain=/optics', { folder: true, owner: 'root' })
  await asRoot('PUT', '/acls/g:optics@lab?domain=/optics', { read: true, updateACL: true })
  await asRoot('PUT', '/acls/default?domain=/optics', { read: false })
  const make = async (path: string, body: object) => {
    const headers = { cookie: visitor.cookie, 'x-requested-with': 'test' }
    const reply = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await reply.json()) as { token: string; address: string }
  }
  const end = '2999-01-01'
  const { token } = await make('/tokens', { name: 'nightly', end })
  const share = await make('/shares', { domain: '/optics', end })
  const statuses = async () => {
    const headers = { authorization: `Bearer ${token}` }
    const ofToken = await fetch(`${servers[1]?.address}/domains?domain=/optics`, { headers })
    return [ofToken.status, (await fetch(`${share.address}domains?domain=/optics`)).status]
  }
  expect(await statuses()).toEqual([200, 200])
  lab.people.set('max', person('20', 'max', { groups: ['metals'] }))
  await logIn('max')
  await expect.poll(statuses, { timeout: 60_000 }).toEqual([403, 404])
  lab.people.set('max', person('20', 'max', { groups: ['optics', 'metals'] }))
  await logIn('max')
  await expect.poll(statuses, { timeout: 60_000 }).toEqual([200, 200])
})

test('users and groups of two providers, and accounts, have different names; a user keeps the name', async () => {
  await setUsers(open(), { 'bob@lab': { password: 'secret' } })
  const one = await logIn('ann', 'lab')
  const other = await logIn('ann', 'uni')
  const bob = await logIn('bob', 'lab')
  expect(await loginOf(one.visitor)).toMatchObject({ username: 'ann@lab' })
  expect(await loginOf(other.visitor)).toMatchObject({
    username: 'ann@uni',
    displayName: 'Ann of the university',
  })
  expect(await loginOf(bob.visitor)).toMatchObject({ username: 'bob-2@lab', displayName: '<b>Bob</b>' })
  await asRoot('PUT', '/?domain=/y', { folder: true, owner: 'root' })
  await asRoot('PUT', '/acls/g:physics@uni?domain=/y', { read: true })
  const statusOf = async ({ visitor }: { visitor: Visitor }) =>
    (await visitor.get(`${address}/?domain=/y`, { accept: 'application/json' })).status
  expect(await Promise.all([one, other, bob].map(statusOf))).toEqual([403, 200, 403])

  // The subject is the same person under another name, and another subject with the old name is another one.
  lab.people.set('eve', person('10', 'eve', { name: 'Eve' }))
  expect(await loginOf((await logIn('eve')).visitor)).toMatchObject({ username: 'eve@lab' })
  lab.people.set('eva', person('10', 'eva', { name: 'Eva' }))
  lab.people.set('eve', person('11', 'eve', {}))
  const eva = await loginOf((await logIn('eva')).visitor)
  expect(eva).toMatchObject({ username: 'eve@lab', displayName: 'Eva' })
  expect(await loginOf((await logIn('eve')).visitor)).toMatchObject({ username: 'eve-2@lab' })
})

test('a login that begins at one server is finished at another, and only in its browser, for its provider, and once', async () => {
  const visitor = new Visitor()
  const answer = await answerOf(visitor, 'ann')
  const elsewhere = answer.replace(address, servers[1]?.address ?? '')
  const refuse = async (visitor: Visitor, url: string, code: string, accept = 'application/json') => {
    const reply = await visitor.get(url, { accept })
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400)
    expect(reply.status).toBeLessThan(500)
    expect(reply.headers.getSetCookie().filter(cookie => !cookie.includes('Max-Age=0'))).toEqual([])
    if (accept === 'text/html') expect(reply.text).toContain('<h1>You are not logged in</h1>')
    else expect(JSON.parse(reply.text)).toMatchObject({ code })
    return reply.text
  }
  // An attacker sends the own answer to another person: with it, that person would work as the attacker.
  const victim = new Visitor()
  await refuse(victim, answer, 'login-unknown')
  await answerOf(victim, 'bob')
  await refuse(victim, answer, 'login-unknown')
  const stateOf = (url: string) => new URL(url).searchParams.get('state') ?? ''
  const second = new Visitor()
  const answerOfSecond = await answerOf(second, 'bob')
  await refuse(second, answer.replace(stateOf(answer), stateOf(answerOfSecond)), 'login-failed')
  await refuse(visitor, answer.replace('/lab/', '/uni/'), 'login-unknown')
  await refuse(visitor, answer.replace(/state=[^&]*/, 'state=other'), 'login-unknown')
  await refuse(visitor, answer.replace(/state=[^&]*/, `state=${stateOf(answer)}x`), 'login-unknown')
  await refuse(visitor, answer.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example'), 'login-failed')
  await refuse(visitor, `${address}/login/none/callback?state=1&code=2`, 'provider-not-found', 'text/html')

  const cookies = visitor.cookie
  const end = await visitor.get(elsewhere)
  expect(end.status, end.text).toBe(302)
  expect(end.headers.get('location')).toBe(`${address}/ui`)
  expect(await loginOf(visitor)).toMatchObject({ username: 'ann@lab' })
  await refuse(visitor, answer, 'login-unknown')
  // Not even with the cookie of that time, which the browser has removed.
  const again = await fetch(answer, { headers: { cookie: cookies, accept: 'text/html' }, redirect: 'manual' })
  expect(again.status).toBe(403)
  expect(again.headers.getSetCookie()).toEqual([])
  expect(await again.text()).toContain('was used already')
})

test('a page of another origin, and addresses that are none, are refused before the provider is asked', async () => {
  const visitor = new Visitor()
  const before = lab.requests.length
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'ui',
    '',
    '/login/lab',
    `/${'x'.repeat(2000)}`,
  ]) {
    const url = `${address}/login/lab?next=${encodeURIComponent(next)}`
    const reply = await visitor.get(url, { accept: 'application/json' })
    expect(reply.status, next).toBe(400)
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'malformed-parameter' })
  }
  expect(visitor.cookies.size).toBe(0)
  expect(lab.requests).toHaveLength(before)
  const { end } = await logIn('ann', 'lab', `?next=${encodeURIComponent('/.//evil.example')}`)
  expect(end.headers.get('location')).toBe(`${address}//evil.example`)
})

test('a refusal of the provider is reported without its text, and the log has the reason', async () => {
  const visitor = new Visitor()
  const form = await visitor.visit(`${address}/login/lab`)
  const end = await visitor.visit(`${form.url}?cancel=1`)
  expect(end.status).toBe(403)
  expect(end.text).toContain('it was cancelled, or you may not use this service (access_denied)')
  expect(end.text).not.toContain('<b>')
  expect(end.headers.get('referrer-policy')).toBe('no-referrer')
  expect(logged()).toContain('a login at the identity provider lab failed: it was cancelled')
})

test('several logins under way in a browser do not disturb each other, and the oldest ones are given up', async () => {
  const visitor = new Visitor()
  const first = await answerOf(visitor, 'ann')
  const second = await visitor.visit(`${address}/login/lab`, `${address}/login/lab/callback`)
  expect((await visitor.get(second.url)).status).toBe(302)
  expect((await visitor.get(first)).status).toBe(302)
  for (let count = 0; count < 8; count++) await visitor.get(`${address}/login/lab`)
  expect([...visitor.cookies.keys()].filter(name => name.includes('-login-'))).toHaveLength(5)
})

test('a logout ends the session here, and leads to the end of the login at the provider', async () => {
  const { visitor } = await logIn('ann')
  const reply = await visitor.send('DELETE', `${servers[1]?.address}/login`, { 'x-requested-with': 'test' })
  const { logout } = JSON.parse(reply.text) as { logout: string }
  expect(logout).toMatch(new RegExp(`^${lab.issuer}/session/end\\?`))
  expect(new URL(logout).searchParams.get('post_logout_redirect_uri')).toBe(`${address}/ui`)
  expect(new URL(logout).searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
  expect(await loginOf(visitor)).toMatchObject({ login: 'none' })
  // Here the person is still known, there not any more afterwards.
  const stillKnown = await visitor.visit(`${address}/login/lab`, `${address}/login/lab/callback`)
  expect(stillKnown.url).toContain('code=')
  const page = await visitor.visit(logout)
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const confirmed = await fetch(`${lab.issuer}/session/end/confirm`, {
    method: 'POST',
    headers: { cookie: visitor.cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf, logout: 'yes' }),
    redirect: 'manual',
  })
  expect(confirmed.headers.get('location')).toBe(`${address}/ui`)
  visitor.cookies.clear()
  expect((await visitor.visit(`${address}/login/lab`)).text).toContain('<form>')
})

test('a wrong client secret is a fault of the service for the person and in the log, until it is right again', async () => {
  const file = join(directory, 'lab-secret')
  await writeFile(file, 'a wrong secret\n')
  const visitor = new Visitor()
  const rejected = await visitor.get(await answerOf(visitor, 'bob'), { accept: 'text/html' })
  expect(rejected.status).toBe(502)
  expect(rejected.text).toContain('The lab: this service is not set up correctly there')
  expect(rejected.text).not.toContain('log in again')
  expect(logged()).toMatch(/identity provider lab failed: .* rejects the client_id or the client secret/)
  expect(logged()).not.toContain('a wrong secret')
  await writeFile(file, `${lab.client.secret}\n`)
  expect(await loginOf((await logIn('bob')).visitor)).toMatchObject({ login: 'session' })
})

test('an account that is disabled cannot log in at the provider, and its sessions end', async () => {
  const { visitor } = await logIn('mia')
  expect((await asRoot('DELETE', '/users/mia@lab')).status).toBe(200)
  expect((await visitor.get(`${address}/about`)).status).toBe(401)
  const again = new Visitor()
  const end = await again.get(await answerOf(again, 'mia'))
  expect(end.status).toBe(403)
  expect(end.text).toContain('the account mia@lab is disabled')
})

test('the secrets of a login are in no log, no error, no Referer and not in the store', async () => {
  const visitor = new Visitor()
  const begun = await visitor.get(`${address}/login/lab`)
  const sent = new URL(begun.headers.get('location') ?? '').searchParams
  const sealed = [...visitor.cookies.values()]
  expect(sealed).toHaveLength(1)
  const answer = await answerOf(visitor, 'ann')
  const end = await visitor.get(answer)
  expect(end.status).toBe(302)
  const replay = await new Visitor().get(answer)
  const { searchParams } = new URL(answer)
  const session = visitor.cookies.get(`hyperslab-${new URL(address).port}`) ?? ''
  const secrets = [
    ...['state', 'nonce', 'code_challenge'].map(name => sent.get(name) ?? ''),
    ...['code', 'state'].map(name => searchParams.get(name) ?? ''),
    ...sealed,
    session,
    lab.client.secret,
  ]
  const stored = await storedText(open())
  // So the records are readable in it.
  expect(stored).toContain('Ann of the lab')
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10)
    expect(logged()).not.toContain(secret)
    expect(stored).not.toContain(secret)
    expect(replay.text).not.toContain(secret)
    for (const { referer } of lab.requests) expect(referer ?? '').not.toContain(secret)
  }
  expect(logged()).toContain('finish-provider-login')
})

test('while a provider is away, it is listed so, and sessions, tokens, passwords and the other provider go on', async () => {
  const { visitor } = await logIn('ann')
  const token = await fetch(`${address}/tokens`, {
    method: 'POST',
    headers: { cookie: visitor.cookie, 'x-requested-with': 'test' },
    body: JSON.stringify({ name: 'nightly', end: '2999-01-01' }),
  })
  const { token: secret } = (await token.json()) as { token: string }
  const port = Number(new URL(lab.issuer).port)
  await lab.close()
  // A server that begins without the provider does not know it yet.
  await servers[1]?.end()
  servers[1] = await serveHere(settings, { engine: open() })
  const other = servers[1].address
  const listed = async () =>
    ((await (await fetch(`${other}/providers`)).json()) as { providers: object[] }).providers
  expect(await listed()).toEqual([
    { name: 'lab', title: 'The lab', login: `${address}/login/lab`, available: false },
    { name: 'uni', title: 'uni', login: `${address}/login/uni`, available: true },
  ])
  const refused = await new Visitor().get(`${other}/login/lab`)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(refused.text).toContain('The lab does not answer')
  expect(await loginOf(visitor, other)).toMatchObject({ username: 'ann@lab' })
  const about = await fetch(`${other}/about`, { headers: { authorization: `Bearer ${secret}` } })
  expect(await about.json()).toMatchObject({ username: 'ann@lab' })
  expect((await asRoot('GET', '/users')).status).toBe(200)
  // The session ends here although its provider is away.
  const logout = await visitor.send('DELETE', `${other}/login`, { 'x-requested-with': 'test' })
  expect(JSON.parse(logout.text)).toMatchObject({ username: 'anonymous', login: 'none' })
  expect(JSON.parse(logout.text)).not.toHaveProperty('logout')

  lab = await startIdentityProvider(port)
  lab.setService(address)
  await expect.poll(listed, { timeout: 60_000, interval: 500 }).toMatchObject([{ available: true }, {}])
})
