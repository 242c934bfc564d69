// Mounted files and folders in tables of contents; test/property has the stored ones.

import { HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId } from '@hyperslab/model/names'
import { type DomainPath, isTopLevel, nameOf, parentOf, parseDomainPath } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import { domain, newRoot } from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { collect } from '../../server/service/listing.ts'
import type { MountedReads, Mounts } from '../interfaces/mounted-domains.ts'
import type { DomainEntry, Link, Page, Reader, Store } from '../interfaces/store.ts'
import { openStore } from '../open-store.ts'

const TOP = parseDomainPath('/')

/** Mounts of files that are paths, and of folders that are there without a file. */
class FakeMounts implements Mounts {
  readonly files = new Set<DomainPath>()
  readonly folders = new Set<DomainPath>()
  /** A folder that does not answer. */
  hung: DomainPath | undefined

  begin(): MountedReads {
    const domain = async (path: DomainPath) => this.#entryAt(path)
    const children = (folder: DomainPath, page: Page = {}) => this.#childrenOf(folder, page)
    // A table of contents uses no other methods.
    return { areUsed: true, domain, children, contents: () => undefined, close: () => undefined } as never
  }

  async look(): Promise<undefined> {}

  reviewJoin = () => Promise.reject(new Error('nothing is joined'))

  joinStored = () => () => undefined

  async close(): Promise<void> {}

  #entryAt(path: DomainPath): DomainEntry | undefined {
    if (this.files.has(path)) return { ...domain(path, newRoot()), mounted: true }
    const isFolder = this.folders.has(path) || [...this.files].some(file => file.startsWith(`${path}/`))
    return isFolder ? { ...domain(path), mounted: true } : undefined
  }

  async *#childrenOf(folder: DomainPath, { marker = '' }: Page): AsyncGenerator<DomainEntry> {
    if (folder === this.hung) throw new HyperslabError('file-unavailable', 'hangs')
    const paths = new Set<DomainPath>()
    for (let path of [...this.files, ...this.folders]) {
      for (; !isTopLevel(path); path = parentOf(path)) if (parentOf(path) === folder) paths.add(path)
    }
    for (const path of [...paths].filter(path => nameOf(path) > marker).sort()) {
      const entry = this.#entryAt(path)
      if (entry) yield entry
    }
  }
}

function open(files: readonly string[]) {
  const mounts = new FakeMounts()
  for (const file of files) mounts.files.add(parseDomainPath(file))
  const options = { clock: testClock(), random: seededRandom(1), sweeps: false, mounts }
  return { mounts, store: openStore(openMemoryEngine(), options) }
}

/** The links below a group, each with its path of titles; ids of groups are checked on the way. */
async function linesOf(reader: Reader, group: ObjectId, above = ''): Promise<string[]> {
  const links = (await collect(reader.links(group))) as Link[]
  expect((await reader.status(group)).linkCount).toBe(links.length)
  const lines: string[] = []
  for (const { title, target } of links) {
    if (target.class === 'H5L_TYPE_EXTERNAL') lines.push(`${above}/${title} -> ${target.h5domain}`)
    if (target.class !== 'H5L_TYPE_HARD') continue
    expect(await reader.object(target.id)).toMatchObject({ kind: 'group', id: target.id })
    lines.push(`${above}/${title}/`, ...(await linesOf(reader, target.id, `${above}/${title}`)))
  }
  return lines
}

function tableOf(store: Store): Promise<string[]> {
  return store.read(async reader => {
    const { root } = await reader.tableOfContents({ folder: TOP })
    return linesOf(reader, root as ObjectId)
  })
}

describe('mounted files in a table of contents', () => {
  it('are links, and folders that hold one are groups', async () => {
    const { store, mounts } = open(['/m/a.h5', '/m/sub/deep/b.h5', '/m/.hidden/c.h5'])
    mounts.folders.add(parseDomainPath('/m/empty'))
    expect(await tableOf(store)).toEqual([
      '/m/',
      '/m/a -> /m/a.h5',
      '/m/sub/',
      '/m/sub/deep/',
      '/m/sub/deep/b -> /m/sub/deep/b.h5',
    ])
  })

  it('of a folder that does not answer are an error there only', async () => {
    const { mounts, store } = open(['/a/file.h5', '/b/file.h5'])
    mounts.hung = parseDomainPath('/a')
    await store.read(async reader => {
      const { root } = await reader.tableOfContents({ folder: TOP })
      const links = (await collect(reader.links(root as ObjectId))) as Link[]
      expect(links.map(({ title }) => title)).toEqual(['a', 'b'])
      expect((await reader.status(root as ObjectId)).linkCount).toBe(2)
      const [hung] = links.flatMap(({ target }) => (target.class === 'H5L_TYPE_HARD' ? target.id : []))
      await expect(collect(reader.links(hung))).rejects.toMatchObject({ code: 'file-unavailable' })
    })
  })

  it('are found behind a folder of more files than are looked at', async () => {
    const many = Array.from({ length: 10_001 }, (_, i) => `/m/z/${i}.h5`)
    const { store } = open([...many, '/m/z/~/x.h5'])
    const ids = await store.read(async reader => {
      const { root } = await reader.tableOfContents({ folder: TOP })
      return collect(reader.objects(root as ObjectId, 'group'))
    })
    expect(ids).toHaveLength(3)
  })

  it('give way to what is stored and to mounted folders', async () => {
    const { store } = open(['/m/x.h5', '/m/x/in.h5', '/lab/y/in.h5', '/lab/z.h5'])
    await store.write(async writer => {
      await writer.putDomain(domain('/lab'))
      for (const path of ['/lab/y.h5', '/lab/z']) await writer.putDomain(domain(path, newRoot()))
    })
    expect(await tableOf(store)).toEqual([
      '/lab/',
      '/lab/y.folder/',
      '/lab/y.folder/in -> /lab/y/in.h5',
      '/lab/y -> /lab/y.h5',
      '/lab/z -> /lab/z',
      '/lab/z.h5 -> /lab/z.h5.h5',
      '/m/',
      '/m/x/',
      '/m/x/in -> /m/x/in.h5',
      '/m/x.h5 -> /m/x.h5',
    ])
  })

  it('are found by an id that was not shown before, and a link that is gone is known', async () => {
    const { store, mounts } = open(['/m/sub/a.h5'])
    const ids = await store.read(async reader => {
      const { root } = await reader.tableOfContents({ folder: TOP })
      return collect(reader.objects(root as ObjectId, 'group'))
    })
    const { store: other } = open(['/m/sub/a.h5'])
    const [found, was] = await other.read(async reader => {
      await reader.tableOfContents({ folder: TOP })
      return [await Promise.all(ids.map(id => reader.object(id))), await wasLink(reader, ids)]
    })
    expect(found.map(object => object?.id)).toEqual(ids)
    expect(was).toEqual([false, false])
    await tableOf(store)
    mounts.files.clear()
    for (const path of ['/m', '/m/sub']) mounts.folders.add(parseDomainPath(path))
    expect(await tableOf(store)).toEqual(['/m/', '/m/sub/'])
    const isGone = store.read(async reader => {
      await reader.tableOfContents({ folder: TOP })
      return wasLink(reader, ids)
    })
    expect((await isGone).sort()).toEqual([false, true])
  })
})

/** Whether each group had a link "a". */
function wasLink(reader: Reader, groups: readonly ObjectId[]): Promise<boolean[]> {
  return Promise.all(groups.map(group => reader.wasDeleted({ group, title: 'a' })))
}
