// Cuts a selection into consecutive sub-selections of bounded size, so that values of any size can be moved with
// bounded memory.

import type { ChunkGrid, Hyperslab, Selection } from './selection.ts'
import { rowMajorStrides, selectionCount, selectionShape } from './selection.ts'

/**
 * Positions of lists, and points, that are planned at once: sorting more into chunks would block the event loop.
 * @limit memory, entries
 */
const MAX_LISTED = 2 ** 18

/**
 * Consecutive sub-selections, in selection order, that together are the selection; each has at least one and at most
 * `maxElements` elements. It is cut along the slowest dimension that must be cut, at chunk borders where possible, so
 * that few pieces share a chunk. None for an empty selection.
 */
export function* splitSelection(
  selection: Selection,
  grid: ChunkGrid,
  maxElements: number,
): Iterable<Selection> {
  const limit = Math.max(1, Math.floor(maxElements))
  const total = selectionCount(selection)
  if (total === 0) return
  if (total <= Math.min(limit, MAX_LISTED)) {
    yield selection
    return
  }
  // Along `cut`, one position has as many elements as fit; dimensions before it advance one position at a time.
  const shape = selectionShape(selection)
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
      const to = cutAfter(selection, cut, grid.chunkDims, from, positions)
      yield withPositions(piece, cut, from, to)
      from = to
    }
    let dimension = cut - 1
    while (dimension >= 0 && ++outer[dimension] === shape[dimension]) outer[dimension--] = 0
    if (dimension < 0) return
  }
}

/** The selection with only the positions `from` to `to` of one dimension of the result, as `cutAfter` gives them. */
export function withPositions(selection: Selection, dimension: number, from: number, to: number): Selection {
  if (selection.kind === 'hyperslab') return slabWithPositions(selection, dimension, from, to)
  const { coordinates } = selection
  if (selection.kind === 'points') {
    const { rank } = selection
    return { ...selection, coordinates: coordinates.subarray(from * rank, to * rank) }
  }
  const { listed, rest } = selection
  if (dimension === listed[0]) {
    return { ...selection, coordinates: coordinates.subarray(from * listed.length, to * listed.length) }
  }
  const inRest = dimension < listed[0] ? dimension : dimension - 1
  return { ...selection, rest: slabWithPositions(rest, inRest, from, to) }
}

/** The end of a piece that begins at position `from` and has room for `room` positions. */
function cutAfter(
  selection: Selection,
  dimension: number,
  chunkDims: readonly number[],
  from: number,
  room: number,
): number {
  if (selection.kind === 'hyperslab') {
    return cutSlabAfter(selection, dimension, chunkDims[dimension], from, room)
  }
  const isList = selection.kind === 'points' || dimension === selection.listed[0]
  if (isList) return Math.min(from + Math.min(room, MAX_LISTED), selectionShape(selection)[dimension])
  const { listed, rest } = selection
  const inRest = dimension < listed[0] ? dimension : dimension - 1
  const chunkDimsOfRest = chunkDims.filter((_, d) => !listed.includes(d))
  return cutSlabAfter(rest, inRest, chunkDimsOfRest[inRest], from, room)
}

function cutSlabAfter(
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

/** The first position whose coordinate is in the same chunk as that of `position`. */
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

/** Whole blocks, or a part of one block. */
export function slabWithPositions(
  selection: Hyperslab,
  dimension: number,
  from: number,
  to: number,
): Hyperslab {
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
