// The numbers along a line between two points of an image. Along an axis they are elements that are read; else they are
// those of the points that are drawn.

import type { PlotAxis } from '../../data/axis.ts'
import type { BlockSelection, Extent } from '../../data/blocks.ts'
import { doublePoints, singlePoints } from '../../data/curves.ts'
import type { Image } from '../../data/image.ts'
import type { DimensionUse, Ends } from '../../view-address.ts'
import type { ImageGeometry } from '../models/geometry.ts'
import { valuesAt } from '../models/image.ts'

export interface ProfileAxes {
  readonly x: PlotAxis
  readonly y: PlotAxis
}

/** Points of a profile in their order. Positions are counted in elements, and are those of middles. */
export interface Profile {
  /** The axis that it lies along; undefined: it is oblique. */
  readonly along: 'x' | 'y' | undefined
  readonly x: Float64Array
  readonly y: Float64Array
  /** Those of each channel. */
  readonly values: readonly Float64Array[]
  /** What a point is, in a sentence. */
  readonly text: string
}

/** Elements of one row or column. */
export interface StraightLine {
  readonly along: 'x' | 'y'
  /** The row, or the column. */
  readonly index: number
  readonly extent: Extent
}

/** Elements that are read as they are: more of them are the extremes of blocks. @limit memory, elements */
const MAX_ELEMENTS = 2 ** 16

/** The elements of a line along an axis; undefined: it is oblique. */
export function straightLine([x0, y0, x1, y1]: Ends, { x, y }: ImageGeometry): StraightLine | undefined {
  const element = ({ toPosition, length }: ImageGeometry['x'], coordinate: number) =>
    Math.min(length - 1, Math.max(0, Math.floor(toPosition(coordinate))))
  const columns = [element(x, x0), element(x, x1)] as const
  const rows = [element(y, y0), element(y, y1)] as const
  if (rows[0] === rows[1]) return { along: 'x', index: rows[0], extent: extentBetween(columns) }
  if (columns[0] === columns[1]) return { along: 'y', index: columns[0], extent: extentBetween(rows) }
  return undefined
}

function extentBetween(ends: readonly [number, number]): Extent {
  const [start, stop] = [Math.min(...ends), Math.max(...ends) + 1]
  const block = 2 ** Math.max(0, Math.ceil(Math.log2((stop - start) / MAX_ELEMENTS)))
  return { start: Math.floor(start / block) * block, stop, block }
}

/** The elements of the line in a slice of an image. */
export function selectionOfLine(
  { along, index, extent }: StraightLine,
  uses: readonly DimensionUse[],
): BlockSelection {
  return uses.map(use => (typeof use === 'number' ? use : use === along ? extent : index))
}

/** The profile of the numbers of each channel. `hasExtremes`: those of blocks were read, not their first elements. */
export function straightProfile(
  { along, index, extent }: StraightLine,
  channels: readonly Float64Array[],
  hasExtremes: boolean,
): Profile {
  const isReduced = extent.block > 1
  const pointsOf = isReduced && hasExtremes ? doublePoints : singlePoints
  const read = channels.map(numbers => pointsOf(extent, numbers))
  const places = read[0]?.positions.map(position => position + 0.5) ?? new Float64Array()
  const others = places.map(() => index + 0.5)
  const [x, y] = along === 'x' ? [places, others] : [others, places]
  const block = extent.block.toLocaleString('en')
  const text = !isReduced
    ? 'All elements of the line, as they are stored.'
    : `${hasExtremes ? 'The least and the greatest' : 'The first'} of each ${block} elements.`
  return { along, x, y, values: read.map(({ values }) => values), text }
}

/** The profile of what is drawn: one number for each point that the line goes through. */
export function obliqueProfile(
  [x0, y0, x1, y1]: Ends,
  geometry: ImageGeometry,
  { picture, overview }: Pick<Image, 'picture' | 'overview'>,
  channels = 1,
): Profile | undefined {
  const finest = picture ?? overview
  if (finest === undefined) return undefined
  const [fromX, toX] = [geometry.x.toPosition(x0), geometry.x.toPosition(x1)]
  const [fromY, toY] = [geometry.y.toPosition(y0), geometry.y.toPosition(y1)]
  const { x: columns, y: rows } = finest
  const steps = Math.ceil(Math.max(Math.abs(toX - fromX) / columns.block, Math.abs(toY - fromY) / rows.block))
  const parts = Float64Array.from({ length: steps + 1 }, (_, i) => (steps === 0 ? 0 : i / steps))
  const x = parts.map(part => fromX + part * (toX - fromX))
  const y = parts.map(part => fromY + part * (toY - fromY))
  const valueAt = (i: number) => {
    const [row, column] = [y[i] ?? Number.NaN, x[i] ?? Number.NaN].map(Math.floor) as [number, number]
    const found = [picture, overview].map(one => one && valuesAt(one, row, column))
    return found.find(values => values !== undefined)
  }
  const points = Array.from(parts, (_, i) => valueAt(i))
  const values = Array.from({ length: channels }, (_, channel) =>
    Float64Array.from(points, numbers => numbers?.[channel] ?? Number.NaN),
  )
  const isOfElements = columns.block === 1 && rows.block === 1
  const block = `${rows.block.toLocaleString('en')} × ${columns.block.toLocaleString('en')}`
  const text = isOfElements
    ? 'The nearest element at each step along the line.'
    : `The line is oblique: its points are those that are drawn, of ${block} elements each. Zoom in for more.`
  return { along: undefined, x, y, values, text }
}

/** The axis of the small drawing: coordinates along an axis of the image, or the distance from the first point. */
export interface ProfileScale {
  readonly label: string
  readonly places: Float64Array
  readonly format: ((value: number) => string) | undefined
  readonly isIndex: boolean
}

/** `units`: those of both axes, if they are the same; undefined: distances in coordinates mean nothing. */
export function profileScale(
  { along, x, y }: Profile,
  axes: ProfileAxes,
  units: { readonly common: string | undefined } | undefined,
): ProfileScale {
  if (along !== undefined) {
    const axis = axes[along]
    const places = coordinatesOf(along === 'x' ? x : y, axis)
    return { label: axis.label ?? along, places, format: axis.format, isIndex: axis.isIndex }
  }
  const [inX, inY] = units ? [x.map(axes.x.toCoordinate), y.map(axes.y.toCoordinate)] : [x, y]
  const [firstX = 0, firstY = 0] = [inX[0], inY[0]]
  const places = inX.map((place, i) => Math.hypot(place - firstX, (inY[i] ?? Number.NaN) - firstY))
  const name = units ? units.common : 'elements'
  return { label: name ? `Distance (${name})` : 'Distance', places, format: undefined, isIndex: false }
}

/** Coordinates of positions that are middles of elements: indexes are whole numbers. */
function coordinatesOf(positions: Float64Array, { isIndex, toCoordinate }: PlotAxis): Float64Array {
  return positions.map(position => toCoordinate(isIndex ? Math.floor(position) : position))
}

/** The points with their coordinates, as CSV. */
export function profileRows(
  profile: Profile,
  axes: ProfileAxes,
  labels: readonly string[],
): readonly (readonly (string | number)[])[] {
  const [x, y] = [coordinatesOf(profile.x, axes.x), coordinatesOf(profile.y, axes.y)]
  const text = (value: number, { format }: PlotAxis) => format?.(value) || value
  const rows = Array.from(x, (_, i) => [
    text(x[i] ?? Number.NaN, axes.x),
    text(y[i] ?? Number.NaN, axes.y),
    ...profile.values.map(values => values[i] ?? Number.NaN),
  ])
  return [[axes.x.label ?? 'x', axes.y.label ?? 'y', ...labels], ...rows]
}
