// Logging in to a server as it runs: when many passwords are wrong, and when its accounts cannot be read.

import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test.each<[string, (path: string) => Promise<void>]>([
  ['damaged', path => writeFile(path, '{')],
  ['gone', path => rm(path)],
])('while the accounts are %s requests with credentials get 503, others are served', async (_, spoil) => {
  const path = join(directory, 'data', 'accounts.json')
  const good = await readFile(path)
  log = ''
  for (let turn = 0; turn < 2; turn++) {
    await spoil(path)
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
    await writeFile(path, good)
    await want(200, '/ready')
    await want(200, '/about', 'ann')
    await want(401, '/about', 'nobody')
  }
  expect(log.split('accounts.json')).toHaveLength(3)
})
