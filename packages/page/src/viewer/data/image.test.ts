import { describe, expect, test } from 'vitest'
import type { DimensionUse } from '../view-address.ts'
import { fill, fillFrom, type Picture } from './image.ts'

const { NaN: none } = Number

function picture(start: number, block: number, rows: readonly (readonly number[])[], depth = 1): Picture {
  const columns = (rows[0]?.length ?? 0) / depth
  const extent = (count: number) => ({ start, stop: start + count * block, block })
  const data = Float64Array.from(rows.flat())
  return {
    y: extent(rows.length),
    x: extent(columns),
    rows: rows.length,
    columns,
    depth,
    data,
    progress: undefined,
  }
}

describe('a picture that begins with the points of another one', () => {
  test('has each coarse point in all places that it covers, and keeps what lies beyond', () => {
    const next = picture(4, 1, [
      [1, none, none, none, 9],
      [none, none, none, none, none],
    ])
    fillFrom(
      next,
      picture(0, 2, [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 5, 6],
      ]),
    )
    expect([...next.data]).toEqual([5, 5, 6, 6, 9, 5, 5, 6, 6, none])
  })

  test('takes no missing number, and one of several fine points', () => {
    const next = picture(0, 2, [[7, none]])
    fillFrom(
      next,
      picture(0, 1, [
        [none, none, none, none],
        [none, none, none, 4],
      ]),
    )
    expect([...next.data]).toEqual([7, 4])
  })

  test('takes all numbers of a point, and nothing from points of another form', () => {
    const next = picture(0, 1, [[none, none, none, none]], 2)
    fillFrom(next, picture(0, 1, [[3, 3, 3, 3]]))
    expect([...next.data]).toEqual([none, none, none, none])
    fillFrom(next, picture(0, 2, [[1, 2]], 2))
    expect([...next.data]).toEqual([1, 2, 1, 2])
  })
})

test.each<readonly [readonly DimensionUse[], readonly number[]]>([
  [
    ['y', 'x', ':'],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  ],
  [
    ['y', ':', 'x'],
    [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11],
  ],
  [
    [':', 'y', 'x'],
    [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11],
  ],
  [
    [':', 7, 'x', 'y'],
    [0, 4, 8, 2, 6, 10, 1, 5, 9, 3, 7, 11],
  ],
  [
    ['x', 'y'],
    [0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11],
  ],
])('numbers in the order %j come to the points whose colours they are', (uses, numbers) => {
  const drawn = picture(0, 1, Array(2).fill(Array(6).fill(none)), 3)
  fill(
    drawn,
    drawn,
    Float64Array.from({ length: 12 }, (_, i) => i),
    uses,
  )
  expect([...drawn.data]).toEqual(numbers)
})
