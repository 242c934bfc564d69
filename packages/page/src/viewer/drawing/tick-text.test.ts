import { describe, expect, test } from 'vitest'
import { axisFormat, formatEnd, tickFormat } from './tick-text.ts'

describe('the numbers at ticks', () => {
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
})
