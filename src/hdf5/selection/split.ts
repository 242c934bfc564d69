// Cuts a selection into consecutive sub-selections of bounded size, so that values of any size can be moved with
// bounded memory.

import type { ChunkGrid, Hyperslab, Points, Selection } from './selection.ts'
import { rowMajorStrides, selectionCount, selectionShape } from './selection.ts'

/**
 * Sub-selections in selection order that one after another are the selection; each has at least one and at most
 * `maxElements` elements. It is cut along the slowest dimension that has to be cut, at chunk borders where possible,
 * so that few pieces share a chunk. None for an empty selection.
 */
export function splitSelection(
  selection: Selection,
  grid: ChunkGrid,
  maxElements: number,
): Iterable<Selection> {
  const limit = Math.max(1, Math.floor(maxElements))
  return selection.kind === 'points' ? splitPoints(selection, limit) : splitHyperslab(selection, grid, limit)
}

function* splitPoints({ kind, rank, coordinates }: Points, limit: number): Iterable<Points> {
  for (let from = 0; from < coordinates.length; from += limit * rank) {
    yield { kind, rank, coordinates: coordinates.subarray(from, from + limit * rank) }
  }
}

function* splitHyperslab(selection: Hyperslab, grid: ChunkGrid, limit: number): Iterable<Hyperslab> {
  const shape = selectionShape(selection)
  const total = selectionCount(selection)
  if (total === 0) return
  if (total <= limit) {
    yield selection
    return
  }
  // Along `cut`, one position has as many elements as fit; dimensions before it advance one position at a time.
  const perPosition = rowMajorStrides(shape)
  const cut = perPosition.findIndex(elements => elements <= limit)
  const positions = Math.floor(limit / perPosition[cut])
  const outer = new Array<number>(cut).fill(0)
  for (;;) {
    let piece = selection
    outer.forEach((position, dimension) => {
      piece = withPositions(piece, dimension, position, position + 1)
    })
    for (let from = 0; from < shape[cut]; ) {
      const to = cutAfter(selection, cut, grid.chunkDims[cut], from, positions)
      yield withPositions(piece, cut, from, to)
      from = to
    }
    let dimension = cut - 1
    while (dimension >= 0 && ++outer[dimension] === shape[dimension]) outer[dimension--] = 0
    if (dimension < 0) return
  }
}

/** Where a piece that begins at position `from` and has room for `room` positions ends. */
function cutAfter(
  selection: Hyperslab,
  dimension: number,
  chunkExtent: number,
  from: number,
  room: number,
): number {
  const block = selection.block[dimension]
  const total = selection.count[dimension] * block
  // Only whole blocks, or a part of one, are a hyperslab again.
  const toBlockEnd = block - (from % block)
  const partOfBlock = room < block || from % block !== 0
  const most = Math.min(from + room, partOfBlock ? from + toBlockEnd : total)
  if (most === total) return most
  const border = firstPositionOfChunk(selection, dimension, chunkExtent, most)
  const aligned = border > from ? border : most
  if (partOfBlock) return aligned
  const wholeBlocks = aligned - (aligned % block)
  return wholeBlocks > from ? wholeBlocks : most - (most % block)
}

/** The first position whose coordinate lies in the same chunk as that of `position`. */
function firstPositionOfChunk(
  { start, stride, block }: Hyperslab,
  dimension: number,
  chunkExtent: number,
  position: number,
): number {
  const coordinate = coordinateOf(start[dimension], stride[dimension], block[dimension], position)
  const low = coordinate - (coordinate % chunkExtent)
  if (low <= start[dimension]) return 0
  const index = Math.floor((low - start[dimension]) / stride[dimension])
  const within = low - start[dimension] - index * stride[dimension]
  return index * block[dimension] + Math.min(within, block[dimension])
}

function coordinateOf(start: number, stride: number, block: number, position: number): number {
  return start + Math.floor(position / block) * stride + (position % block)
}

/** The hyperslab with only the positions `from` to `to` of one dimension: whole blocks, or a part of one block. */
function withPositions(selection: Hyperslab, dimension: number, from: number, to: number): Hyperslab {
  const stride = selection.stride[dimension]
  const block = selection.block[dimension]
  const whole = from % block === 0 && to % block === 0
  return {
    kind: 'hyperslab',
    start: selection.start.with(dimension, coordinateOf(selection.start[dimension], stride, block, from)),
    stride: whole ? selection.stride : selection.stride.with(dimension, 1),
    count: selection.count.with(dimension, whole ? (to - from) / block : to - from),
    block: whole ? selection.block : selection.block.with(dimension, 1),
  }
}
