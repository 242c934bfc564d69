import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isDataFolderEntry } from './prepare-folder.ts'
import { prepareTemporaryFolder } from './temporary-folder.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'hyperslab-data-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

it('is an entry of the data folder, and empty', () => {
  mkdirSync(join(data, '.temporary'))
  writeFileSync(join(data, '.temporary', 'left'), '')
  const folder = prepareTemporaryFolder(data)
  expect(readdirSync(folder)).toEqual([])
  expect(readdirSync(data).every(isDataFolderEntry)).toBe(true)
})
