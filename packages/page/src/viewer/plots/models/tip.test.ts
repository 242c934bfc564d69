import type { Datatype } from '@hyperslab/client'
import { expect, test } from 'vitest'
import type { PlotAxis } from '../../data/axis.ts'
import type { CurvePoints } from '../../data/curves.ts'
import { meaningOf } from '../../meaning/values.ts'
import { DOUBLE } from './test-plots.ts'
import { placeAt, pointText } from './tip.ts'

const STRING: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
const NUMBERS = meaningOf(DOUBLE, new Map())
const units = { name: 'units', type: STRING, shape: [], data: ['days since 2000-01-01'] }
const TIMES = meaningOf(DOUBLE, new Map([['units', units]]))

function pointsOf(block: number, positions: readonly number[], values: readonly number[]): CurvePoints {
  const extent = { start: 0, stop: 8, block }
  const parts = { positions: Float64Array.from(positions), values: Float64Array.from(values) }
  return { extent, ...parts, progress: undefined } as unknown as CurvePoints
}

const AXIS = {
  length: 31,
  name: 'D0',
  label: undefined,
  toCoordinate: (position: number) => position,
  format: undefined,
}
const axis = (parts: object) => ({ ...AXIS, ...parts }) as unknown as PlotAxis

test.each<[number, object, number, string, number]>([
  [3.4, {}, 1, 'D0 = 3', 3],
  [3.9, {}, 4, 'D0 = 3', 3],
  [-2, {}, 1, 'D0 = 0', 0],
  [99, {}, 1, 'D0 = 30', 30],
  [15, { label: 'time', format: TIMES.formatUnpacked }, 1, 'time = 2000-01-16', 15],
])('at the position %d of an axis with %j, in blocks of %d', (position, parts, block, place, index) => {
  expect(placeAt(position, axis(parts), pointsOf(block, [], []))).toEqual({ place, index })
})

test('the numbers are those of the element, or the extremes of its block', () => {
  expect(pointText(pointsOf(1, [0, 1], [5, 7]), 1, NUMBERS)).toBe('7')
  expect(pointText(pointsOf(1, [0, 1], [5, 15]), 1, TIMES)).toBe('2000-01-16')
  expect(pointText(pointsOf(4, [0, 2, 4, 6], [1, 2, 3, 4]), 5, NUMBERS)).toBe('3 to 4')
  expect([pointText(undefined, 0, NUMBERS), pointText(pointsOf(1, [0], [5]), -1, NUMBERS)]).toEqual([
    '–',
    '–',
  ])
})
