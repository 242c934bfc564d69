// A service that requires credentials (hsds-objects 3.1; classic 13.1).

import { afterAll, beforeAll, expect, it } from 'vitest'
import { listening, openMemoryStore, serverOf } from '../../../../test/fixtures/server.ts'
import { NO_ACCOUNTS } from '../../../../test/fixtures/service.ts'
import { NO_PERMISSIONS } from '../../service/access/access.ts'

const store = openMemoryStore()
const server = serverOf(store, {
  accounts: { ...NO_ACCOUNTS, find: () => ({ password: { plain: 'right' }, groups: [], admin: true }) },
  service: { defaultAcl: NO_PERMISSIONS, newDomains: 'nobody' },
  http: { allowAnonymous: false },
})
let base = ''

beforeAll(async () => {
  base = await listening(server)
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
