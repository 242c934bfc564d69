import { describe, expect, test } from 'vitest'
import {
  axisDomain,
  boundsOfNumbers,
  chosenDomain,
  domainOnScale,
  extendDomain,
  safeDomain,
} from './bounds.ts'

describe('the bounds of numbers', () => {
  test('leave out what is not finite', () => {
    const numbers = [Number.NaN, -2, 0, 3, Number.POSITIVE_INFINITY]
    expect(boundsOfNumbers(numbers)).toEqual({ min: -2, max: 3, positiveMin: 0, strictPositiveMin: 3 })
    expect(boundsOfNumbers([Number.NaN])).toBeUndefined()
  })

  test.each([
    ['linear', [-2, 3]],
    ['symlog', [-2, 3]],
    ['sqrt', [0, 3]],
    ['log', [3, 3]],
  ] as const)('on a scale %s are those that have a place', (scale, domain) => {
    expect(domainOnScale(boundsOfNumbers([-2, 0, 3]), scale)).toEqual(domain)
  })

  test('on a scale of logarithms are none without a number above 0', () => {
    expect(domainOnScale(boundsOfNumbers([-2, 0]), 'log')).toBeUndefined()
    expect(domainOnScale(undefined, 'linear')).toBeUndefined()
  })
})

describe('the domain of an axis', () => {
  test.each([
    [[0, 10], 0.1, 'linear', [-1, 11]],
    [[1, 100], 0.5, 'log', [0.1, 1000]],
    [[5, 5], 0.1, 'linear', [4.5, 5.5]],
    [[0, 0], 0.1, 'linear', [-1, 1]],
    // The rounding of a mean is no signal.
    [[10, 10 + 2 ** -49], 0.1, 'linear', [9, 11]],
    [[10, 10], 1, 'log', [1, 100]],
    [[0, 100], 0.1, 'sqrt', [0, 121]],
  ] as const)('%j has room of %d on a scale %s', ([from, to], factor, scale, [start, end]) => {
    const [first, last] = extendDomain([from, to], factor, scale)
    expect([first, last]).toEqual([expect.closeTo(start, 9), expect.closeTo(end, 9)])
  })

  test('has the direction of its coordinates', () => {
    expect(axisDomain([10, 5, 0], 'linear', 0.1)).toEqual([11, -1])
    expect(axisDomain([-1, 0], 'log', 0.1)).toBeUndefined()
  })
})

describe('the range that a user chose', () => {
  test('has the ends of the data where none is chosen', () => {
    expect(chosenDomain([null, 5], [1, 9])).toEqual([1, 5])
  })

  test.each([
    [[5, 1], 'linear', [1, 9], { minGreater: true }],
    [[2, 3], 'linear', [2, 3], { minError: false, maxError: false }],
    [[-1, 3], 'log', [1, 3], { minError: true, maxError: false }],
    [[-2, -1], 'log', [1, 9], { minError: true, maxError: true }],
    [[-2, 0.5], 'log', [0.5, 0.5], { minError: true, maxError: false }],
  ] as const)('%j on a scale %s is %j', ([from, to], scale, domain, errors) => {
    expect(safeDomain([from, to], [1, 9], scale)).toEqual([domain, errors])
  })
})
