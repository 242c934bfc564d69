// Clients that need neither ours nor a copy open domains over HTTP, and every value is what h5py reads from the file:
// one that is mounted, one that is stored as it was imported, and one that has changed since.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { makeDomains, run, SYSTEM_PYTHON, tellSkipped } from './clients.ts'

const DEADLINE = 180_000
const SCRIPT = fileURLToPath(new URL('open_with.py', import.meta.url))
const IN_NODE_SCRIPT = fileURLToPath(new URL('open-with.mjs', import.meta.url))
const NEWER = process.env.HYPERSLAB_NEWER_PYTHON ?? join(homedir(), '.cache/hyperslab-clients/bin/python3')

const ALL = ['all.h5', 'grid.nc']
/** The files whose types the library has. */
const GRID = ['grid.nc']

/** Clients in Python: those of this machine and those of scripts/newer-clients.sh. */
const IN_PYTHON: readonly (readonly [client: string, files: readonly string[]])[] = [
  ['zarr-python 2, Zarr 2', ALL],
  ['zarr-python 3, Zarr 2', ALL],
  ['zarr-python 3, Zarr 3', ALL],
  ['zarr-python 2, references', ALL],
  ['zarr-python 3, references', ALL],
  ['xarray, Zarr', GRID],
  ['xarray, references', GRID],
  ['xarray, h5netcdf', GRID],
  ['xarray, netCDF4', GRID],
  ['h5py, ros3', ALL],
  ['h5py, fsspec', ALL],
  ['netCDF4-python', GRID],
  ['GDAL', ALL],
]

/** Clients from npm. */
const IN_NODE = ['zarrita, Zarr 2', 'zarrita, Zarr 3', 'h5wasm, ranges']

const hasH5py = (await run(SYSTEM_PYTHON, ['-c', 'import h5py'], process.env, DEADLINE)).status === 0
if (!hasH5py) tellSkipped('clients of domains over HTTP', `${SYSTEM_PYTHON} has no h5py to make files with`)

let directory: string
let files: string
let values: string
let server: RunningServer

beforeAll(async () => {
  if (!hasH5py) return
  directory = await newWorkingDirectory()
  files = join(directory, 'files')
  mkdirSync(files)
  values = join(directory, 'values.json')
  writeFileSync(values, makeDomains(files))
  await runCommand(directory, ['user', 'add', ADMIN, '--admin'], `${ADMIN}\n`)
  for (const folder of ['/imported', '/stored'])
    await runCommand(directory, ['import', '-r', files, '--to', folder])
  server = await startServer(directory, ['--mount', `${files}=/mounted`])
  for (const file of ALL) await change(`/stored/${file}`)
}, DEADLINE)

afterAll(async () => {
  await server?.end('SIGTERM')
  if (directory) rmSync(directory, { recursive: true, force: true })
})

/** The domain is not the file any more that it was imported from. */
async function change(domain: string): Promise<void> {
  const at = new URLSearchParams({ domain })
  const home = await sendTo(server.address, 'GET', `/?${at}`, undefined, { user: ADMIN })
  const { root } = home.json<{ root: string }>()
  const attribute = { type: 'H5T_STD_I32LE', value: 1 }
  const target = `/groups/${root}/attributes/changed?${at}`
  const reply = await sendTo(server.address, 'PUT', target, attribute, { user: ADMIN })
  expect(reply.status, reply.story).toBe(201)
}

function domainsOf(names: readonly string[]): readonly string[] {
  return ['/mounted', '/imported', '/stored'].flatMap(folder => names.map(name => `${folder}/${name}`))
}

for (const [client, names] of IN_PYTHON) {
  const versions = new Map<string, string>()
  const reasons: string[] = []
  for (const python of [SYSTEM_PYTHON, NEWER]) {
    const { status, output } = await run(python, [SCRIPT, client], process.env, DEADLINE)
    const version = output.trimEnd().split('\n').at(-1) ?? ''
    if (status === 0) versions.set(python, version)
    else reasons.push(`${python}: ${version}`)
  }
  if (versions.size === 0) tellSkipped(client, reasons.join('; '))
  test.skipIf(versions.size === 0).each([...versions])(
    `${client} reads what h5py reads: %s has %s`,
    async python => {
      const address = server.address.replace('//', `//${ADMIN}:${ADMIN}@`)
      const args = [SCRIPT, client, address, files, ...domainsOf(names)]
      const result = await run(python, args, process.env, DEADLINE)
      expect(result.output.trim()).toMatch(/^[1-9]\d* compared$/)
      expect(result.status).toBe(0)
    },
    DEADLINE,
  )
}

test.skipIf(!hasH5py).each(IN_NODE)(
  '%s reads what h5py reads',
  async client => {
    const args = [IN_NODE_SCRIPT, client, server.address, values, ...domainsOf(ALL)]
    const result = await run(process.execPath, args, process.env, DEADLINE)
    expect(result.output.trim()).toMatch(/^[1-9]\d* compared$/)
    expect(result.status).toBe(0)
  },
  DEADLINE,
)
