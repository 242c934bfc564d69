// The chunks of a dataset in order, as bytes that can be put into a file: what went through filters as it is stored, the others
// whole. Chunks that are not stored one by one, because they repeat one element or are computed, go through the filters now.

import { type ChunkLayout, chunkElements } from '../../chunks/chunk-layout.ts'
import { allChunks } from '../../hdf5/selection/selection.ts'
import type { Elements } from '../../hdf5/values/elements.ts'
import type { ChunkBytes, Dataset } from '../store.ts'
import { addressOf } from './chunk-changes.ts'
import { filledIn, presentValues, readBlob, readChunk, withFill } from './chunk-io.ts'
import {
  type ChunkAddress,
  type ChunkRecord,
  type FilteredValues,
  isInline,
  isRepeated,
  locateBlob,
  type StoredChunk,
  valuesKey,
} from './chunk-record.ts'
import type { ReadParts } from './read-values.ts'

interface NeededChunk {
  readonly coordinates: readonly number[]
  /** Absent: it is not stored. */
  readonly record?: ChunkRecord
}

export async function* storedChunks(
  parts: ReadParts,
  layout: ChunkLayout,
  dataset: Dataset,
): AsyncGenerator<ChunkBytes> {
  const encode = rememberingLast(parts, layout)
  const chunks = layout.filled || layout.initializer ? neededChunks(parts, layout) : parts.index.all()
  for await (const { coordinates, record } of chunks) {
    if (record && !isRepeated(record)) yield storedChunk(parts, layout, dataset, coordinates, record)
    else yield await encode(coordinates, record)
  }
}

/** Chunks that have elements other than the fill value, stored or not. */
async function* neededChunks({ index }: ReadParts, layout: ChunkLayout): AsyncGenerator<NeededChunk> {
  const stored = index.all()[Symbol.asyncIterator]()
  let next = await stored.next()
  for (const coordinates of allChunks(layout.grid)) {
    if (!next.done && next.value.coordinates.every((index, d) => index === coordinates[d])) {
      yield next.value
      next = await stored.next()
    } else if (layout.initializer || filledIn(layout, coordinates)) {
      yield { coordinates }
    }
  }
}

function storedChunk(
  parts: ReadParts,
  layout: ChunkLayout,
  { creationProperties: { filters } }: Dataset,
  coordinates: readonly number[],
  record: StoredChunk,
): ChunkBytes {
  const address = addressOf(layout, coordinates)
  const { filtered } = record
  if (!filtered) {
    return {
      coordinates,
      length: chunkElements(layout.grid) * layout.elementSize,
      mask: 2 ** filters.length - 1,
      bytes: async () =>
        wholeBytes(layout, await readChunk(parts.source, layout, coordinates, address, record)),
    }
  }
  const { length, mask } = filtered
  return {
    coordinates,
    length,
    mask,
    bytes: () => filteredBytes(parts, address, record, filtered),
  }
}

async function filteredBytes(
  { source }: ReadParts,
  address: ChunkAddress,
  record: StoredChunk,
  { length }: FilteredValues,
): Promise<Uint8Array> {
  if (isInline(record)) return presentValues(address, record, await source.get(valuesKey(address)))
  const bytes = new Uint8Array(length)
  const { blob, offset } = locateBlob(address, record)
  await readBlob(source, blob, offset, bytes)
  return bytes
}

/** The elements of a whole chunk. */
function wholeBytes(layout: ChunkLayout, elements: Elements): Uint8Array {
  return withFill(layout, elements, chunkElements(layout.grid)).data
}

/** Encodes chunks; one with the same elements as the one before is the same bytes. */
function rememberingLast({ source }: ReadParts, layout: ChunkLayout) {
  const { pipeline } = layout
  let last: { readonly data: Uint8Array; readonly bytes: Uint8Array; readonly mask: number } | undefined
  return async (coordinates: readonly number[], record: ChunkRecord | undefined): Promise<ChunkBytes> => {
    const address = addressOf(layout, coordinates)
    const data = wholeBytes(layout, await readChunk(source, layout, coordinates, address, record))
    if (!last || Buffer.compare(last.data, data) !== 0) {
      last = {
        data,
        ...(pipeline ? await source.filters.encode(pipeline, [data]) : { bytes: data, mask: 0 }),
      }
    }
    const { bytes, mask } = last
    return { coordinates, length: bytes.length, mask, bytes: async () => bytes }
  }
}
