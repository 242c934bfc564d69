import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findFiles } from './find-files.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-find-files-'))
  for (const name of ['inside/a/b', 'inside/.hidden', 'outside'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of [
    'inside/x',
    'inside/a/y',
    'inside/a/b/z',
    'inside/.hidden/h',
    'inside/.h',
    'outside/o',
  ]) {
    writeFileSync(join(folder, name), '')
  }
})

afterEach(() => rmSync(folder, { recursive: true }))

let passedOver: string[]

function found(): readonly string[] {
  const problems: string[] = []
  passedOver = []
  const note = (reason: string) => (path: string) => passedOver.push(`${reason} ${relative(folder, path)}`)
  const files = findFiles(join(folder, 'inside'), {
    unreadable: path => problems.push(path),
    hidden: note('hidden'),
    outside: note('outside'),
  })
  expect(problems).toEqual([])
  for (const { path, names } of files) expect(path).toBe(join(folder, 'inside', ...names))
  return files.map(({ names }) => names.join('/'))
}

describe('findFiles', () => {
  it('finds the files of all folders but hidden ones', () => {
    expect(found()).toEqual(['a/b/z', 'a/y', 'x'])
    expect(passedOver.sort()).toEqual(['hidden inside/.h', 'hidden inside/.hidden'])
  })

  it('tells whether the owner of a file may write it, also by a link', () => {
    chmodSync(join(folder, 'inside/x'), 0o577)
    symlinkSync('../x', join(folder, 'inside/a/link'))
    const files = findFiles(join(folder, 'inside'), { unreadable() {}, hidden() {}, outside() {} })
    expect(files.map(({ isWritable }) => isWritable)).toEqual([true, false, true, false])
  })

  it.each([
    ['a link to a file inside, by its own name', '../x', ['a/b/z', 'a/link', 'a/y', 'x']],
    ['no link to a file outside', '../../outside/o', ['a/b/z', 'a/y', 'x']],
    ['no link to a folder outside', '../../outside', ['a/b/z', 'a/y', 'x']],
    ['no link that leads nowhere', 'none', ['a/b/z', 'a/y', 'x']],
    ['nothing again by a link to a folder above', '..', ['a/b/z', 'a/y', 'x']],
    ['nothing again by a link to a folder beside', 'b', ['a/b/z', 'a/y', 'x']],
  ])('finds %s', (_, target, expected) => {
    symlinkSync(target, join(folder, 'inside/a/link'))
    expect(found()).toEqual(expected)
    const isPassedOver = target.includes('outside') || target === 'none'
    expect(passedOver.includes('outside inside/a/link')).toBe(isPassedOver)
  })
})
