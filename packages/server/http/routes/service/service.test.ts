// Mounts that do not answer, in /ready: some have readers of their own, so their paths are not for all callers.

import { expect, it } from 'vitest'
import { listening, openMemoryStore, serverOf } from '../../../../../test/fixtures/server.ts'
import { NO_ACCOUNTS, path } from '../../../../../test/fixtures/service.ts'

const UNWELL = { path: path('/secret'), since: 2e6, overdue: 3, reason: 'does not answer' }

it.each([
  ['are counted for callers without a login', undefined, {}],
  ['are counted for wrong credentials', 'admin:wrong', {}],
  ['are named to administrators', 'admin:right', { unwell_mounts: [{ ...UNWELL, since: 2 }] }],
])('mounts %s', async (_, credentials, named) => {
  const store = openMemoryStore()
  const server = serverOf(store, {
    accounts: { ...NO_ACCOUNTS, find: () => ({ password: { plain: 'right' }, groups: [], admin: true }) },
    unwellMounts: () => [UNWELL],
    http: { metrics: 'admin' },
  })
  try {
    const headers = credentials === undefined ? {} : { authorization: `Basic ${btoa(credentials)}` }
    const answer = await fetch(`${await listening(server)}/ready`, { headers })
    expect(await answer.json()).toEqual({ status: 'ready', unwell_mount_count: 1, ...named })
  } finally {
    await server.close()
    await store.close()
  }
})
