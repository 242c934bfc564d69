import type { Datatype } from '@hyperslab/client'
import { type Numbers, numberForm } from '@hyperslab/client/elements'
import { labelOf } from '@hyperslab/meaning/meaning'
import { describe, expect, test } from 'vitest'
import type { Attribute, Attributes } from './attributes.ts'
import { nexusAxes } from './axes.ts'
import { formatElement, meaningOf } from './values.ts'

const STRING: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
const INT = (bits: number): Datatype => ({ class: 'H5T_INTEGER', base: `H5T_STD_I${bits}LE` })
const UINT = (bits: number): Datatype => ({ class: 'H5T_INTEGER', base: `H5T_STD_U${bits}LE` })
const FLOAT = (bits: number): Datatype => ({ class: 'H5T_FLOAT', base: `H5T_IEEE_F${bits}LE` })

type Value = string | readonly string[] | Numbers

/** Attributes by their values: strings, and typed arrays for numbers of their type. */
function attributesOf(values: Readonly<Record<string, Value>>): Attributes {
  return new Map(
    Object.entries(values).map(([name, value]): [string, Attribute] => {
      if (typeof value === 'string') return [name, { name, type: STRING, shape: [], data: [value] }]
      const type = typeOfList(value)
      return [name, { name, type, form: numberForm(type), shape: [value.length], data: value }]
    }),
  )
}

function typeOfList(list: readonly string[] | Numbers): Datatype {
  if (list instanceof Float32Array) return FLOAT(32)
  if (list instanceof Float64Array) return FLOAT(64)
  if (list instanceof BigInt64Array) return INT(64)
  if (list instanceof Int8Array) return INT(8)
  return list instanceof Int16Array ? INT(16) : list instanceof Int32Array ? INT(32) : STRING
}

describe('packed values', () => {
  const attributes = attributesOf({
    scale_factor: Float64Array.of(0.01),
    add_offset: Float64Array.of(273.15),
    _FillValue: Int16Array.of(-32767),
    valid_range: Int16Array.of(-10_000, 10_000),
    units: 'K',
    long_name: 'Air temperature',
  })

  test('become those that they stand for, and missing ones NaN', () => {
    const meaning = meaningOf(INT(16), attributes)
    expect(meaning).toMatchObject({
      kind: 'number',
      units: 'K',
      isPacked: true,
      absent: { missing: '-32767', valid: '-10000,10000' },
      canReduce: true,
      problems: [],
    })
    expect(labelOf('t2m', meaning)).toBe('Air temperature (K)')
    const values = meaning.unpack(Int16Array.of(0, 12, -32767, 10_001, 10_000))
    expect(values).toEqual(Float64Array.of(273.15, 12 * 0.01 + 273.15, Number.NaN, Number.NaN, 373.15))
    expect([0, 12, -32767, 10_001].map(meaning.format)).toEqual(['273.15', '273.27', '—', '—'])
    expect(meaning.formatUnpacked(values[1] ?? 0)).toBe('273.27')
    // A mean may be the number that stands for a missing value.
    expect(meaning.unpackPresent(Float64Array.of(0, -32767, Number.NaN))).toEqual(
      Float64Array.of(273.15, -32767 * 0.01 + 273.15, Number.NaN),
    )
  })

  test('are named for the service', () => {
    const absentOf = (values: Readonly<Record<string, Value>>) =>
      meaningOf(FLOAT(64), attributesOf(values)).absent
    expect(absentOf({})).toEqual({})
    expect(absentOf({ missing_value: Float32Array.of(1e20) })).toEqual({ missing: '100000002004087730000' })
    expect(absentOf({ _FillValue: Float64Array.of(Number.NaN) })).toEqual({})
    expect(absentOf({ valid_min: Int16Array.of(0), missing_value: Int16Array.of(-1, -2) })).toEqual({
      missing: '-1,-2',
      valid: '0,',
    })
    expect(absentOf({ valid_max: Float64Array.of(0.5) })).toEqual({ valid: ',0.5' })
    expect(absentOf({ valid_range: Float64Array.of(Number.NaN, 3) })).toEqual({ valid: ',3' })
    const fill = BigInt64Array.of(-9_223_372_036_854_775_806n)
    expect(absentOf({ _FillValue: fill })).toEqual({ missing: '-9223372036854775806' })
  })

  test.each([
    // The bounds have the type of the values, and those of the stored numbers another one.
    [INT(16), { valid_range: Float64Array.of(273.15, 283.15) }, '0,1000'],
    [INT(16), { valid_min: Float32Array.of(-90) }, '-36315,'],
    [INT(16), { valid_max: Float64Array.of(283.155) }, ',1000'],
    [
      INT(16),
      { valid_range: Float64Array.of(263.15, 283.15), scale_factor: Float64Array.of(-0.01) },
      '-1000,1000',
    ],
    [INT(16), { valid_max: Float64Array.of(283.15), scale_factor: Float64Array.of(-0.01) }, '-1000,'],
    [INT(16), { valid_max: Float64Array.of(283.15), scale_factor: Float64Array.of(0) }, undefined],
    [INT(16), { valid_range: Int32Array.of(0, 1000) }, '0,1000'],
    [FLOAT(32), { valid_range: Float64Array.of(0, 1000) }, '0,1000'],
  ] as const)('of %j between %j have the stored bounds %s', (type, bounds, valid) => {
    const packing = { scale_factor: Float64Array.of(0.01), add_offset: Float64Array.of(273.15) }
    expect(meaningOf(type, attributesOf({ ...packing, ...bounds })).absent.valid).toBe(valid)
  })

  test('of pixels that measure nothing are missing: the greatest of images of DECTRIS', () => {
    const attributes = attributesOf({ image_nr_low: Int32Array.of(1) })
    expect(meaningOf(UINT(32), attributes).absent).toEqual({ missing: '4294967295' })
    expect(meaningOf(UINT(16), attributes).format(65_535)).toBe('—')
    expect(meaningOf(INT(32), attributes).absent).toEqual({})
    expect(meaningOf(UINT(32), attributesOf({})).absent).toEqual({})
  })

  test('with 32-bit floats become 32-bit floats', () => {
    const packing = attributesOf({ scale_factor: Float32Array.of(0.01) })
    const meaning = meaningOf(INT(16), packing)
    expect(meaning.unpack(Int16Array.of(2731))).toEqual(Float32Array.of(27.31))
    expect(meaning.format(2731)).toBe('27.31')
  })

  test('are unsigned where _Unsigned says so', () => {
    const meaning = meaningOf(
      INT(8),
      attributesOf({ _Unsigned: 'true', _FillValue: Int8Array.of(-1), valid_max: Int8Array.of(-6) }),
    )
    expect(meaning.unpack(Int8Array.of(-128, 127, -1, -5, -6))).toEqual(
      Float64Array.of(128, 127, Number.NaN, Number.NaN, 250),
    )
    expect(meaning.format(-128)).toBe('128')
    // The service knows the signed numbers only.
    expect(meaning).toMatchObject({ absent: {}, canReduce: false })
    expect(meaning.unpackPresent(Int8Array.of(-128, -1))).toEqual(Float64Array.of(128, Number.NaN))
    expect(meaningOf(UINT(8), attributesOf({ _Unsigned: 'false' })).unpack(Uint8Array.of(255))).toEqual(
      Float64Array.of(-1),
    )
  })

  test('of 64 bits are compared exactly', () => {
    const fill = BigInt64Array.of(-9_223_372_036_854_775_806n)
    const meaning = meaningOf(INT(64), attributesOf({ _FillValue: fill }))
    expect(meaning.format(-9_223_372_036_854_775_806n)).toBe('—')
    expect(meaning.format(-9_223_372_036_854_775_807n)).toBe('-9223372036854775807')
    expect(meaning.format(9_223_372_036_854_775_807n)).toBe('9223372036854775807')
  })

  test('that stand for themselves are not copied', () => {
    const numbers = BigInt64Array.of(9_223_372_036_854_775_807n)
    expect(meaningOf(INT(64), attributesOf({ units: 'm' })).unpack(numbers)).toBe(numbers)
  })

  test.each([
    ['scale_factor', ['two'], 'is not one finite number'],
    ['scale_factor', Float64Array.of(1, 2), 'is not one finite number'],
    ['add_offset', Float64Array.of(Number.NaN), 'is not one finite number'],
    ['_FillValue', 'none', 'has no numbers'],
    ['missing_value', new Float64Array(9), 'has no list of at most 8 numbers'],
    ['valid_range', Int16Array.of(1), 'has not two numbers'],
    ['valid_range', Int16Array.of(5, 1), 'the valid range from 5 to 1 is empty'],
    ['flag_meanings', 'a b', 'has 2 names'],
    ['units', 'days since then', 'shown as numbers'],
  ])('%s of %j hides nothing, and is reported', (name, value, reason) => {
    const meaning = meaningOf(INT(16), attributesOf({ [name]: value }))
    expect(meaning.problems.join()).toContain(reason)
    expect(Array.from(meaning.unpack(Int16Array.of(0, 7)), Number)).toEqual([0, 7])
    expect(meaning.format(7)).toBe('7')
  })
})

describe('flags and times', () => {
  test('flags have names', () => {
    const surface = attributesOf({ flag_values: Int8Array.of(0, 1, 2), flag_meanings: 'sea land  ice' })
    const meaning = meaningOf(INT(8), surface)
    expect(meaning.kind).toBe('flag')
    expect([0, 2, 3].map(meaning.format)).toEqual(['sea (0)', 'ice (2)', '3'])
  })

  test('masks have the names of all their bits', () => {
    const masks = attributesOf({ flag_masks: Int8Array.of(1, 2, 4), flag_meanings: 'cloudy night noisy' })
    expect([0, 5, 2].map(meaningOf(INT(8), masks).format)).toEqual(['0', 'cloudy, noisy (5)', 'night (2)'])
    const both = attributesOf({
      flag_masks: Int8Array.of(1, 12, 12),
      flag_values: Int8Array.of(1, 4, 8),
      flag_meanings: 'bad low high',
    })
    expect([5, 8, 12].map(meaningOf(INT(8), both).format)).toEqual(['bad, low (5)', 'high (8)', '12'])
  })

  test('enums have the names of the type', () => {
    const type: Datatype = { class: 'H5T_ENUM', base: INT(8), mapping: { RED: 0, GREEN: 1 } }
    expect([1, 9].map(meaningOf(type, new Map()).format)).toEqual(['GREEN (1)', '9'])
  })

  test('times are dates', () => {
    const cf = attributesOf({ units: 'days since 1850-01-01', calendar: 'noleap' })
    const meaning = meaningOf(FLOAT(64), cf)
    expect(meaning).toMatchObject({ kind: 'time', units: undefined })
    expect(meaning.format(54_750.5)).toBe('2000-01-01 12:00')
    const nexus = attributesOf({ units: 's', start: '2020-09-13T12:26:40+02:00' })
    expect(meaningOf(FLOAT(64), nexus).format(90)).toBe('2020-09-13 10:28:10')
    const ns = attributesOf({ units: 'nanoseconds since 1970-01-01' })
    expect(meaningOf(INT(64), ns).format(1_700_000_000_123_456_789n)).toBe('2023-11-14 22:13:20.123456789')
  })

  test('what has no date stays a number', () => {
    expect(meaningOf(FLOAT(64), attributesOf({ units: 'days since 1850-01-01' })).format(1e300)).toBe('1e300')
  })
})

test.each<[Datatype, unknown, string]>([
  [STRING, '', ''],
  [FLOAT(32), Math.fround(0.1), '0.1'],
  [{ class: 'H5T_ARRAY', base: INT(32), dims: [2, 2] }, Int32Array.of(1, 2, 3, 4), '[1, 2, 3, 4]'],
  [{ class: 'H5T_VLEN', base: STRING }, ['a', 'b'], '[a, b]'],
  [{ class: 'H5T_VLEN', base: INT(32) }, [], '[]'],
  [{ class: 'H5T_OPAQUE', size: 2 }, Uint8Array.of(1, 255), '01 ff'],
  [
    { class: 'H5T_OPAQUE', size: 8, tag: 'NUMPY:>M8[D]' },
    Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1),
    '1970-01-02',
  ],
  [{ class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }, 'datasets/d-1', 'reference'],
  [{ class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }, null, '—'],
  [
    {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'r', type: FLOAT(64) },
        { name: 'i', type: FLOAT(64) },
      ],
    },
    [1, -0.5],
    '1 − 0.5 i',
  ],
  [
    {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'Real', type: FLOAT(16) },
        { name: 'Imag', type: FLOAT(16) },
      ],
    },
    [1, 2],
    '1 + 2 i',
  ],
  [{ class: 'H5T_COMPOUND', fields: [{ name: 'a', type: INT(8) }] }, [1], '{ a: 1 }'],
])('an element of %j', (type, element, text) => {
  expect(formatElement(type, element)).toBe(text)
})

test('long elements are cut', () => {
  const type: Datatype = { class: 'H5T_VLEN', base: INT(8) }
  expect(formatElement(type, new Int8Array(1_000_000))).toContain('… 1000000 in all')
  expect(formatElement(STRING, 'x'.repeat(1e6)).length).toBe(1002)
})

describe('axes of NeXus', () => {
  test.each<[Readonly<Record<string, Value>>, readonly (string | undefined)[]]>([
    [{ axes: ['y', 'x'] }, ['y', 'x']],
    [{ axes: 'x' }, ['x']],
    [{ axes: '[y,x]' }, ['y', 'x']],
    [{ axes: 'y:x' }, ['y', 'x']],
    [{ axes: ['.', 'x'] }, [undefined, 'x']],
    [{ axes: ['x', 'y'], x_indices: Int32Array.of(1), y_indices: Int32Array.of(0) }, ['y', 'x']],
    [
      { axes: ['grid', 'x'], grid_indices: Int32Array.of(0, 1), x_indices: Int32Array.of(1) },
      [undefined, 'x'],
    ],
    [{ axes: ['x'], x_indices: Int32Array.of(-1) }, []],
    [{ axes: ['x'], x_indices: Int32Array.of(2_000_000_000) }, []],
    [{}, []],
  ])('%j', (group, names) => {
    expect(nexusAxes(attributesOf(group)).map(hint => hint?.name)).toEqual(names)
  })
})
