import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folderWarnings, prepareAndReport, prepareDataFolder, requireDataFolder } from './prepare-folder.ts'

/** A user of the system that need not exist. */
const OTHER = 54_321

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-folder-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function fill(...names: readonly string[]): void {
  for (const name of names) writeFileSync(join(folder, name), '')
}

describe('prepareDataFolder', () => {
  it('makes the folder and those above it', () => {
    const deep = join(folder, 'a', 'b', 'c')
    prepareDataFolder(deep)
    expect(existsSync(deep)).toBe(true)
  })

  it.each([
    [[]],
    [['.git', '.gitkeep']],
    [['config.json', 'lost+found']],
    [['hyperslab.json.0d1e']],
    [['last-check.json', 'last-copy.json']],
    [['hyperslab.json', 'notes.txt', 'x.h5']],
  ])('takes a folder that holds %j', names => {
    fill(...names)
    prepareDataFolder(folder)
  })

  it.each([
    [['a.h5'], 'it contains a.h5. Import HDF5 files into a data folder: hyperslab import a.h5'],
    [['notes.txt'], 'is not a data folder, which must be new or empty: it contains notes.txt'],
    [['a', 'b', 'c', 'd'], 'it contains a, b, c, ...'],
  ])('refuses a folder that holds %j', (names, message) => {
    fill(...names)
    expect(() => prepareDataFolder(folder)).toThrow(message)
  })

  describe.skipIf(process.getuid?.() !== 0)('as the administrator', () => {
    it('refuses a data folder whose parts are of another user, and says whose they are', () => {
      mkdirSync(join(folder, 'lmdb'))
      chownSync(join(folder, 'lmdb'), OTHER, OTHER)
      for (const prepare of [prepareDataFolder, prepareAndReport, requireDataFolder]) {
        expect(() => prepare(folder)).toThrow(
          `lmdb belongs to the user id ${OTHER}, but this command runs as the user id 0: run it as that user`,
        )
      }
    })

    it('takes an empty folder of another user, with a warning', () => {
      chownSync(folder, OTHER, OTHER)
      expect(prepareDataFolder(folder)).toBe(true)
      expect(folderWarnings(folder)).toEqual([
        expect.stringMatching(`belongs to the user id ${OTHER}, and this process runs as the user id 0`),
      ])
    })
  })

  it('warns of a folder that every user may change', () => {
    expect(folderWarnings(folder)).toEqual([])
    chmodSync(folder, 0o777)
    expect(folderWarnings(folder)).toEqual([
      expect.stringMatching(/every user .* may change .*: chmod o-w it/),
    ])
  })

  it('refuses a file, and names the way for one of HDF5', () => {
    fill('run.h5', 'text')
    const file = join(folder, 'run.h5')
    expect(() => prepareDataFolder(file)).toThrow(
      `${file} is a file and not a data folder. Import HDF5 files into a data folder: hyperslab import ${file} --to /files --data data`,
    )
    expect(() => prepareDataFolder(join(folder, 'text'))).toThrow(/is a file and not a data folder$/)
  })

  it.each([
    ['below a file', () => join(folder, 'text', 'x')],
    ['where nothing can be made', () => '/proc/hyperslab/x'],
  ])('says that a folder %s cannot be created', (_, path) => {
    fill('text')
    expect(() => prepareDataFolder(path())).toThrow(/^the folder .* cannot be created: E/)
  })
})
