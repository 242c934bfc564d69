// A run of the elements of a selection as selections of their own.

import { type Hyperslab, linearBoxes, type Selection, selectionShape } from '@hyperslab/model/selection'

/**
 * The elements of a selection from `first` up to `end`, not included, as selections in their order: a few for each
 * dimension at most. Undefined: the selection is of a kind of which no part is a selection.
 */
export function selectionParts(
  selection: Selection,
  first: number,
  end: number,
): readonly Selection[] | undefined {
  if (selection.kind === 'points') {
    const { rank, coordinates } = selection
    return [{ ...selection, coordinates: coordinates.subarray(first * rank, end * rank) }]
  }
  if (selection.kind === 'lists') return undefined
  const steps = stepsOf(selection)
  if (!steps) return undefined
  const parts = linearBoxes(selectionShape(selection), first, end)
  return Array.from(parts, ({ start, count }) => ({
    kind: 'hyperslab',
    start: start.map((index, d) => selection.start[d] + index * steps[d]),
    stride: steps,
    count,
    block: count.map(() => 1),
  }))
}

/** The distance of the elements in each dimension; undefined: it varies. */
function stepsOf({ stride, count, block }: Hyperslab): readonly number[] | undefined {
  const isEven = block.every((length, d) => length === 1 || length === stride[d] || count[d] === 1)
  return isEven ? block.map((length, d) => (length === 1 ? stride[d] : 1)) : undefined
}
