import { describe, expect, test } from 'vitest'
import { fillFrom, type Picture } from './image.ts'

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
