// The checksum against the values that its author published with it (lookup3.c, driver5).

import { describe, expect, it } from 'vitest'
import { checkChecksum, lookup3 } from './checksum.ts'
import { FieldReader } from './field-reader.ts'

const WIDTHS = { offsets: 8, lengths: 8 }

describe('lookup3', () => {
  it.each([
    ['', 0xdeadbeef],
    ['Four score and seven years ago', 0x17770551],
  ])('of %j', (text, checksum) => {
    expect(lookup3(new TextEncoder().encode(text))).toBe(checksum)
  })

  it('differs for each length and each bit', () => {
    const seen = new Set<number>()
    for (let length = 0; length <= 40; length++) {
      const bytes = new Uint8Array(length)
      seen.add(lookup3(bytes))
      for (let index = 0; index < length; index++) {
        bytes[index] = 0x80
        seen.add(lookup3(bytes))
        bytes[index] = 0
      }
    }
    expect(seen.size).toBe(41 + (40 * 41) / 2)
  })
})

it('is not computed of more bytes than take some milliseconds', () => {
  const fields = new FieldReader(new Uint8Array(12 * 2 ** 20 + 5), WIDTHS, 'the heap', 4711)
  fields.skip(12 * 2 ** 20 + 1)
  expect(() => checkChecksum(fields)).toThrow('structures with a checksum have 12582912 at most')
})

it('rejects a structure of which a byte was changed', () => {
  const bytes = Uint8Array.from([1, 2, 3, 4, 0, 0, 0, 0])
  new DataView(bytes.buffer).setUint32(4, lookup3(bytes.subarray(0, 4)), true)
  const read = () => {
    const fields = new FieldReader(bytes, WIDTHS, 'the heap', 4711)
    fields.skip(4)
    checkChecksum(fields)
  }
  read()
  bytes[1] ^= 1
  expect(read).toThrow('the heap at 4711 cannot be read: its checksum does not fit its bytes')
})
