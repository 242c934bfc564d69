import { deflateSync } from 'node:zlib'
import { rootOf } from '@hyperslab/model/names'
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
  SHUFFLE_DEFLATE,
} from '../../../test/conformance/sample-objects.ts'
import { expectSound } from '../../../test/conformance/sound.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { withCounters } from '../../../test/engines/with-counters.ts'
import { withFaults } from '../../../test/engines/with-faults.ts'
import { chunkKey, decodeChunkRecord } from '../chunk-records/chunk-record.ts'
import type { Engine } from '../interfaces/engine.ts'
import type { Dataset, Store, Writer } from '../interfaces/store.ts'
import { openStore } from '../open-store.ts'

const LENGTH = 50_000
const WRITERS = Array.from({ length: 100 }, (_, i) => i)

/** Nothing is kept with the records, so each write of a part stores its chunk anew. */
const NO_PATCHES = { maxInlineBytes: 0 }

/** A dataset of one chunk, too long to be inline, with its first values. */
async function hotChunk(engine: Engine, filters: typeof SHUFFLE_DEFLATE = []) {
  const store = openStore(engine, {
    clock: testClock(),
    random: seededRandom(1),
    sweeps: false,
    ...NO_PATCHES,
  })
  const root = newRoot()
  const into = dataset(newId(root), { dims: [LENGTH], chunkDims: [LENGTH], filters })
  await store.write(async writer => {
    await writer.putDomain(domain('/hot', root))
    await writer.createObject(group(root))
    await writer.createObject(into)
    await writer.writeValues(into, all(into), inPieces(int32s(new Array(LENGTH).fill(0))))
  })
  return { store, into }
}

const put =
  (into: Dataset, at: number, number: number) =>
  (writer: Writer): Promise<void> =>
    writer.writeValues(into, box([at], [1]), inPieces(int32s([number])))

const firstOf = async (store: Store, into: Dataset): Promise<number[]> =>
  store.read(reader => readNumbers(reader, into, box([0], [WRITERS.length])))

describe('many writes into one chunk', () => {
  it.each([
    ['as it is', []],
    ['behind filters', SHUFFLE_DEFLATE],
  ])(
    'store it a few times, not each once, and the stored bytes are counted exactly (%s)',
    async (_, filters) => {
      const engine = withCounters(openMemoryEngine())
      const { store, into } = await hotChunk(engine, [...filters])
      const costs = await engine.count(() => Promise.all(WRITERS.map(i => store.write(put(into, i, i + 1)))))
      expect(costs.blobPuts).toBeLessThan(WRITERS.length / 4)
      expect(costs.commits).toBeLessThan(WRITERS.length / 4)
      // One that has read the chunk before a commit and meets it after that is run again with the others.
      expect(costs.conflicts).toBeLessThan(WRITERS.length / 4)
      expect(await firstOf(store, into)).toEqual(WRITERS.map(i => i + 1))
      await expectSound(engine)
      expect(await store.read(reader => reader.allocation(into.id))).toMatchObject({ chunks: 1 })
    },
  )

  it('that grow the dataset bring their values once each', async () => {
    const engine = withCounters(openMemoryEngine())
    const { store, into } = await hotChunk(engine)
    const log = dataset(newId(into.id), { dims: [0], chunkDims: [LENGTH], maxdims: ['H5S_UNLIMITED'] })
    await store.write(writer => writer.createObject(log))
    let runs = 0
    const append = (number: number) => async (writer: Writer) => {
      const found = await writer.object(log.id)
      if (found?.kind !== 'dataset' || found.space.class !== 'H5S_SIMPLE')
        throw new Error('it has no extents')
      const [end] = found.space.dims
      const dims = [end + 1]
      await writer.setExtents(found, dims)
      runs++
      const grown = { ...found, space: { ...found.space, dims } }
      await writer.writeValues(grown, box([end], [1]), inPieces(int32s([number])))
    }
    const costs = await engine.count(() => Promise.all(WRITERS.map(i => store.write(append(i)))))
    expect(runs).toBe(WRITERS.length)
    expect(costs.conflicts).toBe(0)
    const numbers = await store.read(async reader => {
      const found = await reader.object(log.id)
      return found?.kind === 'dataset' ? readNumbers(reader, found) : []
    })
    expect(numbers.toSorted((a, b) => a - b)).toEqual(WRITERS)
    await expectSound(engine)
    await store.close()
  })

  it('that append to a large chunk share its patches', async () => {
    const engine = openMemoryEngine()
    const { into } = await hotChunk(engine)
    const store = openStore(engine, { clock: testClock(), random: seededRandom(2), sweeps: false })
    const rows = 100
    const log = dataset(newId(into.id), { dims: [0], chunkDims: [LENGTH], maxdims: ['H5S_UNLIMITED'] })
    await store.write(writer => writer.createObject(log))
    const append = (number: number) => async (writer: Writer) => {
      const found = await writer.object(log.id)
      if (found?.kind !== 'dataset' || found.space.class !== 'H5S_SIMPLE')
        throw new Error('it has no extents')
      const [end] = found.space.dims
      const grown = { ...found, space: { ...found.space, dims: [end + rows] } }
      await writer.setExtents(found, grown.space.dims)
      await writer.writeValues(grown, box([end], [rows]), inPieces(int32s(new Array(rows).fill(number))))
    }
    // The first ones fill more than a page: all of a shorter chunk would be stored.
    for (let i = 0; i < 20; i++) await store.write(append(1000 + i))
    const patches = async () => {
      const snapshot = engine.keyValue.snapshot()
      const record = await snapshot.get(chunkKey({ dataset: log.id, coordinates: Uint8Array.of(0) }))
      snapshot.close()
      const { from, to } = (record && decodeChunkRecord(record).patches) ?? { from: 0, to: 0 }
      return to - from
    }
    const before = await patches()
    await Promise.all(WRITERS.map(i => store.write(append(i))))
    // One after another they would make a patch for each four or five; one of a commit has up to 40.
    expect((await patches()) - before).toBeLessThanOrEqual(WRITERS.length / 10)
    const numbers = await store.read(async reader => {
      const found = await reader.object(log.id)
      return found?.kind === 'dataset' ? readNumbers(reader, found) : []
    })
    const appended = numbers.filter((_, i) => i % rows === 0)
    expect(appended.toSorted((a, b) => a - b)).toEqual([...WRITERS, ...appended.slice(0, 20)])
    expect(numbers).toEqual(appended.flatMap(number => new Array<number>(rows).fill(number)))
    await expectSound(engine)
    await store.close()
  })

  it('keep the chunks that arrive encoded', async () => {
    const engine = openMemoryEngine()
    const { store, into } = await hotChunk(engine)
    const values = Int32Array.from({ length: LENGTH }, (_, i) => Math.imul(i, 0x9e3779b1))
    const bytes = deflateSync(new Uint8Array(values.buffer), { level: 0 })
    const filters = SHUFFLE_DEFLATE.slice(1)
    const others = WRITERS.slice(0, 8).map(() =>
      dataset(newId(rootOf(into.id)), { dims: [LENGTH], chunkDims: [LENGTH], filters }),
    )
    await Promise.all(
      others.map((other, i) =>
        store.write(async writer => {
          await writer.createObject(other)
          await writer.putEncodedChunks(other, [{ coordinates: [0], bytes, mask: 0 }])
          await put(into, i, i + 1)(writer)
        }),
      ),
    )
    await expectSound(engine)
    for (const other of others) {
      expect(await store.read(reader => readNumbers(reader, other, box([7], [2])))).toEqual([
        ...values.slice(7, 9),
      ])
    }
    await store.close()
  })

  it('leave no blobs behind but the named one and those that will be swept', async () => {
    const engine = openMemoryEngine()
    const clock = testClock(Date.now() * 1000)
    const { into } = await hotChunk(engine)
    const store = openStore(engine, { clock, random: seededRandom(2), sweeps: false, ...NO_PATCHES })
    await Promise.all(WRITERS.map(i => store.write(put(into, i, i + 1))))
    for (let hour = 0; hour < 3; hour++) {
      clock.advance(3600_000_000)
      await store.sweeper.sweepGarbage()
    }
    expect(await collect(engine.blobs.list(''))).toHaveLength(1)
    expect(await firstOf(store, into)).toEqual(WRITERS.map(i => i + 1))
  })

  it('do not end before the commit, and all reject when it fails', async () => {
    const engine = openMemoryEngine()
    const { into } = await hotChunk(engine)
    let commits = 0
    // The first one runs by itself; the second commit is that of the queued ones.
    const failing = withFaults(engine, operation =>
      operation === 'commit' && ++commits === 2 ? 'before' : undefined,
    )
    const store = openStore(failing, {
      clock: testClock(),
      random: seededRandom(3),
      sweeps: false,
      ...NO_PATCHES,
    })
    const outcomes = await Promise.allSettled(WRITERS.slice(0, 20).map(i => store.write(put(into, i, i + 1))))
    const written = (await firstOf(store, into)).slice(0, 20)
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
    outcomes.forEach(({ status }, i) => {
      expect(written[i]).toBe(status === 'fulfilled' ? i + 1 : 0)
    })
  })

  it('of two stores on one engine all commit, as those of two processes do', async () => {
    const engine = openMemoryEngine()
    const { store, into } = await hotChunk(engine)
    const other = openStore(engine, {
      clock: testClock(),
      random: seededRandom(4),
      sweeps: false,
      ...NO_PATCHES,
    })
    await Promise.all(WRITERS.map(i => (i % 2 === 0 ? store : other).write(put(into, i, i + 1))))
    expect(await firstOf(other, into)).toEqual(WRITERS.map(i => i + 1))
  })

  it('that are queued are waited for by close', async () => {
    const { store, into } = await hotChunk(openMemoryEngine())
    const writing = WRITERS.map(i => store.write(put(into, i, i + 1)))
    await store.close()
    expect(await Promise.all(writing)).toHaveLength(WRITERS.length)
  })
})
