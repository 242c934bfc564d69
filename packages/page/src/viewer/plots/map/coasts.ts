// The coasts of the earth, from Natural Earth at 1:50 million, as lines on the plane of a map.

import { mesh } from 'topojson-client'
import land from 'world-atlas/land-50m.json'
import type { Projection } from './projection.ts'

/** Points of lines in the plane. NaN: a line ends. */
export interface Lines {
  readonly xs: Float64Array
  readonly ys: Float64Array
}

type Place = readonly [longitude: number, latitude: number]

// The package has no types.
const topology = land as unknown as Parameters<typeof mesh>[0]

/** South of it there is only the edge at the pole that the land of a flat map ends with. */
const SOUTHMOST = -89

export function coastsOn(projection: Projection): Lines {
  const coordinates = mesh(topology).coordinates as unknown as readonly Place[][]
  return linesOn(projection, coordinates, ([, latitude]) => latitude > SOUTHMOST)
}

/** Degrees between two points of a line that is drawn straight. */
const STEP = 2

/** Meridians and parallels, each so many degrees. */
export function graticuleOn(projection: Projection, degrees: number): Lines {
  const lines: Place[][] = []
  const steps = (from: number, to: number, step: number) =>
    Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step)
  for (const longitude of steps(-180, 180 - degrees, degrees))
    lines.push(steps(-90, 90, STEP).map(latitude => [longitude, latitude]))
  for (const latitude of steps(-90 + degrees, 90 - degrees, degrees))
    lines.push(steps(-180, 180, STEP).map(longitude => [longitude, latitude]))
  return linesOn(projection, lines)
}

/** A line across the place where a map begins again is two lines, and what is not on the map is left out. */
function linesOn(
  projection: Projection,
  lines: readonly (readonly Place[])[],
  isDrawn: (place: Place) => boolean = () => true,
): Lines {
  const [xs, ys]: [number[], number[]] = [[], []]
  for (const line of lines) {
    for (const place of line) {
      const [longitude, latitude] = place
      const x = isDrawn(place) ? projection.toX(longitude, latitude) : Number.NaN
      const last = xs.at(-1) ?? Number.NaN
      if (projection.period !== undefined && Math.abs(x - last) > projection.period / 2) {
        xs.push(Number.NaN)
        ys.push(Number.NaN)
      }
      xs.push(x)
      ys.push(projection.toY(longitude, latitude))
    }
    xs.push(Number.NaN)
    ys.push(Number.NaN)
  }
  return { xs: Float64Array.from(xs), ys: Float64Array.from(ys) }
}
