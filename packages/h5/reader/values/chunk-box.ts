// Some chunks of the grid, a box or a list: which of them are between two others, and which come next in the linear
// numbering that arrays of chunks have. All by arithmetic or by bisection.

import { firstIndex, type SimpleDataspace, UNLIMITED } from '@hyperslab/model/dataset'
import { type ChunkBox, compareChunks } from '@hyperslab/model/selection'
import type { Box, ChunkCoordinates } from '../../file-reader.ts'

/** A list of requested chunks, in the order of their coordinates. */
export interface ChunkList {
  readonly chunks: readonly ChunkCoordinates[]
}

export type ChunkSet = ChunkBox | ChunkList

/** The chunks inside the extents. */
export function chunkListOf(
  { dims }: SimpleDataspace,
  chunkDims: readonly number[],
  chunks: readonly ChunkCoordinates[],
): ChunkList {
  const inside = chunks.filter(chunk => chunk.every((index, d) => index * chunkDims[d] < dims[d]))
  return { chunks: inside.sort(compareChunks) }
}

function firstFrom({ chunks }: ChunkList, coordinates: ChunkCoordinates): ChunkCoordinates | undefined {
  return chunks[firstIndex(chunks, chunk => compareChunks(chunk, coordinates) >= 0)]
}

/** The chunks that the box touches; without a box those inside the extents. */
export function chunkBoxOf(
  { dims }: SimpleDataspace,
  chunkDims: readonly number[],
  { start, count }: Box = { start: dims.map(() => 0), count: dims },
): ChunkBox {
  const low = start.map((first, d) => Math.floor(first / chunkDims[d]))
  const endOf = (first: number, d: number) => Math.min(first + count[d], dims[d])
  return {
    low,
    high: start.map((first, d) => (count[d] === 0 ? low[d] : Math.ceil(endOf(first, d) / chunkDims[d]))),
  }
}

export function holdsChunk(set: ChunkSet, coordinates: readonly number[]): boolean {
  if ('chunks' in set) {
    const first = firstFrom(set, coordinates)
    return first !== undefined && compareChunks(first, coordinates) === 0
  }
  const { low, high } = set
  return coordinates.every((coordinate, d) => coordinate >= low[d] && coordinate < high[d])
}

/** True: a part of the chunk is outside the extents. */
export function crossesEdge(
  coordinates: readonly number[],
  chunkDims: readonly number[],
  dims: readonly number[],
): boolean {
  return coordinates.some((index, d) => (index + 1) * chunkDims[d] > dims[d])
}

/** False: no chunk of the set comes between these two in the order of a tree, both included. */
export function mayHoldBetween(set: ChunkSet, from: readonly number[], to: readonly number[]): boolean {
  if ('chunks' in set) {
    // In a damaged order any chunk may be there.
    if (compareChunks(to, from) < 0) return set.chunks.length > 0
    const first = firstFrom(set, from)
    return first !== undefined && compareChunks(first, to) <= 0
  }
  const { low, high } = set
  for (let d = 0; d < low.length; d++) {
    // In a damaged order any chunk may be there.
    if (to[d] < from[d]) return true
    if (to[d] < low[d] || from[d] >= high[d]) return false
    if (to[d] > from[d]) return true
  }
  return true
}

/** The numbering of chunks, row-major over the maximum extents, and the chunks of a set in it. */
export class ChunkNumbers {
  readonly #order: readonly number[]
  readonly #strides: readonly number[]
  readonly #low: readonly number[]
  readonly #high: readonly number[]
  readonly #isEmpty: boolean
  /** The numbers of the chunks of a list, ascending. */
  readonly #listed: readonly number[] | undefined

  /** `first`: the dimension that varies slowest; the others follow in their order. It alone may be unlimited. */
  constructor(
    { dims, maxdims = dims }: SimpleDataspace,
    chunkDims: readonly number[],
    set: ChunkSet,
    first = 0,
  ) {
    const others = dims.map((_, d) => d).filter(d => d !== first)
    this.#order = [first, ...others]
    const strides: number[] = []
    let stride = 1
    for (const d of this.#order.toReversed()) {
      strides.unshift(stride)
      const maximum = maxdims[d]
      stride *= maximum === UNLIMITED ? Number.POSITIVE_INFINITY : Math.ceil(maximum / chunkDims[d])
    }
    this.#strides = strides
    const { low, high } = 'low' in set ? set : { low: [], high: [] }
    this.#low = this.#order.map(d => low[d])
    this.#high = this.#order.map(d => high[d])
    if ('chunks' in set) {
      const numberOf = (chunk: ChunkCoordinates) =>
        strides.reduce((number, each, i) => number + each * chunk[this.#order[i]], 0)
      this.#listed = set.chunks.map(numberOf).sort((a, b) => a - b)
    }
    this.#isEmpty = this.#low.some((low, i) => low >= this.#high[i])
  }

  /** The number of the first chunk of the set from `number` on; infinite: there is none. */
  next(number: number): number {
    const listed = this.#listed
    if (listed) return listed[firstIndex(listed, other => other >= number)] ?? Infinity
    if (this.#isEmpty) return Number.POSITIVE_INFINITY
    const [low, high] = [this.#low, this.#high]
    const digits = this.#digitsOf(number)
    for (let i = 0; i < digits.length; i++) {
      if (digits[i] < low[i]) return this.#numberOf(digits, i)
      if (digits[i] < high[i]) continue
      let raised = i - 1
      while (raised >= 0 && digits[raised] + 1 >= high[raised]) raised--
      if (raised < 0) return Number.POSITIVE_INFINITY
      digits[raised]++
      return this.#numberOf(digits, raised + 1)
    }
    return number
  }

  coordinatesOf(number: number): readonly number[] {
    const coordinates = new Array<number>(this.#order.length)
    for (const [i, coordinate] of this.#digitsOf(number).entries()) coordinates[this.#order[i]] = coordinate
    return coordinates
  }

  #digitsOf(number: number): number[] {
    const digits = new Array<number>(this.#strides.length)
    let rest = number
    for (let i = 0; i < digits.length; i++) {
      digits[i] = Math.floor(rest / this.#strides[i])
      rest -= digits[i] * this.#strides[i]
    }
    return digits
  }

  /** The number of `digits`, with its dimensions from `fromLow` on at their lowest. */
  #numberOf(digits: readonly number[], fromLow: number): number {
    return this.#strides.reduce(
      (number, stride, i) => number + stride * (i < fromLow ? digits[i] : this.#low[i]),
      0,
    )
  }
}
