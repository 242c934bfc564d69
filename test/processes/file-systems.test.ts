// A data folder on a file system that cannot hold it: that of a network, and one that cannot map files into memory or
// lock them, is refused with one line that says what to use instead, and nothing is left in it.

import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newWorkingDirectory } from '../wire/server.ts'

const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const SOURCE = fileURLToPath(new URL('../fixtures/poor-folder.c', import.meta.url))

/** Whether this user may mount what no other process sees. */
const canMount = (() => {
  try {
    execFileSync('unshare', ['-Urm', 'mount', '-t', 'ramfs', 'ramfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
if (!canMount)
  console.warn('SKIPPED: this user cannot mount a file system, so all data folders are on a disk')

const hasCompiler = spawnSync('cc', ['--version']).status === 0
if (!hasCompiler) console.warn('SKIPPED: poor file systems need a compiler of C, cc (apt-get install gcc)')

let directory: string
beforeEach(async () => {
  directory = await newWorkingDirectory()
  await mkdir(join(directory, 'volume'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

/** No machine has it: a service that is not refused ends nonetheless. */
const NO_ADDRESS = '192.0.2.1'

/**
 * Serves volume/data, after commands of the shell that mount what only these processes see: `around` for the folder,
 * `within` in the process that serves. Prints what is left in the folder.
 */
function serve({ around = ':', within = ':', environment = {} }): SpawnSyncReturns<string> {
  const serving = `${within} && exec "$0" "$1" serve volume/data --host ${NO_ADDRESS} --open-to-network`
  const script = `${around} && /bin/sh -c '${serving}' "$0" "$1"; ls -A volume`
  return spawnSync('unshare', ['-Urm', '/bin/sh', '-c', script, process.execPath, PROGRAM], {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  })
}

test.skipIf(!canMount)('on a file system of a network', () => {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').replace(/ - \w+ /g, ' - nfs4 ')
  writeFileSync(join(directory, 'mounts'), mounts)
  const { stderr, stdout } = serve({ within: 'mount --bind mounts /proc/$$/mountinfo' })
  expect(stderr).toMatch(
    /^hyperslab: the data folder \S+ is on a file system of a network \(nfs4\), .*--data-on-network allows it/,
  )
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(stdout).toBe('')
})

test.skipIf(!canMount || !hasCompiler).each(['maps', 'locks'])('without %s', lacking => {
  const library = join(directory, 'poor-folder.so')
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE], { encoding: 'utf8' })
  expect(built.stderr).toBe('')
  const environment = { LD_PRELOAD: library, LACKING: lacking, POOR_FOLDER: join(directory, 'volume') }
  const { stderr, stdout } = serve({ around: 'mount -t ramfs ramfs volume', environment })
  expect(stderr).toMatch(
    /^hyperslab: the data folder \S+ is on a file system \(ramfs\) that cannot map files into memory, or lock them/,
  )
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect([stdout, readdirSync(join(directory, 'volume'))]).toEqual(['', []])
})
