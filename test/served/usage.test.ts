// The use of folders by the command and by the service: the same figures, also while the service runs; mounted files
// are left out.

import { copyFileSync, mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../packages/server/cli/settings/config.ts'
import { runUsage, type UsageCommand } from '../../packages/server/cli/usage.ts'
import { runHere } from '../fixtures/commands.ts'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN, sendTo, USER1 } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const SAMPLE = fileURLToPath(new URL('../wire/fixtures/from-h5serv.h5', import.meta.url))

let directory: string
let server: ServedHere

beforeAll(async () => {
  directory = await newWorkingDirectory()
  const files = join(directory, 'files')
  mkdirSync(files)
  copyFileSync(SAMPLE, join(files, 'tall.h5'))
  const settings = { mount: [`${files}=/files`] }
  server = await serveHere(settings, { dataFolder: join(directory, 'data'), users: ACCOUNTS })
  for (const path of ['/lab', '/lab/in']) await create(path, { folder: true })
  await create('/lab/a.h5', { owner: USER1 })
  await create('/lab/in/b.h5', { owner: ADMIN })
})

afterAll(async () => {
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

async function create(path: string, body: object): Promise<void> {
  const reply = await sendTo(server.address, 'PUT', `/?domain=${path}`, body, { user: ADMIN })
  expect(reply.status, reply.story).toBe(201)
}

async function ask(query: string): Promise<object> {
  const reply = await sendTo(server.address, 'GET', `/usage?${query}`, undefined, { user: ADMIN })
  expect(reply.status, reply.story).toBe(200)
  return reply.json<object>()
}

function run(folder: string | undefined, command: Partial<UsageCommand> = {}) {
  const settings = readSettings({ data: join(directory, 'data') }, {})
  return runHere(() => runUsage(folder, { by: 'folder', json: false, ...command }, settings))
}

describe('hyperslab usage', () => {
  it.each([
    [undefined, 'folder', ''],
    ['/lab/', 'folder', 'folder=/lab'],
    ['/lab', 'owner', 'folder=/lab&by=owner'],
  ] as const)('%s by %s is the JSON of GET /usage', async (folder, by, query) => {
    const { status, out } = await run(folder, { by, json: true })
    expect(status).toBe(0)
    expect(JSON.parse(out)).toEqual(await ask(query))
  })

  it('prints a table', async () => {
    const { out } = await run('/lab')
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^folder +bytes +of values +domains +objects +last change$/)
    expect(lines.slice(1).map(line => line.split(' ')[0])).toEqual(['/lab/a.h5', '/lab/in/', 'all'])
    expect((await run('/lab/in', { by: 'owner' })).out).toMatch(/^owner .*\nadmin .*\nall .*\n$/)
  })

  it('says that there is no such folder, and that there are no domains', async () => {
    expect(await run('/nothing')).toMatchObject({
      status: 1,
      err: 'hyperslab: there is no folder /nothing\n',
    })
    await create('/empty', { folder: true })
    expect(await run('/empty')).toMatchObject({ status: 0, out: 'There are no domains below /empty.\n' })
  })
})

it('mounted files are not counted, and a folder of them says so', async () => {
  const nothing = { domains: 0, objects: 0, bytes: 0, allocated_bytes: 0, metadata_bytes: 0 }
  expect(await ask('folder=/files')).toEqual({
    folder: '/files',
    by: 'folder',
    total: nothing,
    items: [],
    mounted: true,
  })
  expect(await ask('folder=/lab')).toMatchObject({ total: { domains: 2 } })
})
