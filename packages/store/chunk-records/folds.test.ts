import { HyperslabError } from '@hyperslab/base/errors'
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
import { aroundEngine } from '../../../test/engines/around.ts'
import { seededRandom, type TestClock, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { type CountingEngine, withCounters } from '../../../test/engines/with-counters.ts'
import { withFaults } from '../../../test/engines/with-faults.ts'
import type { Dataset } from '../interfaces/store.ts'
import { type OpenStore, openStore } from '../open-store.ts'
import { contentsRange } from '../records/keys.ts'
import { withSnapshot } from '../records/with-snapshot.ts'
import { chunkKey, decodeChunkRecord, type PatchNumbers } from './chunk-record.ts'
import { patchKey } from './patches.ts'

const LENGTH = 1 << 16
const CHUNK_BYTES = 4 * LENGTH
const MAX_INLINE_BYTES = 2 ** 14
/** Elements that are too long for a record: a tenth of the chunk. */
const FRAME = 6553

const FULL = new HyperslabError('storage-full', 'the disk is full')

let engine: CountingEngine
let clock: TestClock
let store: OpenStore
let into: Dataset
/** Fails puts of blobs. */
let isFull = false
/** Runs before a blob is put. */
let onPut = async () => {}
const reports: unknown[] = []

beforeEach(async () => {
  reports.length = 0
  isFull = false
  onPut = async () => {}
  clock = testClock()
  const faulty = withFaults(openMemoryEngine(), operation =>
    isFull && operation === 'put' ? FULL : undefined,
  )
  engine = withCounters(
    aroundEngine(faulty, async (operation, run) => {
      if (operation === 'put') await onPut()
      return run()
    }),
  )
  const options = {
    clock,
    random: seededRandom(1),
    sweeps: false,
    maxInlineBytes: MAX_INLINE_BYTES,
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

async function patches(): Promise<PatchNumbers | undefined> {
  const snapshot = engine.keyValue.snapshot()
  const record = await snapshot.get(chunkKey({ dataset: into.id, coordinates: Uint8Array.of(0) }))
  snapshot.close()
  return record && decodeChunkRecord(record).patches
}

const blobs = (): Promise<string[]> => collect(engine.blobs.list(''))

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
    await put(0, new Array(Math.ceil(LENGTH / 3)).fill(3))
    expect(await patches()).toBeUndefined()
  })

  it('that is too long for a record is a blob beside the chunk: nothing is read, and no more is written', async () => {
    await store.write(writer =>
      writer.writeValues(into, all(into), inPieces(int32s(new Array(LENGTH).fill(7)))),
    )
    const costs = await engine.count(() => put(FRAME, new Array(FRAME).fill(1)))
    expect(costs).toMatchObject({ blobPuts: 1, blobReads: 0, commits: 1, conflicts: 0 })
    expect(await patches()).toMatchObject({ from: 0, to: 1, blobs: { bytes: 4 * FRAME } })
    const sizes = await Promise.all((await blobs()).map(name => engine.blobs.size(name)))
    expect(sizes.sort()).toEqual([CHUNK_BYTES, 4 * FRAME].sort())
    const { bytes } = await store.read(reader => reader.allocation(into.id))
    expect(bytes).toBe(CHUNK_BYTES + ((await patches())?.bytes ?? 0))
    const expected = Array.from({ length: LENGTH }, (_, i) => (i >= FRAME && i < 2 * FRAME ? 1 : 7))
    expect(await read()).toEqual(expected)
    await put(FRAME + 5, [9, 9])
    const part = box([FRAME - 1], [8])
    const reads = await engine.count(async () => {
      expect(await store.read(reader => readNumbers(reader, into, part))).toEqual([7, 1, 1, 1, 1, 1, 9, 9])
    })
    expect(reads.blobReads).toBe(2)
    // Another frame is read of neither.
    const others = await engine.count(() =>
      store.read(reader => readNumbers(reader, into, box([3 * FRAME], [9]))),
    )
    expect(others.blobReads).toBe(1)
  })

  it('is not kept if the write fails later', async () => {
    const given = int32s(new Array(FRAME).fill(1))
    const failing = store.write(async writer => {
      await writer.writeValues(into, box([0], [FRAME]), inPieces(given))
      throw new Error('the client has left')
    })
    await expect(failing).rejects.toThrow('the client has left')
    expect(await blobs()).toEqual([])
    const cut = store.write(writer => writer.writeValues(into, box([0], [FRAME + 1]), inPieces(given)))
    await expect(cut).rejects.toThrow()
    expect(await blobs()).toEqual([])
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
    await store.folds.foldResting(0, 0)
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
  it('happens when frames in blobs have the length of the chunk, and gives these up', async () => {
    for (let i = 0; i < 9; i++) await put(((i * 5) % 9) * FRAME, new Array(FRAME).fill(i + 1))
    const all = await read()
    expect((await patches())?.blobs?.versions.length).toBe(9)
    await put(9 * FRAME, new Array(LENGTH - 9 * FRAME).fill(10))
    await put(0, new Array(FRAME).fill(11))
    await store.folds.stop()
    const expected = Array.from({ length: LENGTH }, (_, i) => (i < FRAME ? 11 : i < 9 * FRAME ? all[i] : 10))
    expect(await read()).toEqual(expected)
    const { versions = [] } = (await patches())?.blobs ?? {}
    expect(versions.length).toBeLessThan(3)
    for (let i = 0; i < 3; i++) await store.sweeper.sweepGarbage()
    expect((await blobs()).length).toBe(1 + versions.length)
    expect(reports).toEqual([])
  })

  it('leaves blobs of patches that came meanwhile, and states from before keep theirs', async () => {
    const frame = (number: number) => put(number * FRAME, new Array(FRAME).fill(number + 1))
    for (let i = 0; i < 4; i++) await frame(i)
    const before = await read()
    await store.read(async reader => {
      await Promise.all([store.folds.foldResting(0, 0), frame(5), frame(6)])
      for (let i = 0; i < 3; i++) await store.sweeper.sweepGarbage()
      expect(await readNumbers(reader, into)).toEqual(before)
    })
    const after = await read()
    expect(after.slice(0, 5 * FRAME)).toEqual(before.slice(0, 5 * FRAME))
    expect(after[5 * FRAME]).toBe(6)
    expect(after[7 * FRAME - 1]).toBe(7)
  })

  it('of a frame whose blob is lost or cut is refused, and so are reads of it, but not of the others', async () => {
    await put(0, new Array(FRAME).fill(1))
    const [lost] = await blobs()
    await put(FRAME, new Array(FRAME).fill(2))
    await store.read(async () => {
      const bytes = new Uint8Array(4 * FRAME)
      await engine.blobs.read(lost, 0, bytes)
      await engine.blobs.delete(lost)
      await engine.blobs.put(lost, [bytes.subarray(0, 100)])
      expect(await read().catch((error: unknown) => error)).toMatchObject({ code: 'values-damaged' })
      expect(await store.read(reader => readNumbers(reader, into, box([FRAME], [2])))).toEqual([2, 2])
      await store.folds.foldResting(0, 0)
      expect(reports).toMatchObject([{ code: 'values-damaged' }])
      await engine.blobs.delete(lost)
      await engine.blobs.put(lost, [bytes])
    })
    expect((await read()).slice(FRAME - 1, FRAME + 1)).toEqual([1, 2])
  })

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
    await Promise.all([store.folds.foldResting(0, 0), other.folds.foldResting(0, 0)])
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
      if (into.space.class === 'H5S_SIMPLE' && into.space.dims[0] === LENGTH)
        await put(0, new Array(FRAME).fill(3))
      await Promise.all([store.folds.foldResting(0, 0), replace()])
      const object = await store.read(reader => reader.object(into.id))
      if (object?.kind === 'dataset') into = object
    }
    for (let i = 0; i < 3; i++) await store.sweeper.sweepGarbage()
    expect(await collect(engine.blobs.list(''))).toEqual([])
  })

  it('of a domain that was deleted and removed meanwhile leaves nothing', async () => {
    await put(1, [5])
    await put(0, new Array(FRAME).fill(3))
    onPut = async () => {
      onPut = async () => {}
      await store.write(writer => writer.deleteDomain(domain('/folds').path))
      while (await store.sweeper.removeRemains());
    }
    await store.folds.foldResting(0, 0)
    const left = await withSnapshot(engine.keyValue, async snapshot =>
      collect(snapshot.range(contentsRange(into.id))),
    )
    expect(left).toEqual([])
  })

  it('that fails loses nothing; then chunks are written whole, which says that the disk is full', async () => {
    await put(0, [1])
    isFull = true
    await store.folds.foldResting(0, 0)
    expect(reports).not.toEqual([])
    let refused: unknown
    let done = 0
    for (; refused === undefined && done < 3000; done++) {
      refused = await put(done * 20, LONG.slice(0, 519)).catch((error: unknown) => error)
    }
    expect(refused).toMatchObject({ code: 'storage-full' })
    const { from = 0, to = 0 } = (await patches()) ?? {}
    expect(to - from).toBeLessThanOrEqual(4 * 128)
    isFull = false
    const before = await read()
    await store.folds.foldResting(0, 0)
    await put(LENGTH - 1, [8])
    expect(await read()).toEqual(before.with(LENGTH - 1, 8))
  })

  it('a frame for which the disk is too full is refused, and changes nothing', async () => {
    await put(0, new Array(FRAME).fill(1))
    const before = [await read(), await patches(), await blobs()]
    isFull = true
    await expect(put(10, new Array(FRAME).fill(2))).rejects.toMatchObject({ code: 'storage-full' })
    expect([await read(), await patches(), await blobs()]).toEqual(before)
    // Chunks that are kept with the records are still folded.
    await put(FRAME, [7])
    expect((await read()).slice(FRAME - 1, FRAME + 1)).toEqual([1, 7])
  })

  it('happens after a read, to what an ended process has left', async () => {
    await put(0, new Array(FRAME).fill(3))
    await put(FRAME, LONG)
    const second = openStore(engine, {
      clock,
      random: seededRandom(2),
      sweeps: false,
      maxInlineBytes: MAX_INLINE_BYTES,
      report: (error: unknown) => reports.push(error),
    })
    const readBySecond = () => second.read(reader => readNumbers(reader, into))
    await second.folds.foldResting(0, 0)
    expect(await patches()).toMatchObject({ from: 0, to: 2 })
    const before = await readBySecond()
    clock.advance(59_000_000)
    await second.folds.foldResting(60_000, 0)
    expect(await patches()).toMatchObject({ from: 0, to: 2 })
    // The other process goes on: the chunk is not at rest, which a read finds out.
    await put(FRAME, LONG)
    expect(await readBySecond()).toEqual(before)
    clock.advance(2_000_000)
    await second.folds.foldResting(60_000, 0)
    expect(await patches()).toMatchObject({ from: 0, to: 3 })
    await readBySecond()
    clock.advance(61_000_000)
    await second.folds.foldResting(60_000, 0)
    expect(await patches()).toBeUndefined()
    // Nothing is left to be done by a process that has not seen it.
    await store.folds.foldResting(0, 0)
    expect([await readBySecond(), await read()]).toEqual([before, before])
    await second.folds.stop()
  })

  it('puts one blob for hundreds of appends, and none before they are answered', async () => {
    const chunkDims = [2 ** 18]
    const log = dataset(newId(into.id), { dims: [2 ** 18], chunkDims })
    await store.write(async writer => {
      await writer.createObject(log)
      await writer.writeValues(log, box([0], [2 ** 17]), inPieces(int32s(new Array(2 ** 17).fill(1))))
    })
    await store.folds.foldResting(0, 0)
    const rows = LONG.slice(0, 140)
    const costs = await engine.count(async () => {
      for (let i = 0; i < 400; i++) {
        const place = box([2 ** 17 + i * rows.length], [rows.length])
        await store.write(writer => writer.writeValues(log, place, inPieces(int32s(rows))))
      }
      await store.folds.stop()
    })
    expect(costs.blobPuts).toBeLessThanOrEqual(1)
  })

  it.each(['before', 'after'] as const)(
    'and frames, ended %s any put or commit is done, lose nothing that was acknowledged',
    async fault => {
      for (let position = 0, isOver = false; !isOver; position++) {
        let seen = 0
        const kept = openMemoryEngine()
        const failing = withFaults(kept, operation => {
          const isChange = operation === 'commit' || operation === 'put'
          return isChange && seen++ === position + 2 ? fault : undefined
        })
        const options = { clock, sweeps: false, maxInlineBytes: 100, report: () => undefined }
        const first = openStore(failing, { ...options, random: seededRandom(position) })
        const root = newRoot()
        const movie = dataset(newId(root), { dims: [1200], chunkDims: [1200] })
        await first.write(async writer => {
          await writer.putDomain(domain('/movie', root))
          await writer.createObject(group(root))
        })
        await first.write(writer => writer.createObject(movie))
        /** The values that each frame may hold. */
        const frames = Array.from({ length: 10 }, () => [0])
        for (let number = 1; number <= 14; number++) {
          const frame = (number * 3) % 10
          const values = inPieces(int32s(new Array(120).fill(number)))
          const isDone = await first
            .write(writer => writer.writeValues(movie, box([frame * 120], [120]), values))
            .then(
              () => true,
              () => false,
            )
          frames[frame] = isDone ? [number] : [...frames[frame], number]
          if (number % 6 === 0) await first.folds.foldResting(0, 0)
        }
        isOver = seen <= position + 2
        await first.folds.stop()
        const second = openStore(kept, { ...options, random: seededRandom(1000 + position) })
        const numbers = await second.read(reader => readNumbers(reader, movie))
        for (const [i, may] of frames.entries()) {
          const found = new Set(numbers.slice(i * 120, (i + 1) * 120))
          expect(found.size).toBe(1)
          expect(may).toContain([...found][0])
        }
        await second.sweeper.findOrphans()
        for (let i = 0; i < 4; i++) await second.sweeper.sweepGarbage()
        await expectSound(kept)
        await second.folds.stop()
        await second.close()
      }
    },
  )

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
    await store.folds.foldResting(0, 0)
    expect(reports).toMatchObject([{ code: 'values-damaged' }])
    const failure = await read().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(HyperslabError)
    expect(failure).toMatchObject({ code: 'values-damaged', message: expect.stringContaining(into.id) })
    await set(patch)
    expect((await read()).slice(0, 2)).toEqual([1, 0])
  })
})
