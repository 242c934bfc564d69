// The values of a dataset as the file has them: the bytes of a box of elements, one element after another. Memory is
// that of the box and of some chunks, whatever the file claims.

import { extentsOf, product } from '@hyperslab/model/dataset'
import type { Box, StoredChunks } from '../../file-reader.ts'
import { damaged } from '../../format/errors.ts'
import { filled, partOf } from './box-memory.ts'
import { copyRuns } from './box-runs.ts'
import { chunksOf } from './chunk-index.ts'
import { readChunks } from './chunks-of-box.ts'
import { boxRuns, externalRows, readRows, rowsAt } from './rows.ts'
import type { ReadOptions, StoredDataset, ValueSource } from './value-source.ts'

/** The length up to which values are read through the cache of metadata, because they are stored among them. */
const SMALL_DATASET = 4096
/** Bytes of a box. Callers ask for boxes of some MiB, and for parts of chunks that have 16 MiB. @limit memory, bytes */
const MAX_BOX = 2 ** 28

/**
 * The bytes of the box; at once if they are few, and in the cache, so use `await`. Not of a virtual dataset, whose
 * values are those of others (virtual.ts).
 */
export function readBox(
  source: ValueSource,
  dataset: StoredDataset,
  box: Box,
  options: ReadOptions = {},
): Uint8Array | Promise<Uint8Array> {
  const { signal, into } = options
  const { layout, elementSize, space } = dataset
  const dims = extentsOf(space)
  const byteCount = product(box.count) * elementSize
  if (byteCount === 0 || space.class === 'H5S_NULL') return new Uint8Array(0)
  // Elements may be much larger in the file than in the model: a limit of their number does not limit their bytes.
  if (byteCount > MAX_BOX) {
    const rule = `${product(box.count)} elements of ${elementSize} bytes are too many to be read at once`
    throw damaged('the values', undefined, rule)
  }
  switch (layout.class) {
    case 'compact': {
      if (layout.bytes.length < product(dims) * elementSize) {
        throw damaged('the data layout', undefined, `it holds ${layout.bytes.length} bytes of values`)
      }
      return copyBox(layout.bytes, dims, box, elementSize, into)
    }
    case 'contiguous': {
      const { address } = layout
      if (dataset.external) {
        return readRows(externalRows(dataset.external, signal), dims, box, elementSize, into)
      }
      if (address === undefined) return filled(dataset, byteCount, into)
      source.bytes.requireRange({ position: address, length: byteCount }, 'the values')
      const length = product(dims) * elementSize
      if (length <= SMALL_DATASET) {
        const bytes = source.bytes.read(address, length, 'the values')
        const copy = (all: Uint8Array) => copyBox(all, dims, box, elementSize, into)
        return bytes instanceof Promise ? bytes.then(copy) : copy(bytes)
      }
      return readRows(rowsAt(source.bytes, address, 'the values', signal), dims, box, elementSize, into)
    }
    case 'chunked':
      return readChunks(source, dataset, layout, box, options)
    case 'virtual':
      throw new Error('a virtual dataset has no values of its own')
  }
}

/** Throws if the file ends before the values, or if a file with values is missing. */
export async function requireStored({ bytes }: ValueSource, dataset: StoredDataset): Promise<void> {
  const { layout, space, elementSize, external = [], filters } = dataset
  const length = product(extentsOf(space)) * elementSize
  if (space.class === 'H5S_NULL' || length === 0) return
  for (const { open } of external) await open()
  if (layout.class === 'contiguous' && layout.address !== undefined && external.length === 0) {
    bytes.requireRange({ position: layout.address, length }, 'the values')
  }
  if (layout.class !== 'chunked' || space.class !== 'H5S_SIMPLE') return
  for await (const chunks of chunksOf(bytes, { layout, space, isFiltered: filters.length > 0 })) {
    for (const { address, length } of chunks) bytes.requireRange({ position: address, length }, 'a chunk')
  }
}

/** The chunks that are stored; undefined: all values are, or it is not known. */
export function storedChunks({ bytes }: ValueSource, dataset: StoredDataset): StoredChunks | undefined {
  const { layout, space } = dataset
  if (layout.class === 'contiguous' && layout.address === undefined && !dataset.external) {
    return { chunkDims: extentsOf(space), batches: none }
  }
  if (layout.class !== 'chunked' || space.class !== 'H5S_SIMPLE') return undefined
  const isFiltered = dataset.filters.length > 0
  const { beginChunks } = dataset
  return {
    chunkDims: layout.chunkDims,
    async *batches(box) {
      const chunked = { layout, space, isFiltered, ...(beginChunks && !box && { count: beginChunks() }) }
      for await (const chunks of chunksOf(bytes, chunked, box))
        yield chunks.map(({ coordinates }) => coordinates)
    },
  }
}

async function* none(): AsyncGenerator<never> {}

function copyBox(
  bytes: Uint8Array,
  dims: readonly number[],
  box: Box,
  elementSize: number,
  into: Uint8Array | undefined,
): Uint8Array {
  const length = product(box.count) * elementSize
  const target = partOf(into, length) ?? new Uint8Array(length)
  const isAll = length === product(dims) * elementSize
  if (isAll) target.set(bytes.subarray(0, length))
  else copyRuns(boxRuns(dims, box), elementSize, bytes, target)
  return target
}
