import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldReader } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'
import { decodeFilters, encodeFilters } from './filters.ts'

const WIDTHS = { offsets: 8, lengths: 8 }

function decode(bytes: readonly number[] | Uint8Array) {
  return decodeFilters(new FieldReader(Uint8Array.from(bytes), WIDTHS, 'the filter pipeline'))
}

describe('the filter pipeline message', () => {
  it('of version 2 has names of registered filters only', () => {
    const bytes = [2, 2, 1, 0, 1, 0, 1, 0, 6, 0, 0, 0, 0, 125, 4, 0, 0, 0, 0, 0, 108, 122, 102, 0]
    expect(decode(bytes)).toEqual([
      { id: 1, name: '', isOptional: true, clientData: [6] },
      { id: 32000, name: 'lzf', isOptional: false, clientData: [] },
    ])
  })

  it.each([
    [[3, 0], 'there is no version 3 of it'],
    [[2, 33], 'it has 33 filters, 32 are the most'],
    [[2, 2, 1, 0, 1, 0, 0, 0], '2 items of 6 bytes do not fit'],
    [[2, 1, 1, 0, 1, 0, 255, 255, 0, 0], '65535 items of 4 bytes do not fit'],
  ])('%j is rejected', (bytes, rule) => {
    expect(() => decode(bytes)).toThrow(rule)
  })

  it('is read as it was written', () => {
    const filters = fc.array(
      fc.record({
        id: fc.integer({ min: 0, max: 65535 }),
        name: fc
          .string({ unit: 'grapheme' })
          .filter(name => !name.includes('\0') && !/[\ud800-\udfff]/u.test(name)),
        isOptional: fc.boolean(),
        clientData: fc.array(fc.integer({ min: 0, max: 0xffffffff })),
      }),
      { maxLength: 32 },
    )
    fc.assert(
      fc.property(filters, list => {
        const writer = new FieldWriter(WIDTHS)
        encodeFilters(writer, list)
        expect(decode(writer.bytes)).toEqual(list)
      }),
    )
  })
})
