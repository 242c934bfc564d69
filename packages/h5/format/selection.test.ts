// Selections: the circle of encoder and decoder, bytes written by hand after the specification, and damage.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldReader } from './field-reader.ts'
import { FieldWriter } from './field-writer.ts'
import { decodeSelection, encodeSelection, type FileSelection, type RegularDimension } from './selection.ts'

const WIDTHS = { offsets: 8, lengths: 8 }

function decodeHex(hex: string): FileSelection {
  return decode(Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')))
}

/** The whole must be read. */
function decode(bytes: Uint8Array): FileSelection {
  const fields = new FieldReader(bytes, WIDTHS, 'the selection')
  const selection = decodeSelection(fields)
  expect(fields.left).toBe(0)
  return selection
}

function encode(selection: FileSelection): Uint8Array {
  const writer = new FieldWriter(WIDTHS)
  encodeSelection(writer, selection)
  return writer.bytes.slice()
}

const UNLIMITED = 'ffffffffffffffff'
const regular = (...dimensions: RegularDimension[]): FileSelection => ({
  selectType: 'H5S_SEL_HYPERSLABS',
  regular: dimensions,
})

describe('decodeSelection', () => {
  it.each<[what: string, hex: string, selection: FileSelection]>([
    ['nothing', '00000000 01000000 00000000 00000000', { selectType: 'H5S_SEL_NONE' }],
    ['all', '03000000 01000000 00000000 00000000', { selectType: 'H5S_SEL_ALL' }],
    [
      'points of version 1',
      '01000000 01000000 00000000 10000000 02000000 01000000 07000000 08000000',
      { selectType: 'H5S_SEL_POINTS', points: [[7, 8]] },
    ],
    [
      'points of version 2, in 2 bytes',
      '01000000 02000000 02 01000000 0200 0700 0800',
      { selectType: 'H5S_SEL_POINTS', points: [[7], [8]] },
    ],
    ['no points', '01000000 02000000 02 01000000 0000', { selectType: 'H5S_SEL_NONE' }],
    [
      'blocks of version 1',
      '02000000 01000000 00000000 18000000 02000000 01000000 01000000 02000000 03000000 04000000',
      { selectType: 'H5S_SEL_HYPERSLABS', blocks: [{ first: [1, 2], last: [3, 4] }] },
    ],
    [
      'blocks of version 3, in 2 bytes',
      '02000000 03000000 00 02 01000000 0100 0500 0600',
      { selectType: 'H5S_SEL_HYPERSLABS', blocks: [{ first: [5], last: [6] }] },
    ],
    [
      'a regular hyperslab of version 2 without an end',
      `02000000 02000000 01 24000000 01000000 0100000000000000 0a00000000000000 ${UNLIMITED} 0200000000000000`,
      regular({ start: 1, stride: 10, count: undefined, block: 2 }),
    ],
    [
      'a regular hyperslab of version 3, in 2 bytes',
      '02000000 03000000 01 02 02000000 0100 0a00 0300 0200 0000 0100 0100 ffff',
      regular(
        { start: 1, stride: 10, count: 3, block: 2 },
        { start: 0, stride: 1, count: 1, block: undefined },
      ),
    ],
    [
      'a regular hyperslab of no blocks',
      '02000000 03000000 01 02 01000000 0100 0a00 0000 0200',
      { selectType: 'H5S_SEL_NONE' },
    ],
  ])('reads %s', (_, hex, selection) => {
    expect(decodeHex(hex)).toEqual(selection)
  })

  it('gives back what encodeSelection wrote', () => {
    const coordinate = fc.oneof(fc.nat(300), fc.nat({ max: 2 ** 40 }))
    const dimension = fc.record({
      start: coordinate,
      stride: fc.integer({ min: 1, max: 1000 }),
      count: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }),
      block: fc.integer({ min: 1, max: 1000 }),
    })
    const ofRank = (rank: number) => fc.array(coordinate, { minLength: rank, maxLength: rank })
    const block = (rank: number) =>
      fc
        .tuple(ofRank(rank), ofRank(rank))
        .map(([first, extent]) => ({ first, last: first.map((start, d) => start + extent[d]) }))
    const selections = fc.integer({ min: 1, max: 4 }).chain(rank =>
      fc.oneof(
        fc.constantFrom<FileSelection>({ selectType: 'H5S_SEL_NONE' }, { selectType: 'H5S_SEL_ALL' }),
        fc
          .array(ofRank(rank), { minLength: 1 })
          .map((points): FileSelection => ({ selectType: 'H5S_SEL_POINTS', points })),
        fc
          .array(block(rank), { minLength: 1 })
          .map((blocks): FileSelection => ({ selectType: 'H5S_SEL_HYPERSLABS', blocks })),
        fc.array(dimension, { minLength: rank, maxLength: rank }).map(dimensions => regular(...dimensions)),
      ),
    )
    fc.assert(
      fc.property(selections, selection => {
        expect(decode(encode(selection))).toEqual(selection)
      }),
    )
  })

  it.each([
    ['an unknown type', '04000000 01000000 00000000 00000000', 'no selection of type 4'],
    ['an unknown version', '02000000 04000000', 'no version 4'],
    ['numbers of 3 bytes', '01000000 02000000 03 01000000', 'numbers of 3 bytes'],
    ['no dimensions', '01000000 02000000 02 00000000 0100', '0 dimensions'],
    ['33 dimensions', '01000000 02000000 02 21000000 0100', '33 dimensions'],
    ['more points than bytes', '01000000 02000000 04 01000000 ffffffff', '4294967295 items'],
    [
      'blocks that end before they begin',
      '02000000 03000000 00 02 01000000 0100 0500 0400',
      'before it begins',
    ],
    ['a stride of 0', '02000000 03000000 01 02 01000000 0100 0000 0100 0100', 'stride of a hyperslab is 0'],
    [
      'count and block without an end',
      '02000000 03000000 01 02 01000000 0100 0100 ffff ffff',
      'both count and block',
    ],
    [
      'an end beyond 2^53',
      `02000000 02000000 01 24000000 01000000 0000000000000000 ffffffffffff0f00 ffffff0000000000 0100000000000000`,
      'beyond 2^53',
    ],
    ['a list in version 2', '02000000 02000000 00 24000000 01000000', 'must be regular'],
  ])('rejects %s', (_, hex, rule) => {
    expect(() => decodeHex(hex)).toThrow(rule)
  })
})
