// `hyperslab doctor` as a process: beside a service that runs, with a mount that is missing, and with one that hangs.
// It names each fault, ends with 1, and leaves the folder as it was.

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { COMMAND, commandEnvironment, newWorkingDirectory, startServer } from '../wire/server.ts'

const SOURCE = fileURLToPath(new URL('../fixtures/hung-files.c', import.meta.url))

let directory: string
beforeEach(async () => {
  directory = await newWorkingDirectory()
})
afterEach(() => rm(directory, { recursive: true, force: true }))

function doctor(args: readonly string[], environment = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'doctor', 'data', ...args], {
    cwd: directory,
    encoding: 'utf8',
    env: { ...commandEnvironment(), ...environment },
  })
  return { status, lines: stdout.trim().split('\n'), stderr }
}

test('beside a service, and with a mount that is missing', async () => {
  const server = await startServer(directory)
  const { port } = new URL(server.address)
  const before = readdirSync(join(directory, 'data'))
  await mkdir(join(directory, 'notes'))
  const well = doctor(['--port', port, '--mount', 'notes', '--mount-timeout', '600'])
  expect(well).toMatchObject({ status: 0, stderr: '' })
  expect(well.lines).toContain(`ok     port: a service of Hyperslab answers at 127.0.0.1:${port}`)
  expect(well.lines).toContain(`ok     store: ${join(directory, 'data')} answers`)
  expect(well.lines).toContainEqual(expect.stringMatching(/^ok {5}mount \S+notes: it can be read/))
  expect(well.lines.at(-1)).toBe('Nothing is wrong.')
  const ill = doctor(['--port', port, '--mount', 'none'])
  expect(ill.status).toBe(1)
  expect(ill.lines).toContainEqual(expect.stringMatching(/^wrong {2}mount .*none: ENOENT/))
  expect(readdirSync(join(directory, 'data'))).toEqual(before)
  await server.end('SIGTERM')
})

const hasCompiler = spawnSync('cc', ['--version']).status === 0
if (!hasCompiler) console.warn('SKIPPED: a mount that hangs needs a compiler of C, cc (apt-get install gcc)')

test.skipIf(!hasCompiler || process.platform !== 'linux')('with a mount that hangs', async () => {
  const library = join(directory, 'hung-files.so')
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl'])
  expect(built.status).toBe(0)
  const beam = join(directory, 'beam')
  await mkdir(beam)
  const flag = join(directory, 'flag')
  await writeFile(flag, '')
  const args = ['--mount', 'beam', '--mount-timeout', '1', '--port', '0']
  const environment = { LD_PRELOAD: library, HUNG_FOLDER: beam, HUNG_WHILE: flag }
  const { status, lines } = doctor(args, environment)
  expect(status).toBe(1)
  expect(lines).toContainEqual(expect.stringMatching(/^wrong {2}mount \S+beam: no answer within 1 seconds/))
})
