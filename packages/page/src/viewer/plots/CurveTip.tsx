// The numbers of all curves at the pointer.

import type { PlotAxis } from '../data/axis.ts'
import type { LoadedCurve } from '../data/curves.ts'
import type { DrawnCurve } from './models/curves.ts'
import { placeAt, pointText } from './models/tip.ts'

interface CurveTipProps {
  readonly position: number
  readonly axis: PlotAxis
  readonly curves: readonly DrawnCurve[]
  readonly loaded: readonly LoadedCurve[]
  readonly hidden: ReadonlySet<string>
}

export function CurveTip({ position, axis, curves, loaded, hidden }: CurveTipProps) {
  const { place, index } = placeAt(position, axis, loaded[0]?.points)
  return (
    <>
      {place}
      {curves.map(({ label, meaning }, i) =>
        hidden.has(label) ? null : (
          <div key={label}>
            {curves.length > 1 ? `${label} = ` : ''}
            <strong>{pointText(loaded[i]?.points, index, meaning)}</strong>
          </div>
        ),
      )}
    </>
  )
}
