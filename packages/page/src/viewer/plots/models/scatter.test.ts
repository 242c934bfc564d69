import { expect, test } from 'vitest'
import { finitePoints, nearestPoint, pointsNote, stepOf } from './scatter.ts'

const x = Float64Array.of(0, 1, Number.NaN, 3)
const y = Float64Array.of(10, 20, 30, 40)
const values = Float64Array.of(5, Number.NaN, 7, 8)

test('points without a number are left out', () => {
  expect(finitePoints({ x, y, values })).toEqual({
    x: Float64Array.of(0, 3),
    y: Float64Array.of(10, 40),
    values: Float64Array.of(5, 8),
  })
  expect(finitePoints({ x: y, y, values: y }).x).toBe(y)
})

test('the nearest point is that on the screen', () => {
  // 100 pixels for a unit of x, 1 for one of y.
  const near = (place: readonly [number, number]) => nearestPoint({ x, y }, place, [100, 1], 10)
  expect(near([0.05, 12])).toBe(0)
  expect(near([0.95, 20])).toBe(1)
  expect(near([0.5, 15])).toBeUndefined()
})

test('many points are sampled, and the note says so', () => {
  expect([0, 1, 100_000, 100_001, 3_000_000].map(stepOf)).toEqual([1, 1, 1, 2, 30])
  expect(pointsNote(5000, 4900)).toBe(
    'All points are drawn but 100, of which a number is missing. The colours span the drawn points.',
  )
  expect(pointsNote(3_000_000, 100_000)).toBe(
    'One of each 30 points is drawn. The colours span the drawn points.',
  )
})
