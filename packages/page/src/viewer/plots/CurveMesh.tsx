// A curve of a line plot on the canvas, and the numbers of all curves at the pointer.

import { CurveType, DataCurve } from '@h5web/lib'
import { useMemo } from 'react'
import type { PlotAxis } from '../data/axis.ts'
import { type LoadedCurve, withSurroundings } from '../data/curves.ts'
import type { DrawnCurve } from './models/curves.ts'
import { placeAt, pointText } from './models/tip.ts'

interface CurveMeshProps {
  readonly curve: LoadedCurve
  readonly errors: LoadedCurve | undefined
  readonly axis: PlotAxis
  readonly colour: string
  readonly type: CurveType
  readonly isVisible: boolean
}

export function CurveMesh({ curve, errors, axis, colour, type, isVisible }: CurveMeshProps) {
  const { points, overview } = curve
  const drawn = useMemo(() => points && withSurroundings(points, overview), [points, overview])
  const abscissas = useMemo(() => drawn?.positions.map(axis.toCoordinate), [drawn, axis])
  if (drawn === undefined || abscissas === undefined) return null
  const hasErrors = errors?.points?.values.length === drawn.values.length
  return (
    <DataCurve
      // The geometry is made for a number of points.
      key={`${abscissas.length} ${hasErrors}`}
      abscissas={abscissas}
      ordinates={drawn.values}
      {...(hasErrors && errors?.points && { errors: errors.points.values })}
      color={colour}
      // A line through one point would be nothing.
      curveType={abscissas.length === 1 ? CurveType.GlyphsOnly : type}
      visible={isVisible}
    />
  )
}

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
