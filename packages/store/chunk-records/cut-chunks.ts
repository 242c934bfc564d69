// The chunks of a dataset that shrinks: those outside the new extents are dropped, and the elements outside of those on
// the border get the fill value, so that they have it when the dataset grows again.

import { type AbortCheck, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { ChunkGrid } from '@hyperslab/model/selection'
import { ElementsBuilder } from '@hyperslab/model/values'
import type { Reads } from '../changes.ts'
import { type ChunkLayout, insideDims, partFromStart } from '../chunks/chunk-layout.ts'
import { copyPart } from '../chunks/read-chunk.ts'
import { objectPartRange, restOfObjectKey } from '../records/keys.ts'
import type { ChunkChanges } from './chunk-changes.ts'
import { decodeCoordinates } from './chunk-key.ts'
import {
  addressOf,
  type ChunkAddress,
  type ChunkRecord,
  decodeChunkRecord,
  isRepeated,
} from './chunk-record.ts'
import type { ChunkValues, NewChunk } from './chunk-values.ts'
import { readRecorded } from './recorded-chunk.ts'

interface StoredChunk {
  readonly chunk: readonly number[]
  readonly address: ChunkAddress
  readonly record: ChunkRecord
}

/** Cuts the chunks. `layout` has the old extents, `dims` are the new ones. */
export async function cutChunks(
  reads: Reads,
  chunks: ChunkChanges,
  layout: ChunkLayout,
  dims: readonly number[],
  signal?: AbortCheck,
): Promise<void> {
  const after: ChunkGrid = { dims, chunkDims: layout.grid.chunkDims }
  for await (const { key, value } of reads.range(objectPartRange(layout.dataset, 'chunk'))) {
    const chunk = decodeCoordinates(restOfObjectKey(key))
    const stored = { chunk, address: addressOf(layout, chunk), record: decodeChunkRecord(value) }
    const left = insideDims(after, chunk)
    if (left.some(extent => extent <= 0)) {
      chunks.remove(stored.address, stored.record)
    } else if (insideDims(layout.grid, chunk).some((extent, d) => extent > left[d])) {
      await chunks.apply(layout.dataset, [await cutChunk(chunks.values, { ...layout, grid: after }, stored)])
    }
    signal?.throwIfAborted()
    if (isTurnOver()) await nextTurn()
  }
}

/** Cuts a chunk: keeps the elements inside the extents of `layout`, and gives the others the fill value. */
async function cutChunk(
  values: ChunkValues,
  layout: ChunkLayout,
  { chunk, address, record }: StoredChunk,
): Promise<NewChunk> {
  const left = insideDims(layout.grid, chunk)
  if (isRepeated(record) && !record.patches) {
    const inside = record.inside.map((extent, d) => Math.min(extent, left[d]))
    return { address, before: record, record: { ...record, inside }, values: undefined }
  }
  const inside = partFromStart(layout.grid, left)
  const builder = new ElementsBuilder(layout.type, inside.end)
  builder.fill(layout.fillValue)
  copyPart(layout, inside, await readRecorded(values.source, layout, chunk, address, record), builder)
  return { address, before: record, ...(await values.store(layout, address, builder.finish())) }
}
