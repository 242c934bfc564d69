import type { Elements } from '@hyperslab/client'
import type { Datatype, Field } from '@hyperslab/client/elements'
import { describe, expect, test } from 'vitest'
import { bytesAt, columnsOf, isComparable, MAX_COLUMNS, placeOf, valueIn } from './columns.ts'
import { conditionOf, joined, namesOf } from './query.ts'
import { orderOf } from './sort.ts'
import { formatTableState, parseTableState, WHOLE_TABLE } from './state.ts'

const I32: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }
const F64: Datatype = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
const STRING: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
const compound = (...fields: readonly Field[]): Datatype => ({ class: 'H5T_COMPOUND', fields })
const array = (base: Datatype, ...dims: readonly number[]): Datatype => ({ class: 'H5T_ARRAY', base, dims })

describe('columns', () => {
  const fields: readonly Field[] = [
    { name: 'id', type: I32 },
    { name: 'pos', type: compound({ name: 'x', type: F64 }, { name: 'tags', type: array(STRING, 2) }) },
    { name: 'm', type: array(I32, 2, 2) },
    { name: 'hits', type: array(compound({ name: 'e', type: F64 }), 2) },
    { name: 'z', type: compound({ name: 'r', type: F64 }, { name: 'i', type: F64 }) },
  ]
  const row = [7, [0.5, ['a', 'b']], Int32Array.of(1, 2, 3, 4), [[10], [20]], [1, -1]]

  test('have the names and values of CSV', () => {
    const columns = columnsOf(fields)
    const values = columns.map(column => [
      column.name,
      valueIn(column, row[fields.findIndex(({ name }) => name === column.member.name)]),
    ])
    expect(Object.fromEntries(values)).toEqual({
      id: 7,
      'pos.x': 0.5,
      'pos.tags[0]': 'a',
      'pos.tags[1]': 'b',
      'm[0][0]': 1,
      'm[0][1]': 2,
      'm[1][0]': 3,
      'm[1][1]': 4,
      'hits[0].e': 10,
      'hits[1].e': 20,
      z: [1, -1],
    })
    expect(columns.filter(column => !isComparable(column)).map(({ name }) => name)).toEqual(['z'])
  })

  test('have names of their own, and are not compared by a name that means two', () => {
    const columns = columnsOf([
      { name: 'a', type: compound({ name: 'b', type: I32 }, { name: 'b.c', type: I32 }) },
      { name: 'a.b', type: compound({ name: 'c', type: I32 }) },
      { name: 'a.b (2)', type: I32 },
    ])
    expect(columns.map(({ name, field, path }) => [name, field, path.length])).toEqual([
      ['a.b', undefined, 1],
      ['a.b.c', undefined, 1],
      ['a.b.c (2)', undefined, 1],
      ['a.b (2)', 'a.b (2)', 0],
    ])
  })

  test('that the service cannot compare are not offered for conditions', () => {
    const types: readonly Datatype[] = [
      { class: 'H5T_OPAQUE', size: 2 },
      { class: 'H5T_VLEN', base: I32 },
      { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' },
      { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' },
      { class: 'H5T_BITFIELD', base: 'H5T_STD_B8LE' },
    ]
    const columns = columnsOf(types.map((type, i) => ({ name: `c${i}`, type })))
    expect(columns.filter(isComparable).map(({ name }) => name)).toEqual(['c3', 'c4'])
  })

  test('of a long array are one', () => {
    const columns = columnsOf([{ name: 'spectrum', type: array(F64, 100_000) }])
    expect(columns.map(({ name }) => name)).toEqual(['spectrum'])
    const many = Array.from({ length: 5000 }, (_, i) => ({ name: `c${i}`, type: I32 }))
    expect(columnsOf(many)).toHaveLength(MAX_COLUMNS)
    expect(columnsOf([])).toEqual([])
  })
})

describe('bytes of columns', () => {
  test('are at their places', () => {
    const inner = compound(
      { name: 'a', type: I32 },
      { name: 'b', type: array(F64, 2, 3) },
      { name: 's', type: STRING },
    )
    expect(columnsOf([{ name: 'v', type: inner }]).map(placeOf)).toEqual(Array(8).fill(undefined))
    const fixed = compound({ name: 'a', type: I32 }, { name: 'b', type: array(F64, 2, 3) })
    const columns = columnsOf([{ name: 'v', type: array(fixed, 2) }])
    const places = Object.fromEntries(columns.map(column => [column.name, placeOf(column)?.offset]))
    expect(places).toMatchObject({ 'v[0].a': 0, 'v[0].b[0][1]': 12, 'v[1].a': 52, 'v[1].b[1][2]': 96 })
    expect(columns[0] && placeOf(columns[0])).toEqual({ stride: 104, offset: 0, size: 4 })
  })

  test('are gathered', () => {
    const bytes = Uint8Array.from({ length: 12 }, (_, i) => i)
    expect([...bytesAt(bytes, { stride: 4, offset: 1, size: 2 }, 3)]).toEqual([1, 2, 5, 6, 9, 10])
    expect(bytesAt(bytes, { stride: 4, offset: 0, size: 4 }, 3)).toBe(bytes)
  })
})

describe('conditions', () => {
  test('are offered the names of values', () => {
    expect([E, BOOL, I32].map(namesOf)).toEqual([['RED'], ['true', 'false'], []])
  })

  const E: Datatype = { class: 'H5T_ENUM', base: I32, mapping: { RED: 3 } }
  const BOOL: Datatype = {
    class: 'H5T_ENUM',
    base: { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' },
    mapping: { FALSE: 0, TRUE: 1 },
  }
  test.each([
    ['temp', F64, '>', ' 20.5 ', 'temp > 20.5'],
    ['id', I32, '==', '9223372036854775807', 'id == 9223372036854775807'],
    ['id', I32, '==', 'one', undefined],
    ['id', I32, '==', '1; DROP', undefined],
    ['station', STRING, '==', "N'1\\", "station == 'N\\'1\\\\'"],
    ['wind & rain', F64, '<', '1e-3', '"wind & rain" < 1e-3'],
    ['not', F64, '<', '1', '"not" < 1'],
    ['hits[2].e', F64, '<', '1', 'hits[2].e < 1'],
    ['a"b\\c', F64, '<', '1', '"a\\"b\\\\c" < 1'],
    [undefined, F64, '<', '1', undefined],
    ['気温', F64, '<', '+1', '気温 < 1'],
    ['colour', E, '==', 'RED', 'colour == 3'],
    ['ok', BOOL, '==', 'true', 'ok == 1'],
    ['ok', BOOL, '==', 'yes', undefined],
  ] as const)('%s %s %s %s', (field, type, comparison, value, condition) => {
    expect(conditionOf({ field, type }, comparison, value)).toBe(condition)
  })

  test('are joined', () => {
    expect(joined('', 'a > 1')).toBe('a > 1')
    expect(joined('a > 1', 'b < 2')).toBe('a > 1 AND b < 2')
    expect(joined('a > 1 or c == 3', 'b < 2')).toBe('(a > 1 or c == 3) AND b < 2')
  })
})

describe('the order of rows', () => {
  test.each<[Elements, readonly number[], readonly number[]]>([
    [
      Float64Array.of(2, Number.NaN, -1, 0, -0, Infinity, -Infinity),
      [6, 2, 3, 4, 0, 5, 1],
      [5, 0, 3, 4, 2, 6, 1],
    ],
    [Int32Array.of(3, 1, 3, 2), [1, 3, 0, 2], [0, 2, 3, 1]],
    [BigInt64Array.of(9_223_372_036_854_775_807n, -1n, 9_223_372_036_854_775_806n), [1, 2, 0], [0, 2, 1]],
    [BigUint64Array.of(18_446_744_073_709_551_615n, 1n), [1, 0], [0, 1]],
    [
      ['b', 'a', 'b', ''],
      [3, 1, 0, 2],
      [0, 2, 1, 3],
    ],
    [
      [true, false],
      [1, 0],
      [0, 1],
    ],
    [
      [3n, 10n],
      [0, 1],
      [1, 0],
    ],
    [
      [0.5, Number.NaN, -2],
      [2, 0, 1],
      [0, 2, 1],
    ],
    [new Float32Array(0), [], []],
  ])('of values %#', (values, ascending, descending) => {
    expect([...orderOf(values, false)]).toEqual(ascending)
    expect([...orderOf(values, true)]).toEqual(descending)
  })

  test('is that of a comparison, and stable', () => {
    const values = Float64Array.from({ length: 20_000 }, (_, i) => Math.round(Math.sin(i * 7.7) * 50) / 8)
    const expected = [...values.keys()].sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
    expect([...orderOf(values, false)]).toEqual(expected)
  })
})

test('the state of a table is in the address', () => {
  expect(formatTableState(WHOLE_TABLE)).toBeUndefined()
  const state = {
    filter: 'a > 1',
    sort: 'pos.x',
    isDescending: true,
    hidden: ['m[0]'],
    plot: ['a', 'b'],
  } as const
  expect(parseTableState(formatTableState(state))).toEqual(state)
  for (const text of ['', '{', 'null', '3', '[]', '{"filter":1,"sort":{},"hidden":[1],"plot":["a"]}'])
    expect(parseTableState(text)).toEqual(WHOLE_TABLE)
})
