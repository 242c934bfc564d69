// A curve of a line plot on the canvas, and the numbers of all curves at the pointer.

import { CurveType, DataCurve } from '@h5web/lib'
import type { ValueMeaning } from '@hyperslab/meaning/meaning'
import { useMemo } from 'react'
import type { PlotAxis } from '../data/axis.ts'
import { type CurvePoints, type LoadedCurve, withSurroundings } from '../data/curves.ts'
import type { DrawnCurve } from './models/curves.ts'
import { formatValue } from './models/numbers.ts'

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
  const [first] = loaded
  const block = first?.points?.extent.block ?? 1
  const index = Math.min(
    Math.max(block === 1 ? Math.round(position) : Math.floor(position), 0),
    axis.length - 1,
  )
  const coordinate = axis.toCoordinate(index)
  return (
    <>
      {axis.label ?? 'x'} = {axis.format?.(coordinate) ?? formatValue(coordinate)}
      {curves.map(({ label, meaning }, i) =>
        hidden.has(label) ? null : (
          <div key={label}>
            {curves.length > 1 ? `${label} = ` : ''}
            <strong>{textAt(loaded[i]?.points, index, meaning)}</strong>
          </div>
        ),
      )}
    </>
  )
}

/** The element, or the extremes of its block. */
function textAt(points: CurvePoints | undefined, index: number, meaning: ValueMeaning): string {
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
