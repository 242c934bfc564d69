import { describe, expect, it } from 'vitest'
import { boundsOf, joinBounds } from './bounds.ts'
import type { Selection } from './selection.ts'

const slab = (start: number[], stride: number[], count: number[], block: number[]) =>
  ({ kind: 'hyperslab', start, stride, count, block }) as const

describe('the bounds of a selection', () => {
  it.each<[string, Selection, unknown]>([
    ['a scalar', slab([], [], [], []), { start: [], stop: [] }],
    ['blocks', slab([2, 0], [5, 1], [3, 1], [2, 7]), { start: [2, 0], stop: [14, 7] }],
    ['no blocks', slab([2, 0], [5, 1], [3, 0], [2, 7]), undefined],
    [
      'points in any order',
      { kind: 'points', rank: 2, coordinates: Float64Array.of(5, 1, 3, 9) },
      { start: [3, 1], stop: [6, 10] },
    ],
    ['no points', { kind: 'points', rank: 2, coordinates: new Float64Array(0) }, undefined],
    [
      'lists in the first and last dimension',
      {
        kind: 'lists',
        listed: [0, 2],
        coordinates: Float64Array.of(4, 8, 2, 9),
        rest: slab([1], [1], [3], [1]),
      },
      { start: [2, 1, 8], stop: [5, 4, 10] },
    ],
  ])('%s', (_, selection, bounds) => {
    expect(boundsOf(selection)).toEqual(bounds)
  })

  it('are joined', () => {
    expect(joinBounds({ start: [3, 1], stop: [4, 2] }, { start: [0, 5], stop: [1, 9] })).toEqual({
      start: [0, 1],
      stop: [4, 9],
    })
  })
})
