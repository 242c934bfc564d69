// The axes of an image: where on the canvas its elements are.

import type { PlotAxis } from '../../data/axis.ts'
import type { Picture } from '../../data/image.ts'
import type { Sight, Zoom } from '../../data/sight.ts'
import type { Domain } from '../../drawing/scales.ts'
import type { SceneAxis } from '../../drawing/scene.ts'
import type { DimensionUse, Span, View } from '../../view-address.ts'
import type { Setting } from '../tools/tools.ts'
import { formatValue } from './numbers.ts'

interface Geometry {
  readonly length: number
  readonly config: {
    readonly domain: Domain
    readonly label: string | undefined
    readonly isIndex?: boolean
    readonly format: ((value: number) => string) | undefined
  }
  readonly toCoordinate: (position: number) => number
  readonly toPosition: (coordinate: number) => number
}

export interface ImageGeometry {
  readonly x: Geometry
  readonly y: Geometry
}

/**
 * The axis of an image: by coordinates if they are uniform. Otherwise the middles of elements are whole numbers, with
 * their coordinates as ticks: between and around them nothing is known.
 */
export function geometryOf(axis: PlotAxis): Geometry {
  const { length, label, isUniform, isIndex, format } = axis
  if (!isUniform) {
    const isElement = (place: number) => Number.isInteger(place) && place >= 0 && place < length
    const text = (place: number) =>
      isElement(place) ? (format ?? formatValue)(axis.toCoordinate(place + 0.5)) : ''
    return {
      length,
      config: { domain: [-0.5, length - 0.5], label, isIndex: true, format: text },
      toCoordinate: position => position - 0.5,
      toPosition: place => place + 0.5,
    }
  }
  const ends = [axis.toCoordinate(0), axis.toCoordinate(length)] as const
  return {
    length,
    config: {
      domain: [Math.min(...ends), Math.max(...ends)],
      label,
      isIndex,
      format,
    },
    toCoordinate: axis.toCoordinate,
    toPosition: axis.toPosition,
  }
}

/** The axis on the canvas. */
export function imageAxis(
  geometry: ImageGeometry,
  axis: 'x' | 'y',
  { flip, hasGrid }: AxisSettings,
): SceneAxis {
  return { ...geometry[axis].config, isFlipped: flip.value.includes(axis), hasGrid: hasGrid.value }
}

/** The place of a picture on the axes. The last blocks may be cut. */
export function placeOfPicture({ x, y, columns, rows }: Picture, geometry: ImageGeometry) {
  const ends = (axis: 'x' | 'y', start: number, length: number): Span =>
    [start, start + length].map(geometry[axis].toCoordinate) as [number, number]
  return { x: ends('x', x.start, columns * x.block), y: ends('y', y.start, rows * y.block) }
}

interface AxisSettings {
  readonly flip: Setting<NonNullable<View['flip']>>
  readonly hasGrid: Setting<boolean>
}

/** The positions of the elements in sight. */
export function positionsIn(sight: Sight, { x, y }: ImageGeometry) {
  const span = ([from, to]: Span, axis: Geometry): Span => [axis.toPosition(from), axis.toPosition(to)]
  return { x: span(sight.x, x), y: span(sight.y, y) }
}

/** The part that has the last elements of the first dimension, if that is drawn. */
export function lastOf(
  { x, y }: ImageGeometry,
  use: DimensionUse | undefined,
  last: number | undefined,
): Zoom | undefined {
  if (last === undefined || (use !== 'x' && use !== 'y')) return undefined
  const { length, toCoordinate } = use === 'x' ? x : y
  if (last >= length) return undefined
  const span: Span = [toCoordinate(length - last), toCoordinate(length)]
  return use === 'x' ? { x: span, y: y.config.domain } : { x: x.config.domain, y: span }
}

/** Whether the least coordinate is at the top: that of a pressure or a depth. Others are drawn upwards. */
export function isTopDown({ isUp, isUniform, growsDown, toCoordinate, length }: PlotAxis): boolean {
  // Uniform coordinates are drawn from the least to the greatest, others in the order of the elements.
  if (isUniform) return growsDown
  return isUp && toCoordinate(length) > toCoordinate(0) === growsDown
}

/** An image of 3 x 50,000 elements would be a line of less than a point, if they were squares. */
export function isNarrow(shape: readonly number[], uses: readonly DimensionUse[]): boolean {
  const [rows = 0, columns = 0] = [shape[uses.indexOf('y')], shape[uses.indexOf('x')]]
  return Math.max(rows, columns) > 8 * Math.min(rows, columns)
}
