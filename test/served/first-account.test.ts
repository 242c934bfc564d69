// The first account of a service, and the end of the open service with it, in every process on the store, for good.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type ServedHere, type SettingTexts, serveHere, setUsers, sharedMemory } from '../fixtures/served.ts'
import { basic, sendTo } from '../wire/client.ts'

let servers: ServedHere[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.end()
})

let domains = 0

/** The statuses of writes, with and without credentials, of each server. */
async function writes(): Promise<number[]> {
  const known = { authorization: basic('carl', 'any') }
  const sent = servers.flatMap(({ address }) =>
    [known, {}].map(headers => sendTo(address, 'PUT', `/?domain=/d${domains++}.h5`, undefined, { headers })),
  )
  return [...new Set((await Promise.all(sent)).map(({ status }) => status))]
}

test.each([
  [
    'by a command',
    async (open: ReturnType<typeof sharedMemory>) => setUsers(open(), { ann: { password: 'a' } }),
  ],
  [
    'over HTTP',
    async () => {
      const body = { password: 'secret', admin: true }
      const reply = await sendTo(servers[0].address, 'PUT', '/users/ann', body)
      expect(reply.status, reply.story).toBe(201)
    },
  ],
] as const)('the first account, made %s, ends it in every process, for good', async (_, make) => {
  const open = sharedMemory()
  servers = [await serveHere({}, { engine: open() }), await serveHere({}, { engine: open() })]
  const first = domains
  expect(await writes()).toEqual([201])
  await make(open)
  expect(await writes()).toEqual([401])
  await setUsers(open(), { root: { password: 'secret', admin: true } })
  const headers = { authorization: basic('root', 'secret') }
  const removed = await sendTo(servers[1].address, 'DELETE', `/?domain=/d${first}.h5`, undefined, { headers })
  expect(removed.status, removed.story).toBe(200)
  await setUsers(open(), { ann: undefined, root: undefined })
  expect(await writes()).toEqual([401])
})

test('a store that was served with users of a file is not open without the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-users-'))
  const file = join(folder, 'passwords')
  await writeFile(file, 'ann:secret\n')
  const open = sharedMemory()
  const serve = async (settings: SettingTexts) => {
    servers = [await serveHere(settings, { engine: open() })]
  }
  await serve({ passwordFile: file })
  expect(await writes()).toEqual([401])
  await servers[0].end()
  await serve({})
  expect(await writes()).toEqual([401])
  await rm(folder, { recursive: true })
})

const CODE = '0123456789abcdef0123456789abcdef'
const first = (address: string, body: object, headers = {}) =>
  sendTo(address, 'POST', '/first-account', { password: 'secret', ...body }, { headers })
const outcomeOf = ({ status, json }: Awaited<ReturnType<typeof first>>) => [
  status,
  ...(status < 400 ? [] : [json<{ code: string }>().code]),
]
/** Callers may do nothing until they have logged in. */
const CLOSED = { allowNoauth: 'false' }

test('the code makes the first account of a closed service, once, whatever comes at the same moment', async () => {
  const open = sharedMemory()
  servers = await Promise.all([1, 2].map(() => serveHere(CLOSED, { engine: open(), firstAccountCode: CODE })))
  const [one, two] = servers.map(({ address }) => address) as [string, string]
  for (const code of ['', 'x', CODE.slice(1), `${CODE}0`])
    expect(outcomeOf(await first(one, { name: 'root', code }))).toEqual([403, 'wrong-code'])
  expect(outcomeOf(await first(one, { name: 'root' }))).toEqual([403, 'wrong-code'])
  const made = await Promise.all(
    ['a', 'b', 'c', 'd'].map((name, i) => first(i % 2 ? one : two, { name, code: CODE })),
  )
  expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  const { name } = made.find(({ status }) => status === 201)?.json<{ name: string }>() ?? {}
  const headers = { authorization: basic(name ?? '', 'secret') }
  for (const address of [one, two]) {
    const { users } = (await sendTo(address, 'GET', '/users', undefined, { headers })).json<{
      users: object[]
    }>()
    expect(users).toEqual([{ name, admin: true, groups: [], disabled: false, stored: true }])
    expect(outcomeOf(await first(address, { name: 'late', code: CODE }))).toEqual([409, 'accounts-exist'])
  }
  await setUsers(open(), { [name ?? '']: undefined })
  expect(outcomeOf(await first(one, { name: 'late', code: CODE }))).toEqual([409, 'accounts-exist'])
})

test('wrong codes count as failed logins, and the right one never waits', async () => {
  servers = [await serveHere(CLOSED, { firstAccountCode: CODE })]
  const [{ address, log }] = servers as [ServedHere]
  for (let i = 0; i < 5; i++) await first(address, { name: `n${i}`, code: `x${i}` })
  expect(outcomeOf(await first(address, { name: 'n', code: 'y' }))).toEqual([503, 'too-many-logins'])
  expect(log()).toContain('"account":"the first account"')
  expect(log()).not.toContain(CODE)
  expect((await first(address, { name: 'root', code: CODE })).status).toBe(201)
})

test('a program of the machine makes the first account of an open service without the code, and a proxy does not', async () => {
  servers = [await serveHere({}, { firstAccountCode: CODE })]
  const [{ address }] = servers as [ServedHere]
  const proxied = { 'x-forwarded-for': '192.0.2.7' }
  expect(outcomeOf(await first(address, { name: 'root' }, proxied))).toEqual([403, 'wrong-code'])
  expect((await first(address, { name: 'root' })).status).toBe(201)
})

test.each([
  ['a page of another site', { code: CODE }, { origin: 'http://evil.example' }, 403, 'origin-not-allowed'],
  ['a name that means everybody', { code: CODE, name: 'default' }, {}, 400, 'malformed-body'],
  ['a name that no account can have', { code: CODE, name: 'a b' }, {}, 400, 'malformed-body'],
  ['an empty password', { code: CODE, password: '' }, {}, 400, 'malformed-body'],
  ['a member that it has not', { code: CODE, admin: false }, {}, 400, 'malformed-body'],
] as const)('no first account is made for %s', async (_, body, headers, status, code) => {
  servers = [await serveHere(CLOSED, { firstAccountCode: CODE })]
  const [{ address }] = servers as [ServedHere]
  const reply = await sendTo(
    address,
    'POST',
    '/first-account',
    { name: 'root', password: 'secret', ...body },
    { headers, undeclared: true },
  )
  expect(outcomeOf(reply)).toEqual([status, code])
  expect((await first(address, { name: 'root', code: CODE })).status).toBe(201)
})

test('a service whose users are in a password file has no first account to make', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-users-'))
  const file = join(folder, 'passwords')
  await writeFile(file, 'ann:secret\n')
  servers = [await serveHere({ passwordFile: file }, { firstAccountCode: CODE })]
  const [{ address }] = servers as [ServedHere]
  expect(outcomeOf(await first(address, { name: 'root', code: CODE }))).toEqual([409, 'accounts-exist'])
  await rm(folder, { recursive: true })
})
