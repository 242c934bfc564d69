// The audit of a service with two workers: changes in both dialects, refusals, logins, commands; its file is rotated.

import { execFile } from 'node:child_process'
import { readFileSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, basic, type Fields, type Method, type Options, sendTo, USER1, USER2 } from '../wire/client.ts'
import {
  COMMAND,
  commandEnvironment,
  newWorkingDirectory,
  type RunningServer,
  runCommand,
  startServer,
} from '../wire/server.ts'

const run = promisify(execFile)
const WRONG = 'a-wrong-password-7'
const VALUE = 'a-value-of-an-attribute'
const TEXT = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length: 23 }

let directory: string
let file: string
let server: RunningServer
const secrets = [WRONG, VALUE, ...[ADMIN, USER1, USER2].map(user => basic(user).slice('Basic '.length))]
let requests = 0

beforeAll(async () => {
  directory = await newWorkingDirectory()
  file = join(directory, 'audit.log')
  await runCommand(directory, ['user', 'add', ADMIN, '--admin'], 'admin\n')
  for (const user of [USER1, USER2]) await runCommand(directory, ['user', 'add', user], 'test\n')
  server = await startServer(directory, ['--workers', '2', '--audit', file])
  const folder = await sendTo(server.address, 'PUT', '/?domain=/home', { folder: true }, { user: ADMIN })
  expect(folder.status, folder.story).toBe(201)
})
afterAll(async () => {
  await server.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

function linesOf(path: string): Fields[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  expect(lines.pop()).toBe('')
  return lines.map(line => JSON.parse(line))
}

/** Sends a request, and returns the lines that it adds: they are there when it is answered. */
async function lines(method: Method, target: string, body?: unknown, options?: Options) {
  const id = `of-test.${requests++}`
  const headers = { ...options?.headers, 'x-request-id': id }
  const reply = await sendTo(server.address, method, target, body, { ...options, headers })
  return { reply, found: linesOf(file).filter(line => line.id === id) }
}

/** Creates a domain, and returns the id of its root group. */
async function newDomain(target: string, user: string): Promise<string> {
  const { reply, found } = await lines('PUT', target, undefined, { user })
  expect(reply.status, reply.story).toBe(201)
  expect(found).toMatchObject([{ outcome: 'done', operation: 'create-domain', user, login: 'password' }])
  return String(reply.json().root)
}

test('names the user that removed an attribute, in both dialects', async () => {
  const domains = [
    ['classic', 'host=audited.hdfgroup.org', '/audited'],
    ['hsds', 'domain=/home/audited.h5', '/home/audited.h5'],
  ] as const
  for (const [dialect, query, path] of domains) {
    const root = await newDomain(`/?${query}`, ADMIN)
    const attribute = `/groups/${root}/attributes/of%20ann?${query}`
    const body = { type: TEXT, value: VALUE }
    const made = await lines('PUT', attribute, body, { user: ADMIN })
    expect(made.reply.status, made.reply.story).toBe(201)
    const { found } = await lines('DELETE', attribute, undefined, { user: ADMIN })
    expect(found).toMatchObject([
      {
        audit: 1,
        outcome: 'done',
        status: 200,
        operation: 'delete-attribute',
        method: 'DELETE',
        dialect,
        user: ADMIN,
        login: 'password',
        bucket: 'hyperslab',
        domain: path,
        what: { collection: 'groups', id: root, name: 'of ann' },
        received: 0,
      },
    ])
    expect(found[0]?.address).toMatch(/127\.0\.0\.1|::1/)
    expect((await lines('GET', `/groups/${root}?${query}`, undefined, { user: ADMIN })).found).toEqual([])
  }
})

test('has flags before and after, names and targets of links, and moves', async () => {
  const query = 'domain=/home/listed.h5'
  const root = await newDomain(`/?${query}`, ADMIN)
  const item = `/acls/${USER1}?${query}`
  await lines('PUT', item, { read: true }, { user: ADMIN })
  const { found } = await lines('PUT', item, { read: true, update: true }, { user: ADMIN })
  expect(found).toMatchObject([
    { what: { user: USER1, items: [{ user: USER1, before: ['read'], after: ['read', 'update'] }] } },
  ])
  const link = await lines('PUT', `/groups/${root}/links/soft?${query}`, { h5path: '/x' }, { user: ADMIN })
  expect(link.found).toMatchObject([{ what: { id: root, title: 'soft', target: { h5path: '/x' } } }])
  const group = await lines('POST', `/groups?${query}`, { link: { id: root, name: 'new' } }, { user: ADMIN })
  expect(group.found).toMatchObject([
    { what: { created: [group.reply.json().id], links: [{ id: root, name: 'new' }] } },
  ])
  const several = { attributes: { one: { type: TEXT, value: VALUE } } }
  const put = await lines('PUT', `/groups/${root}/attributes?${query}`, several, { user: ADMIN })
  expect(put.found).toMatchObject([{ what: { attributes: [{ id: root, names: ['one'] }] } }])
  const moved = { moved_from: '/home/listed.h5' }
  const move = await lines('PUT', '/?domain=/home/moved.h5', moved, { user: ADMIN })
  expect(move.found).toMatchObject([{ domain: '/home/moved.h5', what: { movedFrom: '/home/listed.h5' } }])
})

test('has equal changes of many lists once, with their number and their paths', async () => {
  await lines('PUT', '/?domain=/home/many', { folder: true, owner: USER1 }, { user: ADMIN })
  for (const name of ['a', 'b']) await newDomain(`/?domain=/home/many/${name}.h5`, USER1)
  const body = { owner: USER2, below: true, owned_by: USER1 }
  const { found } = await lines('PUT', '/access?domain=/home/many', body, { user: ADMIN })
  const all = ['create', 'read', 'update', 'delete', 'readACL', 'updateACL']
  const items = [
    { user: USER1, before: all },
    { user: USER2, after: all },
  ]
  const paths = ['/home/many', '/home/many/a.h5', '/home/many/b.h5']
  const changes = [{ count: 3, formerOwner: USER1, items, paths }]
  expect(found).toMatchObject([
    {
      operation: 'change-access',
      domain: '/home/many',
      what: { owner: USER2, below: true, ownedBy: USER1, changes },
    },
  ])
})

test('has writes that are refused, with the name of the user or the one that was tried', async () => {
  await newDomain('/?domain=/home/closed.h5', ADMIN)
  const target = '/?domain=/home/closed.h5'
  expect((await lines('DELETE', target, undefined, { user: USER2 })).found).toMatchObject([
    { outcome: 'refused', status: 403, code: 'permission-denied', operation: 'delete-domain', user: USER2 },
  ])
  const wrong = { headers: { authorization: basic(USER1, WRONG) } }
  for (const method of ['GET', 'DELETE'] as const) {
    const { found } = await lines(method, target, undefined, wrong)
    expect(found).toMatchObject([{ outcome: 'refused', status: 401, tried: USER1 }])
    expect(found[0]).not.toHaveProperty('user')
  }
  // Nothing was refused for a lack of rights.
  expect((await lines('DELETE', '/?domain=/home/none.h5', undefined, { user: ADMIN })).found).toEqual([])
})

test('has logins, tokens and shares, and what is done with them', async () => {
  const login = await lines('POST', '/login', undefined, { user: USER1 })
  const session = login.reply.json().id
  expect(login.found).toMatchObject([
    { operation: 'begin-session', user: USER1, login: 'password', what: { session } },
  ])
  const cookie = String(login.reply.headers['set-cookie']).split(';')[0] ?? ''
  const page: Options = { headers: { cookie, 'x-requested-with': 'test' } }
  const wanted = { name: 'beam', end: '2999-01-01', writes: true }
  const made = await lines('POST', '/tokens', wanted, page)
  expect(made.reply.status, made.reply.story).toBe(201)
  const { id, token } = made.reply.json<{ id: string; token: string }>()
  expect(made.found).toMatchObject([{ login: 'session', loginId: session, what: { id, name: 'beam' } }])
  const bearer = { headers: { authorization: `Bearer ${token}` } }
  await lines('PUT', '/?host=ofbeam.hdfgroup.org', undefined, bearer)
  const byToken = await lines('DELETE', '/?host=ofbeam.hdfgroup.org', undefined, bearer)
  expect(byToken.found).toMatchObject([{ user: USER1, login: 'token', loginId: id, token: 'beam' }])

  await newDomain('/?domain=/home/shared.h5', ADMIN)
  const share = { domain: '/home/shared.h5', end: '2999-01-01' }
  const shared = await lines('POST', '/shares', share, { user: ADMIN })
  const { id: shareId, address } = shared.reply.json<{ id: string; address: string }>()
  expect(shared.found).toMatchObject([{ what: { id: shareId, domain: '/home/shared.h5' } }])
  const byShare = await lines('DELETE', `${new URL(address).pathname}?domain=/home/shared.h5`)
  expect(byShare.found).toMatchObject([
    { outcome: 'refused', login: 'share', loginId: shareId, sharedBy: ADMIN },
  ])

  expect((await lines('DELETE', `/tokens/${id}`, undefined, page)).found).toMatchObject([
    { operation: 'revoke-token', what: { id } },
  ])
  expect((await lines('DELETE', '/login', undefined, page)).found).toMatchObject([
    { operation: 'end-session-of-caller', user: USER1, what: { session } },
  ])
  secrets.push(token, address.split('/s/')[1]?.replace('/', '') ?? 'no share', cookie.split('=')[1] ?? '')
})

test('has lines of commands, and `hyperslab audit` finds them', async () => {
  const audit = { HYPERSLAB_AUDIT: file }
  await runCommand(directory, ['group', 'add', 'staff', USER1], '', audit)
  expect(linesOf(file).at(-1)).toMatchObject({
    outcome: 'done',
    operation: 'group add',
    login: 'command',
    what: { name: 'staff', users: [USER1] },
  })
  const { stdout } = await run(process.execPath, [COMMAND, 'audit', file, '--domain', '/audited', '--json'], {
    cwd: directory,
    env: commandEnvironment(),
  })
  const operations = stdout.split('\n').flatMap(line => (line === '' ? [] : JSON.parse(line).operation))
  expect(operations).toEqual(['create-domain', 'put-attribute', 'delete-attribute'])
})

test('goes on in a new file after the old one was renamed and SIGHUP, and has no secret and no value', async () => {
  renameSync(file, `${file}.1`)
  server.process.kill('SIGHUP')
  const write = async () => {
    await sendTo(server.address, 'PUT', `/?host=new${Date.now()}.hdfgroup.org`, undefined, { user: ADMIN })
    return linesOf(file).length
  }
  await expect.poll(() => write().catch(() => 0), { timeout: 60_000 }).toBeGreaterThan(1)
  const text = readFileSync(`${file}.1`, 'utf8') + readFileSync(file, 'utf8')
  for (const secret of secrets) expect(text).not.toContain(secret)
  const figures = await sendTo(server.address, 'GET', '/metrics', undefined, { user: ADMIN })
  expect(figures.text).toMatch(/^hyperslab_audit_lost_total 0$/m)
})
