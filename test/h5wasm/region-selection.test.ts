import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../src/h5file/byte-source.ts'
import { memorySource } from '../fixtures/byte-source.ts'
import { readRegion } from './region-selection.ts'

const u32 = (...values: number[]) =>
  values.flatMap(value => [value & 255, (value >> 8) & 255, (value >> 16) & 255, 0])
const u64 = (...values: number[]) => values.flatMap(value => [...u32(value), 0, 0, 0, 0])
const text = (ascii: string) => [...Buffer.from(ascii, 'latin1')]

const ADDRESS = 800
const POSITION = 64

/** A global heap collection at POSITION whose object 2 is the address and the selection given. */
function heapWith(selection: readonly number[]): ByteSource {
  const object = (index: number, bytes: readonly number[]) => [
    ...[index, 0, 1, 0, 0, 0, 0, 0],
    ...u64(bytes.length),
    ...bytes,
    ...Array.from({ length: (8 - (bytes.length % 8)) % 8 }, () => 0),
  ]
  const body = [...object(1, [1, 2, 3]), ...object(2, [...u64(ADDRESS), ...selection]), ...object(0, [])]
  const collection = [...text('GCOL'), 1, 0, 0, 0, ...u64(16 + body.length), ...body]
  const bytes = Uint8Array.from([...Array.from({ length: POSITION }, () => 0), ...collection])
  return memorySource(bytes)
}

describe('readRegion', () => {
  it.each([
    ['all', [...u32(3, 1, 0, 0)], { selectType: 'H5S_SEL_ALL' }],
    ['none', [...u32(0, 1, 0, 0)], { selectType: 'H5S_SEL_NONE' }],
    [
      'points',
      u32(1, 1, 0, 24, 2, 2, 0, 1, 2, 11),
      {
        selectType: 'H5S_SEL_POINTS',
        points: [
          [0, 1],
          [2, 11],
        ],
      },
    ],
    [
      'points of version 2',
      [...u32(1, 2), 8, ...u32(1), ...u64(2, 5, 7)],
      { selectType: 'H5S_SEL_POINTS', points: [[5], [7]] },
    ],
    [
      'blocks',
      u32(2, 1, 0, 24, 2, 2, 0, 0, 0, 2, 2, 11, 2, 13),
      {
        selectType: 'H5S_SEL_HYPERSLABS',
        blocks: [
          { first: [0, 0], last: [0, 2] },
          { first: [2, 11], last: [2, 13] },
        ],
      },
    ],
    [
      'a regular hyperslab of version 2',
      [...u32(2, 2), 1, ...u32(68, 2), ...u64(1, 3, 2, 1), ...u64(0, 5, 2, 2)],
      {
        selectType: 'H5S_SEL_HYPERSLABS',
        blocks: [
          { first: [1, 0], last: [1, 1] },
          { first: [1, 5], last: [1, 6] },
          { first: [4, 0], last: [4, 1] },
          { first: [4, 5], last: [4, 6] },
        ],
      },
    ],
    [
      'blocks of version 3',
      [...u32(2, 3), 0, 4, ...u32(1, 1, 3, 4)],
      { selectType: 'H5S_SEL_HYPERSLABS', blocks: [{ first: [3], last: [4] }] },
    ],
  ])('reads %s', async (_title, selection, region) => {
    expect(await readRegion(heapWith(selection), POSITION, 2)).toEqual({ address: BigInt(ADDRESS), region })
  })

  it.each([
    ['an unknown type', u32(9, 1), 'no selection of type 9'],
    ['an unknown version', u32(2, 9), 'version 9'],
    ['a count beyond the object', u32(1, 1, 0, 24, 1, 1_000_000), '1000000 items do not fit'],
    [
      'too many blocks',
      [...u32(2, 2), 1, ...u32(36, 1), ...u64(0, 1, 2_000_000, 1)],
      'too large to be listed',
    ],
    ['nothing', [], 'bytes are needed'],
  ])('refuses %s', async (_title, selection, message) => {
    await expect(readRegion(heapWith(selection), POSITION, 2)).rejects.toThrow(message)
  })

  it('refuses a heap that is not there, and an object that is not in it', async () => {
    await expect(readRegion(heapWith([]), 0, 2)).rejects.toThrow('no global heap at 0')
    await expect(readRegion(heapWith([]), POSITION, 7)).rejects.toThrow('has no object 7')
  })
})
