import { describe, expect, test } from 'vitest'
import { axisOf } from '../../data/axis.ts'
import { geometryOf } from './geometry.ts'

const LEVEL = {
  name: 'plev',
  label: 'plev (hPa)',
  length: 4,
  source: {} as never,
  meaning: undefined,
  coordinates: {} as never,
  role: 'vertical',
  growsDown: true,
} as const

describe('the axis of an image', () => {
  test('has ticks at the coordinates of the file where they are not uniform', () => {
    const values = Float64Array.of(1000, 850, 500, 50)
    const { config, toCoordinate, toPosition } = geometryOf(axisOf(LEVEL, { step: 1, values }, true))
    expect(config.domain).toEqual([-0.5, 3.5])
    // Around the first and the last coordinate nothing is known, also not that a pressure is below 0.
    expect([-0.5, 0, 0.5, 1, 2, 3, 3.5].map(place => config.format?.(place))).toEqual([
      '',
      '1000',
      '',
      '850',
      '500',
      '50',
      '',
    ])
    expect(toPosition(toCoordinate(2))).toBe(2)
  })

  test('spans the elements with their widths where they are uniform', () => {
    const values = Float64Array.of(10, 20, 30, 40)
    const { config, toCoordinate } = geometryOf(axisOf(LEVEL, { step: 1, values }, true))
    expect(config.domain).toEqual([5, 45])
    expect(toCoordinate(0.5)).toBe(10)
  })
})
