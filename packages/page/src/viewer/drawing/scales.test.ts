import { describe, expect, test } from 'vitest'
import { scaleOf } from './scales.ts'

describe('scales', () => {
  test.each([
    ['linear', [0, 10], 5, 0.5],
    ['linear', [10, 0], 2.5, 0.75],
    ['log', [1, 100], 10, 0.5],
    ['symlog', [-100, 100], 0, 0.5],
    ['sqrt', [0, 100], 25, 0.5],
    ['gamma', [0, 4], 1, 0.5],
  ] as const)('%s between %j: %d is at %d, and back', (type, [from, to], value, place) => {
    const scale = scaleOf(type, [from, to], 0.5)
    expect(scale.toPlace(value)).toBeCloseTo(place, 12)
    expect(scale.toValue(place)).toBeCloseTo(value, 12)
  })

  test.each([
    ['log', 0],
    ['log', -1],
    ['sqrt', -1],
    ['linear', Number.NaN],
  ] as const)('%s has no place for %d', (type, value) => {
    expect(Number.isFinite(scaleOf(type, [1, 2]).toPlace(value))).toBe(false)
  })
})
