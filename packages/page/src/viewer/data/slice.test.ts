import { describe, expect, test } from 'vitest'
import type { DimensionUse, View } from '../view-address.ts'
import type { Plot } from './plot.ts'
import { type DrawnAxes, selectionOf, slicedBy, withUse } from './slice.ts'

const LINE: DrawnAxes = { axes: ['x'] }
const IMAGE: DrawnAxes = { axes: ['y', 'x'] }
const MAP: DrawnAxes = { axes: ['y', 'x'], usual: { x: 0, y: 2 } }
const RGB: DrawnAxes = { axes: ['y', 'x'], colours: 3 }
const PLANES: DrawnAxes = { axes: ['y', 'x'], colours: 1 }

/** The parts that a slice depends on. */
function plotWith(shape: readonly number[], slice?: readonly DimensionUse[]): Plot {
  return { signal: { dataset: { shape } }, slice } as unknown as Plot
}

describe('the slice of a view', () => {
  test.each<
    readonly [
      readonly number[],
      View,
      DrawnAxes,
      readonly DimensionUse[] | undefined,
      readonly DimensionUse[],
    ]
  >([
    [[5], {}, LINE, undefined, ['x']],
    [[4, 5], {}, LINE, undefined, [0, 'x']],
    [[4, 5], {}, IMAGE, undefined, ['y', 'x']],
    [[3, 4, 5], {}, IMAGE, undefined, [0, 'y', 'x']],
    [[2, 4, 5, 3], {}, RGB, undefined, [0, 'y', 'x', ':']],
    [[2, 3, 4, 5], {}, PLANES, undefined, [0, ':', 'y', 'x']],
    [[2, 3, 4, 5], { slice: [1, ':', 'x', 'y'] }, PLANES, undefined, [1, ':', 'x', 'y']],
    [[2, 3, 4, 5], { slice: [1, 'y', 'x', ':'] }, PLANES, undefined, [0, ':', 'y', 'x']],
    [[3, 4, 5], { slice: ['x', 1, 'y'] }, IMAGE, undefined, ['x', 1, 'y']],
    [[3, 4, 5], { slice: ['x', 9, 'y'] }, IMAGE, undefined, [0, 'y', 'x']],
    [[3, 4, 5], { slice: ['x', 1, 2] }, IMAGE, undefined, [0, 'y', 'x']],
    [[3, 4, 5], { slice: ['y', 'x'] }, IMAGE, undefined, [0, 'y', 'x']],
    [[3, 4, 5], {}, IMAGE, [2, 'y', 'x'], [2, 'y', 'x']],
    [[3, 4, 5], {}, LINE, [2, 'y', 'x'], [0, 0, 'x']],
    [[3, 4, 5], { isFollowed: true }, IMAGE, undefined, [2, 'y', 'x']],
    [[3, 4, 5], { isFollowed: true, slice: ['x', 1, 'y'] }, IMAGE, undefined, ['x', 1, 'y']],
    [[0, 4, 5], {}, IMAGE, undefined, [0, 'y', 'x']],
    [[3, 4, 5], {}, MAP, undefined, ['x', 0, 'y']],
    [[3, 4, 5], { slice: [2, 'y', 'x'] }, MAP, undefined, [2, 'y', 'x']],
  ])('of %j with %j', (shape, view, drawn, given, uses) => {
    expect(slicedBy(plotWith(shape, given), view, drawn)).toEqual(uses)
  })

  test('gives an axis from one dimension to another', () => {
    expect(withUse([0, 'y', 'x'], 0, 'x')).toEqual(['x', 'y', 0])
    expect(withUse([0, 'y', 'x'], 1, 'x')).toEqual([0, 'x', 'y'])
    expect(withUse([0, 'y', 'x'], 0, 3)).toEqual([3, 'y', 'x'])
    expect(withUse([0, 'y', 'x'], 2, 'x')).toEqual([0, 'y', 'x'])
  })

  test('is asked for as indices', () => {
    expect(selectionOf(['x', 3, 'y'])).toEqual([undefined, 3, undefined])
    expect(selectionOf(['y', 'x'])).toBeUndefined()
  })
})
