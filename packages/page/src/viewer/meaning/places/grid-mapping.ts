// The plane that coordinates of a file are in, by the attributes of a grid mapping (CF appendix F), as proj4 reads it.

import { type Attributes, numbersOf, textOf } from '@hyperslab/meaning/meaning'
import proj4 from 'proj4'
import type { ToEarth } from './corners.ts'

type Read = (name: string, usual?: number) => number

/** Parameters of a projection after its name, from the numbers of the attributes. */
const FORMS: Readonly<Record<string, (read: Read, parallels: readonly number[]) => string>> = {
  albers_conical_equal_area: (read, p) => `aea ${conic(p)} ${meridian(read)} ${origin(read)}`,
  azimuthal_equidistant: read => `aeqd ${center(read)}`,
  geostationary: read => `geos +h=${read('perspective_point_height')} ${centralLongitude(read)}`,
  lambert_azimuthal_equal_area: read => `laea ${center(read)}`,
  lambert_conformal_conic: (read, p) => `lcc ${conic(p)} ${meridian(read)} ${origin(read)}`,
  mercator: (read, [parallel]) => `merc ${centralLongitude(read)} ${scaled(read, parallel)}`,
  orthographic: read => `ortho ${center(read)}`,
  polar_stereographic: (read, [parallel]) => {
    const longitude = read('straight_vertical_longitude_from_pole', read('longitude_of_projection_origin'))
    return `stere +lon_0=${longitude} ${origin(read)} ${scaled(read, parallel)}`
  },
  rotated_latitude_longitude: read =>
    `ob_tran +o_proj=longlat +lon_0=${read('grid_north_pole_longitude') + 180} +o_lon_p=${read(
      'north_pole_grid_longitude',
    )} +o_lat_p=${read('grid_north_pole_latitude', 90)}`,
  sinusoidal: read =>
    `sinu +lon_0=${read('longitude_of_projection_origin', read('longitude_of_central_meridian'))}`,
  stereographic: read => `stere ${center(read)} +k=${read('scale_factor_at_projection_origin', 1)}`,
  // The exact form has no spheres.
  transverse_mercator: read =>
    `tmerc +approx ${meridian(read)} ${origin(read)} +k=${read('scale_factor_at_central_meridian', 1)}`,
}

const origin = (read: Read) => `+lat_0=${read('latitude_of_projection_origin')}`
const centralLongitude = (read: Read) => `+lon_0=${read('longitude_of_projection_origin')}`
const center = (read: Read) => `${centralLongitude(read)} ${origin(read)}`
const meridian = (read: Read) => `+lon_0=${read('longitude_of_central_meridian')}`
const conic = ([first = 0, second = first]: readonly number[]) => `+lat_1=${first} +lat_2=${second}`
const scaled = (read: Read, parallel: number | undefined) =>
  parallel === undefined ? `+k=${read('scale_factor_at_projection_origin', 1)}` : `+lat_ts=${parallel}`

/** The text that proj4 reads; undefined: the mapping is not known. */
export function projectionText(mapping: Attributes): string | undefined {
  const name = textOf(mapping, 'grid_mapping_name') ?? ''
  const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined
  if (form === undefined) return textOf(mapping, 'crs_wkt') ?? textOf(mapping, 'spatial_ref')
  const read: Read = (attribute, usual = 0) => Number(numbersOf(mapping, attribute)?.[0] ?? usual)
  const parallels = (numbersOf(mapping, 'standard_parallel') ?? []).map(Number)
  const sweep = name === 'geostationary' ? ` +sweep=${sweepOf(mapping)}` : ''
  const shift = `+x_0=${read('false_easting')} +y_0=${read('false_northing')}`
  return `+proj=${form(read, parallels)}${sweep} ${shift} ${earthOf(read)} +no_defs`
}

function sweepOf(mapping: Attributes): string {
  const fixed = textOf(mapping, 'fixed_angle_axis')
  return textOf(mapping, 'sweep_angle_axis') ?? (fixed === 'x' ? 'y' : fixed === 'y' ? 'x' : 'y')
}

/** The ellipsoid; that of WGS 84 without attributes. */
function earthOf(read: Read): string {
  const major = read('semi_major_axis', read('earth_radius', 6_378_137))
  const flattening = read('inverse_flattening', 0)
  const isSphere = read('earth_radius', 0) > 0
  const usual = isSphere ? major : major * (1 - 1 / (flattening || 298.257223563))
  return `+a=${major} +b=${read('semi_minor_axis', usual)}`
}

/** Metres, or degrees of a rotated pole, for a step of the axis. Angles of a satellite are times its height. */
function lengthOf(units: string | undefined, mapping: Attributes): number {
  if (/^(km|kilomet(er|re)s?)$/i.test(units ?? '')) return 1000
  const height = Number(numbersOf(mapping, 'perspective_point_height')?.[0] ?? 1)
  if (/^rad(ians?)?$/i.test(units ?? '')) return height
  return /^(microradians?|µrad|urad)$/i.test(units ?? '') ? height / 1e6 : 1
}

/** The places of coordinates in these units. Throws if the mapping is not known, or makes no sense. */
export function toEarthBy(mapping: Attributes, units: string | undefined): ToEarth {
  const length = lengthOf(units, mapping)
  const toEarth = toEarthFrom(projectionText(mapping))
  return (x, y) => toEarth(x * length, y * length)
}

/** The places of a plane by the text of proj4, from the place `origin` on: by default that of the projection. */
export function toEarthFrom(text: string | undefined, origin?: readonly [number, number]): ToEarth {
  try {
    const { forward, inverse } = proj4(text ?? '')
    const [left = 0, bottom = 0] = origin ? forward([...origin]) : []
    return (x, y) => {
      // proj4 throws for what is no number.
      if (!Number.isFinite(x) || !Number.isFinite(y)) return [Number.NaN, Number.NaN]
      const [longitude = Number.NaN, latitude = Number.NaN] = inverse([left + x, bottom + y])
      return [longitude, latitude]
    }
  } catch {
    throw new Error(`The map projection of the coordinates is not known: ${text ?? 'the file names none'}`)
  }
}
