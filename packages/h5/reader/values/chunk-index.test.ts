// Each kind of index of chunks, written with the encoders into a file in memory: what is found, in boxes too, and that
// damage is an error. Compared with files of h5py by test/h5py.

import type { SimpleDataspace } from '@hyperslab/model/dataset'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  encodeChunkPage,
  encodeDataBlock,
  encodeExtensibleArray,
  encodeFixedArray,
  encodeFixedArrayBlock,
  encodeIndexBlock,
  encodeSuperBlock,
} from '../../../../test/fixtures/chunk-arrays.ts'
import {
  type AddressedStructure,
  ALL_WIDTHS,
  collect,
  fileOf,
  WIDE,
} from '../../../../test/fixtures/file-of-structures.ts'
import type { Box } from '../../file-reader.ts'
import type { Widths } from '../../format/field-reader.ts'
import { chunkBTree, encodeBTree1Node } from '../../format/indexes/b-tree-1.ts'
import type {
  ChunkEntryForm,
  ChunkIndexRecord,
  StoredChunk,
} from '../../format/indexes/chunk-index-record.ts'
import { chunkPageSize } from '../../format/indexes/chunk-page.ts'
import {
  blockGroups,
  dataBlockSize,
  type ExtensibleArray,
  extensibleArrayHeaderSize,
  indexBlockSize,
  superBlockSize,
} from '../../format/indexes/extensible-array.ts'
import {
  fixedArrayBlockSize,
  fixedArrayHeaderSize,
  fixedArrayPages,
} from '../../format/indexes/fixed-array.ts'
import type { ChunkIndex } from '../../format/messages/layout.ts'
import { chunksOf } from './chunk-index.ts'

const HEADER = 16
/** Chunks of 2 elements of 1 byte. */
const CHUNK_LENGTH = 2
/** Past all structures. */
const END: AddressedStructure = { address: 60_000, bytes: new Uint8Array(4) }

function datasetOf(space: SimpleDataspace, index: ChunkIndex, isFiltered: boolean) {
  const chunkDims = space.dims.map((_, d) => (d === 0 ? CHUNK_LENGTH : 1))
  const layout = { class: 'chunked' as const, chunkDims, elementSize: 1, hasUnfilteredEdges: false, index }
  return { layout, space, isFiltered }
}

/** Lies anywhere; the lengths together stay below that of the file. */
function chunkNumbered(number: number, isFiltered: boolean): StoredChunk {
  return {
    address: 40_000 + number,
    length: isFiltered ? 1 + (number % 5) : CHUNK_LENGTH,
    mask: isFiltered ? number % 4 : 0,
  }
}

function formOf(isFiltered: boolean): ChunkEntryForm {
  return { lengthWidth: isFiltered ? 3 : 0, chunkLength: CHUNK_LENGTH }
}

/** The header, the block and the pages of a fixed array in which these elements are stored. */
function fixedArray(
  stored: ReadonlySet<number>,
  count: number,
  isFiltered: boolean,
  widths: Widths,
): AddressedStructure[] {
  const block = HEADER + fixedArrayHeaderSize(widths)
  const array = { form: formOf(isFiltered), pageBits: 3, count, block }
  const entries = Array.from({ length: count }, (_, i) =>
    stored.has(i) ? chunkNumbered(i, isFiltered) : undefined,
  )
  const header = { address: HEADER, bytes: encodeFixedArray(array, widths) }
  const pages = fixedArrayPages(array)
  if (pages === 0)
    return [
      header,
      { address: block, bytes: encodeFixedArrayBlock({ elements: entries }, array, widths, HEADER) },
    ]
  const writtenPages = new Uint8Array(Math.ceil(pages / 8))
  const first = block + fixedArrayBlockSize(array, widths)
  const placed: AddressedStructure[] = [header]
  for (let page = 0; page < pages; page++) {
    const inPage = entries.slice(8 * page, 8 * (page + 1))
    if (inPage.every(chunk => chunk === undefined)) continue
    writtenPages[page >> 3] |= 0x80 >> (page & 7)
    const address = first + page * chunkPageSize(8, array.form, widths)
    placed.push({ address, bytes: encodeChunkPage(inPage, array.form, widths) })
  }
  return [
    ...placed,
    { address: block, bytes: encodeFixedArrayBlock({ writtenPages }, array, widths, HEADER) },
  ]
}

/** The same of an extensible array with 3 elements in the index block, and pages of 4. */
function extensibleArray(
  stored: ReadonlySet<number>,
  isFiltered: boolean,
  widths: Widths,
): AddressedStructure[] {
  let end = HEADER + extensibleArrayHeaderSize(widths)
  const index = end
  const array: ExtensibleArray = {
    form: formOf(isFiltered),
    maxBits: 10,
    indexElements: 3,
    leastElements: 2,
    leastBlocks: 2,
    pageBits: 2,
    index,
  }
  end += indexBlockSize(array, widths)
  const entry = (number: number) => (stored.has(number) ? chunkNumbered(number, isFiltered) : undefined)
  const entries = (first: number, count: number) => Array.from({ length: count }, (_, i) => entry(first + i))
  const placed: AddressedStructure[] = [{ address: HEADER, bytes: encodeExtensibleArray(array, widths) }]
  const [direct, supers]: [(number | undefined)[], (number | undefined)[]] = [[], []]
  for (const group of blockGroups(array)) {
    const { first, blocks, count, pages, isDirect } = group
    const has = (from: number, length: number) => entries(from, length).some(chunk => chunk !== undefined)
    const superBlock = isDirect || !has(first, blocks * count) ? undefined : end
    if (superBlock !== undefined) end += superBlockSize(group, array, widths)
    const writtenPages = new Uint8Array(blocks * Math.ceil(pages / 8))
    const dataBlocks = Array.from({ length: blocks }, (_, block) => {
      const start = first + block * count
      if (!has(start, count)) return undefined
      const address = end
      placed.push({
        address,
        bytes: encodeDataBlock(pages > 0 ? [] : entries(start, count), start - 3, array, widths, HEADER),
      })
      end += dataBlockSize(group, array, widths)
      for (let page = 0; page < pages; page++) {
        if (has(start + 4 * page, 4)) {
          const bit = block * pages + page
          writtenPages[bit >> 3] |= 0x80 >> (bit & 7)
          placed.push({
            address: end,
            bytes: encodeChunkPage(entries(start + 4 * page, 4), array.form, widths),
          })
        }
        end += chunkPageSize(4, array.form, widths)
      }
      return address
    })
    if (isDirect) direct.push(...dataBlocks)
    else supers.push(superBlock)
    if (superBlock !== undefined) {
      const bytes = encodeSuperBlock({ writtenPages, dataBlocks }, group, array, widths, HEADER)
      placed.push({ address: superBlock, bytes })
    }
  }
  const block = { elements: entries(0, 3), dataBlocks: direct, superBlocks: supers }
  return [...placed, { address: index, bytes: encodeIndexBlock(block, array, widths, HEADER) }]
}

const byCoordinates = (a: ChunkIndexRecord, b: ChunkIndexRecord) =>
  a.coordinates[0] - b.coordinates[0] || a.coordinates[1] - b.coordinates[1]

const stored = fc.uniqueArray(fc.nat(199), { maxLength: 60 }).map(numbers => new Set(numbers))
/** In a grid of 20 x 10 chunks, of 40 x 10 elements. */
const boxes = fc.tuple(fc.nat(39), fc.nat(9), fc.nat(40), fc.nat(10)).map(
  ([row, column, rows, columns]): Box => ({
    start: [row, column],
    count: [Math.min(rows, 40 - row), Math.min(columns, 10 - column)],
  }),
)

function expected(
  numbers: ReadonlySet<number>,
  isFiltered: boolean,
  coordinatesOf: (number: number) => number[],
  box?: Box,
) {
  return [...numbers]
    .map(number => ({ ...chunkNumbered(number, isFiltered), coordinates: coordinatesOf(number) }))
    .filter(({ coordinates: [row, column] }) => {
      if (!box) return true
      const [start, count] = [box.start, box.count]
      if (count.includes(0)) return false
      return (
        2 * row < start[0] + count[0] &&
        2 * row + 2 > start[0] &&
        column >= start[1] &&
        column < start[1] + count[1]
      )
    })
    .sort(byCoordinates)
}

describe.each(ALL_WIDTHS)('with addresses of $offsets and lengths of $lengths bytes', widths => {
  it.each([false, true])('a fixed array finds its chunks (filtered: %s)', async isFiltered => {
    const space: SimpleDataspace = { class: 'H5S_SIMPLE', dims: [40, 10] }
    const dataset = datasetOf(space, { kind: 'fixed-array', pageBits: 3, address: HEADER }, isFiltered)
    const coordinatesOf = (number: number) => [Math.floor(number / 10), number % 10]
    await fc.assert(
      fc.asyncProperty(stored, boxes, async (numbers, box) => {
        const file = fileOf([...fixedArray(numbers, 200, isFiltered, widths), END], widths)
        const found = await collect(chunksOf(file, dataset, box))
        expect([...found].sort(byCoordinates)).toEqual(expected(numbers, isFiltered, coordinatesOf, box))
        expect((await collect(chunksOf(file, dataset))).length).toBe(numbers.size)
      }),
      { numRuns: 30 },
    )
  })

  it.each([false, true])('an extensible array finds its chunks (filtered: %s)', async isFiltered => {
    const maxdims = [40, 'H5S_UNLIMITED' as const]
    const space: SimpleDataspace = { class: 'H5S_SIMPLE', dims: [40, 10], maxdims }
    const index: ChunkIndex = { kind: 'extensible-array', parameters: [10, 3, 2, 2, 2], address: HEADER }
    const dataset = datasetOf(space, index, isFiltered)
    const coordinatesOf = (number: number) => [number % 20, Math.floor(number / 20)]
    await fc.assert(
      fc.asyncProperty(stored, boxes, async (numbers, box) => {
        const file = fileOf([...extensibleArray(numbers, isFiltered, widths), END], widths)
        const found = await collect(chunksOf(file, dataset, box))
        expect([...found].sort(byCoordinates)).toEqual(expected(numbers, isFiltered, coordinatesOf, box))
        expect((await collect(chunksOf(file, dataset))).length).toBe(numbers.size)
      }),
      { numRuns: 30 },
    )
  })
})

describe('an array of chunks', () => {
  const space: SimpleDataspace = { class: 'H5S_SIMPLE', dims: [40, 10] }
  const index: ChunkIndex = { kind: 'fixed-array', pageBits: 3, address: HEADER }

  it('may hold chunks outside the extents, which are passed over', async () => {
    const shrunk: SimpleDataspace = { class: 'H5S_SIMPLE', dims: [4, 3], maxdims: [40, 10] }
    const file = fileOf([...fixedArray(new Set([0, 5, 12, 90]), 200, false, WIDE), END])
    const found = await collect(chunksOf(file, datasetOf(shrunk, index, false)))
    expect(found.map(({ coordinates }) => coordinates)).toEqual([
      [0, 0],
      [1, 2],
    ])
  })

  it('with fewer elements than chunks is an error', async () => {
    const file = fileOf([...fixedArray(new Set([0]), 100, false, WIDE), END])
    await expect(collect(chunksOf(file, datasetOf(space, index, false)))).rejects.toThrow(
      'its 100 elements are fewer than the chunks of the dataset',
    )
  })

  it('whose page was changed is an error', async () => {
    const structures = fixedArray(new Set([0]), 200, false, WIDE)
    structures[1].bytes[3] ^= 1
    const file = fileOf([...structures, END])
    await expect(collect(chunksOf(file, datasetOf(space, index, false)))).rejects.toThrow(
      'cannot be read: its checksum does not fit its bytes',
    )
  })

  it('of 2^40 chunks of which none is stored costs nothing', async () => {
    const vast: SimpleDataspace = { class: 'H5S_SIMPLE', dims: [2 ** 41, 1] }
    const array = { form: formOf(false), pageBits: 10, count: 2 ** 40 }
    const file = fileOf([{ address: HEADER, bytes: encodeFixedArray(array, WIDE) }, END])
    expect(await collect(chunksOf(file, datasetOf(vast, index, false)))).toEqual([])
  })
})

it('the chunks of an index are counted with the bytes that they take in it, which other datasets have not', async () => {
  const stored = new Set([0, 1, 9])
  const array = fixedArray(stored, 10, false, WIDE)
  const counted: (readonly number[])[] = []
  const dataset = {
    ...datasetOf(
      { class: 'H5S_SIMPLE', dims: [20] },
      { kind: 'fixed-array', address: HEADER, pageBits: 3 },
      false,
    ),
    count: (...given: readonly number[]) => counted.push(given),
  }
  await collect(chunksOf(fileOf([...array, END]), dataset))
  expect(counted).toEqual([
    [2, 8],
    [1, 8],
  ])
})

describe('other indexes of chunks', () => {
  const space: SimpleDataspace = { class: 'H5S_SIMPLE', dims: [40, 10], maxdims: [60, 10] }
  const box = { start: [5, 3], count: [2, 2] }

  it('a B-tree of version 1: keys are offsets of elements', async () => {
    const keys = [
      [0, 0],
      [4, 3],
      [6, 4],
      [58, 0],
      [60, 0],
    ].map(offsets => ({ length: 2, mask: 1, offsets: [...offsets, 0] }))
    const node = { level: 0, keys, children: [100, 200, 300, 400] }
    const bytes = encodeBTree1Node(node, chunkBTree(2), WIDE)
    const file = fileOf([{ address: HEADER, bytes }, END])
    const dataset = datasetOf(space, { kind: 'b-tree-1', address: HEADER }, true)
    const all = await collect(chunksOf(file, dataset))
    expect(all.map(({ address, coordinates }) => [address, ...coordinates])).toEqual([
      [100, 0, 0],
      [200, 2, 3],
      [300, 3, 4],
    ])
    const inBox = await collect(chunksOf(file, dataset, box))
    expect(inBox.map(({ address }) => address)).toEqual([200, 300])
  })

  it('a single chunk', async () => {
    const filtered = { length: 7, mask: 2 }
    const dataset = datasetOf(
      { ...space, dims: [2, 1] },
      { kind: 'single-chunk', address: 500, filtered },
      true,
    )
    const file = fileOf([END])
    expect(await collect(chunksOf(file, dataset))).toEqual([
      { address: 500, length: 7, mask: 2, coordinates: [0, 0] },
    ])
  })

  it('none: all chunks up to the maximum extents lie one after another', async () => {
    const dataset = datasetOf(space, { kind: 'implicit', address: 500 }, false)
    const found = await collect(chunksOf(fileOf([END]), dataset, box))
    expect(found.map(({ address, coordinates }) => [address, ...coordinates])).toEqual([
      [500 + 2 * 23, 2, 3],
      [500 + 2 * 24, 2, 4],
      [500 + 2 * 33, 3, 3],
      [500 + 2 * 34, 3, 4],
    ])
    const small = fileOf([{ address: 500, bytes: new Uint8Array(100) }])
    await expect(collect(chunksOf(small, dataset))).rejects.toThrow('the file ends at 600')
  })

  it('nothing is stored when the address is undefined, whatever the extents', async () => {
    const vast: SimpleDataspace = { class: 'H5S_SIMPLE', dims: [2 ** 50, 2 ** 50] }
    expect(await collect(chunksOf(fileOf([END]), datasetOf(vast, { kind: 'b-tree-1' }, false)))).toEqual([])
  })

  it('chunks that together are longer than the file are an error', async () => {
    const dataset = datasetOf(
      { ...space, dims: [2, 1] },
      { kind: 'single-chunk', address: 500, filtered: { length: 70_000, mask: 0 } },
      true,
    )
    await expect(collect(chunksOf(fileOf([END]), dataset))).rejects.toThrow('longer than the file')
  })
})
