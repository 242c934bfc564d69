import { expect, test } from 'vitest'
import type { Places } from '../../data/plot.ts'
import {
  finitePoints,
  nearestPoint,
  pointsNote,
  readPoints,
  scatterAxis,
  scatterOf,
  scatterSettings,
  scatterTip,
  scatterTools,
  stepOf,
} from './scatter.ts'
import { meaningWithout, newPlot, quantityOf } from './test-plots.ts'

const x = Float64Array.of(0, 1, Number.NaN, 3)
const y = Float64Array.of(10, 20, 30, 40)
const values = Float64Array.of(5, Number.NaN, 7, 8)

test('points without a number are left out', () => {
  expect(finitePoints({ x, y, values })).toEqual({
    x: Float64Array.of(0, 3),
    y: Float64Array.of(10, 40),
    values: Float64Array.of(5, 8),
  })
  expect(finitePoints({ x: y, y, values: y }).x).toBe(y)
})

test('the nearest point is that on the screen', () => {
  // 100 pixels for a unit of x, 1 for one of y.
  const near = (place: readonly [number, number]) => nearestPoint({ x, y }, place, [100, 1], 10)
  expect(near([0.05, 12])).toBe(0)
  expect(near([0.95, 20])).toBe(1)
  expect(near([0.5, 15])).toBeUndefined()
})

test('many points are sampled, and the note says so', () => {
  expect([0, 1, 1_000_000, 1_000_001, 3_000_000].map(count => stepOf(count))).toEqual([1, 1, 1, 8, 23])
  expect(pointsNote({ count: 5000, step: 1, isDensity: false }, 4900)).toBe(
    'All points are drawn but 100, of which a number is missing. The colours span the drawn points.',
  )
  expect(pointsNote({ count: 3_000_000, step: 23, isDensity: false }, 130_435)).toBe(
    'One of each 23 points is drawn. The colours span the drawn points.',
  )
  expect(pointsNote({ count: 5_000_000, step: 2, isDensity: true }, 2_500_000)).toBe(
    'One of each 2 points is counted. The colours say how many are in each square of 2 × 2 pixels.',
  )
})

test.each([
  [100_000, 2, 'points', 1],
  [100_001, 2, 'density', 1],
  [1_000_000, 3, 'points', 1],
  [5_000_000, 3, 'density', 2],
])('%i rows of %i numbers are drawn as %s', (count, columns, drawnAs, step) => {
  const plot = newPlot({ shape: [count, columns] })
  const places = { x: plot, y: plot, columns }
  expect(scatterOf(plot, places, {})).toMatchObject({ drawnAs, step })
  expect(scatterOf(plot, places, { curve: 'density' })).toMatchObject({ isDensity: true, label: 'Points' })
  expect(scatterOf(plot, places, { curve: 'points' }).isDensity).toBe(false)
})

const SHAPE = { shape: [4] }
const PLACES: Places = {
  x: quantityOf({ ...SHAPE, name: 'sx' }),
  y: quantityOf({ ...SHAPE, name: 'sy', attributes: { units: 'days since 2000-01-01' } }),
}

test('what is read has its missing values, and is a sample of many', async () => {
  const plot = newPlot({ ...SHAPE, name: 'counts' }, { meaning: meaningWithout(-1) })
  const asked: unknown[] = []
  const read = async ({ id }: { id: string }, options: object) => {
    asked.push([id, options])
    return { shape: [2], data: id === 'counts' ? Float64Array.of(5, Number.NaN) : Float64Array.of(1, 2) }
  }
  const { signal } = new AbortController()
  const subject = scatterOf(plot, PLACES, {})
  expect(await readPoints({ read } as never, { ...subject, step: 3 }, signal)).toEqual({
    x: Float64Array.of(1),
    y: Float64Array.of(1),
    values: Float64Array.of(5),
  })
  const select = [{ start: 0, stop: 4, step: 3 }]
  expect(asked).toEqual([
    ['sx', { select, signal }],
    ['sy', { select, signal }],
    ['counts', { select, signal, missing: '-1' }],
  ])
  // Another signal has other points.
  const other = quantityOf({ ...SHAPE, name: 'dose' })
  const both = { ...plot, auxiliaries: [other, quantityOf({ shape: [5], name: 'short' })] }
  const chosen = scatterOf(both, PLACES, { signal: 'dose' })
  expect([chosen.curve, chosen.curves, chosen.wanted === subject.wanted]).toEqual([
    other,
    [both, other],
    false,
  ])
})

test.each([
  [3, 'Column 2 (mm)', [3, 6, 9]],
  [2, 'Row', [0, 5, 10]],
])('rows of %i numbers are points whose colour is %s', async (columns, label, values) => {
  const plot = newPlot({ shape: [15, columns], attributes: { units: 'mm' } })
  const subject = scatterOf(plot, { x: plot, y: plot, columns }, {})
  const data = Float64Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9].filter(i => columns > 2 || i % 3 > 0))
  const asked: unknown[] = []
  const read = async (_: unknown, { select }: { select: unknown }) => {
    asked.push(select)
    return { data }
  }
  expect(subject.label).toBe(label)
  expect(await readPoints({ read } as never, { ...subject, step: 5 }, new AbortController().signal)).toEqual({
    x: Float64Array.of(1, 4, 7),
    y: Float64Array.of(2, 5, 8),
    values: Float64Array.from(values),
  })
  expect(asked).toEqual([[{ start: 0, stop: 15, step: 5 }, undefined]])
})

test('the tip has the numbers of the point, and an axis of times has dates', () => {
  const points = { x: Float64Array.of(0, 3), y: Float64Array.of(10, 40), values: Float64Array.of(5, 8) }
  const sight = { x: [0, 3], y: [10, 40], width: 300, height: 300 } as const
  expect(scatterTip(points, [2.98, 39.8], sight, PLACES)).toEqual({
    place: 'sx = 3, sy = 2000-02-10',
    value: '8',
  })
  expect(scatterTip(points, [1.5, 25], sight, PLACES)).toBeUndefined()
  expect(scatterAxis(PLACES.x)).toEqual({ label: 'sx' })
  expect(scatterAxis(PLACES.y).format?.(40)).toBe('2000-02-10')
})

test('the tools are those of points, and the grid is in the address when it is hidden', () => {
  const plot = newPlot({ ...SHAPE, name: 'counts' })
  const subject = scatterOf(plot, PLACES, {})
  const tools = scatterTools(subject, scatterSettings(subject, {}), {}, [0, 1])
  expect(tools.filter(({ kind }) => kind !== 'more').map(({ key }) => key)).toEqual([
    'points',
    'range',
    'colours',
    'colourScale',
    'ratio',
    'grid',
  ])
  const grid = tools.at(-1)
  expect(grid?.kind === 'toggle' && [grid.isOn, grid.toggled]).toEqual([true, { hasGrid: false }])
  expect(scatterSettings(subject, { scale: 'gamma' }).scale.value).toBe('linear')
})
