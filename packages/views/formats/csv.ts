// The format CSV.

import { CsvWriter, rowLengthOf } from './csv-writer.ts'
import type { Format } from './format.ts'

export const csv: Format = {
  contentType: 'text/csv',
  extension: '.csv',
  description:
    'The elements as CSV: of a compound a row each, with a first line of names; else rows and columns.',
  rows: 'yes',
  encode({ type, shape, pieces, references }) {
    const writer = new CsvWriter(type, shape ? rowLengthOf(type, shape) : 1, references)
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield writer.header()
      for await (const piece of pieces) yield* writer.write(piece)
      yield writer.finish()
    }
    const header = writer.hasHeader ? 'present' : 'absent'
    return { contentType: `text/csv; charset=utf-8; header=${header}`, bytes: bytes() }
  },
}
