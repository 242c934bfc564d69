// Files of bytes in memory whose chunks the store takes over as they are.

import { deflateSync } from 'node:zlib'
import type {
  ChunkedBytes,
  ContiguousBytes,
  FileDataset,
  H5FileReader,
  StoredBytes,
  StoredRange,
} from '@hyperslab/h5/reader'
import { type MaximumExtent, parseCreationProperties, product } from '@hyperslab/model/dataset'
import { type JsonValue, parseJson } from '@hyperslab/model/json'
import { parseDomainPath } from '@hyperslab/model/names'
import { EMPTY_HEAP } from '@hyperslab/model/values'
import { type Engine, type OpenStore, openStore } from '@hyperslab/store/engines'
import type { Dataset, Reader } from '@hyperslab/store/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collect } from '../../../test/conformance/sample-objects.ts'
import { expectSound, findingsIn } from '../../../test/conformance/sound.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { ALL_PERMISSIONS } from '../../server/service/access/access.ts'
import { accessWithin } from '../../server/service/access/folder-access.ts'
import { adoptionOf } from './adoption.ts'
import { importFile } from './import-file.ts'
import { openStoreTarget } from './store-target.ts'

const PATH = parseDomainPath('/adopted')
const TYPE = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' } as const
const MIB = 2 ** 20

interface Values {
  readonly dims: readonly number[]
  readonly maxdims?: readonly MaximumExtent[]
  readonly chunkDims?: readonly number[]
  readonly isDeflated?: boolean
}

/** A file of one dataset `x`; each chunk holds bytes that its coordinates and their offsets in it tell. */
function fileOf(
  { dims, maxdims, chunkDims, isDeflated = false }: Values,
  change = (encoded: Uint8Array) => encoded,
) {
  const space = { class: 'H5S_SIMPLE', dims, ...(maxdims && { maxdims }) } as const
  const json = new Map<string, JsonValue>()
  if (chunkDims) {
    json.set(
      'layout',
      new Map<string, JsonValue>([
        ['class', 'H5D_CHUNKED'],
        ['dims', chunkDims],
      ]),
    )
  }
  if (isDeflated) json.set('filters', [new Map<string, JsonValue>([['id', 1]])])
  const dataset: FileDataset = {
    type: TYPE,
    space,
    creationProperties: parseCreationProperties(json, TYPE, space),
  }
  const shape = chunkDims ?? dims
  const grid = dims.map((extent, d) => Math.ceil(extent / shape[d]))
  const pieces: Uint8Array[] = [new Uint8Array(100)]
  const ranges: StoredRange[] = []
  let position = 100
  for (let number = 0; number < product(grid); number++) {
    const coordinates = grid.map((_, d) => Math.floor(number / product(grid.slice(d + 1))) % grid[d])
    // A loop: `Uint8Array.from` with a function takes ten times as long.
    const chunk = new Uint8Array(product(shape))
    for (let i = 0; i < chunk.length; i++) chunk[i] = (i * 7 + (i >> 8) + number * 13) % 251
    const bytes = isDeflated ? deflateSync(chunk, { level: 0 }) : chunk
    ranges.push({ coordinates, position, length: bytes.length, mask: 0 })
    pieces.push(bytes)
    position += bytes.length
  }
  const chunked: ChunkedBytes = {
    layout: 'chunked',
    chunkDims: shape,
    filters: isDeflated ? [{ id: 1, clientData: [5] }] : [],
    async *batches() {
      yield ranges
    },
    find: async () => [],
    async read(wanted) {
      const bytes = Buffer.concat(pieces)
      return wanted.map(({ position, length }) => change(bytes.subarray(position, position + length)))
    },
  }
  const contiguous: ContiguousBytes = { layout: 'contiguous', position: 100, length: product(dims) }
  /** The values of one chunk, cut off at the extents. */
  function elementAt(indexes: readonly number[]): number {
    const number = indexes.reduce((all, index, d) => all * grid[d] + Math.floor(index / shape[d]), 0)
    const i = indexes.reduce((all, index, d) => all * shape[d] + (index % shape[d]), 0)
    return (i * 7 + (i >> 8) + number * 13) % 251
  }
  let reads = 0
  const reader: H5FileReader = {
    root: 'root',
    warnings: [],
    pathOf: address => (address === 'root' ? '/' : `/${address}`),
    object: async address => ({ address, kind: address === 'root' ? 'group' : 'dataset' }),
    async *links() {
      yield [{ title: 'x', class: 'H5L_TYPE_HARD', address: 'x' }]
    },
    async *attributes() {},
    dataset: async () => dataset,
    datatype: async () => TYPE,
    storedChunks: async () => ({
      chunkDims: shape,
      async *batches() {
        yield ranges.map(({ coordinates }) => coordinates)
      },
    }),
    storedBytes: async () => (chunkDims ? chunked : contiguous),
    async readValues(_, start, count) {
      reads++
      const data = new Uint8Array(product(count))
      const indexes = [...start]
      for (let i = 0; i < data.length; i++) {
        data[i] = elementAt(indexes)
        // The next element: the last index counts, and one that has come to its end begins again.
        for (let d = indexes.length - 1; d >= 0 && ++indexes[d] === start[d] + count[d]; d--)
          indexes[d] = start[d]
      }
      return { count: data.length, data, heap: EMPTY_HEAP }
    },
    async close() {},
  }
  return { reader, bytes: Buffer.concat(pieces), elementAt, reads: () => reads }
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += 2 ** 19) yield bytes.subarray(from, from + 2 ** 19)
}

let engine: Engine
let clock: ReturnType<typeof testClock>
let store: OpenStore

beforeEach(() => {
  engine = openMemoryEngine()
  clock = testClock()
  store = openStore(engine, { clock, random: seededRandom(3), sweeps: false })
})

afterEach(async () => {
  await expectSound(engine)
  await store.close()
})

async function imported(
  { reader, bytes }: ReturnType<typeof fileOf>,
  replace = false,
  strict = false,
): Promise<Dataset> {
  const target = await openStoreTarget(store, {
    path: PATH,
    file: { size: bytes.length, lastModified: 1 },
    readOnly: false,
    replace,
    accessWithin: (reader, folder) => accessWithin(reader, folder, { defaultAcl: ALL_PERMISSIONS }),
  })
  const signal = new AbortController().signal
  const options = {
    signal,
    progress: () => {},
    requireUnchanged: () => {},
    file: { size: bytes.length, pieces: () => inPieces(bytes) },
    strict,
  }
  await importFile(reader, target, options)
  return store.read(findDataset)
}

async function findDataset(reader: Reader): Promise<Dataset> {
  const root = (await reader.domain(PATH))?.root
  const link = root && (await reader.link(root, 'x'))
  const found = link?.target.class === 'H5L_TYPE_HARD' ? await reader.object(link.target.id) : undefined
  if (found?.kind !== 'dataset') throw new Error('there is no dataset')
  return found
}

function boxOf(start: readonly number[], count: readonly number[]) {
  const ones = count.map(() => 1)
  return { kind: 'hyperslab', start, stride: ones, count, block: ones } as const
}

async function valuesOf(
  dataset: Dataset,
  start: readonly number[],
  count: readonly number[],
): Promise<number[]> {
  const values: number[] = []
  await store.read(async reader => {
    for await (const { data } of reader.readValues(dataset, boxOf(start, count))) values.push(...data)
  })
  return values
}

const blobs = () => collect(engine.blobs.list(''))

async function sweep(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    while (await store.sweeper.removeRemains());
    await store.sweeper.sweepGarbage()
  }
}

describe('adoption of stored chunks', () => {
  it.each<[string, Values]>([
    ['contiguous values', { dims: [300, 7000] }],
    ['contiguous values of few long rows', { dims: [2, 3_000_000] }],
    ['chunks', { dims: [2048, 1024], chunkDims: [512, 512] }],
    ['chunks that cross the extents', { dims: [2000, 1000], chunkDims: [512, 512] }],
    [
      'filtered chunks that cross the extents',
      { dims: [2000, 7000], chunkDims: [512, 1024], isDeflated: true },
    ],
  ])('reads %s from one blob, the file, and decodes nothing for it', async (_, values) => {
    const file = fileOf({ ...values })
    if (file.bytes.length < MIB) throw new Error('too small to be adopted')
    const dataset = await imported(file)
    expect(await blobs()).toHaveLength(1)
    expect(file.reads()).toBe(0)
    const [rows, columns] = values.dims
    for (const [row, column] of [
      [0, 0],
      [rows - 2, columns - 40],
      [rows >> 1, columns >> 1],
    ]) {
      const height = Math.min(40, rows - row)
      const expected = Array.from({ length: height * 40 }, (_, i) =>
        file.elementAt([row + Math.floor(i / 40), column + (i % 40)]),
      )
      expect(await valuesOf(dataset, [row, column], [height, 40])).toEqual(expected)
    }
  })

  it('gives a chunk that is written a record of its own, and keeps the others', async () => {
    const file = fileOf({ dims: [2048, 1024], chunkDims: [512, 512] })
    const dataset = await imported(file)
    const data = Uint8Array.of(1, 2, 3, 4)
    await store.write(writer =>
      writer.writeValues(
        dataset,
        boxOf([511, 511], [2, 2]),
        (async function* () {
          yield { count: 4, data, heap: EMPTY_HEAP }
        })(),
      ),
    )
    expect(await valuesOf(dataset, [511, 510], [1, 4])).toEqual([
      file.elementAt([511, 510]),
      1,
      2,
      file.elementAt([511, 513]),
    ])
    expect(await valuesOf(dataset, [1000, 1000], [1, 2])).toEqual([
      file.elementAt([1000, 1000]),
      file.elementAt([1000, 1001]),
    ])
    await store.folds.foldResting(0, 0)
    expect(await valuesOf(dataset, [512, 510], [1, 4])).toEqual([
      file.elementAt([512, 510]),
      3,
      4,
      file.elementAt([512, 513]),
    ])
    const allocation = await store.read(reader => reader.allocation(dataset.id))
    expect(allocation).toEqual({ chunks: 8, bytes: 2048 * 1024 })
  })

  it('does not show what a chunk holds outside the extents when the dataset grows', async () => {
    const file = fileOf({
      dims: [3, 1_500_000],
      maxdims: ['H5S_UNLIMITED', 1_500_000],
      chunkDims: [2, 500_000],
    })
    const dataset = await imported(file)
    expect(file.reads()).toBeGreaterThan(0)
    await store.write(writer => writer.setExtents(dataset, [4, 1_500_000]))
    const grown = await store.read(findDataset)
    expect(await valuesOf(grown, [2, 100], [2, 3])).toEqual([
      ...[100, 101, 102].map(column => file.elementAt([2, column])),
      ...[0, 0, 0],
    ])
  })

  it('removes the file with its domain', async () => {
    const dataset = await imported(fileOf({ dims: [300, 7000] }))
    await store.write(writer => writer.deleteObject(dataset.id, { links: true }))
    await sweep()
    expect(await blobs()).toHaveLength(1)
    await store.write(writer => writer.deleteDomain(PATH))
    await sweep()
    expect(await blobs()).toEqual([])
  })

  it('replaces a file with its domain, and keeps the new one', async () => {
    await imported(fileOf({ dims: [300, 7000] }))
    const [before] = await blobs()
    const file = fileOf({ dims: [400, 7000] })
    const dataset = await imported(file, true)
    await sweep()
    await store.sweeper.findOrphans()
    await sweep()
    expect(await blobs()).toEqual([expect.not.stringContaining(before)])
    expect(await valuesOf(dataset, [399, 6999], [1, 1])).toEqual([file.elementAt([399, 6999])])
  })

  it('converts a file of which less than half would be adopted', async () => {
    const { reader, bytes, ...file } = fileOf({ dims: [300, 7000] })
    const larger = Buffer.concat([bytes, Buffer.alloc(2 * bytes.length)])
    await imported({ reader, bytes: larger, ...file })
    expect(file.reads()).toBeGreaterThan(0)
  })

  it.each([
    ['end behind the file', (range: StoredRange) => ({ ...range, position: 10 * MIB })],
    ['are too few', (range: StoredRange) => ({ ...range, length: 5 })],
  ])('reads values whose bytes %s, so that what is wrong is found', async (_, change) => {
    const { reader, ...file } = fileOf({ dims: [2048, 1024], chunkDims: [512, 512] })
    const stored = await reader.storedBytes?.('x')
    if (stored?.layout !== 'chunked') throw new Error('no chunk is stored')
    const damaged: StoredBytes = {
      ...stored,
      async *batches() {
        for await (const [first, ...others] of stored.batches()) yield [change(first), ...others]
      },
    }
    const dataset = await imported({ ...file, reader: { ...reader, storedBytes: async () => damaged } })
    expect(file.reads()).toBe(1)
    expect(await valuesOf(dataset, [7, 7], [1, 1])).toEqual([file.elementAt([7, 7])])
  })

  it('reports a chunk of the file that cannot be decoded, when it is read and when it is checked', async () => {
    const file = fileOf({ dims: [2000, 7000], chunkDims: [512, 1024], isDeflated: true })
    file.bytes.fill(0xff, 100, 400)
    const dataset = await imported(file)
    await expect(valuesOf(dataset, [0, 0], [1, 1])).rejects.toMatchObject({ code: 'values-unreadable' })
    expect(await valuesOf(dataset, [600, 0], [1, 1])).toEqual([file.elementAt([600, 0])])
    expect(await findingsIn(engine)).toMatchObject([{ kind: 'unreadable-values', name: 'chunk [0,0]' }])
    await store.write(writer => writer.deleteDomain(PATH))
  })

  it('decodes all chunks when the import is strict, so that what is wrong is found', async () => {
    let damaged = 0
    const file = fileOf({ dims: [2000, 7000], chunkDims: [512, 1024], isDeflated: true }, bytes =>
      damaged++ === 5 ? Uint8Array.from(bytes).fill(255, 10, 20) : bytes,
    )
    await imported(file, false, true)
    expect(damaged).toBe(28)
    expect(file.reads()).toBe(1)
  })

  it('is checked: the file must be there, and as long as its record says', async () => {
    await imported(fileOf({ dims: [300, 7000] }))
    const [blob] = await blobs()
    await engine.blobs.delete(blob)
    expect(new Set((await findingsIn(engine)).map(({ kind }) => kind))).toEqual(new Set(['missing-values']))
    await engine.blobs.put(blob, [new Uint8Array(100)])
    expect(new Set((await findingsIn(engine)).map(({ kind }) => kind))).toEqual(new Set(['wrong-length']))
    await store.write(writer => writer.deleteDomain(PATH))
  })

  it('leaves to the sweeper what was stored when the process is killed', async () => {
    const file = fileOf({ dims: [300, 7000] })
    const options = { path: PATH, file: { size: 1, lastModified: 1 }, readOnly: false, replace: false }
    const target = await openStoreTarget(store, {
      ...options,
      accessWithin: (reader, folder) => accessWithin(reader, folder, { defaultAcl: ALL_PERMISSIONS }),
    })
    await target.putFile(inPieces(file.bytes))
    await store.sweeper.findOrphans()
    await sweep()
    expect(await blobs()).toHaveLength(1)
    await store.sweeper.dropUnfinished()
    clock.advance(61 * 60 * 1e6)
    await store.sweeper.dropUnfinished()
    await sweep()
    expect(await blobs()).toEqual([])
  })

  it('renews the mark of the import while a file is copied for long', async () => {
    const file = fileOf({ dims: [300, 7000] })
    const options = { path: PATH, file: { size: 1, lastModified: 1 }, readOnly: false, replace: false }
    const target = await openStoreTarget(store, {
      ...options,
      accessWithin: (reader, folder) => accessWithin(reader, folder, { defaultAcl: ALL_PERMISSIONS }),
    })
    async function* slowly() {
      for await (const piece of inPieces(file.bytes)) {
        await store.sweeper.dropUnfinished()
        clock.advance(40 * 60 * 1e6)
        yield piece
      }
    }
    await target.putFile(slowly())
    await target.publish(false)
    expect(await blobs()).toHaveLength(1)
  })

  it('leaves nothing when the copy of the file fails', async () => {
    const file = fileOf({ dims: [300, 7000] })
    const cut = { size: file.bytes.length, pieces: () => inPieces(file.bytes.subarray(0, 500)) }
    const options = { path: PATH, file: { size: 1, lastModified: 1 }, readOnly: false, replace: false }
    const target = await openStoreTarget(store, {
      ...options,
      accessWithin: (reader, folder) => accessWithin(reader, folder, { defaultAcl: ALL_PERMISSIONS }),
    })
    const signal = new AbortController().signal
    const importing = { signal, progress: () => {}, requireUnchanged: () => {}, file: cut }
    await expect(importFile(file.reader, target, importing)).rejects.toThrow(
      'was changed while it was copied',
    )
    await sweep()
    expect(await blobs()).toEqual([])
  })
})

describe('filtered chunks of a file that is not kept', () => {
  it('are stored as they are, and decoded when they are read', async () => {
    const file = fileOf({ dims: [20, 300], chunkDims: [7, 100], isDeflated: true })
    const dataset = await imported(file)
    expect(file.reads()).toBe(0)
    expect(await blobs()).toEqual([])
    const expected = Array.from({ length: 6000 }, (_, i) => file.elementAt([Math.floor(i / 300), i % 300]))
    expect(await valuesOf(dataset, [0, 0], [20, 300])).toEqual(expected)
    const allocation = await store.read(reader => reader.allocation(dataset.id))
    expect(allocation).toEqual({ chunks: 9, bytes: file.bytes.length - 100 })
  })

  it('that are long have blobs of their own', async () => {
    const file = fileOf({ dims: [200, 3000], chunkDims: [100, 3000], isDeflated: true })
    const dataset = await imported(file)
    expect(file.reads()).toBe(0)
    expect(await blobs()).toHaveLength(2)
    expect(await valuesOf(dataset, [199, 2990], [1, 2])).toEqual([
      file.elementAt([199, 2990]),
      file.elementAt([199, 2991]),
    ])
  })

  it('that are damaged have their values read, so that what is wrong is found', async () => {
    const file = fileOf({ dims: [20, 300], chunkDims: [7, 100], isDeflated: true }, bytes =>
      Uint8Array.from(bytes).fill(255, 10, 20),
    )
    await imported(file)
    expect(file.reads()).toBe(1)
  })

  it('are not decoded when they claim much; damage is reported when they are read and when they are checked', async () => {
    const space = { dims: [2 ** 23], chunkDims: [2 ** 23], isDeflated: true }
    const { reader, ...file } = fileOf({ ...space, dims: [10], chunkDims: [10] })
    const claimed = fileOf(space)
    const stored = await reader.storedBytes?.('x')
    if (stored?.layout !== 'chunked') throw new Error('no chunk is stored')
    const large: StoredBytes = { ...stored, chunkDims: space.chunkDims }
    const dataset = await imported({
      ...file,
      reader: { ...claimed.reader, storedBytes: async () => large },
    })
    expect(claimed.reads()).toBe(0)
    await expect(valuesOf(dataset, [0], [1])).rejects.toMatchObject({ code: 'values-unreadable' })
    expect(await findingsIn(engine)).toMatchObject([{ kind: 'unreadable-values', name: 'chunk [0]' }])
    await store.write(writer => writer.deleteDomain(PATH))
  })

  it('are converted when the file asks for another decoding than the target', async () => {
    const file = fileOf({ dims: [20, 300], chunkDims: [7, 100], isDeflated: true })
    const stored = await file.reader.storedBytes?.('x')
    const dataset = await file.reader.dataset('x')
    if (stored?.layout !== 'chunked') throw new Error('no chunk is stored')
    const json = parseJson(
      '{"layout":{"class":"H5D_CHUNKED","dims":[7,100]},"filters":[{"class":"H5Z_FILTER_SHUFFLE","id":2}]}',
    )
    const creationProperties = parseCreationProperties(json, TYPE, dataset.space)
    const isAdopted = (clientData: readonly number[]) =>
      adoptionOf({ ...dataset, creationProperties }, { ...stored, filters: [{ id: 2, clientData }] }, 1) !==
      undefined
    expect(isAdopted([1])).toBe(true)
    expect(isAdopted([2])).toBe(false)
  })
})

it('has smaller chunks in the target where chunks are converted in parts', async () => {
  const dims = [2 ** 25]
  const space = { class: 'H5S_SIMPLE', dims } as const
  const { reader, ...file } = fileOf({ dims: [1], chunkDims: [1] })
  const json = parseJson(`{"layout":{"class":"H5D_CHUNKED","dims":[${2 ** 25}]}}`)
  const dataset = { type: TYPE, space, creationProperties: parseCreationProperties(json, TYPE, space) }
  const none = {
    chunkDims: dims,
    async *batches() {},
  }
  const found = await imported({
    ...file,
    reader: {
      ...reader,
      dataset: async () => dataset,
      storedBytes: async () => undefined,
      storedChunks: async () => none,
    },
  })
  expect(found.creationProperties).toEqual({ ...dataset.creationProperties, chunkDims: [2 ** 21] })
})

it('does not take over a chunk of which a few bytes claim very many', async () => {
  const space = { class: 'H5S_SIMPLE', dims: [2 ** 27] } as const
  const json = parseJson(
    `{"layout":{"class":"H5D_CHUNKED","dims":[${2 ** 27}]},"filters":[{"class":"H5Z_FILTER_DEFLATE","id":1,"level":6}]}`,
  )
  const dataset = { type: TYPE, space, creationProperties: parseCreationProperties(json, TYPE, space) }
  const stored: StoredBytes = {
    layout: 'chunked',
    chunkDims: [2 ** 27],
    filters: [{ id: 1, clientData: [6] }],
    read: async () => [],
    find: async () => [],
    async *batches() {
      yield [{ coordinates: [0], position: 0, length: 1000, mask: 0 }]
    },
  }
  const adoption = adoptionOf(dataset, stored, 2 ** 20)
  expect(adoption && (await collect(adoption.batches()))).toEqual([{ adopted: [], converted: [[0]] }])
})
