// The location of the values of a dataset whose elements have their storage form in the file, so that they can be taken
// over unchanged.

import { extentsOf, product } from '@hyperslab/model/dataset'
import type { ByteSource } from '../../byte-source.ts'
import type { ChunkedBytes, ChunkRanges, StoredBytes, StoredRange } from '../../file-reader.ts'
import type { ChunkIndexRecord } from '../../format/indexes/chunk-index-record.ts'
import { isStorageForm } from '../elements/types.ts'
import type { FileBytes } from '../structures/file-bytes.ts'
import { crossesEdge } from './chunk-box.ts'
import { chunksOf } from './chunk-index.ts'
import type { OpenDataset } from './value-source.ts'

/** Undefined: the values must be read. */
export function storedBytes(file: FileBytes, dataset: OpenDataset): StoredBytes | undefined {
  const { model, type, stored } = dataset
  const { space, layout, filters, external } = stored
  if (!isStorageForm(type) || space.class !== 'H5S_SIMPLE' || external) return undefined
  if (layout.class === 'contiguous') {
    const dims = extentsOf(space)
    const { address } = layout
    const isThere = address !== undefined && !dims.includes(0)
    const position = isThere ? file.positionOf(address) : undefined
    return { layout: 'contiguous', position, length: product(dims) * stored.elementSize }
  }
  const { creationProperties } = model
  const isSamePipeline =
    filters.map(({ id }) => id).join() === creationProperties.filters.map(({ id }) => id).join()
  return isSamePipeline ? chunkRanges(file, dataset) : undefined
}

/** Undefined: the dataset has no chunks. */
export function chunkRanges(file: FileBytes, { stored }: OpenDataset): ChunkedBytes | undefined {
  const { space, layout, filters, beginChunks } = stored
  if (layout.class !== 'chunked' || space.class !== 'H5S_SIMPLE') return undefined
  const dims = extentsOf(space)
  const { chunkDims, hasUnfilteredEdges } = layout
  const unfiltered = 2 ** filters.length - 1
  const chunked = { layout, space, isFiltered: filters.length > 0 }
  const rangeOf = ({ coordinates, address, length, mask }: ChunkIndexRecord): StoredRange => {
    const isUnfiltered = hasUnfilteredEdges && crossesEdge(coordinates, chunkDims, dims)
    return {
      coordinates,
      position: file.positionOf(address),
      length,
      mask: isUnfiltered ? unfiltered : mask,
    }
  }
  const read: ChunkedBytes['read'] = ranges => {
    const positions = ranges.map(({ position, length }) => ({
      position: position - file.positionOf(0),
      length,
    }))
    return file.readValues(positions, 'a chunk')
  }
  return {
    layout: 'chunked',
    chunkDims,
    filters,
    read,
    async *batches(box) {
      const counted = { ...chunked, ...(beginChunks && !box && { count: beginChunks() }) }
      for await (const chunks of chunksOf(file, counted, box)) {
        yield chunks.map(rangeOf)
      }
    },
    async find(chunks) {
      const ranges: StoredRange[] = []
      for await (const some of chunksOf(file, chunked, chunks)) {
        for (const chunk of some) ranges.push(rangeOf(chunk))
      }
      return ranges
    },
  }
}

/** The ranges with the source that has them, for a reader of several files. */
export function rangesInFile(ranges: ChunkRanges, source: ByteSource): ChunkRanges {
  const own = (range: StoredRange) => ({ ...range, source })
  return {
    ...ranges,
    async *batches(box) {
      for await (const batch of ranges.batches(box)) yield batch.map(own)
    },
    find: async chunks => (await ranges.find(chunks)).map(own),
  }
}

/** The number of chunks that the file stores, and their bytes; storage without chunks counts as one. */
export async function allocationOf(
  file: FileBytes,
  { stored }: OpenDataset,
): Promise<{ readonly chunks: number; readonly bytes: number }> {
  const { space, layout, filters, external, elementSize } = stored
  const values = product([...extentsOf(space), elementSize])
  const isNull = space.class === 'H5S_NULL'
  if (layout.class === 'chunked') {
    let [chunks, bytes] = [0, 0]
    if (space.class !== 'H5S_SIMPLE') return { chunks, bytes }
    for await (const found of chunksOf(file, { layout, space, isFiltered: filters.length > 0 })) {
      chunks += found.length
      for (const { length } of found) bytes += length
    }
    return { chunks, bytes }
  }
  const isThere = layout.class !== 'contiguous' || layout.address !== undefined || external
  return isThere && !isNull && values > 0 ? { chunks: 1, bytes: values } : { chunks: 0, bytes: 0 }
}
