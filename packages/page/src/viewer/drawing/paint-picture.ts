// Paints a picture: each of its points is a rectangle, without smoothing. Only the points in sight are painted, so that
// a picture may be a million times as large as the screen.

import type { PixelAxes } from './frame.ts'
import type { PictureLayer, Place } from './scene.ts'
import type { ImageOf, Surface } from './surface.ts'

/** The points in sight along one axis, and the pixels that they have. */
export interface Strip {
  readonly first: number
  readonly count: number
  readonly from: number
  readonly to: number
}

/** The points between two pixels, of `count` between the pixels `from` and `to`; undefined: none is. */
export function stripBetween(
  from: number,
  to: number,
  count: number,
  [start, end]: readonly [start: number, end: number],
): Strip | undefined {
  const step = (to - from) / count
  const places = [(start - from) / step, (end - from) / step]
  const first = Math.max(0, Math.floor(Math.min(...places)))
  const last = Math.min(count, Math.ceil(Math.max(...places)))
  if (!(last > first)) return undefined
  return { first, count: last - first, from: from + first * step, to: from + last * step }
}

export function paintPicture(
  surface: Surface,
  layer: PictureLayer,
  axes: PixelAxes,
  { width, height }: Place,
  imageOf: ImageOf,
): void {
  const across = strip(layer.x.map(axes.x.toPixel), layer.columns, width)
  const down = strip(layer.y.map(axes.y.toPixel), layer.rows, height)
  if (across === undefined || down === undefined) return
  const [left, top] = [Math.min(across.from, across.to), Math.min(down.from, down.to)]
  const [lengthX, lengthY] = [Math.abs(across.to - across.from), Math.abs(down.to - down.from)]
  surface.save()
  surface.imageSmoothingEnabled = false
  surface.translate(left + lengthX / 2, top + lengthY / 2)
  surface.scale(across.to < across.from ? -1 : 1, down.to < down.from ? -1 : 1)
  const { first: x, count: columns } = across
  const { first: y, count: rows } = down
  surface.drawImage(imageOf(layer), x, y, columns, rows, -lengthX / 2, -lengthY / 2, lengthX, lengthY)
  surface.restore()
}

function strip([from, to]: readonly number[], count: number, length: number): Strip | undefined {
  if (from === undefined || to === undefined || !Number.isFinite(to - from)) return undefined
  return stripBetween(from, to, count, [0, length])
}
