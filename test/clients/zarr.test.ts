// The Zarr view, read by zarr-python: every value is that of h5py. With zarr-python 2 it is Zarr 2, with 3 both.

import { fileURLToPath } from 'node:url'
import { beforeAll, expect, inject, test } from 'vitest'
import { USER1 } from '../wire/client.ts'
import { HOME, makeHome } from '../wire/hsds/domain.ts'
import { run, tellSkipped } from './clients.ts'

const DEADLINE = 120_000
const PYTHON = process.env.HYPERSLAB_ZARR_PYTHON ?? '/usr/bin/python3'

beforeAll(makeHome)

const { status, output } = await run(
  PYTHON,
  ['-c', 'import zarr, fsspec, aiohttp, h5py'],
  process.env,
  60_000,
)
const isMissing = status !== 0
if (isMissing)
  tellSkipped('zarr-python', `${PYTHON} cannot import it: ${output.trimEnd().split('\n').at(-1)}`)

test.skipIf(isMissing)(
  'zarr-python reads what h5py reads',
  async () => {
    const script = fileURLToPath(new URL('read-zarr.py', import.meta.url))
    const result = await run(PYTHON, [script, inject('address'), USER1, 'test', HOME], process.env, DEADLINE)
    expect(result.output.trim()).toMatch(/^\d+ compared with zarr-python [23]\.\S+$/)
    expect(result.status).toBe(0)
  },
  DEADLINE + 10_000,
)
