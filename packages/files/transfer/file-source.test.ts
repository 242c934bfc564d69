import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openLockFile } from '../../store/engines/lmdb/lock-file.ts'
import { openFileSource } from './file-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'hyperslab-source-'))
const path = join(folder, 'file.h5')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['grew', () => appendFileSync(path, 'more')],
  ['became shorter', () => truncateSync(path, 2)],
  ['was written', () => utimesSync(path, 1, 2)],
  ['was deleted', () => rmSync(path)],
  [
    'was replaced',
    () => {
      writeFileSync(`${path}.new`, 'some bytes')
      utimesSync(`${path}.new`, 1, 1)
      renameSync(`${path}.new`, path)
    },
  ],
])('tells that the file %s since it was opened', (_, change) => {
  writeFileSync(path, 'some bytes')
  utimesSync(path, 1, 1)
  const source = openFileSource(path)
  source.requireUnchanged()
  change()
  expect(() => source.requireUnchanged()).toThrow('was changed while it was read')
  source.close()
})

it('does not open a lock file that this process has open, since closing it would end the locks', () => {
  writeFileSync(path, 'some bytes')
  const lockFile = openLockFile(path)
  expect(() => openFileSource(path)).toThrow('is the lock file of the data folder')
  lockFile.close()
  openFileSource(path).close()
})

it('reads ranges, and fewer bytes where the file ends', async () => {
  writeFileSync(path, 'some bytes')
  const source = openFileSource(path)
  expect(source.size).toBe(10)
  const ranges = await source.read([
    { position: 5, length: 3 },
    { position: 0, length: 4 },
    { position: 8, length: 9 },
    { position: 20, length: 1 },
  ])
  expect(ranges.map(bytes => Buffer.from(bytes).toString())).toEqual(['byt', 'some', 'es', ''])
  source.close()
})

it('fills memory, and less of it where the file ends', async () => {
  const bytes = Buffer.from(Uint32Array.from({ length: 2_500_000 }, (_, index) => index).buffer)
  writeFileSync(path, bytes)
  const source = openFileSource(path)
  const target = new Uint8Array(bytes.length)
  expect(await source.readInto(target, 3)).toBe(bytes.length - 3)
  expect(Buffer.compare(target.subarray(0, -3), bytes.subarray(3))).toBe(0)
  expect([...target.subarray(-3)]).toEqual([0, 0, 0])
  await expect(source.readInto(target, 0, AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  source.close()
})

it('gives all bytes in pieces, each of which holds until the next one is asked for', async () => {
  const bytes = Buffer.from(Uint32Array.from({ length: 700_000 }, (_, index) => index).buffer)
  writeFileSync(path, bytes)
  const source = openFileSource(path)
  const copies: Buffer[] = []
  for await (const piece of source.pieces()) copies.push(Buffer.from(piece))
  expect(copies.length).toBeGreaterThan(2)
  expect(Buffer.compare(Buffer.concat(copies), bytes)).toBe(0)
  source.close()
})
