// The budget of listeners at once: a stream of events counts for as long as its client listens.

import { expect, test } from 'vitest'
import { ACCOUNTS, serveHere } from '../fixtures/served.ts'
import { basic, sendTo } from '../wire/client.ts'
import { RawConnection, request } from '../wire/raw-connection.ts'

const EVENTS = '/events?domain=/'

test('a stream counts for as long as its client listens', async () => {
  const server = await serveHere({ budget: ['users listeners=1'] }, { users: ACCOUNTS })
  const ask = () => sendTo(server.address, 'GET', `${EVENTS}&wait=0`, undefined, { user: 'test_user1' })
  const first = new RawConnection(server.address)
  first.send(request('GET', EVENTS, { Authorization: basic('test_user1') }))
  expect((await first.answer())?.status).toBe(200)
  const refused = await ask()
  expect(refused.status, refused.story).toBe(429)
  expect(refused.story).toContain('listeners at once')
  await first.leave()
  await expect.poll(async () => (await ask()).status).toBe(200)
  await server.end()
})
