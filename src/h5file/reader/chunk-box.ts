// Boxes of the grid of chunks, by arithmetic: which chunks a box of elements touches, and which come next in the linear
// numbering that arrays of chunks have.

import type { SimpleDataspace } from '../../hdf5/dataspace.ts'
import { UNLIMITED } from '../../hdf5/dataspace.ts'
import type { Box } from '../reader.ts'

/** Chunks from `low` on, below `high`, in each dimension. */
export interface ChunkBox {
  readonly low: readonly number[]
  readonly high: readonly number[]
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

export function holdsChunk({ low, high }: ChunkBox, coordinates: readonly number[]): boolean {
  return coordinates.every((coordinate, d) => coordinate >= low[d] && coordinate < high[d])
}

/** True: a part of the chunk lies outside the extents. */
export function crossesEdge(
  coordinates: readonly number[],
  chunkDims: readonly number[],
  dims: readonly number[],
): boolean {
  return coordinates.some((index, d) => (index + 1) * chunkDims[d] > dims[d])
}

/** False: no chunk of the box comes between these two in the order of a tree, both included. */
export function mayHoldBetween(
  { low, high }: ChunkBox,
  from: readonly number[],
  to: readonly number[],
): boolean {
  for (let d = 0; d < low.length; d++) {
    // A damaged order rules nothing out.
    if (to[d] < from[d]) return true
    if (to[d] < low[d] || from[d] >= high[d]) return false
    if (to[d] > from[d]) return true
  }
  return true
}

/** The numbering of chunks, row-major over the maximum extents, and the chunks of one box in it. */
export class ChunkNumbers {
  readonly #order: readonly number[]
  readonly #strides: readonly number[]
  readonly #low: readonly number[]
  readonly #high: readonly number[]
  readonly #isEmpty: boolean

  /** `first`: the dimension that varies slowest; the others follow in their order. It alone may be unlimited. */
  constructor(
    { dims, maxdims = dims }: SimpleDataspace,
    chunkDims: readonly number[],
    box: ChunkBox,
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
    this.#low = this.#order.map(d => box.low[d])
    this.#high = this.#order.map(d => box.high[d])
    this.#isEmpty = this.#low.some((low, i) => low >= this.#high[i])
  }

  /** The number of the first chunk of the box from `number` on; infinite: there is none. */
  next(number: number): number {
    if (this.#isEmpty) return Number.POSITIVE_INFINITY
    const [low, high] = [this.#low, this.#high]
    const place = this.#placeOf(number)
    for (let i = 0; i < place.length; i++) {
      if (place[i] < low[i]) return this.#numberOf(place, i)
      if (place[i] < high[i]) continue
      let raised = i - 1
      while (raised >= 0 && place[raised] + 1 >= high[raised]) raised--
      if (raised < 0) return Number.POSITIVE_INFINITY
      place[raised]++
      return this.#numberOf(place, raised + 1)
    }
    return number
  }

  coordinatesOf(number: number): readonly number[] {
    const coordinates = new Array<number>(this.#order.length)
    for (const [i, coordinate] of this.#placeOf(number).entries()) coordinates[this.#order[i]] = coordinate
    return coordinates
  }

  #placeOf(number: number): number[] {
    const place = new Array<number>(this.#strides.length)
    let rest = number
    for (let i = 0; i < place.length; i++) {
      place[i] = Math.floor(rest / this.#strides[i])
      rest -= place[i] * this.#strides[i]
    }
    return place
  }

  /** Of `place`, whose dimensions from `fromLow` on are at their lowest. */
  #numberOf(place: readonly number[], fromLow: number): number {
    return this.#strides.reduce(
      (number, stride, i) => number + stride * (i < fromLow ? place[i] : this.#low[i]),
      0,
    )
  }
}
