// A run of elements in row-major order as boxes.

import { product } from '../dataset/dataspace.ts'

export interface ElementBox {
  readonly start: readonly number[]
  readonly count: readonly number[]
}

/** The elements from `first` up to `end`, not included, as boxes in their order: two for each dimension at most. */
export function* linearBoxes(dims: readonly number[], first: number, end: number): Generator<ElementBox> {
  if (first >= end) return
  if (dims.length === 0) {
    yield { start: [], count: [] }
    return
  }
  const rest = dims.slice(1)
  const rowLength = product(rest)
  let row = Math.floor(first / rowLength)
  const lastRow = Math.floor(end / rowLength)
  const skipped = first - row * rowLength
  if (skipped > 0) {
    yield* inRow(row, rest, skipped, row === lastRow ? end - row * rowLength : rowLength)
    row++
  }
  if (row < lastRow) yield { start: [row, ...rest.map(() => 0)], count: [lastRow - row, ...rest] }
  if (row <= lastRow) yield* inRow(lastRow, rest, 0, end - lastRow * rowLength)
}

function* inRow(row: number, rest: readonly number[], first: number, end: number): Generator<ElementBox> {
  for (const { start, count } of linearBoxes(rest, first, end)) {
    yield { start: [row, ...start], count: [1, ...count] }
  }
}
