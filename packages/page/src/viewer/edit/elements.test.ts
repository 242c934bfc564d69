import type { Datatype } from '@hyperslab/client'
import { decodeElements } from '@hyperslab/client/elements'
import { describe, expect, test } from 'vitest'
import { bytesOfText, choicesOf, editText, isEditable, textOfBytes } from './elements.ts'

const integer = (base: string): Datatype => ({ class: 'H5T_INTEGER', base })
const float = (base: string): Datatype => ({ class: 'H5T_FLOAT', base })
const string = (length: number | 'H5T_VARIABLE'): Datatype => ({ class: 'H5T_STRING', length })
const I8 = integer('H5T_STD_I8LE')
const F32 = float('H5T_IEEE_F32LE')
const F64 = float('H5T_IEEE_F64BE')
const BOOLEAN: Datatype = { class: 'H5T_ENUM', base: I8, mapping: { FALSE: 0, TRUE: 1 } }
const FLAG: Datatype = {
  class: 'H5T_ENUM',
  base: integer('H5T_STD_I16BE'),
  mapping: { BAD: -2, 'very good': 300 },
}
const COMPLEX: Datatype = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'r', type: F32 },
    { name: 'i', type: F32 },
  ],
}

describe('the text of an element', () => {
  test.each<[Datatype, string, string]>([
    [I8, ' -128', '-128'],
    [I8, '+127 ', '127'],
    [I8, '0x7F', '127'],
    [integer('H5T_STD_U8LE'), '255', '255'],
    [integer('H5T_STD_I64BE'), '-9223372036854775808', '-9223372036854775808'],
    [integer('H5T_STD_U64LE'), '18446744073709551615', '18446744073709551615'],
    [integer('H5T_STD_I64LE'), '9007199254740993', '9007199254740993'],
    [{ class: 'H5T_BITFIELD', base: 'H5T_STD_B16LE' }, '0xffff', '65535'],
    [F64, '0.1', '0.1'],
    [F64, '−1.5E-8', '-1.5e-8'],
    [F64, '-.5', '-0.5'],
    [F64, '-0', '-0'],
    [F64, 'nan', 'NaN'],
    [F64, '-inf', '-Infinity'],
    [F64, '+Infinity', 'Infinity'],
    [F32, '0.1', '0.1'],
    [F32, '16777217', '16777216'],
    [float('H5T_IEEE_F16LE'), '0.1', '0.1'],
    [float('H5T_IEEE_F16BE'), '65504', '65504'],
    [float('H5T_IEEE_F16LE'), '6e-8', '6e-8'],
    [float('H5T_IEEE_F16LE'), '2049', '2048'],
    [BOOLEAN, 'TRUE', 'TRUE'],
    [FLAG, 'BAD', 'BAD'],
    [FLAG, 'very good', 'very good'],
    [COMPLEX, '1.5 − 2 i', '1.5-2i'],
    [COMPLEX, '3', '3+0i'],
    [COMPLEX, '-j', '0-1i'],
    [COMPLEX, '1e-3+i', '0.001+1i'],
    [COMPLEX, 'nan-infj', 'NaN-Infinityi'],
    [string(4), 'Å', 'Å'],
    [string(2), 'Å', 'Å'],
    [string('H5T_VARIABLE'), ' a\nb ', ' a\nb '],
    [string('H5T_VARIABLE'), '', ''],
  ])('of %j: %j is %j', (type, text, stored) => {
    expect(isEditable(type)).toBe(true)
    const bytes = bytesOfText(type, text)
    expect(textOfBytes(type, bytes)).toBe(stored)
    // What the field shows is stored as the same bytes.
    expect(bytesOfText(type, stored)).toEqual(bytes)
  })

  test.each<[Datatype, string, RegExp]>([
    [I8, '128', /^128 is no int8: it takes whole numbers from -128 to 127\.$/],
    [I8, '1.0', /whole numbers/],
    [I8, '', /^Empty text is no int8/],
    [I8, '1e2', /whole numbers/],
    [integer('H5T_STD_U8LE'), '-1', /from 0 to 255/],
    [integer('H5T_STD_U64LE'), '18446744073709551616', /to 18446744073709551615/],
    [F64, '1,5', /with a point/],
    [F64, '1 5', /no number/],
    [F64, '1e999', /too large for float64/],
    [F64, '1e-999', /too small/],
    [F64, '', /no number/],
    [F64, 'infinite', /no number/],
    [F32, '1e39', /too large for float32/],
    [F32, '-1e-50', /too small for float32/],
    [float('H5T_IEEE_F16LE'), '65520', /too large/],
    [float('H5T_IEEE_F16LE'), '1e-8', /too small/],
    [BOOLEAN, 'yes', /none of the names: FALSE, TRUE/],
    [FLAG, 'toString', /none of the names/],
    [COMPLEX, '1+2', /no complex number/],
    [COMPLEX, '', /no complex number/],
    [COMPLEX, 'i+1', /no complex number/],
    [string(1), 'Å', /has 2 bytes, and the type 1/],
    [string('H5T_VARIABLE'), 'a\0b', /NUL/],
    [{ class: 'H5T_OPAQUE', size: 1 }, '1', /cannot be edited/],
  ])('of %j: %j is refused', (type, text, message) => {
    expect(() => bytesOfText(type, text)).toThrow(message)
  })

  test('gives back every number of 16 bits', () => {
    const bits = Uint16Array.from({ length: 65_536 }, (_, i) => i)
    for (const base of ['H5T_IEEE_F16LE', 'H5T_STD_I16LE', 'H5T_STD_U16LE']) {
      const type = base.includes('F') ? float(base) : integer(base)
      const numbers = decodeElements(type, bits.length, new Uint8Array(bits.buffer.slice(0)))
      const wrong = bits.filter(bit => {
        const number = numbers[bit]
        const [low = 0, high = 0] = bytesOfText(type, editText(type, number))
        // There are many forms of NaN.
        return low + 256 * high !== bit && !Number.isNaN(number)
      })
      expect([base, [...wrong]]).toEqual([base, []])
    }
  })
})

test('elements without a text are not edited', () => {
  expect(isEditable({ class: 'H5T_VLEN', base: I8 })).toBe(false)
  expect(isEditable({ class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' })).toBe(false)
  expect(choicesOf(FLAG)).toEqual(['BAD', 'very good'])
  expect(choicesOf(I8)).toBeUndefined()
})
