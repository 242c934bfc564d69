// The chunks of a grid that hold elements of a selection, and the runs in each. Chunks and runs are found by
// arithmetic, so the work grows with the number of selected elements and never with the space between them.
//
// Example: rows 2..5, every second column of 8 x 8, chunks of 4 x 4. Chunk [0, 1] holds rows 2 and 3, columns 4 and 6:
// two runs of 2 elements 2 apart, at chunk offsets 8 and 12, at selection offsets 2 and 6.

import { runAtOnce } from '../values/steps.ts'
import { planListsInSteps } from './list-parts.ts'
import {
  type ChunkGrid,
  type ChunkPart,
  type Hyperslab,
  rowMajorStrides,
  type Selection,
  selectionShape,
} from './selection.ts'
import { type Axis, axisOf, boxesOf, type Slice, sliceAt, slicesOf, spanOf, visitBoxes } from './slices.ts'

/** The chunks of the selection, each once, in the order in which it first touches them. None for an empty selection. */
export function planParts(selection: Selection, grid: ChunkGrid): Iterable<ChunkPart> {
  return runAtOnce(planInSteps(selection, grid))
}

/** Plans the selection in steps of a few milliseconds, where there are many coordinates. */
export function* planInSteps(selection: Selection, grid: ChunkGrid): Generator<void, Iterable<ChunkPart>> {
  switch (selection.kind) {
    case 'hyperslab':
      return { [Symbol.iterator]: () => planHyperslab(selection, grid) }
    case 'lists':
      return yield* planListsInSteps(selection, grid)
    case 'points': {
      const { rank, coordinates } = selection
      const listed = Array.from({ length: rank }, (_, dimension) => dimension)
      return yield* planListsInSteps({ kind: 'lists', listed, coordinates, rest: NO_DIMENSIONS }, grid)
    }
  }
}

const NO_DIMENSIONS: Hyperslab = { kind: 'hyperslab', start: [], stride: [], count: [], block: [] }

function* planHyperslab(selection: Hyperslab, grid: ChunkGrid): Generator<ChunkPart> {
  if (selectionShape(selection).includes(0)) return
  const axes = axesOf(selection, grid)
  for (const slices of slicesOf(axes)) yield partOf(axes, slices)
}

/** The parts of the selection in some chunks, each of which has selected elements, in the order of the chunks. */
export function* partsIn(
  selection: Hyperslab,
  grid: ChunkGrid,
  chunks: Iterable<readonly number[]>,
): Generator<ChunkPart> {
  const axes = axesOf(selection, grid)
  for (const chunk of chunks) {
    const slices = axes.map((axis, d) => sliceAt(axis, chunk[d])).filter(slice => slice !== undefined)
    if (slices.length === axes.length) yield partOf(axes, slices)
  }
}

function axesOf(selection: Hyperslab, grid: ChunkGrid): readonly Axis[] {
  const shape = selectionShape(selection)
  const chunkStrides = rowMajorStrides(grid.chunkDims)
  const selectionStrides = rowMajorStrides(shape)
  return shape.map((_, d) => axisOf(selection, grid, d, chunkStrides[d], selectionStrides[d]))
}

function partOf(axes: readonly Axis[], slices: readonly Slice[]): ChunkPart {
  return {
    chunk: slices.map(slice => slice.chunk),
    ...spanOf(axes, slices),
    runs: visit => visitBoxes(boxesOf(axes, slices), 0, 0, visit),
  }
}
