// Values of each layout of a small file in memory, whole and in boxes.

import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  type AddressedStructure,
  collect,
  fileOf,
  sourceOf,
  WIDE,
} from '../../../../test/fixtures/file-of-structures.ts'
import { chunkBTree, encodeBTree1Node } from '../../format/indexes/b-tree-1.ts'
import type { ChunkedLayout, Layout } from '../../format/messages/layout.ts'
import { readExternal } from './external.ts'
import { openValueSource, type StoredDataset } from './value-source.ts'
import { readBox, storedChunks } from './values.ts'

const DEFLATE = { id: 1, name: 'deflate', isOptional: true, clientData: [6] }
/** 3 x 5 elements of 2 bytes, whose values are 1, 2, ... */
const VALUES = new Uint8Array(Uint16Array.from({ length: 15 }, (_, i) => i + 1).buffer)
const DIMS = [3, 5]

function datasetOf(layout: Layout, more: Partial<StoredDataset> = {}): StoredDataset {
  return { space: { class: 'H5S_SIMPLE', dims: DIMS }, elementSize: 2, layout, filters: [], ...more }
}

/** Into fresh memory, and into memory that was used before. */
async function read(
  structures: readonly AddressedStructure[],
  dataset: StoredDataset,
  start = [0, 0],
  count = DIMS,
) {
  const bytes = await readBox(openValueSource(fileOf(structures)), dataset, { start, count })
  const into = new Uint8Array(bytes.length + 1).fill(0xaa)
  const again = await readBox(openValueSource(fileOf(structures)), dataset, { start, count }, { into })
  expect(again).toEqual(new Uint8Array(bytes))
  if (bytes.length > 0) expect(again.buffer).toBe(into.buffer)
  const tooShort = into.subarray(0, bytes.length - 1)
  expect(
    await readBox(openValueSource(fileOf(structures)), dataset, { start, count }, { into: tooShort }),
  ).toEqual(again)
  return [...new Uint16Array(bytes.slice().buffer)]
}

const whole = Array.from({ length: 15 }, (_, i) => i + 1)

describe('values', () => {
  it('of a compact dataset are in the message', async () => {
    const dataset = datasetOf({ class: 'compact', bytes: VALUES })
    expect(await read([{ address: 0, bytes: VALUES }], dataset)).toEqual(whole)
    expect(await read([{ address: 0, bytes: VALUES }], dataset, [1, 1], [2, 2])).toEqual([7, 8, 12, 13])
    const short = datasetOf({ class: 'compact', bytes: VALUES.subarray(1) })
    await expect(read([{ address: 0, bytes: VALUES }], short)).rejects.toThrow('it holds 29 bytes of values')
  })

  it('of a contiguous dataset lie one after another', async () => {
    const dataset = datasetOf({ class: 'contiguous', address: 100 })
    expect(await read([{ address: 100, bytes: VALUES }], dataset)).toEqual(whole)
    expect(await read([{ address: 100, bytes: VALUES }], dataset, [1, 1], [2, 2])).toEqual([7, 8, 12, 13])
    await expect(read([{ address: 100, bytes: VALUES.subarray(1) }], dataset)).rejects.toThrow(
      'the file ends at 129',
    )
  })

  it('need no memory where the file is too short, or they are too many', async () => {
    const large = {
      elementSize: 2 ** 22,
      space: { class: 'H5S_SIMPLE', dims: [50, 100], maxdims: [50, 100] },
    } as const
    const stored = [{ address: 100, bytes: VALUES }]
    const contiguous = datasetOf({ class: 'contiguous', address: 100 }, large)
    await expect(read(stored, contiguous, [0, 0], [1, 60])).rejects.toThrow('the file ends at 130')
    const unwritten = datasetOf({ class: 'contiguous' }, large)
    await expect(read(stored, unwritten, [0, 0], [1, 65])).rejects.toThrow(
      '65 elements of 4194304 bytes are too many',
    )
  })

  it('that were never written are the fill value', async () => {
    const none = [{ address: 0, bytes: VALUES }]
    const dataset = datasetOf({ class: 'contiguous' }, { fillValue: Uint8Array.of(7, 1) })
    expect(await read(none, dataset, [1, 1], [1, 3])).toEqual([263, 263, 263])
    expect(await read(none, datasetOf({ class: 'contiguous' }), [0, 0], [1, 2])).toEqual([0, 0])
    const stored = storedChunks(openValueSource(fileOf(none)), dataset)
    expect(stored && (await collect(stored.batches()))).toEqual([])
  })

  it('of external files are parts of them; what these are too short for is zero', async () => {
    const open = async () => sourceOf(VALUES)
    const external = [
      { name: 'a', position: 4, length: 6, open },
      { name: 'b', position: 20, open },
    ]
    const dataset = datasetOf({ class: 'contiguous' }, { external })
    const expected = [3, 4, 5, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0, 0]
    expect(await read([{ address: 0, bytes: VALUES }], dataset)).toEqual(expected)
    await expect(readExternal(external.slice(0, 1), new Uint8Array(4), 4)).rejects.toThrow(
      'the external files have 6 bytes, and 8 are needed',
    )
  })
})

describe('values of chunks', () => {
  const layout: ChunkedLayout = {
    class: 'chunked',
    chunkDims: [2, 3],
    elementSize: 2,
    hasUnfilteredEdges: false,
    index: { kind: 'b-tree-1', address: 16 },
  }
  const TREE_END = 1000

  /** A chunk of the values as it is stored: what is outside the extents is 0xffff. */
  function chunkAt(row: number, column: number): Uint8Array {
    const values = Array.from({ length: 6 }, (_, i) => {
      const [r, c] = [2 * row + Math.floor(i / 3), 3 * column + (i % 3)]
      return r < 3 && c < 5 ? 5 * r + c + 1 : 0xffff
    })
    return new Uint8Array(Uint16Array.from(values).buffer)
  }

  interface StoredExample {
    readonly at: readonly [number, number]
    readonly bytes: Uint8Array
    readonly mask: number
  }

  function fileWith(chunks: readonly StoredExample[]): AddressedStructure[] {
    let end = TREE_END
    const placed: AddressedStructure[] = []
    for (const { bytes } of chunks) {
      placed.push({ address: end, bytes })
      end += bytes.length
    }
    const keys = chunks.map(({ at: [row, column], bytes, mask }) => ({
      length: bytes.length,
      mask,
      offsets: [2 * row, 3 * column, 0],
    }))
    const node = {
      level: 0,
      keys: [...keys, { length: 0, mask: 0, offsets: [4, 6, 0] }],
      children: placed.map(({ address }) => address),
    }
    return [...placed, { address: 16, bytes: encodeBTree1Node(node, chunkBTree(2), WIDE) }]
  }

  const grid: readonly (readonly [number, number])[] = [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]
  const plain: readonly StoredExample[] = grid.map(at => ({ at, bytes: chunkAt(...at), mask: 0 }))
  const deflated: readonly StoredExample[] = grid.map(at => ({
    at,
    bytes: new Uint8Array(deflateSync(chunkAt(...at))),
    mask: 0,
  }))

  it.each([
    ['without filters', plain, []],
    ['through filters', deflated, [DEFLATE]],
    ['of which one skipped its filter', deflated.with(2, { ...plain[2], mask: 1 }), [DEFLATE]],
  ])('%s', async (_what, chunks, filters) => {
    const dataset = datasetOf(layout, { filters })
    expect(await read(fileWith(chunks), dataset)).toEqual(whole)
    expect(await read(fileWith(chunks), dataset, [1, 1], [2, 3])).toEqual([7, 8, 9, 12, 13, 14])
    const stored = storedChunks(openValueSource(fileOf(fileWith(chunks))), dataset)
    expect(stored && (await collect(stored.batches()))).toEqual(grid)
  })

  it('may end after the last element that is inside the extents, and not before', async () => {
    const dataset = datasetOf(layout, { filters: [DEFLATE] })
    const cut = (bytes: number) => {
      const shorter = new Uint8Array(deflateSync(chunkAt(0, 1).subarray(0, bytes)))
      return fileWith(deflated.with(1, { ...deflated[1], bytes: shorter }))
    }
    expect(await read(cut(10), dataset)).toEqual(whole)
    await expect(read(cut(9), dataset)).rejects.toThrow('the chunk [0, 1]')
  })

  it('are not filtered at the edges if the layout says so', async () => {
    const edges = [deflated[0], ...plain.slice(1)]
    const dataset = datasetOf({ ...layout, hasUnfilteredEdges: true }, { filters: [DEFLATE] })
    expect(await read(fileWith(edges), dataset)).toEqual(whole)
  })

  it('are refused when a few bytes claim very many', async () => {
    const dataset = datasetOf({ ...layout, chunkDims: [2 ** 14, 2 ** 12] }, { filters: [DEFLATE] })
    await expect(read(fileWith(deflated.slice(0, 1)), dataset)).rejects.toThrow(
      /cannot be read: its \d+ bytes become/,
    )
  })

  it('are kept up to the extents only, when a deflated chunk is far larger', async () => {
    const chunkDims = [9, 2 ** 20]
    const chunk = new Uint8Array(2 * 9 * 2 ** 20)
    for (const [row, column] of [0, 1, 2].flatMap(row => [0, 1, 2, 3, 4].map(column => [row, column]))) {
      chunk[2 * (row * 2 ** 20 + column)] = 1 + row * 5 + column
    }
    const bytes = new Uint8Array(deflateSync(chunk, { level: 1 }))
    const dataset = datasetOf({ ...layout, chunkDims }, { filters: [DEFLATE] })
    const read = async (encoded: Uint8Array) => {
      const file = fileOf(fileWith([{ at: [0, 0], bytes: encoded, mask: 0 }]))
      const source = openValueSource(file, () => Promise.reject(new Error('it was decoded as a whole')))
      return readBox(source, dataset, { start: [0, 0], count: [3, 5] })
    }
    const expected = whole.flatMap(value => [value, 0])
    expect([...(await read(bytes))]).toEqual(expected)
    await expect(read(bytes.with(bytes.length - 1, 7))).rejects.toThrow('the chunk [0, 0]')
  })

  it('are the fill value where no chunk is', async () => {
    const dataset = datasetOf(layout, { filters: [DEFLATE], fillValue: Uint8Array.of(9, 0) })
    const expected = whole.map((value, i) => (Math.floor(i / 5) < 2 && i % 5 < 3 ? value : 9))
    expect(await read(fileWith([deflated[0]]), dataset)).toEqual(expected)
  })

  it('of a chunk that is cut by several boxes are decoded once', async () => {
    let decoded = 0
    const source = openValueSource(fileOf(fileWith(deflated)), async () => {
      decoded++
      return chunkAt(0, 0)
    })
    const dataset = datasetOf(layout, { filters: [DEFLATE] })
    const rowOf = (row: number) => readBox(source, dataset, { start: [row, 0], count: [1, 2] })
    const rows = [...(await Promise.all([rowOf(0), rowOf(1)])), await rowOf(0)]
    expect(rows.map(bytes => [...bytes])).toEqual([
      [1, 0, 2, 0],
      [6, 0, 7, 0],
      [1, 0, 2, 0],
    ])
    expect(decoded).toBe(1)
  })

  it.each([
    [
      'a filter that is not available',
      plain,
      [{ ...DEFLATE, id: 65_000, name: 'foo' }],
      'the filter foo (65000) is not available',
    ],
    [
      'a chunk that is no stream',
      plain,
      [DEFLATE],
      'the chunk [0, 0] at 1000 cannot be read: filter 1 cannot decode it',
    ],
    ['a chunk of another length', [{ ...plain[0], bytes: VALUES }], [], 'it has 30 bytes instead of 12'],
    [
      'chunks beyond the end',
      [...plain.slice(0, 3), { ...plain[3], bytes: new Uint8Array(0) }],
      [],
      'it has 0 bytes instead of 12',
    ],
  ])('%s is an error', async (_what, chunks, filters, message) => {
    await expect(read(fileWith(chunks), datasetOf(layout, { filters }))).rejects.toThrow(message)
  })

  it('of chunks that are too large to be decoded are refused', async () => {
    const large = { ...layout, chunkDims: [2 ** 20, 2 ** 10] }
    await expect(read(fileWith(deflated), datasetOf(large, { filters: [DEFLATE] }))).rejects.toThrow(
      'it has 2147483648 bytes',
    )
  })

  it('of elements of another size than those of the datatype are an error', async () => {
    await expect(read(fileWith(plain), datasetOf(layout, { elementSize: 4 }))).rejects.toThrow(
      'its elements have 2 bytes, those of the datatype 4',
    )
  })
})
