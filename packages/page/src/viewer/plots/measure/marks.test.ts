import { expect, test } from 'vitest'
import { axisOf } from '../../data/axis.ts'
import { parseView, type Span } from '../../view-address.ts'
import { lineOf } from '../models/line.ts'
import { newPlot } from '../models/test-plots.ts'
import {
  drawnMark,
  elementsBetween,
  elementsWithin,
  type Mark,
  markButtons,
  markChange,
  markLayers,
  markOf,
  usualMark,
} from './marks.ts'

const ALL = { x: [0, 10], y: [5, -5] } as const

test('the address has the mark of a drawing, of the kinds that it has', () => {
  const view = parseView('box=1,2,3,4&interval=0,1')
  expect(markOf(view, ['profile', 'box'])).toEqual({ kind: 'box', ends: [1, 2, 3, 4] })
  expect(markOf(view, ['interval'])).toEqual({ kind: 'interval', ends: [0, 1] })
  expect(markOf(view, ['profile'])).toBeUndefined()
})

test('another mark takes the place of the former one, with as many digits as anybody reads', () => {
  const change = markChange({ kind: 'profile', ends: [1 / 3, 0, 1, 2] })
  expect(change).toEqual({ profile: [0.3333333333, 0, 1, 2], box: undefined, interval: undefined })
})

test.each<Mark>([
  { kind: 'profile', ends: [0, 0, 10, 0] },
  { kind: 'box', ends: [2.5, 2.5, 7.5, -2.5] },
  { kind: 'interval', ends: [2.5, 7.5] },
])('before the user draws a $kind it is in the middle', mark => {
  expect(usualMark(mark.kind, ALL)).toEqual(mark)
})

test('a drawn mark ends where the axes do, whichever way they go', () => {
  const from = { x: -3, y: 7 }
  const to = { x: 4, y: -9 }
  expect(drawnMark('box', from, to, ALL)).toEqual({ kind: 'box', ends: [0, 5, 4, -5] })
  expect(drawnMark('interval', from, to, ALL)).toEqual({ kind: 'interval', ends: [0, 4] })
})

test('a mark that is drawn has the digits that are seen', () => {
  const [from, to] = [
    { x: 20.99617321, y: 0 },
    { x: 214.5018099, y: 0 },
  ]
  const all = { x: [0, 5e7], y: [0, 1] } as const
  const drawn = (...x: Span) => drawnMark('interval', from, to, all, { x, y: [0, 1] }).ends
  expect(drawn(...all.x)).toEqual([0, 0])
  expect(drawn(0, 300)).toEqual([21, 214.5])
  expect(drawn(0, 3)).toEqual([20.9962, 214.5018])
  expect(drawn(5, 5)).toEqual([20.99617321, 214.5018099])
})

test('a pressed button ends to measure, another one begins', () => {
  const { profile, box } = markButtons(['profile', 'box'], { box: [0, 0, 1, 1] }, ALL)
  expect(box).toEqual({
    isOn: true,
    toggled: { profile: undefined, box: undefined, interval: undefined },
  })
  expect(profile).toMatchObject({ isOn: false, toggled: { profile: [0, 0, 10, 0], box: undefined } })
  expect(markButtons(['box'], {}, undefined).box).toEqual({ isOn: false, toggled: undefined })
})

test('a mark is drawn as lines with a border: a box is closed, an interval has two', () => {
  const lines = (mark: Mark) => markLayers(mark, [-1, 1]).map(({ x, y }) => [[...x], [...y]])
  const box = [
    [1, 3, 3, 1, 1],
    [2, 2, 4, 4, 2],
  ]
  expect(lines({ kind: 'box', ends: [1, 2, 3, 4] })).toEqual([box, box])
  const interval = [
    [1, 1, Number.NaN, 3, 3],
    [-1, 1, Number.NaN, -1, 1],
  ]
  expect(lines({ kind: 'interval', ends: [1, 3] })).toEqual([interval, interval])
  expect(markLayers(undefined, [0, 1])).toEqual([])
})

test.each([
  [1.4, 3.6, [1, 2, 3]],
  [1.6, 3.4, [2]],
  [3.6, 1.4, [1, 2, 3]],
  [2.5, 7.5, [2, 3, 4, 5, 6]],
  [2.1, 2.3, [2]],
  [-4, 0.7, [0]],
  [8, 20, [8, 9]],
  [-4, 20, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [10, 10, [9]],
  [11, 12, []],
  [-3, -1, []],
])('elements whose middle is between %d and %d of ten are %j', (from, to, expected) => {
  const part = elementsBetween(from, to, 10)
  const elements = Array.from({ length: 10 }, (_, i) => i)
  expect(part ? elements.slice(part.start, part.stop) : []).toEqual(expected)
})

test('elements of a line are those whose coordinate is within, also where it falls', () => {
  const { axis } = lineOf(newPlot({ shape: [5] }), {})
  if (axis === undefined) throw new Error('a line has an axis')
  const falling = axisOf(axis, { step: 1, values: Float64Array.of(40, 30, 20, 10, 0) }, false)
  expect(elementsWithin([5, 30], falling)).toEqual({ start: 1, stop: 4 })
  expect(elementsWithin([12, 18], falling)).toBeUndefined()
  expect(elementsWithin([-50, 50], axisOf(axis, undefined, false))).toEqual({ start: 0, stop: 5 })
})
