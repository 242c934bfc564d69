// The client for Python (`python/`) with the Python of Debian: its own tests, against the server, beside h5py.

import { fileURLToPath } from 'node:url'
import { expect, inject, it } from 'vitest'
import { ADMIN, send, uniqueName } from '../wire/client.ts'
import { run, SYSTEM_PYTHON, tellSkipped } from './clients.ts'

const PACKAGE = fileURLToPath(new URL('../../python/', import.meta.url))
const DEADLINE_MS = 300_000

const found = await run(SYSTEM_PYTHON, ['-c', 'import h5py, numpy, urllib3'], process.env, DEADLINE_MS)
const isMissing = found.status !== 0
if (isMissing) tellSkipped('the client for Python', `${SYSTEM_PYTHON} lacks h5py, numpy or urllib3`)

it.skipIf(isMissing)('the client for Python reads and writes as h5py and NumPy do', async () => {
  const folder = `/${uniqueName()}`
  const made = await send('PUT', `/?domain=${folder}`, { folder: true, owner: 'test_user1' }, { user: ADMIN })
  expect(made.status, made.story).toBe(201)
  const environment = {
    ...process.env,
    PYTHONPATH: `${PACKAGE}src`,
    PYTHONDONTWRITEBYTECODE: '1',
    HYPERSLAB_URL: inject('address'),
    HYPERSLAB_USER: 'test_user1:test',
    HYPERSLAB_FOLDER: folder,
  }
  const program = ['-W', 'error', `${PACKAGE}tests/test_hyperslab.py`]
  const { status, output } = await run(SYSTEM_PYTHON, program, environment, DEADLINE_MS)
  expect(status, output).toBe(0)
  expect(output).toMatch(/^Ran [1-9]\d* tests/m)
})

const mypy = await run(SYSTEM_PYTHON, ['-m', 'mypy', '--version'], process.env, DEADLINE_MS)
const isUntyped = mypy.status !== 0
if (isUntyped) tellSkipped('the types of the client for Python', `${SYSTEM_PYTHON} has no mypy`)

it.skipIf(isUntyped)('the types of the client for Python agree', async () => {
  const args = ['-m', 'mypy', '--cache-dir', '/dev/null', '--config-file', `${PACKAGE}pyproject.toml`]
  const { status, output } = await run(SYSTEM_PYTHON, [...args, `${PACKAGE}src`], process.env, DEADLINE_MS)
  expect(status, output).toBe(0)
})
