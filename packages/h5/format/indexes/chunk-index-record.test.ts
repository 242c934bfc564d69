import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeIndexRecord, indexRecordSize } from '../../../../test/fixtures/chunk-arrays.ts'
import { FieldReader } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'
import { chunkEntryForm, decodeIndexRecord } from './chunk-index-record.ts'

const WIDTHS = { offsets: 4, lengths: 8 }

function fieldsOf(bytes: Uint8Array): FieldReader {
  return new FieldReader(bytes, WIDTHS, 'a record')
}

describe('the record of a chunk', () => {
  it.each([0, 1, 3, 8])('is read as it was written, with lengths of %i bytes', lengthWidth => {
    const form = { lengthWidth, chunkLength: 100 }
    const record = fc.record({
      address: fc.nat(0xfffffffe),
      length: lengthWidth === 0 ? fc.constant(100) : fc.nat(255),
      mask: lengthWidth === 0 ? fc.constant(0) : fc.nat(0xffffffff),
      coordinates: fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 4 }),
    })
    fc.assert(
      fc.property(record, chunk => {
        const writer = new FieldWriter(WIDTHS)
        encodeIndexRecord(writer, form, chunk)
        const rank = chunk.coordinates.length
        expect(writer.bytes.length).toBe(indexRecordSize(form, rank, WIDTHS))
        expect(decodeIndexRecord(fieldsOf(writer.bytes), form, rank)).toEqual(chunk)
      }),
    )
  })

  it('must have an address', () => {
    const writer = new FieldWriter(WIDTHS)
    encodeIndexRecord(
      writer,
      { lengthWidth: 0, chunkLength: 100 },
      { address: 0, length: 100, mask: 0, coordinates: [] },
    )
    const bytes = writer.bytes.slice().fill(0xff)
    expect(() => decodeIndexRecord(fieldsOf(bytes), { lengthWidth: 0, chunkLength: 100 }, 0)).toThrow(
      'the address of a chunk is undefined',
    )
  })

  it.each([
    [4, false, 0],
    [11, true, 3],
  ])('has its form from entries of %i bytes', (size, isFiltered, lengthWidth) => {
    expect(chunkEntryForm(fieldsOf(new Uint8Array(0)), size, isFiltered, 100)).toEqual({
      lengthWidth,
      chunkLength: 100,
    })
  })

  it.each([
    [3, false],
    [5, false],
    [8, true],
    [17, true],
  ])('cannot be in entries of %i bytes', (size, isFiltered) => {
    expect(() => chunkEntryForm(fieldsOf(new Uint8Array(0)), size, isFiltered, 100)).toThrow(
      'cannot hold a chunk',
    )
  })
})
