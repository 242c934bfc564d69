// Budgets of callers and the addresses that named proxies report, in a running service.

import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Options, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const DOMAIN = '/?domain=/open.h5'
const MOST = 3

let directory: string
let server: RunningServer

beforeAll(async () => {
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', 'admin', '--admin'], 'admin\n')
  await runCommand(directory, ['user', 'add', 'test_user1'], 'test\n')
  server = await startServer(directory, [
    ...['--trusted-proxies', '127.0.0.1,::1', '--default-public', 'true'],
    ...['--budget', `anonymous requests=${MOST}`, '--budget', 'users bytes=1'],
  ])
  const made = await sendTo(server.address, 'PUT', DOMAIN, undefined, { user: 'admin' })
  expect(made.status, made.story).toBe(201)
})
afterAll(async () => {
  await server.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

const get = (path: string, options?: Options) => sendTo(server.address, 'GET', path, undefined, options)
const from = (address: string): Options => ({ headers: { 'x-forwarded-for': address } })

/** Sends requests until one is refused; returns it, and the number of those before. */
async function spend(options: Options) {
  for (let count = 0; count < 1000; count++) {
    const reply = await get(DOMAIN, options)
    if (reply.status !== 200) return { count, reply }
  }
  throw new Error('no request was refused')
}

test('a caller without a login has those of its address', async () => {
  const { count, reply } = await spend(from('203.0.113.1'))
  expect(reply.status, reply.story).toBe(429)
  expect(reply.json()).toMatchObject({ code: 'budget-exceeded' })
  expect(reply.story).toContain(`${MOST} requests a minute`)
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  // On a slow machine some have come back meanwhile.
  expect(count).toBeGreaterThanOrEqual(MOST)
  // An address that the client has invented before its own changes nothing.
  expect((await get(DOMAIN, from('198.51.100.1, 203.0.113.1'))).status).toBe(429)
  expect((await get(DOMAIN, from('203.0.113.2'))).status).toBe(200)
  for (const path of ['/ready', '/about', '/ui', '/login']) {
    expect((await get(path, from('203.0.113.1'))).status, path).toBe(200)
  }
})

test('a user has one more answer after the last byte, and an administrator has no limit', async () => {
  const { count, reply } = await spend({ user: 'test_user1' })
  expect(reply.status, reply.story).toBe(429)
  expect(reply.story).toContain('1 bytes a day')
  expect(count).toBe(1)
  for (let i = 0; i < 5; i++) expect((await get(DOMAIN, { user: 'admin' })).status).toBe(200)
  const figures = (await get('/metrics', { user: 'admin' })).text
  expect(figures).toMatch(/hyperslab_budget_refused_total [3-9]/)
  expect(figures).toMatch(/hyperslab_caller_requests_total\{callers="users"\} 2/)
})
