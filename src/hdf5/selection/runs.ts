// How a selection falls on a chunk grid: the chunks that hold selected elements, and in each the runs. Chunks and
// runs are found by arithmetic, so the work grows with what is selected and never with what lies between. All
// numbers are whole and up to 2^53, so there is no bitwise arithmetic here.
//
// Example: rows 2..5, every second column of 8 x 8, chunks of 4 x 4. Chunk [0, 1] holds rows 2 and 3, columns 4 and
// 6: two runs of 2 elements 2 apart, at chunk offsets 8 and 12, at selection offsets 2 and 6.

import { planPoints } from './point-parts.ts'
import type { ChunkGrid, ChunkPart, Hyperslab, RunVisitor, Selection } from './selection.ts'
import { rowMajorStrides, selectionShape } from './selection.ts'

/** Hyperslabs: chunks in row-major order. Points: each chunk once, in the same order. None for an empty selection. */
export function planParts(selection: Selection, grid: ChunkGrid): Iterable<ChunkPart> {
  return selection.kind === 'points' ? planPoints(selection, grid) : planHyperslab(selection, grid)
}

/** One dimension of the hyperslab and of the grid. Adjacent blocks are written as one: stride 1, block 1. */
interface Axis {
  readonly start: number
  readonly stride: number
  readonly count: number
  readonly block: number
  readonly extent: number
  readonly chunkExtent: number
}

/** What one dimension selects in one chunk index: never empty. Positions count selected coordinates. */
interface Slice {
  readonly chunk: number
  /** The first coordinate of the chunk, and one past its last inside the extent. */
  readonly low: number
  readonly high: number
  /** The first and the last selected coordinate in the chunk, and their positions. */
  readonly first: number
  readonly last: number
  readonly firstPosition: number
  readonly lastPosition: number
}

function* planHyperslab(selection: Hyperslab, grid: ChunkGrid): Iterable<ChunkPart> {
  const shape = selectionShape(selection)
  if (shape.includes(0)) return
  const axes = shape.map((_, dimension) => axisOf(selection, grid, dimension))
  const chunkStrides = rowMajorStrides(grid.chunkDims)
  const selectionStrides = rowMajorStrides(shape)
  const firsts = axes.map(axis => sliceFrom(axis, axis.start))
  const slices = [...firsts]
  for (;;) {
    yield partOf(axes, [...slices], chunkStrides, selectionStrides)
    let dimension = axes.length - 1
    for (; dimension >= 0; dimension--) {
      const next = nextSelected(axes[dimension], slices[dimension].high)
      if (next !== undefined) {
        slices[dimension] = sliceFrom(axes[dimension], next)
        break
      }
      slices[dimension] = firsts[dimension]
    }
    if (dimension < 0) return
  }
}

function axisOf({ start, stride, count, block }: Hyperslab, grid: ChunkGrid, dimension: number): Axis {
  const adjacent = count[dimension] === 1 || stride[dimension] === block[dimension]
  return {
    start: start[dimension],
    stride: adjacent ? 1 : stride[dimension],
    count: adjacent ? count[dimension] * block[dimension] : count[dimension],
    block: adjacent ? 1 : block[dimension],
    extent: grid.dims[dimension],
    chunkExtent: grid.chunkDims[dimension],
  }
}

/** The lowest selected coordinate that is `from` or higher. */
function nextSelected({ start, stride, count, block }: Axis, from: number): number | undefined {
  if (from <= start) return start
  const index = Math.floor((from - start) / stride)
  if (index < count && from - start - index * stride < block) return from
  return index + 1 < count ? start + (index + 1) * stride : undefined
}

/** The chunk of `first`, the lowest selected coordinate in it. */
function sliceFrom(axis: Axis, first: number): Slice {
  const chunk = Math.floor(first / axis.chunkExtent)
  const low = chunk * axis.chunkExtent
  const high = Math.min(low + axis.chunkExtent, axis.extent)
  const index = Math.min(axis.count - 1, Math.floor((high - 1 - axis.start) / axis.stride))
  const last = Math.min(high - 1, axis.start + index * axis.stride + axis.block - 1)
  return {
    chunk,
    low,
    high,
    first,
    last,
    firstPosition: positionOf(axis, first),
    lastPosition: positionOf(axis, last),
  }
}

/** How many selected coordinates lie below the selected `coordinate`. */
function positionOf({ start, stride, block }: Axis, coordinate: number): number {
  const index = Math.floor((coordinate - start) / stride)
  return index * block + (coordinate - start - index * stride)
}

function partOf(
  axes: readonly Axis[],
  slices: readonly Slice[],
  chunkStrides: readonly number[],
  selectionStrides: readonly number[],
): ChunkPart {
  let count = 1
  let covers = true
  let first = 0
  let last = 0
  slices.forEach((slice, dimension) => {
    const selected = slice.lastPosition - slice.firstPosition + 1
    count *= selected
    covers &&= selected === slice.high - slice.low
    first += (slice.first - slice.low) * chunkStrides[dimension]
    last += (slice.last - slice.low) * chunkStrides[dimension]
  })
  const chunk = slices.map(slice => slice.chunk)
  const runs = (visit: RunVisitor): void => {
    const segments = slices.map((slice, dimension) =>
      segmentsOf(axes[dimension], slice, chunkStrides[dimension], selectionStrides[dimension]),
    )
    visitBoxes(segments, 0, { chunkOffset: 0, selectionOffset: 0, steps: [] }, visit)
  }
  return { chunk, count, covers, first, end: last + 1, runs }
}

/** `count` elements, each so many elements after the one before. */
interface Step {
  readonly count: number
  readonly chunkStride: number
  readonly selectionStride: number
}

/** A regular set of elements: nested steps, the outermost first, from an offset. */
interface Box {
  readonly chunkOffset: number
  readonly selectionOffset: number
  readonly steps: readonly Step[]
}

/** One dimension of a part as regular pieces: a cut first block, the whole blocks, a cut last block. */
function segmentsOf(axis: Axis, slice: Slice, chunkStride: number, selectionStride: number): readonly Box[] {
  const piece = (position: number, coordinate: number, counts: readonly (readonly number[])[]): Box => ({
    chunkOffset: (coordinate - slice.low) * chunkStride,
    selectionOffset: position * selectionStride,
    steps: counts.map(([count, coordinates, positions]) => ({
      count,
      chunkStride: coordinates * chunkStride,
      selectionStride: positions * selectionStride,
    })),
  })
  const { firstPosition, lastPosition } = slice
  const { block, stride } = axis
  const selected = lastPosition - firstPosition + 1
  if (block === 1) return [piece(firstPosition, slice.first, [[selected, stride, 1]])]

  const pieces: Box[] = []
  for (let position = firstPosition; position <= lastPosition; ) {
    const coordinate = axis.start + Math.floor(position / block) * stride + (position % block)
    const wholeBlocks = position % block === 0 ? Math.floor((lastPosition + 1 - position) / block) : 0
    if (wholeBlocks > 0) {
      pieces.push(
        piece(position, coordinate, [
          [wholeBlocks, stride, block],
          [block, 1, 1],
        ]),
      )
      position += wholeBlocks * block
    } else {
      const length = Math.min(block - (position % block), lastPosition + 1 - position)
      pieces.push(piece(position, coordinate, [[length, 1, 1]]))
      position += length
    }
  }
  return pieces
}

/** Visits every combination of one segment per dimension. */
function visitBoxes(
  segments: readonly (readonly Box[])[],
  dimension: number,
  outer: Box,
  visit: RunVisitor,
): void {
  if (dimension === segments.length) {
    const steps = mergeSteps(outer.steps)
    visitRuns(steps, 0, outer.chunkOffset, outer.selectionOffset, visit)
    return
  }
  for (const segment of segments[dimension]) {
    const box = {
      chunkOffset: outer.chunkOffset + segment.chunkOffset,
      selectionOffset: outer.selectionOffset + segment.selectionOffset,
      steps: [...outer.steps, ...segment.steps],
    }
    visitBoxes(segments, dimension + 1, box, visit)
  }
}

/** Leaves out steps of one element and joins an outer step with the inner one that it continues. */
function mergeSteps(steps: readonly Step[]): readonly Step[] {
  const merged: Step[] = []
  for (const step of steps) {
    if (step.count === 1) continue
    const outer = merged.at(-1)
    const continues =
      outer !== undefined &&
      outer.chunkStride === step.count * step.chunkStride &&
      outer.selectionStride === step.count * step.selectionStride
    if (continues) merged.pop()
    merged.push(continues ? { ...step, count: outer.count * step.count } : step)
  }
  return merged
}

function visitRuns(
  steps: readonly Step[],
  level: number,
  chunkOffset: number,
  selectionOffset: number,
  visit: RunVisitor,
): void {
  if (level === steps.length) {
    visit(chunkOffset, 1, selectionOffset, 1)
    return
  }
  const { count, chunkStride, selectionStride } = steps[level]
  if (level === steps.length - 1 && selectionStride === 1) {
    visit(chunkOffset, chunkStride, selectionOffset, count)
    return
  }
  for (let i = 0; i < count; i++) {
    visitRuns(steps, level + 1, chunkOffset + i * chunkStride, selectionOffset + i * selectionStride, visit)
  }
}
