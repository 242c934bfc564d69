// The numbers of all curves at the pointer.

import type { PlotAxis } from '../data/axis.ts'
import type { LoadedCurve } from '../data/curves.ts'
import type { DrawnCurve } from './models/curves.ts'
import { placeAt, pointText } from './models/tip.ts'

interface CurveTipProps {
  /** The coordinate at the pointer. */
  readonly at: number
  readonly axis: PlotAxis
  readonly curves: readonly DrawnCurve[]
  readonly loaded: readonly LoadedCurve[]
  readonly hidden: ReadonlySet<string>
}

export function CurveTip({ at, axis, curves, loaded, hidden }: CurveTipProps) {
  const placeOf = (axis: PlotAxis, i: number) => placeAt(axis.toPosition(at), axis, loaded[i]?.points)
  const { place, index } = placeOf(axis, 0)
  return (
    <>
      {place}
      {curves.map(({ label, meaning, own }, i) =>
        hidden.has(label) ? null : (
          <div key={label}>
            {curves.length > 1 ? `${label} = ` : ''}
            <strong>{pointText(loaded[i]?.points, own ? placeOf(own.axis, i).index : index, meaning)}</strong>
          </div>
        ),
      )}
    </>
  )
}
