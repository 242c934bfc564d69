import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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
import { seededRandom, type TestClock, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { type CountingEngine, withCounters } from '../../../test/engines/with-counters.ts'
import { withFaults } from '../../../test/engines/with-faults.ts'
import { HyperslabError } from '../../errors.ts'
import { type OpenStore, openStore } from '../open-store.ts'
import { decodeRecord } from '../records/record.ts'
import type { Dataset } from '../store.ts'
import { chunkKey } from './chunk-record.ts'
import { patchKey } from './patches.ts'

const LENGTH = 1 << 16
const CHUNK_BYTES = 4 * LENGTH

let engine: CountingEngine
let clock: TestClock
let store: OpenStore
let into: Dataset
/** Fails puts of blobs. */
let isFull = false
const reports: unknown[] = []

beforeEach(async () => {
  reports.length = 0
  isFull = false
  clock = testClock()
  engine = withCounters(
    withFaults(openMemoryEngine(), operation => (isFull && operation === 'put' ? 'before' : undefined)),
  )
  const options = {
    clock,
    random: seededRandom(1),
    sweeps: false,
    report: (error: unknown) => reports.push(error),
  }
  store = openStore(engine, options)
  const root = newRoot()
  into = dataset(newId(root), { dims: [LENGTH], chunkDims: [LENGTH] })
  await store.write(async writer => {
    await writer.putDomain(domain('/folds', root))
    await writer.createObject(group(root))
    await writer.createObject(into)
  })
})
afterEach(async () => {
  await store.folds.stop()
  await expectSound(engine)
  await store.close()
})

const put = (at: number, numbers: readonly number[]): Promise<void> =>
  store.write(writer => writer.writeValues(into, box([at], [numbers.length]), inPieces(int32s(numbers))))

/** Long enough not to be joined with the one before. */
const LONG = Array.from({ length: 600 }, (_, i) => i + 1)

async function patches(): Promise<{ from: number; to: number; bytes: number } | undefined> {
  const snapshot = engine.keyValue.snapshot()
  const record = await snapshot.get(chunkKey({ dataset: into.id, coordinates: Uint8Array.of(0) }))
  snapshot.close()
  return record && decodeRecord<{ patches?: { from: number; to: number; bytes: number } }>(record).patches
}

const read = (): Promise<number[]> => store.read(reader => readNumbers(reader, into))

describe('a small part of a large chunk', () => {
  it('is kept beside it: nothing of it is read, and no blob is put', async () => {
    await store.write(writer =>
      writer.writeValues(into, all(into), inPieces(int32s(new Array(LENGTH).fill(7)))),
    )
    const costs = await engine.count(() => put(100, [1, 2, 3]))
    expect(costs).toMatchObject({ blobPuts: 0, blobReads: 0, commits: 1, conflicts: 0 })
    expect(await patches()).toMatchObject({ from: 0, to: 1 })
    const numbers = await read()
    expect(numbers.slice(99, 104)).toEqual([7, 1, 2, 3, 7])
    const { bytes, chunks } = await store.read(reader => reader.allocation(into.id))
    expect(chunks).toBe(1)
    expect(bytes).toBe(CHUNK_BYTES + ((await patches())?.bytes ?? 0))
  })

  it('is added to the last patch while both are short', async () => {
    for (let i = 0; i < 10; i++) await put(i * 20, LONG.slice(0, 20))
    expect(await patches()).toMatchObject({ from: 0, to: 1 })
    await put(1000, LONG)
    await put(3000, LONG)
    expect(await patches()).toMatchObject({ from: 0, to: 3 })
    expect((await read()).slice(0, 201)).toEqual([...new Array(10).fill(LONG.slice(0, 20)).flat(), 0])
  })

  it('that is too long for a patch is not one', async () => {
    await put(0, new Array(LENGTH / 4).fill(3))
    expect(await patches()).toBeUndefined()
  })

  it('is one of a chunk that goes through filters, even if it is all inside the extents', async () => {
    const small = dataset(newId(into.id), { dims: [9], chunkDims: [LENGTH], filters: SHUFFLE_DEFLATE })
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    await store.write(async writer => {
      await writer.createObject(small)
      await writer.writeValues(small, all(small), inPieces(int32s(numbers)))
    })
    expect(await store.read(reader => readNumbers(reader, small))).toEqual(numbers)
    const { bytes } = await store.read(reader => reader.allocation(small.id))
    expect(bytes).toBeLessThan(100)
    await store.folds.foldAll()
    expect(await store.read(reader => readNumbers(reader, small))).toEqual(numbers)
  })

  it('does not conflict with others of the same chunk, of another process neither', async () => {
    const other = openStore(engine, { clock, random: seededRandom(2), sweeps: false })
    const costs = await engine.count(() =>
      Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          (i % 2 === 0 ? store : other).write(writer =>
            writer.writeValues(into, box([i], [1]), inPieces(int32s([i + 1]))),
          ),
        ),
      ),
    )
    expect(costs.conflicts).toBe(0)
    expect((await read()).slice(0, 41)).toEqual([...Array.from({ length: 40 }, (_, i) => i + 1), 0])
    await other.folds.stop()
  })
})

describe('folding', () => {
  it('happens when there are many patches, and leaves those that came meanwhile', async () => {
    for (let i = 0; i < 300; i++) await put(i * 10, LONG.slice(0, 519))
    await store.folds.stop()
    const { from = 0, to = 0 } = (await patches()) ?? {}
    expect(to - from).toBeLessThan(200)
    expect((await read()).slice(0, 3000)).toEqual(Array.from({ length: 3000 }, (_, i) => (i % 10) + 1))
    expect(reports).toEqual([])
  })

  it('that another process has done, too, changes nothing', async () => {
    for (let i = 0; i < 5; i++) await put(i * 1000, LONG)
    const other = openStore(engine, { clock, random: seededRandom(2), sweeps: false })
    await other.write(writer => writer.writeValues(into, box([9000], [600]), inPieces(int32s(LONG))))
    const before = await read()
    await Promise.all([store.folds.foldAll(), other.folds.foldAll()])
    expect(await patches()).toBeUndefined()
    expect(await read()).toEqual(before)
    await other.folds.stop()
  })

  it('gives up values that a whole write, new extents or a deletion have replaced', async () => {
    for (const replace of [
      () => put(0, new Array(LENGTH).fill(1)),
      () => store.write(writer => writer.setExtents(into, [10])),
      () => store.write(writer => writer.deleteObject(into.id, { links: true })),
    ]) {
      await put(1, [5])
      await Promise.all([store.folds.foldAll(), replace()])
      const object = await store.read(reader => reader.object(into.id))
      if (object?.kind === 'dataset') into = object
    }
    for (let i = 0; i < 3; i++) await store.sweeper.sweepGarbage()
    expect(await collect(engine.blobs.list(''))).toEqual([])
  })

  it('that fails loses nothing; then chunks are written whole, which says that the disk is full', async () => {
    await put(0, [1])
    isFull = true
    await store.folds.foldAll()
    expect(reports).not.toEqual([])
    let refused: unknown
    let done = 0
    for (; refused === undefined && done < 3000; done++) {
      refused = await put(done * 20, LONG.slice(0, 519)).catch((error: unknown) => error)
    }
    expect(refused).toBeInstanceOf(Error)
    const { from = 0, to = 0 } = (await patches()) ?? {}
    expect(to - from).toBeLessThanOrEqual(4 * 128)
    isFull = false
    const before = await read()
    await store.folds.foldAll()
    await put(LENGTH - 1, [8])
    expect(await read()).toEqual(before.with(LENGTH - 1, 8))
  })

  it('of a damaged patch is refused, and so are reads of it', async () => {
    await put(0, [1])
    const key = patchKey({ dataset: into.id, coordinates: Uint8Array.of(0) }, 0)
    const snapshot = engine.keyValue.snapshot()
    const patch = await snapshot.get(key)
    snapshot.close()
    if (!patch) throw new Error('there is no patch')
    const set = (value: Uint8Array) =>
      engine.keyValue.commit({ expect: [], changes: [{ op: 'set', key, value }] })
    await set(patch.with(0, 9))
    await store.folds.foldAll()
    expect(reports).toMatchObject([{ code: 'values-damaged' }])
    const failure = await read().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(HyperslabError)
    expect(failure).toMatchObject({ code: 'values-damaged', message: expect.stringContaining(into.id) })
    await set(patch)
    expect((await read()).slice(0, 2)).toEqual([1, 0])
  })
})
