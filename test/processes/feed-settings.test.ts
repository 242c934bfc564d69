// The settings of the feed of changes, each test with its own server: how many listeners there are, and how many bytes
// of events are kept.

import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ADMIN, basic, type Method, sendTo } from '../wire/client.ts'
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
    { timeout: 10_000 },
  )
})

test('no address and no share takes all listeners, and users with an account go before them', async () => {
  const { address } = await serving(['--max-listeners', '16'])
  const streams = new AbortController()
  onTestFinished(() => streams.abort())
  const listen = async (path: string, user?: string) => {
    const headers: Record<string, string> = user === undefined ? {} : { authorization: basic(user) }
    const response = await fetch(`${address}${path}`, { headers, signal: streams.signal })
    return response.status
  }
  const created = await sendTo(address, 'PUT', '/?domain=/shared.h5', undefined, { user: ADMIN })
  expect(created.status, created.story).toBe(201)
  const share = await sendTo(
    address,
    'POST',
    '/shares',
    { domain: '/shared.h5', end: '2999-01-01' },
    { user: ADMIN },
  )
  expect(share.status, share.story).toBe(201)
  const shared = `${new URL(share.json<{ address: string }>().address).pathname}events?domain=/shared.h5`
  for (let i = 0; i < 8; i++) expect(await listen('/events?domain=/')).toBe(200)
  expect(await listen('/events?domain=/')).toBe(503)
  // Another caller without an account gets one; then the places are for users with an account.
  expect(await listen(shared)).toBe(200)
  expect(await listen(shared)).toBe(503)
  for (let i = 0; i < 5; i++) expect(await listen('/events?domain=/', ADMIN)).toBe(200)
  expect(await listen('/events?domain=/', ADMIN)).toBe(503)
})

test('events beyond the bytes that are kept are gone, the newest are there', async () => {
  const { address } = await serving(['--event-bytes', String(1 << 20)])
  const send = async (method: Method, target: string, body?: unknown) => {
    const reply = await sendTo(address, method, target, body, { user: ADMIN })
    expect(reply.status, reply.story).toBeLessThan(300)
    return reply
  }
  const events = (since: string) => send('GET', `/events?domain=/e.h5&wait=0&since=${since}`)
  await send('PUT', '/?domain=/e.h5')
  const begin = await send('GET', '/events?domain=/e.h5&wait=0')
  const { next: first } = begin.json<{ next: string }>()
  // An event names a hundred groups, and takes some kilobytes.
  const groups = Array.from({ length: 100 }, () => ({}))
  for (let i = 0; i < 400; i++) await send('POST', '/groups?domain=/e.h5', groups)
  await vi.waitFor(
    async () => expect((await events(first)).json()).toMatchObject({ gone: true, events: [] }),
    { timeout: 30_000 },
  )
  const gone = (await events(first)).json<{ next: string; state: string }>()
  const domain = (await send('GET', '/?domain=/e.h5')).json<{ state: string }>()
  expect(gone.state).toBe(domain.state)
  await send('POST', '/groups?domain=/e.h5', {})
  const later = (await events(gone.next)).json<{ events: unknown[] }>()
  expect(later.events).toMatchObject([{ changes: [{ kind: 'created', class: 'group' }] }])
})
