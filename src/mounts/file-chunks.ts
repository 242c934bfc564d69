// The chunks of a dataset of a mounted file whose bytes are the storage form: records are made of what the file's own index says,
// when they are asked for. Contiguous values are slabs of whole rows, which are found by arithmetic.

import { HyperslabError } from '../errors.ts'
import { decodedSizeFault } from '../filters/decoded-size.ts'
import { damaged } from '../h5file/format/errors.ts'
import type { ChunkCoordinates, StoredBytes, StoredRange } from '../h5file/reader.ts'
import { coordinatesWithin, product } from '../hdf5/dataspace.ts'
import { type ChunkGrid, rowMajorStrides } from '../hdf5/selection/selection.ts'
import type { ChunkIndex, FoundChunk, ListedChunk } from '../storage/chunks/chunk-index.ts'
import { encodeCoordinates } from '../storage/chunks/chunk-key.ts'
import { type ChunkLayout, chunkElements, usedElements } from '../storage/chunks/chunk-layout.ts'
import type { FileChunk } from '../storage/chunks/chunk-record.ts'
import { Turns } from '../turns.ts'

/** Chunks that are looked up at once: each time the index is walked from its root. */
const LOOKUPS = 4096

/** What chunks of one file have in common. */
export interface ChunkFile {
  readonly size: number
  /** Different when the bytes may be. */
  readonly stamp: string
}

/** `layout` has the chunk shape of the file. */
export function fileChunks(layout: ChunkLayout, stored: StoredBytes, file: ChunkFile): ChunkIndex {
  const { dataset, grid } = layout
  const recordOf = (range: StoredRange) => chunkRecord(layout, range, file)
  const find = async (chunks: readonly ChunkCoordinates[]) => {
    const found = new Map<string, FoundChunk>()
    for (const range of await stored.find(chunks)) {
      const address = { dataset, coordinates: encodeCoordinates(range.coordinates) }
      found.set(range.coordinates.join(), { address, record: recordOf(range) })
    }
    return chunks.map(chunk => found.get(chunk.join()))
  }
  return {
    lookups: LOOKUPS,
    isComplete: false,
    find,
    async *all() {
      for await (const chunks of chunksInOrder(grid, stored.batches())) {
        for (const [i, chunk] of (await find(chunks)).entries()) {
          if (chunk) yield { coordinates: chunks[i], record: chunk.record }
        }
      }
    },
  }
}

/** `layout` has slabs (transfer/adoption.ts) as its chunks. Undefined: the file stores nothing of it. */
export async function fileSlabs(
  layout: ChunkLayout,
  stored: StoredBytes,
  file: ChunkFile,
): Promise<ChunkIndex> {
  const { dataset, grid, elementSize } = layout
  const [all] = await stored.find([grid.dims.map(() => 0)])
  if (!all) return NOTHING_STORED
  const strides = rowMajorStrides(grid.dims)
  if (all.position + all.length > file.size || all.length < product(grid.dims) * elementSize) {
    throw damaged(
      'the values',
      all.position,
      `they have ${all.length} bytes, and the file ends at ${file.size}`,
    )
  }
  const recordOf = (slab: ChunkCoordinates): FileChunk => {
    const first = slab.reduce((sum, index, d) => sum + index * grid.chunkDims[d] * strides[d], 0)
    return {
      at: 'file',
      file: file.stamp,
      version: file.stamp,
      offset: all.position + first * elementSize,
      dataLength: usedElements(grid, slab) * elementSize,
      heapLength: 0,
    }
  }
  return {
    lookups: LOOKUPS,
    isComplete: true,
    find: async slabs =>
      slabs.map(slab => ({
        address: { dataset, coordinates: encodeCoordinates(slab) },
        record: recordOf(slab),
      })),
    async *all() {
      const counts = grid.dims.map((extent, d) => Math.ceil(extent / grid.chunkDims[d]))
      for (const coordinates of coordinatesWithin(counts))
        yield { coordinates, record: recordOf(coordinates) }
    },
  }
}

const NOTHING_STORED: ChunkIndex = {
  lookups: LOOKUPS,
  isComplete: false,
  find: async slabs => slabs.map(() => undefined),
  async *all(): AsyncGenerator<ListedChunk> {},
}

/** Throws when the chunk cannot be what the file says of it. */
function chunkRecord(
  { grid, elementSize, pipeline }: ChunkLayout,
  { coordinates, position, length, mask }: StoredRange,
  { size, stamp }: ChunkFile,
): FileChunk {
  const name = `the chunk [${coordinates.join(', ')}]`
  const whole = chunkElements(grid) * elementSize
  const isFiltered = pipeline !== undefined && mask !== 2 ** pipeline.length - 1
  if (position + length > size)
    throw damaged(name, position, `it has ${length} bytes, and the file ends at ${size}`)
  if (!isFiltered && length !== whole) {
    throw damaged(name, position, `it has ${length} bytes instead of ${whole}`)
  }
  const fault = isFiltered ? decodedSizeFault(length, whole) : undefined
  if (fault) throw new HyperslabError('type-unsupported', `${name} cannot be read: ${fault}`)
  return {
    at: 'file',
    file: stamp,
    version: `${stamp}-${position}-${length}`,
    offset: position,
    dataLength: isFiltered ? whole : usedElements(grid, coordinates) * elementSize,
    heapLength: 0,
    ...(isFiltered && { filtered: { length, mask, isForeign: true } }),
  }
}

/** The same chunks in the order of their coordinates, some at a time: indexes have other orders. Of each only a number is held. */
export async function* chunksInOrder(
  { dims, chunkDims }: ChunkGrid,
  batches: AsyncIterable<readonly (ChunkCoordinates | StoredRange)[]>,
): AsyncGenerator<readonly ChunkCoordinates[]> {
  const strides = rowMajorStrides(dims.map((extent, d) => Math.ceil(extent / chunkDims[d])))
  const numberOf = (chunk: ChunkCoordinates | StoredRange) => {
    const coordinates = 'coordinates' in chunk ? chunk.coordinates : chunk
    return coordinates.reduce((sum, index, d) => sum + index * strides[d], 0)
  }
  const found: Float64Array[] = []
  for await (const batch of batches) found.push(Float64Array.from(batch, numberOf))
  const numbers = new Float64Array(found.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const batch of found) {
    numbers.set(batch, at)
    at += batch.length
  }
  numbers.sort()
  const turns = new Turns()
  for (let from = 0; from < numbers.length; from += LOOKUPS) {
    await turns.next()
    const some = numbers.subarray(from, from + LOOKUPS)
    yield Array.from(some, number => {
      let rest = number
      return strides.map(stride => {
        const index = Math.floor(rest / stride)
        rest -= index * stride
        return index
      })
    })
  }
}
