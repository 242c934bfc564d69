// Where the values of a dataset lie whose elements have their storage form in the file: what can be taken over as it is.

import { extentsOf, product } from '../../hdf5/dataspace.ts'
import type { StoredBytes, StoredRange } from '../reader.ts'
import { crossesEdge } from './chunk-box.ts'
import { chunksOf } from './chunk-index.ts'
import type { FileBytes } from './file-bytes.ts'
import type { OpenDataset } from './stored-dataset.ts'
import { isStorageForm } from './types.ts'

/** Undefined: the values must be read. */
export function storedBytes(file: FileBytes, { model, type, stored }: OpenDataset): StoredBytes | undefined {
  const { space, layout, filters, external, beginChunks } = stored
  if (!isStorageForm(type) || space.class !== 'H5S_SIMPLE' || external) return undefined
  const dims = extentsOf(space)
  const read: StoredBytes['read'] = ranges => {
    const positions = ranges.map(({ position, length }) => ({
      position: position - file.positionOf(0),
      length,
    }))
    return file.readValues(positions, 'a chunk')
  }
  if (layout.class === 'contiguous') {
    const { address } = layout
    return {
      chunkDims: dims,
      filters,
      read,
      async *batches() {
        if (address === undefined || dims.includes(0)) return
        const length = product([...dims, stored.elementSize])
        yield [{ coordinates: dims.map(() => 0), position: file.positionOf(address), length, mask: 0 }]
      },
    }
  }
  if (layout.class !== 'chunked') return undefined
  const { creationProperties } = model
  const isSamePipeline =
    filters.map(({ id }) => id).join() === creationProperties.filters.map(({ id }) => id).join()
  if (!isSamePipeline) return undefined
  const { chunkDims, hasUnfilteredEdges } = layout
  const unfiltered = 2 ** filters.length - 1
  return {
    chunkDims,
    filters,
    read,
    async *batches() {
      const isFiltered = filters.length > 0
      const chunked = { layout, space, isFiltered, ...(beginChunks && { count: beginChunks() }) }
      for await (const chunks of chunksOf(file, chunked)) {
        yield chunks.map(({ coordinates, address, length, mask }): StoredRange => {
          const isUnfiltered = hasUnfilteredEdges && crossesEdge(coordinates, chunkDims, dims)
          return {
            coordinates,
            position: file.positionOf(address),
            length,
            mask: isUnfiltered ? unfiltered : mask,
          }
        })
      }
    },
  }
}
