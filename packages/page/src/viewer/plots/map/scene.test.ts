import { expect, it } from 'vitest'
import type { CurveLayer } from '../../drawing/scene.ts'
import { coastsOn, graticuleOn } from './coasts.ts'
import { PROJECTIONS } from './projection.ts'
import { cellLayer, graticuleStep, latitudeText, lineLayers, longitudeText, rasterOf } from './scene.ts'

const WORLD = { x: [-180, 180], y: [-90, 90] } as const

it('the pixels of a part are squares, and as many as the canvas has along the longer side', () => {
  const canvas = { width: 1000, height: 1000 }
  expect(rasterOf(WORLD, canvas)).toMatchObject({ width: 1000, height: 500 })
  expect(rasterOf({ x: [0, 1], y: [0, 50] }, canvas)).toMatchObject({ width: 20, height: 1000 })
  expect(rasterOf({ x: [0, 1e-9], y: [0, 50] }, canvas)).toMatchObject({ width: 1, height: 1000 })
})

it('pixels have the colours of their cells, and none where no cell is', () => {
  const colours = new Uint8ClampedArray([1, 2, 3, 255, 4, 5, 6, 255])
  const raster = { ...WORLD, width: 3, height: 1 }
  const layer = cellLayer(colours, Int32Array.of(1, -1, 0), raster)
  expect(Array.from(layer.colours)).toEqual([4, 5, 6, 255, 0, 0, 0, 0, 1, 2, 3, 255])
  expect(layer).toMatchObject({ ...WORLD, columns: 3, rows: 1 })
})

it.each([
  [13.5, '13.5°E'],
  [-13.5, '13.5°W'],
  [0, '0°'],
  [180, '180°'],
  [-180, '180°'],
  [190, '170°W'],
  [360, '0°'],
  [0.1 + 0.2, '0.3°E'],
])('the longitude %d is %s', (degrees, text) => {
  expect(longitudeText(degrees)).toBe(text)
})

it('the latitude has its half', () => {
  expect([52.5, -52.5, 0].map(latitudeText)).toEqual(['52.5°N', '52.5°S', '0°'])
})

it('lines of degrees are neither too many nor too few', () => {
  expect([360, 60, 25, 9, 3].map(width => graticuleStep({ x: [0, width], y: [0, width / 2] }))).toEqual([
    30, 10, 5, 2, 1,
  ])
})

const layersIn = (x: readonly [number, number], y: readonly [number, number]) =>
  lineLayers(coastsOn(PROJECTIONS.plane), undefined, PROJECTIONS.plane, { x, y }) as readonly CurveLayer[]

it('the coasts of an island are near it, also a turn of the earth away', () => {
  for (const turn of [0, 360]) {
    // Iceland.
    const [{ x, y } = { x: Float64Array.of(), y: Float64Array.of() }] = layersIn(
      [turn - 24, turn - 14],
      [63, 67],
    )
    const near = Array.from(x).filter(
      (longitude, i) =>
        longitude > turn - 25 && longitude < turn - 13 && (y[i] ?? 0) > 63 && (y[i] ?? 0) < 67,
    )
    expect(near.length).toBeGreaterThan(100)
  }
})

it('a map that is wider than its window has each coast once', () => {
  for (const middle of [0, 125]) {
    const xs = layersIn([middle - 170, middle + 170], [-90, 90]).flatMap(({ x }) => Array.from(x))
    const drawn = xs.filter(Number.isFinite)
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(middle - 180)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(middle + 180)
    expect(Math.max(...drawn) - Math.min(...drawn)).toBeGreaterThan(350)
  }
})

it('in an ocean without islands there are none', () => {
  expect(layersIn([60, 70], [-45, -40]).map(({ x }) => x.length)).toEqual([0, 0])
})

it('no line crosses the whole map', () => {
  for (const lines of [coastsOn(PROJECTIONS.plane), graticuleOn(PROJECTIONS.plane, 30)]) {
    for (let i = 1; i < lines.xs.length; i++)
      expect(Math.abs((lines.xs[i] ?? 0) - (lines.xs[i - 1] ?? 0)) > 180).toBe(false)
  }
})

it('the land has no coast at the south pole', () => {
  const { xs, ys } = coastsOn(PROJECTIONS.plane)
  expect(ys.every((y, i) => Number.isNaN(xs[i]) || y > -89)).toBe(true)
})

it('a polar map has only the lines of its half', () => {
  const { ys, xs } = coastsOn(PROJECTIONS.north)
  const places = Array.from(xs, (x, i) => Math.hypot(x, ys[i] ?? 0)).filter(Number.isFinite)
  expect(places.length).toBeGreaterThan(10_000)
  expect(Math.max(...places)).toBeLessThanOrEqual(90)
})
