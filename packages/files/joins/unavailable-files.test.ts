import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, parseDomainPath } from '@hyperslab/model/names'
import type { KnownFile } from '@hyperslab/store/store'
import { expect, it } from 'vitest'
import type { MountedFile, MountedFolder } from '../mounts/mount.ts'
import { JoinedFiles } from './joined-files.ts'
import { parseDefinition } from './parse-definition.ts'
import type { PlacedDefinition } from './searched-files.ts'

const AWAY = new HyperslabError('file-unavailable', 'it does not answer')
const away = () => Promise.reject<never>(AWAY)
const at = parseDomainPath
const FOLDERS: readonly string[] = ['/near', '/far']

/** Files below two folders; those of `/far` can fail, or never answer. */
class Files {
  readonly path = at('/')
  readonly there = new Set(['/near/a', '/near/b', '/far/c', '/far/d'])
  /** Files and folders that do not answer, and their answer. */
  readonly failing = new Map<string, () => Promise<never>>()
  /** Files that a list leaves out, although they are there. */
  readonly unlisted = new Set<string>()

  async find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined> {
    await this.failing.get(path)?.()
    const open = () => Promise.reject(new Error('not opened'))
    const base = { path, lastModified: 0 }
    if (FOLDERS.includes(path)) return { ...base, kind: 'folder' }
    return this.there.has(path) ? { ...base, kind: 'file', size: 1, stamp: path, open } : undefined
  }

  async *children(folder: DomainPath): AsyncGenerator<MountedFile | MountedFolder> {
    await this.failing.get(folder)?.()
    for (const path of folder === '/' ? FOLDERS : this.there) {
      if (!path.startsWith(folder) || this.unlisted.has(path)) continue
      const found = await this.find(at(path))
      if (found) yield found
    }
  }
}

const KNOWN = new Map<DomainPath, KnownFile>(
  ['/near/a', '/near/b', '/far/c', '/far/d'].map(name => [at(name), { path: at(name), length: 1 }]),
)

function lookAt(files: Files, known = KNOWN) {
  const json = new Map(Object.entries({ sources: '/*/*', along: 'time' }))
  const joined = new JoinedFiles(files, {
    read: async () => known,
    write: async () => undefined,
    async *outlines() {},
    keepOutlines: async () => undefined,
    progress: async () => undefined,
    setProgress: async () => false,
  })
  const placed: PlacedDefinition = {
    path: at('/all'),
    stamp: 'a',
    lastModified: 0,
    definition: async () => parseDefinition(json),
    root: 'g-root' as NonNullable<PlacedDefinition['root']>,
  }
  return () => joined.look(placed)
}

const unwellIn = ({ unwell = new Map() }: MountedFile) => [...unwell].map(([path, { code }]) => [path, code])

it('known files in a folder that does not answer are unwell, all others are there', async () => {
  const files = new Files()
  files.failing.set('/far', away)
  const found = await lookAt(files)()
  expect(unwellIn(found)).toEqual([
    ['/far/c', 'file-unavailable'],
    ['/far/d', 'file-unavailable'],
  ])
  expect(found.damage).toBe(undefined)
  expect(found.madeOf).toEqual(['/near/a', '/near/b', '/far/c', '/far/d'])
})

it('a folder that does not answer is an error as long as no files are known', async () => {
  const files = new Files()
  files.failing.set('/far', away)
  await expect(lookAt(files, new Map())()).rejects.toBe(AWAY)
})

it('a known file that lists leave out is gone, or does not answer, and the states differ', async () => {
  const files = new Files()
  files.unlisted.add('/far/c')
  files.failing.set('/far/c', away)
  const absent = await lookAt(files)()
  expect(unwellIn(absent)).toEqual([['/far/c', 'file-unavailable']])
  files.failing.clear()
  files.there.delete('/far/c')
  const gone = await lookAt(files)()
  expect(unwellIn(gone)).toEqual([['/far/c', 'file-unreadable']])
  expect(gone.stamp).not.toBe(absent.stamp)
})

it('while a look takes long, the result of the one before counts, if some file did not answer then', async () => {
  const files = new Files()
  files.failing.set('/far', away)
  const look = lookAt(files)
  const first = await look()
  files.failing.set('/far', () => new Promise(() => undefined))
  // It is the same one in any case until the next look begins.
  await new Promise(resolve => setTimeout(resolve, 1100))
  expect(await look()).toBe(first)
  expect(await look()).toBe(first)
})
