// Positions of selections against lists of their coordinates.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AxisSet, axesOf } from './axis-set.ts'

function check(axis: AxisSet, coordinates: readonly number[], first: number, end: number): void {
  expect(axis.size).toBe(coordinates.length)
  const coordinatesToTry = Array.from({ length: 60 }, (_, c) => c)
  expect(coordinatesToTry.map(c => axis.positionsBefore(c))).toEqual(
    coordinatesToTry.map(c => coordinates.filter(coordinate => coordinate < c).length),
  )
  const [from, to] = [first, end].map(position => position % (coordinates.length + 1)).sort((a, b) => a - b)
  const found = [...axis.runs(from, to)].flatMap(({ coordinate, position, length }) =>
    Array.from({ length }, (_, i) => [position + i, coordinate + i]),
  )
  expect(found).toEqual(coordinates.map((coordinate, position) => [position, coordinate]).slice(from, to))
}

const shape = fc.record({
  start: fc.nat(9),
  block: fc.integer({ min: 1, max: 4 }),
  gap: fc.nat(3),
  count: fc.nat(5),
})

it('a regular hyperslab and the same as a list of blocks have the same positions', () => {
  fc.assert(
    fc.property(shape, fc.nat(), fc.nat(), ({ start, block, gap, count }, first, end) => {
      const stride = block + gap
      const starts = Array.from({ length: count }, (_, i) => start + i * stride)
      const coordinates = starts.flatMap(from => Array.from({ length: block }, (_, i) => from + i))
      const regular = axesOf(
        { selectType: 'H5S_SEL_HYPERSLABS', regular: [{ start, stride, count, block }] },
        [60],
      )
      check(regular[0], coordinates, first, end)
      if (count === 0) return
      const blocks = starts.map(from => ({ first: [from], last: [from + block - 1] }))
      check(axesOf({ selectType: 'H5S_SEL_HYPERSLABS', blocks }, [60])[0], coordinates, first, end)
    }),
  )
})

it('blocks that are a grid are sets along each dimension, others are not supported', () => {
  const block = (row: number, column: number) => ({ first: [row, column], last: [row + 1, column] })
  const grid = [block(4, 7), block(0, 7), block(0, 2), block(4, 2)]
  const [rows, columns] = axesOf({ selectType: 'H5S_SEL_HYPERSLABS', blocks: grid }, [9, 9])
  check(rows, [0, 1, 4, 5], 1, 3)
  check(columns, [2, 7], 0, 2)
  const others = [grid.slice(1), [block(0, 2), block(1, 2)], [block(0, 2), block(4, 3)]]
  for (const blocks of others) {
    expect(() => axesOf({ selectType: 'H5S_SEL_HYPERSLABS', blocks }, [9, 9])).toThrow(
      'selects blocks that do not form a grid',
    )
  }
})
