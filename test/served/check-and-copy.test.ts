// `hyperslab check` and `hyperslab copy`: a damaged folder, what is no data folder, and a target that is no copy. They
// change nothing then.

import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inFolder } from '@hyperslab/store/engines'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCheck } from '../../packages/server/cli/check.ts'
import { runCopy } from '../../packages/server/cli/copy.ts'
import { folderFigures } from '../../packages/server/cli/data-folder/folder-notes.ts'
import { connect, prepare, WRITERS } from '../crash/writers.ts'
import { runHere } from '../fixtures/commands.ts'
import { serveHere } from '../fixtures/served.ts'
import { newWorkingDirectory } from '../wire/server.ts'

let directory: string

beforeAll(async () => {
  directory = await newWorkingDirectory()
  const server = await serveHere({}, { dataFolder: folder('data') })
  const world = await prepare(connect(server.address))
  const client = connect(server.address, world)
  // Its chunks are blobs, and it has a path.
  const [, { id }] = world.datasets
  await client.want(201, 'PUT', `/groups/${world.root}/links/values`, { id })
  for (const write of WRITERS) await write(client)
  await server.end()
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const folder = (name: string) => join(directory, name)
const check = (name: string) => runHere(() => runCheck(inFolder(folder(name)), { values: false }))
const copy = (name: string, to: string) => runHere(() => runCopy({ to: folder(to) }, inFolder(folder(name))))

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

it('copy changes nothing of a copy that has been served since, and of a folder that is none of a store', async () => {
  expect(await copy('data', 'copy')).toMatchObject({ status: 0, err: '' })
  await (await serveHere({}, { dataFolder: folder('copy') })).end()
  const { status, err } = await copy('data', 'copy')
  expect([status, err]).toEqual([1, expect.stringContaining('a copy that has been served since')])
  const before = readdirSync(directory)
  const absent = await copy('absent', 'new')
  expect([absent.status, absent.err]).toEqual([1, expect.stringContaining('there is no data folder')])
  expect(readdirSync(directory)).toEqual(before)
  const self = await copy('data', 'data')
  expect([self.status, self.err]).toEqual([1, expect.stringContaining('onto itself')])
})

it('check of what is no data folder: status 2, and nothing is made', async () => {
  await mkdir(join(directory, 'empty'))
  await mkdir(join(directory, 'newer'))
  await writeFile(join(directory, 'newer', 'hyperslab.json'), '{"format": 8}')
  await mkdir(join(directory, 'begun'))
  await writeFile(join(directory, 'begun', 'hyperslab.json'), '{"format": 2}')
  const before = readdirSync(directory, { recursive: true })
  const runs = [
    ['absent', 'there is no data folder'],
    ['empty', 'it is not a data folder of Hyperslab'],
    ['newer', 'names the format 8'],
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

it('check of a damaged one: a line for each error, status 1, and no file but its note is changed', async () => {
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
  const after = new Map(contents(data))
  const note = [...after.keys()].filter(name => !before.has(name))
  expect(note).toEqual([expect.stringMatching(/last-check\.json$/)])
  for (const name of note) after.delete(name)
  expect(after).toEqual(before)
  const noted = await folderFigures(data).lastCheck()
  expect(noted).toMatchObject({
    errors: Number(/: (\d+) errors\n$/.exec(out)?.[1]),
    time: expect.any(Number),
  })
})
