import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldReader } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'
import { decodeFillValue, decodeOldFillValue, encodeFillValue, type FillValueMessage } from './fill-value.ts'

const WIDTHS = { offsets: 8, lengths: 8 }

function fieldsOf(bytes: readonly number[] | Uint8Array): FieldReader {
  return new FieldReader(Uint8Array.from(bytes), WIDTHS, 'the fill value')
}

const LATE_IFSET = { allocationTime: 'H5D_ALLOC_TIME_LATE', fillTime: 'H5D_FILL_TIME_IFSET' }

describe('the fill value message', () => {
  it.each([
    [
      'version 1',
      [1, 2, 2, 1, 2, 0, 0, 0, 7, 8],
      { ...LATE_IFSET, isUndefined: false, value: Uint8Array.of(7, 8) },
    ],
    ['version 2, undefined, without a size', [2, 2, 2, 0], { ...LATE_IFSET, isUndefined: true }],
    ['version 2, the default', [2, 2, 2, 1, 0, 0, 0, 0], { ...LATE_IFSET, isUndefined: false }],
    ['version 2, a size of -1', [2, 2, 2, 1, 255, 255, 255, 255], { ...LATE_IFSET, isUndefined: true }],
    ['version 3', [3, 0x2a, 1, 0, 0, 0, 9], { ...LATE_IFSET, isUndefined: false, value: Uint8Array.of(9) }],
    ['version 3, undefined', [3, 0x1a], { ...LATE_IFSET, isUndefined: true }],
  ])('is read: %s', (_what, bytes, message) => {
    expect(decodeFillValue(fieldsOf(bytes))).toEqual(message)
  })

  it('of old files is the value alone', () => {
    expect(decodeOldFillValue(fieldsOf([2, 0, 0, 0, 7, 8]))).toEqual({
      isUndefined: false,
      value: Uint8Array.of(7, 8),
    })
    expect(decodeOldFillValue(fieldsOf([0, 0, 0, 0]))).toEqual({ isUndefined: false })
  })

  it.each([
    [[4, 0], 'there is no version 4 of it'],
    [[3, 0x3a, 1, 0, 0, 0, 9], 'its flags 58 contradict each other'],
    [[3, 0x8a], 'its flags 138 contradict each other'],
    [[2, 4, 2, 0], 'its times 4 and 2 are unknown'],
    [[3, 0x0e], 'its times 2 and 3 are unknown'],
    [[3, 0x2a, 255, 255, 0, 0, 9], '65535 bytes are needed, 1 are left'],
  ])('%j is rejected', (bytes, rule) => {
    expect(() => decodeFillValue(fieldsOf(bytes))).toThrow(rule)
  })

  it('is read as it was written', () => {
    const value = fc.option(fc.uint8Array({ minLength: 1 }), { nil: undefined })
    const messages = fc
      .record({
        allocationTime: fc.constantFrom('H5D_ALLOC_TIME_EARLY' as const, 'H5D_ALLOC_TIME_INCR' as const),
        fillTime: fc.constantFrom('H5D_FILL_TIME_ALLOC' as const, 'H5D_FILL_TIME_NEVER' as const),
      })
      .chain(times =>
        fc.oneof(
          fc.constant<FillValueMessage>({ ...times, isUndefined: true }),
          value.map(
            (bytes): FillValueMessage => ({ ...times, isUndefined: false, ...(bytes && { value: bytes }) }),
          ),
        ),
      )
    fc.assert(
      fc.property(messages, message => {
        const writer = new FieldWriter(WIDTHS)
        encodeFillValue(writer, message)
        expect(decodeFillValue(fieldsOf(writer.bytes))).toEqual(message)
      }),
    )
  })
})
