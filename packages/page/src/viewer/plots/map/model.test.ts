import { expect, it } from 'vitest'
import type { Picture } from '../../data/image.ts'
import { mapTip, picturesOf, windowAt } from './model.ts'
import { PROJECTIONS } from './projection.ts'

const extent = { start: 0, stop: 2, block: 1 }
const picture: Picture = {
  y: extent,
  x: extent,
  rows: 2,
  columns: 2,
  depth: 1,
  data: Float64Array.of(1, 2, 3, Number.NaN),
  progress: undefined,
}
const raster = { x: [0, 20], y: [40, 60], width: 2, height: 2 } as const
const drawn = { picture, raster, cells: Int32Array.of(0, 1, -1, 3), corners: {} as never }

it.each([
  [[5, 45], '45°N, 5°E', '1'],
  [[15, 45], '45°N, 15°E', '2'],
  // No cell, a cell without a number, and no pixel.
  [[5, 55], '55°N, 5°E', '–'],
  [[15, 55], '55°N, 15°E', 'NaN'],
  [[25, 45], '45°N, 25°E', '–'],
] as const)('the tip at %j', (place, text, value) => {
  expect(mapTip([...place], [drawn], PROJECTIONS.plane)).toEqual({ place: text, value })
})

it('the part in sight is told before all', () => {
  const fine = {
    ...drawn,
    picture: { ...picture, data: Float64Array.of(9, 9, 9, 9) },
    cells: Int32Array.of(0, -1, -1, -1),
  }
  expect(mapTip([5, 45], [fine, drawn], PROJECTIONS.plane).value).toBe('9')
  expect(mapTip([15, 45], [fine, drawn], PROJECTIONS.plane).value).toBe('2')
})

it('a zoom has both axes, and goes either way', () => {
  expect(windowAt({ x: [10, 0], y: [3, 5] })).toEqual({ x: [0, 10], y: [3, 5] })
  expect(windowAt({ x: [10, 0] })).toBeUndefined()
  expect(windowAt(undefined)).toBeUndefined()
})

it('a part is drawn above all; what is not zoomed is one picture', () => {
  const other = { ...picture }
  const known = { isComplete: true, error: undefined }
  expect(picturesOf({ picture, overview: picture, ...known }, undefined)).toEqual({
    whole: picture,
    part: undefined,
  })
  expect(picturesOf({ picture: other, overview: picture, ...known }, { x: [0, 1] }).part).toBe(other)
  expect(picturesOf({ picture, overview: picture, ...known }, { x: [0, 1] }).part).toBeUndefined()
})
