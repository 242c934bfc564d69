// Reads and writes never contain bytes that buffers of the pool held before.

import { describe, expect, it } from 'vitest'
import {
  all,
  box,
  type DatasetShape,
  dataset,
  inPieces,
  int32s,
  newId,
  newRoot,
  readNumbers,
  SHUFFLE_DEFLATE,
} from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { POISON, poisonPools } from '../../../test/fixtures/poisoned-pools.ts'
import { openStore } from '../open-store.ts'
import { BufferPool } from './buffer-pool.ts'

const LENGTH = 100_000

describe('a pool', () => {
  it('hands out what it was given as it is', () => {
    const pool = new BufferPool(2 ** 30)
    pool.give(pool.take(LENGTH).fill(POISON))
    const again = pool.take(LENGTH - 1000)
    expect(again.every(byte => byte === POISON)).toBe(true)
    expect(again).toHaveLength(LENGTH - 1000)
  })
})

/** Two and a half chunks, each larger than the smallest buffer that a pool keeps. */
const SHAPE: DatasetShape = { dims: [50_000], maxdims: [100_000], chunkDims: [20_000] }
const NUMBERS = Array.from({ length: 50_000 }, (_, i) => i)

describe.each([
  ['inline', 2 ** 30, []],
  ['in blobs', 0, []],
  ['filtered, inline', 2 ** 30, SHUFFLE_DEFLATE],
  ['filtered, in blobs', 0, SHUFFLE_DEFLATE],
])('chunks %s', (_title, maxInlineBytes, filters) => {
  poisonPools()

  function setUp(shape: DatasetShape = SHAPE) {
    const options = { clock: testClock(), random: seededRandom(1), sweeps: false, maxInlineBytes }
    const store = openStore(openMemoryEngine(), options)
    const into = dataset(newId(newRoot()), { ...shape, filters })
    return {
      into,
      async write(selection = all(into), numbers: readonly number[] = NUMBERS) {
        await store.write(writer => writer.writeValues(into, selection, inPieces(int32s(numbers), 777)))
      },
      read: (selection = all(into), of = into) => store.read(reader => readNumbers(reader, of, selection)),
      create: () => store.write(writer => writer.createObject(into)),
      resize: (dims: readonly number[]) =>
        store.write(async writer => {
          await writer.setExtents(into, dims)
        }),
    }
  }

  it('that are missing are zero where there is no fill value', async () => {
    const { create, read } = setUp()
    await create()
    expect(await read()).toEqual(NUMBERS.map(() => 0))
  })

  it('that are written in part are zero elsewhere', async () => {
    const { create, write, read } = setUp()
    await create()
    const part = box([15_000], [10_000])
    await write(part, NUMBERS.slice(15_000, 25_000))
    expect(await read()).toEqual(NUMBERS.map(i => (i >= 15_000 && i < 25_000 ? i : 0)))
    await write(
      { kind: 'hyperslab', start: [1], stride: [3], count: [16_000], block: [1] },
      NUMBERS.slice(0, 16_000),
    )
    const expected = NUMBERS.map(i => (i >= 15_000 && i < 25_000 ? i : 0))
    for (let i = 0; i < 16_000; i++) expected[1 + 3 * i] = i
    expect(await read()).toEqual(expected)
    expect(await read(box([19_990], [20]))).toEqual(expected.slice(19_990, 20_010))
  })

  it('on the border are zero outside of what was written', async () => {
    const { create, write, read, into, resize } = setUp()
    await create()
    await write()
    await resize([90_000])
    const grown = { ...into, space: { class: 'H5S_SIMPLE', dims: [90_000], maxdims: [100_000] } } as const
    expect(await read(all(grown), grown)).toEqual([...NUMBERS, ...new Array<number>(40_000).fill(0)])
  })
})
