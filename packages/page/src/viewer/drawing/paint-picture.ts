// Paints a picture: each of its points is a rectangle, without smoothing. Only the points in sight are painted, so that
// a picture may be a million times as large as the screen. Where points share pixels, the greatest may have to be seen.

import type { PixelAxes } from './frame.ts'
import type { PictureLayer, Place } from './scene.ts'
import type { ImageOf, Pixels, Surface } from './surface.ts'

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
  { ratio, imageOf }: { readonly ratio: number; readonly imageOf: ImageOf },
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
  const { numbers } = layer
  const columns = numbers ? sharedBy(across.count, lengthX * ratio) : across.count
  const rows = numbers ? sharedBy(down.count, lengthY * ratio) : down.count
  const isShared = columns < across.count || rows < down.count
  const shown = numbers && isShared ? greatestOf(layer, numbers, { across, down, columns, rows }) : layer
  const [x, y] = shown === layer ? [across.first, down.first] : [0, 0]
  surface.drawImage(imageOf(shown), x, y, columns, rows, -lengthX / 2, -lengthY / 2, lengthX, lengthY)
  surface.restore()
}

/** As many points as have a pixel each. */
function sharedBy(count: number, pixels: number): number {
  return Math.min(count, Math.max(1, Math.floor(pixels)))
}

interface Merge {
  readonly across: Strip
  readonly down: Strip
  readonly columns: number
  readonly rows: number
}

/** The latest pixels of colours: a picture is painted again for whatever changes beside it. */
const merged = new WeakMap<Pixels['colours'], { readonly text: string; readonly pixels: Pixels }>()

/** Fewer points: of those that become one, the colour of the greatest number. */
function greatestOf(layer: PictureLayer, numbers: Float64Array, merge: Merge): Pixels {
  const text = JSON.stringify(merge)
  const known = merged.get(layer.colours)
  if (known?.text === text) return known.pixels
  const { across, down, columns, rows } = merge
  const [from, to] = [new Uint32Array(layer.colours.buffer), new Uint32Array(columns * rows)]
  const greatest = new Float64Array(columns * rows).fill(Number.NaN)
  for (let i = 0; i < down.count; i++) {
    const row = columns * Math.floor((i * rows) / down.count)
    const start = (down.first + i) * layer.columns + across.first
    for (let j = 0; j < across.count; j++) {
      const place = row + Math.floor((j * columns) / across.count)
      const number = numbers[start + j] ?? Number.NaN
      // Without a number yet, a point has the place.
      if (number <= (greatest[place] ?? 0)) continue
      if (Number.isNaN(number) && to[place] !== 0) continue
      to[place] = from[start + j] ?? 0
      greatest[place] = number
    }
  }
  const pixels = { columns, rows, colours: new Uint8ClampedArray(to.buffer) }
  merged.set(layer.colours, { text, pixels })
  return pixels
}

function strip([from, to]: readonly number[], count: number, length: number): Strip | undefined {
  if (from === undefined || to === undefined || !Number.isFinite(to - from)) return undefined
  return stripBetween(from, to, count, [0, length])
}
