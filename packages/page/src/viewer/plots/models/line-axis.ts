// The axis of a line: its ends on the canvas, the end that is followed, and the positions of what is in sight.

import { type AxisScaleType, getAxisDomain } from '@h5web/lib'
import type { AxisScale } from '@hyperslab/meaning/meaning'
import type { PlotAxis } from '../../data/axis.ts'
import type { Span, View } from '../../view-address.ts'

/** The ends of the axis on the canvas. */
export function xDomainOf({ length, toCoordinate }: PlotAxis, scale: AxisScale): [number, number] {
  const ends = [toCoordinate(0), toCoordinate(Math.max(length - 1, 0))]
  // A scale of logarithms begins at the first coordinate that it has a place for.
  const values =
    scale === 'log' && Math.min(...ends) <= 0 ? [toCoordinate(1), ...ends].filter(end => end > 0) : ends
  return getAxisDomain(values, { scaleType: scale as AxisScaleType, extensionFactor: 0.01 }) ?? [0, 1]
}

/**
 * The part of the axis that the canvas has. Graphics cards count with 24 bits: of 50 million points they cannot draw
 * twenty, unless the others are not there.
 */
export function domainAround(zoom: Span | undefined, whole: [number, number]): [number, number] {
  if (zoom === undefined) return whole
  const length = 2 ** Math.ceil(Math.log2(MOST_ZOOM * Math.abs(zoom[1] - zoom[0])))
  if (length >= (whole[1] - whole[0]) / 2) return whole
  const middle = Math.round((zoom[0] + zoom[1]) / length) * (length / 2)
  return [Math.max(whole[0], middle - length / 2), Math.min(whole[1], middle + length / 2)]
}

/** The canvas has so many times the part in sight. */
const MOST_ZOOM = 1024

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
