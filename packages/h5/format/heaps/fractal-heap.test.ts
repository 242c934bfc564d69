// Headers, ids and blocks of fractal heaps.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_WIDTHS, WIDE } from '../../../../test/fixtures/file-of-structures.ts'
import { EMPTY_HEAP } from '../../../../test/fixtures/fractal-heap.ts'
import type { Widths } from '../field-reader.ts'
import {
  type DoublingTable,
  decodeFiltersLength,
  decodeFractalHeapHeader,
  encodeFractalHeapHeader,
  type FractalHeapHeader,
  fractalHeapHeaderSize,
} from './fractal-heap.ts'
import { decodeIndirectBlock, encodeIndirectBlock, indirectBlockSize, pathTo } from './fractal-heap-blocks.ts'
import { decodeHeapId, encodeHeapId, type HeapId } from './heap-id.ts'

const FILTERS = { message: Uint8Array.from([2, 1, 1, 0, 0, 0, 0, 0]), root: { length: 50, mask: 1 } }
const ORIGIN = { heapAddress: 40, offset: 128 }

describe.each(ALL_WIDTHS)('with addresses of $offsets and lengths of $lengths bytes', widths => {
  const size = fc.nat(0xfffe)
  const header = fc.record({
    idLength: size,
    hugeIdsWrapped: fc.boolean(),
    checksDirectBlocks: fc.boolean(),
    maxManagedSize: fc.nat(0xffff_ffff),
    nextHugeId: size,
    hugeIndex: size,
    freeSpace: size,
    freeSpaceManager: size,
    managedSpace: size,
    allocatedSpace: size,
    iteratorOffset: size,
    managedCount: size,
    hugeSpace: size,
    hugeCount: size,
    tinySpace: size,
    tinyCount: size,
    table: fc.record({
      width: fc.constantFrom(1, 4),
      startingBlockSize: fc.constantFrom(1, 512, 1024),
      maxDirectBlockSize: fc.constantFrom(1024, 32_768),
      maxHeapBits: fc.constantFrom(16, 32, 40, 64),
      startingRows: size,
      root: size,
      rootRows: fc.nat(5),
    }),
  })

  it('a header decodes to what was encoded', () => {
    fc.assert(
      fc.property(header, fc.constantFrom(undefined, FILTERS), (plain, filters) => {
        const heap: FractalHeapHeader = { ...plain, ...(filters && { filters }) }
        const bytes = encodeFractalHeapHeader(heap, widths)
        const filtersLength = filters?.message.length ?? 0
        expect(decodeFiltersLength(bytes, widths, 0)).toBe(filtersLength)
        expect(bytes.length).toBe(fractalHeapHeaderSize(widths, filtersLength))
        expect(decodeFractalHeapHeader(bytes, widths, 0)).toEqual(heap)
      }),
    )
  })

  it('every byte of a header is checked', () => {
    const bytes = encodeFractalHeapHeader(EMPTY_HEAP, widths)
    for (let at = 0; at < bytes.length; at++) {
      expect(() => decodeFractalHeapHeader(bytes.with(at, bytes[at] ^ 1), widths, 0)).toThrow(
        /cannot be read/,
      )
    }
  })

  it.each([undefined, FILTERS])('an indirect block decodes to what was encoded, filters: %o', filters => {
    const heap: FractalHeapHeader = { ...EMPTY_HEAP, ...(filters && { filters }) }
    const direct = { address: 77, ...(filters && { filtered: { length: 5, mask: 0 } }) }
    const unused = filters ? { filtered: { length: 0, mask: 0 } } : {}
    // Three rows of direct blocks, then one of indirect ones.
    const entries = [...Array(5).fill(direct), unused, { address: 99 }, {}]
    const bytes = encodeIndirectBlock(entries, heap, ORIGIN, widths)
    expect(bytes.length).toBe(indirectBlockSize(heap, 4, widths))
    expect(decodeIndirectBlock(bytes, heap, 4, ORIGIN, widths, 0)).toEqual(entries)
    const decodeAs = (origin: typeof ORIGIN) => () => decodeIndirectBlock(bytes, heap, 4, origin, widths, 0)
    expect(decodeAs({ ...ORIGIN, heapAddress: 41 })).toThrow('it belongs to another heap')
    expect(decodeAs({ ...ORIGIN, offset: 64 })).toThrow('it is the block of offset 128 instead of 64')
  })
})

describe('the sizes of a header', () => {
  const changes: [string, Partial<DoublingTable>][] = [
    ['a width of 3', { width: 3 }],
    ['a width of 0', { width: 0 }],
    ['blocks of 100 bytes', { startingBlockSize: 100 }],
    ['direct blocks of no bytes', { maxDirectBlockSize: 0 }],
    ['direct blocks smaller than the first', { maxDirectBlockSize: 32 }],
    ['a space of 65 bits', { maxHeapBits: 65 }],
    ['more rows than the space has', { rootRows: 27 }],
  ]
  it.each(changes)('%s are an error', (_, change) => {
    const bytes = encodeFractalHeapHeader({ ...EMPTY_HEAP, table: { ...EMPTY_HEAP.table, ...change } }, WIDE)
    expect(() => decodeFractalHeapHeader(bytes, WIDE, 40)).toThrow(
      /the fractal heap at 40 cannot be read: .*size/,
    )
  })
})

describe('the way to an offset', () => {
  // Rows of 2 blocks of 64, 64, 128 bytes, then 2 indirect blocks of 256 bytes, of 2 rows each, then 2 of 512.
  const table = { ...EMPTY_HEAP.table, root: 1, rootRows: 5 }
  it.each([
    [0, [[0, 0]], 0, 64],
    [63, [[0, 0]], 0, 64],
    [64, [[0, 1]], 64, 64],
    [128, [[0, 2]], 128, 64],
    [256, [[0, 4]], 256, 128],
    [511, [[0, 5]], 384, 128],
    [
      512,
      [
        [0, 6],
        [512, 0],
      ],
      512,
      64,
    ],
    [
      767,
      [
        [0, 6],
        [512, 3],
      ],
      704,
      64,
    ],
    [
      1535,
      [
        [0, 8],
        [1024, 5],
      ],
      1408,
      128,
    ],
  ])('%d leads through indirect blocks and entries %j', (offset, steps, blockOffset, blockSize) => {
    const path = pathTo(table, offset)
    expect(path?.steps.map(step => [step.blockOffset, step.entry])).toEqual(steps)
    expect(path).toMatchObject({ blockOffset, blockSize })
  })

  it('beyond the last row is not known', () => {
    expect(pathTo(table, 2048)).toBeUndefined()
    expect(pathTo({ ...table, rootRows: 0 }, 64)).toBeUndefined()
    expect(pathTo({ ...table, rootRows: 0 }, 63)).toEqual({ steps: [], blockOffset: 0, blockSize: 64 })
    // Indirect blocks that are smaller than a row.
    expect(pathTo({ ...table, width: 512, maxDirectBlockSize: 64 }, 70_000)).toBeUndefined()
  })
})

describe('heap ids', () => {
  const object = { address: 1000, length: 5000 }
  const filtered = { ...object, filtered: { mask: 2, length: 70_000 } }
  const tiny = (length: number): HeapId => ({ kind: 'tiny', object: new Uint8Array(length).fill(7) })
  const narrow = { offsets: 4, lengths: 4 }
  const cases: [string, HeapId, number, Widths, boolean][] = [
    ['managed', { kind: 'managed', offset: 0x1234_5678, length: 99 }, 7, WIDE, false],
    ['huge', { kind: 'huge', object }, 17, WIDE, false],
    ['huge with filters', { kind: 'huge', object: filtered }, 29, WIDE, true],
    ['huge with narrow addresses', { kind: 'huge', object }, 9, narrow, false],
    ['indexed', { kind: 'indexed', id: 12_345 }, 7, WIDE, false],
    ['indexed with narrow addresses', { kind: 'indexed', id: 12_345 }, 8, narrow, false],
    ['indexed where filters leave no room', { kind: 'indexed', id: 12_345 }, 17, WIDE, true],
    ['tiny', tiny(6), 7, WIDE, false],
    ['tiny of one byte', tiny(1), 7, WIDE, false],
    ['tiny of 16 bytes', tiny(16), 18, WIDE, false],
    ['tiny of many bytes', tiny(300), 400, WIDE, false],
  ]
  it.each(cases)('%s decode to what was encoded', (_, id, idLength, widths, hasFilters) => {
    const heap = { ...EMPTY_HEAP, idLength, ...(hasFilters && { filters: FILTERS }) }
    const bytes = encodeHeapId(id, heap, widths)
    expect(bytes.length).toBe(idLength)
    expect(decodeHeapId(bytes, heap, widths)).toEqual(id)
  })

  it.each([
    ['of another version', [0x40, 0, 0, 0, 0, 0, 0], 'there is no version 1 of it'],
    ['of no kind', [0x30, 0, 0, 0, 0, 0, 0], 'its kind is unknown'],
    ['of an object longer than the id', [0x2f, 0, 0, 0, 0, 0, 0], '16 bytes are needed, 6 are left'],
    ['that are too short', [0, 0], 'it has 2 of 7 bytes'],
  ])('%s are an error', (_, bytes, message) => {
    expect(() => decodeHeapId(Uint8Array.from(bytes), EMPTY_HEAP, WIDE)).toThrow(message)
  })
})
