// The chunks of a dataset of a mounted file whose bytes are the storage form: records are made of what the file's own index says,
// when they are asked for. Contiguous values are slabs of whole rows, which are found by arithmetic.

import type { AbortCheck } from '../bounded/turns.ts'
import { nextTurn } from '../bounded/turns.ts'
import { type ChunkLayout, chunkElements, usedElements } from '../chunks/chunk-layout.ts'
import type { ListStored } from '../chunks/portions.ts'
import { HyperslabError } from '../errors.ts'
import { decodedSizeFault } from '../filters/decoded-size.ts'
import type { ChunkCoordinates, ChunkedBytes, ContiguousBytes, StoredRange } from '../h5file/file-reader.ts'
import { damaged } from '../h5file/format/errors.ts'
import { product } from '../hdf5/dataspace.ts'
import {
  allChunks,
  type ChunkBox,
  type ChunkGrid,
  chunkCounts,
  compareChunks,
  rowMajorStrides,
} from '../hdf5/selection/selection.ts'
import type { ChunkIndex, FoundChunk, ListedChunk } from '../storage/chunks/chunk-index.ts'
import { encodeCoordinates } from '../storage/chunks/chunk-key.ts'
import type { FileChunk } from '../storage/chunks/chunk-record.ts'
import type { ReadParts } from '../storage/chunks/read-values.ts'
import type { ValueParts } from '../storage/mounted-domains.ts'
import type { PlacedChunk } from '../storage/store.ts'

/** Chunks that are read at once take so many bytes together, unless one alone has more. */
export const BYTES_AT_ONCE = 16 * 2 ** 20

/** Chunks that are looked up at once: each time the index is walked from its root. */
const LOOKUPS = 512

/** What chunks of one file have in common. */
export interface ChunkFile {
  readonly size: number
  /** Different when the bytes may be. */
  readonly stamp: string
}

/** `layout` has the chunk shape of the file. */
export function fileChunks(layout: ChunkLayout, stored: ChunkedBytes, file: ChunkFile): ChunkIndex {
  return fileIndex(layout, {
    lookups: LOOKUPS,
    async recordsOf(chunks) {
      const found = new Map<string, FileChunk>()
      for (const range of await stored.find(chunks)) {
        found.set(range.coordinates.join(), chunkRecord(layout, range, file))
      }
      return chunks.map(chunk => found.get(chunk.join()))
    },
    batches: () => chunksInOrder(layout.grid, stored.batches()),
    listStored: (box, most) => listChunks(layout.grid, stored, box, most),
  })
}

async function listChunks(
  { dims, chunkDims }: ChunkGrid,
  stored: ChunkedBytes,
  { low, high }: ChunkBox,
  most: number,
): Promise<readonly ChunkCoordinates[] | undefined> {
  const start = low.map((index, d) => index * chunkDims[d])
  const count = high.map((end, d) => Math.min(dims[d], end * chunkDims[d]) - start[d])
  const found: ChunkCoordinates[] = []
  for await (const batch of stored.batches({ start, count })) {
    for (const { coordinates } of batch) found.push(coordinates)
    if (found.length > most) return undefined
  }
  return found.sort(compareChunks)
}

/** `layout` has slabs (transfer/adoption.ts) as its chunks. Without a position it finds none: the file stores no values. */
export function fileSlabs(
  layout: ChunkLayout,
  { position, length }: ContiguousBytes,
  file: ChunkFile,
): ChunkIndex {
  const { grid, elementSize } = layout
  if (position === undefined) return NOTHING_STORED
  if (position + length > file.size || length < product(grid.dims) * elementSize) {
    throw damaged('the values', position, `they have ${length} bytes, and the file ends at ${file.size}`)
  }
  const recordOf = slabRecords(layout, position, file)
  return fileIndex(layout, {
    lookups: LOOKUPS,
    isComplete: true,
    recordsOf: async slabs => slabs.map(recordOf),
  })
}

const NOTHING_STORED: ChunkIndex = {
  lookups: LOOKUPS,
  isComplete: false,
  find: async slabs => slabs.map(() => undefined),
  async *all(): AsyncGenerator<ListedChunk> {},
  listStored: async () => [],
}

export interface FileIndexOptions {
  readonly lookups: number
  readonly isComplete?: boolean
  /** In the order of the chunks; undefined: the chunk is not stored. */
  readonly recordsOf: (chunks: readonly ChunkCoordinates[]) => Promise<readonly (FileChunk | undefined)[]>
  /** The chunks that may be stored, in the order of their coordinates. Default: all of the grid. */
  readonly batches?: () => AsyncIterable<readonly ChunkCoordinates[]>
  readonly listStored?: ListStored
}

export function fileIndex({ dataset, grid }: ChunkLayout, options: FileIndexOptions): ChunkIndex {
  const {
    lookups,
    isComplete = false,
    recordsOf,
    batches = () => batchesOf(allChunks(grid), lookups),
    listStored,
  } = options
  return {
    ...(listStored && { listStored }),
    lookups,
    isComplete,
    async find(chunks) {
      const records = await recordsOf(chunks)
      return records.map((record, i): FoundChunk | undefined => {
        const address = { dataset, coordinates: encodeCoordinates(chunks[i]) }
        return record && { address, record }
      })
    },
    async *all() {
      for await (const chunks of batches()) {
        for (const [i, record] of (await recordsOf(chunks)).entries()) {
          if (record) yield { coordinates: chunks[i], record }
        }
      }
    },
  }
}

/**
 * The records of slabs of values that lie side by side from `start` on. What would lie behind `size` is not stored.
 */
export function slabRecords(
  { grid, elementSize }: ChunkLayout,
  start: number,
  { size, stamp }: ChunkFile,
): (slab: ChunkCoordinates) => FileChunk {
  const strides = rowMajorStrides(grid.dims)
  return slab => {
    const first = slab.reduce((sum, index, d) => sum + index * grid.chunkDims[d] * strides[d], 0)
    const offset = start + first * elementSize
    const elements = Math.min(usedElements(grid, slab), Math.floor(Math.max(0, size - offset) / elementSize))
    return {
      at: 'file',
      file: stamp,
      version: stamp,
      offset,
      dataLength: elements * elementSize,
      heapLength: 0,
    }
  }
}

/** Throws when the chunk cannot be what the file says of it. */
export function chunkRecord(
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
  grid: ChunkGrid,
  batches: AsyncIterable<readonly (ChunkCoordinates | StoredRange)[]>,
  signal?: AbortCheck,
): AsyncGenerator<readonly ChunkCoordinates[]> {
  const strides = rowMajorStrides(chunkCounts(grid))
  const numberOf = (chunk: ChunkCoordinates | StoredRange) => {
    const coordinates = 'coordinates' in chunk ? chunk.coordinates : chunk
    return coordinates.reduce((sum, index, d) => sum + index * strides[d], 0)
  }
  const runs: Float64Array[] = []
  for await (const batch of batches) {
    signal?.throwIfAborted()
    runs.push(Float64Array.from(batch, numberOf).sort())
  }
  const numbers = await mergedRuns(runs)
  for (let from = 0; from < numbers.length; from += LOOKUPS) {
    await nextTurn()
    signal?.throwIfAborted()
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

/** Where the chunks lie, in the order of their coordinates, some at a time. */
export async function* placesInOrder(
  grid: ChunkGrid,
  stored: ChunkedBytes,
  signal?: AbortCheck,
): AsyncGenerator<readonly PlacedChunk[]> {
  const filters = 2 ** stored.filters.length - 1
  for await (const chunks of chunksInOrder(grid, stored.batches(), signal)) {
    const found = await stored.find(chunks)
    yield found
      .toSorted((a, b) => compareChunks(a.coordinates, b.coordinates))
      .map(({ coordinates, position, length, mask }) => {
        return { coordinates, position, length, hasAllFilters: (mask & filters) === 0 }
      })
  }
}

/** All numbers of the sorted runs, sorted. */
async function mergedRuns(runs: readonly Float64Array[]): Promise<Float64Array> {
  let left = runs
  while (left.length > 1) {
    const merged: Float64Array[] = []
    for (let at = 0; at < left.length; at += 2) {
      merged.push(at + 1 < left.length ? await merge(left[at], left[at + 1]) : left[at])
    }
    left = merged
  }
  return left[0] ?? new Float64Array()
}

async function merge(first: Float64Array, second: Float64Array): Promise<Float64Array> {
  await nextTurn()
  const merged = new Float64Array(first.length + second.length)
  if (!(first[first.length - 1] > second[0])) {
    merged.set(first)
    merged.set(second, first.length)
    return merged
  }
  let [i, j] = [0, 0]
  for (let at = 0; at < merged.length; at++) {
    merged[at] = j === second.length || first[i] <= second[j] ? first[i++] : second[j++]
    if (at % 4096 === 4095) await nextTurn()
  }
  return merged
}

async function* batchesOf(
  chunks: Iterable<ChunkCoordinates>,
  length: number,
): AsyncGenerator<readonly ChunkCoordinates[]> {
  let batch: ChunkCoordinates[] = []
  for (const chunk of chunks) {
    if (batch.push(chunk) < length) continue
    yield batch
    batch = []
  }
  yield batch
}

/** What reads such chunks, `most` of them at once. `read`: as `Blobs.read`. */
export function fileReadParts(
  { filters, pool }: Pick<ValueParts, 'filters' | 'pool'>,
  { grid, elementSize }: ChunkLayout,
  index: ChunkIndex,
  read: ReadParts['source']['blobs']['read'],
  most: number,
): ReadParts {
  const fitting = Math.floor(BYTES_AT_ONCE / (chunkElements(grid) * elementSize))
  return {
    index,
    // The file has its own checksums, or none.
    source: { blobs: { read, readCompared: read }, filters, get: async () => undefined },
    pool,
    parallelReads: Math.max(1, Math.min(most, fitting)),
  }
}
