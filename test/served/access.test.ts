// Permissions with two services on one store, each as a process: a change by one applies to the next request of the
// other. Users come from the store, from files as HSDS has them, and from an identity provider.

import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServedHere, type SettingTexts, serveHere, sharedMemory } from '../fixtures/served.ts'
import { basic, type Method, type Reply, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const ANN = basic('ann', 'ann-secret')
const FILE_USER = basic('file_user', 'file-secret')
const PRIVATE = '/home/private.h5'

let directory: string
let settings: SettingTexts
const open = sharedMemory()
let servers: ServedHere[]
let provider: Server
/** The answer of the provider; undefined: an error. */
let keySet: object | undefined
let pair: Awaited<ReturnType<typeof generateKeyPair>>

beforeAll(async () => {
  pair = await generateKeyPair('RS256', { extractable: true })
  keySet = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] }
  provider = createServer((_, response) => {
    if (keySet === undefined) response.writeHead(500).end()
    else response.end(JSON.stringify(keySet))
  }).listen(0, '127.0.0.1')
  await once(provider, 'listening')
  const { port } = provider.address() as AddressInfo

  directory = await newWorkingDirectory()
  await writeFile(join(directory, 'passwords'), 'file_user:file-secret\nann:not-hers\n')
  await writeFile(join(directory, 'groups'), 'team: file_user\n')
  settings = {
    passwordFile: join(directory, 'passwords'),
    groupsFile: join(directory, 'groups'),
    adminGroup: 'wheel',
    tokenKeys: `http://127.0.0.1:${port}/keys`,
    tokenAudience: 'hyperslab',
    tokenGroupsClaim: 'realm_access.roles',
    logLevel: 'info',
  }
  const users = { ann: { password: 'ann-secret' }, boss: { password: 'boss-secret', admin: true } }
  const first = await serveHere(settings, { engine: open(), users })
  servers = [first, await serveHere(settings, { engine: open() })]
  const boss = basic('boss', 'boss-secret')
  await want(201, 'PUT', '/?domain=/home', { folder: true, owner: 'ann' }, boss)
  await want(201, 'PUT', `/?domain=${PRIVATE}`, undefined, ANN)
})

afterAll(async () => {
  for (const server of servers) await server.end()
  provider.closeAllConnections()
  provider.close()
  await rm(directory, { recursive: true, force: true })
})

function send(
  method: Method,
  target: string,
  body?: unknown,
  authorization?: string,
  server = 0,
  more = {},
): Promise<Reply> {
  const headers = { ...(authorization !== undefined && { authorization }), ...more }
  return sendTo(servers[server].address, method, target, body, { headers })
}

async function want(status: number, ...request: Parameters<typeof send>): Promise<Reply> {
  const reply = await send(...request)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

function token(claims: object, seconds = 300, kid = 'one'): Promise<string> {
  return new SignJWT({ aud: 'hyperslab', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(pair.privateKey)
    .then(text => `Bearer ${text}`)
}

const read = (authorization: string | undefined, server: number) =>
  send('GET', `/?domain=${PRIVATE}`, undefined, authorization, server).then(({ status }) => status)

describe('a list that one process changes', () => {
  test('counts in the other for the next request', async () => {
    const users = [FILE_USER, await token({ preferred_username: 'zoe' })]
    for (const [name, user] of [
      ['file_user', users[0]],
      ['zoe', users[1]],
    ] as const) {
      for (let turn = 0; turn < 3; turn++) {
        expect(await read(user, 1)).toBe(403)
        await want(201, 'PUT', `/acls/${name}?domain=${PRIVATE}`, { read: true }, ANN, 0)
        expect(await read(user, 1)).toBe(200)
        expect(await read(user, 0)).toBe(200)
        await want(201, 'PUT', `/acls/${name}?domain=${PRIVATE}`, { read: false }, ANN, 1)
        expect(await read(user, 0)).toBe(403)
      }
    }
  })

  test('closes the domain for everybody at once', async () => {
    await want(201, 'PUT', `/acls/default?domain=${PRIVATE}`, { read: true }, ANN, 0)
    expect(await read(undefined, 1)).toBe(200)
    await want(201, 'PUT', `/acls/default?domain=${PRIVATE}`, { read: false }, ANN, 1)
    expect(await read(undefined, 0)).toBe(403)
  })
})

describe('users of files', () => {
  test('log in with what the file says, but those of the data folder as that says', async () => {
    const about = async (authorization: string) =>
      (await want(200, 'GET', '/about', undefined, authorization)).json()
    expect(await about(FILE_USER)).toMatchObject({ username: 'file_user', isadmin: false })
    expect(await about(ANN)).toMatchObject({ username: 'ann' })
    await want(401, 'GET', '/about', undefined, basic('ann', 'not-hers'))
    await want(401, 'GET', '/about', undefined, basic('file_user', 'other'))
  })

  test('are in the groups of the groups file, as it is now', async () => {
    await want(201, 'PUT', `/acls/g:team?domain=${PRIVATE}`, { read: true }, ANN)
    const other = basic('new_user', 'new-secret')
    await want(401, 'GET', '/about', undefined, other)
    await writeFile(join(directory, 'passwords'), 'file_user:file-secret\nnew_user:new-secret\n')
    await writeFile(join(directory, 'groups'), 'team: file_user new_user\nwheel: new_user\n')
    for (const server of [0, 1]) {
      const about = await want(200, 'GET', '/about', undefined, other, server)
      expect(about.json()).toMatchObject({ username: 'new_user', isadmin: true })
    }
    await writeFile(join(directory, 'groups'), 'team:\n')
    expect((await want(200, 'GET', '/about', undefined, other)).json()).toMatchObject({ isadmin: false })
    expect(await read(other, 1)).toBe(403)
  })
})

describe('users of an identity provider', () => {
  test('have the name and the groups of the token, in both dialects', async () => {
    const zoe = await token({ preferred_username: 'zoe', realm_access: { roles: ['lab'] } })
    expect((await want(200, 'GET', '/about', undefined, zoe)).json()).toMatchObject({ username: 'zoe' })
    await want(201, 'PUT', `/acls/g:lab?domain=${PRIVATE}`, { read: true, update: false }, ANN)
    const zed = await token({ preferred_username: 'zed', realm_access: { roles: ['lab'] } })
    expect(await read(zed, 1)).toBe(200)
    expect(await read(await token({ preferred_username: 'zed' }), 1)).toBe(403)
    const host = { host: 'private%2Eh5.home.hdfgroup.org' }
    await want(200, 'GET', '/', undefined, zed, 0, host)
    await want(403, 'POST', '/groups', {}, zed, 0, host)
    // A classic client gives permissions to users that only tokens name.
    await want(201, 'PUT', '/acls/only-by-token', { read: false }, ANN, 0, host)
  })

  test('create domains of their own, and are administrators by their group', async () => {
    await want(201, 'PUT', '/acls/zoe?domain=/home', { create: true }, ANN)
    const zoe = await token({ preferred_username: 'zoe' })
    const made = await want(201, 'PUT', '/?domain=/home/of-zoe.h5', undefined, zoe)
    expect(made.json()).toMatchObject({ owner: 'zoe' })
    const admin = await token({ preferred_username: 'yves', realm_access: { roles: ['wheel'] } })
    await want(403, 'PUT', '/?domain=/top', { folder: true }, zoe)
    await want(201, 'PUT', '/?domain=/top', { folder: true }, admin)
  })

  test.each<[string, () => Promise<string>, number]>([
    ['has expired', () => token({ preferred_username: 'zoe' }, -100), 401],
    ['is for another service', () => token({ preferred_username: 'zoe', aud: 'x' }), 401],
    ['names nobody', () => token({}), 401],
    ['is of an unknown key', () => token({ preferred_username: 'zoe' }, 300, 'two'), 401],
    ['is none', async () => 'Bearer x', 401],
    ['is not there', async () => 'Bearer', 400],
    ['is two', async () => 'bearer a b', 400],
  ])('are refused with a token that %s', async (_, make, status) => {
    const authorization = await make()
    const reply = await want(status, 'GET', `/?domain=${PRIVATE}`, undefined, authorization)
    for (const part of authorization.split(/[ .]/).filter(part => part.length > 6)) {
      expect(reply.text).not.toContain(part)
    }
  })

  test('cannot log in with a token in the query', async () => {
    const [, zoe = ''] = (await token({ preferred_username: 'ann' })).split(' ')
    await want(403, 'GET', `/?domain=${PRIVATE}&api_key=${zoe}`)
  })

  test('get 503 while the provider does not answer', async () => {
    keySet = undefined
    const started = await serveHere(settings, { engine: open() })
    servers.push(started)
    const zoe = await token({ preferred_username: 'zoe' })
    const reply = await want(503, 'GET', `/?domain=${PRIVATE}&api_key=top-secret-key`, undefined, zoe, 2)
    expect(reply.headers['retry-after']).toBeDefined()
    expect(reply.json().code).toBe('token-keys-unavailable')
    await want(503, 'GET', `/?domain=${PRIVATE}`, undefined, zoe, 2)
    // Others are served.
    await want(200, 'GET', `/?domain=${PRIVATE}`, undefined, ANN, 2)
    await started.end()
    servers.pop()
    const logged = started.log()
    expect(logged).toContain('answered')
    for (const secret of ['top-secret-key', zoe.slice(7, 40), zoe.slice(-20), 'ann-secret', ANN.slice(6)]) {
      expect(logged).not.toContain(secret)
    }
  })
})
