// The chunks of a dataset of a mounted file whose bytes are the storage form, as the file's own index gives them.
// Contiguous values are slabs of whole rows, which are found by arithmetic.

import { type AbortCheck, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { decodedSizeFault } from '@hyperslab/h5/filters'
import type {
  ByteSource,
  ChunkCoordinates,
  ChunkedBytes,
  ContiguousBytes,
  StoredRange,
} from '@hyperslab/h5/reader'
import { damaged } from '@hyperslab/h5/reader'
import { product } from '@hyperslab/model/dataset'
import type { ObjectId } from '@hyperslab/model/names'
import {
  allChunks,
  type ChunkBox,
  type ChunkGrid,
  chunkCounts,
  compareChunks,
  rowMajorStrides,
} from '@hyperslab/model/selection'
import type { ChunkIndex, StoredChunk } from '@hyperslab/store/chunks'
import { type ChunkLayout, chunkElements, IndexedValues, spanOf, usedElements } from '@hyperslab/store/chunks'
import type { LocatedChunk, ValueParts } from '@hyperslab/store/store'
import { jointReads, type ReadBytes, rangeReads } from './joint-reads.ts'

/** Chunks that are read at once take this many bytes together, unless one alone has more. @limit memory, bytes */
export const BYTES_AT_ONCE = 16 * 2 ** 20

/** Chunks that are looked up at once, since each look-up walks the index from its root. */
const LOOKUPS = 512

/** The common properties of the chunks of one file. */
export interface ChunkFile {
  readonly size: number
  /** A stamp that changes when the bytes may have changed. */
  readonly stamp: string
  readonly readBytes: ReadBytes
  readonly readRanges?: StoredChunk['readRanges']
  /** True: it is not the file of the domain. */
  readonly isOther?: boolean
}

/** The chunks of one file, or of several. */
type StoredRanges = Pick<ChunkedBytes, 'find' | 'batches'>

/** `layout` has the chunk shape of the file. */
export function fileChunks(layout: ChunkLayout, stored: StoredRanges, file: ChunkFile): ChunkIndex {
  return fileIndex(layout, {
    lookups: LOOKUPS,
    async chunksOf(chunks) {
      const storedChunks = new Map<string, StoredChunk>()
      for (const range of await stored.find(chunks)) {
        storedChunks.set(range.coordinates.join(), chunkInFile(layout, range, file))
      }
      return chunks.map(chunk => storedChunks.get(chunk.join()))
    },
    batches: () => chunksInOrder(layout.grid, stored.batches()),
    listStored: (box, most) => listChunks(layout.grid, stored, box, most),
  })
}

async function listChunks(
  { dims, chunkDims }: ChunkGrid,
  stored: StoredRanges,
  { low, high }: ChunkBox,
  most: number,
): Promise<readonly ChunkCoordinates[] | undefined> {
  const start = low.map((index, d) => index * chunkDims[d])
  const count = high.map((end, d) => Math.min(dims[d], end * chunkDims[d]) - start[d])
  const chunks: ChunkCoordinates[] = []
  for await (const batch of stored.batches({ start, count })) {
    for (const { coordinates } of batch) chunks.push(coordinates)
    if (chunks.length > most) return undefined
  }
  return chunks.sort(compareChunks)
}

/**
 * `layout` has slabs (transfer/adoption.ts) as its chunks. Without a position, the file stores no values, and the index
 * finds no slab.
 */
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
  const slabOf = slabsFrom(layout, position, file)
  return fileIndex(layout, {
    lookups: LOOKUPS,
    isComplete: true,
    chunksOf: async slabs => slabs.map(slabOf),
  })
}

const NOTHING_STORED: ChunkIndex = {
  lookups: LOOKUPS,
  isComplete: false,
  find: async slabs => slabs.map(() => undefined),
  async *all() {},
  listStored: async () => [],
}

export interface FileIndexOptions {
  readonly lookups: number
  readonly isComplete?: boolean
  /** The stored chunks, in the order of `chunks`; undefined: the chunk is not stored. */
  readonly chunksOf: (chunks: readonly ChunkCoordinates[]) => Promise<readonly (StoredChunk | undefined)[]>
  /** The chunks that may be stored, in the order of their coordinates. Default: all of the grid. */
  readonly batches?: () => AsyncIterable<readonly ChunkCoordinates[]>
  readonly listStored?: ChunkIndex['listStored']
}

export function fileIndex({ grid }: ChunkLayout, options: FileIndexOptions): ChunkIndex {
  const {
    lookups,
    isComplete = false,
    chunksOf,
    batches = () => batchesOf(allChunks(grid), lookups),
    listStored,
  } = options
  async function* all() {
    for await (const chunks of batches()) {
      for (const [i, chunk] of (await chunksOf(chunks)).entries()) {
        if (chunk) yield { coordinates: chunks[i], chunk }
      }
    }
  }
  return {
    ...(listStored && { listStored }),
    lookups,
    isComplete,
    find: chunksOf,
    all: span => spanOf(all(), span),
  }
}

/** Slabs of adjacent values from `start` on. The part after `size` is not stored. */
export function slabsFrom(
  { dataset, grid, elementSize }: ChunkLayout,
  start: number,
  file: ChunkFile,
): (slab: ChunkCoordinates) => StoredChunk {
  const strides = rowMajorStrides(grid.dims)
  return slab => {
    const first = slab.reduce((sum, index, d) => sum + index * grid.chunkDims[d] * strides[d], 0)
    const position = start + first * elementSize
    const stored = Math.floor(Math.max(0, file.size - position) / elementSize)
    const dataLength = Math.min(usedElements(grid, slab), stored) * elementSize
    return new FileChunk({ dataset, coordinates: slab, file, position, dataLength })
  }
}

/** A chunk of the file; throws when the file gives an impossible length for it. */
export function chunkInFile(
  { dataset, grid, elementSize, pipeline }: ChunkLayout,
  { coordinates, position, length, mask, source }: StoredRange,
  ownFile: ChunkFile,
): StoredChunk {
  const file = source ? otherFile(source) : ownFile
  const name = `the chunk [${coordinates.join(', ')}]`
  const chunkBytes = chunkElements(grid) * elementSize
  const isFiltered = pipeline !== undefined && mask !== 2 ** pipeline.length - 1
  if (position + length > file.size)
    throw damaged(name, position, `it has ${length} bytes, and the file ends at ${file.size}`)
  if (!isFiltered && length !== chunkBytes) {
    throw damaged(name, position, `it has ${length} bytes instead of ${chunkBytes}`)
  }
  const fault = isFiltered ? decodedSizeFault(length, chunkBytes) : undefined
  if (fault) throw new HyperslabError('type-unsupported', `${name} cannot be read: ${fault}`)
  const dataLength = isFiltered ? chunkBytes : usedElements(grid, coordinates) * elementSize
  const filtered = isFiltered ? { length, mask } : undefined
  return new FileChunk({ dataset, coordinates, file, position, dataLength, filtered })
}

function otherFile(source: ByteSource): ChunkFile {
  const { size, stamp } = source
  return { size, stamp, isOther: true, readBytes: jointReads(source), readRanges: rangeReads(source) }
}

interface FileChunkParts {
  readonly dataset: ObjectId
  readonly coordinates: ChunkCoordinates
  readonly file: ChunkFile
  readonly position: number
  readonly dataLength: number
  readonly filtered?: StoredChunk['filtered']
}

class FileChunk implements StoredChunk {
  readonly dataLength: number
  readonly heapLength = 0
  readonly filtered: StoredChunk['filtered']
  readonly #parts: FileChunkParts

  constructor(parts: FileChunkParts) {
    this.dataLength = parts.dataLength
    this.filtered = parts.filtered
    this.#parts = parts
  }

  get name(): string {
    const { dataset, coordinates, file, position } = this.#parts
    return `${dataset} ${coordinates.join()} ${file.stamp}-${position}-${this.#length}`
  }

  get position(): number | undefined {
    const { file, position } = this.#parts
    return file.isOther ? undefined : position
  }

  get readRanges(): StoredChunk['readRanges'] {
    const { file, position } = this.#parts
    const { readRanges } = file
    if (!readRanges) return undefined
    return (ranges, into) =>
      readRanges(
        ranges.map(range => ({ ...range, position: position + range.position })),
        into,
      )
  }

  read(position: number, into: Uint8Array): Promise<void> {
    return this.#parts.file.readBytes(this.#parts.position + position, into)
  }

  /** Reads all bytes. They are not compared: the file has its own checksums, or none. */
  async readAll(into = new Uint8Array(this.#length)): Promise<Uint8Array> {
    await this.read(0, into)
    return into
  }

  damaged(chunk: string, reason: string, cause: unknown): Error {
    const { dataset, position } = this.#parts
    const message = `${chunk} at ${position} of its file is damaged: ${reason}`
    return new HyperslabError('values-unreadable', message, { subject: dataset, cause })
  }

  get #length(): number {
    return this.filtered?.length ?? this.dataLength
  }
}

/**
 * The same chunks in the order of their coordinates, some at a time, since indexes have other orders. Only a number is
 * kept for each.
 */
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

/** The locations of the chunks, in the order of their coordinates, some at a time. */
export async function* locateInOrder(
  grid: ChunkGrid,
  stored: ChunkedBytes,
  signal?: AbortCheck,
): AsyncGenerator<readonly LocatedChunk[]> {
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

/** The values of such chunks, `most` of which are read at once. */
export function fileValues(
  { filters, pool }: Pick<ValueParts, 'filters' | 'pool'>,
  layout: ChunkLayout,
  index: ChunkIndex,
  most: number,
): IndexedValues {
  const { grid, elementSize } = layout
  const fitting = Math.floor(BYTES_AT_ONCE / (chunkElements(grid) * elementSize))
  const parallelReads = Math.max(1, Math.min(most, fitting))
  return new IndexedValues(layout, { index, filters, pool, parallelReads })
}
