// Padding of the values of fixed strings as bytes.

import { describe, expect, test } from 'vitest'
import type { Datatype } from '../datatype/datatype.ts'
import { toNullPadded } from './binary.ts'

const OPAQUE: Datatype = { class: 'H5T_OPAQUE', size: 3 }

describe('toNullPadded', () => {
  const padded: Datatype = {
    class: 'H5T_STRING',
    length: 4,
    charSet: 'H5T_CSET_ASCII',
    strPad: 'H5T_STR_SPACEPAD',
  }

  test('turns the padding of space-padded strings into NULs, wherever they are', () => {
    const type: Datatype = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'a', type: { class: 'H5T_ARRAY', base: padded, dims: [2] } },
        { name: 'b', type: { ...padded, strPad: 'H5T_STR_NULLPAD' } },
      ],
    }
    const data = Buffer.from('a b     c   '.repeat(2))
    expect(Buffer.from(toNullPadded(type, data)).toString()).toBe('a b\0\0\0\0\0c   '.repeat(2))
    expect(data.toString()).toBe('a b     c   '.repeat(2))
  })

  test('gives other data back as it is', () => {
    const data = new Uint8Array(6)
    expect(toNullPadded(OPAQUE, data)).toBe(data)
  })
})
