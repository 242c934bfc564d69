// Types of files and the types of the model that hold them.

import { formatDatatype } from '@hyperslab/model/datatype'
import { describe, expect, it } from 'vitest'
import type { FileFloat, FileInteger, FileType } from '../../format/file-type.ts'
import { isStorageForm, modelType } from './types.ts'

function integer(size: number, changes: Partial<FileInteger> = {}): FileInteger {
  return { class: 'H5T_INTEGER', size, order: 'LE', signed: true, offset: 0, precision: size * 8, ...changes }
}

const I16 = integer(2)
const F32: FileFloat = {
  class: 'H5T_FLOAT',
  size: 4,
  order: 'LE',
  offset: 0,
  precision: 32,
  sign: 31,
  exponent: { location: 23, size: 8, bias: 127 },
  mantissa: { location: 0, size: 23, normalization: 'implied' },
}
const LONG_DOUBLE: FileFloat = {
  ...F32,
  size: 16,
  precision: 80,
  sign: 79,
  exponent: { location: 64, size: 15, bias: 16383 },
  mantissa: { location: 0, size: 64, normalization: 'none' },
}
const BFLOAT16: FileFloat = {
  ...F32,
  size: 2,
  precision: 16,
  sign: 15,
  exponent: { location: 7, size: 8, bias: 127 },
  mantissa: { location: 0, size: 7, normalization: 'implied' },
}
const STRING: FileType = {
  class: 'H5T_STRING',
  size: 5,
  padding: 'H5T_STR_SPACEPAD',
  charSet: 'H5T_CSET_UTF8',
}

function vlen(base: FileType): FileType {
  return { class: 'H5T_VLEN', size: 16, base }
}

function array(base: FileType, ...dims: number[]): FileType {
  return {
    class: 'H5T_ARRAY',
    size: dims.reduce((product, extent) => product * extent, base.size),
    dims,
    base,
  }
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function compound(size: number, ...members: [name: string, offset: number, type: FileType][]): FileType {
  return {
    class: 'H5T_COMPOUND',
    size,
    members: members.map(([name, offset, type]) => ({ name: bytes(name), offset, type })),
  }
}

function number(base: string) {
  return { class: base.startsWith('H5T_IEEE') ? 'H5T_FLOAT' : 'H5T_INTEGER', base }
}

describe('modelType', () => {
  it.each<[what: string, type: FileType, json: object, warning?: RegExp]>([
    ['integers', integer(8, { order: 'BE', signed: false }), number('H5T_STD_U64BE')],
    ['integers of one byte, without an order', integer(1, { order: 'BE' }), number('H5T_STD_I8LE')],
    ['integers of 3 bytes', integer(3, { order: 'BE' }), number('H5T_STD_I32BE')],
    ['integers of 5 bytes', integer(5, { signed: false }), number('H5T_STD_U64LE')],
    ['reduced precision', integer(4, { precision: 12, offset: 5 }), number('H5T_STD_I32LE')],
    [
      'integers of 128 bits',
      integer(16),
      { class: 'H5T_OPAQUE', size: 16 },
      /H5T_INTEGER and 16 bytes are held as opaque/,
    ],
    [
      'integers of 16 bits in very many bytes',
      integer(2 ** 20, { precision: 16 }),
      { class: 'H5T_OPAQUE', size: 2 ** 20 },
      /H5T_INTEGER and 1048576 bytes are held as opaque/,
    ],
    ['IEEE floats', { ...F32, order: 'BE' }, number('H5T_IEEE_F32BE')],
    ['bfloat16', { ...BFLOAT16, order: 'BE' }, number('H5T_IEEE_F32BE')],
    ['long doubles', LONG_DOUBLE, number('H5T_IEEE_F64LE'), /the nearest IEEE floats of 8 bytes/],
    ['floats of 64 bytes', { ...F32, size: 64 }, { class: 'H5T_OPAQUE', size: 64 }, /H5T_FLOAT and 64 bytes/],
    ['times', { class: 'H5T_TIME', size: 4, order: 'BE', precision: 32 }, number('H5T_STD_I32BE'), /times/],
    [
      'strings',
      STRING,
      { class: 'H5T_STRING', length: 5, charSet: 'H5T_CSET_UTF8', strPad: 'H5T_STR_SPACEPAD' },
    ],
    [
      'bitfields of 3 bytes',
      { ...integer(3, { precision: 7 }), class: 'H5T_BITFIELD' },
      { class: 'H5T_BITFIELD', base: 'H5T_STD_B32LE' },
    ],
    [
      'opaque types with a tag',
      { class: 'H5T_OPAQUE', size: 3, tag: bytes('jpeg') },
      { class: 'H5T_OPAQUE', size: 3, tag: 'jpeg' },
    ],
    [
      'opaque types without one',
      { class: 'H5T_OPAQUE', size: 3, tag: bytes('') },
      { class: 'H5T_OPAQUE', size: 3 },
    ],
    [
      'compounds, members in the order of the file',
      compound(20, ['b', 8, F32], ['\xe9', 0, I16]),
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'b', type: number('H5T_IEEE_F32LE') },
          { name: '\xe9', type: number('H5T_STD_I16LE') },
        ],
      },
    ],
    [
      'complex numbers',
      { class: 'H5T_COMPLEX', size: 8, base: F32 },
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'r', type: number('H5T_IEEE_F32LE') },
          { name: 'i', type: number('H5T_IEEE_F32LE') },
        ],
      },
    ],
    [
      'enums, also of 64 bits',
      {
        class: 'H5T_ENUM',
        size: 8,
        base: integer(8),
        members: [
          { name: bytes('LEAST'), value: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0x80) },
          { name: bytes('MINUS'), value: Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff) },
        ],
      },
      {
        class: 'H5T_ENUM',
        base: number('H5T_STD_I64LE'),
        mapping: new Map<string, number | bigint>([
          ['LEAST', -(2n ** 63n)],
          ['MINUS', -1],
        ]),
      },
    ],
    [
      'sequences',
      vlen(array(I16, 2, 3)),
      { class: 'H5T_VLEN', base: { class: 'H5T_ARRAY', dims: [2, 3], base: number('H5T_STD_I16LE') } },
    ],
    [
      'variable strings',
      {
        class: 'H5T_VLEN',
        size: 12,
        base: integer(1),
        text: { padding: 'H5T_STR_NULLPAD', charSet: 'H5T_CSET_ASCII' },
      },
      { class: 'H5T_STRING', length: 'H5T_VARIABLE', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' },
    ],
    ...(['object', 'object2'] as const).map((kind): [string, FileType, object] => [
      `references of the kind ${kind}`,
      { class: 'H5T_REFERENCE', size: 8, kind },
      { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' },
    ]),
    ...(['region', 'region2'] as const).map((kind): [string, FileType, object] => [
      `references of the kind ${kind}`,
      { class: 'H5T_REFERENCE', size: 12, kind },
      { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' },
    ]),
    [
      'references to attributes',
      { class: 'H5T_REFERENCE', size: 18, kind: 'attribute' },
      { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' },
      /references to attributes are held as/,
    ],
  ])('holds %s', (_, type, json, warning) => {
    const { type: model, warnings } = modelType(type)
    expect(formatDatatype(model)).toEqual(json)
    expect(warnings).toEqual(warning ? [expect.stringMatching(warning)] : [])
  })

  it.each<[what: string, type: FileType, inFile: unknown]>([
    ['gaps', compound(8, ['a', 0, I16], ['b', 4, F32]), { size: 8, offsets: [0, 4] }],
    ['a gap at its end', compound(8, ['a', 0, I16], ['b', 2, F32]), { size: 8, offsets: [0, 2] }],
    ['members in another order', compound(6, ['b', 2, F32], ['a', 0, I16]), { size: 6, offsets: [2, 0] }],
    ['neither', compound(6, ['a', 0, I16], ['b', 2, F32]), undefined],
    ['neither, and members that change', compound(18, ['a', 0, LONG_DOUBLE], ['b', 16, I16]), undefined],
  ])('says of a compound with %s where the members lie in the file', (_, type, inFile) => {
    const { type: model } = modelType(type)
    expect('inFile' in model ? model.inFile : undefined).toEqual(inFile)
  })

  it('gives each warning once', () => {
    expect(modelType(compound(32, ['a', 0, LONG_DOUBLE], ['b', 16, LONG_DOUBLE])).warnings).toHaveLength(1)
  })

  it.each<[what: string, type: FileType, code: string]>([
    ['two members of one name', compound(4, ['a', 0, I16], ['a', 2, I16]), 'file-unreadable'],
    ['an enum of floats', { class: 'H5T_ENUM', size: 4, base: F32, members: [] }, 'type-unsupported'],
    ['elements of 100 MB', { class: 'H5T_OPAQUE', size: 1e8, tag: bytes('') }, 'type-unsupported'],
    ['elements of 100 MB with a member of 2 bytes', compound(1e8, ['a', 0, I16]), 'type-unsupported'],
    ['elements of 20,000 sequences', array(vlen(I16), 20_000), 'type-unsupported'],
  ])('rejects %s', (_, type, code) => {
    expect(() => modelType(type)).toThrow(expect.objectContaining({ code }))
  })
})

describe('isStorageForm', () => {
  it.each<[is: boolean, what: string, type: FileType]>([
    [true, 'big-endian integers', integer(4, { order: 'BE' })],
    [true, 'packed compounds', compound(6, ['a', 0, I16], ['b', 2, F32])],
    [true, 'arrays of them', array(compound(6, ['a', 0, I16], ['b', 2, F32]), 3)],
    [true, 'complex numbers', { class: 'H5T_COMPLEX', size: 8, base: F32 }],
    [false, 'compounds with a gap', compound(8, ['a', 0, I16], ['b', 4, F32])],
    [false, 'compounds that end later', compound(8, ['a', 0, I16], ['b', 2, F32])],
    [false, 'members in another order', compound(6, ['b', 2, F32], ['a', 0, I16])],
    [false, 'reduced precision', integer(4, { precision: 12 })],
    [false, 'bfloat16', BFLOAT16],
    [false, 'sequences', vlen(I16)],
    [false, 'references', { class: 'H5T_REFERENCE', size: 8, kind: 'object' }],
  ])('is %s of %s', (is, _, type) => {
    expect(isStorageForm(type)).toBe(is)
  })
})
