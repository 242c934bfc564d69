// `hyperslab check` as a process of its own: on a folder that a server writes to, on a damaged one, and on what is no
// data folder. It changes nothing.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect, prepare, WRITERS } from '../crash/writers.ts'
import { commandEnvironment, newWorkingDirectory, startServer } from '../wire/server.ts'

const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const SAMPLE = fileURLToPath(new URL('../wire/fixtures/user-defined-link.h5', import.meta.url))
const CHECKS_WHILE_WRITING = 4

let directory: string
beforeAll(async () => {
  directory = await newWorkingDirectory()
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const check = (...args: readonly string[]) => run('check', ...args)

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
    expect(await run('import', SAMPLE, '--to', '/', '--data', 'fixed')).toMatchObject({ status: 0 })
    const folder = join(directory, 'fixed')
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

it('a folder that a server writes to all the time: nothing is wrong', async () => {
  const server = await startServer(directory)
  try {
    const world = await prepare(connect(server.address))
    const client = connect(server.address, world)
    let isOver = false
    const writing = WRITERS.map(async write => {
      while (!isOver) await write(client)
    })
    for (let done = 0; done < CHECKS_WHILE_WRITING; done++) {
      const { status, out, err } = await check('data', '--values')
      expect({ status, err, errors: out.split('\n').filter(line => line.startsWith('error')) }).toEqual({
        status: 0,
        err: '',
        errors: [],
      })
      expect(out).toMatch(/: nothing is wrong\n$/)
    }
    isOver = true
    await Promise.all(writing)
    // Something was really written meanwhile.
    expect(world.links.size).toBeGreaterThan(CHECKS_WHILE_WRITING)
  } finally {
    await server.end('SIGTERM')
  }
})

it('a damaged one: a line for each error, status 1, and no file is changed', async () => {
  const data = join(directory, 'data')
  const blobs = readdirSync(join(data, 'blobs'), { recursive: true, withFileTypes: true })
  const files = blobs.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  for (const file of files) await truncate(file, 5)
  await writeFile(join(data, 'blobs', 'abc'), 'not ours')
  const before = contents(data)
  const { status, out } = await check('data')
  expect(status).toBe(1)
  expect(out).toMatch(
    /^error wrong-length: .*: domain ".+", path ".+", object [0-9a-f]{32}, "chunk \[.*\]", blob .*, expected \d+, found 5$/m,
  )
  expect(out).toMatch(/^information foreign-file: .*: blob abc$/m)
  expect(out).toMatch(/: \d+ errors\n$/)
  expect(contents(data)).toEqual(before)
})

it('what is no data folder: status 2, and nothing is made', async () => {
  await mkdir(join(directory, 'empty'))
  await mkdir(join(directory, 'newer'))
  await writeFile(join(directory, 'newer', 'hyperslab.json'), '{"format": 7}')
  await mkdir(join(directory, 'begun'))
  await writeFile(join(directory, 'begun', 'hyperslab.json'), '{"format": 2}')
  const before = readdirSync(directory, { recursive: true })
  const runs = [
    ['absent', 'there is no data folder'],
    ['empty', 'it is not a data folder of Hyperslab'],
    ['newer', 'names the format 7'],
    ['begun', 'no such file'],
    ['newer/hyperslab.json', 'is a file and not a data folder'],
  ] as const
  for (const [folder, message] of runs) {
    const { status, err, out } = await check(folder)
    expect({ status, out }, folder).toEqual({ status: 2, out: '' })
    expect(err.trim().split('\n'), folder).toHaveLength(1)
    expect(err).toContain(message)
  }
  expect(readdirSync(directory, { recursive: true })).toEqual(before)
})

it.each([
  ['check', 'short'],
  ['serve', 'short', '--port', '0'],
  ['serve', 'short', '--port', '0', '--workers', '2'],
  ['copy', 'short', '--to', 'copied'],
  ['export', '/any', '--data', 'short', '--to', 'any.h5'],
  ['user', 'list', '--data', 'short'],
])('%s of a folder whose records were cut short says so in one line, and ends with 2', async (...args) => {
  await cp(join(directory, 'data'), join(directory, 'short'), { recursive: true })
  await truncate(join(directory, 'short', 'lmdb', 'data.mdb'), 12_288)
  const before = contents(join(directory, 'short'))
  const { status, out, err } = await run(...args)
  expect({ status, out }).toEqual({ status: 2, out: '' })
  expect(err).toMatch(
    /^hyperslab: the data folder .* the file has been cut short to 12288 bytes.*restore.*\n$/,
  )
  expect(contents(join(directory, 'short'))).toEqual(before)
})
