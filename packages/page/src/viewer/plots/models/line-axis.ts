// The axis of a line: its ends on the canvas, the end that is followed, and the positions of what is in sight.

import type { PlotAxis } from '../../data/axis.ts'
import { axisDomain } from '../../drawing/bounds.ts'
import type { AxisScale, Span, View } from '../../view-address.ts'
import type { DrawnCurve } from './curves.ts'

/** The ends of the axis on the canvas: it has a place for those of all curves. */
export function xDomainOf(axes: readonly PlotAxis[], scale: AxisScale): [number, number] {
  const values = axes.flatMap(({ length, toCoordinate }) => {
    const ends = [toCoordinate(0), toCoordinate(Math.max(length - 1, 0))]
    // A scale of logarithms begins at the first coordinate that it has a place for.
    return scale === 'log' && Math.min(...ends) <= 0
      ? [toCoordinate(1), ...ends].filter(end => end > 0)
      : ends
  })
  return axisDomain(values, scale, 0.01) ?? [0, 1]
}

/** The axis of the plot, and those of the curves that have others. */
export function axesOf(x: PlotAxis, curves: readonly Pick<DrawnCurve, 'own'>[]): readonly PlotAxis[] {
  return [x, ...curves.flatMap(({ own }) => (own ? [own.axis] : []))]
}

/** The zoom as wide as before, or so many elements, at the end of the axis. */
export function atEnd({ zoom, last }: View, { length, toCoordinate }: PlotAxis): View['zoom'] {
  if (last !== undefined)
    return last < length ? { x: [toCoordinate(length - last), toCoordinate(length - 1)] } : undefined
  if (zoom === undefined) return undefined
  const [from, to] = zoom.x
  const end = toCoordinate(length - 1)
  return { ...zoom, x: [end - (to - from), end] }
}

export function positionsIn([from, to]: Span, { toPosition, isMonotonic, length }: PlotAxis): Span {
  return isMonotonic ? [toPosition(from), toPosition(to) + 1] : [0, length]
}
