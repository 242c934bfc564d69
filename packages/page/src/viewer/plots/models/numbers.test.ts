import { expect, test } from 'vitest'
import { unwrapped } from './numbers.ts'

test('unwrapped angles have no jump of a turn', () => {
  const angles = Float64Array.from({ length: 100 }, (_, i) => i * 0.7 - 20)
  const wrapped = angles.map(angle => Math.atan2(Math.sin(angle), Math.cos(angle)))
  const shift = (wrapped[0] ?? 0) - (angles[0] ?? 0)
  for (const [i, angle] of unwrapped(wrapped).entries())
    expect(angle).toBeCloseTo((angles[i] ?? 0) + shift, 9)
  // A gap is no jump.
  expect([...unwrapped(Float64Array.of(3, Number.NaN, -3))]).toEqual([3, Number.NaN, 2 * Math.PI - 3])
})
