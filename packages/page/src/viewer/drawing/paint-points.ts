// Paints points with colours of their own, by pixels: a million of them are there in a moment.

import type { PixelAxes } from './frame.ts'
import type { Place, PointsLayer } from './scene.ts'
import type { ImageOf, Surface } from './surface.ts'

export function paintColouredPoints(
  surface: Surface,
  layer: PointsLayer,
  axes: PixelAxes,
  { width, height }: Place,
  { ratio, imageOf }: { readonly ratio: number; readonly imageOf: ImageOf },
): void {
  const [columns, rows] = [Math.ceil(width * ratio), Math.ceil(height * ratio)]
  const colours = pixelsOfPoints(layer, axes, { columns, rows, ratio })
  const image = imageOf({ columns, rows, colours })
  surface.drawImage(image, 0, 0, columns, rows, 0, 0, columns / ratio, rows / ratio)
}

export interface Raster {
  readonly columns: number
  readonly rows: number
  /** Pixels of the raster for one of the axes. */
  readonly ratio: number
}

/** The pixels of discs around the points; later ones are above. */
export function pixelsOfPoints(
  { x, y, colours, size }: PointsLayer,
  axes: PixelAxes,
  { columns, rows, ratio }: Raster,
): Uint8ClampedArray<ArrayBuffer> {
  const bytes = new Uint8ClampedArray(4 * columns * rows)
  const pixels = new Uint32Array(bytes.buffer)
  const disc = discOf(Math.max(1, Math.round(size * ratio)))
  const half = (size * ratio) / 2
  for (let i = 0; i < x.length; i++) {
    const left = Math.round(axes.x.toPixel(x[i] ?? Number.NaN) * ratio - half)
    const top = Math.round(axes.y.toPixel(y[i] ?? Number.NaN) * ratio - half)
    const colour = colours[i] ?? 0
    // NaN is neither. A number without a colour is no point.
    if (colour === 0 || !(left > -disc.size && left < columns && top > -disc.size && top < rows)) continue
    const [first, last] = [Math.max(0, -top), Math.min(disc.size, rows - top)]
    for (let row = first; row < last; row++) {
      const start = (top + row) * columns
      const end = start + Math.min(columns, left + (disc.to[row] ?? 0))
      for (let at = start + Math.max(0, left + (disc.from[row] ?? 0)); at < end; at++) pixels[at] = colour
    }
  }
  return bytes
}

/** The first pixel and the end of each row of a disc. */
function discOf(size: number) {
  const middle = size / 2
  const halves = Float64Array.from({ length: size }, (_, row) =>
    Math.sqrt(Math.max(0, middle ** 2 - (row + 0.5 - middle) ** 2)),
  )
  return {
    size,
    from: Int32Array.from(halves, half => Math.round(middle - half)),
    to: Int32Array.from(halves, half => Math.round(middle + half)),
  }
}
