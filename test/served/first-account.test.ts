// The end of the open service: it has no accounts and anybody may write, until there is an account, in every process on
// the store, for good.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type ServedHere, type SettingTexts, serveHere, setUsers, sharedMemory } from '../fixtures/served.ts'
import { basic, sendTo } from '../wire/client.ts'

let servers: ServedHere[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.end()
})

let domains = 0

/** The statuses of writes, with and without credentials, of each server. */
async function writes(): Promise<number[]> {
  const known = { authorization: basic('carl', 'any') }
  const sent = servers.flatMap(({ address }) =>
    [known, {}].map(headers => sendTo(address, 'PUT', `/?domain=/d${domains++}.h5`, undefined, { headers })),
  )
  return [...new Set((await Promise.all(sent)).map(({ status }) => status))]
}

test.each([
  [
    'by a command',
    async (open: ReturnType<typeof sharedMemory>) => setUsers(open(), { ann: { password: 'a' } }),
  ],
  [
    'over HTTP',
    async () => {
      const body = { password: 'secret', admin: true }
      const reply = await sendTo(servers[0].address, 'PUT', '/users/ann', body)
      expect(reply.status, reply.story).toBe(201)
    },
  ],
] as const)('the first account, made %s, ends it in every process, for good', async (_, make) => {
  const open = sharedMemory()
  servers = [await serveHere({}, { engine: open() }), await serveHere({}, { engine: open() })]
  const first = domains
  expect(await writes()).toEqual([201])
  await make(open)
  expect(await writes()).toEqual([401])
  await setUsers(open(), { root: { password: 'secret', admin: true } })
  const headers = { authorization: basic('root', 'secret') }
  const removed = await sendTo(servers[1].address, 'DELETE', `/?domain=/d${first}.h5`, undefined, { headers })
  expect(removed.status, removed.story).toBe(200)
  await setUsers(open(), { ann: undefined, root: undefined })
  expect(await writes()).toEqual([401])
})

test('a store that was served with users of a file is not open without the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-users-'))
  const file = join(folder, 'passwords')
  await writeFile(file, 'ann:secret\n')
  const open = sharedMemory()
  const serve = async (settings: SettingTexts) => {
    servers = [await serveHere(settings, { engine: open() })]
  }
  await serve({ passwordFile: file })
  expect(await writes()).toEqual([401])
  await servers[0].end()
  await serve({})
  expect(await writes()).toEqual([401])
  await rm(folder, { recursive: true })
})
