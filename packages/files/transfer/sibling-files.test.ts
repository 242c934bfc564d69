import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRange } from '@hyperslab/h5/reader'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFileSource } from './file-source.ts'
import { type FilePaths, siblingFiles } from './sibling-files.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hyperslab-siblings-')))
const root = join(folder, 'root')

beforeAll(() => {
  mkdirSync(join(root, 'a'), { recursive: true })
  for (const name of ['root/a/file.h5', 'root/a/raw', 'root/other', 'secret'])
    writeFileSync(join(folder, name), name)
  symlinkSync(join(folder, 'secret'), join(root, 'a', 'link'))
  symlinkSync('raw', join(root, 'a', 'inside'))
  symlinkSync('..', join(root, 'a', 'up'))
})

afterAll(() => rmSync(folder, { recursive: true }))

function at(path: string): FilePaths {
  return { found: path, real: path }
}

it.each([
  ['raw', 'root/a/raw'],
  ['inside', 'root/a/raw'],
  ['../other', 'root/other'],
  [join(root, 'other'), 'root/other'],
  ['../../secret', undefined],
  ['link', undefined],
  [join(folder, 'secret'), undefined],
  ['none', undefined],
  // Moved together: the last part of an absolute name, beside the file.
  ['/beamline/raw', 'root/a/raw'],
  ['/etc/raw', 'root/a/raw'],
  ['/beamline/none', undefined],
  ['/beamline/link', undefined],
  ['beamline/raw', undefined],
  ['C:\\beamline\\raw', 'root/a/raw'],
  // Links are followed like the system follows them: `up` is a link to the folder above.
  ['up/../../secret', undefined],
  ['up/a/../other', 'root/other'],
])('opens %s only below the folder', async (name, content) => {
  const siblings = siblingFiles(at(join(root, 'a', 'file.h5')), root, openFileSource)
  const sibling = await siblings.open(name)
  const bytes = sibling && (await readRange(sibling.source, 0, sibling.source.size))
  expect(bytes && Buffer.from(bytes).toString()).toBe(content)
  expect(siblings.opened.length).toBe(content === undefined ? 0 : 1)
  siblings.close()
})

/** Each begins with the same files, of which `raw` and the missing `new` were asked for. */
const CHANGES: readonly [string, boolean, (folder: string) => void][] = [
  ['nothing changes', true, () => undefined],
  ['another file changes', true, folder => writeFileSync(join(folder, 'other'), 'changed')],
  ['a file is written', false, folder => writeFileSync(join(folder, 'raw'), 'changed')],
  [
    'a file is replaced by one with the same bytes',
    false,
    folder => {
      copyFileSync(join(folder, 'raw'), join(folder, 'copy'))
      renameSync(join(folder, 'copy'), join(folder, 'raw'))
    },
  ],
  ['a file is removed', false, folder => rmSync(join(folder, 'raw'))],
  [
    'a link leads elsewhere',
    false,
    folder => {
      rmSync(join(folder, 'link'))
      symlinkSync('other', join(folder, 'link'))
    },
  ],
  ['a missing file appears', false, folder => writeFileSync(join(folder, 'new'), 'new')],
  ['a missing file becomes a link that leads out', true, folder => symlinkSync('/etc', join(folder, 'new'))],
]

it.each(CHANGES)('when %s, that they are current is %s', async (_, expected, change) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hyperslab-siblings-')))
  for (const name of ['file.h5', 'raw', 'linked', 'other']) writeFileSync(join(folder, name), name)
  symlinkSync('linked', join(folder, 'link'))
  const siblings = siblingFiles(at(join(folder, 'file.h5')), folder, openFileSource)
  expect(await siblings.areCurrent()).toBe(true)
  for (const name of ['raw', 'link', 'new', '../none']) await siblings.open(name)
  change(folder)
  expect(await siblings.areCurrent()).toBe(expected)
  siblings.close()
  rmSync(folder, { recursive: true })
})

it('are not current when a missing file was found later', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hyperslab-siblings-')))
  const siblings = siblingFiles(at(join(folder, 'file.h5')), folder, openFileSource)
  expect(await siblings.open('new')).toBeUndefined()
  writeFileSync(join(folder, 'new'), 'new')
  expect(await siblings.open('new')).toBeDefined()
  expect(await siblings.areCurrent()).toBe(false)
  siblings.close()
  rmSync(folder, { recursive: true })
})

it('of a file that was found by a link are beside the link first, then beside the file', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hyperslab-siblings-')))
  mkdirSync(join(folder, 'real'))
  for (const name of ['both', 'real/both', 'real/one', 'real/file.h5'])
    writeFileSync(join(folder, name), name)
  symlinkSync('real/file.h5', join(folder, 'link.h5'))
  const paths = { found: join(folder, 'link.h5'), real: join(folder, 'real', 'file.h5') }
  const siblings = siblingFiles(paths, folder, openFileSource)
  expect((await siblings.open('/far/both'))?.path).toBe(join(folder, 'both'))
  expect((await siblings.open('one'))?.path).toBe(join(folder, 'real', 'one'))
  siblings.close()
  rmSync(folder, { recursive: true })
})

it('are located from the folder in which the file was found', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hyperslab-siblings-')))
  for (const name of ['real', 'other']) mkdirSync(join(folder, name))
  for (const name of ['real/x y.h5', 'real/file.h5', 'other/z.h5']) writeFileSync(join(folder, name), name)
  symlinkSync('real/file.h5', join(folder, 'link.h5'))
  symlinkSync('other', join(folder, 'late'))
  const real = join(folder, 'real', 'file.h5')
  const direct = siblingFiles(at(real), folder, openFileSource)
  const linked = siblingFiles({ found: join(folder, 'link.h5'), real }, folder, openFileSource)
  const located = (name: string) => Promise.all([direct.locate(name), linked.locate(name)])
  // Undefined: where the name says.
  expect(await located('x y.h5')).toEqual([undefined, 'real/x y.h5'])
  expect(await located('/beamline/x y.h5')).toEqual([undefined, 'real/x y.h5'])
  expect(await located('../late/z.h5')).toEqual(['../other/z.h5', 'other/z.h5'])
  expect(await located('late/z.h5')).toEqual([undefined, 'other/z.h5'])
  expect(await located(join(folder, 'other', 'z.h5'))).toEqual(['../other/z.h5', 'other/z.h5'])
  expect(await located('/etc/passwd')).toEqual([undefined, undefined])
  expect([...direct.opened, ...linked.opened]).toEqual([])
  rmSync(folder, { recursive: true })
})

it('of very many absolute names in a folder that is not there cost one look at that folder', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hyperslab-siblings-')))
  const siblings = siblingFiles(at(join(folder, 'file.h5')), folder, openFileSource)
  for (let number = 0; number < 900; number++) await siblings.open(`/beamline/none${number}`)
  expect(await siblings.areCurrent()).toBe(true)
  writeFileSync(join(folder, 'none7'), 'here')
  expect(await siblings.areCurrent()).toBe(false)
  rmSync(folder, { recursive: true })
})

it('are not looked at again when they are too many', async () => {
  const siblings = siblingFiles(at(join(root, 'a', 'file.h5')), root, openFileSource)
  for (let number = 0; number < 1000; number++) await siblings.open(`none${number}`)
  expect(await siblings.areCurrent()).toBe(true)
  await siblings.open('none1000')
  expect(await siblings.areCurrent()).toBe(false)
})
