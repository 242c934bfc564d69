import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareUtf8 } from '@hyperslab/model/names'
import { afterAll, expect, it } from 'vitest'
import { FolderNames } from './folder-names.ts'

const temporary = mkdtempSync(join(tmpdir(), 'hyperslab-names-'))

afterAll(() => rmSync(temporary, { recursive: true }))

function makeFolder(name: string, names: readonly string[]): string {
  const folder = join(temporary, name)
  mkdirSync(folder)
  for (const file of names) writeFileSync(join(folder, file), '')
  return folder
}

/** All names from one on, read window by window. */
async function readAll(folderNames: FolderNames, folder: string, start = ''): Promise<string[]> {
  const all: string[] = []
  for (let from = start; ; ) {
    const { names, isCut } = await folderNames.read(folder, from)
    all.push(...names.filter(name => compareUtf8(name, from) >= 0))
    if (!isCut) return all
    from = `${names.at(-1)}\0`
  }
}

it.each([1, 7, 49, 50, 51, 1000])('reads fifty names, %i at a time, from any of them on', async most => {
  const names = Array.from({ length: 50 }, (_, index) => `${(index * 7) % 50}`)
  const folder = makeFolder(`fifty-${most}`, [...names, '.hidden'])
  const folderNames = new FolderNames(most)
  const sorted = [...names].sort(compareUtf8)
  for (const from of ['', '25', '25\0', '3x', '9', '99']) {
    const expected = sorted.filter(name => compareUtf8(name, from) >= 0)
    expect(await readAll(folderNames, folder, from), from).toEqual(expected)
  }
  expect((await folderNames.read(folder, '')).names.length).toBeLessThanOrEqual(most)
})

it('passes over names that are not UTF-8', async () => {
  const folder = makeFolder('not-utf8', ['b'])
  for (const byte of [0xff, 0xfe]) {
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/a`), Buffer.of(byte)]), '')
  }
  expect(await readAll(new FolderNames(), folder)).toEqual(['b'])
})

it('reads a folder again when it was changed, and only then', async () => {
  const folder = makeFolder('changing', ['a'])
  const folderNames = new FolderNames()
  // Until the folder is older than a tick of the clock, it is read each time.
  let before = await folderNames.read(folder, '')
  const end = performance.now() + 60_000
  for (let again = await folderNames.read(folder, ''); again !== before && performance.now() < end; ) {
    before = again
    again = await folderNames.read(folder, '')
  }
  expect(await folderNames.read(folder, 'b')).toBe(before)
  writeFileSync(join(folder, 'b'), '')
  expect(await folderNames.read(folder, '')).toMatchObject({ names: ['a', 'b'], isCut: false })
})

it('reads a folder once for all that wait for it', async () => {
  const folder = makeFolder('waiting', ['a', 'b'])
  const folderNames = new FolderNames()
  const [one, other] = await Promise.all([folderNames.read(folder, ''), folderNames.read(folder, '')])
  expect(one).toBe(other)
})

it('fails where no folder is', async () => {
  await expect(new FolderNames().read(join(temporary, 'none'), '')).rejects.toMatchObject({ code: 'ENOENT' })
})
