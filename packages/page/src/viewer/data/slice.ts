// The use of each dimension of a dataset in a view: axes of the drawing, and the index of the others.

import type { Selection } from '@hyperslab/client'
import type { ImageDimensions } from '@hyperslab/meaning/meaning'
import { type DimensionUse, NO_MARK, type View } from '../view-address.ts'
import type { Plot } from './plot.ts'

/** The dimensions that a view draws. */
export interface DrawnAxes {
  readonly axes: readonly ['x'] | readonly ['y', 'x']
  /** The dimension of the colours, which is neither an axis nor an index. */
  readonly colours?: number | undefined
  /** The dimensions that are drawn if nothing else is said; undefined: the last ones. */
  readonly usual?: ImageDimensions | undefined
}

/** As the address says, if the dataset has such a slice; otherwise as the file says, otherwise the usual dimensions. */
export function slicedBy(plot: Plot, view: View, drawn: DrawnAxes): readonly DimensionUse[] {
  const shape = plot.signal.dataset?.shape ?? []
  const uses =
    [view.slice, plot.slice].find(uses => uses !== undefined && isPossible(uses, shape, drawn)) ??
    usualSlice(shape.length, drawn)
  const moving = view.isFollowed ? followedDimension(uses) : undefined
  return moving === undefined || uses[moving] === 'x' || uses[moving] === 'y'
    ? uses
    : uses.with(moving, Math.max(0, (shape[moving] ?? 1) - 1))
}

/** The dimension that grows: the first one. */
export function followedDimension(uses: readonly DimensionUse[]): number | undefined {
  return uses.length === 0 || uses[0] === ':' ? undefined : 0
}

function isPossible(
  uses: readonly DimensionUse[],
  shape: readonly number[],
  { axes, colours }: DrawnAxes,
): boolean {
  if (uses.length !== shape.length) return false
  const drawn = uses.filter(use => typeof use !== 'number')
  return (
    drawn.length === axes.length + (colours === undefined ? 0 : 1) &&
    axes.every(axis => uses.includes(axis)) &&
    uses.indexOf(':') === (colours ?? -1) &&
    uses.every((use, d) => typeof use !== 'number' || use < Math.max(1, shape[d] ?? 0))
  )
}

function usualSlice(rank: number, { axes, colours, usual }: DrawnAxes): readonly DimensionUse[] {
  if (usual) return Array.from({ length: rank }, (_, d) => (d === usual.x ? 'x' : d === usual.y ? 'y' : 0))
  const length = colours === undefined ? rank : rank - 1
  const uses = Array.from({ length }, (_, d): DimensionUse => axes[d - length + axes.length] ?? 0)
  return colours === undefined ? uses : uses.toSpliced(colours, 0, ':')
}

/** The slice as requests have it; undefined: all elements. */
export function selectionOf(uses: readonly DimensionUse[]): Selection | undefined {
  const selection = uses.map(use => (typeof use === 'number' ? use : undefined))
  return selection.some(part => part !== undefined) ? selection : undefined
}

/** The slice with another use of a dimension. An axis that it takes goes to the dimension that it had. */
export function withUse(
  uses: readonly DimensionUse[],
  dimension: number,
  use: DimensionUse,
): readonly DimensionUse[] {
  const former = typeof use === 'string' ? uses.indexOf(use) : -1
  const before = uses[dimension] ?? 0
  const moved = former === -1 || former === dimension ? uses : uses.with(former, before)
  return moved.with(dimension, use)
}

/** The change of a view to another slice. A zoom and a mark mean nothing where other dimensions are drawn. */
export function sliceChange(before: readonly DimensionUse[], slice: readonly DimensionUse[]): Partial<View> {
  return {
    slice,
    isFollowed: undefined,
    ...(isOtherDrawn(before, slice) && { ...NO_MARK, axis: undefined, zoom: undefined }),
  }
}

function isOtherDrawn(before: readonly DimensionUse[], after: readonly DimensionUse[]): boolean {
  return before.some(
    (use, d) => use !== after[d] && (typeof use === 'string' || typeof after[d] === 'string'),
  )
}
