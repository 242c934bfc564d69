import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { percentagesOutside, robustRange, symmetricRange } from './robust-range.ts'

/** Normal numbers of mean 0 and deviation 1: sums of twelve from an even generator. */
function normal(count: number): Float64Array {
  let state = 1
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  return Float64Array.from(
    { length: count },
    () => Array.from({ length: 12 }, next).reduce((a, b) => a + b) - 6,
  )
}

function allOf(points: Float64Array) {
  const finite = points.filter(Number.isFinite)
  const sorted = finite.sort()
  return { min: sorted[0] ?? Number.POSITIVE_INFINITY, max: sorted.at(-1) ?? Number.NEGATIVE_INFINITY }
}

const UNCUT = { low: false, high: false }

describe('the range of colours', () => {
  test('of tame numbers is that of all', () => {
    const points = normal(100_000)
    expect(robustRange(points, allOf(points))).toEqual({ ...allOf(points), isCut: UNCUT })
    const even = Float64Array.from({ length: 1000 }, (_, i) => i)
    expect(robustRange(even, allOf(even))).toEqual({ min: 0, max: 999, isCut: UNCUT })
  })

  test('of counts of 20 with spots of 9000 ends above the counts', () => {
    const points = normal(100_000).map((number, i) => (i % 1000 === 0 ? 9000 : Math.max(0, 20 + 4 * number)))
    const range = robustRange(points, allOf(points))
    expect(range).toMatchObject({ min: allOf(points).min, isCut: { low: false, high: true } })
    // The noise reaches 44, so all that has the last colour is a spot.
    expect(range.max).toBeGreaterThan(44)
    expect(range.max).toBeLessThan(80)
  })

  test('of a few elements that the points do not show ends at the points', () => {
    const points = normal(100_000)
    const { min, max } = allOf(points)
    expect(robustRange(points, { min: -50, max: 50 })).toEqual({ min, max, isCut: { low: true, high: true } })
  })

  test('of a long tail ends at a percentile', () => {
    const points = normal(100_000).map(number => Math.exp(3 * number))
    const { max, isCut } = robustRange(points, allOf(points))
    expect(isCut.high).toBe(true)
    expect(percentagesOutside(points, { min: 0, max }).high).toBeCloseTo(1, 0)
  })

  test('has the few that are not the same as all others', () => {
    const points = new Float64Array(100_000)
    for (let i = 0; i < 300; i++) points[333 * i] = 1 + (Math.floor(i / 7) % 7)
    expect(robustRange(points, { min: 0, max: 7 })).toEqual({ min: 0, max: 7, isCut: UNCUT })
  })

  test('of one number among others that are the same is that of all', () => {
    const points = new Float64Array(1_000_000)
    points[500_001] = 3
    expect(robustRange(points, allOf(points))).toEqual({ min: 0, max: 3, isCut: UNCUT })
  })

  test('cuts both ends', () => {
    const points = normal(50_000)
    points[7] = 1e9
    points[9] = -1e9
    expect(robustRange(points, allOf(points)).isCut).toEqual({ low: true, high: true })
  })

  test.each([
    ['no number', [], { min: Number.NaN, max: Number.NaN }],
    ['one number', [4], { min: 4, max: 4 }],
    ['two numbers', [0, 1000], { min: 0, max: 1000 }],
    ['equal numbers, NaN and infinity', [2, 2, Number.NaN, Number.POSITIVE_INFINITY], { min: 2, max: 2 }],
  ])('of %s is that of all', (_, points, all) => {
    expect(robustRange(Float64Array.from(points), all)).toEqual({ ...all, isCut: UNCUT })
  })

  test('lies within that of all, and is cut only where numbers lie outside', () => {
    const numbers = fc.array(fc.double({ noDefaultInfinity: true, min: -1e100, max: 1e100 }), {
      minLength: 1,
    })
    fc.assert(
      fc.property(numbers, numbers => {
        const points = Float64Array.from(numbers)
        const all = allOf(points)
        if (all.min > all.max) return
        const { min, max, isCut } = robustRange(points, all)
        expect([min >= all.min, max <= all.max, min <= max]).toEqual([true, true, true])
        expect(isCut).toEqual({ low: min > all.min, high: max < all.max })
      }),
    )
  })

  test.each([
    [{ min: -1, max: 5, isCut: { low: true, high: true } }, -5, { low: false, high: true }],
    [{ min: -7, max: 5, isCut: { low: true, high: false } }, -7, { low: true, high: false }],
    [{ min: 2, max: 5, isCut: UNCUT }, -5, UNCUT],
  ])('%j has 0 in its middle', (range, min, isCut) => {
    expect(symmetricRange(range)).toEqual({ min, max: -min, isCut })
  })
})
