// A server under many clients at once, and its end after signals.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Method, type Options, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const MANY_CLIENTS = fileURLToPath(new URL('../../bench/many-clients.bench.mjs', import.meta.url))
const DOMAIN = { 'x-hdf-domain': '/watched.h5' }

let directory: string
let server: RunningServer

beforeAll(async () => {
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', 'admin', '--admin'], 'admin\n')
  server = await startServer(directory, ['--shutdown-delay', '600'])
  await want(201, 'PUT', '/', undefined, { user: 'admin', headers: DOMAIN })
})
afterAll(async () => {
  await server.end('SIGTERM')
  await rm(directory, { recursive: true, force: true })
})

async function want(status: number, method: Method, path: string, body?: unknown, options?: Options) {
  const reply = await sendTo(server.address, method, path, body, options)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

test('200 clients of mixed calls end without an error', () => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [MANY_CLIENTS, '200', '2', '7'], {
    encoding: 'utf8',
    timeout: 110_000,
  })
  expect(stdout + stderr).toContain('\n0 errors')
  expect(status).toBe(0)
})

test('after SIGTERM /ready answers 503, and requests are served for the delay', async () => {
  const gone = once(server.process, 'exit')
  server.process.kill('SIGTERM')
  const reply = await vi.waitFor(() => want(503, 'GET', '/ready'), { timeout: 60_000 })
  expect(reply.json()).toMatchObject({ code: 'not-ready' })
  expect(reply.headers['retry-after']).toMatch(/^\d+$/)
  await want(200, 'GET', '/health')
  const { text } = await want(200, 'GET', '/status')
  expect(text).toContain('<h1>The service is not ready</h1>')
  expect(text).toContain('the service is about to end')
  expect((await want(200, 'GET', '/about')).json()).toMatchObject({ state: 'STOPPING' })
  await want(200, 'GET', '/', undefined, { user: 'admin', headers: DOMAIN })
  // A second signal ends the delay, and the process.
  server.process.kill('SIGTERM')
  expect(await gone).toEqual([null, 'SIGTERM'])
})

test('after the delay the process ends in order', async () => {
  const short = await startServer(directory, ['--shutdown-delay', '1'])
  const gone = once(short.process, 'exit')
  short.process.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
})
