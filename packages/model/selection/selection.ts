// Selections within a dataspace, resolved: every number is checked against the extents when a selection is made
// (resolve.ts), so code that walks one need not check again. "All" is resolved to a hyperslab, a scalar dataspace has
// one element and rank 0, so that every selection can be walked by the same code (runs.ts).

import { coordinatesWithin, product } from '../dataset/dataspace.ts'

/**
 * Per dimension: `count` blocks of `block` elements, the first at `start`, `stride` apart (H5Sselect_hyperslab). Blocks
 * never overlap: `stride` is at least `block`, for a single one too.
 */
export interface Hyperslab {
  readonly kind: 'hyperslab'
  readonly start: readonly number[]
  readonly stride: readonly number[]
  readonly count: readonly number[]
  readonly block: readonly number[]
}

/** Points in the order given, repetitions kept. */
export interface Points {
  readonly kind: 'points'
  /** At least 1: a scalar has no points. */
  readonly rank: number
  /** `rank` coordinates per point, one point after another. */
  readonly coordinates: Float64Array
}

/**
 * Lists of coordinates in some dimensions and a hyperslab in the others (hsds-values 9.2). The lists are paired:
 * position i selects the i-th coordinate of each. They make one dimension of the result, at the position of the first
 * list. Points are lists in all dimensions.
 */
export interface Lists {
  readonly kind: 'lists'
  /** The dimensions that have lists, ascending; at least one. */
  readonly listed: readonly number[]
  /** One coordinate per listed dimension for each position, one position after another. */
  readonly coordinates: Float64Array
  /** The selection in the other dimensions. */
  readonly rest: Hyperslab
}

export type Selection = Hyperslab | Points | Lists

/** Extents of the selection: the rank is kept for a hyperslab; points, or paired lists, have one dimension. */
export function selectionShape(selection: Selection): readonly number[] {
  switch (selection.kind) {
    case 'hyperslab':
      return selection.count.map((count, dimension) => count * selection.block[dimension])
    case 'points':
      return [selection.coordinates.length / selection.rank]
    case 'lists': {
      const { listed, coordinates, rest } = selection
      return selectionShape(rest).toSpliced(listed[0], 0, coordinates.length / listed.length)
    }
  }
}

/** Selected elements, repeated points counted each time. */
export function selectionCount(selection: Selection): number {
  return product(selectionShape(selection))
}

/** The division of a dataset's elements into chunks. Rank 0 for a scalar: one chunk, one element. */
export interface ChunkGrid {
  readonly dims: readonly number[]
  readonly chunkDims: readonly number[]
}

/** Chunks of the grid from `low` on, below `high`, in each dimension. */
export interface ChunkBox {
  readonly low: readonly number[]
  readonly high: readonly number[]
}

/** Compares coordinates of chunks in row-major order. */
export function compareChunks(a: readonly number[], b: readonly number[]): number {
  for (let d = 0; d < a.length; d++) if (a[d] !== b[d]) return a[d] - b[d]
  return 0
}

/** Chunks in a box, if none of its dimensions is empty. */
export function countInBox({ low, high }: ChunkBox): number {
  return product(high.map((end, d) => end - low[d]))
}

/** The number of chunks along each dimension. */
export function chunkCounts({ dims, chunkDims }: ChunkGrid): number[] {
  return dims.map((extent, d) => Math.ceil(extent / chunkDims[d]))
}

/** The coordinates of all chunks, the last dimension first. */
export function allChunks(grid: ChunkGrid): Generator<readonly number[]> {
  return coordinatesWithin(chunkCounts(grid))
}

/**
 * The part of a selection that is in one chunk. Offsets count elements: in the chunk from its first element in
 * row-major order over the full chunk shape, in the selection from its first element in selection order.
 */
export interface ChunkPart {
  /** Coordinates in the chunk grid. */
  readonly chunk: readonly number[]
  /** Elements of the selection in this chunk. */
  readonly count: number
  /** True when every element of the chunk that is inside the extents is selected: a write need not read it first. */
  readonly covers: boolean
  /** Lowest chunk offset that is touched, and one past the highest: the range that a reader must fetch. */
  readonly first: number
  readonly end: number
  /**
   * Calls `visit` for each run: `length` elements, `chunkStride` apart in the chunk, adjacent in the selection. Runs
   * with the same element come in selection order, so that the last one written stays; other runs in any order.
   */
  runs(visit: RunVisitor): void
}

export type RunVisitor = (
  chunkOffset: number,
  chunkStride: number,
  selectionOffset: number,
  length: number,
) => void

/** Offset between neighbours along each dimension of a row-major array of this shape. */
export function rowMajorStrides(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length)
  let stride = 1
  for (let dimension = shape.length - 1; dimension >= 0; dimension--) {
    strides[dimension] = stride
    stride *= shape[dimension]
  }
  return strides
}
