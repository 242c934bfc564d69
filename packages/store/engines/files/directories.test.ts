import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Directories, syncDirectory } from './directories.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hyperslab-directories-'))
})
afterEach(() => rm(root, { recursive: true }))

it('calls before a sync has begun share it, a later one gets the next', async () => {
  const directories = new Directories(root)
  const first = directories.sync(root)
  expect(directories.sync(root)).toBe(first)
  await Promise.resolve()
  await Promise.resolve()
  await Promise.resolve()
  const second = directories.sync(root)
  expect(second).not.toBe(first)
  expect(directories.sync(root)).toBe(second)
  await Promise.all([first, second])
  expect(directories.sync(root)).not.toBe(second)
})

it('a sync that fails rejects for its callers and not for the next', async () => {
  const directories = new Directories(root)
  const path = join(root, 'ab')
  const failing = directories.sync(path)
  const next = failing.catch(() => mkdir(path)).then(() => directories.sync(path))
  await expect(failing).rejects.toThrow('ENOENT')
  await next
})

it('a directory made anew under the same name is another one', async () => {
  const path = join(root, 'ab')
  await mkdir(path)
  const before = await syncDirectory(path)
  expect(await syncDirectory(path)).toBe(before)
  await rm(path, { recursive: true })
  await mkdir(path)
  expect(await syncDirectory(path)).not.toBe(before)
})
