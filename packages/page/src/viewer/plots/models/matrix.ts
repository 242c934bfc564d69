// The elements of a slice as a table: what is shown of a view, and its tools.

import type { Datatype } from '@hyperslab/client'
import { productOf } from '@hyperslab/client/elements'
import type { Plot } from '../../data/plot.ts'
import { slicedBy } from '../../data/slice.ts'
import type { View } from '../../view-address.ts'
import { type Tool, toolsOf } from '../tools/tools.ts'

/** What is shown of a plot: its rows and columns. */
export function matrixOf(plot: Plot, view: View) {
  const { dataset, path } = plot.signal
  if (dataset?.shape === undefined) throw new Error(`${path} has no elements`)
  const { shape, type } = dataset
  const drawn = shape.length > 1 ? (['y', 'x'] as const) : (['x'] as const)
  const uses = slicedBy(plot, view, { axes: drawn })
  // The elements of one dimension are below each other.
  const rowDimension = uses.indexOf(drawn[0])
  const columnDimension = drawn.length > 1 ? uses.indexOf('x') : undefined
  return {
    dataset,
    uses,
    drawn,
    rowDimension,
    columnDimension,
    rowAxis: plot.axes[rowDimension],
    columnAxis: columnDimension === undefined ? undefined : plot.axes[columnDimension],
    rows: shape[rowDimension] ?? 0,
    columns: columnDimension === undefined ? 1 : (shape[columnDimension] ?? 0),
    /** Files and programs have the letters of strings one by one. */
    copied: dataset.letters === undefined ? uses : [...uses, ':' as const],
    hasElements: productOf(shape) > 0,
    columnWidth: widthFor(type),
    notation: view.notation ?? 'auto',
  }
}

/** The indices of the element in a cell. */
export function cellOf(
  {
    uses,
    rowDimension,
    columnDimension,
  }: Pick<ReturnType<typeof matrixOf>, 'uses' | 'rowDimension' | 'columnDimension'>,
  row: number,
  column: number,
): readonly number[] {
  return uses.map((use, d) => (d === rowDimension ? row : d === columnDimension ? column : Number(use)))
}

export function matrixTools({
  notation,
}: {
  readonly notation: NonNullable<View['notation']>
}): readonly Tool[] {
  return toolsOf(['notation'], { settings: { notation: { value: notation, usual: 'auto' } } })
}

/** Pixels. */
function widthFor({ class: name }: Datatype): number {
  return name === 'H5T_STRING' || name === 'H5T_COMPOUND' ? 300 : 132
}
