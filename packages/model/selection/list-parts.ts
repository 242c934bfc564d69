// Lists of coordinates on a chunk grid: their positions are sorted into chunks, in the listed dimensions, and each of
// these groups goes together with each slice of the other dimensions. Memory grows with the number of positions, and so
// does the time before the first part: hence the steps.

import { product } from '../dataset/dataspace.ts'
import type { ChunkGrid, ChunkPart, Lists, RunVisitor } from './selection.ts'
import { rowMajorStrides, selectionShape } from './selection.ts'
import {
  type Axis,
  axisOf,
  type Box,
  boxesOf,
  type Slice,
  type Span,
  slicesOf,
  spanOf,
  visitBoxes,
} from './slices.ts'

/**
 * A part per chunk, in the order in which the selection first touches them; can be iterated again. Made in steps of
 * some ten thousand positions.
 */
export function* planListsInSteps(lists: Lists, grid: ChunkGrid): Generator<void, Iterable<ChunkPart>> {
  const shape = selectionShape(lists)
  if (shape.includes(0)) return []
  const groups = yield* groupsInSteps(lists.listed, lists.coordinates, grid)
  return { [Symbol.iterator]: () => partsOf(lists, grid, shape, groups) }
}

function* partsOf(
  lists: Lists,
  grid: ChunkGrid,
  shape: readonly number[],
  groups: Groups,
): Generator<ChunkPart> {
  const { listed, rest } = lists
  const chunkStrides = rowMajorStrides(grid.chunkDims)
  const selectionStrides = rowMajorStrides(shape)
  const firstListed = listed[0]
  const others = grid.dims.map((_, dimension) => dimension).filter(dimension => !listed.includes(dimension))
  const gridOfOthers = {
    dims: others.map(dimension => grid.dims[dimension]),
    chunkDims: others.map(dimension => grid.chunkDims[dimension]),
  }
  const axes = others.map((dimension, i) => {
    const selectionStride = selectionStrides[i < firstListed ? i : i + 1]
    return axisOf(rest, gridOfOthers, i, chunkStrides[dimension], selectionStride)
  })
  const outerAxes = axes.slice(0, firstListed)
  const innerAxes = axes.slice(firstListed)
  for (const outer of slicesOf(outerAxes)) {
    for (let i = 0; i < groups.count; i++) {
      const group = groups.at(i)
      for (const inner of slicesOf(innerAxes)) {
        yield listPart(
          chunkOf(grid.dims.length, listed, group, others, [...outer, ...inner]),
          { axes: outerAxes, slices: outer },
          { group, selectionStride: selectionStrides[firstListed] },
          { axes: innerAxes, slices: inner },
        )
      }
    }
  }
}

/** The positions that fall in one chunk of the listed dimensions. */
interface Group extends Span {
  /** The chunk, in the listed dimensions. */
  readonly chunk: readonly number[]
  /** Ascending. */
  readonly positions: Uint32Array
  /** Offsets into the chunk from the listed dimensions, by position, for all groups. */
  readonly offsets: Float64Array
}

/** Each group is made when it is needed, because there may be as many groups as positions. */
interface Groups {
  readonly count: number
  at(index: number): Group
}

/** Chunks of the listed dimensions that a table is made for. @limit safety, chunks */
const MAX_TABLE = 2 ** 16
/** Positions that are processed in one step: a few milliseconds. */
const STEP_POSITIONS = 2 ** 14

/**
 * Groups in the order of their first positions. The positions are sorted by counting, in time in proportion to them.
 */
function* groupsInSteps(
  listed: readonly number[],
  coordinates: Float64Array,
  grid: ChunkGrid,
): Generator<void, Groups> {
  const chunkCounts = listed.map(dimension => Math.ceil(grid.dims[dimension] / grid.chunkDims[dimension]))
  const gridStrides = rowMajorStrides(chunkCounts)
  const positions = coordinates.length / listed.length
  const chunkNumbers = new Float64Array(positions)
  const offsets = new Float64Array(positions)
  for (let from = 0; from < positions; from += STEP_POSITIONS) {
    const to = Math.min(positions, from + STEP_POSITIONS)
    locate(listed, coordinates, grid, gridStrides, from, to, chunkNumbers, offsets)
    yield
  }

  const { groupOfPosition, chunks, sizes } = yield* numberGroups(chunkNumbers, product(chunkCounts))
  const { ends, sorted, first, last } = yield* sortPositions(groupOfPosition, sizes, offsets)

  const chunkAt = (group: number): readonly number[] =>
    gridStrides.map((stride, i) => Math.floor(chunks[group] / stride) % chunkCounts[i])
  const positionsOf = (group: number): Uint32Array => sorted.subarray(ends[group] - sizes[group], ends[group])

  const covers = new Uint8Array(sizes.length)
  const least = elementsOf(
    listed,
    chunkCounts.map(count => count - 1),
    grid,
  )
  for (let group = 0; group < sizes.length; group++) {
    if (group % STEP_POSITIONS === 0) yield
    if (sizes[group] < least) continue
    const elements = elementsOf(listed, chunkAt(group), grid)
    if (sizes[group] < elements) continue
    const distinct = yield* countDistinctInSteps(positionsOf(group), offsets, last[group] + 1)
    covers[group] = distinct === elements ? 1 : 0
  }

  return {
    count: chunks.length,
    at: group => ({
      chunk: chunkAt(group),
      positions: positionsOf(group),
      offsets,
      count: sizes[group],
      covers: covers[group] === 1,
      first: first[group],
      end: last[group] + 1,
    }),
  }
}

/**
 * The groups in the order of their first positions: the number of the chunk and of the positions of each, and the group
 * of each position.
 */
function* numberGroups(
  chunkNumbers: Float64Array,
  chunkTotal: number,
): Generator<void, { groupOfPosition: Uint32Array; chunks: readonly number[]; sizes: readonly number[] }> {
  // A table finds the group of a chunk several times faster than a map.
  const table = chunkTotal <= MAX_TABLE ? new Int32Array(chunkTotal).fill(-1) : undefined
  const map = new Map<number, number>()
  const groupOfPosition = new Uint32Array(chunkNumbers.length)
  const chunks: number[] = []
  const sizes: number[] = []
  for (let position = 0; position < chunkNumbers.length; position++) {
    const number = chunkNumbers[position]
    let group = table === undefined ? (map.get(number) ?? -1) : table[number]
    if (group < 0) {
      group = chunks.length
      if (table === undefined) map.set(number, group)
      else table[number] = group
      chunks.push(number)
      sizes.push(0)
    }
    sizes[group]++
    groupOfPosition[position] = group
    if (position % STEP_POSITIONS === 0) yield
  }
  return { groupOfPosition, chunks, sizes }
}

interface SortedPositions {
  /** The positions by group, each group in order. */
  readonly sorted: Uint32Array
  /** The end of the positions of each group in `sorted`. */
  readonly ends: Uint32Array
  /** The first and the last offset of each group. */
  readonly first: Float64Array
  readonly last: Float64Array
}

function* sortPositions(
  groupOfPosition: Uint32Array,
  sizes: readonly number[],
  offsets: Float64Array,
): Generator<void, SortedPositions> {
  const ends = new Uint32Array(sizes.length)
  for (let group = 1; group < sizes.length; group++) ends[group] = ends[group - 1] + sizes[group - 1]
  const sorted = new Uint32Array(offsets.length)
  const first = new Float64Array(sizes.length).fill(Number.POSITIVE_INFINITY)
  const last = new Float64Array(sizes.length)
  for (let position = 0; position < sorted.length; position++) {
    const group = groupOfPosition[position]
    const offset = offsets[position]
    sorted[ends[group]++] = position
    if (offset < first[group]) first[group] = offset
    if (offset > last[group]) last[group] = offset
    if (position % STEP_POSITIONS === 0) yield
  }
  return { ends, sorted, first, last }
}

/** For each of these positions the number of its chunk in the listed dimensions, and its offset in the chunk. */
function locate(
  listed: readonly number[],
  coordinates: Float64Array,
  grid: ChunkGrid,
  gridStrides: readonly number[],
  from: number,
  to: number,
  chunkNumbers: Float64Array,
  offsets: Float64Array,
): void {
  const rank = listed.length
  const chunkStrides = rowMajorStrides(grid.chunkDims)
  listed.forEach((dimension, i) => {
    const chunkExtent = grid.chunkDims[dimension]
    const chunkStride = chunkStrides[dimension]
    const gridStride = gridStrides[i]
    for (let position = from, at = from * rank + i; position < to; position++, at += rank) {
      const chunk = Math.floor(coordinates[at] / chunkExtent)
      chunkNumbers[position] += chunk * gridStride
      offsets[position] += (coordinates[at] - chunk * chunkExtent) * chunkStride
    }
  })
}

/**
 * The number of coordinates of the chunk inside the extents, in the listed dimensions. The last chunk of all has the
 * fewest.
 */
function elementsOf(
  listed: readonly number[],
  chunk: readonly number[],
  { dims, chunkDims }: ChunkGrid,
): number {
  return listed.reduce(
    (product, d, i) => product * Math.min(chunkDims[d], dims[d] - chunk[i] * chunkDims[d]),
    1,
  )
}

/** The number of different offsets, all of which are below `end`. */
function* countDistinctInSteps(
  positions: Uint32Array,
  offsets: Float64Array,
  end: number,
): Generator<void, number> {
  const isThere = new Uint8Array(end)
  let distinct = 0
  for (let i = 0; i < positions.length; i++) {
    const offset = offsets[positions[i]]
    distinct += 1 - isThere[offset]
    isThere[offset] = 1
    if (i % STEP_POSITIONS === STEP_POSITIONS - 1) yield
  }
  return distinct
}

/** The coordinates of a chunk, from those in the listed dimensions and in the others. */
function chunkOf(
  rank: number,
  listed: readonly number[],
  group: Group,
  others: readonly number[],
  slices: readonly Slice[],
): readonly number[] {
  const chunk = new Array<number>(rank)
  for (const [i, dimension] of listed.entries()) chunk[dimension] = group.chunk[i]
  for (const [i, dimension] of others.entries()) chunk[dimension] = slices[i].chunk
  return chunk
}

interface Ranges {
  readonly axes: readonly Axis[]
  readonly slices: readonly Slice[]
}

/** The part of a group; `outer` and `inner` are the dimensions of the result before and after that of the lists. */
function listPart(
  chunk: readonly number[],
  outer: Ranges,
  lists: { readonly group: Group; readonly selectionStride: number },
  inner: Ranges,
): ChunkPart {
  const spans = [spanOf(outer.axes, outer.slices), lists.group, spanOf(inner.axes, inner.slices)]
  return {
    chunk,
    count: spans.reduce((count, span) => count * span.count, 1),
    covers: spans.every(span => span.covers),
    first: spans.reduce((first, span) => first + span.first, 0),
    end: spans.reduce((last, span) => last + span.end - 1, 0) + 1,
    runs(visit) {
      const boxes = boxesOf(inner.axes, inner.slices)
      visitBoxes(
        boxesOf(outer.axes, outer.slices),
        0,
        0,
        (chunkOffset, chunkStride, selectionOffset, length) => {
          for (let i = 0; i < length; i++) {
            visitPositions(lists, boxes, chunkOffset + i * chunkStride, selectionOffset + i, visit)
          }
        },
      )
    },
  }
}

/** The runs of the group's positions, each with the inner boxes. */
function visitPositions(
  {
    group: { positions, offsets },
    selectionStride,
  }: { readonly group: Group; readonly selectionStride: number },
  inner: readonly Box[],
  chunkOffset: number,
  selectionOffset: number,
  visit: RunVisitor,
): void {
  if (selectionStride > 1) {
    for (const position of positions) {
      visitBoxes(inner, chunkOffset + offsets[position], selectionOffset + position * selectionStride, visit)
    }
    return
  }
  // The inner dimensions select one element each. Neighbours in both the chunk and the lists are one run.
  const chunkStart = chunkOffset + inner[0].chunkOffset
  for (let from = 0, to = 0; from < positions.length; from = to) {
    const position = positions[from]
    const offset = offsets[position]
    to = from + 1
    while (
      to < positions.length &&
      positions[to] === position + (to - from) &&
      offsets[positions[to]] === offset + (to - from)
    ) {
      to++
    }
    visit(chunkStart + offset, 1, selectionOffset + position, to - from)
  }
}
