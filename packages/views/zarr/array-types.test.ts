import type { Datatype } from '@hyperslab/model/datatype'
import { describe, expect, it } from 'vitest'
import { shownType } from './array-types.ts'

const I4: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const U1: Datatype = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'BE' }
const F8: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'BE' }
const F2: Datatype = { class: 'H5T_FLOAT', size: 2, order: 'LE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}
const S5: Datatype = { ...TEXT, length: 5, strPad: 'H5T_STR_SPACEPAD' }
const members = (value: [number, number]) => [
  { name: 'FALSE', value: value[0] },
  { name: 'TRUE', value: value[1] },
]
const BOOLEAN: Datatype = {
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' },
  members: members([0, 1]),
}
const fields = (...types: [string, Datatype][]): Datatype => ({
  class: 'H5T_COMPOUND',
  fields: types.map(([name, type]) => ({ name, type })),
})
const REFERENCE: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
const OPAQUE: Datatype = { class: 'H5T_OPAQUE', size: 3, tag: '' }

/** Undefined: it is left out; a list: members. */
function nameOf(type: Datatype, format: 2 | 3): unknown {
  const shown = shownType(type, format)
  if (shown.kind === 'members') return shown.members.map(({ name }) => name)
  return shown.kind === 'array' ? shown.name : undefined
}

describe('a type of HDF5', () => {
  it.each<[string, Datatype, unknown, unknown]>([
    ['an integer', I4, 'int32', '<i4'],
    ['an unsigned byte', U1, 'uint8', '|u1'],
    ['a float', F8, 'float64', '>f8'],
    ['half a float', F2, 'float16', '<f2'],
    ['dates', { class: 'H5T_OPAQUE', size: 8, tag: 'NUMPY:>M8[25s]' }, 'int64', '>M8[25s]'],
    ['a boolean', BOOLEAN, 'bool', '|b1'],
    ['another enum', { ...BOOLEAN, members: members([0, 2]) }, 'int8', '|i1'],
    ['a bitfield', { class: 'H5T_BITFIELD', size: 2, order: 'BE' }, 'uint16', '>u2'],
    ['a complex number', fields(['r', F8], ['i', F8]), 'complex128', '>c16'],
    ['a complex number of halves', fields(['r', F2], ['i', F2]), 'complex64', '<c8'],
    ['a complex number of MATLAB', fields(['real', F8], ['imag', F8]), 'complex128', '>c16'],
    [
      'a compound with halves of a complex number',
      fields(['z', fields(['re', F2], ['im', F2])]),
      ['z'],
      ['z'],
    ],
    [
      'a compound',
      fields(['a', I4], ['b', S5]),
      ['a', 'b'],
      [
        ['a', '<i4'],
        ['b', '|S5'],
      ],
    ],
    [
      'a compound of arrays',
      fields(['a', { class: 'H5T_ARRAY', base: I4, dims: [3] }]),
      ['a'],
      [['a', '<i4', [3]]],
    ],
    ['a compound of compounds', fields(['a', fields(['b', I4])]), ['a'], ['a']],
    ['a compound with text', fields(['a', TEXT]), ['a'], ['a']],
    ['a compound of references', fields(['a', REFERENCE]), undefined, undefined],
    ['an array type', { class: 'H5T_ARRAY', base: I4, dims: [3] }, 'int32', '<i4'],
    [
      'arrays of compounds',
      { class: 'H5T_ARRAY', base: fields(['a', I4]), dims: [3] },
      undefined,
      [['a', '<i4']],
    ],
    ['text', TEXT, 'string', '|O'],
    ['text of a length', S5, 'string', '|S5'],
    ['a sequence of numbers', { class: 'H5T_VLEN', base: I4 }, undefined, '|O'],
    ['a sequence of text', { class: 'H5T_VLEN', base: TEXT }, undefined, undefined],
    ['opaque bytes', OPAQUE, undefined, '|V3'],
    ['a reference', REFERENCE, undefined, undefined],
  ])('is shown: %s', (_, type, three, two) => {
    expect(nameOf(type, 3)).toEqual(three)
    expect(nameOf(type, 2)).toEqual(two)
  })

  it('that is an array has further dimensions', () => {
    const array: Datatype = {
      class: 'H5T_ARRAY',
      base: { class: 'H5T_ARRAY', base: I4, dims: [3] },
      dims: [2],
    }
    expect(shownType(array, 3)).toMatchObject({ dims: [2, 3], base: I4 })
  })

  it('that is left out says why', () => {
    expect(shownType(REFERENCE, 3)).toEqual({
      kind: 'left-out',
      reason: 'Zarr 3 has no type for H5T_REFERENCE of 48 bytes',
    })
  })
})
