import { describe, expect, test } from 'vitest'
import { formatComputed, formatNumber } from './numbers.ts'

const FLOAT = (size: 2 | 4 | 8) => ({ kind: 'float', size }) as const

describe('numbers as people write them', () => {
  test.each([
    [9223372036854775807n, undefined, '9223372036854775807'],
    [-9223372036854775808n, undefined, '-9223372036854775808'],
    [18446744073709551615n, undefined, '18446744073709551615'],
    [0, FLOAT(4), '0'],
    [-0, FLOAT(8), '-0'],
    [1, FLOAT(4), '1'],
    [Math.fround(0.1), FLOAT(4), '0.1'],
    [Math.fround(1.0000000149), FLOAT(4), '1'],
    [Math.fround(16777217.5), FLOAT(4), '16777218'],
    [Math.fround(3.4028235e38), FLOAT(4), '3.4028234663852886e38'],
    [Math.fround(1e-45), FLOAT(4), '1e-45'],
    [0.1 + 0.2, FLOAT(8), '0.30000000000000004'],
    [1e21, FLOAT(8), '1e21'],
    [0.0999755859375, FLOAT(2), '0.1'],
    [2 ** -24, FLOAT(2), '6e-8'],
    [65504, FLOAT(2), '65504'],
    [0.333251953125, FLOAT(2), '0.3333'],
    [Number.NaN, FLOAT(4), 'NaN'],
    [Number.NEGATIVE_INFINITY, FLOAT(2), '-Infinity'],
  ])('%s of %j is %s', (value, form, text) => {
    expect(formatNumber(value, form)).toBe(text)
  })

  test('every float of 32 bits is given back', () => {
    const bits = new Uint32Array(1)
    const floats = new Float32Array(bits.buffer)
    for (let i = 0; i < 5000; i++) {
      bits[0] = (i * 858_993) >>> 0
      const value = floats[0] ?? 0
      const text = formatNumber(value, FLOAT(4))
      expect(Math.fround(Number(text))).toBe(value)
      expect(text.replace(/\D/g, '').length).toBeLessThan(50)
    }
  })

  test.each([
    [2731 * 0.01, 8, '27.31'],
    [Math.fround(2731 * Math.fround(0.01)), 4, '27.31'],
    [0.1 + 0.2, 8, '0.3'],
    [1e300, 8, '1e300'],
    [0, 4, '0'],
    [Number.NaN, 8, 'NaN'],
  ] as const)('%s computed with floats of %i bytes is %s', (value, size, text) => {
    expect(formatComputed(value, size)).toBe(text)
  })
})
