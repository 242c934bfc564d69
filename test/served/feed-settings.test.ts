// The setting of the number of listeners reaches the feed; test/world has the rules.

import { expect, onTestFinished, test, vi } from 'vitest'
import { serveHere } from '../fixtures/served.ts'
import { sendTo } from '../wire/client.ts'

test('listeners beyond the limit are rejected, until one leaves', async () => {
  const { address, end } = await serveHere({ maxListeners: '1' })
  onTestFinished(end)
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
