// Several mounts as one, and the files of a read: each is opened once for each state, shared between reads, seen in one
// state by each of them, and closed.

import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, isTopLevel, nameOf, parseDomainPath, rootOf } from '@hyperslab/model/names'
import type { DomainEntry, MountedReads, Mounts, Page, ValueParts } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import { openMounts } from './joined-mounts.ts'
import type { Mount, MountedFile, MountedFolder } from './mount.ts'
import { mountedRoot } from './object-ids.ts'
import type { KeptContents } from './shared-contents.ts'

const at = parseDomainPath
const PARTS = {} as ValueParts
const READER = {
  userName: 'default',
  create: false,
  read: true,
  update: false,
  delete: false,
  readACL: true,
  updateACL: false,
}

/** A mount whose files are names with a state; counts what is open. */
class FakeMount implements Mount {
  readonly path: DomainPath
  isRemote = false
  readonly states: Map<string, number>
  /** The error that opening each path throws. */
  readonly broken = new Map<string, ErrorCode>()
  /** The modification time of its files, in addition to their states. */
  modified = 1000
  changesWhenOpened = false
  /** The state of the files that its files name. */
  siblingState = 1
  /** Bytes that each of its files holds. */
  heldBytes = 1
  opened = 0
  closed = 0
  isClosed = false
  /** False: its file system gives no answer to any call. */
  answers: boolean | 'with an error' = true

  constructor(path: string, files: readonly string[]) {
    this.path = at(path)
    this.states = new Map(files.map(file => [file, 1]))
  }

  find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined> {
    if (this.answers === false) return new Promise(() => undefined)
    if (this.answers !== true) return Promise.reject(new HyperslabError('file-unavailable', 'hangs'))
    const state = this.states.get(path)
    if (state !== undefined) return Promise.resolve(this.#file(path, state))
    const isFolder = path === this.path || [...this.states.keys()].some(file => file.startsWith(`${path}/`))
    return Promise.resolve(isFolder ? { kind: 'folder', path, lastModified: 5 } : undefined)
  }

  async *children(folder: DomainPath, page: Page = {}): AsyncGenerator<MountedFile | MountedFolder> {
    if (this.answers !== true) throw new HyperslabError('file-unavailable', 'hangs')
    const start = isTopLevel(folder) ? folder : `${folder}/`
    const files = [...this.states.keys()].filter(file => file.startsWith(start))
    const names = new Set(files.map(file => file.slice(start.length).split('/')[0] ?? ''))
    const after = page.marker === undefined ? '' : nameOf(page.marker as DomainPath)
    const chosen = [...names].sort().filter(name => name > after)
    for (const name of chosen.slice(0, page.limit)) {
      const found = await this.find(at(`${start}${name}`))
      if (found) yield found
    }
  }

  /** Files beside each other, by their names. */
  async locate(holder: DomainPath, name: string): Promise<DomainPath | undefined> {
    if (this.answers !== true) throw new HyperslabError('file-unavailable', 'hangs')
    return this.states.has(holder) && !name.startsWith('/') ? at(`${this.path}/${name}`) : undefined
  }

  close(): Promise<void> {
    this.isClosed = true
    return Promise.resolve()
  }

  #file(path: DomainPath, state: number): MountedFile {
    const isNow = () => this.states.get(path) === state
    return {
      ...{ kind: 'file', path, size: 1, lastModified: this.modified + state, stamp: String(state) },
      open: () => {
        if (!isNow()) throw new HyperslabError('file-changed', 'changed')
        this.opened++
        if (this.changesWhenOpened) this.states.set(path, state + 1)
        const siblings = this.siblingState
        const open = {
          isUnchanged: () => Promise.resolve(isNow()),
          areSiblingsCurrent: () => Promise.resolve(siblings === this.siblingState),
          close: () => void this.closed++,
        }
        return Promise.resolve({ path, state, mount: this, ...open } as unknown as ReturnType<
          MountedFile['open']
        >)
      },
    }
  }
}

function mountsOf(...mounts: FakeMount[]) {
  return openMounts(mounts, {
    // The status tells the state of the file.
    openContents(open) {
      const { path, state, mount } = open as unknown as { path: string; state: number; mount: FakeMount }
      const code = mount.broken.get(path)
      if (code !== undefined) throw new HyperslabError(code, 'why')
      const contents = {
        status: () => Promise.resolve({ version: `${path} ${state}` }),
        async *links() {
          yield { title: `${path} ${state}` }
        },
      }
      return { heldBytes: mount.heldBytes, for: () => contents } as unknown as KeptContents
    },
    rootAt: path => mountedRoot('secret', path),
    aclAt: () => [READER],
    now: () => 77,
    maxKeptFiles: 64,
  })
}

function settled(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

async function names(children: AsyncIterable<DomainEntry>): Promise<string[]> {
  const all: string[] = []
  for await (const { path, root } of children) all.push(path + (root === undefined ? '/' : ''))
  return all
}

/** The version of the domain, from the status of its root group. */
async function versionAt(reads: MountedReads, path: string): Promise<string | undefined> {
  const root = (await reads.domain(at(path)))?.root
  return root && (await reads.contents(root)?.status(root))?.version
}

describe('names', () => {
  it('a file is a read-only domain, a folder has the list of the mount', async () => {
    const reads = mountsOf(new FakeMount('/lab', ['/lab/a.h5', '/lab/b/c.h5'])).begin(PARTS)
    expect(await reads.domain(at('/lab/a.h5'))).toEqual({
      ...{
        path: '/lab/a.h5',
        root: mountedRoot('secret', at('/lab/a.h5')),
        created: 1001,
        lastModified: 1001,
      },
      ...{ readOnly: true, closed: false, mounted: true, fileSize: 1, acl: [READER] },
    })
    expect(await reads.domain(at('/lab/b'))).toEqual({
      ...{ path: '/lab/b', created: 5, lastModified: 5, acl: [READER] },
      ...{ readOnly: true, closed: false, mounted: true },
    })
    expect(await reads.domain(at('/lab/x'))).toBeUndefined()
    expect(await reads.domain(at('/laboratory'))).toBeUndefined()
    expect(await names(reads.children(at('/lab')))).toEqual(['/lab/a.h5', '/lab/b/'])
  })

  it('the folders above a mount are there, and it itself, even when it has nothing', async () => {
    const reads = mountsOf(new FakeMount('/x/y/z', []), new FakeMount('/x/a', [])).begin(PARTS)
    expect(await names(reads.children(at('/')))).toEqual(['/x/'])
    expect(await names(reads.children(at('/x')))).toEqual(['/x/a/', '/x/y/'])
    expect(await names(reads.children(at('/x'), { marker: 'a', limit: 5 }))).toEqual(['/x/y/'])
    expect(await names(reads.children(at('/x/y')))).toEqual(['/x/y/z/'])
    expect(await names(reads.children(at('/x/y/z')))).toEqual([])
    expect((await reads.domain(at('/x')))?.lastModified).toBe(77)
    expect(await reads.domain(at('/y'))).toBeUndefined()
  })

  it('the folders above a mount that does not answer are there as they were found last', async () => {
    const hung = new FakeMount('/x/hung', ['/x/hung/file'])
    const reads = mountsOf(hung, new FakeMount('/x/a', ['/x/a/file']))
    const list = () => names(reads.begin(PARTS).children(at('/x')))
    const lastModified = async () => (await reads.begin(PARTS).domain(at('/x/hung')))?.lastModified
    expect(await list()).toEqual(['/x/a/', '/x/hung/'])
    hung.answers = false
    expect(await list()).toEqual(['/x/a/', '/x/hung/'])
    expect(await lastModified()).toBe(5)
    hung.answers = 'with an error'
    expect(await list()).toEqual(['/x/a/', '/x/hung/'])
    await expect(names(reads.begin(PARTS).children(at('/x/hung')))).rejects.toMatchObject({
      code: 'file-unavailable',
    })
  })

  it('files that a file names are found beside a mount that does not answer', async () => {
    const hung = new FakeMount('/longer/path', [])
    hung.answers = 'with an error'
    const reads = mountsOf(hung, new FakeMount('/x', ['/x/file'])).begin(PARTS)
    expect(await reads.locate(at('/x/file'), 'other')).toBe('/x/other')
    await expect(reads.locate(at('/y'), 'other')).rejects.toMatchObject({ code: 'file-unavailable' })
  })

  it('of two mounts the one with the longer path counts, and the way to it is no file', async () => {
    const outer = new FakeMount('/', ['/x', '/y/f', '/y/g', '/z'])
    const mounts = mountsOf(
      outer,
      new FakeMount('/x/deep', ['/x/deep/file']),
      new FakeMount('/y', ['/y/f', '/y/h']),
    )
    outer.states.set('/y/f', 2)
    const reads = mounts.begin(PARTS)
    expect(await names(reads.children(at('/')))).toEqual(['/x/', '/y/', '/z'])
    expect(await names(reads.children(at('/x')))).toEqual(['/x/deep/'])
    expect(await names(reads.children(at('/y')))).toEqual(['/y/f', '/y/g', '/y/h'])
    expect(await names(reads.children(at('/y'), { limit: 2 }))).toEqual(['/y/f', '/y/g'])
    expect(await versionAt(reads, '/y/f')).toBe('/y/f 1')
    expect(await versionAt(reads, '/y/g')).toBe('/y/g 1')
    expect((await reads.domain(at('/x')))?.root).toBeUndefined()
  })

  it('names in other buckets are not asked for', async () => {
    const reads = mountsOf(new FakeMount('/', ['/a'])).begin(PARTS)
    expect(await reads.domain('archive/a' as DomainPath)).toBeUndefined()
    expect(await names(reads.children('archive/' as DomainPath))).toEqual([])
    expect(reads.areUsed).toBe(false)
  })

  it('one read finds the same at a path however often it looks, until it has finished what is there', async () => {
    const mount = new FakeMount('/m', ['/m/a'])
    const mounts = mountsOf(mount)
    const reads = mounts.begin(PARTS)
    const [a, b] = [at('/m/a'), at('/m/b')]
    const before = await reads.domain(a)
    expect(await reads.domain(b)).toBeUndefined()
    mount.states.delete(a)
    mount.states.set(b, 1)
    expect(await reads.domain(a)).toEqual(before)
    expect(await reads.domain(b)).toBeUndefined()
    const later = mounts.begin(PARTS)
    expect(await later.domain(a)).toBeUndefined()
    expect((await later.domain(b))?.path).toBe(b)
    await reads.finish(mountedRoot('secret', a))
    expect(await reads.domain(a)).toBeUndefined()
  })

  it('tells whether files were looked at', async () => {
    const mounts = mountsOf(new FakeMount('/lab', ['/lab/a']))
    const reads = mounts.begin(PARTS)
    await reads.domain(at('/stored'))
    expect(reads.areUsed).toBe(false)
    await reads.domain(at('/lab/missing'))
    expect(reads.areUsed).toBe(true)
    const listing = mounts.begin(PARTS)
    await names(listing.children(at('/')))
    expect(listing.areUsed).toBe(true)
  })
})

describe('contents', () => {
  it('are there for domains that this read was given, by the first digits of an id', async () => {
    const reads = mountsOf(new FakeMount('/', ['/a', '/b'])).begin(PARTS)
    const root = mountedRoot('secret', at('/a'))
    expect(reads.contents(root)).toBeUndefined()
    await names(reads.children(at('/'), { limit: 1 }))
    expect(reads.contents(rootOf(root))).toBeDefined()
    expect(reads.contents(mountedRoot('secret', at('/b')))).toBeUndefined()
  })

  it('open a file when something is asked for, once for all reads, and keep it open', async () => {
    const mount = new FakeMount('/', ['/a'])
    const mounts = mountsOf(mount)
    const [one, other] = [mounts.begin(PARTS), mounts.begin(PARTS)]
    await one.domain(at('/a'))
    expect(mount.opened).toBe(0)
    expect(await Promise.all([versionAt(one, '/a'), versionAt(other, '/a')])).toEqual(['/a 1', '/a 1'])
    one.close()
    other.close()
    expect(await versionAt(mounts.begin(PARTS), '/a')).toBe('/a 1')
    expect([mount.opened, mount.closed]).toEqual([1, 0])
  })

  it('are of one state in each read: a changed file is an error, and read anew by the next one', async () => {
    const mount = new FakeMount('/', ['/a'])
    const mounts = mountsOf(mount)
    const reads = mounts.begin(PARTS)
    expect(reads.requireUnchanged()).toBeUndefined()
    expect(await versionAt(reads, '/a')).toBe('/a 1')
    await reads.requireUnchanged()
    mount.states.set('/a', 2)
    expect(await versionAt(reads, '/a')).toBe('/a 1')
    expect((await reads.domain(at('/a')))?.lastModified).toBe(1001)
    await expect(reads.requireUnchanged()).rejects.toMatchObject({ code: 'file-changed' })
    const next = mounts.begin(PARTS)
    expect(await versionAt(next, '/a')).toBe('/a 2')
    await next.requireUnchanged()
    expect(mount.closed).toBe(0)
    reads.close()
    await settled()
    expect([mount.opened, mount.closed]).toEqual([2, 1])
  })

  it('that a read has finished may change, and are found again as they are then', async () => {
    const mount = new FakeMount('/', ['/a', '/b'])
    const reads = mountsOf(mount).begin(PARTS)
    const root = mountedRoot('secret', at('/a'))
    await reads.finish(root)
    expect(await versionAt(reads, '/a')).toBe('/a 1')
    await reads.finish(root)
    expect(reads.contents(root)).toBeUndefined()
    mount.states.set('/a', 2)
    expect(await versionAt(reads, '/b')).toBe('/b 1')
    await reads.requireUnchanged()
    expect(await versionAt(reads, '/a')).toBe('/a 2')
    mount.states.set('/a', 3)
    await expect(reads.finish(root)).rejects.toMatchObject({ code: 'file-changed' })
    await reads.requireUnchanged()
    expect(await versionAt(reads, '/a')).toBe('/a 3')
    reads.close()
    await settled()
    expect([mount.opened, mount.closed]).toEqual([4, 2])
  })

  it('of a changed file are closed, also where that is found when another file is opened', async () => {
    const files = Array.from({ length: 17 }, (_, i) => `/f${10 + i}`)
    const mount = new FakeMount('/', files)
    const reads = mountsOf(mount).begin(PARTS)
    for (const file of files.slice(0, 16)) await versionAt(reads, file)
    mount.states.set('/f10', 2)
    await expect(versionAt(reads, '/f26')).rejects.toMatchObject({ code: 'file-changed' })
    reads.close()
    await settled()
    expect([mount.opened, mount.closed]).toEqual([16, 1])
  })

  it('are read anew by later reads when a file that they are read from too has changed', async () => {
    const mount = new FakeMount('/', ['/a'])
    const mounts = mountsOf(mount)
    const reads = mounts.begin(PARTS)
    expect(await versionAt(reads, '/a')).toBe('/a 1')
    mount.siblingState = 2
    expect(await versionAt(reads, '/a')).toBe('/a 1')
    const later = [mounts.begin(PARTS), mounts.begin(PARTS)]
    await Promise.all(later.map(async next => expect(await versionAt(next, '/a')).toBe('/a 1')))
    expect([mount.opened, mount.closed]).toEqual([2, 0])
    reads.close()
    await settled()
    expect([mount.opened, mount.closed]).toEqual([2, 1])
  })

  it('of a file that changes between being found and being opened are refused', async () => {
    const mount = new FakeMount('/', ['/a'])
    const mounts = mountsOf(mount)
    const reads = mounts.begin(PARTS)
    await reads.domain(at('/a'))
    mount.states.set('/a', 2)
    await expect(versionAt(reads, '/a')).rejects.toMatchObject({ code: 'file-changed' })
    await reads.requireUnchanged()
    reads.close()
    expect(await versionAt(mounts.begin(PARTS), '/a')).toBe('/a 2')
    expect([mount.opened, mount.closed]).toEqual([1, 0])
  })

  it.each<[ErrorCode, ErrorCode]>([
    ['not-hdf5', 'domain-unreadable'],
    ['file-unreadable', 'domain-unreadable'],
    ['file-damaged', 'domain-unreadable'],
    ['file-open-for-writing', 'domain-open-for-writing'],
    ['storage-failed', 'storage-failed'],
  ])('that cannot be opened (%s) are %s, close the file, and are tried again', async (thrown, code) => {
    const mount = new FakeMount('/', ['/a'])
    const mounts = mountsOf(mount)
    mount.broken.set('/a', thrown)
    const reads = mounts.begin(PARTS)
    await expect(versionAt(reads, '/a')).rejects.toMatchObject({
      code,
      message: 'why',
      subject: code === thrown ? undefined : '/a',
    })
    await reads.requireUnchanged()
    reads.close()
    expect([mount.opened, mount.closed]).toEqual([1, 1])
    mount.broken.clear()
    expect(await versionAt(mounts.begin(PARTS), '/a')).toBe('/a 1')
  })

  it('of a file that changes while it is being opened are refused, not called damaged', async () => {
    const mount = new FakeMount('/', ['/a'])
    const mounts = mountsOf(mount)
    mount.broken.set('/a', 'not-hdf5')
    mount.changesWhenOpened = true
    const reads = mounts.begin(PARTS)
    await expect(versionAt(reads, '/a')).rejects.toMatchObject({ code: 'file-changed' })
    reads.close()
    expect([mount.opened, mount.closed]).toEqual([1, 1])
  })

  it('that cannot be read a moment after the file was changed may not be complete yet', async () => {
    const mount = new FakeMount('/', ['/a'])
    const mounts = mountsOf(mount)
    mount.broken.set('/a', 'file-damaged')
    mount.modified = Date.now() * 1000 - 1000
    const code = { code: 'file-changed', message: expect.stringContaining('(why)') }
    await expect(versionAt(mounts.begin(PARTS), '/a')).rejects.toMatchObject(code)
    mount.broken.set('/a', 'storage-failed')
    await expect(versionAt(mounts.begin(PARTS), '/a')).rejects.toMatchObject({ code: 'storage-failed' })
    mount.broken.set('/a', 'file-damaged')
    for (const seconds of [-60, 60]) {
      mount.modified = (Date.now() + seconds * 1000) * 1000
      await expect(versionAt(mounts.begin(PARTS), '/a')).rejects.toMatchObject({ code: 'domain-unreadable' })
    }
  })

  it('of many files in one read: few are open at once, and many are not kept', async () => {
    const files = Array.from({ length: 100 }, (_, i) => `/f${100 + i}`)
    const mount = new FakeMount('/', files)
    const mounts = mountsOf(mount)
    const reads = mounts.begin(PARTS)
    const first = reads.children(at('/'))
    for await (const { path } of first) expect(await versionAt(reads, path)).toBe(`${path} 1`)
    reads.close()
    await settled()
    // 64 are kept.
    expect([mount.opened, mount.closed]).toEqual([100, 36])
    // A released file is opened again, in the same state.
    const again = mounts.begin(PARTS)
    for (const file of files.slice(0, 20)) expect(await versionAt(again, file)).toBe(`${file} 1`)
    mount.states.set('/f100', 2)
    expect(await versionAt(again, '/f100')).toBe('/f100 1')
    await expect(again.requireUnchanged()).rejects.toMatchObject({ subject: '/f100' })
  })

  it('of files that hold much memory are not kept beside each other, but for those in use and the newest', async () => {
    const mount = new FakeMount('/', ['/a', '/b', '/c', '/d'])
    mount.heldBytes = 100 * 2 ** 20
    const mounts = mountsOf(mount)
    const used = mounts.begin(PARTS)
    await versionAt(used, '/a')
    for (const path of ['/b', '/c', '/d']) {
      const reads = mounts.begin(PARTS)
      await versionAt(reads, path)
      reads.close()
      await settled()
    }
    // 256 MiB are kept: /a, which is in use, and /d.
    expect([mount.opened, mount.closed]).toEqual([4, 2])
    mount.heldBytes = 1000 * 2 ** 20
    for (let i = 0; i < 2; i++) {
      const reads = mounts.begin(PARTS)
      await versionAt(reads, '/d')
      reads.close()
      await settled()
    }
    expect(mount.opened).toBe(4)
  })

  it('that are being read stay open, however many are opened meanwhile', async () => {
    const files = Array.from({ length: 90 }, (_, i) => `/f${100 + i}`)
    const mount = new FakeMount('/', files)
    const mounts = mountsOf(mount)
    const reads = mounts.begin(PARTS)
    const root = (await reads.domain(at('/f100')))?.root
    if (root === undefined) throw new Error('the domain is missing')
    const links = reads.contents(root)?.links(root)[Symbol.asyncIterator]()
    expect((await links?.next())?.value).toEqual({ title: '/f100 1' })
    for (const file of files.slice(1)) await versionAt(reads, file)
    mount.states.set('/f100', 2)
    await expect(reads.requireUnchanged()).rejects.toMatchObject({ subject: '/f100' })
    await links?.return?.()
  })

  it('are closed with the mounts; those that are still read when their read ends', async () => {
    const mount = new FakeMount('/', ['/a', '/b'])
    const mounts = mountsOf(mount)
    const [one, other] = [mounts.begin(PARTS), mounts.begin(PARTS)]
    await versionAt(one, '/a')
    await versionAt(other, '/b')
    one.close()
    await mounts.close()
    expect([mount.isClosed, mount.closed]).toEqual([true, 1])
    other.close()
    await settled()
    expect(mount.closed).toBe(2)
  })
})

describe('a look', () => {
  const lab = () => new FakeMount('/lab', ['/lab/a', '/lab/b/c', '/lab/b/d/e'])
  const looked = async (mounts: Mounts, path: string, limit = 100, isFolder = true) => {
    const look = await mounts.look(at(path), limit, isFolder)
    return look && [...look.entries.map(({ path, root }) => path + (root ? '' : '/')), look.isWhole]
  }

  it('finds all below a folder, each entry once', async () => {
    const mounts = mountsOf(lab(), new FakeMount('/lab/b/d', ['/lab/b/d/e', '/lab/b/d/f']))
    expect(await looked(mounts, '/')).toEqual([
      ...['/lab/', '/lab/b/', '/lab/a', '/lab/b/d/', '/lab/b/c', '/lab/b/d/e', '/lab/b/d/f'],
      true,
    ])
    expect(await looked(mounts, '/lab/b/d')).toEqual(['/lab/b/d/', '/lab/b/d/e', '/lab/b/d/f', true])
    expect(await looked(mounts, '/lab/a')).toEqual(['/lab/a', true])
    expect(await looked(mounts, '/lab/none')).toEqual([true])
    expect(await looked(mounts, '/other')).toBeUndefined()
  })

  it('ends at the limit', async () => {
    expect(await looked(mountsOf(lab()), '/lab', 3)).toEqual(['/lab/', '/lab/a', '/lab/b/', false])
    expect(await looked(mountsOf(lab()), '/lab', 5)).toEqual([
      ...['/lab/', '/lab/a', '/lab/b/', '/lab/b/c', '/lab/b/d/'],
      false,
    ])
    expect(await looked(mountsOf(lab()), '/lab', 6)).toHaveLength(7)
  })

  it('names the folders that do not answer, and finds the entries of others', async () => {
    const hung = new FakeMount('/a', ['/a/file'])
    hung.answers = 'with an error'
    const mounts = mountsOf(hung, new FakeMount('/b', ['/b/file']))
    const look = await mounts.look(at('/'), 10, true)
    expect(look?.entries.map(({ path }) => path)).toEqual(['/a', '/b', '/b/file'])
    expect(look?.unknown).toEqual(['/a'])
    expect(await mounts.look(at('/a/file'), 1, false)).toMatchObject({ entries: [], unknown: ['/a/file'] })
  })

  it('asks another machine for one file only', async () => {
    const far = lab()
    far.isRemote = true
    const mounts = mountsOf(far, new FakeMount('/near', ['/near/a']))
    expect(await looked(mounts, '/')).toEqual(['/near/', '/near/a', true])
    expect(await looked(mounts, '/lab')).toBeUndefined()
    expect(await looked(mounts, '/lab/a', 1, false)).toEqual(['/lab/a', true])
  })

  it('gives the state that the domain has', async () => {
    const mounts = mountsOf(lab())
    const reads = mounts.begin(PARTS)
    const root = (await reads.domain(at('/lab/a')))?.root
    const look = await mounts.look(at('/lab/a'), 1, false)
    expect(look?.entries).toEqual([
      { path: '/lab/a', root, state: root && reads.contents(root)?.state.state },
    ])
  })
})

describe('the review of a definition', () => {
  const review = (mount: FakeMount, permit: () => void) => {
    const join = JSON.stringify({ sources: ['/*/none/*.nc'], along: 'time' })
    return mountsOf(mount).reviewJoin(at('/all.nc'), join, permit, {})
  }

  it('looks for no file before its caller is permitted to read', async () => {
    const mount = new FakeMount('/m', ['/m/a.nc'])
    // A look would be another error.
    mount.answers = 'with an error'
    const refused = review(mount, () => {
      throw new HyperslabError('permission-denied', 'refused')
    })
    await expect(refused).rejects.toThrow('refused')
    await expect(review(mount, () => undefined)).rejects.toThrow('hangs')
  })
})
