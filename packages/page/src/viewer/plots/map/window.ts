// The part of the plane of a map that cells lie in, and the cells that lie in a part of it.

import type { Extent } from '../../data/blocks.ts'
import type { Corners } from '../../meaning/places/corners.ts'
import type { Span } from '../../view-address.ts'
import type { Projection } from './projection.ts'

/** A part of the plane of a map. */
export interface MapWindow {
  readonly x: Span
  readonly y: Span
}

/** Around the cells, as a part of their width. */
const MARGIN = 0.03
/** Cells that leave less free than so many degrees of longitude go around the earth. */
const LEAST_GAP = 15

/** The part that all cells lie in; all of the map, if they have no place. */
export function windowOf({ columns, longitudes, latitudes }: Corners, projection: Projection): MapWindow {
  const { toX, toY, period } = projection
  const xs = longitudes.map((longitude, i) => toX(longitude, latitudes[i] ?? Number.NaN))
  const ys = latitudes.map((latitude, i) => toY(longitudes[i] ?? Number.NaN, latitude))
  const y = spanOf(ys)
  const x = period === undefined ? spanOf(xs) : spanAround(xs, columns + 1, period)
  if (!(x[0] <= x[1] && y[0] <= y[1])) return { x: projection.x, y: projection.y }
  return { x: widened(x, period === undefined ? projection.x : undefined), y: widened(y, projection.y) }
}

/** The first is greater than the second, if no value is a number. */
function spanOf(values: Float64Array): Span {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return [least, most]
}

/** Parts of a circle that are looked at for a gap. */
const BINS = 360

/** The shortest span of a circle that has all cells, by their corners: what is left is the widest gap between them. */
function spanAround(corners: Float64Array, across: number, period: number): Span {
  const turned = (value: number, from: number) => value - period * Math.floor((value - from) / period)
  const half = period / 2
  const bins = new Uint8Array(BINS)
  const bin = (value: number) => Math.floor(turned(value, 0) * (BINS / period)) % BINS
  /** What is between two corners of a cell is a part of it. */
  const mark = (from: number, to: number) => {
    const width = turned(to - from, -half)
    const first = bin(Math.min(from, from + width))
    const count = Math.ceil(Math.abs(width) * (BINS / period))
    for (let i = 0; i <= count; i++) bins[(first + i) % BINS] = 1
  }
  for (const [i, value] of corners.entries()) {
    if (!Number.isFinite(value)) continue
    const [right = Number.NaN, below = Number.NaN] = [corners[i + 1], corners[i + across]]
    if ((i + 1) % across > 0 && Number.isFinite(right)) mark(value, right)
    if (Number.isFinite(below)) mark(value, below)
  }
  const full = bins.findIndex(Boolean)
  if (full < 0) return spanOf(corners)
  let [begin, widest, last] = [full, 0, full]
  for (let i = full + 1; i <= full + BINS; i++) {
    if (!bins[i % BINS]) continue
    if (i - last > widest) [begin, widest] = [i, i - last]
    last = i
  }
  if (widest * (period / BINS) < LEAST_GAP) return [-half, half]
  const from = turned((begin % BINS) * (period / BINS), -half)
  return spanOf(corners.map(value => turned(value, from)))
}

function widened([from, to]: Span, within: Span | undefined): Span {
  const [least, most] = within ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  // One cell has a width, too.
  const margin = to - from < 360 ? Math.max(MARGIN * (to - from), 1e-3) : 0
  return [Math.max(least, from - margin), Math.min(most, to + margin)]
}

/** The elements of a picture whose cells are in a window, by their positions; undefined: there are none. */
export function elementsIn(
  corners: Corners,
  projection: Projection,
  window: MapWindow,
  picture: { readonly y: Extent; readonly x: Extent },
): { readonly y: Span; readonly x: Span } | undefined {
  const { rows, columns, longitudes, latitudes } = corners
  const isIn = isInWindow(projection, window)
  let [top, bottom, left, right] = [rows, -1, columns, -1]
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const at = row * (columns + 1) + column
      if (!isIn(longitudes[at] ?? Number.NaN, latitudes[at] ?? Number.NaN)) continue
      top = Math.min(top, row)
      bottom = Math.max(bottom, row)
      left = Math.min(left, column)
      right = Math.max(right, column)
    }
  }
  if (bottom < 0) return undefined
  // A corner belongs to the cells on both sides.
  const span = ({ start, stop, block }: Extent, from: number, to: number): Span => [
    Math.max(start, start + (from - 1) * block),
    Math.min(stop, start + (to + 1) * block),
  ]
  return { y: span(picture.y, top, bottom), x: span(picture.x, left, right) }
}

function isInWindow({ toX, toY, period }: Projection, { x, y }: MapWindow) {
  return (longitude: number, latitude: number) => {
    const [atX, atY] = [toX(longitude, latitude), toY(longitude, latitude)]
    if (!(atY >= y[0] && atY <= y[1])) return false
    if (period === undefined) return atX >= x[0] && atX <= x[1]
    return atX + period * Math.ceil((x[0] - atX) / period) <= x[1]
  }
}
