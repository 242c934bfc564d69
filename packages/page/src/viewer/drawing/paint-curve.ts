// Paints a curve: one line through its points with gaps where a number has no place, points, and bars of errors.

import type { PixelAxes } from './frame.ts'
import type { CurveLayer, Place } from './scene.ts'
import type { Surface } from './surface.ts'

const POINT_SIZE = 7
const CAP_WIDTH = 9
/** Pixels around the place within which lines are painted whole: farther ones are cut, surfaces count with 24 bits. */
const AROUND = 1000

export function paintCurve(surface: Surface, layer: CurveLayer, axes: PixelAxes, place: Place): void {
  const { x, y, errors, colour, width = 1, hasLine, hasPoints } = layer
  const points = { x: x.map(axes.x.toPixel), y: y.map(axes.y.toPixel) }
  surface.strokeStyle = colour
  surface.fillStyle = colour
  surface.lineWidth = width
  surface.lineJoin = 'round'
  if (hasLine) {
    surface.beginPath()
    tracePath(surface, points, place)
    surface.stroke()
  }
  if (hasPoints) paintPoints(surface, points, place)
  if (errors) paintErrors(surface, { points, numbers: y, errors, toPixel: axes.y.toPixel }, place)
}

interface PixelPoints {
  readonly x: Float64Array
  readonly y: Float64Array
}

/** The path through the points, as far as it is near the place. */
export function tracePath(
  surface: Pick<Surface, 'moveTo' | 'lineTo'>,
  { x, y }: PixelPoints,
  { width, height }: Pick<Place, 'width' | 'height'>,
): void {
  let isOpen = false
  for (let i = 1; i < x.length; i++) {
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [x[i - 1], y[i - 1], x[i], y[i]]
    const part = partWithin([x0, y0, x1, y1], width, height)
    if (part === undefined) {
      isOpen = false
      continue
    }
    if (!isOpen || part[0] !== x0 || part[1] !== y0) surface.moveTo(part[0], part[1])
    surface.lineTo(part[2], part[3])
    isOpen = part[2] === x1 && part[3] === y1
  }
}

type Segment = readonly [x0: number, y0: number, x1: number, y1: number]

/** The part of a line that is near the place; undefined: none is, or an end has no place. */
function partWithin([x0, y0, x1, y1]: Segment, width: number, height: number): Segment | undefined {
  let [first, last] = [0, 1]
  const cut = (from: number, to: number, most: number) => {
    const length = to - from
    const [low, high] = [(-AROUND - from) / length, (most + AROUND - from) / length]
    if (length === 0) return from >= -AROUND && from <= most + AROUND
    first = Math.max(first, Math.min(low, high))
    last = Math.min(last, Math.max(low, high))
    return first <= last
  }
  if (!cut(x0, x1, width) || !cut(y0, y1, height)) return undefined
  const at = (from: number, to: number, part: number) =>
    part === 0 ? from : part === 1 ? to : from + part * (to - from)
  return [at(x0, x1, first), at(y0, y1, first), at(x0, x1, last), at(y0, y1, last)]
}

function paintPoints(surface: Surface, { x, y }: PixelPoints, { width, height }: Place): void {
  const radius = POINT_SIZE / 2
  surface.beginPath()
  for (let i = 0; i < x.length; i++) {
    const [left = Number.NaN, top = Number.NaN] = [x[i], y[i]]
    if (!isNear(left, width, radius) || !isNear(top, height, radius)) continue
    surface.moveTo(left + radius, top)
    surface.arc(left, top, radius, 0, 2 * Math.PI)
  }
  surface.fill()
}

/** NaN is nowhere. */
function isNear(pixel: number, most: number, reach: number): boolean {
  return pixel >= -reach && pixel <= most + reach
}

interface Errors {
  readonly points: PixelPoints
  readonly numbers: Float64Array
  readonly errors: Float64Array
  readonly toPixel: (value: number) => number
}

/** A bar from the number to both ends that have a place, with a cap at each. */
function paintErrors(
  surface: Surface,
  { points, numbers, errors, toPixel }: Errors,
  { width, height }: Place,
): void {
  surface.beginPath()
  for (let i = 0; i < numbers.length; i++) {
    const [left = Number.NaN, top = Number.NaN] = [points.x[i], points.y[i]]
    const [number = Number.NaN, error = Number.NaN] = [numbers[i], errors[i]]
    if (!isNear(left, width, CAP_WIDTH) || !Number.isFinite(top)) continue
    const ends = [toPixel(number - error), toPixel(number + error)] as const
    const [from, to] = ends.map(end =>
      Math.min(height + AROUND, Math.max(-AROUND, Number.isFinite(end) ? end : top)),
    )
    if (from === undefined || to === undefined || !Number.isFinite(error)) continue
    surface.moveTo(left, from)
    surface.lineTo(left, to)
    for (const end of ends.filter(Number.isFinite)) {
      if (!isNear(end, height, 1)) continue
      surface.moveTo(left - CAP_WIDTH / 2, end)
      surface.lineTo(left + CAP_WIDTH / 2, end)
    }
  }
  surface.stroke()
}
