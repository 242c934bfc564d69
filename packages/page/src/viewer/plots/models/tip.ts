// What the tip of a line says: the coordinate at the pointer, and the numbers of the curves there.

import type { ValueMeaning } from '@hyperslab/meaning/meaning'
import type { PlotAxis } from '../../data/axis.ts'
import type { CurvePoints } from '../../data/curves.ts'
import { formatValue } from './numbers.ts'

/** The element at a position on the axis, and its coordinate: `time = 2000-01-16`. */
export function placeAt(position: number, axis: PlotAxis, points: CurvePoints | undefined) {
  const block = points?.extent.block ?? 1
  const nearest = block === 1 ? Math.round(position) : Math.floor(position)
  const index = Math.min(Math.max(nearest, 0), axis.length - 1)
  const coordinate = axis.toCoordinate(index)
  return {
    index,
    place: `${axis.label ?? axis.name} = ${axis.format?.(coordinate) ?? formatValue(coordinate)}`,
  }
}

/** The element, or the extremes of its block. */
export function pointText(points: CurvePoints | undefined, index: number, meaning: ValueMeaning): string {
  if (points === undefined || points.progress) return '–'
  const { extent, values, positions } = points
  const text = (value: number | undefined) =>
    value !== undefined && meaning.kind === 'time' ? meaning.formatUnpacked(value) : formatValue(value)
  const at = Math.floor((index - extent.start) / extent.block)
  if (at < 0) return '–'
  const isDouble = positions.length > 1 && (positions[1] ?? 0) - (positions[0] ?? 0) < extent.block
  if (!isDouble) return text(values[at])
  return `${text(values[2 * at])} to ${text(values[2 * at + 1])}`
}
