// Random programs of writes, resizes, reads and queries, compared step by step with NumPy and h5py (programs.py).
// Skipped, and says so, where no Python has them. HYPERSLAB_TEST_SEED repeats a run.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { makeHome, newDomain } from './domain.ts'

const SCRIPT = fileURLToPath(new URL('./programs.py', import.meta.url))
const PROGRAMS = 120
const SEED = Number(process.env.HYPERSLAB_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

const PYTHON = [process.env.HYPERSLAB_TEST_PYTHON ?? 'python3', '/usr/bin/python3'].find(
  python => spawnSync(python, ['-c', 'import h5py, numpy'], { stdio: 'ignore' }).status === 0,
)
if (PYTHON === undefined) {
  console.warn(
    'SKIPPED: no Python with h5py is here, so random programs are not compared with NumPy and h5py.',
  )
}

describe.skipIf(PYTHON === undefined)('random programs', () => {
  beforeAll(makeHome)

  it(`agree with NumPy and h5py (seed ${SEED})`, { timeout: 300_000 }, async () => {
    const { path } = await newDomain()
    const args = [SCRIPT, inject('address'), path, String(SEED), String(PROGRAMS)]
    const child = spawn(PYTHON ?? 'python3', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece: Buffer) => {
        printed += piece.toString('utf8')
      })
    }
    await once(child, 'close')
    expect(printed).toBe(`${PROGRAMS} programs agree with NumPy and h5py (seed ${SEED})\n`)
  })
})
