// The chunk shape if a request has none, or one that is far too small or too large: the rules and names of hsds-values
// 16. The shapes decide the storage of values and the reported layout.

import type { Datatype } from '../datatype/datatype.ts'
import { elementSize, isVariableSize } from '../datatype/layout.ts'
import { type SimpleDataspace, UNLIMITED } from './dataspace.ts'

const MIN_CHUNK_BYTES = 2 ** 20
/** Bytes of a chunk whose shape the service chooses. @limit memory, bytes */
const MAX_CHUNK_BYTES = 2 ** 22
/** Bytes that an element with parts of variable size counts as, its slots apart. */
const VARIABLE_ELEMENT_BYTES = 128
/** The extent that replaces one that is 0 for now. */
const GUESSED_EXTENT = 1024

/** Bytes that an element counts for when chunks are measured. */
export function chunkItemSize(type: Datatype): number {
  const size = elementSize(type)
  return isVariableSize(type) ? Math.max(size, VARIABLE_ELEMENT_BYTES) : size
}

/**
 * The chunk shape for elements that count `itemSize` bytes: that of `shape`, or of the whole dataspace, brought
 * between 1 and 4 MiB. An extent of 0 that cannot grow may give 0; `storedChunkDims` does not.
 */
export function adjustChunkDims(
  space: SimpleDataspace,
  itemSize: number,
  shape?: readonly number[],
): readonly number[] {
  const { dims } = space
  const maxdims = space.maxdims?.map(maximum => (maximum === UNLIMITED ? 0 : maximum))
  const start = shape ?? (maxdims ?? dims).map(extent => extent || GUESSED_EXTENT)
  const size = chunkBytes(start, itemSize)
  if (size < MIN_CHUNK_BYTES) return expand(start, dims, maxdims, itemSize)
  return size > MAX_CHUNK_BYTES ? shrink(start, itemSize) : start
}

/** The chunk shape to store values in: every extent of it is positive. */
export function storedChunkDims(
  space: SimpleDataspace,
  itemSize: number,
  given?: readonly number[],
): readonly number[] {
  return adjustChunkDims(space, itemSize, given).map(extent => Math.max(extent, 1))
}

/**
 * The chunk shape with which contiguous values of a file elsewhere are shown: all last dimensions that fit into the
 * maximum, and the part of the one before that fits (16.4).
 */
export function referenceChunkDims(dims: readonly number[], itemSize: number): readonly number[] {
  if (dims.includes(0)) return dims
  const chunk = dims.map(() => 1)
  let size = itemSize
  for (let d = dims.length - 1; d >= 0; d--) {
    chunk[d] = dims[d]
    if (size * dims[d] < MAX_CHUNK_BYTES) {
      size *= dims[d]
      continue
    }
    while (chunk[d] > 1 && size * chunk[d] >= MAX_CHUNK_BYTES) chunk[d] = Math.ceil(chunk[d] / 2)
    break
  }
  return chunk
}

/** Doubles extents, the last dimension first, until the chunk reaches the minimum or fills the dataspace (16.2). */
function expand(
  start: readonly number[],
  dims: readonly number[],
  maxdims: readonly number[] | undefined,
  itemSize: number,
): readonly number[] {
  const chunk = [...start]
  let growing = maxdims?.filter((maximum, d) => maximum === 0 || maximum > dims[d]).length ?? 0
  const full = chunkBytes(
    dims.filter(extent => extent > 0),
    itemSize,
  )
  if (full <= MIN_CHUNK_BYTES && growing === 0) return dims
  let size = chunkBytes(chunk, itemSize)
  while (size < MIN_CHUNK_BYTES) {
    const before = size
    for (let d = chunk.length - 1; d >= 0 && size <= MIN_CHUNK_BYTES; d--) {
      const extent = chunk[d]
      if (growing > 0 && maxdims !== undefined) {
        const maximum = maxdims[d]
        if (maximum === 0) {
          chunk[d] = extent * 2
        } else if (maximum > extent) {
          chunk[d] = extent * 2
          if (extent * 2 >= dims[d]) {
            chunk[d] = maximum
            growing--
          }
        }
      } else if (dims[d] > extent) {
        chunk[d] = Math.min(extent * 2, dims[d])
      }
      size = chunkBytes(chunk, itemSize)
    }
    if (size <= before) break
  }
  return chunk
}

/** Halves extents, the first dimension first, until the chunk is within the maximum (16.3). */
function shrink(start: readonly number[], itemSize: number): readonly number[] {
  const chunk = [...start]
  while (chunk.some(extent => extent > 1)) {
    for (const [d, extent] of chunk.entries()) {
      if (extent <= 1) continue
      chunk[d] = Math.ceil(extent / 2)
      if (chunkBytes(chunk, itemSize) <= MAX_CHUNK_BYTES) return chunk
    }
  }
  return chunk
}

/** Bytes of a chunk, counted as `chunkItemSize` counts an element. */
export function chunkBytes(chunk: readonly number[], itemSize: number): number {
  return chunk.reduce((bytes, extent) => bytes * extent, itemSize)
}

/** The approximate size of a slab: a write of a part of it makes it a chunk of its own. */
const SLAB_BYTES = 2 ** 20

/** The shape of slabs of whole rows, of about 1 MiB: contiguous values are cut so, each slab being adjacent bytes. */
export function rowSlab(dims: readonly number[], elementBytes: number): readonly number[] {
  const shape = dims.map(() => 1)
  let left = Math.max(1, Math.floor(SLAB_BYTES / elementBytes))
  for (let d = dims.length - 1; d >= 0 && left > 1; d--) {
    shape[d] = Math.min(dims[d], left)
    if (shape[d] < dims[d]) break
    left = Math.floor(left / Math.max(shape[d], 1))
  }
  return shape
}
