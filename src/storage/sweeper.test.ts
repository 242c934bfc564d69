import { describe, expect, it } from 'vitest'
import {
  all,
  box,
  collect,
  dataset,
  domain,
  group,
  inPieces,
  int32s,
  newId,
  newRoot,
  readNumbers,
} from '../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from './clock.ts'
import type { Clock, Engine } from './engine.ts'
import { openMemoryEngine } from './engines/memory.ts'
import { type OpenStore, openStore } from './open-store.ts'
import type { Dataset } from './store.ts'

const GRACE = 15 * 60 * 1000
const MINUTE = 60 * 1e6

/** Two processes on one engine, and the time of both. */
function scene() {
  const clock = testClock()
  const engine = withBlobTimes(openMemoryEngine(), clock)
  const open = (seed: number): OpenStore =>
    openStore(engine, { clock, random: seededRandom(seed), sweeps: false, maxInlineBytes: 0 })
  return { engine, clock, store: open(1), other: open(2) }
}

async function written(store: OpenStore): Promise<Dataset> {
  const root = newRoot()
  const into = dataset(newId(root), { dims: [4], chunkDims: [2], maxdims: ['H5S_UNLIMITED'] })
  await store.write(async writer => {
    await writer.putDomain(domain('/d', root))
    await writer.createObject(group(root))
    await writer.createObject(into)
    await writer.writeValues(into, all(into), inPieces(int32s([1, 2, 3, 4])))
  })
  return into
}

const blobCount = async (engine: Engine): Promise<number> => (await collect(engine.blobs.list(''))).length

async function sweep(store: OpenStore): Promise<void> {
  await store.sweeper.announce()
  await store.sweeper.sweepGarbage()
  await store.sweeper.findOrphans()
}

/** The engine with blobs that were written when the clock says so. */
function withBlobTimes(engine: Engine, clock: Clock): Engine {
  const times = new Map<string, number>()
  const { blobs } = engine
  return {
    ...engine,
    blobs: {
      ...blobs,
      put(name, pieces) {
        times.set(name, clock.now() / 1000)
        return blobs.put(name, pieces)
      },
      read: (name, offset, into) => blobs.read(name, offset, into),
      delete: name => blobs.delete(name),
      async *list(prefix) {
        for await (const { name } of blobs.list(prefix)) yield { name, written: times.get(name) ?? 0 }
      },
    },
  }
}

describe('the sweeper', () => {
  it.each<[string, (store: OpenStore, into: Dataset) => Promise<void>, number]>([
    [
      'values that were replaced',
      (store, into) => store.write(w => w.writeValues(into, box([0], [1]), inPieces(int32s([9])))),
      2,
    ],
    ['values that were cut off', (store, into) => store.write(w => w.setExtents(into, [2])), 1],
    [
      'values of a deleted dataset',
      (store, into) => store.write(w => w.deleteObject(into.id, { links: true })),
      0,
    ],
    ['values of a deleted domain', store => store.write(w => w.deleteDomain(domain('/d').path)), 0],
    ['values of an import that failed', (store, into) => store.write(w => w.dropContents(into.id)), 0],
  ])('removes %s after the grace time, not before', async (_name, change, left) => {
    const { engine, clock, store } = scene()
    const into = await written(store)
    await sweep(store)
    expect(await blobCount(engine)).toBe(2)
    await change(store, into)
    const before = await blobCount(engine)
    clock.advance(14 * MINUTE)
    await sweep(store)
    expect(await blobCount(engine)).toBe(before)
    clock.advance(2 * MINUTE)
    await store.sweeper.sweepGarbage()
    expect(await blobCount(engine)).toBe(left)
    await sweep(store)
    expect(await blobCount(engine)).toBe(left)
  })

  it('drops what an import leaves that was killed, an hour later, and the import must not go on then', async () => {
    const { engine, clock, store, other } = scene()
    const root = newRoot()
    const into = dataset(newId(root), { dims: [4], chunkDims: [2] })
    await store.write(async writer => {
      await writer.createObject(group(root))
      await writer.renewUnfinished(root, store.now())
    })
    clock.advance(50 * MINUTE)
    await store.write(async writer => {
      await writer.renewUnfinished(root, store.now())
      await writer.createObject(into)
      await writer.writeValues(into, all(into), inPieces(int32s([1, 2, 3, 4])))
    })
    clock.advance(50 * MINUTE)
    await other.sweeper.dropUnfinished()
    expect(await store.read(reader => reader.object(into.id))).toEqual(into)
    clock.advance(11 * MINUTE)
    await other.sweeper.dropUnfinished()
    expect(await store.read(reader => reader.object(into.id))).toBeUndefined()
    expect(await store.read(reader => reader.object(root))).toBeUndefined()
    await expect(store.write(writer => writer.renewUnfinished(root, store.now()))).rejects.toThrow('dropped')
    clock.advance(16 * MINUTE)
    await other.sweeper.sweepGarbage()
    expect(await blobCount(engine)).toBe(0)
  })

  it('keeps what became a domain, also one that does while it looks', async () => {
    const { engine, clock, store, other } = scene()
    const [early, late] = [newRoot(), newRoot()]
    for (const root of [early, late]) {
      await store.write(async writer => {
        await writer.createObject(group(root))
        await writer.renewUnfinished(root, store.now())
      })
    }
    await store.write(writer => writer.putDomain(domain('/early', early)))
    clock.advance(61 * MINUTE)
    const commit = engine.keyValue.commit.bind(engine.keyValue)
    let isLate = true
    engine.keyValue.commit = async batch => {
      if (isLate) {
        isLate = false
        await store.write(writer => writer.putDomain(domain('/late', late)))
      }
      return commit(batch)
    }
    await other.sweeper.dropUnfinished()
    expect(isLate).toBe(false)
    for (const root of [early, late]) {
      expect(await store.read(reader => reader.object(root))).toBeDefined()
    }
  })

  it('knows the values of a chunk that several writers replaced at the same time', async () => {
    const { engine, clock, store, other } = scene()
    const into = await written(store)
    const replace = (by: OpenStore, meanwhile: () => Promise<void>) =>
      by.write(async writer => {
        await writer.writeValues(into, all(into), inPieces(int32s([5, 6, 7, 8])))
        await meanwhile()
      })
    await replace(store, () => replace(other, () => replace(store, async () => {})))
    clock.advance(16 * MINUTE)
    await store.sweeper.sweepGarbage()
    expect(await blobCount(engine)).toBe(2)
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([5, 6, 7, 8])
  })

  it('handles each garbage once', async () => {
    const { engine, clock, store } = scene()
    const into = await written(store)
    await store.write(w => w.writeValues(into, all(into), inPieces(int32s([5, 6, 7, 8]))))
    clock.advance(16 * MINUTE)
    await store.sweeper.sweepGarbage()
    let deletions = 0
    const blobs = { ...engine.blobs, delete: async () => void deletions++ }
    Object.assign(engine, { blobs })
    await store.sweeper.sweepGarbage()
    expect(deletions).toBe(0)
  })

  it('keeps what an open read may need, of this process and of another', async () => {
    const { engine, clock, store, other } = scene()
    const into = await written(store)
    for (const reading of [store, other]) {
      await reading.read(async reader => {
        await store.write(w => w.writeValues(into, all(into), inPieces(int32s([5, 6, 7, 8]))))
        for (let minute = 0; minute < 120; minute += 3) {
          clock.advance(3 * MINUTE)
          await other.sweeper.announce()
          await sweep(store)
        }
        expect(await readNumbers(reader, into)).toHaveLength(4)
      })
      expect(await blobCount(engine)).toBe(4)
      await other.sweeper.announce()
      await sweep(store)
      expect(await blobCount(engine)).toBe(2)
    }
  })

  it('keeps what a long write has put but not yet named', async () => {
    const { engine, clock, store, other } = scene()
    const into = await written(store)
    for (const writing of [store, other]) {
      await writing.write(async writer => {
        await writer.writeValues(into, all(into), inPieces(int32s([5, 6, 7, 8])))
        for (let minute = 0; minute < 120; minute += 3) {
          clock.advance(3 * MINUTE)
          await other.sweeper.announce()
          await sweep(store)
        }
      })
      expect(await store.read(reader => readNumbers(reader, into))).toEqual([5, 6, 7, 8])
    }
    for (let round = 0; round < 3; round++) {
      clock.advance(16 * MINUTE)
      await sweep(store)
    }
    expect(await blobCount(engine)).toBe(2)
  })

  it('does not wait for a process that has died', async () => {
    const { engine, clock, store, other } = scene()
    const into = await written(store)
    let finish = (): void => {}
    const dead = other.read(
      () =>
        new Promise<void>(resolve => {
          finish = resolve
        }),
    )
    await store.write(w => w.writeValues(into, all(into), inPieces(int32s([5, 6, 7, 8]))))
    clock.advance(8 * MINUTE)
    await other.sweeper.announce()
    clock.advance(8 * MINUTE)
    await sweep(store)
    expect(await blobCount(engine)).toBe(4)
    clock.advance(8 * MINUTE)
    await sweep(store)
    expect(await blobCount(engine)).toBe(2)
    finish()
    await dead
  })

  it('removes what was put but never named, also spilled values, and leaves the blobs of others', async () => {
    const { engine, clock, store } = scene()
    const into = await written(store)
    const folder = `${into.id.slice(0, 16)}/${into.id.slice(16)}`
    await engine.blobs.put(`${folder}/0100${'ab'.repeat(8)}`, [])
    await engine.blobs.put(`${folder}/ff${'ab'.repeat(8)}`, [])
    await engine.blobs.put('abcdef', [])
    await sweep(store)
    expect(await blobCount(engine)).toBe(5)
    clock.advance(16 * MINUTE)
    await sweep(store)
    expect(await blobCount(engine)).toBe(5)
    clock.advance(16 * MINUTE)
    await sweep(store)
    expect(await blobCount(engine)).toBe(3)
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([1, 2, 3, 4])
  })

  it('never touches records: an import may take long to fill a domain that has no entry', async () => {
    const { engine, clock, store } = scene()
    const into = dataset(newId(newRoot()), { dims: [2], chunkDims: [2] })
    await store.write(async writer => {
      await writer.createObject(into)
      await writer.writeValues(into, all(into), inPieces(int32s([1, 2])))
    })
    clock.advance(24 * 60 * MINUTE)
    await sweep(store)
    expect(await blobCount(engine)).toBe(1)
    expect(await store.read(reader => readNumbers(reader, into))).toEqual([1, 2])
  })

  it('runs on a timer, and stops when the store is closed', async () => {
    const engine = openMemoryEngine()
    const clock = testClock(Date.now() * 1000)
    const store = openStore(engine, {
      clock,
      random: seededRandom(1),
      graceMilliseconds: 8,
      maxInlineBytes: 0,
    })
    const into = await written(store)
    await store.write(w => w.writeValues(into, all(into), inPieces(int32s([5, 6, 7, 8]))))
    clock.advance(GRACE * 1000)
    const until = Date.now() + 5000
    while ((await blobCount(engine)) > 2 && Date.now() < until)
      await new Promise(resolve => setTimeout(resolve, 2))
    expect(await blobCount(engine)).toBe(2)
    await store.close()
  })
})
