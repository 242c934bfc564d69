// What a page of a folder costs: as much as it shows, not as much as the folder holds. What it shows is told by the wire
// tests.

import { expect, it } from 'vitest'
import { ANONYMOUS, path } from '../../test/fixtures/service.ts'
import { parseGlob } from '../hdf5/glob.ts'
import { seededRandom, testClock } from '../storage/clock.ts'
import { openMemoryEngine } from '../storage/engines/memory.ts'
import { openStore } from '../storage/open-store.ts'
import { withCounters } from '../storage/wrappers/with-counters.ts'
import { ALL_PERMISSIONS } from './access.ts'
import { createDomain } from './domains.ts'
import { type FolderListing, listFolder } from './folder-listing.ts'

const SETTINGS = { defaultAcl: ALL_PERMISSIONS, newDomains: 'anyone', isKnownUser: () => true } as const
const { signal } = new AbortController()

/** Lists a folder of `count` domains, d000 and so on; the names, and the entries that were read. */
async function listing(count: number) {
  const engine = withCounters(openMemoryEngine())
  const options = { clock: testClock(), random: seededRandom(7), sweeps: false }
  const store = openStore(engine, options)
  await store.write(async writer => {
    const context = {
      ...{ reader: writer, writer, caller: ANONYMOUS, settings: SETTINGS, signal, now: writer.time },
      random: (length: number) => store.random(length),
    }
    for (let i = 0; i < count; i++) {
      await createDomain(context, path(`/f/d${`${i}`.padStart(3, '0')}`), { createParents: true })
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
  const list = await listing(200)
  const { names: listed, entries } = await list(page)
  expect(listed).toEqual(names)
  // One more may be fetched before the page is known to be full.
  expect(entries).toBeLessThanOrEqual(names.length + 1)
})
