// Boxes around parts of random selections against a loop over the elements that they select.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hyperslabCase, listsCase, pointsCase } from '../../../test/arbitraries/selection.ts'
import { locator } from '../../server/service/selection/coordinates.ts'
import { partBox } from './part-box.ts'
import { planParts } from './runs.ts'
import { rowMajorStrides, selectionCount } from './selection.ts'

it('holds every element of the part, at its position in the box, and lies inside the extents', () => {
  fc.assert(
    fc.property(fc.oneof(hyperslabCase, pointsCase, listsCase), ({ selection, grid }) => {
      const locate = locator(selection)
      const at = new Float64Array(grid.dims.length)
      let count = 0
      for (const part of planParts(selection, grid)) {
        const box = partBox(part, grid)
        const strides = rowMajorStrides(box.count)
        const isInside = box.start.every(
          (first, d) =>
            first >= part.chunk[d] * grid.chunkDims[d] &&
            first + box.count[d] <= Math.min(grid.dims[d], (part.chunk[d] + 1) * grid.chunkDims[d]),
        )
        // An expectation for each would take most of the time.
        if (!isInside) expect({ box, part, grid }).toBe('a box in its chunk')
        box.part.runs((offset, stride, position, length) => {
          for (let i = 0; i < length; i++) {
            locate(position + i, at, 0)
            const expected = box.start.reduce((sum, first, d) => sum + (at[d] - first) * strides[d], 0)
            const isRight = offset + i * stride === expected
            if (isRight && expected >= box.part.first && expected < box.part.end) count++
          }
        })
      }
      expect(count).toBe(selectionCount(selection))
    }),
    { numRuns: 200 },
  )
})

it('is no larger than a column of a chunk when a column is selected', () => {
  const selection = {
    kind: 'hyperslab',
    start: [0, 5],
    stride: [1, 1],
    count: [8, 1],
    block: [1, 1],
  } as const
  const grid = { dims: [8, 8], chunkDims: [8, 8] }
  const [part] = planParts(selection, grid)
  expect(partBox(part, grid)).toMatchObject({ start: [0, 5], count: [8, 1] })
})
