// Memory as the library lays it out, written by hand, against the JSON of what becomes of it.

import { describe, expect, it } from 'vitest'
import { idFromHex } from '../../src/hdf5/object-id.ts'
import { elementsToJson } from '../../src/hdf5/values/json-tree.ts'
import { PREFIXED_REFERENCES } from '../../src/hdf5/values/references.ts'
import { elementsFromMemory } from './convert.ts'
import { memoryTypeOf } from './memory-type.ts'

type TypeMetadata = Parameters<typeof memoryTypeOf>[0]
type Member = NonNullable<TypeMetadata['compound_type']>['members'][number]

const plain = { shape: [], vlen: false, signed: false, littleEndian: true }
const int16 = { ...plain, type: 0, size: 2, signed: true }
const bigInt16 = { ...int16, littleEndian: false }
const text = { ...plain, type: 3, size: 4, cset: 1, strpad: 0, vlen: true }
const reference = { ...plain, type: 7, size: 8, ref_type: 'object' as const, littleEndian: false }

/** h5wasm has more of members than we read. */
function compound(
  size: number,
  ...members: [name: string, offset: number, type: TypeMetadata][]
): TypeMetadata {
  const described = members.map(([name, offset, type]) => ({ ...type, name, offset }) as Member)
  return { ...plain, type: 6, size, compound_type: { nmembers: described.length, members: described } }
}

function array(type: TypeMetadata, length: number): TypeMetadata {
  const array_type = { ...type, shape: [length], total_size: length, chunks: null, maxshape: null }
  return { ...plain, littleEndian: type.littleEndian, type: 10, size: length * type.size, array_type }
}

function sequence(type: TypeMetadata): TypeMetadata {
  const vlen_type = { ...type, total_size: 0, chunks: null, maxshape: null }
  return { ...plain, littleEndian: type.littleEndian, type: 9, size: 8, vlen_type }
}

function enumOf(type: TypeMetadata): TypeMetadata {
  return { ...type, type: 8, enum_type: { type: 0, nmembers: 1, members: { ONE: 1 } } }
}

/** Elements lie at 64, what they point to wherever the case puts it. */
const START = 64

function convert(
  metadata: TypeMetadata,
  bytes: Record<number, readonly number[]>,
  count = 1,
  nbit?: number[],
): unknown {
  const memory = new Uint8Array(256)
  for (const [at, values] of Object.entries(bytes)) memory.set(values, Number(at))
  const type = memoryTypeOf(metadata, nbit)
  const elements = elementsFromMemory(memory, START, type, count, {
    object: address => ({ kind: 'dataset', id: idFromHex(address.toString(16).padStart(32, '0')) }),
    region: () => undefined,
  })
  const style = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const
  return elementsToJson(type.type, [count], elements, style)
}

const hidden = [9, 9]

describe('elementsFromMemory', () => {
  it.each([
    ['little-endian integers are copied', int16, { [START]: [1, 2, 255, 255] }, 2, [513, -1]],
    ['big-endian integers, little-endian in memory, are turned', bigInt16, { [START]: [1, 2] }, 1, [513]],
    ['big-endian enums are as they are', enumOf(bigInt16), { [START]: [0, 1] }, 1, [1]],
    [
      'compounds lose their gaps',
      compound(6, ['a', 0, int16], ['b', 4, int16]),
      { [START]: [1, 0, ...hidden, 2, 0, 3, 0, ...hidden, 4, 0] },
      2,
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      'compounds of big-endian members are little-endian in memory',
      compound(4, ['a', 0, bigInt16], ['b', 2, bigInt16]),
      { [START]: [1, 0, 2, 0] },
      1,
      [[1, 2]],
    ],
    [
      'compounds of both byte orders keep them',
      compound(4, ['a', 0, bigInt16], ['b', 2, int16]),
      { [START]: [0, 1, 2, 0] },
      1,
      [[1, 2]],
    ],
    [
      'members of a compound after an enum keep their byte order',
      compound(6, ['a', 0, bigInt16], ['e', 2, enumOf(bigInt16)], ['b', 4, bigInt16]),
      { [START]: [1, 0, 0, 1, 0, 2] },
      1,
      [[1, 1, 2]],
    ],
    [
      'an array of enums does not end the turning',
      compound(6, ['e', 0, array(enumOf(bigInt16), 2)], ['b', 4, bigInt16]),
      { [START]: [0, 1, 0, 1, 2, 0] },
      1,
      [[[1, 1], 2]],
    ],
    [
      'arrays in compounds',
      compound(8, ['a', 0, array(int16, 3)], ['b', 6, int16]),
      { [START]: [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0] },
      2,
      [
        [[1, 2, 3], 4],
        [[5, 6, 7], 8],
      ],
    ],
    [
      'variable strings, null ones included',
      text,
      { [START]: [10, 0, 0, 0, 0, 0, 0, 0], 10: [0xc3, 0xa4, 0x62, 0] },
      2,
      ['äb', ''],
    ],
    [
      'sequences of compounds with strings',
      sequence(compound(8, ['n', 0, int16], ['t', 4, text])),
      {
        [START]: [2, 0, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        100: [7, 0, ...hidden, 10, 0, 0, 0, 8, 0, ...hidden, 12, 0, 0, 0],
        10: [0x61, 0, 0x62, 0],
      },
      2,
      [
        [
          [7, 'a'],
          [8, 'b'],
        ],
        [],
      ],
    ],
    [
      'object references, null ones and undefined ones included',
      reference,
      { [START]: [16, ...Array(7).fill(0), ...Array(8).fill(0), ...Array(8).fill(255)] },
      3,
      ['datasets/d-00000000-00000000-0000-000000-000010', '', ''],
    ],
  ])('%s', (_title, metadata, memory, count, json) => {
    expect(convert(metadata, memory, count)).toEqual(json)
  })

  it('moves the bits of reduced precision down and fills in the sign', () => {
    const nbit = [8, 0, 2, 1, 2, 0, 9, 3]
    expect(convert(int16, { [START]: [0xf8, 0x07, 0x08, 0x00, 0x00, 0x08] }, 3, nbit)).toEqual([255, 1, -256])
    const members = compound(4, ['a', 0, int16], ['b', 2, int16])
    const nested = [15, 0, 1, 3, 4, 2, 0, 1, 2, 0, 16, 0, 2, 1, 2, 0, 9, 3]
    expect(convert(members, { [START]: [1, 0, 0x08, 0x00] }, 1, nested)).toEqual([[1, 1]])
  })
})

describe('memoryTypeOf', () => {
  it.each([
    ['times', { ...plain, type: 2, size: 4 }, 'H5T_TIME'],
    ['complex numbers', { ...plain, type: 11, size: 8 }, 'H5T_COMPLEX'],
    ['long doubles', { ...plain, type: 1, size: 16 }, 'H5T_FLOAT of 16 bytes'],
    ['integers of odd sizes', { ...int16, size: 3 }, 'H5T_INTEGER of 3 bytes'],
    ['new references', { ...reference, size: 64 }, 'references other than'],
    [
      'members that h5wasm cuts',
      { ...enumOf({ ...int16, size: 8 }), enum_type: { type: 0, nmembers: 1, members: { A: 2 ** 31 - 1 } } },
      'beyond 32 bits',
    ],
    [
      'members that h5wasm loses',
      { ...enumOf(int16), enum_type: { type: 0, nmembers: 2, members: { A: 1 } } },
      'beyond 32 bits',
    ],
  ])('refuses %s', (_title, metadata, message) => {
    expect(() => memoryTypeOf(metadata)).toThrow(message)
  })
})
