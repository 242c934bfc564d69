// Writing a chunk that a client has sent encoded by all filters of its dataset. It is decoded, so that damaged bytes
// are refused before they are stored, and stored as it came. A chunk that has elements outside the extents is stored
// like any other: these elements must have the fill value when the dataset grows, and the client may have sent others.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Elements, ElementsBuilder } from '@hyperslab/model/values'
import {
  type ChunkLayout,
  chunkElements,
  insideDims,
  isWhollyInside,
  partFromStart,
} from '../chunks/chunk-layout.ts'
import { copyPart, nameOfChunk } from '../chunks/read-chunk.ts'
import type { ChunkChanges } from './chunk-changes.ts'
import { addressOf } from './chunk-record.ts'

/** Throws `malformed-value` for bytes that the filters do not decode to a whole chunk. */
export async function writeEncodedChunk(
  chunks: ChunkChanges,
  layout: ChunkLayout,
  coordinates: readonly number[],
  bytes: Uint8Array,
): Promise<void> {
  const { grid, elementSize, pipeline, dataset } = layout
  if (!pipeline || layout.isVariableSize)
    throw new Error(`chunks of the dataset ${dataset} go through no filters`)
  const { values } = chunks
  const address = addressOf(layout, coordinates)
  const isWhole = isWhollyInside(grid, coordinates)
  const count = chunkElements(grid)
  const inside = partFromStart(grid, insideDims(grid, coordinates))
  const cut = (data: Uint8Array): Elements => {
    const builder = new ElementsBuilder(layout.type, inside.end)
    builder.fill(layout.fillValue)
    copyPart(layout, inside, { count, data, heap: NO_HEAP }, builder)
    return builder.finish()
  }
  const elements = await values.source.filters
    .decodeGiven(pipeline, bytes, count * elementSize, data => (isWhole ? undefined : cut(data)))
    .catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new HyperslabError('malformed-value', `${nameOfChunk(layout, coordinates)}: ${reason}`, { cause })
    })
  const before = await chunks.recordToReplace(address)
  const stored = elements
    ? { address, ...(await values.store(layout, address, elements)) }
    : await values.storeEncoded(layout, { coordinates, bytes, mask: 0 }, {})
  await chunks.apply(dataset, [{ ...stored, before }])
}

const NO_HEAP = new Uint8Array(0)
