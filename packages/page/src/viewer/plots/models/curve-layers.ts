// The curves of a line plot as layers of a drawing: those that are not hidden, with what surrounds the part in sight.

import type { PlotAxis } from '../../data/axis.ts'
import { type LoadedCurve, withSurroundings } from '../../data/curves.ts'
import type { CurveLayer } from '../../drawing/scene.ts'
import type { View } from '../../view-address.ts'
import { colourOf, errorsOf, type LineSubject } from './line.ts'

export interface ShownCurves {
  readonly subject: LineSubject
  readonly shown: readonly LoadedCurve[]
  readonly errors: readonly LoadedCurve[]
  readonly axis: PlotAxis
  readonly type: NonNullable<View['curve']>
  /** The names of curves that are not drawn. */
  readonly hidden: readonly string[]
}

export function curveLayers(curves: ShownCurves): readonly CurveLayer[] {
  const { subject, shown, errors, hidden } = curves
  return shown.flatMap((curve, i) => {
    const drawn = subject.curves[i]
    if (hidden.includes(drawn?.label ?? '')) return []
    const axis = drawn?.own?.axis ?? curves.axis
    return curveLayer(curve, errorsOf(subject, drawn, errors), i, { ...curves, axis })
  })
}

function curveLayer(
  { points, overview }: LoadedCurve,
  errors: LoadedCurve | undefined,
  index: number,
  { axis, type }: ShownCurves,
): CurveLayer | [] {
  if (points === undefined) return []
  const { positions, values } = withSurroundings(points, overview)
  const ofErrors = errors?.points?.values
  // A line through one point would be nothing.
  const hasLine = type !== 'points' && values.length > 1
  return {
    kind: 'curve',
    x: positions.map(axis.toCoordinate),
    y: values,
    errors: ofErrors?.length === values.length ? ofErrors : undefined,
    // The line around a density is pale.
    colour: type === 'density' && index === 0 ? `${colourOf(index)}40` : colourOf(index),
    hasLine,
    hasPoints: type === 'points' || type === 'both' || !hasLine,
  }
}
