// The chunks of a dataset in order, as bytes that can be put into a file: filtered chunks as they are stored, the
// others whole. Chunks that are not stored in that form, because they repeat one element, are computed or have patches,
// go through the filters now.

import { product } from '@hyperslab/model/dataset'
import { allChunks, type Hyperslab } from '@hyperslab/model/selection'
import { type Elements, ElementsBuilder, expandPieces, type Piece } from '@hyperslab/model/values'
import type { ChunkSpan, FilteredLength, FoundChunk, StoredChunk } from './chunk-index.ts'
import {
  type ChunkedDataset,
  type ChunkLayout,
  chunkElements,
  insideDims,
  partFromStart,
} from './chunk-layout.ts'
import { filledIn, readChunk, withFill } from './read-chunk.ts'
import type { ReadParts } from './read-values.ts'

/**
 * The bytes of a whole chunk, as the filters of its dataset left them. Elements outside the extents may have any value,
 * unless the dataset can grow: then they have the fill value.
 */
export interface ChunkBytes {
  readonly coordinates: readonly number[]
  readonly length: number
  /** Bit i is set: filter i of the dataset was not applied. */
  readonly mask: number
  /** The bytes; not for types of variable size, whose elements are partly elsewhere. */
  bytes(): Promise<Uint8Array>
  /** Fills `into` with the bytes from a position on. Absent: all bytes are read, or computed, at once. */
  readonly read?: (position: number, into: Uint8Array) => Promise<void>
}

interface NeededChunk {
  readonly coordinates: readonly number[]
  /** The stored chunk; absent: it is not stored. */
  readonly chunk?: FoundChunk
}

export async function* storedChunks(
  parts: ReadParts,
  layout: ChunkLayout,
  dataset: ChunkedDataset,
  span?: ChunkSpan,
): AsyncGenerator<ChunkBytes> {
  const encode = rememberingLast(parts, layout)
  const chunks =
    layout.filled || layout.initializer ? spanOf(neededChunks(parts, layout), span) : parts.index.all(span)
  for await (const { coordinates, chunk } of chunks) {
    if (chunk && 'patches' in chunk && !layout.pipeline) {
      yield unfilteredChunk(parts, layout, dataset, coordinates, chunk)
    } else if (chunk && 'dataLength' in chunk) {
      yield storedChunk(parts, layout, dataset, coordinates, chunk)
    } else {
      yield await encode(coordinates, chunk)
    }
  }
}

/** A part of a list of chunks, each of which costs no work. */
export async function* spanOf<C extends { readonly coordinates: readonly number[] }>(
  chunks: AsyncIterable<C>,
  { from, count = Number.POSITIVE_INFINITY }: ChunkSpan = {},
): AsyncGenerator<C> {
  let isBefore = from !== undefined
  let left = count
  for await (const chunk of chunks) {
    isBefore &&= chunk.coordinates.some((index, d) => index !== from?.[d])
    if (isBefore) continue
    if (left-- <= 0) return
    yield chunk
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
  dataset: ChunkedDataset,
  coordinates: readonly number[],
  chunk: StoredChunk,
): ChunkBytes {
  const { filtered } = chunk
  if (!filtered) return unfilteredChunk(parts, layout, dataset, coordinates, chunk)
  const { length, mask } = filtered
  const read: ChunkBytes['read'] = (position, into) => chunk.read(position, into)
  return { coordinates, length, mask, bytes: () => filteredBytes(chunk, filtered), read }
}

/** A chunk that goes through no filter. */
function unfilteredChunk(
  { filters }: ReadParts,
  layout: ChunkLayout,
  { creationProperties }: ChunkedDataset,
  coordinates: readonly number[],
  chunk: FoundChunk,
): ChunkBytes {
  const length = chunkElements(layout.grid) * layout.elementSize
  // A shorter one was cut after its last element inside the extents.
  const isWhole = 'dataLength' in chunk && chunk.dataLength === length
  return {
    coordinates,
    length,
    mask: 2 ** creationProperties.filters.length - 1,
    bytes: async () => wholeBytes(layout, await readChunk(filters, layout, coordinates, chunk)),
    ...(isWhole && { read: (position: number, into: Uint8Array) => chunk.read(position, into) }),
  }
}

/**
 * All elements of a chunk, without filters. `read` gives those of a box inside the extents; the others have the fill
 * value.
 */
export function computedChunk(
  { grid, type, elementSize, fillValue }: ChunkLayout,
  { creationProperties }: ChunkedDataset,
  coordinates: readonly number[],
  read: (box: Hyperslab) => AsyncIterable<Piece>,
): ChunkBytes {
  return {
    coordinates,
    length: chunkElements(grid) * elementSize,
    mask: 2 ** creationProperties.filters.length - 1,
    bytes: async () => {
      const count = insideDims(grid, coordinates)
      const start = coordinates.map((index, d) => index * grid.chunkDims[d])
      const ones = count.map(() => 1)
      const inside = new ElementsBuilder(type, product(count))
      let offset = 0
      const pieces = read({ kind: 'hyperslab', start, stride: ones, count, block: ones })
      for await (const piece of expandPieces(type, pieces)) {
        inside.copy(piece, 0, offset, piece.count)
        offset += piece.count
      }
      const whole = new ElementsBuilder(type, chunkElements(grid))
      whole.fill(fillValue)
      whole.scatter(partFromStart(grid, count), inside.finish())
      return whole.finish().data
    },
  }
}

async function filteredBytes(chunk: StoredChunk, { length }: FilteredLength): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  await chunk.read(0, bytes)
  return bytes
}

/** The elements of a whole chunk. */
function wholeBytes(layout: ChunkLayout, elements: Elements): Uint8Array {
  return withFill(layout, elements, chunkElements(layout.grid)).data
}

/** Encodes chunks; one with the same elements as the previous one gets the same bytes. */
function rememberingLast({ filters }: ReadParts, layout: ChunkLayout) {
  const { pipeline } = layout
  let last: { readonly data: Uint8Array; readonly bytes: Uint8Array; readonly mask: number } | undefined
  return async (coordinates: readonly number[], found: FoundChunk | undefined): Promise<ChunkBytes> => {
    const data = wholeBytes(layout, await readChunk(filters, layout, coordinates, found))
    if (!last || Buffer.compare(last.data, data) !== 0) {
      last = { data, ...(pipeline ? await filters.encode(pipeline, [data]) : { bytes: data, mask: 0 }) }
    }
    const { bytes, mask } = last
    return { coordinates, length: bytes.length, mask, bytes: async () => bytes }
  }
}
