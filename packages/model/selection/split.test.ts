import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hyperslabCase,
  listsCase,
  naiveCoordinates,
  pointsCase,
} from '../../../test/arbitraries/selection.ts'
import { planParts } from './runs.ts'
import { type Selection, selectionCount, selectionShape } from './selection.ts'
import { splitSelection } from './split.ts'

function all(dims: number[]): Selection {
  const ones = dims.map(() => 1)
  return { kind: 'hyperslab', start: dims.map(() => 0), stride: ones, count: dims, block: ones }
}

describe('splitSelection', () => {
  test('pieces are bounded and one after another are the selection', () => {
    fc.assert(
      fc.property(
        fc.oneof(hyperslabCase, pointsCase, listsCase),
        fc.integer({ min: 1, max: 60 }),
        ({ selection, grid }, limit) => {
          const pieces = [...splitSelection(selection, grid, limit)]
          const counts = pieces.map(selectionCount)
          expect(counts.filter(count => count <= 0 || count > limit)).toEqual([])
          expect(pieces.flatMap(naiveCoordinates)).toEqual(naiveCoordinates(selection))
        },
      ),
      { numRuns: 600 },
    )
  })

  test.each<[string, number[], number[], number, number[][]]>([
    ['a selection that fits stays whole', [10, 10], [5, 5], 100, [[10, 10]]],
    [
      'cuts fall on chunk borders',
      [10, 10],
      [4, 5],
      70,
      [
        [4, 10],
        [6, 10],
      ],
    ],
    [
      'as many whole rows of chunks as fit go into one piece',
      [12, 10],
      [2, 5],
      60,
      [
        [6, 10],
        [6, 10],
      ],
    ],
    [
      'a row of chunks that does not fit is cut between its rows',
      [4, 10],
      [4, 5],
      30,
      [
        [3, 10],
        [1, 10],
      ],
    ],
    [
      'a row that does not fit is cut at the chunks within it',
      [2, 10],
      [2, 4],
      9,
      [
        [1, 8],
        [1, 2],
        [1, 8],
        [1, 2],
      ],
    ],
  ])('%s', (_, dims, chunkDims, limit, shapes) => {
    const pieces = [...splitSelection(all(dims), { dims, chunkDims }, limit)]
    expect(pieces.map(selectionShape)).toEqual(shapes)
  })

  test('no chunk is visited by two pieces when rows of chunks fit', () => {
    const grid = { dims: [50, 40], chunkDims: [7, 9] }
    const visits = [...splitSelection(all(grid.dims), grid, 7 * 40 * 2)].flatMap(piece =>
      [...planParts(piece, grid)].map(part => part.chunk.join()),
    )
    expect(new Set(visits).size).toBe(visits.length)
  })

  test('an enormous selection is cut lazily', () => {
    const grid = { dims: [2 ** 50], chunkDims: [1000] }
    const [first] = splitSelection(all(grid.dims), grid, 2 ** 20)
    expect(selectionCount(first)).toBe(1_048_000)
  })
})
