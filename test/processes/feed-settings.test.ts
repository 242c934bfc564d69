// The setting of the number of listeners reaches the feed; test/world has the rules.

import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ADMIN, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

async function serving(options: readonly string[]): Promise<RunningServer> {
  const directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', ADMIN, '--admin'], `${ADMIN}\n`)
  const server = await startServer(directory, options)
  onTestFinished(async () => {
    await server.end('SIGKILL')
    await rm(directory, { recursive: true, force: true })
  })
  return server
}

test('listeners beyond the limit are rejected, until one leaves', async () => {
  const { address } = await serving(['--max-listeners', '1'])
  const leaving = new AbortController()
  const first = await fetch(`${address}/events?domain=/`, { signal: leaving.signal })
  expect(first.status).toBe(200)
  const refused = await sendTo(address, 'GET', '/events?domain=/&wait=0')
  expect(refused.status, refused.story).toBe(503)
  expect(refused.headers['retry-after']).toBe('5')
  expect(refused.json()).toMatchObject({ code: 'too-busy', message: expect.stringContaining('1 listeners') })
  leaving.abort()
  await vi.waitFor(
    async () => expect((await sendTo(address, 'GET', '/events?domain=/&wait=0')).status).toBe(200),
    { timeout: 60_000 },
  )
})
