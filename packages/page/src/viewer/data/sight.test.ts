import { describe, expect, test } from 'vitest'
import { placeOfLayers } from '../drawing/scene.ts'
import { expectedSight } from './sight.ts'

describe('the sight before the canvas is there', () => {
  test('has the size that the axes and the bar of colours leave', () => {
    const axis = { domain: [0, 1] as [number, number], hasGrid: false }
    // The place has 8 pixels on both sides of the canvas, and the bar 96.
    const { width, height } = placeOfLayers({ width: 975, height: 615 }, { title: '', x: axis, y: axis })
    const area = { width: 991, height: 615 }
    expect(expectedSight(area, undefined, false)).toMatchObject({ width, height })
    expect(expectedSight(area, undefined, true)).toMatchObject({ width: width - 96, height })
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
