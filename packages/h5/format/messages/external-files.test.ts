import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeExternalFiles } from '../../../../test/fixtures/library-structures.ts'
import { FieldReader } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'
import { decodeExternalFiles } from './external-files.ts'

const WIDTHS = { offsets: 4, lengths: 4 }

function decode(bytes: readonly number[] | Uint8Array) {
  return decodeExternalFiles(new FieldReader(Uint8Array.from(bytes), WIDTHS, 'the list of external files'))
}

it('external files are read as they were written', () => {
  const number = fc.integer({ min: 0, max: 0xfffffffe })
  const piece = fc.record(
    { nameOffset: number, position: number, length: number },
    { requiredKeys: ['nameOffset', 'position'] },
  )
  fc.assert(
    fc.property(fc.record({ heap: number, pieces: fc.array(piece) }), files => {
      const writer = new FieldWriter(WIDTHS)
      encodeExternalFiles(writer, files)
      expect(decode(writer.bytes)).toEqual(files)
    }),
  )
})

it.each([
  [[2, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0], 'there is no version 2 of it'],
  [[1, 0, 0, 0, 1, 0, 2, 0, 9, 0, 0, 0], '2 files are used of 1'],
  [[1, 0, 0, 0, 255, 255, 255, 255, 9, 0, 0, 0], '65535 items of 12 bytes do not fit'],
  [[1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255], 'the address of the heap of names is undefined'],
])('%j is rejected', (bytes, rule) => {
  expect(() => decode(bytes)).toThrow(rule)
})
