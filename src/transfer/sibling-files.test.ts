import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readRange } from '../h5file/byte-source.ts'
import { openFileSource } from './file-source.ts'
import { siblingFiles } from './sibling-files.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hyperslab-siblings-')))
const root = join(folder, 'root')

beforeAll(() => {
  mkdirSync(join(root, 'a'), { recursive: true })
  for (const name of ['root/a/file.h5', 'root/a/raw', 'root/other', 'secret'])
    writeFileSync(join(folder, name), name)
  symlinkSync(join(folder, 'secret'), join(root, 'a', 'link'))
  symlinkSync('raw', join(root, 'a', 'inside'))
})

afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  ['raw', 'root/a/raw'],
  ['inside', 'root/a/raw'],
  ['../other', 'root/other'],
  [join(root, 'other'), 'root/other'],
  ['../../secret', undefined],
  ['link', undefined],
  [join(folder, 'secret'), undefined],
  ['none', undefined],
])('opens %s only below the folder', async (name, content) => {
  const siblings = siblingFiles(join(root, 'a', 'file.h5'), root, openFileSource)
  const sibling = await siblings.open(name)
  const bytes = sibling && (await readRange(sibling.source, 0, sibling.source.size))
  expect(bytes && Buffer.from(bytes).toString()).toBe(content)
  expect(siblings.opened.length).toBe(content === undefined ? 0 : 1)
  siblings.close()
})
