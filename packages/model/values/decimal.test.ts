import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearestDouble } from './decimal.ts'

/** The nearest double, from the words that the digits are cut into. */
function nearest(digits: string, exponent: number): number {
  return nearestDouble(Number(digits.slice(0, 9)), Number(digits.slice(9) || '0'), digits.length, exponent)
}

describe('nearestDouble', () => {
  const significant = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^\d{0,17}$/))

  test('is what Number says, or tells nothing', () => {
    fc.assert(
      fc.property(significant, fc.integer({ min: -280, max: 280 }), ([first, others], exponent) => {
        const digits = `${first}${others}`
        const found = nearest(digits, exponent)
        // An expectation for each would take most of the time.
        const value = Number(`${digits}e${exponent}`)
        if (!Number.isNaN(found) && found !== value) expect(found).toBe(value)
      }),
      { numRuns: 20_000 },
    )
  })

  test('tells of doubles in their shortest text, but for a few', () => {
    let unknown = 0
    fc.assert(
      fc.property(fc.double({ min: 1e-200, max: 1e200, noNaN: true }), value => {
        const [, whole, fraction = '', power] =
          /^(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? []
        if (fraction.length > 17) return
        const found = nearest(whole + fraction, Number(power) - fraction.length)
        if (Number.isNaN(found)) unknown++
        else if (found !== value) expect(found).toBe(value)
      }),
      { numRuns: 20_000 },
    )
    expect(unknown).toBeLessThan(20)
  })

  test.each([
    // In the middle between two doubles: to the even one.
    ['9007199254740993', 0],
    ['9007199254740995', 0],
    ['900719925474099300', -2],
    // Next to the middle.
    ['9007199254740993001', 0],
    ['900719925474099301', -2],
    ['900719925474099299', -2],
    ['1', 22],
    ['1', 23],
    ['123456789012345678', -22],
    ['999999999999999999', 22],
  ])('%s e %i', (digits, exponent) => {
    const found = nearest(digits, exponent)
    if (!Number.isNaN(found)) expect(found).toBe(Number(`${digits}e${exponent}`))
  })

  test('beyond its range tells nothing', () => {
    expect(nearest('1', 251)).toBeNaN()
    expect(nearest('1', -251)).toBeNaN()
    expect(nearest('1234567890123456789', 0)).toBeNaN()
  })
})
