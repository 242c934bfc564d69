// The client for Python (`python/`) with the Python of Debian: its own tests, against the server, beside h5py, its
// types, and its wheel.

import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, inject, it, onTestFinished } from 'vitest'
import { ADMIN, send, uniqueName } from '../wire/client.ts'
import { run, SYSTEM_PYTHON, tellSkipped } from './clients.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGE = join(ROOT, 'python/')
const DEADLINE_MS = 300_000

const found = await run(SYSTEM_PYTHON, ['-c', 'import h5py, numpy, urllib3'], process.env, DEADLINE_MS)
const isMissing = found.status !== 0
if (isMissing) tellSkipped('the client for Python', `${SYSTEM_PYTHON} lacks h5py, numpy or urllib3`)

/** A folder of the service that belongs to test_user1. */
async function newFolder(): Promise<string> {
  const folder = `/${uniqueName()}`
  const made = await send('PUT', `/?domain=${folder}`, { folder: true, owner: 'test_user1' }, { user: ADMIN })
  expect(made.status, made.story).toBe(201)
  return folder
}

async function runTests(file: string): Promise<void> {
  const folder = await newFolder()
  const environment = {
    ...process.env,
    PYTHONPATH: `${PACKAGE}src`,
    PYTHONDONTWRITEBYTECODE: '1',
    HYPERSLAB_URL: inject('address'),
    HYPERSLAB_USER: 'test_user1:test',
    HYPERSLAB_FOLDER: folder,
  }
  const program = ['-W', 'error', `${PACKAGE}tests/${file}`]
  const { status, output } = await run(SYSTEM_PYTHON, program, environment, DEADLINE_MS)
  expect(status, output).toBe(0)
  expect(output).toMatch(/^Ran [1-9]\d* tests/m)
}

it.skipIf(isMissing)('the client for Python reads and writes as h5py and NumPy do', () =>
  runTests('test_hyperslab.py'),
)

const opening = await run(
  SYSTEM_PYTHON,
  ['-c', 'import dask, fsspec, setuptools, xarray'],
  process.env,
  DEADLINE_MS,
)
const cannotOpen = isMissing || opening.status !== 0
if (cannotOpen)
  tellSkipped('fsspec and xarray by the client for Python', `${SYSTEM_PYTHON} lacks them or dask`)

it.skipIf(cannotOpen)('the client for Python opens domains for fsspec and xarray', () =>
  runTests('test_opening.py'),
)

const mypy = await run(SYSTEM_PYTHON, ['-m', 'mypy', '--version'], process.env, DEADLINE_MS)
const isUntyped = mypy.status !== 0
if (isUntyped) tellSkipped('the types of the client for Python', `${SYSTEM_PYTHON} has no mypy`)

it.skipIf(isUntyped)('the types of the client for Python agree', async () => {
  const args = ['-m', 'mypy', '--cache-dir', '/dev/null', '--config-file', `${PACKAGE}pyproject.toml`]
  const { status, output } = await run(SYSTEM_PYTHON, [...args, `${PACKAGE}src`], process.env, DEADLINE_MS)
  expect(status, output).toBe(0)
})

const makers = await run(
  SYSTEM_PYTHON,
  ['-c', 'import numpy, urllib3, setuptools, wheel, pip'],
  process.env,
  DEADLINE_MS,
)
const isWithoutWheel = makers.status !== 0
if (isWithoutWheel)
  tellSkipped('the wheel for Python', `${SYSTEM_PYTHON} lacks numpy, urllib3, setuptools, wheel or pip`)

/** It is installed, not found in the sources; prints its place, its version and values that it wrote. */
const PROGRAM = `
import importlib.metadata, sys
import hyperslab
server = hyperslab.connect(sys.argv[1], user='test_user1:test')
with server.open(sys.argv[2], 'w') as domain:
    frames = domain.create_dataset('frames', (0, 3), 'u2', maxshape=(None, 3), compression='gzip')
    frames.append([[1, 2, 3], [4, 5, 6]])
    print(hyperslab.__file__, importlib.metadata.version('hyperslab'), frames[1].tolist())
`

it.skipIf(isWithoutWheel)(
  'the wheel has the version of the service, and works without the sources',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hyperslab-wheel-test-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const sources = async () => (await readdir(PACKAGE, { recursive: true })).sort()
    const before = await sources()
    const made = await run(
      process.execPath,
      [join(ROOT, 'scripts/wheel.mjs'), folder],
      process.env,
      DEADLINE_MS,
    )
    expect(made.status, made.output).toBe(0)
    expect(await sources()).toEqual(before)
    const { version: ofService } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const version = ofService.replace(/-(a|b|rc)[a-z]*\.(\d+)$/, '$1$2')
    expect(await readdir(folder)).toEqual([`hyperslab-${version}-py3-none-any.whl`])

    const target = join(folder, 'installed')
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--target', target]
    const installed = await run(SYSTEM_PYTHON, [...pip, made.output.trim()], process.env, DEADLINE_MS)
    expect(installed.status, installed.output).toBe(0)
    expect(await readdir(join(target, 'hyperslab'))).toContain('py.typed')

    const domain = `${await newFolder()}/wheel.h5`
    const used = await run(
      SYSTEM_PYTHON,
      ['-c', PROGRAM, inject('address'), domain],
      { ...process.env, PYTHONPATH: target },
      DEADLINE_MS,
    )
    expect(used).toEqual({ status: 0, output: `${target}/hyperslab/__init__.py ${version} [4, 5, 6]\n` })
  },
)
