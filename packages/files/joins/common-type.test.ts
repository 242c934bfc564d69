import type { Datatype, StringType } from '@hyperslab/model/datatype'
import { describe, expect, it } from 'vitest'
import { commonType } from './common-type.ts'

const integer = (size: 1 | 2 | 4 | 8, signed = true): Datatype => ({
  class: 'H5T_INTEGER',
  size,
  signed,
  order: 'LE',
})
const string = (length: number | 'H5T_VARIABLE', rest: Partial<StringType> = {}): Datatype => ({
  class: 'H5T_STRING',
  length,
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
  ...rest,
})
const enumOf = (members: Readonly<Record<string, number>>, size: 1 | 2 = 1): Datatype => ({
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', size, signed: true, order: 'LE' },
  members: Object.entries(members).map(([name, value]) => ({ name, value })),
})
const float = (size: 2 | 4 | 8): Datatype => ({ class: 'H5T_FLOAT', size, order: 'LE' })

describe('the type of a joined dataset', () => {
  it.each([
    [integer(2), integer(4), integer(4)],
    [integer(2, false), integer(2), integer(4)],
    [integer(4), integer(1, false), integer(4)],
    [integer(8, false), integer(1), undefined],
    [float(4), float(8), float(8)],
    [integer(2), float(4), float(4)],
    [integer(4), float(4), float(8)],
    [integer(1, false), float(2), float(2)],
    [integer(8), float(8), undefined],
    [{ ...integer(4), precision: 12 } as Datatype, integer(2), undefined],
    [integer(2), { class: 'H5T_OPAQUE', size: 2, tag: '' } as Datatype, undefined],
    [string(4), string(9), string(9)],
    [string(4), string(9, { charSet: 'H5T_CSET_ASCII' }), undefined],
    [string(4), string(9, { strPad: 'H5T_STR_SPACEPAD' }), undefined],
    [string(4), string('H5T_VARIABLE'), undefined],
    [enumOf({ a: 1 }), enumOf({ a: 1, b: 2 }), enumOf({ a: 1, b: 2 })],
    [enumOf({ a: 1 }), enumOf({ a: 2 }), undefined],
    [enumOf({ a: 1 }), enumOf({ b: 1 }), undefined],
    [enumOf({ a: 1 }), enumOf({ a: 1, b: 2 }, 2), undefined],
    [enumOf({ a: 1 }), integer(1), undefined],
  ])('holds all elements of both, or there is none', (a, b, expected) => {
    expect(commonType(a, b)).toEqual(expected)
    expect(commonType(b, a)).toEqual(expected)
  })

  it('has the members of both enums', () => {
    const expected = enumOf({ b: 2, a: 1, c: 3 })
    expect(commonType(enumOf({ b: 2, a: 1 }), enumOf({ a: 1, c: 3 }))).toEqual(expected)
  })

  it('has the byte order of the first', () => {
    const big: Datatype = { class: 'H5T_INTEGER', size: 2, signed: true, order: 'BE' }
    expect(commonType(big, integer(4))).toEqual({ ...integer(4), order: 'BE' })
  })
})
