// Datatypes in the classic dialect: every class goes in and comes back as JSON, as binary, as an attribute and as a
// committed type (classic 14, 15.4 and 15.8).

import { describe, expect, test } from 'vitest'
import { newDomain } from './domain.ts'
import {
  array,
  boolean,
  compound,
  fixed,
  float,
  int,
  phase,
  variable,
  vlen,
  written,
} from './type-objects.ts'

const OCTETS = { headers: { accept: 'application/octet-stream' } }
interface Case {
  readonly given: unknown
  /** How the type is shown, when that is not how it was given. */
  readonly shown?: unknown
  readonly value: readonly unknown[]
  /** How the value reads, when that is not how it was written. */
  readonly reads?: readonly unknown[]
  /** The stored bytes in hexadecimal; absent for types of variable size. */
  readonly bytes?: string
}

const CASES: Readonly<Record<string, Case>> = {
  'classic 14.3m: one-byte integers are shown as LE': {
    given: 'H5T_STD_I8BE',
    shown: int('H5T_STD_I8LE'),
    value: [-128, 127],
    bytes: '807f',
  },
  'unsigned one-byte integers': {
    given: 'H5T_STD_U8BE',
    shown: int('H5T_STD_U8LE'),
    value: [0, 255],
    bytes: '00ff',
  },
  'classic 14.3a: I16LE': {
    given: 'H5T_STD_I16LE',
    shown: int('H5T_STD_I16LE'),
    value: [-2, 32767],
    bytes: 'feffff7f',
  },
  I16BE: { given: 'H5T_STD_I16BE', shown: int('H5T_STD_I16BE'), value: [-2, 32767], bytes: 'fffe7fff' },
  U16BE: { given: 'H5T_STD_U16BE', shown: int('H5T_STD_U16BE'), value: [1, 65535], bytes: '0001ffff' },
  I32BE: {
    given: int('H5T_STD_I32BE'),
    value: [1, -2147483648],
    bytes: '0000000180000000',
  },
  U32LE: {
    given: int('H5T_STD_U32LE'),
    value: [1, 4294967295],
    bytes: '01000000ffffffff',
  },
  I64LE: {
    given: int('H5T_STD_I64LE'),
    value: [1, -9007199254740991],
    bytes: '0100000000000000010000000000e0ff',
  },
  U64BE: { given: int('H5T_STD_U64BE'), value: [1, 2], bytes: '00000000000000010000000000000002' },
  'a name without byte order is little-endian': {
    given: 'H5T_STD_I32',
    shown: int('H5T_STD_I32LE'),
    value: [1, 2],
    bytes: '0100000002000000',
  },
  'a base without byte order is little-endian': {
    given: float('H5T_IEEE_F64'),
    shown: float('H5T_IEEE_F64LE'),
    value: [1, 2],
    bytes: '000000000000f03f0000000000000040',
  },
  '32-bit floats read widened': {
    given: float('H5T_IEEE_F32LE'),
    value: [0.42, 3, -0.1],
    reads: [0.41999998688697815, 3, -0.10000000149011612],
    bytes: '3d0ad73e00004040cdccccbd',
  },
  F32BE: {
    given: 'H5T_IEEE_F32BE',
    shown: float('H5T_IEEE_F32BE'),
    value: [1.5, -2],
    bytes: '3fc00000c0000000',
  },
  'classic 14.3a: F64BE': {
    given: float('H5T_IEEE_F64BE'),
    value: [0.1, 1e300],
    bytes: '3fb999999999999a7e37e43c8800759c',
  },
  F16LE: {
    given: float('H5T_IEEE_F16LE'),
    value: [0.42, -1.25],
    reads: [0.419921875, -1.25],
    bytes: 'b83600bd',
  },
  'classic 14.3b, 15.8c: fixed strings: cut to length, NUL-padded': {
    given: fixed(4),
    value: ['abcdef', 'ab', ''],
    reads: ['abcd', 'ab', ''],
    bytes: '61626364'.concat('61620000', '00000000'),
  },
  'classic 14.3n: fixed strings are shown as NULLPAD whatever was asked': {
    given: { ...fixed(3), strPad: 'H5T_STR_SPACEPAD' },
    shown: fixed(3),
    value: ['a', 'abc'],
    bytes: '610000616263',
  },
  'classic 14.3c, 15.4c: variable strings in any script': {
    given: variable(),
    value: ['', 'Größe', '数据', '😀', 'a"b\\c\n\t\u0001', 'x'.repeat(10_000)],
  },
  'ASCII strings may hold UTF-8 text': { given: variable('H5T_CSET_ASCII'), value: ['é', 'plain'] },
  'classic 14.3n: variable strings are shown as NULLTERM whatever was asked': {
    given: { ...variable(), strPad: 'H5T_STR_SPACEPAD' },
    shown: variable(),
    value: ['a ', ' b'],
  },
  'classic 14.3d, 14.3l, 15.4d, 15.8b: compound: an array of field values, packed without padding': {
    given: compound({ a: 'H5T_STD_I8LE', b: 'H5T_IEEE_F64LE', c: fixed(2) }),
    shown: compound({ a: int('H5T_STD_I8LE'), b: float('H5T_IEEE_F64LE'), c: fixed(2) }),
    value: [
      [1, 0.5, 'xy'],
      [-1, 2, 'z'],
    ],
    bytes: `01000000000000e03f7879${'ff00000000000000407a00'}`,
  },
  'compound of compound, array, enum and boolean': {
    given: compound({
      p: compound({ x: int('H5T_STD_I16LE'), y: int('H5T_STD_I16BE') }),
      m: array(int('H5T_STD_U8LE'), [2, 2]),
      e: phase,
      t: boolean,
    }),
    value: [
      [
        [1, 2],
        [
          [1, 2],
          [3, 4],
        ],
        -2,
        true,
      ],
      [
        [3, 4],
        [
          [5, 6],
          [7, 8],
        ],
        1,
        false,
      ],
    ],
    bytes: '01000002'.concat('01020304', 'fffe', '01', '03000004', '05060708', '0001', '00'),
  },
  'compound with a variable string and a sequence': {
    given: compound({ s: variable(), v: vlen(int('H5T_STD_I32LE')), n: int('H5T_STD_I32LE') }),
    value: [
      ['ü', [1, 2, 3], 7],
      ['', [], 8],
    ],
  },
  'classic 14.3e, 15.4e: array: nested arrays of shape dims': {
    given: array(int('H5T_STD_I16LE'), [2, 3]),
    value: [
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      [
        [7, 8, 9],
        [10, 11, 12],
      ],
    ],
    bytes: '010002000300040005000600'.concat('0700080009000a000b000c00'),
  },
  'array with a bare integer as dims': {
    given: { class: 'H5T_ARRAY', base: 'H5T_STD_U8LE', dims: 2 },
    shown: array(int('H5T_STD_U8LE'), [2]),
    value: [
      [1, 2],
      [3, 4],
    ],
    bytes: '01020304',
  },
  'array of strings': {
    given: array(fixed(2), [2]),
    value: [
      ['a', 'bc'],
      ['d', ''],
    ],
    bytes: '6100626364000000',
  },
  'classic 14.3f, 15.4a: enum: integers, names in any order': {
    given: phase,
    value: [1, -2, 0, 10],
    bytes: '0001fffe0000000a',
  },
  'classic 14.3g, 15.8d: boolean: true and false, 0 and 1 accepted': {
    given: boolean,
    value: [true, 0, false, 1],
    reads: [true, false, false, true],
    bytes: '01000001',
  },
  'enum given with members and a base name': {
    given: {
      class: 'H5T_ENUM',
      base: 'H5T_STD_I8LE',
      members: [
        { name: 'A', value: 3 },
        { name: 'B', value: 4 },
      ],
    },
    shown: { class: 'H5T_ENUM', base: int('H5T_STD_I8LE'), mapping: { A: 3, B: 4 } },
    value: [3, 4],
    bytes: '0304',
  },
  'classic 14.3h, 15.4f: sequences of any length': {
    given: vlen(int('H5T_STD_I32BE')),
    value: [[], [1], [1, 2, 3], Array(500).fill(7)],
  },
  'sequences of strings': { given: vlen(variable()), value: [['a', '数'], []] },
  'unknown extra keys of a type are ignored': {
    given: { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE', order: 'x', size: 4, base_size: 4 },
    shown: int('H5T_STD_I32LE'),
    value: [5, 6],
    bytes: '0500000006000000',
  },
}

describe.each(Object.entries(CASES))('classic 14 and 15.4: %s', (_title, item) => {
  const reads = item.reads ?? item.value

  test('classic 14.1a: type and JSON value round trip in a dataset', async () => {
    const domain = await newDomain()
    const id = await written(domain, item.given, { value: item.value }, item.value.length)
    for (const path of [`/datasets/${id}`, `/datasets/${id}/type`]) {
      expect((await domain.want(200, 'GET', path)).type).toEqual(item.shown ?? item.given)
    }
    expect(await domain.value(id)).toEqual(reads)
    expect(await domain.value(id, '?select=[1:2]')).toEqual(reads.slice(1, 2))
    const points = await domain.want(200, 'POST', `/datasets/${id}/value`, { points: [1, 0] })
    expect(points.value).toEqual([reads[1], reads[0]])
  })

  test('type and JSON value round trip in an attribute, and as a committed type', async () => {
    const domain = await newDomain()
    const committed = await domain.datatype({ type: item.given })
    const shown = item.shown ?? item.given
    expect((await domain.want(200, 'GET', `/datatypes/${committed}`)).type).toEqual(shown)
    const path = `/groups/${domain.root}/attributes`
    const body = { shape: [item.value.length], value: item.value }
    await domain.want(201, 'PUT', `${path}/a`, { type: item.given, ...body })
    await domain.want(201, 'PUT', `${path}/b`, { type: committed, ...body })
    expect(await domain.want(200, 'GET', `${path}/a`)).toMatchObject({ type: shown, value: reads })
    expect(await domain.want(200, 'GET', `${path}/b`)).toMatchObject({
      type: `datatypes/${committed}`,
      value: reads,
    })
  })

  test('classic 3.3b, 7.10a, 15.8a, 15.8e: the same bytes out and in, or JSON when the size is variable', async () => {
    const domain = await newDomain()
    const id = await written(domain, item.given, { value: item.value }, item.value.length)
    const reply = await domain.send('GET', `/datasets/${id}/value`, undefined, OCTETS)
    expect(reply.status, reply.story).toBe(200)
    if (item.bytes === undefined) {
      expect(reply.headers['content-type']).toBe('application/json')
      expect(reply.json().value).toEqual(reads)
      return
    }
    expect(reply.headers['content-type']).toBe('application/octet-stream')
    expect(reply.bytes.toString('hex')).toBe(item.bytes)
    const value_base64 = Buffer.from(item.bytes, 'hex').toString('base64')
    const copy = await written(domain, item.given, { value_base64 }, item.value.length)
    expect(await domain.value(copy)).toEqual(reads)
  })
})

describe('classic 14.2: types that are 400', () => {
  test.each<[string, unknown]>([
    ['no class', { base: 'H5T_STD_I8LE' }],
    ['unknown class', { class: 'H5T_FOO' }],
    ['time', { class: 'H5T_TIME', base: 'H5T_UNIX_D32LE' }],
    ['integer without base', { class: 'H5T_INTEGER' }],
    ['integer with a float base', { class: 'H5T_INTEGER', base: 'H5T_IEEE_F32LE' }],
    ['float with an integer base', { class: 'H5T_FLOAT', base: 'H5T_STD_I32LE' }],
    ['128-bit integer', 'H5T_STD_I128LE'],
    ['string without length', { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII' }],
    ['string without character set', { class: 'H5T_STRING', length: 5 }],
    ['string of length 0', { ...fixed(0) }],
    ['string of negative length', { ...fixed(-1) }],
    ['string of fractional length', { ...fixed(1.5) }],
    ['string with unknown character set', { ...fixed(3), charSet: 'LATIN1' }],
    ['compound without fields', { class: 'H5T_COMPOUND' }],
    ['compound of no fields', { class: 'H5T_COMPOUND', fields: [] }],
    ['compound field without type', { class: 'H5T_COMPOUND', fields: [{ name: 'a' }] }],
    ['compound field without name', { class: 'H5T_COMPOUND', fields: [{ type: 'H5T_STD_I8LE' }] }],
    [
      'compound field twice',
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'a', type: 'H5T_STD_I8LE' },
          { name: 'a', type: 'H5T_STD_I8LE' },
        ],
      },
    ],
    ['compound fields that are no list', { class: 'H5T_COMPOUND', fields: { a: 'H5T_STD_I8LE' } }],
    ['array without base', { class: 'H5T_ARRAY', dims: [2] }],
    ['array without dims', { class: 'H5T_ARRAY', base: 'H5T_STD_I8LE' }],
    ['array with zero dims', { class: 'H5T_ARRAY', base: 'H5T_STD_I8LE', dims: [0] }],
    ['array with negative dims', { class: 'H5T_ARRAY', base: 'H5T_STD_I8LE', dims: [-2] }],
    ['array with absurd dims', { class: 'H5T_ARRAY', base: 'H5T_STD_I8LE', dims: [2 ** 53, 2 ** 53] }],
    ['enum without base', { class: 'H5T_ENUM', mapping: { A: 0 } }],
    ['enum without mapping', { class: 'H5T_ENUM', base: int('H5T_STD_I8LE') }],
    ['enum of no members', { class: 'H5T_ENUM', base: int('H5T_STD_I8LE'), mapping: {} }],
    ['enum of floats', { class: 'H5T_ENUM', base: float('H5T_IEEE_F32LE'), mapping: { A: 0 } }],
    ['enum value that is no integer', { class: 'H5T_ENUM', base: int('H5T_STD_I8LE'), mapping: { A: 'x' } }],
    ['vlen without base', { class: 'H5T_VLEN' }],
    ['opaque without size', { class: 'H5T_OPAQUE' }],
    ['opaque of size 0', { class: 'H5T_OPAQUE', size: 0 }],
    ['reference without base', { class: 'H5T_REFERENCE' }],
    ['reference with unknown base', { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_FOO' }],
    ['dims on an integer', { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE', dims: [2] }],
    ['class that is a number', { class: 5 }],
  ])('%s, for datasets, committed types and attributes', async (_title, type) => {
    const domain = await newDomain()
    await domain.refuse(400, 'POST', '/datasets', { type, shape: [1] })
    await domain.refuse(400, 'POST', '/datatypes', { type })
    await domain.refuse(400, 'PUT', `/groups/${domain.root}/attributes/a`, { type, value: 1 })
    expect((await domain.want(200, 'GET', '/datatypes')).datatypes).toEqual([])
  })
})
