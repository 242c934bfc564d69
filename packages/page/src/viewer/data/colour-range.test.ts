import type { Attributes } from '@hyperslab/meaning/meaning'
import { describe, expect, it } from 'vitest'
import { meaningOf } from '../meaning/values.ts'
import { boundsOf, elementRange } from './colour-range.ts'

const INT16 = { class: 'H5T_INTEGER', base: 'H5T_STD_I16LE' } as const

const COUNTS = { count: 4, nanCount: 0, hrefs: [] }
const MEANS = { min: -1, max: 2, positiveMin: 0, strictPositiveMin: 0.5 }

const SAME = meaningOf(INT16, new Map())

describe('the range of the elements', () => {
  it('has the edges of the histogram, and ends exactly at its maximum', () => {
    const histogram = { min: -0.3, max: 0.4, counts: [1, 0, 3] }
    const range = elementRange({ ...COUNTS, min: -0.3, max: 0.4, histogram }, SAME)
    expect(range).toMatchObject({ min: -0.3, max: 0.4, counts: [1, 0, 3] })
    expect(range?.edges).toHaveLength(4)
    expect([range?.edges[0], range?.edges[3]]).toEqual([-0.3, 0.4])
  })

  it('is that of the finite elements where some are infinite, which are null in JSON', () => {
    const histogram = { min: 1, max: 3, counts: [2, 1] }
    expect(elementRange({ ...COUNTS, min: 1, max: null, histogram }, SAME)).toMatchObject({ min: 1, max: 3 })
  })

  it('has no width where all elements are the same', () => {
    const histogram = { min: 4.5, max: 5.5, counts: [0, 4] }
    expect(elementRange({ ...COUNTS, min: 5, max: 5, histogram }, SAME)).toMatchObject({ min: 5, max: 5 })
  })

  it('is absent where no element is a finite number', () => {
    expect(elementRange({ count: 0, nanCount: 4, hrefs: [] }, SAME)).toBeUndefined()
  })

  it('is that of the values for which packed numbers stand, also with a negative factor', () => {
    const factor = { form: { kind: 'float', size: 8 }, data: Float64Array.of(-0.5) } as const
    const attributes: Attributes = new Map([['scale_factor', factor]])
    const histogram = { min: -10, max: 30, counts: [1, 7] }
    expect(elementRange({ ...COUNTS, min: -10, max: 30, histogram }, meaningOf(INT16, attributes))).toEqual({
      min: -15,
      max: 5,
      counts: [7, 1],
      edges: [-15, -5, 5],
    })
  })
})

describe('the bounds of the colours', () => {
  const range = { counts: [], edges: [] }

  it('are those of the means until the elements are known', () => {
    expect(boundsOf(MEANS, undefined)).toBe(MEANS)
    expect(boundsOf(undefined, undefined)).toBeUndefined()
  })

  it('are those of the elements, also for scales without negative numbers', () => {
    expect(boundsOf(MEANS, { ...range, min: 0.01, max: 90 })).toEqual({
      min: 0.01,
      max: 90,
      positiveMin: 0.01,
      strictPositiveMin: 0.01,
    })
  })

  it('begin at the least positive mean for scales that have no place for the least element', () => {
    expect(boundsOf(MEANS, { ...range, min: -70, max: 90 })).toEqual({ ...MEANS, min: -70, max: 90 })
    expect(boundsOf(MEANS, { ...range, min: 0, max: 90 })).toMatchObject({
      positiveMin: 0,
      strictPositiveMin: 0.5,
    })
  })
})
