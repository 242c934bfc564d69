import { expect, test } from 'vitest'
import { mapProfile } from './map-profile.ts'
import type { MapPicture } from './model.ts'
import { PROJECTIONS } from './projection.ts'

const raster = { x: [0, 20], y: [-10, 10], width: 20, height: 20 } as const

/** A picture of two cells: one in the west, one in the east; nothing is north of 5 degrees. */
const picture = {
  picture: { depth: 1, data: Float64Array.of(1, 2) },
  raster,
  cells: Int32Array.from({ length: 400 }, (_, i) => (i >= 300 ? -1 : i % 20 < 10 ? 0 : 1)),
} as unknown as MapPicture

test('a profile has the cells along the line, and the way on the earth', () => {
  const profile = mapProfile([0, 0, 20, 0], [picture], PROJECTIONS.plane)
  expect(profile?.values.length).toBe(21)
  expect([profile?.values[2], profile?.values[18]]).toEqual([1, 2])
  // A degree of the equator is 111.2 kilometres.
  expect(profile?.distances.at(-1)).toBeCloseTo(20 * 111.195, 0)
})

test('a line that leaves the cells has no numbers there, and none before a picture is drawn', () => {
  const profile = mapProfile([5, -5, 5, 9], [picture], PROJECTIONS.plane)
  expect([profile?.values[0], profile?.values.at(-1)]).toEqual([1, Number.NaN])
  expect([profile?.latitudes.at(-1), profile?.longitudes.at(-1)]).toEqual([9, 5])
  expect(mapProfile([5, -5, 5, 9], [], PROJECTIONS.plane)).toBeUndefined()
})
