import { expect, test } from 'vitest'
import { axisOf } from '../../data/axis.ts'
import type { CurvePoints, LoadedCurve } from '../../data/curves.ts'
import { curveLayers, type ShownCurves } from './curve-layers.ts'
import { lineOf } from './line.ts'
import { DOUBLE, newPlot } from './test-plots.ts'

const pointsOf = (values: readonly number[], start = 0): CurvePoints => ({
  extent: { start, stop: start + values.length, block: 1 },
  positions: Float64Array.from(values, (_, i) => start + i),
  values: Float64Array.from(values),
  progress: undefined,
})

const loaded = (points: CurvePoints | undefined, overview = points): LoadedCurve => ({
  points,
  overview,
  isComplete: true,
  error: undefined,
})

function layersOf(shown: readonly LoadedCurve[], parts: Partial<ShownCurves> = {}) {
  const subject = lineOf(newPlot({ shape: [4], type: DOUBLE }), {})
  const axis = subject.axis && axisOf(subject.axis, undefined, false)
  if (axis === undefined) throw new Error('a line has an axis')
  return curveLayers({ subject, shown, errors: [], axis, type: 'line', hidden: [], ...parts })
}

test('a curve goes through its points, and around the part in sight through those of all', () => {
  const [layer] = layersOf([loaded(pointsOf([7, 8], 1), pointsOf([0, 1, 2, 3]))])
  expect([...(layer?.x ?? [])]).toEqual([0, 1, 2, 3])
  expect([...(layer?.y ?? [])]).toEqual([0, 7, 8, 3])
  expect(layer).toMatchObject({ hasLine: true, hasPoints: false })
})

test('a curve of one point is a point, and one without points is none', () => {
  expect(layersOf([loaded(pointsOf([7]))])[0]).toMatchObject({ hasLine: false, hasPoints: true })
  expect(layersOf([loaded(undefined)])).toEqual([])
})

test('a curve has points, a line, or both, and is hidden by its name', () => {
  const shown = [loaded(pointsOf([1, 2]))]
  expect(layersOf(shown, { type: 'both' })[0]).toMatchObject({ hasLine: true, hasPoints: true })
  expect(layersOf(shown, { type: 'points' })[0]).toMatchObject({ hasLine: false, hasPoints: true })
  const { curves } = lineOf(newPlot({ shape: [4], type: DOUBLE }), {})
  expect(layersOf(shown, { hidden: curves.map(({ label }) => label) })).toEqual([])
})
