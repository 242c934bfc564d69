// The most that one write may store; and a write ends when no caller waits for it any more.

import type { Selection } from '@hyperslab/model/selection'
import { describe, expect, it } from 'vitest'
import {
  all,
  box,
  collect,
  type DatasetShape,
  dataset,
  inPieces,
  int32s,
  newId,
  newRoot,
  oneFor,
  points,
  readNumbers,
  SHUFFLE_DEFLATE,
  TEXT,
  texts,
} from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { withCounters } from '../../../test/engines/with-counters.ts'
import type { Dataset, Writer } from '../interfaces/store.ts'
import { openStore } from '../open-store.ts'
import { OpenChunkCount, WriteLimit } from './write-limit.ts'

/** A chunk counts as this at least. */
const CHUNK_COST = 2 ** 17

async function setUp(shape: DatasetShape, maxWriteBytes = 8 * CHUNK_COST) {
  const engine = withCounters(openMemoryEngine())
  const parts = { clock: testClock(), random: seededRandom(1), sweeps: false }
  const store = openStore(engine, { ...parts, maxWriteBytes, maxInlineBytes: 10 })
  const into = dataset(newId(newRoot()), shape)
  await store.write(writer => writer.createObject(into))
  return { engine, store, into }
}

/** Everything becomes one number, given once or as often as it is needed. */
const once = (into: Dataset, count: number) => (writer: Writer) =>
  writer.writeValues(into, all(into), oneFor(count, int32s([7])))
const each = (into: Dataset, count: number) => (writer: Writer) =>
  writer.writeValues(into, all(into), inPieces(int32s(new Array(count).fill(7)), 1000))

const TOO_LARGE = { code: 'write-too-large', message: expect.stringContaining('max_write_bytes') }

describe('a write that would store too much is refused before anything is stored', () => {
  it.each<[string, DatasetShape, typeof once, number, boolean]>([
    ['small chunks', { dims: [32], chunkDims: [4] }, each, 32, true],
    ['too many of them', { dims: [33], chunkDims: [4] }, each, 33, false],
    ['one element for each of them', { dims: [32], chunkDims: [4] }, once, 32, true],
    ['for too many', { dims: [33], chunkDims: [4] }, once, 33, false],
    ['a large chunk', { dims: [262_144], chunkDims: [262_144] }, each, 262_144, true],
    ['too large', { dims: [262_145], chunkDims: [262_145] }, each, 262_145, false],
    ['large, but of one element', { dims: [2 ** 40], chunkDims: [2 ** 40] }, once, 2 ** 40, true],
    [
      'too large before filters',
      { dims: [262_145], chunkDims: [262_145], filters: SHUFFLE_DEFLATE },
      each,
      262_145,
      false,
    ],
    ['one element for very many', { dims: [2 ** 40], chunkDims: [4] }, once, 2 ** 40, true],
  ])('%s', async (_name, shape, write, count, isStored) => {
    const { engine, store, into } = await setUp(shape)
    const { blobPuts } = engine.counters
    const writing = store.write(write(into, count))
    if (isStored) {
      await writing
      const first = await store.read(async reader => {
        const there = await reader.object(into.id)
        return there?.kind === 'dataset' ? readNumbers(reader, there, box([0], [3])) : []
      })
      expect(first).toEqual([7, 7, 7])
    } else {
      await expect(writing).rejects.toMatchObject(TOO_LARGE)
      expect(engine.counters.blobPuts).toBe(blobPuts)
      expect(await store.read(reader => reader.allocation(into.id))).toEqual({ chunks: 0, bytes: 0 })
    }
  })

  it('a part of each chunk counts as the whole chunk, which is written', async () => {
    const { engine, store, into } = await setUp({ dims: [20, 10_000], chunkDims: [1, 10_000] })
    const column: Selection = box([0, 5], [20, 1])
    await expect(
      store.write(writer => writer.writeValues(into, column, oneFor(20, int32s([7])))),
    ).rejects.toMatchObject(TOO_LARGE)
    const list = points(...Array.from({ length: 9 }, (_, i) => [i, i]))
    await expect(
      store.write(writer => writer.writeValues(into, list, inPieces(int32s(new Array(9).fill(7))))),
    ).rejects.toMatchObject(TOO_LARGE)
    expect(engine.counters.blobPuts).toBe(0)
    await store.write(writer => writer.writeValues(into, box([0, 5], [8, 1]), oneFor(8, int32s([7]))))
  })

  it('all writes of one request count together', async () => {
    const { store, into } = await setUp({ dims: [32], chunkDims: [1] })
    const put = (writer: Writer, at: number) =>
      writer.writeValues(into, box([at], [4]), inPieces(int32s([1, 2, 3, 4])))
    await expect(
      store.write(async writer => {
        for (const at of [0, 4, 8]) await put(writer, at)
      }),
    ).rejects.toMatchObject(TOO_LARGE)
    for (const at of [0, 4, 8]) await store.write(writer => put(writer, at))
    expect((await store.read(reader => readNumbers(reader, into))).slice(0, 12)).toEqual([
      1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4,
    ])
  })
})

it('what is of variable size is an error when it is reached, and nothing is kept', async () => {
  const { engine, store, into } = await setUp({ type: TEXT, dims: [20], chunkDims: [4] })
  const long = texts(Array.from({ length: 20 }, (_, i) => String(i % 10).repeat(100_000)))
  await expect(
    store.write(writer => writer.writeValues(into, all(into), inPieces(long, 1))),
  ).rejects.toMatchObject(TOO_LARGE)
  expect(engine.counters.blobPuts).toBeGreaterThan(0)
  expect(await collect(engine.blobs.list(''))).toEqual([])
})

describe('chunks that are changed by all writes at once', () => {
  const MAX = 2 ** 18
  const change = (limit: WriteLimit, chunks: number) => {
    for (let i = 0; i < chunks; i++) limit.addChanged()
  }

  it('are bounded: of two writes one is rejected as busy', () => {
    const open = new OpenChunkCount()
    const [first, second] = [new WriteLimit(Infinity, open), new WriteLimit(Infinity, open)]
    change(first, MAX - 10)
    change(second, 10)
    expect(() => change(second, 1)).toThrow(expect.objectContaining({ code: 'too-busy' }))
    second.end()
    first.end()
    change(new WriteLimit(Infinity, open), MAX)
  })

  it('are bounded for each: the error says so', () => {
    const limit = new WriteLimit(Infinity, new OpenChunkCount())
    change(limit, MAX)
    expect(() => change(limit, 1)).toThrow(expect.objectContaining({ code: 'write-too-large' }))
  })
})

describe('a write ends when its client has left', () => {
  const left = new Error('the client left')
  /** Aborted when it has been looked at so often. */
  const leavingAfter = (looks: number) => {
    const signal = {
      looks: 0,
      throwIfAborted() {
        if (++signal.looks > looks) throw left
      },
    }
    return signal
  }

  it.each<[string, DatasetShape, (into: Dataset) => AsyncIterable<ReturnType<typeof int32s>>]>([
    [
      'elements without end',
      { dims: [10 ** 9], chunkDims: [1000] },
      async function* () {
        for (;;) yield int32s(new Array(1000).fill(7))
      },
    ],
  ])('%s', async (_name, shape, source) => {
    const { engine, store, into } = await setUp(shape, Infinity)
    const signal = leavingAfter(5)
    await expect(
      store.write(writer => writer.writeValues(into, all(into), source(into), { signal })),
    ).rejects.toBe(left)
    expect(engine.counters.blobPuts).toBeLessThanOrEqual(5)
    expect(await collect(engine.blobs.list(''))).toEqual([])
    expect(store.figures.open).toBe(0)
  })

  it('one element for parts of many chunks', async () => {
    const { engine, store, into } = await setUp({ dims: [10 ** 6, 1000], chunkDims: [1, 1000] }, Infinity)
    const signal = leavingAfter(20)
    const column = box([0, 0], [10 ** 6, 1])
    await expect(
      store.write(writer => writer.writeValues(into, column, oneFor(10 ** 6, int32s([7])), { signal })),
    ).rejects.toBe(left)
    expect(engine.counters.blobPuts).toBeLessThanOrEqual(20)
    expect(await collect(engine.blobs.list(''))).toEqual([])
  })

  it('one element for many chunks: nothing of it is known afterwards', async () => {
    const { store, into } = await setUp({ dims: [10 ** 6], chunkDims: [1] }, Infinity)
    const signal = leavingAfter(20)
    await expect(
      store.write(async writer => {
        const some = box([0], [10 ** 6 - 1])
        const writing = writer.writeValues(into, some, oneFor(10 ** 6 - 1, int32s([7])), { signal })
        await expect(writing).rejects.toBe(left)
        expect(await readNumbers(writer, into, box([0], [3]))).toEqual([0, 0, 0])
        throw left
      }),
    ).rejects.toBe(left)
  })

  it('very many chunks that are to be counted', async () => {
    const { store, into } = await setUp({ dims: [10 ** 12], chunkDims: [1] }, 2 ** 50)
    const signal = leavingAfter(0)
    const most = box([0], [10 ** 12 - 1])
    await expect(
      store.write(writer => writer.writeValues(into, most, oneFor(10 ** 12 - 1, int32s([7])), { signal })),
    ).rejects.toBe(left)
  })

  it('a change of the extents', async () => {
    const shape = { dims: [5000], chunkDims: [1], maxdims: ['H5S_UNLIMITED' as const] }
    const { store, into } = await setUp(shape, Infinity)
    await store.write(writer => writer.writeValues(into, box([0], [4000]), oneFor(4000, int32s([7]))))
    await expect(store.write(writer => writer.setExtents(into, [1], leavingAfter(0)))).rejects.toBe(left)
    expect(await store.read(reader => reader.allocation(into.id))).toMatchObject({ chunks: 4000 })
  })
})
