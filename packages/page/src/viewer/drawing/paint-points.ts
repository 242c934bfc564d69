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
    if (colour === 0 || !(left > -disc.length && left < columns && top > -disc.length && top < rows)) continue
    for (const [row, [from, to]] of disc.entries()) {
      const line = top + row
      if (line < 0 || line >= rows) continue
      const start = line * columns
      pixels.fill(colour, start + Math.max(0, left + from), start + Math.min(columns, left + to))
    }
  }
  return bytes
}

/** The first pixel and the end of each row of a disc. */
function discOf(size: number): readonly (readonly [from: number, to: number])[] {
  const middle = size / 2
  return Array.from({ length: size }, (_, row) => {
    const half = Math.sqrt(Math.max(0, middle ** 2 - (row + 0.5 - middle) ** 2))
    return [Math.round(middle - half), Math.round(middle + half)] as const
  })
}
