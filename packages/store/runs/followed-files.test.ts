// Files that the feed follows, in mounts that are a table of paths and states.

import type { Acl, ObjectId } from '@hyperslab/model/names'
import { type DomainPath, isWithin, parseDomainPath } from '@hyperslab/model/names'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { domain, group, newRoot } from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import type { Engine } from '../interfaces/engine.ts'
import type { MountedEntry, MountedLook, MountedReads, Mounts } from '../interfaces/mounted-domains.ts'
import type { Following, StoreEvent } from '../interfaces/store.ts'
import { type OpenStore, openStore } from '../open-store.ts'

const at = parseDomainPath
const ACL: Acl = []
const roots = new Map<DomainPath, ObjectId>()

/** Files in `/m`, by their paths, with their states; undefined: a folder. */
class FakeMounts implements Mounts {
  readonly files = new Map<DomainPath, string | undefined>()
  /** A folder that does not answer. */
  hung: DomainPath | undefined

  begin(): MountedReads {
    return { areUsed: true, domain: async () => undefined, contents: () => undefined, close() {} } as never
  }

  async look(path: DomainPath, limit: number, isFolder: boolean): Promise<MountedLook | undefined> {
    if (!isWithin(at('/m'), path) && !isWithin(path, at('/m'))) return undefined
    const { hung } = this
    const all = [...this.files.keys()]
      .filter(file => !hung || file === hung || !isWithin(hung, file))
      .filter(file => (isFolder ? isWithin(path, file) : file === path))
      .sort()
    const entries = all.slice(0, limit).map(file => this.#entryOf(file))
    return { entries, isWhole: all.length <= limit, acl: ACL, unknown: hung ? [hung] : [] }
  }

  async close(): Promise<void> {}

  put(path: string, state: string | undefined): void {
    this.files.set(at(path), state)
  }

  #entryOf(path: DomainPath): MountedEntry {
    const state = this.files.get(path)
    return state === undefined ? { path } : { path, root: rootOf(path), state }
  }
}

function rootOf(path: DomainPath): ObjectId {
  const root = roots.get(path) ?? newRoot()
  roots.set(path, root)
  return root
}

/** The lines of an event about files: `created /m/a`, `/m/a s2`. */
function linesOf({ entries, domains, more }: StoreEvent): string[] {
  expect(more).toBe(false)
  for (const { more, objects } of domains) expect([more, objects]).toEqual([true, []])
  return [
    ...entries.map(({ path, change, root }) => `${change} ${path}${root === undefined ? '/' : ''}`),
    ...domains.map(({ path, state }) => `${path} ${state}`),
  ]
}

describe('followed files', () => {
  let engine: Engine
  let mounts: FakeMounts
  let store: OpenStore
  let failures: unknown[]

  function open(): OpenStore {
    const options = { clock: testClock(), random: seededRandom(1), sweeps: false, mounts }
    return openStore(engine, { ...options, report: error => failures.push(error) })
  }

  beforeEach(() => {
    failures = []
    // It stays open from one store to the next.
    engine = { ...openMemoryEngine(), close: async () => {} }
    mounts = new FakeMounts()
    for (const folder of ['/m', '/m/f']) mounts.put(folder, undefined)
    for (const file of ['/m/a', '/m/f/b']) mounts.put(file, 's1')
    store = open()
    return () => store.close()
  })

  async function events(since = '0-00000000'): Promise<string[][]> {
    const found = await store.feed.after(since, 1000)
    if (typeof found === 'string') throw new Error(found)
    return found.map(linesOf)
  }

  async function follow(path: string, isFolder = true, by = store): Promise<Following> {
    const following = by.feed.follow(at(path), isFolder)
    await following.ready
    return following
  }

  it('are no news when they are first seen', async () => {
    await follow('/')
    expect(await events()).toEqual([])
    expect(failures).toEqual([])
  })

  it('of a folder that does not answer count as unchanged, and others have their events', async () => {
    await follow('/')
    mounts.hung = at('/m/f')
    mounts.put('/m/a', 's2')
    await vi.waitFor(async () => expect(await events()).toEqual([['/m/a s2']]), { timeout: 60_000 })
    mounts.hung = undefined
    mounts.put('/m/f/b', 's2')
    await vi.waitFor(async () => expect(await events()).toEqual([['/m/a s2'], ['/m/f/b s2']]), {
      timeout: 60_000,
    })
    expect(failures).toEqual([])
  })

  it('have events when they change, come and go', async () => {
    await follow('/m')
    mounts.put('/m/a', 's2')
    mounts.put('/m/f/g', undefined)
    mounts.put('/m/f/g/c', 's1')
    mounts.files.delete(at('/m/f/b'))
    await vi.waitFor(
      async () =>
        expect(await events()).toEqual([
          ['created /m/f/g/', 'created /m/f/g/c', 'deleted /m/f/b', '/m/a s2'],
        ]),
      { timeout: 3000 },
    )
    mounts.put('/m/a', 's3')
    await vi.waitFor(async () => expect((await events()).slice(1)).toEqual([['/m/a s3']]), { timeout: 3000 })
  })

  it('that have changed while nobody listened have events before the next listener begins', async () => {
    ;(await follow('/m/a', false)).end()
    ;(await follow('/m/f')).end()
    await store.close()
    mounts.put('/m/a', 's2')
    mounts.put('/m/f/c', 's1')
    mounts.files.delete(at('/m/f/b'))
    store = open()
    await follow('/m/a', false)
    await follow('/m/f')
    expect(await events()).toEqual([['/m/a s2'], ['created /m/f/c', 'deleted /m/f/b']])
  })

  it('come back after they were deleted', async () => {
    await follow('/m/a', false)
    mounts.files.delete(at('/m/a'))
    await vi.waitFor(async () => expect(await events()).toEqual([['deleted /m/a']]), { timeout: 3000 })
    mounts.put('/m/a', 's1')
    await vi.waitFor(async () => expect((await events()).slice(1)).toEqual([['created /m/a']]), {
      timeout: 3000,
    })
  })

  it('have one event from two processes', async () => {
    const other = openStore(engine, {
      ...{ clock: testClock(), random: seededRandom(2), sweeps: false, mounts },
      report: error => failures.push(error),
    })
    await Promise.all([follow('/m'), follow('/m', true, other)])
    for (let i = 2; i <= 4; i++) {
      mounts.put('/m/a', `s${i}`)
      await vi.waitFor(async () => expect((await events()).at(-1)).toEqual([`/m/a s${i}`]), { timeout: 3000 })
      // Both look again.
      await new Promise(resolve => setTimeout(resolve, 1100))
    }
    expect(await events()).toEqual([['/m/a s2'], ['/m/a s3'], ['/m/a s4']])
    expect(failures).toEqual([])
    await other.feed.follow(at('/m'), true).ready
  })

  it('are named all, however many change at once', async () => {
    await follow('/m')
    for (let i = 0; i < 250; i++) mounts.put(`/m/f/new-${i}`, 's1')
    await vi.waitFor(async () => expect((await events()).flat()).toHaveLength(250), { timeout: 3000 })
    expect(new Set((await events()).flat()).size).toBe(250)
  })

  it('that a stored domain hides have no events', async () => {
    const root = newRoot()
    await store.write(async writer => {
      await writer.createObject(group(root))
      await writer.putDomain(domain('/m/a', root))
    })
    const before = await store.feed.newest()
    await follow('/m')
    mounts.put('/m/a', 's2')
    mounts.put('/m/f/b', 's2')
    await vi.waitFor(async () => expect(await events(before)).toEqual([['/m/f/b s2']]), {
      timeout: 3000,
    })
  })

  it('have their events later when a look fails, and the failure is reported', async () => {
    await follow('/m')
    const look = mounts.look.bind(mounts)
    mounts.put('/m/a', 's2')
    mounts.look = () => Promise.reject(new Error('no disk'))
    await vi.waitFor(() => expect(failures).toEqual([new Error('no disk')]), { timeout: 3000 })
    mounts.look = look
    await vi.waitFor(async () => expect(await events()).toEqual([['/m/a s2']]), { timeout: 3000 })
  })

  it('beyond the limit are not followed, and those that come within it are no news', async () => {
    for (let i = 0; i < 2000; i++) mounts.put(`/m/f/c${i}`, 's1')
    await follow('/m')
    mounts.files.delete(at('/m/a'))
    mounts.put('/m/f/zz', 's1')
    await vi.waitFor(async () => expect(await events()).toEqual([['deleted /m/a']]), { timeout: 5000 })
  })

  it('cost nothing where nothing is mounted', async () => {
    const { commits } = store.figures
    await follow('/other')
    expect(store.figures.commits).toBe(commits)
    expect(await events()).toEqual([])
  })
})
