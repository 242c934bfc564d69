// What libhdf5 says of files through h5py (Python's binding), as the truth to compare with. Present where the system's Python has
// it; the tests that need it are skipped, and say so, where it has not.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Description } from './description.ts'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

/** The published sample files of h5serv, which stand beside the project where it is developed. */
const SAMPLES = join(FOLDER, '../../../shared/samples/h5serv')

/** A Python that has h5py, or undefined. */
export const PYTHON = [process.env.HYPERSLAB_TEST_PYTHON ?? 'python3', '/usr/bin/python3'].find(
  python => spawnSync(python, ['-c', 'import h5py'], { stdio: 'ignore' }).status === 0,
)

export const SAMPLE_FILES: readonly string[] = existsSync(SAMPLES)
  ? readdirSync(SAMPLES)
      .filter(name => name.endsWith('.h5'))
      .map(name => join(SAMPLES, name))
  : []

/** Says loudly why tests are skipped; returns whether they are. */
export function isMissing(what: string, present: boolean): boolean {
  if (!present) console.warn(`SKIPPED: ${what} is not here, so files are not compared with what h5py reads.`)
  return !present
}

/** Writes the files of make-files.py and make-structures.py into the folder; returns their paths. */
export function makeFiles(folder: string): readonly string[] {
  run('make-files.py', [folder])
  run('make-structures.py', [folder])
  return readdirSync(folder)
    .filter(name => name.endsWith('.h5'))
    .map(name => join(folder, name))
}

/** Writes the files of large-files.py into the folder, and the bytes of their datasets. */
export function makeLargeFiles(folder: string): void {
  run('large-files.py', [folder])
}

/** The description of each file (describe.py), in order. */
export function describeFiles(files: readonly string[]): readonly Description[] {
  const lines = run('describe.py', files).trimEnd().split('\n')
  // What describe.py prints.
  return lines.map(line => JSON.parse(line) as Description)
}

/** What a script of this folder prints. */
export function run(script: string, args: readonly string[], input = ''): string {
  const { stdout, stderr, status } = spawnSync(PYTHON ?? 'python3', [join(FOLDER, script), ...args], {
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`)
  return stdout
}
