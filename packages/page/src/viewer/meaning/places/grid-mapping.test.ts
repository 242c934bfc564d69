import { expect, it } from 'vitest'
import { toEarthBy, toEarthFrom } from './grid-mapping.ts'

function mappingOf(attributes: Readonly<Record<string, string | number | readonly number[]>>) {
  return new Map(
    Object.entries(attributes).map(([name, value]) => [
      name,
      { data: Array.isArray(value) ? value : [value] },
    ]),
  ) as never
}

const SPHERE = { earth_radius: 6_371_000 }
const DEGREE = (Math.PI / 180) * 6_371_000

// Places that a map reader knows: the origin, and one degree from it where the projection keeps lengths.
it.each([
  [
    { grid_mapping_name: 'polar_stereographic', latitude_of_projection_origin: 90, standard_parallel: 70 },
    [0, 0],
    [undefined, 90],
  ],
  [
    {
      grid_mapping_name: 'azimuthal_equidistant',
      longitude_of_projection_origin: 10,
      latitude_of_projection_origin: 50,
    },
    [0, DEGREE],
    [10, 51],
  ],
  [
    {
      grid_mapping_name: 'lambert_azimuthal_equal_area',
      longitude_of_projection_origin: 10,
      latitude_of_projection_origin: 52,
      false_easting: 4_321_000,
      false_northing: 3_210_000,
    },
    [4_321_000, 3_210_000],
    [10, 52],
  ],
  [
    {
      grid_mapping_name: 'lambert_conformal_conic',
      standard_parallel: [30, 60],
      longitude_of_central_meridian: -97,
      latitude_of_projection_origin: 39,
    },
    [0, 0],
    [-97, 39],
  ],
  [
    {
      grid_mapping_name: 'albers_conical_equal_area',
      standard_parallel: [29.5, 45.5],
      longitude_of_central_meridian: -96,
      latitude_of_projection_origin: 23,
    },
    [0, 0],
    [-96, 23],
  ],
  [{ grid_mapping_name: 'mercator', standard_parallel: 0 }, [DEGREE, 0], [1, 0]],
  [
    {
      grid_mapping_name: 'transverse_mercator',
      longitude_of_central_meridian: 9,
      scale_factor_at_central_meridian: 1,
    },
    [0, 51 * DEGREE],
    [9, 51],
  ],
  [{ grid_mapping_name: 'sinusoidal' }, [DEGREE * 0.5, 60 * DEGREE], [1, 60]],
  [
    {
      grid_mapping_name: 'stereographic',
      longitude_of_projection_origin: 4,
      latitude_of_projection_origin: 47,
    },
    [0, 0],
    [4, 47],
  ],
  [
    {
      grid_mapping_name: 'orthographic',
      longitude_of_projection_origin: 4,
      latitude_of_projection_origin: 47,
    },
    [0, 0],
    [4, 47],
  ],
  [
    {
      grid_mapping_name: 'rotated_latitude_longitude',
      grid_north_pole_latitude: 39.25,
      grid_north_pole_longitude: -162,
    },
    [0, 0],
    [18, 50.75],
  ],
] as const)('%j', (attributes, [x, y], [longitude, latitude]) => {
  const toEarth = toEarthBy(mappingOf({ ...attributes, ...SPHERE } as never), undefined)
  const place = toEarth(x, y)
  if (longitude !== undefined) expect(place[0]).toBeCloseTo(longitude, 6)
  expect(place[1]).toBeCloseTo(latitude, 6)
})

it('angles of a satellite are in radians; beside the disk nothing is on the earth', () => {
  const mapping = mappingOf({
    grid_mapping_name: 'geostationary',
    perspective_point_height: 35_785_831,
    longitude_of_projection_origin: 9.5,
    sweep_angle_axis: 'y',
    semi_major_axis: 6_378_169,
    semi_minor_axis: 6_356_583.8,
  })
  const toEarth = toEarthBy(mapping, 'rad')
  expect(toEarth(0, 0)).toEqual([9.5, expect.closeTo(0)])
  // The south of Norway.
  expect(toEarth(0, 0.14)[1]).toBeCloseTo(60, 0)
  expect(toEarth(0.2, 0.2).some(Number.isFinite)).toBe(false)
})

it('kilometres are a thousand metres', () => {
  const mapping = mappingOf({ grid_mapping_name: 'mercator', ...SPHERE })
  expect(toEarthBy(mapping, 'km')(DEGREE / 1000, 0)[0]).toBeCloseTo(1)
})

it.each([
  {},
  { grid_mapping_name: 'vertical_perspective' },
  { grid_mapping_name: 'latitude_longitude' },
  { grid_mapping_name: 'toString' },
  { crs_wkt: 'no WKT at all' },
])('of %j nothing is known', attributes => {
  expect(() => toEarthBy(mappingOf(attributes), 'm')).toThrow('is not known')
})

it('a place that is no number is nowhere', () => {
  const toEarth = toEarthBy(mappingOf({ grid_mapping_name: 'mercator' }), 'm')
  expect(toEarth(Number.NaN, 0)).toEqual([Number.NaN, Number.NaN])
})

it('a plane may begin at a place', () => {
  const toEarth = toEarthFrom('+proj=merc +R=6371000', [10, 0])
  expect(toEarth(DEGREE, 0)[0]).toBeCloseTo(11)
})
