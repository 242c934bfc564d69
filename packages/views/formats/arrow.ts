// The format of Arrow IPC streams.

import { product } from '@hyperslab/model/dataset'
import { requireRows } from './extents.ts'
import type { Format, FormatInput } from './format.ts'

export const arrow: Format = {
  contentType: 'application/vnd.apache.arrow.stream',
  extension: '.arrows',
  description:
    'The elements of one dimension as an Arrow IPC stream: the members of a compound are columns; else there is one, `value`.',
  rows: 'yes',
  encode(values) {
    if (values.shape) requireRows(values.shape, 'an Arrow stream')
    return { bytes: write(values) }
  },
}

async function* write({
  type,
  shape,
  elements,
  references,
  requireUtf8,
}: FormatInput): AsyncGenerator<Uint8Array> {
  await requireUtf8('Arrow')
  // The library takes some hundred milliseconds to load.
  const { ArrowWriter } = await import('./arrow-writer.ts')
  const writer = new ArrowWriter(type, shape && product(shape), references)
  yield writer.header()
  for await (const piece of elements) yield* writer.write(piece)
  yield* writer.finish()
}
