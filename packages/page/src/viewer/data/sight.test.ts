import { describe, expect, test } from 'vitest'
import { expectedSight } from './sight.ts'

describe('the sight before the canvas is there', () => {
  test('has the size that the axes and the bar of colours leave', () => {
    expect(expectedSight({ width: 991, height: 615 }, undefined, false)).toMatchObject({
      width: 871,
      height: 537,
    })
    expect(expectedSight({ width: 991, height: 583 }, undefined, true)).toMatchObject({
      width: 775,
      height: 505,
    })
  })

  test('has the zoom of the address', () => {
    expect(expectedSight({ width: 991, height: 583 }, { x: [10, 20], y: [1, 2] }, true)).toMatchObject({
      x: [10, 20],
      y: [1, 2],
    })
  })

  test('is not known where nothing is left', () => {
    expect(expectedSight({ width: 100, height: 583 }, undefined, false)).toBeUndefined()
  })
})
