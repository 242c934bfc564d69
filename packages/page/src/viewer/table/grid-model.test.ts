import { expect, test } from 'vitest'
import {
  cellForKey,
  cellsInSight,
  firstFor,
  isForRows,
  measured,
  moved,
  placeAt,
  rowForKey,
  rowForWheel,
} from './grid-model.ts'

const SIZE = { rowCount: 1000, columnCount: 20, columnWidth: 100, headWidth: 88, width: 600, height: 400 }

test('only the cells in sight are drawn, and one more column', () => {
  const measures = measured(SIZE)
  expect(measures).toMatchObject({ rows: 13, columns: 5, lastRow: 987, lastColumn: 15, isLong: false })
  const at = (row: number, column: number) => cellsInSight(measures, SIZE, { row, column })
  expect(at(0, 0).columns).toEqual([0, 1, 2, 3, 4, 5])
  expect([at(5000, 99).rows.at(-1), at(5000, 99).columns]).toEqual([999, [15, 16, 17, 18, 19]])
  const small = { ...SIZE, rowCount: 3, columnCount: 1 }
  expect(cellsInSight(measured(small), small, { row: 7, column: 7 })).toEqual({
    rows: [0, 1, 2],
    columns: [0],
  })
  expect(cellsInSight(measured({ ...SIZE, height: 0, width: 0 }), SIZE, { row: 0, column: 0 }).rows).toEqual([
    0,
  ])
})

test('the bar and the keys reach each row of a grid that is longer than a browser can scroll', () => {
  const rowCount = 2 ** 40
  const measures = measured({ ...SIZE, rowCount })
  expect(measures).toMatchObject({ isLong: true, lastRow: rowCount - 13, spacer: { height: 8_000_000 } })
  const way = 8_000_000 - 400
  expect(placeAt(0, 8_000_000, 400, measures.lastRow)).toBe(0)
  expect(placeAt(way, 8_000_000, 400, measures.lastRow)).toBe(measures.lastRow)
  expect(placeAt(0, 300, 400, measures.lastRow)).toBe(0)
  const to = (key: string, first: number) =>
    moved(rowForKey(key, first, measures.rows, rowCount) ?? Number.NaN, measures.lastRow, way)
  expect(to('ArrowDown', 2 ** 39).row).toBe(2 ** 39 + 1)
  expect(to('ArrowUp', 0)).toEqual({ row: 0, top: 0 })
  expect([to('PageDown', 5).row, to('PageUp', 20).row, to('Home', 2 ** 39).row]).toEqual([18, 7, 0])
  expect(to('End', 5)).toEqual({ row: measures.lastRow, top: way })
  expect(rowForKey('x', 5, 13, rowCount)).toBeUndefined()
  expect(moved(3, 0, way)).toEqual({ row: 0, top: 0 })
})

test('the wheel moves a long grid by at least a row, by lines and by pages', () => {
  const wheel = { deltaMode: 0, deltaY: 260, ctrlKey: false, shiftKey: false }
  expect(rowForWheel(wheel, 100, 13)).toBe(110)
  expect(rowForWheel({ ...wheel, deltaY: -1 }, 100, 13)).toBe(99)
  expect(rowForWheel({ ...wheel, deltaMode: 1, deltaY: 3 }, 100, 13)).toBe(103)
  expect(rowForWheel({ ...wheel, deltaMode: 2, deltaY: -1 }, 100, 13)).toBe(87)
  expect([wheel, { ...wheel, ctrlKey: true }, { ...wheel, shiftKey: true }].map(isForRows)).toEqual([
    true,
    false,
    false,
  ])
  expect(isForRows({ ...wheel, deltaY: 0 })).toBe(false)
})

test('the arrow keys lead from cell to cell, and no further than the grid', () => {
  const to = (key: string, row: number, column: number) => cellForKey(key, { row, column }, SIZE)
  expect(to('ArrowDown', 4, 5)).toEqual({ row: 5, column: 5 })
  expect(to('ArrowLeft', 4, 5)).toEqual({ row: 4, column: 4 })
  expect([to('ArrowUp', 0, 5), to('ArrowLeft', 4, 0), to('Enter', 4, 5)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect([to('ArrowDown', 999, 0), to('ArrowRight', 0, 19)]).toEqual([undefined, undefined])
  expect([firstFor(4, 5, 10), firstFor(5, 5, 10), firstFor(14, 5, 10), firstFor(15, 5, 10)]).toEqual([
    4, 5, 5, 6,
  ])
})
