// Pages of a folder: what they show, and that they cost as much as that, not as much as the folder holds.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { withCounters } from '../../../test/engines/with-counters.ts'
import { ANONYMOUS, path } from '../../../test/fixtures/service.ts'
import { parseGlob } from '../../hdf5/glob.ts'
import { openStore } from '../../storage/open-store.ts'
import { ALL_PERMISSIONS } from '../access/access.ts'
import { createDomain } from './domain-creation.ts'
import { type FolderListing, listFolder } from './folder-listing.ts'

const SETTINGS = { defaultAcl: ALL_PERMISSIONS, newDomains: 'anyone', isKnownUser: () => true } as const
const { signal } = new AbortController()

/** Lists a folder of domains and folders of these names; the names, and the entries that were read. */
async function listing(names: readonly string[]) {
  const engine = withCounters(openMemoryEngine())
  const options = { clock: testClock(), random: seededRandom(7), sweeps: false }
  const store = openStore(engine, options)
  await store.write(async writer => {
    const context = {
      ...{ reader: writer, writer, caller: ANONYMOUS, settings: SETTINGS, signal, now: writer.time },
      random: (length: number) => store.random(length),
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
