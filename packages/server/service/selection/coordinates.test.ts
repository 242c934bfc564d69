import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  hyperslabCase,
  listsCase,
  naiveCoordinates,
  pointsCase,
} from '../../../../test/arbitraries/selection.ts'
import { locator, rankOf } from './coordinates.ts'

it('tells the coordinates of every selected element', () => {
  fc.assert(
    fc.property(fc.oneof(hyperslabCase, pointsCase, listsCase), ({ selection }) => {
      const rank = rankOf(selection)
      const locate = locator(selection)
      const into = new Float64Array(rank + 1)
      const found = naiveCoordinates(selection).map((_, position) => {
        locate(position, into, 1)
        return [...into.subarray(1)]
      })
      expect(found).toEqual(naiveCoordinates(selection))
    }),
    { numRuns: 500 },
  )
})
