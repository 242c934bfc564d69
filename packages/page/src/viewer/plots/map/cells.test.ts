import { expect, it } from 'vitest'
import { type Corners, cornersOfAxes, cornersOfGrid } from '../../meaning/places/corners.ts'
import { cellsAt, type Raster } from './cells.ts'
import { PROJECTIONS } from './projection.ts'

const WORLD: Raster = { x: [-180, 180], y: [-90, 90], width: 36, height: 18 }
const rangeOf = (from: number, to: number, count: number) =>
  Float64Array.from({ length: count }, (_, i) => from + ((i + 0.5) * (to - from)) / count)

/** The grid of two axes as one of two dimensions. */
function gridOf(longitudes: Float64Array, latitudes: Float64Array): Corners {
  const [rows, columns] = [latitudes.length, longitudes.length]
  return cornersOfGrid({
    rows,
    columns,
    longitudes: Float64Array.from({ length: rows * columns }, (_, i) => longitudes[i % columns] ?? 0),
    latitudes: Float64Array.from(
      { length: rows * columns },
      (_, i) => latitudes[Math.floor(i / columns)] ?? 0,
    ),
  })
}

it('each pixel of a map of the world is in one cell, whichever longitude the cells begin with', () => {
  for (const from of [-180, 0, 25]) {
    const corners = cornersOfAxes(rangeOf(from, from + 360, 36), rangeOf(-90, 90, 18))
    const cells = cellsAt(corners, PROJECTIONS.plane, WORLD)
    const shift = (from + 180) / 10
    for (const [pixel, cell] of cells.entries()) {
      const column = ((((pixel % 36) - shift) % 36) + 36) % 36
      // Where a pixel's middle is on an edge, either cell is right.
      expect([Math.floor(cell / 36), Math.abs((cell % 36) - column) % 35 < 1]).toEqual([
        Math.floor(pixel / 36),
        true,
      ])
    }
  }
})

it('north is up, whichever way the latitudes go', () => {
  const longitudes = rangeOf(-180, 180, 4)
  const raster = { ...WORLD, width: 4, height: 3 }
  const up = cellsAt(cornersOfAxes(longitudes, rangeOf(-90, 90, 3)), PROJECTIONS.plane, raster)
  expect(Array.from(up)).toEqual(Array.from({ length: 12 }, (_, i) => i))
  const down = cellsAt(cornersOfAxes(longitudes, rangeOf(90, -90, 3)), PROJECTIONS.plane, raster)
  expect(Array.from(down)).toEqual([8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3])
})

it('a grid of two dimensions is drawn as its axes are, away from the poles', () => {
  const [longitudes, latitudes] = [rangeOf(150, 210, 12), rangeOf(-30, 30, 12)]
  const raster = { x: [145, 215], y: [-35, 35], width: 41, height: 41 } as const
  const axes = cellsAt(cornersOfAxes(longitudes, latitudes), PROJECTIONS.plane, raster)
  const grid = cellsAt(gridOf(longitudes, latitudes), PROJECTIONS.plane, raster)
  expect(axes.filter(cell => cell >= 0).length).toBeGreaterThan(1000)
  expect(Array.from(grid)).toEqual(Array.from(axes))
})

it('cells without a place are left out, and their neighbours stay', () => {
  const corners = (missing: number | undefined) => {
    const [rows, columns] = [5, 5]
    const longitudes = Float64Array.from({ length: 25 }, (_, i) => (i % 5) * 2)
    const latitudes = Float64Array.from({ length: 25 }, (_, i) => Math.floor(i / 5) * 2)
    if (missing !== undefined) longitudes[missing] = Number.NaN
    return cornersOfGrid({ rows, columns, longitudes, latitudes })
  }
  const raster = { x: [-1, 9], y: [-1, 9], width: 5, height: 5 } as const
  const all = Array.from(cellsAt(corners(undefined), PROJECTIONS.plane, raster))
  expect(all).toEqual(Array.from({ length: 25 }, (_, i) => i))
  for (const missing of [12, 24]) {
    const rest = Array.from(cellsAt(corners(missing), PROJECTIONS.plane, raster))
    expect(rest).toEqual(all.map(cell => (cell === missing ? -1 : cell)))
  }
})

it('a pole is in the middle of a polar map, Greenwich below the north pole', () => {
  const raster = { x: [-90, 90], y: [-90, 90], width: 9, height: 9 } as const
  const corners = cornersOfAxes(rangeOf(-180, 180, 4), rangeOf(-90, 90, 2))
  const [south = 0, east = 0] = [1 * 9 + 4, 4 * 9 + 7]
  const north = cellsAt(corners, PROJECTIONS.north, raster)
  // Columns of cells: -180 to -90, -90 to 0, 0 to 90, 90 to 180.
  expect([5, 6]).toContain(north[south])
  expect([6, 7]).toContain(north[east])
  expect(north[0]).toBe(-1)
})

it('a swath over the pole covers it', () => {
  // Lines of constant distance from a great circle over the pole.
  const [rows, columns] = [21, 11]
  const places = Array.from({ length: rows * columns }, (_, i) => {
    const [along, across] = [(Math.floor(i / columns) - 10) * 2, ((i % columns) - 5) * 2]
    const distance = Math.hypot(along, across)
    return { latitude: 90 - distance, longitude: (Math.atan2(across, along) * 180) / Math.PI }
  })
  const corners = cornersOfGrid({
    rows,
    columns,
    longitudes: Float64Array.from(places, ({ longitude }) => longitude),
    latitudes: Float64Array.from(places, ({ latitude }) => latitude),
  })
  const raster = { x: [-9, 9], y: [-9, 9], width: 18, height: 18 } as const
  expect(cellsAt(corners, PROJECTIONS.north, raster).filter(cell => cell < 0)).toHaveLength(0)
})

it.each(['plane', 'north', 'south'] as const)('places come back from the projection %s', name => {
  const { toX, toY, toLongitude, toLatitude } = PROJECTIONS[name]
  for (const [longitude, latitude] of [
    [0, 10],
    [100, 45],
    [-135, 80],
    [179, 1],
  ] as const) {
    const place = name === 'south' ? -latitude : latitude
    const [x, y] = [toX(longitude, place), toY(longitude, place)]
    expect(toLongitude(x, y)).toBeCloseTo(longitude)
    expect(toLatitude(x, y)).toBeCloseTo(place)
  }
  expect(PROJECTIONS.north.toX(0, -10)).toBeNaN()
})
