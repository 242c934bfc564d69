import { describe, expect, test } from 'vitest'
import { axisFormat, formatEnd, placeOnScale, spacedFormat, tickFormat, ticksBetween } from './ticks.ts'

describe('ticks', () => {
  test.each([
    [[250, 305], 303.1, '303.1'],
    [[0, 9000], 9000, '9000'],
    [[0, 1], 0.1 + 0.2, '0.3'],
    [[-1, 1], 1e-17, '0'],
    [[0, 5e7], 2.5e7, '2.5e7'],
    [[29_999_990, 30_000_010], 30_000_004, '30000004'],
    [[0, 2e-4], 5e-5, '5e-5'],
    [[0, 0.01], 0.0025, '0.0025'],
    [[-2e9, 0], -1e9, '-1e9'],
  ] as const)('between %j: %s is %s', (ends, value, text) => {
    expect(tickFormat(ends)(value)).toBe(text)
  })

  test.each([
    [303.10391, [251.2, 303.10391], '303.1'],
    [12_345.678, [0, 12_345.678], '12300'],
    [0.000123456, [0, 0.000123456], '1.23e-4'],
    [-5, [-5, 12_800], '-5'],
    [7, [7, 7], '7'],
    [0, [0, 0], '0'],
  ] as const)('the end %s of %j is %s', (value, ends, text) => {
    expect(formatEnd(value, ends)).toBe(text)
  })

  test('of logarithms are powers of ten, where there are several', () => {
    expect([1, 2, 10, 1000, 1e8].map(axisFormat([1, 1e8], 'log'))).toEqual(['1', '', '10', '1000', '1e8'])
    expect([20, 30].map(axisFormat([12, 40], 'log'))).toEqual(['20', '30'])
  })

  test('have long texts only where they have room, the roundest', () => {
    const written = (format: (value: number) => string, values: readonly number[]) =>
      values.map((value, i) =>
        spacedFormat(format)(
          value,
          i,
          values.map(value => ({ value })),
        ),
      )
    const time = (seconds: number) =>
      new Date(seconds * 1000)
        .toISOString()
        .replace('T', ' ')
        .replace(/(:00)?\.000Z$/, '')
    expect(written(time, [1000, 1200, 1400, 1600, 1800, 2000])).toEqual([
      '',
      '1970-01-01 00:20',
      '',
      '',
      '1970-01-01 00:30',
      '',
    ])
    expect(written(String, [1, 2, 3])).toEqual(['1', '2', '3'])
    // Ticks between elements have no text, and leave none out.
    const levels = (place: number) => (Number.isInteger(place) ? `level ${place}` : '')
    expect(written(levels, [0.5, 1, 1.5, 2])).toEqual(['', 'level 1', '', 'level 2'])
    expect(written(time, [0])).toEqual(['1970-01-01 00:00'])
  })

  test('are round numbers', () => {
    expect(ticksBetween([0, 1], 'linear', 5)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8, 1])
    expect(ticksBetween([305, 250], 'linear', 5)).toEqual([260, 280, 300])
    expect(ticksBetween([0.5, 2000], 'log', 5)).toEqual([1, 10, 100, 1000])
    expect(ticksBetween([-20, 200], 'symlog', 5)).toEqual([-10, -1, 0, 1, 10, 100])
    expect(ticksBetween([3, 3], 'linear', 5)).toEqual([])
  })

  test('have their places on the scale', () => {
    expect(placeOnScale([0, 4], 'linear', 1)(1)).toBe(0.25)
    expect(placeOnScale([0, 4], 'sqrt', 1)(1)).toBe(0.5)
    expect(placeOnScale([0, 4], 'gamma', 2)(2)).toBe(0.25)
    expect(placeOnScale([1, 100], 'log', 1)(10)).toBeCloseTo(0.5)
    expect(placeOnScale([1, 100], 'log', 1)(0)).toBeUndefined()
  })
})
