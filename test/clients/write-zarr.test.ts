// xarray and zarr-python write domains by the protocol of Zarr, with the account of a user.

import { rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { run, tellSkipped } from './clients.ts'

const DEADLINE = 180_000
const SCRIPT = fileURLToPath(new URL('write_zarr.py', import.meta.url))
const NEWER = process.env.HYPERSLAB_NEWER_PYTHON ?? join(homedir(), '.cache/hyperslab-clients/bin/python3')

const { status, output } = await run(NEWER, [SCRIPT], process.env, DEADLINE)
const isThere = status === 0
if (!isThere) tellSkipped('writers of Zarr', `${NEWER}: ${output.trimEnd().split('\n').at(-1)}`)

let directory: string
let server: RunningServer

beforeAll(async () => {
  if (!isThere) return
  directory = await newWorkingDirectory()
  await runCommand(directory, ['user', 'add', ADMIN, '--admin'], `${ADMIN}\n`)
  server = await startServer(directory)
  const folder = await sendTo(server.address, 'PUT', '/?domain=/zarr', { folder: true }, { user: ADMIN })
  expect(folder.status, folder.story).toBe(201)
}, DEADLINE)

afterAll(async () => {
  await server?.end('SIGTERM')
  if (directory) rmSync(directory, { recursive: true, force: true })
})

test.skipIf(!isThere).each([2, 3])(
  'what is written as Zarr %i is there',
  async format => {
    const address = server.address.replace('//', `//${ADMIN}:${ADMIN}@`)
    const result = await run(NEWER, [SCRIPT, address, `${format}`, '/zarr'], process.env, DEADLINE)
    expect(result.output.trim()).toMatch(/^[1-9]\d* compared$/)
    expect(result.status).toBe(0)
  },
  DEADLINE,
)
