// The contents of files as libhdf5 reads them through h5py (Python's binding), as the truth to compare with. Present
// where the system's Python has it; the tests that need it are skipped, and say so, where it has not.

import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Description } from './description.ts'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

/** The published sample files of h5serv, which are beside the project where it is developed. */
const SAMPLES = join(FOLDER, '../../../shared/samples/h5serv')

/** Files are kept here from run to run, as long as what they are made of is the same. */
const KEPT = join(FOLDER, '../../node_modules/.cache/hyperslab-test')

/** A Python that has h5py, with the versions of it and of its libraries. */
function findPython(): { readonly python: string; readonly versions: string } | undefined {
  for (const python of [process.env.HYPERSLAB_TEST_PYTHON ?? 'python3', '/usr/bin/python3']) {
    const script = 'import h5py; print(h5py.version.info)'
    const { stdout, status } = spawnSync(python, ['-c', script], { encoding: 'utf8' })
    if (status === 0) return { python, versions: stdout }
  }
  return undefined
}

const FOUND = findPython()

/** Undefined: no Python has h5py. */
export const PYTHON = FOUND?.python

/** Whether that Python has these modules too. */
export function hasModules(...names: readonly string[]): boolean {
  return PYTHON !== undefined && spawnSync(PYTHON, ['-c', `import ${names.join(', ')}`]).status === 0
}

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

const MAKERS = ['make-files.py', 'make-structures.py']

/** The files of make-files.py and make-structures.py. Tests only read them: they are made once. */
export function makeFiles(): readonly string[] {
  const folder = keepFolder(`files-${digestOf(MAKERS)}`, unfinished => {
    for (const script of MAKERS) run(script, [unfinished])
  })
  return readdirSync(folder)
    .filter(name => name.endsWith('.h5'))
    .map(name => join(folder, name))
}

/** Writes the files of large-files.py into the folder, and the bytes of their datasets. */
export function makeLargeFiles(folder: string): void {
  run('large-files.py', [folder])
}

/**
 * The description of each file (describe.py), in order. It is kept until a byte of a file changes, or a script: libhdf5
 * says the same of the same bytes. Raw files that datasets have their values in are made by the same scripts.
 */
export function describeFiles(files: readonly string[]): readonly Description[] {
  const digest = createHash('sha256').update(digestOf([...MAKERS, 'describe.py']))
  for (const file of files)
    digest.update(`${basename(file)} ${statSync(file).size} `).update(readFileSync(file))
  const folder = keepFolder(`descriptions-${digest.digest('hex')}`, unfinished => {
    writeFileSync(join(unfinished, 'lines'), run('describe.py', files))
  })
  const lines = readFileSync(join(folder, 'lines'), 'utf8').trimEnd().split('\n')
  // The output of describe.py.
  return lines.map(line => JSON.parse(line) as Description)
}

/** The digest of the scripts, and of the libraries that they use. */
function digestOf(scripts: readonly string[]): string {
  const all = createHash('sha256').update(FOUND?.versions ?? '')
  for (const script of scripts) all.update(readFileSync(join(FOLDER, script)))
  return all.digest('hex')
}

/**
 * A folder that is kept from run to run, made if it is not there. It has all of its files. Other threads may do the
 * same.
 */
function keepFolder(name: string, fill: (unfinished: string) => void): string {
  const path = join(KEPT, name)
  if (existsSync(path)) return path
  const unfinished = `${path}.${randomUUID()}`
  mkdirSync(unfinished, { recursive: true })
  try {
    fill(unfinished)
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(path)) throw error
  }
  return path
}

/** The output of a script of this folder. */
export function run(script: string, args: readonly string[], input = ''): string {
  const { stdout, stderr, status } = spawnSync(PYTHON ?? 'python3', [join(FOLDER, script), ...args], {
    encoding: 'utf8',
    input,
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`)
  return stdout
}
