// The division of a dataset's values into chunks, and the part of a chunk that is stored.

import { type Pipeline, pipelineOf } from '@hyperslab/h5/filters'
import type { Arange, CreationProperties } from '@hyperslab/model/dataset'
import { chunkItemSize, type Dataspace, extentsOf } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { elementSize, isVariableSize } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { type ChunkGrid, type ChunkPart, planParts, rowMajorStrides } from '@hyperslab/model/selection'
import type { Elements } from '@hyperslab/model/values'

/** The properties of a dataset on which its layout depends. */
export interface ChunkedDataset {
  readonly id: ObjectId
  readonly type: Datatype
  readonly space: Dataspace
  readonly creationProperties: CreationProperties
  /** The element that was written to all elements at once; absent: elements that are not stored have the fill value. */
  readonly filled?: DatasetFill
}

/** One element that was written to a whole dataset: chunks that were not written since have it in all elements. */
export interface DatasetFill {
  readonly element: Elements
  /** The extents of the dataset at that time, or its least extents since. The element is not outside of them. */
  readonly dims: readonly number[]
}

export interface ChunkLayout {
  readonly dataset: ObjectId
  readonly type: Datatype
  readonly elementSize: number
  readonly isVariableSize: boolean
  readonly grid: ChunkGrid
  readonly fillValue: Elements | undefined
  /** The elements of a chunk that is not stored; both absent: the fill value. */
  readonly initializer: Arange | undefined
  readonly filled: DatasetFill | undefined
  /** The filters of the chunks; absent: none that could be applied. */
  readonly pipeline: Pipeline | undefined
  /** Elements that are read or written at once. */
  readonly pieceElements: number
}

/** The layout of a dataset; `pieceBytes` is about the number of bytes that are read or written at once. */
export function layoutOfChunks(
  { id, type, space, creationProperties, filled }: ChunkedDataset,
  pieceBytes: number,
): ChunkLayout {
  const { chunkDims, fillValue, filters, initializer } = creationProperties
  if (space.class === 'H5S_NULL' || chunkDims === undefined) {
    throw new Error(`the dataset ${id} has no chunks: its dataspace is null`)
  }
  const size = elementSize(type)
  const form = { type, elementSize: size, chunkDims, ...(fillValue && { fillValue: fillValue.data }) }
  return {
    dataset: id,
    type,
    elementSize: size,
    isVariableSize: isVariableSize(type),
    grid: { dims: extentsOf(space), chunkDims },
    fillValue,
    initializer,
    filled,
    pipeline: pipelineOf(filters, form),
    pieceElements: Math.max(1, Math.floor(pieceBytes / chunkItemSize(type))),
  }
}

/** The layout of the same chunks with elements of another type. */
export function withType(layout: ChunkLayout, type: Datatype): ChunkLayout {
  return { ...layout, type, elementSize: elementSize(type), isVariableSize: isVariableSize(type) }
}

/** Extents of the part of a chunk that is inside the dataset. */
export function insideDims({ dims, chunkDims }: ChunkGrid, chunk: readonly number[]): number[] {
  return chunk.map((index, d) => Math.min(chunkDims[d], dims[d] - index * chunkDims[d]))
}

/** Elements of a whole chunk. */
export function chunkElements({ chunkDims }: ChunkGrid): number {
  return chunkDims.reduce((count, extent) => count * extent, 1)
}

/** The number of elements up to the last one inside the extents: these are stored. */
export function usedElements(grid: ChunkGrid, chunk: readonly number[]): number {
  const strides = rowMajorStrides(grid.chunkDims)
  return insideDims(grid, chunk).reduce((used, extent, d) => used + (extent - 1) * strides[d], 1)
}

/** The part of a chunk with `extents` elements in each dimension, from its first one on. */
export function partFromStart({ chunkDims }: ChunkGrid, extents: readonly number[]): ChunkPart {
  const ones = extents.map(() => 1)
  const start = extents.map(() => 0)
  const [part] = planParts(
    { kind: 'hyperslab', start, stride: ones, count: extents, block: ones },
    { dims: chunkDims, chunkDims },
  )
  return part
}

/** True when no element of the chunk is outside the extents. */
export function isWhollyInside(grid: ChunkGrid, chunk: readonly number[]): boolean {
  return insideDims(grid, chunk).every((extent, d) => extent === grid.chunkDims[d])
}
