// A random program of writes, on LMDB, in memory and on a plain model of the store; after each write every question
// that a reader can ask has the same answer on all three, and a check finds nothing wrong with the two. Values are
// small, so the limits are too: most chunks become blobs, and what arrives for them is spilled.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DomainPath } from '@hyperslab/model/names'
import type { Selection } from '@hyperslab/model/selection'
import type { Engine } from '@hyperslab/store/engines'
import { inFolder, type OpenStore, openEngine, openStore } from '@hyperslab/store/engines'
import type { DomainStatistics, HdfObject, Page, Reader } from '@hyperslab/store/store'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { collect, domain, readNumbers, readTexts } from '../conformance/sample-objects.ts'
import { expectSound } from '../conformance/sound.ts'
import { seededRandom, testClock } from '../engines/clock.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import { poisonPools } from '../fixtures/poisoned-pools.ts'
import { extents, StoreModel, type Value } from './store-model.ts'
import {
  apply,
  boxIn,
  fillOf,
  listsIn,
  NAMES,
  newWorld,
  pick,
  pointsIn,
  program,
  type Work,
  type World,
} from './store-programs.ts'

poisonPools()

/** All that a reader can be asked, as the model answers it. */
function expectedAnswers(model: StoreModel, world: World, page: Page): unknown {
  const folders = [...new Set(world.paths.map(path => path.slice(0, path.lastIndexOf('/'))))]
  return {
    domains: world.paths.map(path => [
      model.domain(path) ?? null,
      model.wasDomainDeleted(path),
      model.statistics(path) ?? null,
    ]),
    names: world.roots.map(root => model.names(root)),
    children: folders.map(folder => model.children(folder)),
    listings: world.roots.map(root =>
      (['group', 'dataset', 'datatype'] as const).map(kind => model.objects(root, kind)),
    ),
    objects: world.ids.map(id => ({
      object: model.object(id) ?? null,
      wasDeleted: model.wasDeleted({ object: id }),
      linkCount: model.links(id).length,
      attributeCount: model.attributes(id).length,
      links: model.links(id),
      linksByCreation: model.links(id, { order: 'created' }),
      page: [model.links(id, page), model.attributes(id, page)],
      attributes: model.attributes(id),
      attributesByCreation: model.attributes(id, { order: 'created' }),
      deleted: NAMES.map(name => [
        model.wasDeleted({ group: id, title: name }),
        model.wasDeleted({ owner: id, attribute: name }),
      ]),
      values: selectionsOf(model.object(id)).map(selection => {
        const object = model.object(id)
        return object?.kind === 'dataset' ? model.values(id, selection, fillOf(object)) : []
      }),
    })),
  }
}

async function answers(reader: Reader, world: World, page: Page): Promise<unknown> {
  const folders = [...new Set(world.paths.map(path => path.slice(0, path.lastIndexOf('/'))))]
  return {
    domains: await each(world.paths, async path => [
      (await reader.domain(path)) ?? null,
      await reader.wasDomainDeleted(path),
      counted(await reader.statistics(path)),
    ]),
    names: await each(world.roots, root => reader.nameCount(root)),
    children: await each(folders, folder => collect(reader.children(folder as DomainPath))),
    listings: await each(world.roots, root =>
      each(['group', 'dataset', 'datatype'] as const, kind => collect(reader.objects(root, kind))),
    ),
    objects: await each(world.ids, async id => {
      const object = (await reader.object(id)) ?? null
      const { linkCount, attributeCount } = await reader.status(id)
      return {
        object,
        wasDeleted: await reader.wasDeleted({ object: id }),
        linkCount,
        attributeCount,
        links: await collect(reader.links(id)),
        linksByCreation: await collect(reader.links(id, { order: 'created' })),
        page: [await collect(reader.links(id, page)), await collect(reader.attributes(id, page))],
        attributes: await collect(reader.attributes(id)),
        attributesByCreation: await collect(reader.attributes(id, { order: 'created' })),
        deleted: await each(NAMES, async name => [
          await reader.wasDeleted({ group: id, title: name }),
          await reader.wasDeleted({ owner: id, attribute: name }),
        ]),
        values: await each(selectionsOf(object), async (selection): Promise<Value[]> => {
          if (object?.kind !== 'dataset') return []
          const isText = object.type.class === 'H5T_STRING'
          return isText ? readTexts(reader, object, selection) : readNumbers(reader, object, selection)
        }),
      }
    }),
  }
}

/** The counts that the model has, too. */
function counted(statistics: DomainStatistics | undefined): object | null {
  if (statistics === undefined) return null
  const { groups, datasets, datatypes, logicalBytes, lastModified } = statistics
  return { groups, datasets, datatypes, logicalBytes, lastModified }
}

/** Everything, a strided part, some points. */
function selectionsOf(object: HdfObject | null | undefined): Selection[] {
  if (object?.kind !== 'dataset') return []
  const dims = extents(object)
  const everything = dims.flatMap(extent => [0, 0, extent])
  return [
    boxIn(dims, everything),
    boxIn(dims, [1, 1, 2, 2, 2, 3, 0, 1, 2]),
    pointsIn(dims, [3, 99, 3, 0, 50]),
    listsIn(dims, [3, 99, 3, 0, 50]),
  ]
}

async function each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const item of items) results.push(await work(item))
  return results
}

const folder = await mkdtemp(join(tmpdir(), 'hyperslab-model-'))
const clock = testClock(Date.now() * 1000)
const options = {
  clock,
  sweeps: false,
  maxOpenBytes: 50,
  maxInlineBytes: 20,
  pieceBytes: 60,
}
const engines: readonly Engine[] = [openMemoryEngine(), await openEngine(inFolder(folder))]
const stores: readonly OpenStore[] = engines.map((engine, i) =>
  openStore(engine, { ...options, random: seededRandom(i) }),
)

afterAll(async () => {
  for (const store of stores) await store.close()
  await rm(folder, { recursive: true })
})

let run = 0

it('every store answers like the model after every write of any program', async () => {
  await fc.assert(
    fc.asyncProperty(program, async steps => {
      const world = newWorld(++run)
      let model = new StoreModel()
      for (const store of stores) await store.write(writer => writer.putDomain(domain(world.folder)))
      for (const { operations, fails, marker, limit } of steps) {
        const next = model.copy()
        next.time = clock.stamp()
        const works = operations.flatMap(operation => apply(next, world, operation) ?? [])
        const page: Page = { marker: pick(NAMES, marker), limit, order: marker % 2 ? 'name' : 'created' }
        const before = await each(stores, store => versions(store, world))
        for (const store of stores)
          await write(store, works, fails, expectedAnswers(next, world, page), world, page, next.time)
        const changed = fails ? [] : world.ids.filter(id => next.version(id) !== model.version(id))
        if (!fails) model = next
        for (const [i, store] of stores.entries()) {
          const seen = await store.read(reader => answers(reader, world, page))
          expect(seen).toEqual(expectedAnswers(model, world, page))
          await expectSound(engines[i])
          const after = await versions(store, world)
          expect(world.ids.filter((_, n) => after[n] !== before[i][n])).toEqual(changed)
        }
      }
      await expectOnlyNamedBlobs(world, model)
    }),
    { numRuns: 12 },
  )
})

/** In the end the writer sees what everybody will see once it has committed. */
async function write(
  store: OpenStore,
  works: readonly Work[],
  fails: boolean,
  expected: unknown,
  world: World,
  page: Page,
  time: number,
): Promise<void> {
  const failure = new Error('the work fails')
  const writing = store.write(
    async writer => {
      for (const work of works) await work(writer)
      expect(await answers(writer, world, page)).toEqual(expected)
      if (fails) throw failure
    },
    { time },
  )
  if (fails) await expect(writing).rejects.toBe(failure)
  else await writing
}

function versions(store: OpenStore, world: World): Promise<(string | undefined)[]> {
  return store.read(reader => each(world.ids, async id => (await reader.status(id)).version))
}

/** After sweeping no blob is left that is not needed, and none that is needed has gone. */
async function expectOnlyNamedBlobs(world: World, model: StoreModel): Promise<void> {
  for (const store of stores) {
    await sweep(store)
    const seen = await store.read(reader => answers(reader, world, {}))
    expect(seen).toEqual(expectedAnswers(model, world, {}))
    await store.write(async writer => {
      for (const root of world.roots) await writer.dropContents(root)
    })
    await sweep(store)
  }
  for (const engine of engines) expect(await blobsOf(engine, world)).toEqual([])
}

async function sweep(store: OpenStore): Promise<void> {
  for (let round = 0; round < 3; round++) {
    while (await store.sweeper.removeRemains());
    await store.sweeper.sweepGarbage()
    await store.sweeper.findOrphans()
  }
}

async function blobsOf(engine: Engine, world: World): Promise<string[]> {
  const lists = await each(world.roots, root => collect(engine.blobs.list(`${root.slice(0, 16)}/`)))
  return lists.flat().sort()
}
