// The selection of a hyperslab in one chunk, dimension by dimension (slices), and as nested steps through its elements
// (boxes). The parts of hyperslabs and of lists are made of these. Everything is found by arithmetic; all numbers are
// whole and up to 2^53, so there is no bitwise arithmetic here.

import type { ChunkGrid, Hyperslab, RunVisitor } from './selection.ts'

/** One dimension of a hyperslab and of the grid. Adjacent blocks are written as one: stride 1, block 1. */
export interface Axis {
  readonly start: number
  readonly stride: number
  readonly count: number
  readonly block: number
  readonly extent: number
  readonly chunkExtent: number
  /** Elements of the chunk, and of the selection, between neighbours along this dimension. */
  readonly chunkStride: number
  readonly selectionStride: number
}

/** The selection of one dimension in one chunk index: never empty. Positions count selected coordinates. */
export interface Slice {
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

/** The axis of dimension `dimension` of `slab`, whose dimensions are those of `grid`. */
export function axisOf(
  { start, stride, count, block }: Hyperslab,
  { dims, chunkDims }: ChunkGrid,
  dimension: number,
  chunkStride: number,
  selectionStride: number,
): Axis {
  const adjacent = count[dimension] === 1 || stride[dimension] === block[dimension]
  return {
    start: start[dimension],
    stride: adjacent ? 1 : stride[dimension],
    count: adjacent ? count[dimension] * block[dimension] : count[dimension],
    block: adjacent ? 1 : block[dimension],
    extent: dims[dimension],
    chunkExtent: chunkDims[dimension],
    chunkStride,
    selectionStride,
  }
}

/** A slice per axis for each chunk that the axes select from, in row-major order. No axis may be empty. */
export function* slicesOf(axes: readonly Axis[]): Iterable<readonly Slice[]> {
  const firsts = axes.map(axis => sliceFrom(axis, axis.start))
  const slices = [...firsts]
  for (;;) {
    yield [...slices]
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

/** The selection of the axis in one chunk index; undefined: nothing. */
export function sliceAt(axis: Axis, chunk: number): Slice | undefined {
  const next = nextSelected(axis, chunk * axis.chunkExtent)
  if (next === undefined || Math.floor(next / axis.chunkExtent) !== chunk) return undefined
  return sliceFrom(axis, next)
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

/** The number of selected coordinates below the selected `coordinate`. */
function positionOf({ start, stride, block }: Axis, coordinate: number): number {
  const index = Math.floor((coordinate - start) / stride)
  return index * block + (coordinate - start - index * stride)
}

/**
 * The number of elements that a part selects, and their range in its chunk; `covers`, `first` and `end` as in
 * ChunkPart.
 */
export interface Span {
  readonly count: number
  readonly covers: boolean
  readonly first: number
  readonly end: number
}

export function spanOf(axes: readonly Axis[], slices: readonly Slice[]): Span {
  let count = 1
  let covers = true
  let first = 0
  let last = 0
  slices.forEach((slice, i) => {
    const selected = slice.lastPosition - slice.firstPosition + 1
    count *= selected
    covers &&= selected === slice.high - slice.low
    first += (slice.first - slice.low) * axes[i].chunkStride
    last += (slice.last - slice.low) * axes[i].chunkStride
  })
  return { count, covers, first, end: last + 1 }
}

/** `count` elements, each a step after the one before. */
interface Step {
  readonly count: number
  readonly chunkStride: number
  readonly selectionStride: number
}

/** A regular set of elements: nested steps, the outermost first, from an offset. */
export interface Box {
  readonly chunkOffset: number
  readonly selectionOffset: number
  readonly steps: readonly Step[]
}

/** The elements of the slices as boxes: every combination of one segment per dimension. */
export function boxesOf(axes: readonly Axis[], slices: readonly Slice[]): readonly Box[] {
  let boxes: readonly Box[] = [{ chunkOffset: 0, selectionOffset: 0, steps: [] }]
  slices.forEach((slice, i) => {
    const segments = segmentsOf(axes[i], slice)
    boxes = boxes.flatMap(outer =>
      segments.map(segment => ({
        chunkOffset: outer.chunkOffset + segment.chunkOffset,
        selectionOffset: outer.selectionOffset + segment.selectionOffset,
        steps: [...outer.steps, ...segment.steps],
      })),
    )
  })
  return boxes.map(box => ({ ...box, steps: mergeSteps(box.steps) }))
}

/** One dimension of a part as regular pieces: a cut first block, the whole blocks, a cut last block. */
function segmentsOf(axis: Axis, slice: Slice): readonly Box[] {
  const { block, stride, chunkStride, selectionStride } = axis
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

/** The runs of the boxes, as ChunkPart has them, moved by these offsets. */
export function visitBoxes(
  boxes: readonly Box[],
  chunkOffset: number,
  selectionOffset: number,
  visit: RunVisitor,
): void {
  for (const box of boxes) {
    visitSteps(box.steps, 0, chunkOffset + box.chunkOffset, selectionOffset + box.selectionOffset, visit)
  }
}

function visitSteps(
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
    visitSteps(steps, level + 1, chunkOffset + i * chunkStride, selectionOffset + i * selectionStride, visit)
  }
}
