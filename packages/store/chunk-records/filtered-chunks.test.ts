// The stored form of chunks of datasets with filters, read from the engine.

import { decodeChunk, type Pipeline } from '@hyperslab/h5/filters'
import { type Elements, EMPTY_HEAP } from '@hyperslab/model/values'
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
  readTexts,
  SHUFFLE_DEFLATE,
  TEXT,
  texts,
} from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { type FilterRunner, IN_THIS_THREAD } from '../chunks/filter-runner.ts'
import type { Dataset } from '../interfaces/store.ts'
import { openStore } from '../open-store.ts'
import { encodeCoordinates } from './chunk-key.ts'
import { type ChunkRecord, chunkKey, decodeChunkRecord, valuesKey } from './chunk-record.ts'

const UNKNOWN = { id: 65_000, json: new Map() }

function setUp(filterRunner: FilterRunner = IN_THIS_THREAD) {
  const engine = openMemoryEngine()
  const store = openStore(engine, {
    clock: testClock(),
    random: seededRandom(1),
    sweeps: false,
    filterRunner,
  })
  const get = async (key: Uint8Array): Promise<Uint8Array> => {
    const snapshot = engine.keyValue.snapshot()
    const value = await snapshot.get(key)
    snapshot.close()
    if (!value) throw new Error('nothing is stored')
    return value
  }
  const addressOf = ({ id }: Dataset, chunk: readonly number[]) => ({
    dataset: id,
    coordinates: encodeCoordinates(chunk),
  })
  return {
    store,
    async written(shape: DatasetShape, elements: Elements): Promise<Dataset> {
      const into = dataset(newId(newRoot()), shape)
      await store.write(async writer => {
        await writer.createObject(into)
        await writer.writeValues(into, all(into), inPieces(elements))
      })
      return into
    },
    async stored(of: Dataset, chunk: readonly number[]): Promise<{ record: ChunkRecord; bytes: Uint8Array }> {
      const address = addressOf(of, chunk)
      return { record: decodeChunkRecord(await get(chunkKey(address))), bytes: await get(valuesKey(address)) }
    },
    async damage(of: Dataset, chunk: readonly number[], bytes: Uint8Array): Promise<void> {
      const key = valuesKey(addressOf(of, chunk))
      await engine.keyValue.commit({ expect: [], changes: [{ op: 'set', key, value: bytes }] })
    },
  }
}

const pipelineOf = (...steps: Pipeline) => steps
const DEFLATE = { id: 1, clientData: [5] }

describe('a filtered chunk', () => {
  it('is stored in full, with the fill value outside the extents', async () => {
    const { written, stored } = setUp()
    const shape = { dims: [3, 3], chunkDims: [2, 100], fillValue: int32s([-1]), filters: SHUFFLE_DEFLATE }
    const into = await written(shape, int32s([1, 2, 3, 4, 5, 6, 7, 8, 9]))
    const { record, bytes } = await stored(into, [1, 0])
    expect(record).toMatchObject({
      dataLength: 800,
      heapLength: 0,
      filtered: { length: bytes.length, mask: 0 },
    })
    const shuffle = { id: 2, clientData: [4] }
    const decoded = await decodeChunk(pipelineOf(shuffle, DEFLATE), { bytes, mask: 0 }, 800)
    expect([...new Int32Array(decoded.buffer, decoded.byteOffset, 200)]).toEqual([
      7,
      8,
      9,
      ...new Array(197).fill(-1),
    ])
  })

  it('is stored as it is, and cut, when no filter gains anything', async () => {
    const { written, stored } = setUp()
    const filters = [UNKNOWN, { id: 1, json: new Map() }]
    const into = await written({ dims: [3], chunkDims: [4], filters }, int32s([1, 2, 3]))
    const { record, bytes } = await stored(into, [0])
    expect(record.filtered).toBeUndefined()
    expect([...bytes]).toEqual([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0])
  })

  it('of strings is compressed and not shuffled', async () => {
    const { store, written, stored } = setUp()
    const strings = ['x'.repeat(5000), '', 'y'.repeat(5000)]
    const into = await written(
      { type: TEXT, dims: [3], chunkDims: [4], filters: SHUFFLE_DEFLATE },
      texts(strings),
    )
    const { record, bytes } = await stored(into, [0])
    expect(record).toMatchObject({ dataLength: 32, heapLength: 10_000, filtered: { mask: 0b01 } })
    expect(bytes.length).toBeLessThan(200)
    expect(await store.read(reader => readTexts(reader, into))).toEqual(strings)
  })

  it('of a row that takes more memory than is kept is decoded a few times, not once for each piece', async () => {
    let decoded = 0
    const { store, written } = setUp({
      ...IN_THIS_THREAD,
      decode: (...args) => {
        decoded++
        return IN_THIS_THREAD.decode(...args)
      },
    })
    const [planes, rows, columns] = [8, 500, 3000]
    const shape = { dims: [planes, rows, columns], chunkDims: [planes, rows, 10], filters: SHUFFLE_DEFLATE }
    const numbers = Int32Array.from({ length: planes * rows * columns }, (_, i) => i >> 12)
    const elements = { count: numbers.length, data: new Uint8Array(numbers.buffer), heap: EMPTY_HEAP }
    const into = await written(shape, elements)
    decoded = 0
    let at = 0
    await store.read(async reader => {
      for await (const { count, data } of reader.readValues(into, all(into))) {
        expect(Buffer.compare(data, elements.data.subarray(at * 4, (at + count) * 4))).toBe(0)
        at += count
      }
    })
    expect(at).toBe(numbers.length)
    expect(decoded).toBeLessThanOrEqual(4 * (columns / 10))
  })

  it('that is damaged fails the reads of it, and only those', async () => {
    const { store, written, stored, damage } = setUp()
    const into = await written(
      { dims: [200], chunkDims: [100], filters: SHUFFLE_DEFLATE },
      int32s(new Array(200).fill(5)),
    )
    const { record } = await stored(into, [0])
    await damage(into, [0], new Uint8Array(record.filtered?.length ?? 0).fill(7))
    const read = (start: number) => store.read(reader => readNumbers(reader, into, box([start], [100])))
    for (let times = 0; times < 2; times++) {
      await expect(read(0)).rejects.toThrow(
        new RegExp(`the chunk \\[0\\] of the dataset ${into.id} is damaged: filter 1 cannot decode it`),
      )
    }
    expect(await read(100)).toEqual(new Array(100).fill(5))
    await store.write(writer =>
      writer.writeValues(into, box([0], [100]), inPieces(int32s(new Array(100).fill(6)))),
    )
    expect(await read(0)).toEqual(new Array(100).fill(6))
  })

  it.each([
    ['filtered', SHUFFLE_DEFLATE],
    ['not filtered', []],
  ])('that has fewer bytes than its record says fails the reads of it: %s', async (_title, filters) => {
    const { store, written, stored, damage } = setUp()
    const into = await written({ dims: [100], chunkDims: [100], filters }, int32s(new Array(100).fill(5)))
    const { bytes } = await stored(into, [0])
    await damage(into, [0], bytes.subarray(0, bytes.length - 4))
    await expect(store.read(reader => readNumbers(reader, into))).rejects.toThrow(
      `has ${bytes.length - 4} bytes instead of ${bytes.length}`,
    )
  })

  it('in part written twice at once has what both have written', async () => {
    const { store, written } = setUp()
    const into = await written(
      { dims: [100], chunkDims: [100], filters: SHUFFLE_DEFLATE },
      int32s(new Array(100).fill(0)),
    )
    const parts = Array.from({ length: 10 }, (_, i) => i)
    await Promise.all(
      parts.map(i =>
        store.write(
          writer => writer.writeValues(into, box([i * 10], [10]), inPieces(int32s(new Array(10).fill(i)))),
          {
            once: true,
          },
        ),
      ),
    )
    expect(await store.read(reader => readNumbers(reader, into))).toEqual(
      Array.from({ length: 100 }, (_, i) => Math.floor(i / 10)),
    )
  })
})
