// Cuts a selection into portions that are read one after another. Portions with stored chunks are of bounded size. The
// space between them costs nothing, whatever its size: its chunks are neither counted nor looked up.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import {
  type ChunkBox,
  type ChunkGrid,
  type ChunkPart,
  countInBox,
  type Hyperslab,
  type Lists,
  partsIn,
  type Selection,
  selectionCount,
  selectionShape,
  splitSelection,
  withPositions,
} from '@hyperslab/model/selection'

/** A part of a selection that is read at once. The portions in order are the selection. */
export interface Portion {
  readonly selection: Selection
  /**
   * All parts of it that may be stored, together of bounded size; absent: any chunk may be stored, and the portion is
   * of bounded size.
   */
  readonly parts?: readonly ChunkPart[]
}

/**
 * The stored chunks in the box, in the order of their coordinates. Undefined: there are more than `most`, or listing
 * them would cost more than that number.
 */
export type ListStored = (box: ChunkBox, most: number) => Promise<readonly (readonly number[])[] | undefined>

export interface PortionOptions {
  readonly grid: ChunkGrid
  /** The highest number of elements of a portion. */
  readonly elements: number
  /**
   * The number of elements of a portion that crosses more than `manyChunks`: each of these is decoded anew for the next
   * portion.
   */
  readonly elementsOfMany?: number
  readonly manyChunks?: number
  /** Absent: any chunk may be stored. */
  readonly listStored?: ListStored | undefined
}

/** The highest number of chunks that are looked up one by one. */
const FEW_CHUNKS = 64
/** Chunks that are listed at once. */
const MOST_LISTED = 2 ** 14
/** Runs of a portion that are sorted at once: some milliseconds. */
const MOST_RUNS = 2 ** 14
/** If a position of lists has at most this many elements, it is not split from the others. */
const FEW_ELEMENTS = 2 ** 16

export async function* portionsOf(selection: Selection, options: PortionOptions): AsyncGenerator<Portion> {
  const { grid, listStored } = options
  if (!listStored || selection.kind === 'points' || selectionShape(selection).includes(0)) {
    yield* boundedPortions(selection, options)
    return
  }
  if (countInBox(boxAround(selection, grid)) <= FEW_CHUNKS) {
    yield* boundedPortions(selection, options)
    return
  }
  if (selection.kind === 'lists') yield* portionsOfLists(selection, options, listStored)
  else yield* portionsOfSlab(selection, options, listStored)
}

function* boundedPortions(selection: Selection, { grid, elements }: PortionOptions): Generator<Portion> {
  for (const piece of splitSelection(selection, grid, elements)) yield { selection: piece }
}

async function* portionsOfSlab(
  selection: Hyperslab,
  options: PortionOptions,
  listStored: ListStored,
): AsyncGenerator<Portion> {
  const slab = withoutBlocks(selection)
  if (slab === undefined) return yield* boundedPortions(selection, options)
  yield* search(slab, 0, options, listStored, cutAround)
}

async function* portionsOfLists(
  selection: Lists,
  options: PortionOptions,
  listStored: ListStored,
): AsyncGenerator<Portion> {
  const { listed, coordinates, rest } = selection
  const { grid } = options
  if (listed[0] > 0) {
    const slab = withoutBlocks(rest)
    if (slab === undefined) return yield* boundedPortions(selection, options)
    yield* search({ ...selection, rest: slab }, 0, options, listStored, (part, _, chunks) =>
      chunks.length === 0 ? [{ selection: part, parts: [] }] : boundedPortions(part, options),
    )
    return
  }
  if (selectionCount(rest) < FEW_ELEMENTS) return yield* boundedPortions(selection, options)
  // Each position is a hyperslab.
  const ones = grid.dims.map(() => 1)
  for (let at = 0; at < coordinates.length; at += listed.length) {
    const slab = { start: [...ones], stride: [...ones], count: [...ones], block: [...ones] }
    for (const [i, d] of listed.entries()) slab.start[d] = coordinates[at + i]
    const others = ones.map((_, d) => d).filter(d => !listed.includes(d))
    for (const [i, d] of others.entries()) {
      slab.start[d] = rest.start[i]
      slab.stride[d] = rest.stride[i]
      slab.count[d] = rest.count[i]
      slab.block[d] = rest.block[i]
    }
    yield* portionsOfSlab({ kind: 'hyperslab', ...slab }, options, listStored)
  }
}

/** The same hyperslab with blocks of one element; undefined: it has others. */
function withoutBlocks(slab: Hyperslab): Hyperslab | undefined {
  const isAdjacent = slab.block.map((block, d) => slab.count[d] === 1 || slab.stride[d] === block)
  if (slab.block.some((block, d) => block > 1 && !isAdjacent[d])) return undefined
  return {
    kind: 'hyperslab',
    start: slab.start,
    stride: slab.stride.map((stride, d) => (isAdjacent[d] ? 1 : stride)),
    count: slab.count.map((count, d) => (isAdjacent[d] ? count * slab.block[d] : count)),
    block: slab.block.map(() => 1),
  }
}

/**
 * Cuts a part of a selection in which these chunks are stored: it is one band of chunks, or more, along the dimension.
 */
type Cut<S> = (
  part: S,
  dimension: number,
  chunks: readonly (readonly number[])[],
  options: PortionOptions,
) => Iterable<Portion> | AsyncIterable<Portion>

/**
 * Lists the stored chunks in a growing number of bands along the dimension while they are few, and cuts each part
 * around them. Where many chunks are stored, all are looked up.
 */
async function* search<S extends Hyperslab | Lists>(
  selection: S,
  dimension: number,
  options: PortionOptions,
  listStored: ListStored,
  cut: Cut<S>,
): AsyncGenerator<Portion> {
  const { grid } = options
  const axis = axisAlong(selection, dimension, grid)
  let bands = 1
  /** Bands that are read without a list, after bands that could not be listed. */
  let unlisted = 1
  for (let from = 0; from < axis.count; ) {
    const to = positionAfter(axis, from, bands)
    const part = between(selection, dimension, from, to)
    const box = boxAround(part, grid)
    const chunks = countInBox(box)
    const stored = await listStored(box, Math.min(MOST_LISTED, 2 * chunks + FEW_CHUNKS))
    if (isTurnOver()) await nextTurn()
    if (stored !== undefined) {
      if (stored.length * 2 < chunks) yield* cut(part, dimension, stored, options)
      else yield* boundedPortions(part, options)
      if (stored.length * 4 < MOST_LISTED) bands *= 4
      unlisted = 1
      from = to
    } else if (bands > 1) {
      bands /= 4
    } else if (dimension + 1 < selectionShape(part).length && chunks > 8 * MOST_LISTED) {
      for (let position = from; position < to; position++) {
        const row = between(selection, dimension, position, position + 1)
        yield* search(row, dimension + 1, options, listStored, cut)
      }
      from = to
    } else {
      const end = positionAfter(axis, from, unlisted)
      yield* boundedPortions(between(selection, dimension, from, end), options)
      unlisted *= 2
      from = end
    }
  }
}

/** The size of one portion. */
interface Load {
  readonly elements: number
  readonly runs: number
  readonly chunks: number
}

const NOTHING: Load = { elements: 0, runs: 0, chunks: 0 }

/**
 * Portions with the number of stored chunks that may be read at once. A band with more chunks is cut into rows, and a
 * row is cut along the next dimension.
 */
async function* cutAround(
  slab: Hyperslab,
  dimension: number,
  chunks: readonly (readonly number[])[],
  options: PortionOptions,
): AsyncGenerator<Portion> {
  const { grid } = options
  const axis = axisAlong(slab, dimension, grid)
  let held: (readonly number[])[] = []
  let load = NOTHING
  let from = 0
  const portion = (to: number): Portion => {
    const selection = between(slab, dimension, from, to)
    return { selection, parts: [...partsIn(selection, grid, held)] }
  }
  for (const band of bandsOf(chunks, dimension)) {
    if (isTurnOver()) await nextTurn()
    const low = band[0][dimension] * axis.chunkExtent
    const first = positionAt(axis, low)
    const end = positionAt(axis, low + axis.chunkExtent)
    // Long strides may skip it.
    if (first === end) continue
    const inBand = between(slab, dimension, first, end)
    const more = loadOf(inBand, grid, band)
    const sum = added(load, more)
    if (shareOf(sum, options) <= 1) {
      held.push(...band)
      load = sum
      continue
    }
    if (first > from) yield portion(first)
    from = first
    held = [...band]
    load = more
    if (shareOf(more, options) <= 1) continue
    const rows = Math.floor((end - first) / shareOf(more, options))
    for (; from < end; from = Math.min(end, from + Math.max(1, rows))) {
      if (rows >= 1) yield portion(Math.min(end, from + rows))
      else yield* cutAround(between(slab, dimension, from, from + 1), dimension + 1, band, options)
      if (isTurnOver()) await nextTurn()
    }
    held = []
    load = NOTHING
  }
  if (from < axis.count) yield portion(axis.count)
}

function loadOf(slab: Hyperslab, grid: ChunkGrid, stored: readonly (readonly number[])[]): Load {
  const last = grid.dims.length - 1
  const axis = axisAlong(slab, last, grid)
  let load = NOTHING
  for (const { chunk, count } of partsIn(slab, grid, stored)) {
    const low = chunk[last] * axis.chunkExtent
    const rowLength = positionAt(axis, low + axis.chunkExtent) - positionAt(axis, low)
    load = added(load, { elements: count, runs: count / rowLength, chunks: 1 })
  }
  return load
}

function added(a: Load, b: Load): Load {
  return { elements: a.elements + b.elements, runs: a.runs + b.runs, chunks: a.chunks + b.chunks }
}

/** The number of portions that the load fills, at most 1 if one is enough. */
function shareOf({ elements, runs, chunks }: Load, options: PortionOptions): number {
  const { manyChunks = Number.POSITIVE_INFINITY, elementsOfMany = options.elements } = options
  const most = chunks > manyChunks ? elementsOfMany : options.elements
  return Math.max(elements / most, runs / MOST_RUNS, chunks / MOST_LISTED)
}

/** Groups of chunks with the same coordinate along the dimension; all `chunks` agree in the dimensions before it. */
function* bandsOf(
  chunks: readonly (readonly number[])[],
  dimension: number,
): Generator<readonly (readonly number[])[]> {
  for (let from = 0, to = 0; from < chunks.length; from = to) {
    for (to = from + 1; to < chunks.length && chunks[to][dimension] === chunks[from][dimension]; to++);
    yield chunks.slice(from, to)
  }
}

/** The positions along one dimension that has no list. */
interface Positions {
  readonly start: number
  readonly stride: number
  readonly count: number
  readonly chunkExtent: number
}

function axisAlong(selection: Hyperslab | Lists, dimension: number, { chunkDims }: ChunkGrid): Positions {
  const { start, stride, count } = selection.kind === 'lists' ? selection.rest : selection
  return {
    start: start[dimension],
    stride: stride[dimension],
    count: count[dimension],
    chunkExtent: chunkDims[dimension],
  }
}

/** The first position with at least this coordinate. */
function positionAt({ start, stride, count }: Positions, coordinate: number): number {
  return Math.min(count, Math.max(0, Math.ceil((coordinate - start) / stride)))
}

/** The position after a number of bands of chunks, the first of which has the position `from`. */
function positionAfter(axis: Positions, from: number, bands: number): number {
  const { start, stride, chunkExtent } = axis
  const band = Math.floor((start + from * stride) / chunkExtent)
  return positionAt(axis, (band + bands) * chunkExtent)
}

/** The part of a selection between two positions of a dimension; it is of the same kind. */
function between<S extends Hyperslab | Lists>(selection: S, dimension: number, from: number, to: number): S {
  return withPositions(selection, dimension, from, to) as S
}

/** The chunks that the selection may touch. */
function boxAround(selection: Hyperslab | Lists, { dims, chunkDims }: ChunkGrid): ChunkBox {
  const low = dims.map(() => 0)
  const last = dims.map(() => 0)
  const listed = selection.kind === 'lists' ? selection.listed : []
  const slab = selection.kind === 'lists' ? selection.rest : selection
  for (const [i, d] of listed.entries()) {
    let [least, most] = [Number.POSITIVE_INFINITY, 0]
    const { coordinates } = selection as Lists
    for (let at = i; at < coordinates.length; at += listed.length) {
      least = Math.min(least, coordinates[at])
      most = Math.max(most, coordinates[at])
    }
    low[d] = least
    last[d] = most
  }
  const others = dims.map((_, d) => d).filter(d => !listed.includes(d))
  for (const [i, d] of others.entries()) {
    low[d] = slab.start[i]
    last[d] = slab.start[i] + (slab.count[i] - 1) * slab.stride[i] + slab.block[i] - 1
  }
  return {
    low: low.map((coordinate, d) => Math.floor(coordinate / chunkDims[d])),
    high: last.map((coordinate, d) => Math.floor(coordinate / chunkDims[d]) + 1),
  }
}
