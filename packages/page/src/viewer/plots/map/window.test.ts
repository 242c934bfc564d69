import { expect, it } from 'vitest'
import { cornersOfAxes } from '../../meaning/places/corners.ts'
import { PROJECTIONS } from './projection.ts'
import { elementsIn, windowOf } from './window.ts'

const rangeOf = (from: number, to: number, count: number) =>
  Float64Array.from({ length: count }, (_, i) => from + ((i + 0.5) * (to - from)) / count)

it.each([
  ['of the world', [0, 360], [-180, 180]],
  ['of the world from 20 W on', [-20, 340], [-180, 180]],
  ['of a country', [5, 15], [4.7, 15.3]],
  ['across the antimeridian', [150, 210], [148.2, 211.8]],
  ['across Greenwich, from 0 to 360', [340, 380], [-21.2, 21.2]],
  ['of one place', [7.1, 7.2], [7.097, 7.203]],
] as const)('the longitudes of a map %s', (_, [from, to], [left, right]) => {
  const { x } = windowOf(cornersOfAxes(rangeOf(from, to, 100), rangeOf(40, 50, 10)), PROJECTIONS.plane)
  expect(x[0]).toBeCloseTo(left)
  expect(x[1]).toBeCloseTo(right)
})

it('cells may be as wide as a quarter of the earth', () => {
  const { x } = windowOf(
    cornersOfAxes(Float64Array.of(0, 90, 180, 270), rangeOf(-90, 90, 3)),
    PROJECTIONS.plane,
  )
  expect(x).toEqual([-180, 180])
})

it('the latitudes of a map stay between the poles', () => {
  const { y } = windowOf(cornersOfAxes(rangeOf(0, 10, 5), rangeOf(-90, 90, 10)), PROJECTIONS.plane)
  expect(y).toEqual([-90, 90])
})

it('cells without a place have a map of all', () => {
  const nowhere = cornersOfAxes(rangeOf(0, 10, 5), Float64Array.of(Number.NaN, Number.NaN))
  expect(windowOf(nowhere, PROJECTIONS.plane)).toEqual({ x: [-180, 180], y: [-90, 90] })
})

it('a polar map has the half of the earth that cells are in', () => {
  const { x, y } = windowOf(cornersOfAxes(rangeOf(-180, 180, 36), rangeOf(60, 90, 10)), PROJECTIONS.north)
  for (const end of [...x, ...y]) expect(Math.abs(end)).toBeCloseTo(31.8)
})

it('the elements in a part of a map are those of its cells, in the blocks of the picture', () => {
  const corners = cornersOfAxes(rangeOf(0, 360, 36), rangeOf(90, -90, 18))
  const picture = { y: { start: 100, stop: 190, block: 5 }, x: { start: 0, stop: 72, block: 2 } }
  const find = (x: readonly [number, number], y: readonly [number, number]) =>
    elementsIn(corners, PROJECTIONS.plane, { x, y }, picture)
  // Corners from 30 to 50 degrees east are the fourth to sixth; the cells on both sides of each are in sight.
  expect(find([29, 51], [58, 72])).toEqual({ x: [4, 12], y: [105, 120] })
  // The same longitudes a turn further.
  expect(find([389, 411], [58, 72])).toEqual({ x: [4, 12], y: [105, 120] })
  expect(find([-180, 180], [-90, 90])).toEqual({ x: [0, 72], y: [100, 190] })
})

it('where no cell is, there are no elements', () => {
  const corners = cornersOfAxes(rangeOf(0, 10, 10), rangeOf(0, 10, 10))
  const picture = { y: { start: 0, stop: 10, block: 1 }, x: { start: 0, stop: 10, block: 1 } }
  expect(elementsIn(corners, PROJECTIONS.plane, { x: [50, 60], y: [0, 10] }, picture)).toBeUndefined()
})
