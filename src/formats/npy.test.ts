import { describe, expect, test } from 'vitest'
import type { Datatype } from '../hdf5/datatype/datatype.ts'
import { encodeNpyHeader } from './npy.ts'

// NumPy itself reads such files in test/h5py/npy.test.ts.

const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

function compound(members: Readonly<Record<string, Datatype>>): Datatype {
  return {
    class: 'H5T_COMPOUND',
    fields: Object.entries(members).map(([name, type]) => ({ name, type })),
  }
}

describe('the header', () => {
  test('is padded so that the elements are aligned', () => {
    const header = encodeNpyHeader(I32, [3, 4])
    expect(header.length).toBe(128)
    expect([...header.subarray(0, 10)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0])
    const text = Buffer.from(header.subarray(10)).toString('latin1')
    expect(text).toMatch(/^{'descr': '<i4', 'fortran_order': False, 'shape': \(3, 4\), } *\n$/)
  })

  test('is of version 2.0 where it is long', () => {
    const members = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`member ${i}`, I32]))
    const header = encodeNpyHeader(compound(members), [1])
    expect([...header.subarray(6, 8)]).toEqual([2, 0])
    const length = new DataView(header.buffer).getUint32(8, true)
    expect([12 + length, header.length % 64, header.at(-1)]).toEqual([header.length, 0, 0x0a])
  })

  test.each<[string, Datatype, string]>([
    ['strings of variable length', TEXT, 'the values are strings of variable length'],
    ['sequences', { class: 'H5T_VLEN', base: I32 }, 'the values are sequences of variable length'],
    ['references', { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }, 'the values are references'],
    [
      'a member of such a type',
      compound({ a: I32, 'b"': TEXT }),
      'the values of the member "b\\"" are strings',
    ],
    ['a member without a name', compound({ '': I32 }), 'a member has no name'],
  ])('is refused for %s', (_, type, message) => {
    expect(() => encodeNpyHeader(type, [1])).toThrow(message)
  })
})
