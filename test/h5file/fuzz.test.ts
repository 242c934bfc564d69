// Some damaged files (scripts/fuzz-h5.mjs; CI reads more of them), with another seed in each run: it is printed, and
// repeats a failure.

import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isMissing, makeFiles, PYTHON } from '../h5py/h5py.ts'

const SCRIPT = join(fileURLToPath(new URL('.', import.meta.url)), '../../scripts/fuzz-h5.mjs')
const CASES = 240

describe.skipIf(isMissing('a Python with h5py', PYTHON !== undefined))('damaged files', () => {
  it('give errors of the reader only, soon and in little memory', () => {
    const env = { ...process.env, HYPERSLAB_TEST_PYTHON: PYTHON }
    const seed = Math.floor(Math.random() * 2 ** 31)
    const folder = dirname(makeFiles()[0])
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [SCRIPT, `${CASES}cases`, `${seed}`, folder],
      {
        env,
        encoding: 'utf8',
      },
    )
    console.log(stdout.split('\n')[0])
    expect(status === 0 ? '' : `${stdout}${stderr}`).toBe('')
    expect(stdout).toContain(`${CASES} damaged files were read, 0 broke a rule.`)
  })
})
