import { describe, expect, test } from 'vitest'
import { type ColourScale, coloursOfNumbers, indexOnScale, shaded, tableOf } from './colours.ts'

const GREY: ColourScale = { domain: [0, 255], scale: 'linear', gamma: 1, map: 'Gray', isInverted: false }

/** The red part and the opacity of each point. */
const partsOf = (numbers: readonly number[], colours: Partial<ColourScale> = {}) => {
  const bytes = coloursOfNumbers(Float64Array.from(numbers), { ...GREY, ...colours })
  return numbers.map((_, i) => [bytes[4 * i], bytes[4 * i + 3]])
}

describe('the colours of numbers', () => {
  test('go from the first to the last of the map, and stay there', () => {
    const all = partsOf([-10, 0, 128, 255, 1000, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    expect(all.map(([red]) => red)).toEqual([0, 0, 128, 255, 255, 255, 0])
    expect(partsOf([0, 255], { isInverted: true }).map(([red]) => red)).toEqual([255, 0])
  })

  test('are none where there is no number, or the scale has no place', () => {
    expect(partsOf([Number.NaN])).toEqual([[0, 0]])
    expect(partsOf([0, -1], { scale: 'log', domain: [1, 10] })).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(partsOf([-1], { scale: 'sqrt' })).toEqual([[0, 0]])
    expect(partsOf([0], { scale: 'sqrt' })).toEqual([[0, 255]])
  })

  test.each([
    ['log', [1, 100], 10],
    ['sqrt', [0, 100], 25],
    ['symlog', [-100, 100], 0],
    ['gamma', [0, 4], 1],
  ] as const)('have the middle of a scale %s between %j at %d', (scale, [from, to], middle) => {
    expect(indexOnScale({ ...GREY, scale, domain: [from, to], gamma: 0.5 })(middle)).toBe(128)
  })

  test('below the range of a scale with an exponent are the first', () => {
    expect(indexOnScale({ ...GREY, scale: 'gamma', gamma: 0.5 })(-1)).toBe(0)
  })

  test('of one number are the first for it and for less, and the last for more', () => {
    expect(partsOf([6, 7, 8], { domain: [7, 7] }).map(([red]) => red)).toEqual([0, 0, 255])
  })

  test('tell integers of more than 24 bits apart', () => {
    const index = indexOnScale({ ...GREY, domain: [2 ** 53 - 256, 2 ** 53 - 1] })
    expect([0, 1, 2, 255].map(step => index(2 ** 53 - 256 + step))).toEqual([0, 1, 2, 255])
  })

  test('are those of the map, opaque', () => {
    const bytes = new Uint8Array(tableOf({ map: 'Viridis', isInverted: false }).buffer)
    expect([...bytes.subarray(0, 4)]).toEqual([68, 1, 84, 255])
  })
})

test('a shade takes light, and no opacity', () => {
  const colours = Uint8ClampedArray.of(200, 100, 50, 255, 200, 100, 50, 0)
  expect([...shaded(colours, Uint8Array.of(0, 0, 0, 255, 0, 0, 0, 0))]).toEqual([
    0, 0, 0, 255, 200, 100, 50, 0,
  ])
})
