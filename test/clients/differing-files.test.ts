// Files of one series that differ in units of time, packing and overlaps: xarray opens the domains that the service
// makes of them, and has the same as when it joins the files itself.

import { mkdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { run, SYSTEM_PYTHON, tellSkipped } from './clients.ts'

const DEADLINE = 180_000
const SCRIPT = fileURLToPath(new URL('differing_files.py', import.meta.url))
const NEWER = process.env.HYPERSLAB_NEWER_PYTHON ?? join(homedir(), '.cache/hyperslab-clients/bin/python3')

const versions = new Map<string, string>()
for (const python of [SYSTEM_PYTHON, NEWER]) {
  const { status, output } = await run(python, [SCRIPT], process.env, DEADLINE)
  const last = output.trimEnd().split('\n').at(-1) ?? ''
  if (status === 0) versions.set(python, last)
  else tellSkipped(`xarray with netCDF4 and zarr of ${python}`, last)
}
const [first] = versions.keys()

let directory: string
let files: string
let server: RunningServer

beforeAll(async () => {
  if (first === undefined) return
  directory = await newWorkingDirectory()
  files = join(directory, 'files')
  mkdirSync(files)
  const { status, output } = await run(first, [SCRIPT, 'make', files], process.env, DEADLINE)
  expect(status, output).toBe(0)
  await runCommand(directory, ['user', 'add', ADMIN, '--admin'], `${ADMIN}\n`)
  server = await startServer(directory, ['--mount', `${files}=/lab`])
}, DEADLINE)

afterAll(async () => {
  await server?.end('SIGTERM')
  if (directory) rmSync(directory, { recursive: true, force: true })
})

test.skipIf(first === undefined).each([...versions])(
  'xarray has what it has of the files: %s has %s',
  async python => {
    const address = server.address.replace('//', `//${ADMIN}:${ADMIN}@`)
    const { status, output } = await run(python, [SCRIPT, address, files], process.env, DEADLINE)
    expect(output.trim()).toMatch(/^[1-9]\d* compared$/m)
    expect(status, output).toBe(0)
  },
  DEADLINE,
)
