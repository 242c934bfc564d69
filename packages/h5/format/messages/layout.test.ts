// The layout message: each version by its bytes, and decode(encode(x)) for all that is written.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldReader } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'
import { type ChunkIndex, decodeLayout, encodeLayout, type Layout } from './layout.ts'

const WIDTHS = { offsets: 4, lengths: 2 }

function decode(bytes: readonly number[] | Uint8Array, widths = WIDTHS): Layout {
  return decodeLayout(new FieldReader(Uint8Array.from(bytes), widths, 'the data layout', 96))
}

const u32 = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24]

describe('the data layout message', () => {
  it.each([
    [
      'version 1, compact',
      [1, 1, 0, 0, 0, 0, 0, 0, ...u32(3), ...u32(3), 7, 8, 9],
      { class: 'compact', bytes: Uint8Array.of(7, 8, 9) },
    ],
    [
      'version 2, contiguous',
      [2, 1, 1, 0, 0, 0, 0, 0, ...u32(800), ...u32(3)],
      { class: 'contiguous', address: 800 },
    ],
    [
      'version 2, contiguous, nothing stored',
      [2, 1, 1, 0, 0, 0, 0, 0, ...u32(0xffffffff), ...u32(3)],
      { class: 'contiguous' },
    ],
    [
      'version 1, chunked',
      [1, 3, 2, 0, 0, 0, 0, 0, ...u32(800), ...u32(10), ...u32(20), ...u32(8)],
      {
        class: 'chunked',
        chunkDims: [10, 20],
        elementSize: 8,
        hasUnfilteredEdges: false,
        index: { kind: 'b-tree-1', address: 800 },
      },
    ],
    ['version 3, contiguous', [3, 1, ...u32(800), 16, 0], { class: 'contiguous', address: 800, size: 16 }],
    [
      'version 5, fixed array, unfiltered edges',
      [5, 2, 1, 2, 2, 44, 1, 4, 0, 3, 10, ...u32(800)],
      {
        class: 'chunked',
        chunkDims: [300],
        elementSize: 4,
        hasUnfilteredEdges: true,
        index: { kind: 'fixed-array', pageBits: 10, address: 800 },
      },
    ],
    ['version 4, virtual, no mappings', [4, 3, ...u32(0xffffffff), ...u32(0)], { class: 'virtual' }],
  ] as [string, number[], Layout][])('is read: %s', (_what, bytes, layout) => {
    expect(decode(bytes)).toEqual(layout)
  })

  it.each([
    ['a version that is not known', [6, 0], 'there is no version 6 of it'],
    ['a class that is not known', [4, 4, 0, 0], 'there is no layout class 4'],
    ['no dimension', [3, 2, 1, ...u32(800), ...u32(8)], 'chunks cannot have 1 dimensions'],
    ['too many dimensions', [3, 2, 34, ...u32(800), ...u32(8)], 'chunks cannot have 34 dimensions'],
    ['more dimensions than bytes', [3, 2, 33, ...u32(800), ...u32(8)], 'do not fit'],
    ['an extent of 0', [3, 2, 2, ...u32(800), ...u32(0), ...u32(8)], 'chunks cannot have the extents 0, 8'],
    [
      'enormous chunks',
      [4, 2, 0, 3, 6, ...[0, 0, 0, 0, 0, 1], ...[0, 0, 0, 0, 0, 1], ...[1, 0, 0, 0, 0, 0], 2, ...u32(8)],
      'beyond 2^53 bytes',
    ],
    ['extents of no bytes', [4, 2, 0, 2, 0, 2], 'extents of chunks cannot take 0 bytes'],
    [
      'an index that is not known',
      [4, 2, 0, 2, 1, 3, 3, 6, ...u32(8)],
      'there is no kind 6 of index of chunks',
    ],
    ['values that are not there', [3, 0, 4, 0, 1], '4 bytes are needed, 1 are left'],
  ])('of %s is rejected', (_what, bytes, rule) => {
    expect(() => decode(bytes)).toThrow(rule)
  })

  it('is read as it was written', () => {
    const u8 = fc.integer({ min: 0, max: 255 })
    const address = fc.option(fc.integer({ min: 0, max: 0xfffffffe }), { nil: undefined })
    const placed = (index: fc.Arbitrary<ChunkIndex>): fc.Arbitrary<ChunkIndex> =>
      fc.tuple(index, address).map(([kind, at]) => ({ ...kind, ...(at !== undefined && { address: at }) }))
    const mask = fc.integer({ min: 0, max: 0xffffffff })
    const chunks = (index: fc.Arbitrary<ChunkIndex>, hasUnfilteredEdges: fc.Arbitrary<boolean>) =>
      fc.record({
        class: fc.constant('chunked' as const),
        chunkDims: fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }),
        elementSize: fc.integer({ min: 1, max: 70_000 }).map(size => (size % 7 === 0 ? 8 : size % 300) || 1),
        index: placed(index),
        hasUnfilteredEdges,
      })
    const layouts: fc.Arbitrary<Layout> = fc.oneof(
      fc.record({ class: fc.constant('compact' as const), bytes: fc.uint8Array() }),
      fc.tuple(address, fc.integer({ min: 0, max: 0xffff })).map(([at, size]) => ({
        class: 'contiguous' as const,
        ...(at !== undefined && { address: at }),
        size,
      })),
      chunks(fc.constant({ kind: 'b-tree-1' }), fc.constant(false)),
      chunks(
        fc.oneof(
          fc.constant({ kind: 'single-chunk' as const }),
          fc.record({
            kind: fc.constant('single-chunk' as const),
            filtered: fc.record({ length: fc.integer({ min: 0, max: 0xfffe }), mask }),
          }),
          fc.constant({ kind: 'implicit' as const }),
          fc.record({ kind: fc.constant('fixed-array' as const), pageBits: u8 }),
          fc.record({
            kind: fc.constant('extensible-array' as const),
            parameters: fc.array(u8, { minLength: 5, maxLength: 5 }),
          }),
          fc.record({
            kind: fc.constant('b-tree-2' as const),
            nodeSize: mask,
            splitPercent: u8,
            mergePercent: u8,
          }),
        ),
        fc.boolean(),
      ),
    )
    fc.assert(
      fc.property(layouts, layout => {
        const writer = new FieldWriter(WIDTHS)
        encodeLayout(writer, layout)
        expect(decode(writer.bytes)).toEqual(layout)
      }),
    )
  })
})
