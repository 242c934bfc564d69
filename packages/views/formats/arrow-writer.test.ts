// Streams as Flechette reads them, a library that shares no code with the one that writes them.

import type { Datatype } from '@hyperslab/model/datatype'
import { elementsFromJson, parseJson } from '@hyperslab/model/json'
import { type Elements, PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { TimeUnit, Type, tableFromIPC } from '@uwdata/flechette'
import { describe, expect, test } from 'vitest'
import { ArrowWriter } from './arrow-writer.ts'

const I8: Datatype = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const U16: Datatype = { class: 'H5T_INTEGER', size: 2, signed: false, order: 'BE' }
const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'BE' }
const I64: Datatype = { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' }
const U64: Datatype = { class: 'H5T_INTEGER', size: 8, signed: false, order: 'BE' }
const F16: Datatype = { class: 'H5T_FLOAT', size: 2, order: 'LE' }
const F32: Datatype = { class: 'H5T_FLOAT', size: 4, order: 'BE' }
const F64: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}
const FIXED: Datatype = {
  class: 'H5T_STRING',
  length: 4,
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_SPACEPAD',
}
const BOOLEAN: Datatype = {
  class: 'H5T_ENUM',
  base: I8 as never,
  members: [
    { name: 'FALSE', value: 0 },
    { name: 'TRUE', value: 1 },
  ],
}
const ENUM: Datatype = { class: 'H5T_ENUM', base: U16 as never, members: [{ name: 'RED', value: 500 }] }

function compound(members: Readonly<Record<string, Datatype>>): Datatype {
  return {
    class: 'H5T_COMPOUND',
    fields: Object.entries(members).map(([name, type]) => ({ name, type })),
  }
}

function elementsOf(type: Datatype, json: string): Elements {
  const value = parseJson(Buffer.from(json))
  const { length } = value as readonly unknown[]
  return elementsFromJson(type, [length], value, PREFIXED_REFERENCES)
}

/** The parts of a stream of these pieces. */
function parts(type: Datatype, pieces: readonly Elements[], count?: number): readonly Uint8Array[] {
  const writer = new ArrowWriter(type, count, PREFIXED_REFERENCES)
  const parts = [writer.header()]
  for (const piece of pieces) parts.push(...writer.write(piece))
  parts.push(...writer.finish())
  return parts.filter(part => part.length > 0)
}

function read(type: Datatype, pieces: readonly Elements[]) {
  return tableFromIPC(Buffer.concat(parts(type, pieces)), { useBigInt: true })
}

/** Rows of plain values: of lists of numbers, too. */
function rowsOf(type: Datatype, pieces: readonly Elements[]): unknown {
  const plain = (value: unknown): unknown => {
    if (ArrayBuffer.isView(value) || Array.isArray(value))
      return Array.from(value as Uint8Array, plain as never)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
  }
  return plain(read(type, pieces).toArray())
}

describe('an Arrow stream', () => {
  const id = 'g-45a882e1-9d0111e8-8acf-0242ac-110009'
  test.each<[string, Datatype, string, readonly unknown[]]>([
    ['8-bit integers', I8, '[-5,127]', [-5, 127]],
    ['big-endian integers', U16, '[1,65535]', [1, 65535]],
    ['negative big-endian integers', I32, '[-2147483648,7]', [-(2 ** 31), 7]],
    ['64-bit integers', I64, '[-9223372036854775808,9007199254740993]', [-(2n ** 63n), 2n ** 53n + 1n]],
    ['unsigned 64-bit integers', U64, '[18446744073709551615,1]', [2n ** 64n - 1n, 1n]],
    ['half floats', F16, '[0.5,-2]', [0.5, -2]],
    ['big-endian floats', F32, '[0.25,NaN,-Infinity]', [0.25, Number.NaN, Number.NEGATIVE_INFINITY]],
    ['doubles', F64, '[0.1,1e300]', [0.1, 1e300]],
    ['bits', { class: 'H5T_BITFIELD', size: 1, order: 'LE' }, '[255]', [255]],
    ['booleans', BOOLEAN, '[true,false,true]', [true, false, true]],
    ['enumerations', ENUM, '[500,0]', [500, 0]],
    [
      'opaque values',
      { class: 'H5T_OPAQUE', size: 3 },
      '["AQID","AAAA"]',
      [
        [1, 2, 3],
        [0, 0, 0],
      ],
    ],
    ['strings of fixed length', FIXED, '["é","abcd",""]', ['é', 'abcd', '']],
    ['strings of variable length', TEXT, '["測定","","a,b"]', ['測定', '', 'a,b']],
    [
      'references',
      { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' },
      `["groups/${id}",""]`,
      [`groups/${id}`, ''],
    ],
    [
      'arrays',
      { class: 'H5T_ARRAY', base: U16, dims: [2, 3] },
      '[[[1,2,3],[4,5,6]],[[7,8,9],[10,11,12]]]',
      [
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        [
          [7, 8, 9],
          [10, 11, 12],
        ],
      ],
    ],
    ['sequences', { class: 'H5T_VLEN', base: I32 }, '[[1,2],[],[3]]', [[1, 2], [], [3]]],
    [
      'sequences of sequences',
      { class: 'H5T_VLEN', base: { class: 'H5T_VLEN', base: TEXT } },
      '[[["a"],["b","c"]],[]]',
      [[['a'], ['b', 'c']], []],
    ],
  ])('holds %s in the column value', (_, type, json, values) => {
    const rows = values.map(value => ({ value }))
    expect(rowsOf(type, [elementsOf(type, json)])).toEqual(rows)
  })

  test('holds compounds as columns, and members of members as structs', () => {
    const point = compound({ x: F32, y: F64 })
    const type = compound({
      n: I64,
      név: TEXT,
      point,
      points: { class: 'H5T_ARRAY', base: point, dims: [2] },
      flags: { class: 'H5T_ARRAY', base: BOOLEAN, dims: [2] },
      list: { class: 'H5T_VLEN', base: point },
      bytes: { class: 'H5T_OPAQUE', size: 2 },
    })
    const pieces = [
      elementsOf(type, '[[1,"a",[1,2],[[3,4],[5,6]],[true,false],[[7,8]],"AQI="]]'),
      elementsOf(type, '[[-1,"bc",[-1,-2],[[0,0],[0.5,0]],[false,true],[],"AAA="]]'),
    ]
    expect(rowsOf(type, pieces)).toEqual([
      {
        n: 1n,
        név: 'a',
        point: { x: 1, y: 2 },
        points: [
          { x: 3, y: 4 },
          { x: 5, y: 6 },
        ],
        flags: [true, false],
        list: [{ x: 7, y: 8 }],
        bytes: [1, 2],
      },
      {
        n: -1n,
        név: 'bc',
        point: { x: -1, y: -2 },
        points: [
          { x: 0, y: 0 },
          { x: 0.5, y: 0 },
        ],
        flags: [false, true],
        list: [],
        bytes: [0, 0],
      },
    ])
  })

  test('of no elements has its columns, and no batch', () => {
    const table = read(compound({ a: I8, b: TEXT }), [])
    expect([table.numRows, table.names]).toEqual([0, ['a', 'b']])
  })

  test('no value is null', () => {
    const { schema } = read(I8, [elementsOf(I8, '[1]')])
    expect(schema.fields.map(({ nullable }) => nullable)).toEqual([false])
  })

  test('is of batches of about one MiB, which small pieces are gathered to', () => {
    const piece = { count: 1000, data: new Uint8Array(8000).fill(1), heap: new Uint8Array(0) }
    const pieces = Array.from({ length: 1000 }, () => piece)
    const stream = parts(F64, pieces, 1_000_000)
    const batches = stream.filter(({ length }) => length > 100_000)
    expect(batches.length).toBe(8)
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThan(1.3 * 2 ** 20)
    const table = tableFromIPC(Buffer.concat(stream))
    expect([table.numRows, table.getChild('value').at(999_999)]).toEqual([
      1_000_000,
      new DataView(piece.data.buffer).getFloat64(0),
    ])
  })

  test('long strings end a batch early, and what was handed out stays', () => {
    const text = (letter: string) => elementsOf(TEXT, JSON.stringify([letter.repeat(700_000)]))
    const letters = [...'abcde']
    const table = read(TEXT, letters.map(text))
    const values = table.getChild('value').toArray() as readonly string[]
    expect(values.map(value => [value[0], value.length])).toEqual(letters.map(letter => [letter, 700_000]))
  })
})

describe('dates and durations of h5py', () => {
  const NAT = -(2n ** 63n)
  const of = (dtype: string): Datatype => ({ class: 'H5T_OPAQUE', size: 8, tag: `NUMPY:${dtype}` })
  function column(type: Datatype, numbers: readonly bigint[], isLittle = true) {
    const view = new DataView(new ArrayBuffer(8 * numbers.length))
    for (const [i, number] of numbers.entries()) view.setBigInt64(8 * i, number, isLittle)
    const data = new Uint8Array(view.buffer)
    const table = read(type, [{ count: numbers.length, data, heap: new Uint8Array(0) }])
    const column = table.getChild('value')
    const [batch] = column.data
    const { typeId, unit } = column.type as { readonly typeId: number; readonly unit: number }
    const values = [...(batch.values as unknown as BigInt64Array)]
    const kind = typeId === Type.Timestamp ? 'date' : typeId === Type.Duration ? 'duration' : 'other'
    return [kind, unit, values.map((value, i) => (batch.nullCount === 0 || batch.isValid(i) ? value : null))]
  }

  test.each<[string, bigint, string, number, bigint]>([
    ['<M8[ns]', 5n, 'date', TimeUnit.NANOSECOND, 5n],
    ['<M8[10us]', 5n, 'date', TimeUnit.MICROSECOND, 50n],
    ['<M8[25s]', 5n, 'date', TimeUnit.SECOND, 125n],
    ['<M8[D]', -1n, 'date', TimeUnit.SECOND, -86_400n],
    ['<M8[Y]', 1n, 'date', TimeUnit.SECOND, 31_536_000n],
    ['<m8[ms]', 7n, 'duration', TimeUnit.MILLISECOND, 7n],
    ['<m8[h]', 2n, 'duration', TimeUnit.SECOND, 7200n],
  ])('of %s are those of Arrow; NaT is null', (dtype, stored, kind, unit, value) => {
    expect(column(of(dtype), [stored, NAT])).toEqual([kind, unit, [value, null]])
  })

  test('may be big-endian', () => {
    expect(column(of('>M8[s]'), [1n], false)).toEqual(['date', TimeUnit.SECOND, [1n]])
  })

  test('that Arrow has no unit for stay bytes', () => {
    for (const dtype of ['<M8[ps]', '<m8[Y]'])
      expect(read(of(dtype), []).getChild('value').type).toMatchObject({ typeId: Type.FixedSizeBinary })
  })

  test('beyond those of Arrow are an error', () => {
    expect(() => column(of('<M8[D]'), [2n ** 60n])).toThrow('Arrow cannot hold')
  })
})
