// The numbers along a straight line on a map: those of the cells that are drawn, with the way on the earth.

import type { Ends } from '../../view-address.ts'
import { type MapPicture, numbersAt } from './model.ts'
import type { Projection } from './projection.ts'

export interface MapProfile {
  /** Kilometres from the first point, along the line. */
  readonly distances: Float64Array
  readonly latitudes: Float64Array
  readonly longitudes: Float64Array
  /** NaN where no cell is. */
  readonly values: Float64Array
}

/** Points of a profile: more than a screen has. @limit memory, points */
const MAX_POINTS = 4096

/** A point for each pixel that the line goes through. Undefined: nothing is drawn yet. */
export function mapProfile(
  [x0, y0, x1, y1]: Ends,
  pictures: readonly MapPicture[],
  { toLatitude, toLongitude }: Projection,
): MapProfile | undefined {
  const [finest] = pictures
  if (finest === undefined) return undefined
  const { x, y, width, height } = finest.raster
  const pixels = Math.max(
    (Math.abs(x1 - x0) / (x[1] - x[0])) * width,
    (Math.abs(y1 - y0) / (y[1] - y[0])) * height,
  )
  const steps = Math.min(MAX_POINTS - 1, Math.max(1, Math.ceil(pixels)))
  const along = Array.from({ length: steps + 1 }, (_, i) => {
    const part = i / steps
    return [x0 + part * (x1 - x0), y0 + part * (y1 - y0)] as const
  })
  const latitudes = Float64Array.from(along, at => toLatitude(...at))
  const longitudes = Float64Array.from(along, at => toLongitude(...at))
  let way = 0
  const distances = latitudes.map((_, i) => {
    if (i > 0) way += distanceOf(latitudes, longitudes, i)
    return way
  })
  const values = Float64Array.from(along, at => numbersAt(...at, pictures)?.[0] ?? Number.NaN)
  return { distances, latitudes, longitudes, values }
}

const DEGREE = Math.PI / 180
/** Kilometres. */
const EARTH = 6371

/** The distance on a sphere between a point and the one before. */
function distanceOf(latitudes: Float64Array, longitudes: Float64Array, i: number): number {
  const [from, to] = [latitudes[i - 1] ?? 0, latitudes[i] ?? 0].map(degrees => degrees * DEGREE) as [
    number,
    number,
  ]
  const east = ((longitudes[i] ?? 0) - (longitudes[i - 1] ?? 0)) * DEGREE
  const half = Math.sin((to - from) / 2) ** 2 + Math.cos(from) * Math.cos(to) * Math.sin(east / 2) ** 2
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(half)))
}
