// Attribute messages of each version, byte by byte.

import { describe, expect, it } from 'vitest'
import { FieldReader } from '../field-reader.ts'
import { decodeAttribute } from './attribute.ts'

const decode = (bytes: readonly number[]) =>
  decodeAttribute(new FieldReader(Uint8Array.from(bytes), { offsets: 8, lengths: 8 }, 'the attribute', 9))

const AB = [0x61, 0x62, 0]
const PAD = [0, 0, 0, 0, 0]

const expected = {
  name: Uint8Array.of(0x61, 0x62),
  characterSet: 'H5T_CSET_ASCII',
  type: { shared: false, body: Uint8Array.of(1, 2, 3) },
  space: { shared: false, body: Uint8Array.of(4) },
  data: Uint8Array.of(5, 6),
}

describe('an attribute message', () => {
  it.each([
    [
      'version 1, padded to 8',
      [1, 3, 3, 0, 3, 0, 1, 0, ...AB, ...PAD, 1, 2, 3, ...PAD, 4, 0, 0, ...PAD, 5, 6],
      expected,
    ],
    ['version 2', [2, 0, 3, 0, 3, 0, 1, 0, ...AB, 1, 2, 3, 4, 5, 6], expected],
    [
      'version 2 with a committed type',
      [2, 1, 3, 0, 3, 0, 1, 0, ...AB, 1, 2, 3, 4, 5, 6],
      { ...expected, type: { ...expected.type, shared: true } },
    ],
    [
      'version 3, UTF-8, a shared space',
      [3, 2, 3, 0, 3, 0, 1, 0, 1, ...AB, 1, 2, 3, 4, 5, 6],
      { ...expected, characterSet: 'H5T_CSET_UTF8', space: { ...expected.space, shared: true } },
    ],
  ])('of %s', (_what, bytes, attribute) => {
    expect(decode(bytes)).toEqual(attribute)
  })

  it.each([
    ['a version that is none', [4, 0, 3, 0, 3, 0, 1, 0, ...AB, 1, 2, 3, 4], 'there is no version 4'],
    ['a character set that is none', [3, 0, 3, 0, 3, 0, 1, 0, 2, ...AB, 1, 2, 3, 4], 'no character set 2'],
    ['no name', [3, 0, 1, 0, 3, 0, 1, 0, 0, 0, 1, 2, 3, 4], 'the name of an attribute'],
    [
      'a name that ends too early',
      [3, 0, 3, 0, 3, 0, 1, 0, 0, 0x61, 0, 0, 1, 2, 3, 4],
      'the name of an attribute',
    ],
    ['a name that does not end', [3, 0, 2, 0, 3, 0, 1, 0, 0, ...AB, 1, 2, 3, 4], 'the name of an attribute'],
    [
      'a type beyond its end',
      [3, 0, 3, 0, 9, 0, 1, 0, 0, ...AB, 1, 2, 3, 4],
      '9 bytes are needed, 4 are left',
    ],
  ])('with %s is rejected', (_what, bytes, rule) => {
    expect(() => decode(bytes)).toThrow(rule)
  })
})
