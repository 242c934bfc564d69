// The box around the part of a selection that is in a chunk, for readers that read boxes only, and the part as one of
// that box. The box is as small as possible, but if a run crosses the end of a row, rows are whole.

import { type ChunkGrid, type ChunkPart, rowMajorStrides } from './selection.ts'

/** Elements of a chunk that are inside the extents. */
export interface PartBox {
  /** The beginning of the box in the dataset. */
  readonly start: readonly number[]
  readonly count: readonly number[]
  /** The part, its offsets counted in the box. */
  readonly part: ChunkPart
}

export function partBox(part: ChunkPart, { dims, chunkDims }: ChunkGrid): PartBox {
  const origin = part.chunk.map((index, d) => index * chunkDims[d])
  const inside = origin.map((first, d) => Math.min(chunkDims[d], dims[d] - first))
  const { low, count } = smallestBox(part, chunkDims, inside)
  const box = new BoxInChunk(chunkDims, low, count)
  return {
    start: low.map((from, d) => from + origin[d]),
    count,
    part: {
      ...part,
      first: box.offsetOf(part.first),
      end: box.offsetOf(part.end - 1) + 1,
      runs(visit) {
        part.runs((chunkOffset, chunkStride, selectionOffset, length) => {
          if (length > 1 && box.isEven(chunkOffset, chunkStride, length)) {
            const first = box.offsetOf(chunkOffset)
            visit(first, box.offsetOf(chunkOffset + chunkStride) - first, selectionOffset, length)
            return
          }
          for (let i = 0; i < length; i++)
            visit(box.offsetOf(chunkOffset + i * chunkStride), 1, selectionOffset + i, 1)
        })
      },
    },
  }
}

interface Box {
  readonly low: readonly number[]
  readonly count: readonly number[]
}

/** The box in a chunk, of which `inside` elements are inside the extents of the dataset. */
function smallestBox(part: ChunkPart, chunkDims: readonly number[], inside: readonly number[]): Box {
  const rank = chunkDims.length
  const strides = rowMajorStrides(chunkDims)
  const low = [...inside]
  const high = new Array<number>(rank).fill(-1)
  part.runs((chunkOffset, chunkStride, _, length) => {
    let [first, last] = [chunkOffset, chunkOffset + (length - 1) * chunkStride]
    let isInRow = true
    for (let d = 0; d < rank; d++) {
      const [from, to] = [Math.floor(first / strides[d]), Math.floor(last / strides[d])]
      low[d] = Math.min(low[d], isInRow ? from : 0)
      high[d] = Math.max(high[d], isInRow ? to : inside[d] - 1)
      // A run along this dimension alone stays at one index of the others.
      if (from !== to && chunkStride % strides[d] !== 0) isInRow = false
      first -= from * strides[d]
      last -= to * strides[d]
    }
  })
  return { low, count: low.map((from, d) => high[d] - from + 1) }
}

/** Offsets in a box by those in its chunk. */
class BoxInChunk {
  readonly #chunkDims: readonly number[]
  readonly #strides: readonly number[]
  readonly #low: readonly number[]
  readonly #count: readonly number[]
  readonly #boxStrides: readonly number[]

  constructor(chunkDims: readonly number[], low: readonly number[], count: readonly number[]) {
    this.#chunkDims = chunkDims
    this.#strides = rowMajorStrides(chunkDims)
    this.#low = low
    this.#count = count
    this.#boxStrides = rowMajorStrides(count)
  }

  offsetOf(chunkOffset: number): number {
    let [rest, offset] = [chunkOffset, 0]
    for (let d = 0; d < this.#strides.length; d++) {
      const index = Math.floor(rest / this.#strides[d])
      rest -= index * this.#strides[d]
      offset += (index - this.#low[d]) * this.#boxStrides[d]
    }
    return offset
  }

  /** True when elements so far apart in the chunk are equally far apart in the box. */
  isEven(chunkOffset: number, chunkStride: number, length: number): boolean {
    let [first, last] = [chunkOffset, chunkOffset + (length - 1) * chunkStride]
    for (let d = 0; d < this.#strides.length; d++) {
      const stride = this.#strides[d]
      const [from, to] = [Math.floor(first / stride), Math.floor(last / stride)]
      if (from !== to) {
        const areRowsWhole = this.#chunkDims.every((extent, e) => e <= d || extent === this.#count[e])
        return chunkStride % stride === 0 || areRowsWhole
      }
      first -= from * stride
      last -= to * stride
    }
    return true
  }
}
