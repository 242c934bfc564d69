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
  const rank = chunkDims.length
  const strides = rowMajorStrides(chunkDims)
  const origin = part.chunk.map((index, d) => index * chunkDims[d])
  const inside = origin.map((first, d) => Math.min(chunkDims[d], dims[d] - first))
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
  const count = low.map((from, d) => high[d] - from + 1)
  const boxStrides = rowMajorStrides(count)
  const inBox = (chunkOffset: number): number => {
    let [rest, offset] = [chunkOffset, 0]
    for (let d = 0; d < rank; d++) {
      const index = Math.floor(rest / strides[d])
      rest -= index * strides[d]
      offset += (index - low[d]) * boxStrides[d]
    }
    return offset
  }
  /** True when elements so far apart in the chunk are equally far apart in the box. */
  const isEven = (chunkOffset: number, chunkStride: number, length: number): boolean => {
    let [first, last] = [chunkOffset, chunkOffset + (length - 1) * chunkStride]
    for (let d = 0; d < rank; d++) {
      const [from, to] = [Math.floor(first / strides[d]), Math.floor(last / strides[d])]
      if (from !== to) {
        return chunkStride % strides[d] === 0 || chunkDims.every((extent, e) => e <= d || extent === count[e])
      }
      first -= from * strides[d]
      last -= to * strides[d]
    }
    return true
  }
  return {
    start: low.map((from, d) => from + origin[d]),
    count,
    part: {
      ...part,
      first: inBox(part.first),
      end: inBox(part.end - 1) + 1,
      runs(visit) {
        part.runs((chunkOffset, chunkStride, selectionOffset, length) => {
          if (length > 1 && isEven(chunkOffset, chunkStride, length)) {
            const first = inBox(chunkOffset)
            visit(first, inBox(chunkOffset + chunkStride) - first, selectionOffset, length)
            return
          }
          for (let i = 0; i < length; i++)
            visit(inBox(chunkOffset + i * chunkStride), 1, selectionOffset + i, 1)
        })
      },
    },
  }
}
