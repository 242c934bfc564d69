// Values of mounted datasets of files that the project's writer made, against a loop over all values; what is read for
// a slice; chunks for an export; and what is said of damage.

import type { ByteSource, StoredRange } from '@hyperslab/h5/reader'
import { joined, planFile } from '@hyperslab/h5/writer'
import { elementCount, extentsOf } from '@hyperslab/model/dataset'
import { type ObjectId, parseDomainPath } from '@hyperslab/model/names'
import { compareChunks, type Selection } from '@hyperslab/model/selection'
import { type Elements, expandPieces } from '@hyperslab/model/values'
import type { ChunkBytes, ChunkSpan } from '@hyperslab/store/chunks'
import type { Dataset } from '@hyperslab/store/store'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import {
  collect,
  type DatasetShape,
  dataset,
  domain,
  group,
  hardLink,
  int32s,
  newId,
  newRoot,
  numbersOf,
  SHUFFLE_DEFLATE,
  TEXT,
  texts,
} from '../../../../test/conformance/sample-objects.ts'
import { sourceOf } from '../../../../test/fixtures/file-of-structures.ts'
import {
  differenceOf,
  joinElements,
  type MountedFileOfTest,
  openMounted,
  selectionOf,
} from '../../../../test/fixtures/mounted-values.ts'
import { openMemoryStore } from '../../../../test/fixtures/server.ts'
import type { Layout } from '../../../model/dataset/dataset-layout.ts'

const store = openMemoryStore()
afterAll(() => store.close())

interface NewDataset extends DatasetShape {
  readonly layout?: Layout
  /** The written part, if not all. */
  readonly written?: Selection
}

function box(start: readonly number[], count: readonly number[]): Selection {
  const ones = start.map(() => 1)
  return { kind: 'hyperslab', start, stride: ones, count, block: ones }
}

async function* once(elements: Elements): AsyncGenerator<Elements> {
  yield elements
}

function valuesFor({ type }: Dataset, count: number): Elements {
  if (type === TEXT) return texts(Array.from({ length: count }, (_, i) => 'x'.repeat(i % 5) + i))
  return int32s(Array.from({ length: count }, (_, i) => (i * 7919) % 10_007))
}

/** The bytes of a file with these datasets, named by their numbers. */
async function written(...shapes: readonly NewDataset[]): Promise<Uint8Array> {
  const root: ObjectId = newRoot()
  const path = parseDomainPath('/values.h5')
  return store.write(async writer => {
    if (await writer.domain(path)) await writer.deleteDomain(path)
    await writer.createObject(group(root))
    await writer.putDomain(domain('/values.h5', root))
    for (const [index, { layout = 'H5D_CHUNKED', written, ...shape }] of shapes.entries()) {
      const made = dataset(newId(root), shape)
      const object = { ...made, creationProperties: { ...made.creationProperties, layout } }
      await writer.createObject(object)
      await writer.putLinks(root, hardLink(`${index}`, object.id, 1, 'dataset'))
      const dims = extentsOf(object.space)
      const selection =
        written ??
        box(
          dims.map(() => 0),
          dims,
        )
      const count = selection.kind === 'hyperslab' ? selection.count.reduce((all, n) => all * n, 1) : 0
      if (count > 0) await writer.writeValues(object, selection, once(valuesFor(object, count)))
    }
    const file = await planFile(writer, root)
    return joined(file.pieces())
  })
}

const CASES: Record<string, NewDataset> = {
  chunked: { dims: [9, 14], chunkDims: [4, 5] },
  'chunks with filters': { dims: [9, 14], chunkDims: [4, 5], filters: SHUFFLE_DEFLATE },
  'missing chunks and a fill value': {
    dims: [9, 14],
    chunkDims: [2, 3],
    fillValue: int32s([77]),
    written: box([3, 4], [2, 5]),
  },
  'a dataset that can grow': {
    dims: [9, 14],
    maxdims: [20, 20],
    chunkDims: [4, 5],
    filters: SHUFFLE_DEFLATE,
  },
  contiguous: { dims: [40, 30], chunkDims: [40, 30], layout: 'H5D_CONTIGUOUS' },
  'contiguous, never written': {
    dims: [4, 3],
    chunkDims: [4, 3],
    layout: 'H5D_CONTIGUOUS',
    fillValue: int32s([5]),
    written: box([0, 0], [0, 0]),
  },
  compact: { dims: [3, 4, 2], chunkDims: [3, 4, 2], layout: 'H5D_COMPACT' },
  'a scalar': { dims: [], chunkDims: [], layout: 'H5D_CONTIGUOUS' },
  'text in chunks': { type: TEXT, dims: [7, 6], chunkDims: [3, 4] },
  'no elements': { dims: [0, 3], maxdims: [10, 3], chunkDims: [2, 3] },
}

describe('values of a mounted dataset', () => {
  const names = Object.keys(CASES)
  let opened: Promise<MountedFileOfTest> | undefined
  const open = async () => openMounted(sourceOf(await written(...Object.values(CASES))))

  it.each(names)('are those that were written: %s', async name => {
    const file = await (opened ??= open())
    const found = file.datasets.find(({ path }) => path === `/${names.indexOf(name)}`)
    if (!found) throw new Error(`there is no dataset ${name}`)
    const dims = extentsOf(found.dataset.space)
    await fc.assert(
      fc.asyncProperty(selectionOf(dims), async selection => {
        expect(await differenceOf(file, found, [selection])).toBeUndefined()
      }),
      { numRuns: 25 },
    )
  })
})

/** The first dataset of the file, and what is read of it. */
async function openCounted(bytes: Uint8Array) {
  const ranges: { position: number; length: number }[] = []
  const source = sourceOf(bytes)
  const counting: ByteSource = {
    ...source,
    read(wanted, signal) {
      ranges.push(...wanted)
      return source.read(wanted, signal)
    },
    readInto(target, position, signal) {
      ranges.push({ position, length: target.length })
      return source.readInto(target, position, signal)
    },
  }
  const file = await openMounted(counting, 'values.h5', { pieceBytes: 2 ** 20 })
  const [found] = file.datasets
  const read = (selection: Selection, count: number) =>
    joinElements(
      found.dataset,
      count,
      expandPieces(found.dataset.type, file.values.read(found.dataset, found.address, selection)),
    )
  const take = () => ranges.splice(0)
  return { ...file, ...found, read, take }
}

async function rangesOf({
  reader,
  address,
}: Pick<Awaited<ReturnType<typeof openCounted>>, 'reader' | 'address'>): Promise<readonly StoredRange[]> {
  const stored = await reader.storedBytes?.(address)
  return stored?.layout === 'chunked' ? (await collect(stored.batches())).flat() : []
}

describe('the locations of chunks', () => {
  const names = Object.keys(CASES)

  it.each(names)('are those that the index has, in order: %s', async name => {
    const file = await openCounted(await written(CASES[name]))
    const ranges = await rangesOf(file)
    const located = await file.values.locateChunks(file.dataset, file.address)
    expect(located?.chunkDims).toEqual(
      (CASES[name].layout ?? 'H5D_CHUNKED') === 'H5D_CHUNKED' ? CASES[name].chunkDims : undefined,
    )
    // Text has another form in the file: its chunks are located all the same.
    if (!located || CASES[name].type === TEXT) return
    const found = (await collect(located.batches)).flat()
    expect(found).toEqual(
      ranges
        .toSorted((a, b) => compareChunks(a.coordinates, b.coordinates))
        .map(({ mask, ...location }) => ({ ...location, hasAllFilters: mask === 0 })),
    )
  })
})

describe('a slice', () => {
  it('reads the bytes of its rows of contiguous values, and nothing else', async () => {
    const file = await openCounted(
      await written({ dims: [1000, 500], chunkDims: [1000, 500], layout: 'H5D_CONTIGUOUS' }),
    )
    const stored = await file.reader.storedBytes?.(file.address)
    if (stored?.layout !== 'contiguous' || stored.position === undefined) throw new Error('nothing is stored')
    file.take()
    const found = await file.read(box([700, 0], [20, 500]), 10_000)
    expect(numbersOf(found).slice(0, 2)).toEqual([350_000, 350_001].map(i => (i * 7919) % 10_007))
    expect(file.take()).toEqual([{ position: stored.position + 700 * 2000, length: 40_000 }])
  })

  it('reads its chunk, the index once, and the next time its chunk alone', async () => {
    const file = await openCounted(
      await written({ dims: [200, 200], chunkDims: [10, 10], filters: SHUFFLE_DEFLATE }),
    )
    const stored = await file.reader.storedBytes?.(file.address)
    await file.read(box([100, 100], [2, 2]), 4)
    file.take()
    if (stored?.layout !== 'chunked') throw new Error('no chunk is stored')
    const [chunk] = await stored.find([[15, 10]])
    file.take()
    await file.read(box([155, 103], [2, 2]), 4)
    expect(file.take()).toEqual([{ position: chunk.position, length: chunk.length }])
    await file.read(box([150, 109], [2, 1]), 2)
    expect(file.take()).toEqual([])
  })

  it('asks for the chunks of far points at once', async () => {
    const file = await openCounted(await written({ dims: [200, 200], chunkDims: [10, 10] }))
    await file.read(box([0, 0], [1, 1]), 1)
    const points = Array.from({ length: 20 }, (_, i) => [i * 10, 199 - i * 9]).flat()
    file.take()
    await file.read({ kind: 'points', rank: 2, coordinates: Float64Array.from(points) }, 20)
    expect(file.take().filter(({ length }) => length === 4)).toHaveLength(20)
  })
})

describe('stored chunks', () => {
  const whole = async (chunks: AsyncIterable<ChunkBytes>) =>
    Promise.all(
      (await collect(chunks)).map(async ({ bytes, ...chunk }) => ({ ...chunk, bytes: await bytes() })),
    )

  it('come in order as they lie in the file, those that are not stored left out', async () => {
    const bytes = await written({
      dims: [9, 14],
      chunkDims: [2, 3],
      filters: SHUFFLE_DEFLATE,
      written: box([3, 4], [2, 5]),
    })
    const { values, dataset, address, reader } = await openCounted(bytes)
    const found = await whole(values.storedChunks(dataset, address))
    expect(found.map(({ coordinates }) => coordinates)).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ])
    const ranges = await rangesOf({ reader, address })
    for (const { position, length, mask, coordinates } of ranges) {
      const chunk = found.find(other => other.coordinates.join() === coordinates.join())
      expect(chunk).toMatchObject({
        coordinates,
        length,
        mask,
        bytes: bytes.slice(position, position + length),
      })
    }
    expect(await values.allocation(dataset, address)).toEqual({
      chunks: 4,
      bytes: ranges.reduce((sum, { length }) => sum + length, 0),
    })
  })

  it('are given one by one as their bytes where they went through no filter and are whole', async () => {
    const long = 2 ** 22 + 1
    const bytes = await written(
      { dims: [5, 7], chunkDims: [2, 3] },
      { dims: [2 * long], chunkDims: [long], maxdims: [3 * long], written: box([long], [long]) },
    )
    const { values, datasets } = await openMounted(sourceOf(bytes))
    for (const [at, coordinates, isWhole] of [
      [0, [1, 1], true],
      [0, [2, 1], false],
      [0, [1, 2], false],
      // More than 16 MiB, which are read by boxes otherwise.
      [1, [1], true],
    ] as const) {
      const { dataset, address } = datasets[at]
      const chunks = await collect(values.storedChunks(dataset, address, { from: coordinates, count: 1 }))
      const found = await values.chunkOnDisk(dataset, address, coordinates)
      expect(found?.frame?.isPlain, coordinates.join()).toBe(isWhole ? true : undefined)
      if (!isWhole) continue
      const expected = await chunks[0].bytes()
      const pieces: Buffer[] = []
      for await (const piece of found?.frame?.pieces() ?? []) pieces.push(Buffer.from(piece))
      expect([found?.frame?.length, Buffer.concat(pieces).equals(expected)]).toEqual([expected.length, true])
    }
  })

  it('are some of them where that is asked for, also of values that are converted', async () => {
    const inChunks = await openCounted(await written({ dims: [9, 14], chunkDims: [2, 3] }))
    const ofText = await openCounted(await written({ type: TEXT, dims: [5], chunkDims: [2] }))
    const find = async ({ values, dataset, address }: typeof inChunks, span: ChunkSpan) =>
      (await collect(values.storedChunks(dataset, address, span))).map(({ coordinates }) => coordinates)
    expect(await find(inChunks, { from: [1, 3], count: 3 })).toEqual([
      [1, 3],
      [1, 4],
      [2, 0],
    ])
    expect(await find(inChunks, { from: [4, 3] })).toEqual([
      [4, 3],
      [4, 4],
    ])
    expect(await find(inChunks, { count: 1 })).toEqual([[0, 0]])
    expect(await find(ofText, { from: [1], count: 1 })).toEqual([[1]])
  })

  it('have the fill value outside the extents of a dataset that can grow, whatever the file has there', async () => {
    const shape = { dims: [3], maxdims: [9], chunkDims: [2], fillValue: int32s([-1]) }
    const bytes = await written(shape)
    const opened = await openCounted(bytes)
    const [, last] = await rangesOf(opened)
    bytes.set(int32s([123]).data, last.position + 4)
    const { values, dataset, address } = await openCounted(bytes)
    const found = await whole(values.storedChunks(dataset, address))
    expect(found.map(({ bytes }) => numbersOf({ count: 2, data: bytes, heap: new Uint8Array(0) }))).toEqual([
      [0, 7919],
      [5831, -1],
    ])
  })

  it('of text are all that hold text; contiguous values count as the chunks that are shown', async () => {
    const file = await openMounted(
      sourceOf(
        await written(
          { type: TEXT, dims: [6], chunkDims: [2], written: box([2], [1]) },
          { dims: [40, 30], chunkDims: [40, 30], layout: 'H5D_CONTIGUOUS' },
        ),
      ),
    )
    const [text, contiguous] = file.datasets
    const chunks = await collect(file.values.storedChunks(text.dataset, text.address))
    expect(chunks.map(({ coordinates }) => coordinates)).toEqual([[1]])
    expect(await file.values.allocation(contiguous.dataset, contiguous.address)).toEqual({
      chunks: 1,
      bytes: elementCount(contiguous.dataset.space) * 4,
    })
  })
})

describe('values that cannot be read', () => {
  it('are an error that names the dataset, the chunk and its position; the other chunks are read', async () => {
    const bytes = await written({ dims: [2000], chunkDims: [1000], filters: SHUFFLE_DEFLATE })
    const sound = await openCounted(bytes)
    const ranges = await rangesOf(sound)
    bytes.fill(0xff, ranges[1].position, ranges[1].position + ranges[1].length)
    const { read } = await openCounted(bytes)
    const error = {
      code: 'values-unreadable',
      message: expect.stringMatching(`/0 .*\\[1\\].* ${ranges[1].position} `),
    }
    await expect(read(box([1004], [2]), 2)).rejects.toMatchObject(error)
    expect(numbersOf(await read(box([0], [2]), 2))).toEqual([0, 7919])
  })

  it('are an error where the file was cut off', async () => {
    const bytes = await written({ dims: [1000], chunkDims: [1000], layout: 'H5D_CONTIGUOUS' })
    const { read } = await openCounted(bytes.subarray(0, bytes.length - 100))
    await expect(read(box([0], [2]), 2)).rejects.toMatchObject({ code: 'values-unreadable' })
  })
})
