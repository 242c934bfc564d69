// Headers of files of NumPy: ours, and those that NumPy and other programs write.

import type { Datatype } from '@hyperslab/model/datatype'
import type { StoredText } from '@hyperslab/model/json'
import { describe, expect, it } from 'vitest'
import { storedBytes } from '../../../test/fixtures/stored-bytes.ts'
import { encodeNpyHeader } from './npy.ts'
import { readNpyHeader, requireArray } from './npy-reader.ts'

const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const F64: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'BE' }

/** A file with that text as its header. */
function file(text: string, version = 1): StoredText {
  const bytes = Buffer.from(text, version === 3 ? 'utf8' : 'latin1')
  const length = Buffer.alloc(version === 1 ? 2 : 4)
  if (version === 1) length.writeUInt16LE(bytes.length)
  else length.writeUInt32LE(bytes.length)
  return storedBytes(
    Buffer.concat([Buffer.from([0x93]), Buffer.from('NUMPY'), Buffer.from([version, 0]), length, bytes]),
  )
}

describe('the header of a file of NumPy', () => {
  it.each<[string, Datatype, readonly number[]]>([
    ['a number', I32, []],
    ['a row', I32, [7]],
    ['no elements', F64, [0, 3]],
    [
      'a compound',
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: "größe ☃ 'x'\\", type: I32 },
          { name: 'b', type: F64 },
        ],
      },
      [2],
    ],
    ['arrays', { class: 'H5T_ARRAY', base: F64, dims: [2, 3] }, [4]],
  ])('of %s is read as it was written', async (_, type, shape) => {
    const bytes = encodeNpyHeader(type, shape)
    const header = await readNpyHeader(storedBytes(bytes))
    expect(header.length).toBe(bytes.length)
    expect(() => requireArray(header, type, shape)).not.toThrow()
  })

  it('may have complex numbers as such, or as compounds', async () => {
    const type: Datatype = {
      class: 'H5T_COMPOUND',
      fields: ['real', 'imag'].map(name => ({ name, type: F64 })),
    }
    for (const descr of [`'>c16'`, `[('real', '>f8'), ('imag', '>f8')]`]) {
      const header = await readNpyHeader(
        file(`{'descr': ${descr}, 'fortran_order': False, 'shape': (2,)}`, 1),
      )
      expect(() => requireArray(header, type, [2])).not.toThrow()
    }
  })

  it('may be in other spellings', async () => {
    for (const [text, version] of [
      [`{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }          \n`, 1],
      [`{"shape":(2L,3L),"fortran_order":False,"descr":"<i4"}`, 2],
      [`{'shape': [2, 3], 'descr': '\\x3ci\\u0034', 'fortran_order': False}`, 3],
    ] as const) {
      const header = await readNpyHeader(file(text, version))
      expect(header).toMatchObject({ descr: '<i4', shape: [2, 3] })
    }
    const named = await readNpyHeader(
      file(`{'descr': [('größe', '<i4', (2,))], 'fortran_order': False, 'shape': ()}`, 3),
    )
    expect(named.descr).toEqual([['größe', '<i4', [2]]])
  })

  it('must fit the type, and the shape apart from extents of 1', async () => {
    const header = await readNpyHeader(file(`{'descr': '<i4', 'fortran_order': False, 'shape': (1, 6, 4), }`))
    for (const shape of [
      [6, 4],
      [1, 6, 4],
      [6, 1, 4],
    ]) {
      expect(() => requireArray(header, I32, shape)).not.toThrow()
    }
    for (const shape of [[4, 6], [24], [1, 6, 4, 2], [0]]) {
      expect(() => requireArray(header, I32, shape)).toThrow(
        /has the shape \[1,6,4\], the selected elements have/,
      )
    }
    expect(() => requireArray(header, F64, [6, 4])).toThrow(
      'the array has the dtype "<i4", the dataset ">f8"',
    )
    const text: Datatype = {
      class: 'H5T_STRING',
      charSet: 'H5T_CSET_UTF8',
      strPad: 'H5T_STR_NULLTERM',
      length: 'H5T_VARIABLE',
    }
    expect(() => requireArray(header, text, [6, 4])).toThrow('cannot be sent as a file of NumPy')
  })

  it.each([
    ['not a literal', `{'descr': <i4, 'fortran_order': False, 'shape': (2,)}`],
    ['not a dictionary', `('<i4', False, (2,))`],
    ['without an end', `{'descr': '<i4', 'fortran_order': False, 'shape': (2,`],
    ['with more behind it', `{'descr': '<i4', 'fortran_order': False, 'shape': (2,)} 7`],
    ['in the order of Fortran', `{'descr': '<i4', 'fortran_order': True, 'shape': (2,)}`],
    ['without a shape', `{'descr': '<i4', 'fortran_order': False}`],
    ['of a negative extent', `{'descr': '<i4', 'fortran_order': False, 'shape': (-2,)}`],
    ['of an extent that is no number', `{'descr': '<i4', 'fortran_order': False, 'shape': ('2',)}`],
    ['with too many levels', `{'descr': ${'('.repeat(100_000)}`.slice(0, 60_000)],
    ['with an escape beyond all characters', `{'descr': '\\UFFFFFFFF', 'fortran_order': False, 'shape': ()}`],
    ['empty', ''],
  ])('is refused if it is %s', async (_, text) => {
    await expect(readNpyHeader(file(text))).rejects.toThrow(/must be a file of NumPy|the order of Fortran/)
  })

  it('must be there', async () => {
    const whole = encodeNpyHeader(I32, [3])
    for (const length of [0, 5, 9, 40]) {
      await expect(readNpyHeader(storedBytes(whole.subarray(0, length)))).rejects.toThrow(
        'must be a file of NumPy',
      )
    }
    await expect(
      readNpyHeader(storedBytes(Buffer.from('PK\u0003\u0004 and some more bytes'))),
    ).rejects.toThrow('like one')
  })
})
