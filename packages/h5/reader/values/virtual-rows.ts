// Copies between selections of different shapes with the same number of elements, row by row in row-major order.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { coordinatesWithin, product } from '@hyperslab/model/dataset'
import { type ChunkPart, rowMajorStrides } from '@hyperslab/model/selection'
import { ElementsBuilder } from '@hyperslab/model/values'
import type { Box } from '../../file-reader.ts'
import type { VirtualMapping } from '../../format/virtual-layout.ts'
import { type AxisSet, regularAxis, unsupportedMapping } from './axis-set.ts'
import {
  beyondExtents,
  type Interval,
  positionsIn,
  type Target,
  type VirtualSource,
} from './virtual-source.ts'
import { copyWindows, FEW_ELEMENTS, MAX_WASTE, segmentsOf } from './virtual-windows.ts'

interface ReshapedCopy extends Target {
  readonly mapping: VirtualMapping
  readonly source: VirtualSource
  readonly axes: readonly AxisSet[]
  readonly sourceAxes: readonly AxisSet[]
}

/**
 * Elements of the target with adjacent positions in the row-major order of its selection, and adjacent boxStrides in
 * the box.
 */
interface Row {
  readonly position: number
  readonly index: number
  readonly length: number
}

/** Rows that are copied together. @limit safety, rows */
const MAX_ROWS = 4096

/**
 * Copies between selections of different shapes with the same number of elements, which correspond in row-major order.
 */
export async function copyInOrder(copy: ReshapedCopy): Promise<void> {
  const { mapping, source, axes, sourceAxes, box, work } = copy
  const count = product(axes.map(({ size }) => size))
  const sourceCount = product(sourceAxes.map(({ size }) => size))
  if (!(Number.isFinite(count) && count === sourceCount)) {
    throw unsupportedMapping('selects elements in another shape than its source has')
  }
  if (sourceAxes.some((axis, e) => axis.positionsBefore(source.dims[e]) < axis.size)) {
    throw beyondExtents(mapping)
  }
  let rows: Row[] = []
  let needed = 0
  for (const row of rowsInOrder(axes, box)) {
    work.use(1)
    const [first = row] = rows
    const enclosed = row.position + row.length - first.position
    const isWaste = enclosed > Math.max(FEW_ELEMENTS, MAX_WASTE * (needed + row.length))
    if (isWaste || rows.length === MAX_ROWS) {
      await copyRows(copy, rows)
      rows = []
      needed = 0
    }
    rows.push(row)
    needed += row.length
  }
  await copyRows(copy, rows)
}

/** The rows in the order of their positions. */
function* rowsInOrder(axes: readonly AxisSet[], box: Box): Generator<Row> {
  const strides = rowMajorStrides(axes.map(({ size }) => size))
  const boxStrides = rowMajorStrides(box.count)
  const positions = positionsIn(axes, box)
  const last = axes.length - 1
  for (const at of coordinatesWithin(positions.slice(0, last).map(({ first, end }) => end - first))) {
    let position = 0
    let index = 0
    for (const [d, offset] of at.entries()) {
      const axisPosition = positions[d].first + offset
      const [{ coordinate }] = axes[d].runs(axisPosition, axisPosition + 1)
      position += axisPosition * strides[d]
      index += (coordinate - box.start[d]) * boxStrides[d]
    }
    for (const run of axes[last].runs(positions[last].first, positions[last].end)) {
      const boxIndex = index + run.coordinate - box.start[last]
      yield { position: position + run.position, index: boxIndex, length: run.length }
    }
  }
}

/** Reads the elements that enclose the positions of the rows. */
async function copyRows(copy: ReshapedCopy, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const { source, sourceAxes, builder, work } = copy
  const { position: first } = rows[0]
  const { position, length } = rows[rows.length - 1]
  const sizes = sourceAxes.map(({ size }) => size)
  let start = first
  for (const intervals of boxesInOrder(sizes, first, position + length)) {
    if (isTurnOver()) await nextTurn()
    const count = intervals.map(({ first, end }) => end - first)
    const zeros = count.map(() => 0)
    const part = new ElementsBuilder(source.type, product(count))
    const cuts = intervals.map(
      ({ first, end }, e) =>
        () =>
          segmentsOf(regularAxis(0, 1, 1, sizes[e]), sourceAxes[e], first, end, first),
    )
    const own = { source, pairs: count.map((_, e) => e), fixed: zeros, box: { start: zeros, count } }
    await copyWindows({ ...own, builder: part, work }, cuts)
    builder.gather(partOfRows(rows, start, product(count)), part.finish())
    start += product(count)
  }
}

/** The elements of the rows among `count` elements whose positions begin at `start`. */
function partOfRows(rows: readonly Row[], start: number, count: number): ChunkPart {
  return {
    chunk: [],
    count,
    covers: false,
    first: 0,
    end: count,
    runs(visit) {
      for (const { position, index, length } of rows) {
        const from = Math.max(position, start)
        const to = Math.min(position + length, start + count)
        if (from < to) visit(from - start, 1, index + from - position, to - from)
      }
    },
  }
}

/** Cuts positions in the row-major order of a shape into boxes: the intervals of each along the dimensions. */
function* boxesInOrder(shape: readonly number[], first: number, end: number): Generator<readonly Interval[]> {
  const [, ...inner] = shape
  const stride = product(inner)
  for (let offset = first; offset < end; ) {
    const index = Math.floor(offset / stride)
    const within = offset - index * stride
    const whole = Math.floor((end - offset) / stride)
    if (within === 0 && whole > 0) {
      yield [{ first: index, end: index + whole }, ...inner.map(size => ({ first: 0, end: size }))]
      offset += whole * stride
    } else {
      const next = Math.min(end, (index + 1) * stride)
      for (const rest of boxesInOrder(inner, within, within + next - offset)) {
        yield [{ first: index, end: index + 1 }, ...rest]
      }
      offset = next
    }
  }
}
