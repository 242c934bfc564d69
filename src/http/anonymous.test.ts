// A service that answers identified callers only (20, 3.1; 10, 13.1).

import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_ACCOUNTS } from '../../test/fixtures/service.ts'
import { NO_PERMISSIONS } from '../service/access.ts'
import { systemClock, systemRandom } from '../storage/clock.ts'
import { openMemoryEngine } from '../storage/engines/memory.ts'
import { openStore } from '../storage/open-store.ts'
import { createServer } from './server.ts'

const store = openStore(openMemoryEngine(), { clock: systemClock(), random: systemRandom, sweeps: false })
const server = createServer({
  store,
  accounts: { ...NO_ACCOUNTS, find: () => ({ password: { plain: 'right' }, groups: [], admin: true }) },
  service: { defaultAcl: NO_PERMISSIONS, newDomains: 'nobody', isKnownUser: () => false },
  http: {
    baseDomain: 'example.org',
    allowedOrigins: '*',
    allowAnonymous: false,
    maxJsonBody: 2 ** 20,
    hsdsLevel: '1.0',
    buckets: { defaultName: 'hyperslab', others: [] },
    version: '0.0.0',
  },
  log: pino({ level: 'silent' }),
})
let base = ''

beforeAll(async () => {
  base = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`
})

afterAll(async () => {
  await server.close()
  await store.close()
})

it.each([
  ['/about', 200, 401, 200],
  ['/info', 200, 200, 200],
  ['/domains', 401, 401, 200],
  ['/?domain=/x.h5', 401, 401, 404],
  ['/acls?domain=/x.h5', 401, 401, 404],
  ['/?host=x.example.org', 401, 401, 404],
])('%s is %i without credentials, %i with wrong ones, %i with right ones', async (target, ...statuses) => {
  const headers = [undefined, 'ann:wrong', 'ann:right'].map(
    credentials => credentials && { authorization: `Basic ${btoa(credentials)}` },
  )
  const replies = await Promise.all(
    headers.map(one => fetch(base + target, { ...(one && { headers: one }) })),
  )
  expect(replies.map(({ status }) => status)).toEqual(statuses)
})
