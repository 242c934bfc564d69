// Projections of the earth onto the plane of a map. Places are in degrees: longitudes to the east, latitudes to the
// north. The plane is in degrees, too: of longitude and latitude, or of the distance from a pole.

export type ProjectionName = 'plane' | 'north' | 'south'

export interface Projection {
  /** The least and the greatest x and y of all of the map. */
  readonly x: readonly [number, number]
  readonly y: readonly [number, number]
  /** The x after which the map begins again; undefined: it does not. */
  readonly period: number | undefined
  /** NaN for places that are not on the map. */
  readonly toX: (longitude: number, latitude: number) => number
  readonly toY: (longitude: number, latitude: number) => number
  readonly toLongitude: (x: number, y: number) => number
  readonly toLatitude: (x: number, y: number) => number
}

const DEGREE = Math.PI / 180

/** Longitudes to the right and latitudes upwards, both as they are (plate carrée). */
const PLANE: Projection = {
  x: [-180, 180],
  y: [-90, 90],
  period: 360,
  toX: longitude => longitude,
  toY: (_, latitude) => latitude,
  toLongitude: x => x,
  toLatitude: (_, y) => y,
}

/** Half of the earth around a pole, with true distances from it. Greenwich is below the north pole, above the south. */
function polar(sign: 1 | -1): Projection {
  const distance = (latitude: number) => {
    const degrees = 90 - sign * latitude
    return degrees > 90 ? Number.NaN : degrees
  }
  return {
    x: [-90, 90],
    y: [-90, 90],
    period: undefined,
    toX: (longitude, latitude) => distance(latitude) * Math.sin(longitude * DEGREE),
    toY: (longitude, latitude) => -sign * distance(latitude) * Math.cos(longitude * DEGREE),
    toLongitude: (x, y) => Math.atan2(x, -sign * y) / DEGREE,
    toLatitude: (x, y) => sign * (90 - Math.hypot(x, y)),
  }
}

export const PROJECTIONS: Readonly<Record<ProjectionName, Projection>> = {
  plane: PLANE,
  north: polar(1),
  south: polar(-1),
}
