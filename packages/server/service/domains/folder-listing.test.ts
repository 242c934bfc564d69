// Pages of a folder: what they show, and that they cost as much as that, not as much as the folder holds.

import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, type ObjectId, parseGlob } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { openStore } from '@hyperslab/store/engines'
import type { DomainEntry, MountedDomain, Mounts } from '@hyperslab/store/store'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attribute, group, int32s, newRoot } from '../../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../../test/engines/memory.ts'
import { withCounters } from '../../../../test/engines/with-counters.ts'
import { ANONYMOUS, path } from '../../../../test/fixtures/service.ts'
import { ALL_PERMISSIONS, READ_ONLY_PERMISSIONS } from '../access/access.ts'
import { parseQuery } from '../query/parse.ts'
import { compileScalarQuery } from '../query/scalars.ts'
import { createDomain } from './domain-creation.ts'
import { type FolderListing, listFolder } from './folder-listing.ts'

const SETTINGS = { defaultAcl: ALL_PERMISSIONS, newDomains: 'anyone', isKnownUser: () => true } as const
const READER = { userName: 'default', ...READ_ONLY_PERMISSIONS }
const { signal } = new AbortController()

/** Lists a folder of domains and folders of these names; the names, and the entries that were read. */
async function listing(names: readonly string[]) {
  const engine = withCounters(openMemoryEngine())
  const options = { clock: testClock(), random: seededRandom(7), sweeps: false }
  const store = openStore(engine, options)
  await store.write(async writer => {
    const context = {
      ...{ reader: writer, writer, caller: ANONYMOUS, settings: SETTINGS, signal, now: writer.time },
      ids: store.ids,
    }
    for (const [i, name] of names.entries()) {
      await createDomain(context, path(`/f/${name}`), { createParents: true, folder: i % 3 === 0 })
      // Neighbours of the folder, and what lies deeper, are not its children.
      await createDomain(context, path(`/f${name}/${name}`), { createParents: true })
    }
  })
  return async (page: FolderListing) => {
    let names: string[] = []
    const { entries } = await engine.count(() =>
      store.read(async reader => {
        const context = { reader, caller: ANONYMOUS, settings: SETTINGS, signal }
        names = (await listFolder(context, path('/f'), page)).map(({ entry }) => entry.path)
      }),
    )
    return { names, entries }
  }
}

it.each<[FolderListing, string[]]>([
  [{ limit: 2 }, ['/f/d000', '/f/d001']],
  [{ limit: 2, marker: '/f/d123' }, ['/f/d124', '/f/d125']],
  [{ limit: 2, pattern: parseGlob('d12*') }, ['/f/d120', '/f/d121']],
  [{ pattern: parseGlob('d12?') }, Array.from({ length: 10 }, (_, i) => `/f/d12${i}`)],
  [{ pattern: parseGlob('d12?'), marker: '/f/d127' }, ['/f/d128', '/f/d129']],
  [{ pattern: parseGlob('d12?'), marker: '/f/d13' }, []],
  [{ limit: 0 }, []],
])('%j reads what it shows', async (page, names) => {
  const list = await listing(Array.from({ length: 200 }, (_, i) => `d${`${i}`.padStart(3, '0')}`))
  const { names: listed, entries } = await list(page)
  expect(listed).toEqual(names)
  // One more may be fetched before the page is known to be full.
  expect(entries).toBeLessThanOrEqual(names.length + 1)
})

/** Three files in /m, of which one changes while it is read, a number of times; each datum of it is its state. */
function changingFiles(changes: number): Mounts {
  let state = 1
  let left = changes
  const roots = new Map(['/m/a', '/m/b', '/m/c'].map(file => [path(file), newRoot()]))
  /** The entry of a file, or of the folder. */
  const entryOf = (path: DomainPath): DomainEntry => {
    const root = roots.get(path)
    const lastModified = path === '/m/b' ? state : 1
    const entry = { path, created: 1, lastModified, readOnly: true, closed: false, mounted: true } as const
    return root ? { ...entry, root } : { ...entry, acl: [READER] }
  }
  return {
    begin() {
      /** The states of the files that are being read. */
      const states = new Map<ObjectId, number>()
      const contents = (id: ObjectId) => {
        const isB = id === roots.get(path('/m/b'))
        const shown = states.get(id) ?? (isB ? state : 1)
        states.set(id, shown)
        if (isB && left-- > 0) state++
        const value = int32s([shown])
        return {
          object: async () => ({ ...group(id), acl: [READER] }),
          status: async () => ({ lastModified: 1, linkCount: 0, attributeCount: 1, version: '' }),
          attribute: async () => ({ ...attribute('number'), space: { class: 'H5S_SCALAR' }, value }),
          statistics: async () => ({ groups: shown }),
        } as unknown as MountedDomain
      }
      const isChanged = (id: ObjectId) =>
        id === roots.get(path('/m/b')) && states.has(id) && states.get(id) !== state
      const requireUnchanged = async (ids: Iterable<ObjectId>) => {
        if ([...ids].some(isChanged)) throw new HyperslabError('file-changed', 'the file was changed')
      }
      return {
        areUsed: true,
        locate: async () => undefined,
        domain: async path => entryOf(path),
        async *children() {
          for (const file of roots.keys()) yield entryOf(file)
        },
        joined: async entry => ({ entry, storedDomains: [] }),
        contents,
        async *readReferenced() {},
        requireUnchanged: () => requireUnchanged(states.keys()),
        async finish(root) {
          const wasChanged = requireUnchanged([root])
          states.delete(root)
          await wasChanged
        },
        close() {},
      }
    },
    look: async () => undefined,
    reviewJoin: () => Promise.reject(new Error('nothing is joined')),
    joinStored: () => () => undefined,
    close: async () => undefined,
  }
}

const queryOf = (text: string) => compileScalarQuery(parseQuery(text, 'words'), PREFIXED_REFERENCES)

describe('a file that changes while its folder is listed', () => {
  async function list(changes: number, page: FolderListing) {
    const options = { clock: testClock(), random: seededRandom(7), sweeps: false }
    const store = openStore(openMemoryEngine(), { ...options, mounts: changingFiles(changes) })
    return store.read(async reader => {
      const context = { reader, caller: ANONYMOUS, settings: SETTINGS, signal }
      const listed = await listFolder(context, path('/m'), page)
      await reader.requireUnchanged()
      return listed.map(({ entry, statistics }) => [entry.path, entry.lastModified, statistics?.groups])
    })
  }

  it('is read again, and shown as it was then', async () => {
    expect(await list(1, { verbose: true })).toEqual([
      ['/m/a', 1, 1],
      ['/m/b', 2, 2],
      ['/m/c', 1, 1],
    ])
    const query = queryOf('number == 2')
    expect(await list(1, { query, verbose: true })).toEqual([['/m/b', 2, 2]])
  })

  it('each time, is listed without what it holds, and matches no query', async () => {
    expect(await list(Infinity, { verbose: true })).toEqual([
      ['/m/a', 1, 1],
      ['/m/b', 1, undefined],
      ['/m/c', 1, 1],
    ])
    const query = queryOf('number >= 1')
    expect(await list(Infinity, { query })).toEqual([
      ['/m/a', 1, undefined],
      ['/m/c', 1, undefined],
    ])
  })
})

const characters = fc.constantFrom('a', 'b', 'c', 'é', '\uff5e', '\u{1f600}')
const name = fc.string({ unit: characters, minLength: 1, maxLength: 4 })
const pattern = fc
  .tuple(
    fc.array(fc.oneof(characters, fc.constantFrom('?', '[a]', '[a-c]', '[é-\u{1f600}]')), { maxLength: 3 }),
    fc.nat(3),
  )
  .map(([signs, at]) => parseGlob([...signs.slice(0, at), '*', ...signs.slice(at)].join('')))

it('every page is that of a plain list', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(name, { minLength: 1, maxLength: 12 }),
      fc.array(
        fc.record({
          pattern: fc.option(pattern, { nil: undefined }),
          marker: fc.option(name, { nil: undefined }),
          limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      async (names, pages) => {
        const list = await listing(names)
        const bytes = (text: string) => Buffer.from(text)
        const sorted = names.toSorted((a, b) => Buffer.compare(bytes(a), bytes(b)))
        for (const page of pages) {
          const { pattern, marker, limit } = page
          const expected = sorted
            .filter(one => marker === undefined || Buffer.compare(bytes(one), bytes(marker)) > 0)
            .filter(one => pattern === undefined || pattern.matches(one))
            .slice(0, limit)
          expect((await list(page)).names).toEqual(expected.map(one => `/f/${one}`))
        }
      },
    ),
    { numRuns: 100 },
  )
})
