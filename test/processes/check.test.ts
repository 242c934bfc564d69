// A folder on a read-only file system, which `hyperslab check` reads, and one whose records were cut short, which no
// command may read: a process that did so would be ended by the system.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { COMMAND, commandEnvironment, newWorkingDirectory } from '../wire/server.ts'

const SAMPLE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))

let directory: string
beforeAll(async () => {
  directory = await newWorkingDirectory()
  expect(await run('import', SAMPLE, '--to', '/', '--data', 'sound')).toMatchObject({ status: 0 })
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function run(...args: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: directory, env: commandEnvironment() })
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { status: child.exitCode, out, err }
}

/** The bytes of every file of the folder but LMDB's table of readers. */
function contents(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    entry => entry.isFile() && entry.name !== 'lock.mdb',
  )
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path, readFileSync(path, 'latin1')]
    }),
  )
}

const canMount = spawnSync('unshare', ['-m', 'true']).status === 0
if (!canMount) console.warn('SKIPPED: check on a read-only file system, because this user may not mount one')

it.runIf(canMount)(
  'a folder on a file system on which nothing can be written, with and without lock.mdb',
  async () => {
    const folder = join(directory, 'fixed')
    await cp(join(directory, 'sound'), folder, { recursive: true })
    const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
    const checkFixed = async () => {
      const args = ['-m', 'sh', '-c', script, 'sh', folder, process.execPath, COMMAND, 'check', folder]
      const child = spawn('unshare', args, { env: commandEnvironment() })
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
      return { out, err }
    }
    const sound = { out: expect.stringContaining('nothing is wrong'), err: '' }
    expect(await checkFixed()).toEqual(sound)
    await rm(join(folder, 'lmdb', 'lock.mdb'))
    expect(await checkFixed()).toEqual(sound)
  },
)

it.each([
  ['check', 'short'],
  ['serve', 'short', '--port', '0'],
  ['serve', 'short', '--port', '0', '--workers', '2'],
  ['copy', 'short', '--to', 'copied'],
  ['export', '/any', '--data', 'short', '--to', 'any.h5'],
  ['user', 'list', '--data', 'short'],
])('%s of a folder whose records were cut short says so in one line, and ends with 2', async (...args) => {
  await cp(join(directory, 'sound'), join(directory, 'short'), { recursive: true })
  await truncate(join(directory, 'short', 'lmdb', 'data.mdb'), 12_288)
  const before = contents(join(directory, 'short'))
  const { status, out, err } = await run(...args)
  expect({ status, out }).toEqual({ status: 2, out: '' })
  expect(err).toMatch(
    /^hyperslab: the data folder .* the file has been cut short to 12288 bytes.*restore.*\n$/,
  )
  expect(contents(join(directory, 'short'))).toEqual(before)
})
