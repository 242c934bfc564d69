// The stored chunks of a dataset, with one interface for all six kinds of index. The work grows with the number of
// requested chunks, never with the extents.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { product, type SimpleDataspace, UNLIMITED } from '@hyperslab/model/dataset'
import type { Box, ChunkCoordinates } from '../../file-reader.ts'
import { damaged } from '../../format/errors.ts'
import type { FieldReader } from '../../format/field-reader.ts'
import { chunkBTree } from '../../format/indexes/b-tree-1.ts'
import {
  type ChunkIndexRecord,
  COORDINATE_SIZE,
  chunkEntryForm,
  decodeIndexRecord,
} from '../../format/indexes/chunk-index-record.ts'
import type { ChunkedLayout } from '../../format/messages/layout.ts'
import { walkBTree1 } from '../structures/b-tree-1.ts'
import { bTree2Records } from '../structures/b-tree-2.ts'
import type { FileBytes } from '../structures/file-bytes.ts'
import type { CountMembers } from '../structures/member-count.ts'
import { extensibleArrayChunks, fixedArrayChunks } from './chunk-arrays.ts'
import {
  ChunkNumbers,
  type ChunkSet,
  chunkBoxOf,
  chunkListOf,
  holdsChunk,
  mayHoldBetween,
} from './chunk-box.ts'

/** A dataset of chunks. */
export interface ChunkedDataset {
  readonly layout: ChunkedLayout
  readonly space: SimpleDataspace
  /** True: it has filters, whether or not every chunk went through them. */
  readonly isFiltered: boolean
  /** Counts the chunks that are found, and the bytes that each takes in the file at least. */
  readonly count?: CountMembers
}

/** Types of records of version 2 B-trees. */
const UNFILTERED_CHUNKS = 10
const FILTERED_CHUNKS = 11

const BATCH = 4096
/** Chunks of one returned batch: the work with each may take microseconds. */
const FEW_CHUNKS = 512

type Batches = AsyncIterable<readonly ChunkIndexRecord[]>

/** Bytes of a chunk that went through no filter. */
export function chunkBytes({ chunkDims, elementSize }: ChunkedLayout): number {
  return product([...chunkDims, elementSize])
}

/** The stored chunks that the box touches, or those of the list, in any order; by default all within the extents. */
export async function* chunksOf(
  file: FileBytes,
  dataset: ChunkedDataset,
  requested?: Box | readonly ChunkCoordinates[],
): AsyncGenerator<readonly ChunkIndexRecord[]> {
  const { layout, space } = dataset
  if (layout.chunkDims.length !== space.dims.length) {
    const rule = `chunks have ${layout.chunkDims.length} dimensions, and the dataset ${space.dims.length}`
    throw damaged('the data layout', undefined, rule)
  }
  const { address } = layout.index
  if (address === undefined || space.dims.includes(0)) return
  const isList = requested !== undefined && !('start' in requested)
  const set = isList
    ? chunkListOf(space, layout.chunkDims, requested)
    : chunkBoxOf(space, layout.chunkDims, requested)
  let bytes = 0
  for await (const found of indexedChunks(file, dataset, address, set)) {
    dataset.count?.(found.length, leastSize(file, dataset))
    for (let first = 0; first < found.length; first += FEW_CHUNKS) {
      const some = found.slice(first, first + FEW_CHUNKS)
      const chunks = some.filter(({ coordinates }) => holdsChunk(set, coordinates))
      for (const { length } of chunks) bytes += length
      if (bytes > file.end) {
        throw damaged('the index of chunks', address, 'its chunks together are longer than the file')
      }
      if (chunks.length > 0) yield chunks
      if (isTurnOver()) await nextTurn()
    }
  }
}

/** Bytes of a chunk in the index, or those of its values where there is none. */
function leastSize({ widths }: FileBytes, { layout }: ChunkedDataset): number {
  switch (layout.index.kind) {
    case 'b-tree-1':
      return chunkBTree(layout.chunkDims.length).keySize(widths) + widths.offsets
    case 'implicit':
      return chunkBytes(layout)
    default:
      return widths.offsets
  }
}

function indexedChunks(
  file: FileBytes,
  { layout, space, isFiltered }: ChunkedDataset,
  address: number,
  set: ChunkSet,
): Batches {
  const { index, chunkDims } = layout
  const length = chunkBytes(layout)
  switch (index.kind) {
    case 'b-tree-1':
      return bTree1Chunks(file, address, chunkDims, set)
    case 'b-tree-2':
      return bTree2Chunks(file, address, set, { rank: chunkDims.length, isFiltered, chunkLength: length })
    case 'single-chunk':
      return singleChunk({ address, length, mask: 0, ...index.filtered, coordinates: chunkDims.map(() => 0) })
    case 'implicit':
      return implicitChunks(file, address, length, new ChunkNumbers(space, chunkDims, set))
    case 'fixed-array':
      return fixedArrayChunks(file, address, length, new ChunkNumbers(space, chunkDims, set))
    case 'extensible-array': {
      const unlimited = Math.max(0, space.maxdims?.indexOf(UNLIMITED) ?? 0)
      return extensibleArrayChunks(file, address, length, new ChunkNumbers(space, chunkDims, set, unlimited))
    }
  }
}

/** Keys hold where chunks begin, in elements. */
async function* bTree1Chunks(
  file: FileBytes,
  address: number,
  chunkDims: readonly number[],
  set: ChunkSet,
): Batches {
  const coordinatesOf = (offsets: readonly number[]) =>
    chunkDims.map((extent, d) => Math.floor(offsets[d] / extent))
  const entries = walkBTree1(file, address, chunkBTree(chunkDims.length), ({ key, nextKey }) =>
    mayHoldBetween(set, coordinatesOf(key.offsets), coordinatesOf(nextKey.offsets)),
  )
  for await (const batch of entries) {
    yield batch.map(({ key: { length, mask, offsets }, child }) => ({
      address: child,
      length,
      mask,
      coordinates: coordinatesOf(offsets),
    }))
  }
}

/** The chunks of a version 2 B-tree, which is sorted by coordinates. */
function bTree2Chunks(
  file: FileBytes,
  address: number,
  set: ChunkSet,
  form: { readonly rank: number; readonly isFiltered: boolean; readonly chunkLength: number },
): Batches {
  const { rank, isFiltered, chunkLength } = form
  const records = {
    type: isFiltered ? FILTERED_CHUNKS : UNFILTERED_CHUNKS,
    decode(fields: FieldReader, recordSize: number): ChunkIndexRecord {
      const entryForm = chunkEntryForm(fields, recordSize - rank * COORDINATE_SIZE, isFiltered, chunkLength)
      return decodeIndexRecord(fields, entryForm, rank)
    },
  }
  const least = new Array<number>(rank).fill(Number.NEGATIVE_INFINITY)
  const most = new Array<number>(rank).fill(Number.POSITIVE_INFINITY)
  return bTree2Records(file, address, records, (before, after) =>
    mayHoldBetween(set, before?.coordinates ?? least, after?.coordinates ?? most),
  )
}

async function* singleChunk(chunk: ChunkIndexRecord): Batches {
  yield [chunk]
}

/** Every chunk is stored, one after another, up to the maximum extents. */
async function* implicitChunks(
  file: FileBytes,
  address: number,
  length: number,
  numbers: ChunkNumbers,
): Batches {
  let batch: ChunkIndexRecord[] = []
  for (let number = numbers.next(0); number !== Number.POSITIVE_INFINITY; number = numbers.next(number + 1)) {
    const chunk = { address: address + number * length, length, mask: 0 }
    if (chunk.address + length > file.end) {
      throw damaged('the data of chunks', chunk.address, `the file ends at ${file.end}`)
    }
    batch.push({ ...chunk, coordinates: numbers.coordinatesOf(number) })
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}
