import { expect, test } from 'vitest'
import { axisOf } from '../../data/axis.ts'
import type { View } from '../../view-address.ts'
import { geometryOf } from '../models/geometry.ts'
import { newPlot } from '../models/test-plots.ts'
import { intervalLayers, outlineLayers, type Region, regionsIn, regionText, sliceAt } from './regions.ts'

const box = (start: readonly number[], stop: readonly number[]) => ({ start, stop })
const region = (...boxes: readonly ReturnType<typeof box>[]): Region => ({
  id: 'd-1',
  boxes,
  isAll: false,
})

test('a reference has blocks, points or nothing, and names a dataset', () => {
  const elements = [
    {
      id: 'd-1-2',
      select_type: 'H5S_SEL_HYPERSLABS',
      selection: [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    },
    {
      id: 'datasets/d-1-2',
      select_type: 'H5S_SEL_POINTS',
      selection: [
        [5, 6],
        [7, 8],
      ],
    },
    { id: '1-2', select_type: 'H5S_SEL_NONE' },
    { id: '1-2', select_type: 'H5S_SEL_ALL' },
    null,
    '',
  ]
  expect(regionsIn(elements)).toEqual([
    { id: 'd-1-2', boxes: [box([1, 2], [4, 5])], isAll: false },
    { id: 'd-1-2', boxes: [box([5, 6], [6, 7]), box([7, 8], [8, 9])], isAll: false },
    { id: 'd-1-2', boxes: [], isAll: false },
    { id: 'd-1-2', boxes: [], isAll: true },
    undefined,
    undefined,
  ])
})

test.each([
  ['50:100, 3', region(box([50, 3], [100, 4]))],
  ['1 and 2 more', region(box([1], [2]), box([3], [4]), box([5], [6]))],
  ['no elements', region()],
  ['all elements', { ...region(), isAll: true }],
])('its text is %s', (text, one) => {
  expect(regionText(one)).toBe(text)
})

test.each<[string, View, readonly unknown[]]>([
  ['the first block', {}, [7, 'y', 'x']],
  ['the address', { slice: [2, 'y', 'x'] }, [2, 'y', 'x']],
  ['the block, if the address has none of the image,', { slice: [2] }, [7, 'y', 'x']],
])('%s says which slice is shown', (_, view, uses) => {
  const plot = newPlot({ shape: [10, 20, 30] })
  expect(sliceAt(plot, view, region(box([7, 1, 1], [8, 2, 2])))).toEqual(uses)
})

test('outlines are where the elements are, the chosen one above the others and in another colour', () => {
  const axis = {
    label: 'D0',
    source: undefined,
    meaning: undefined,
    role: undefined,
    growsDown: false,
  } as const
  const axisFor = (length: number) =>
    geometryOf(axisOf({ ...axis, name: 'D0', length, coordinates: {} as never }, undefined, true))
  const geometry = { x: axisFor(30), y: axisFor(20) }
  const chosen = region(box([7, 1, 2], [9, 3, 5]), box([1, 0, 0], [2, 1, 1]))
  const other = region(box([0, 0, 0], [10, 1, 1]))
  const layers = outlineLayers({ regions: [chosen, other], chosen }, [8, 'y', 'x'], geometry)
  const none = Number.NaN
  expect(layers.map(({ x }) => [...x])).toEqual([
    [0, 1, 1, 0, 0, none],
    [0, 1, 1, 0, 0, none],
    [2, 5, 5, 2, 2, none],
    [2, 5, 5, 2, 2, none],
  ])
  expect([...(layers[2]?.y ?? [])]).toEqual([1, 1, 3, 3, 1, none])
  expect(new Set(layers.map(({ colour }) => colour)).size).toBe(3)
  expect(outlineLayers({ regions: [chosen], chosen }, [5, 'y', 'x'], geometry)).toEqual([])
})

test('of a line the ends of each part are drawn, at their coordinates', () => {
  const chosen = region(box([3], [5]), box([8], [9]))
  const axis = { toCoordinate: (position: number) => 10 * position }
  const layers = intervalLayers({ regions: [chosen], chosen }, axis, [0, 1])
  expect(layers.map(({ x }) => [x[0], x.at(-1)])).toEqual([
    [30, 40],
    [30, 40],
    [80, 80],
    [80, 80],
  ])
})
