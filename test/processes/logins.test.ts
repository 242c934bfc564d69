// Logging in to a server as it runs: when many passwords are wrong, and when its accounts cannot be read.

import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { KeyValue } from '@hyperslab/store/engines'
import { inFolder, openEngine } from '@hyperslab/store/engines'
import { withSnapshot } from '@hyperslab/store/records'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAX_AGE_MILLISECONDS } from '../../packages/server/accounts/account-records.ts'
import { ACCOUNTS_KEY, userKey } from '../../packages/store/records/keys.ts'
import { encodeRecord } from '../../packages/store/records/record.ts'
import { basic, type Reply, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

let directory: string
let server: RunningServer
let log = ''

beforeAll(async () => {
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', 'ann'], 'ann-secret\n')
  await runCommand(directory, ['user', 'add', 'boss', '--admin'], 'boss-secret\n')
  server = await startServer(directory)
  server.process.stderr?.on('data', piece => {
    log += piece
  })
})

afterAll(async () => {
  await server.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

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
  expect(checked.length).toBeGreaterThan(0)
  expect(checked.length).toBeLessThan(20)
  expect(checked.length + refused.length).toBe(200)
  for (const reply of refused) {
    expect(reply.json()).toMatchObject({ code: 'too-many-logins' })
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  }
  const lines = log.split('\n').filter(line => line.includes('a login failed'))
  expect(lines).toHaveLength(checked.length)
  expect(JSON.parse(lines[0])).toMatchObject({ level: 40, account: 'ann', address: '127.0.0.1', failures: 1 })
  expect(log).not.toContain('hunter')
  const { text } = await want(200, '/metrics', 'boss')
  expect(text).toMatch(new RegExp(`^hyperslab_failed_logins_total ${checked.length}$`, 'm'))
  expect(text).toMatch(/^hyperslab_password_checks_waiting 0$/m)
})

test('while the accounts are damaged requests with credentials get 503, others are served', async () => {
  const good = await record(userKey('ann'))
  log = ''
  for (let turn = 0; turn < 2; turn++) {
    await setRecord(userKey('ann'), Buffer.from('\x01{"hash":"$argon2id'))
    for (const name of ['ann', 'nobody']) {
      const reply = await want(503, '/about', name)
      expect(reply.json().code).toBe('accounts-unavailable')
      expect(reply.headers['retry-after']).toBeDefined()
      expect(reply.text).not.toContain(directory)
    }
    expect((await want(503, '/ready')).json().code).toBe('not-ready')
    await want(200, '/about')
    await want(200, '/health')
    await want(200, '/?host=sample.hdfgroup.org')
    await setRecord(userKey('ann'), good)
    await want(200, '/ready')
    await want(200, '/about', 'ann')
    await want(401, '/about', 'nobody')
  }
  expect(log.split('the user \\"ann\\" are damaged')).toHaveLength(3)
  expect(log).not.toContain('argon2')
})

/** Calls `work` with the records of the data folder, beside the server. */
async function withRecords<T>(work: (keyValue: KeyValue) => Promise<T>): Promise<T> {
  const { keyValue, close } = await openEngine(inFolder(join(directory, 'data')))
  try {
    return await work(keyValue)
  } finally {
    await close()
  }
}

function record(key: Uint8Array): Promise<Uint8Array> {
  return withRecords(async keyValue => {
    const found = await withSnapshot(keyValue, snapshot => snapshot.get(key))
    return found ?? expect.fail('there is no such record')
  })
}

/** And waits until the server reads the accounts again. */
async function setRecord(key: Uint8Array, value: Uint8Array): Promise<void> {
  const revision = encodeRecord({ revision: randomBytes(16).toString('hex') })
  await withRecords(keyValue =>
    keyValue.commit({
      expect: [],
      changes: [
        { op: 'set', key, value },
        { op: 'set', key: ACCOUNTS_KEY, value: revision },
      ],
    }),
  )
  await pause(MAX_AGE_MILLISECONDS)
}
