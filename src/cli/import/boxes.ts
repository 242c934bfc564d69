// Cuts the extents of a dataset into boxes that are small enough to be read and written one after another, along the
// borders of its chunks, so that no chunk has to be unpacked twice.

import { product } from '../../hdf5/dataspace.ts'

export interface Box {
  readonly start: readonly number[]
  readonly count: readonly number[]
}

/** A chunk may be so many times larger than a box should be before it is cut. */
const LARGE_CHUNK = 8

/** Together the boxes are every element once; none where an extent is 0. A scalar is one box without dimensions. */
export function* boxesOf(
  dims: readonly number[],
  chunkDims: readonly number[] | undefined,
  maxElements: number,
): Generator<Box> {
  if (dims.includes(0)) return
  const shape = boxShape(dims, chunkDims, maxElements)
  const start = dims.map(() => 0)
  for (;;) {
    const count = dims.map((extent, d) => Math.min(shape[d] ?? 1, extent - (start[d] ?? 0)))
    yield { start: [...start], count }
    let d = dims.length - 1
    for (; d >= 0; d--) {
      start[d] = (start[d] ?? 0) + (shape[d] ?? 1)
      if (start[d] < dims[d]) break
      start[d] = 0
    }
    if (d < 0) return
  }
}

/** Grows a chunk along the last dimension until that is whole, then along the one before, as far as it may. */
function boxShape(
  dims: readonly number[],
  chunkDims: readonly number[] | undefined,
  maxElements: number,
): readonly number[] {
  const chunk = chunkDims?.map((extent, d) => Math.min(extent, dims[d]))
  const isUsable = chunk !== undefined && product(chunk) <= LARGE_CHUNK * maxElements
  const shape = isUsable ? chunk : dims.map(() => 1)
  for (let d = dims.length - 1; d >= 0; d--) {
    const times = Math.floor(maxElements / product(shape))
    if (times <= 1) break
    shape[d] = Math.min(dims[d], shape[d] * times)
    if (shape[d] < dims[d]) break
  }
  return shape
}
