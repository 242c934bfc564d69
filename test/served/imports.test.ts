// Files that are imported into a folder with an access control list, into the data folder of a service or over HTTP:
// they are their owner's, and closed to others, in both dialects.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import h5wasm, { ready } from 'h5wasm/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importHere } from '../fixtures/imports.ts'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { basic, type Method, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const ANN = basic('ann', 'ann-secret')
const BOB = basic('bob', 'bob-secret')

let directory: string
let server: ServedHere

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  const file = new h5wasm.File(join(directory, 'made.h5'), 'w')
  file.create_dataset({ name: 'numbers', data: new Int32Array([1, 2, 3]) })
  file.close()
  const users = {
    ann: { password: 'ann-secret' },
    bob: { password: 'bob-secret' },
    boss: { password: 'boss-secret', admin: true },
  }
  server = await serveHere({}, { dataFolder: join(directory, 'data'), users })
  const made = await send('PUT', '/?domain=/lab', basic('boss', 'boss-secret'), {
    folder: true,
    owner: 'ann',
  })
  expect(made.status, made.story).toBe(201)
})

afterAll(async () => {
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

function send(method: Method, target: string, authorization?: string, body?: unknown, more = {}) {
  const headers = { ...(authorization !== undefined && { authorization }), ...more }
  return sendTo(server.address, method, target, body, { headers })
}

test.each([
  ['into the data folder', '/lab/imported.h5', false],
  ['over HTTP', '/lab/sent.h5', true],
  ['into a folder below, made in passing', '/lab/new/imported.h5', false],
  ['over HTTP into a folder below', '/lab/further/sent.h5', true],
])('%s a file is its owner’s and closed to others', async (_, path, isSent) => {
  const target = isSent
    ? { endpoint: server.address, user: 'ann', password: 'ann-secret' }
    : { dataFolder: join(directory, 'data') }
  await importHere({ [join(directory, 'made.h5')]: path }, directory, target)
  const own = await send('GET', `/?domain=${path}`, ANN)
  expect(own.status, own.story).toBe(200)
  expect(own.json().owner).toBe('ann')
  expect((await send('GET', `/?domain=${path}`, BOB)).status).toBe(403)
  expect((await send('GET', `/?domain=${path}`)).status).toBe(403)
  const host = { host: `${path.slice(1).replace('.', '%2E').split('/').reverse().join('.')}.hdfgroup.org` }
  const anonymous = await send('GET', '/', undefined, undefined, host)
  expect(anonymous.status, anonymous.story).toBe(401)
  expect((await send('PUT', '/acls/default', undefined, { read: true }, host)).status).toBe(401)
  expect((await send('GET', '/', ANN, undefined, host)).status).toBe(200)
})
