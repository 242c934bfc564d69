// Logging in to a service: when many passwords are wrong, and when its accounts cannot be read.

import { randomBytes } from 'node:crypto'
import type { Engine } from '@hyperslab/store/engines'
import { withSnapshot } from '@hyperslab/store/records'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ACCOUNTS_KEY, userKey } from '../../packages/store/records/keys.ts'
import { encodeRecord } from '../../packages/store/records/record.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { basic, type Reply, sendTo } from '../wire/client.ts'

const USERS = { ann: { password: 'ann-secret' }, boss: { password: 'boss-secret', admin: true } }

let engine: Engine
let server: ServedHere

beforeAll(async () => {
  engine = openMemoryEngine()
  server = await serveHere({}, { engine, users: USERS })
})

afterAll(() => server.end())

function get(target: string, name?: string, password = `${name}-secret`): Promise<Reply> {
  const authorization = name !== undefined && { authorization: basic(name, password) }
  return sendTo(server.address, 'GET', target, undefined, { headers: { ...authorization } })
}

async function want(status: number, ...request: Parameters<typeof get>): Promise<Reply> {
  const reply = await get(...request)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

test('200 wrong passwords at once: a few are checked, the others rejected, and users that are logged in notice nothing', async () => {
  await want(200, '/about', 'ann')
  const wrong = Array.from({ length: 200 }, (_, n) => get('/about', 'ann', `hunter-${n}`))
  await want(200, '/about', 'ann')
  await want(200, '/about', 'boss')
  const replies = await Promise.all(wrong)
  await want(200, '/about', 'ann')
  const checked = replies.filter(({ status }) => status === 401)
  const refused = replies.filter(({ status }) => status === 503)
  // How many that are, the tests beside the code say.
  expect(checked.length).toBeGreaterThan(0)
  expect(refused.length).toBeGreaterThan(0)
  expect(checked.length + refused.length).toBe(200)
  for (const reply of refused) {
    expect(reply.json()).toMatchObject({ code: 'too-many-logins' })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  }
  const lines = server
    .log()
    .split('\n')
    .filter(line => line.includes('a login failed'))
  expect(lines).toHaveLength(checked.length)
  expect(JSON.parse(lines[0])).toMatchObject({ level: 40, account: 'ann', address: '127.0.0.1', failures: 1 })
  expect(server.log()).not.toContain('hunter')
  const { text } = await want(200, '/metrics', 'boss')
  expect(text).toMatch(new RegExp(`^hyperslab_failed_logins_total ${checked.length}$`, 'm'))
  expect(text).toMatch(/^hyperslab_password_checks_waiting 0$/m)
})

test('while the accounts are damaged requests with credentials get 503, others are served', async () => {
  const good = await record(userKey('ann'))
  const before = server.log().length
  for (let turn = 0; turn < 2; turn++) {
    await setRecord(userKey('ann'), Buffer.from('\x01{"hash":"$argon2id'))
    await untilReady(503)
    for (const name of ['ann', 'nobody']) {
      const reply = await want(503, '/about', name)
      expect(reply.json().code).toBe('accounts-unavailable')
      expect(reply.headers['retry-after']).toBeDefined()
    }
    expect((await want(503, '/ready')).json().code).toBe('not-ready')
    await want(200, '/about')
    await want(200, '/health')
    await want(200, '/domains?domain=/')
    await setRecord(userKey('ann'), good)
    await untilReady(200)
    await want(200, '/about', 'ann')
    await want(401, '/about', 'nobody')
  }
  const log = server.log().slice(before)
  expect(log.split('the user \\"ann\\" are damaged')).toHaveLength(3)
  expect(log).not.toContain('argon2')
})

function record(key: Uint8Array): Promise<Uint8Array> {
  return withSnapshot(engine.keyValue, async snapshot => {
    const found = await snapshot.get(key)
    return found ?? expect.fail('there is no such record')
  })
}

async function setRecord(key: Uint8Array, value: Uint8Array): Promise<void> {
  const revision = encodeRecord({ revision: randomBytes(16).toString('hex') })
  await engine.keyValue.commit({
    expect: [],
    changes: [
      { op: 'set', key, value },
      { op: 'set', key: ACCOUNTS_KEY, value: revision },
    ],
  })
}

/** The service reads the accounts again after a moment. */
async function untilReady(status: number): Promise<void> {
  await vi.waitFor(() => want(status, '/ready'), { timeout: 60_000 })
}
