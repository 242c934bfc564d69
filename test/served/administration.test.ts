// Changes of users that are refused to administrators: those that leave nobody to administer the service, and of
// passwords that are elsewhere. And the end of the audit, which they read.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ServedHere, type SettingTexts, serveHere } from '../fixtures/served.ts'
import { basic, type Method, sendTo } from '../wire/client.ts'

let folder: string
let server: ServedHere | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-administration-'))
})
afterEach(async () => {
  await server?.end()
  server = undefined
  await rm(folder, { recursive: true })
})

const ROOT = { root: { password: 'secret', admin: true }, ann: { password: 'a' } }

async function serve(settings: SettingTexts = {}) {
  const served = await serveHere(settings, { users: ROOT })
  server = served
  return async (method: Method, target: string, body?: object, user = 'root', password = 'secret') => {
    const headers = { authorization: basic(user, password) }
    const reply = await sendTo(served.address, method, target, body, { headers })
    return { status: reply.status, body: reply.json() }
  }
}

const LAST = { status: 409, body: { code: 'last-administrator' } }

test('the last administrator stays, whichever way is tried, and also if two take the rights of each other', async () => {
  const send = await serve()
  const tries = [
    () => send('POST', '/users/root', { admin: false }),
    () => send('POST', '/users/root', { disabled: true }),
    () => send('DELETE', '/users/root'),
    () => send('DELETE', '/users/root?remove=1'),
  ]
  for (const attempt of tries) expect(await attempt()).toMatchObject(LAST)
  // A disabled administrator is none.
  await send('POST', '/users/ann', { admin: true, disabled: true })
  for (const attempt of tries) expect(await attempt()).toMatchObject(LAST)
  await send('POST', '/users/ann', { disabled: false })
  const both = await Promise.all([
    send('POST', '/users/ann', { admin: false }),
    send('POST', '/users/root', { admin: false }, 'ann', 'a'),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('administrators of settings may take all rights of accounts', async () => {
  const send = await serve({ adminUser: 'ann' })
  expect((await send('POST', '/users/root', { admin: false }, 'ann', 'a')).status).toBe(200)
})

test('a user of the password file has the password there, and is enabled again with it', async () => {
  const file = join(folder, 'passwords')
  await writeFile(file, 'eva:of-the-file\n')
  const send = await serve({ passwordFile: file })
  const asEva = () => send('GET', '/about', undefined, 'eva', 'of-the-file')
  expect(await send('POST', '/users/eva', { password: 'x' })).toMatchObject({
    status: 409,
    body: { code: 'password-elsewhere' },
  })
  expect((await send('DELETE', '/users/eva')).status).toBe(200)
  expect((await asEva()).status).toBe(401)
  expect(await send('POST', '/users/eva', { disabled: false })).toMatchObject({
    status: 200,
    body: { disabled: false, stored: false },
  })
  expect((await asEva()).status).toBe(200)
})

test('the audit has the last changes first, by user and by what they are about', async () => {
  const send = await serve({ audit: join(folder, 'audit.log') })
  await send('PUT', '/?domain=/lab', { folder: true })
  await send('PUT', '/?domain=/lab/a.h5')
  await send('PUT', '/?domain=/other.h5')
  await send('POST', '/users/ann', { password: 'new' })
  const operations = async (query: string) => {
    const { body } = await send('GET', `/audit?${query}`)
    const { entries, complete } = body as {
      entries: { operation: string; domain?: string }[]
      complete: boolean
    }
    return [entries.map(({ operation, domain = '' }) => `${operation} ${domain}`.trim()), complete]
  }
  const made = ['create-domain /lab/a.h5', 'create-domain /lab']
  expect(await operations('within=/lab')).toEqual([made, true])
  expect(await operations('user=root&Limit=1')).toEqual([['change-user'], false])
  expect(await operations('user=nobody')).toEqual([[], true])
  const { body } = await send('GET', '/audit')
  expect(JSON.stringify(body)).not.toContain('new')
})

test('a service without a file of the audit says so', async () => {
  const send = await serve()
  expect(await send('GET', '/audit')).toMatchObject({
    status: 404,
    body: { code: 'audit-not-kept', message: expect.stringContaining('setting audit') },
  })
})
