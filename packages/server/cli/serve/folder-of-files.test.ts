// The folders that `hyperslab serve DIR` mounts, and the place of the data folder then.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { holdsFilesToServe, stateFolderOf } from './folder-of-files.ts'

const SIGNATURE = Buffer.from('894844460d0a1a0a', 'hex')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-files-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function fill(...names: readonly string[]): void {
  for (const name of names) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    const isHdf5 = /\.(h5|nc)$/.test(name)
    writeFileSync(
      path,
      isHdf5 ? Buffer.concat([Buffer.alloc(name.endsWith('.nc') ? 1024 : 0), SIGNATURE]) : 'text',
    )
  }
}

describe('a folder of files', () => {
  it.each<[boolean, string[]]>([
    [true, ['a.h5']],
    [true, ['notes.txt', 'user-block.nc']],
    [true, ['notes.txt', 'x/y/z.h5']],
    [true, ['config.json', 'a.h5']],
    [false, []],
    [false, ['notes.txt', 'x/notes.txt']],
    [false, ['hyperslab.json', 'a.h5']],
    [false, ['.a.h5']],
    [false, ['x/.hidden/a.h5', '.hidden/a.h5']],
    // A data folder that was not served yet; blobs may be HDF5 files.
    [false, ['config.json']],
    [false, ['lmdb/data.mdb', 'blobs/a.h5']],
  ])('%s: %j', (expected, names) => {
    fill(...names)
    expect(holdsFilesToServe(folder)).toBe(expected)
  })

  it('is not missing; an HDF5 file is served like one, another file is not', () => {
    fill('a.h5', 'notes.txt')
    expect(holdsFilesToServe(join(folder, 'a.h5'))).toBe(true)
    expect(holdsFilesToServe(join(folder, 'notes.txt'))).toBe(false)
    expect(holdsFilesToServe(join(folder, 'missing'))).toBe(false)
  })
})

describe('the data folder of a folder of files', () => {
  it('is the same for the same folder, whatever its name', () => {
    fill('x/a.h5', 'y/a.h5')
    symlinkSync(join(folder, 'x'), join(folder, 'link'))
    const of = (name: string) => stateFolderOf(join(folder, name), { XDG_STATE_HOME: '/state' })
    expect(of('x')).toMatch(/^\/state\/hyperslab\/[0-9a-f]{16}$/)
    expect(of('link')).toBe(of('x'))
    expect(of('y')).not.toBe(of('x'))
  })

  it.each([undefined, '', 'relative'])('is in the home folder with XDG_STATE_HOME=%s', given => {
    const state = stateFolderOf(folder, { XDG_STATE_HOME: given })
    expect(dirname(state)).toBe(join(homedir(), '.local', 'state', 'hyperslab'))
  })
})
