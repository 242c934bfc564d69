// Random programs of writes, resizes, reads and queries, compared step by step with NumPy and h5py (programs.py).
// Skipped, and says so, where no Python has them. HYPERSLAB_TEST_SEED repeats a run,
// HYPERSLAB_TEST_PROGRAMS runs more of them.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, inject, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('./programs.py', import.meta.url))
const PROGRAMS = Number(process.env.HYPERSLAB_TEST_PROGRAMS ?? 50)
const SEED = Number(process.env.HYPERSLAB_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

const PYTHON = [process.env.HYPERSLAB_TEST_PYTHON ?? 'python3', '/usr/bin/python3'].find(
  python => spawnSync(python, ['-c', 'import h5py, numpy'], { stdio: 'ignore' }).status === 0,
)
if (PYTHON === undefined) {
  console.warn(
    'SKIPPED: no Python with h5py is here, so random programs are not compared with NumPy and h5py.',
  )
}

/** `newDomain` makes the domain that the programs work in, and gives its name as the dialect has it. */
export function testPrograms(dialect: 'classic' | 'hsds', newDomain: () => Promise<string>): void {
  const title = `random programs agree with NumPy and h5py (seed ${SEED})`
  it.skipIf(PYTHON === undefined)(title, { timeout: 300_000 }, async () => {
    const args = [SCRIPT, inject('address'), dialect, await newDomain(), String(SEED), String(PROGRAMS)]
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
}
