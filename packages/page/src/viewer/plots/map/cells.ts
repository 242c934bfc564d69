// The cells of a grid on a map: in which of them each pixel lies.

import type { Corners } from '../../meaning/places/corners.ts'
import type { Projection } from './projection.ts'

/** Pixels of a part of the plane of a map, row by row, from the least y on. */
export interface Raster {
  readonly x: readonly [number, number]
  readonly y: readonly [number, number]
  readonly width: number
  readonly height: number
}

/** The number of the cell under the middle of each pixel, row by row; -1: there is none. */
export function cellsAt(corners: Corners, projection: Projection, raster: Raster): Int32Array {
  const { width, height } = raster
  const { rows, columns, longitudes, latitudes } = corners
  const found = new Int32Array(width * height).fill(-1)
  const toColumn = width / (raster.x[1] - raster.x[0])
  const toRow = height / (raster.y[1] - raster.y[0])
  // In pixels, whose middles are whole numbers.
  const at = (i: number) => [longitudes[i] ?? Number.NaN, latitudes[i] ?? Number.NaN] as const
  const xs = longitudes.map((_, i) => (projection.toX(...at(i)) - raster.x[0]) * toColumn - 0.5)
  const ys = latitudes.map((_, i) => (projection.toY(...at(i)) - raster.y[0]) * toRow - 0.5)
  const turn = projection.period === undefined ? undefined : projection.period * toColumn
  const [px, py] = [new Float64Array(4), new Float64Array(4)]
  const fill = (cell: number) => fillQuad(px, py, raster, (pixel: number) => (found[pixel] = cell))
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const cell = row * columns + column
      if (!corners.hasPlace(cell)) continue
      const first = row * (columns + 1) + column
      const below = first + columns + 1
      // Around the cell.
      px[0] = xs[first] ?? Number.NaN
      px[1] = xs[first + 1] ?? Number.NaN
      px[2] = xs[below + 1] ?? Number.NaN
      px[3] = xs[below] ?? Number.NaN
      py[0] = ys[first] ?? Number.NaN
      py[1] = ys[first + 1] ?? Number.NaN
      py[2] = ys[below + 1] ?? Number.NaN
      py[3] = ys[below] ?? Number.NaN
      if (turn === undefined) fill(cell)
      else eachTurn(px, turn, width, () => fill(cell))
    }
  }
  return found
}

/** Calls `draw` while the corners are at each place that a cell has on a map that begins again after `turn` pixels. */
function eachTurn(px: Float64Array, turn: number, width: number, draw: () => void): void {
  const begin = least(px)
  // A cell that is wider than half the earth goes on behind the antimeridian.
  for (let i = 0; i < 4; i++) if ((px[i] ?? 0) - begin > turn / 2) px[i] = (px[i] ?? 0) - turn
  const [from, to] = [least(px), greatest(px)]
  // One around a pole is no part of such a map.
  if (!(to - from <= turn / 2)) return
  const [first, last] = [Math.ceil(-to / turn), Math.floor((width - 1 - from) / turn)]
  for (let i = 0; i < 4; i++) px[i] = (px[i] ?? 0) + (first - 1) * turn
  for (let count = first; count <= last; count++) {
    for (let i = 0; i < 4; i++) px[i] = (px[i] ?? 0) + turn
    draw()
  }
}

/** Puts each pixel whose middle is in the convex polygon, or on its edge. One with a NaN has no pixels. */
function fillQuad(
  px: Float64Array,
  py: Float64Array,
  { width, height }: Raster,
  put: (pixel: number) => void,
): void {
  const left = Math.max(0, Math.ceil(least(px)))
  const right = Math.min(width - 1, Math.floor(greatest(px)))
  const low = Math.max(0, Math.ceil(least(py)))
  const high = Math.min(height - 1, Math.floor(greatest(py)))
  for (let row = low; row <= high; row++)
    for (let column = left; column <= right; column++)
      if (isInside(px, py, column, row)) put(row * width + column)
}

function isInside(px: Float64Array, py: Float64Array, x: number, y: number): boolean {
  let [isLeft, isRight] = [true, true]
  for (let i = 0; i < 4; i++) {
    const j = (i + 1) % 4
    const [ax = 0, ay = 0] = [px[i], py[i]]
    const side = ((px[j] ?? 0) - ax) * (y - ay) - ((py[j] ?? 0) - ay) * (x - ax)
    if (side < 0) isLeft = false
    if (side > 0) isRight = false
  }
  return isLeft || isRight
}

function least([a = 0, b = 0, c = 0, d = 0]: ArrayLike<number> & Iterable<number>): number {
  return Math.min(a, b, c, d)
}

function greatest([a = 0, b = 0, c = 0, d = 0]: ArrayLike<number> & Iterable<number>): number {
  return Math.max(a, b, c, d)
}
