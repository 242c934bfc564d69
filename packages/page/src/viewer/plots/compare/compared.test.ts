import { expect, test } from 'vitest'
import { axisOf } from '../../data/axis.ts'
import { contentsOf } from '../../data/test-contents.ts'
import type { Reference } from '../../view-address.ts'
import { lineOf, lineRequests, lineSettings, noteOfLine } from '../models/line.ts'
import { axesOf, xDomainOf } from '../models/line-axis.ts'
import { newPlot } from '../models/test-plots.ts'
import { findCompared } from './compared.ts'

const FILES = {
  '/a': contentsOf({
    '/': {},
    '/short': { shape: [5], attributes: { units: 'K' } },
    '/stack': { shape: [3, 20] },
    '/other': { shape: [7, 30] },
    '/none': { shape: [0] },
    '/one': { shape: [] },
  }),
  '/b': contentsOf({ '/': {}, '/short': { shape: [9], attributes: { units: 'K' } } }),
}

function find(...references: readonly Reference[]) {
  const contentsIn = (file = '/a') => FILES[file as '/a' | '/b'] ?? contentsOf({})
  return findCompared(references, contentsIn, new AbortController().signal)
}

test('datasets of this file and of another one are curves with names and axes of their own', async () => {
  const { curves, problems } = await find(['/short'], ['/short', '/b'])
  expect(problems).toEqual([])
  expect(curves.map(({ label, own }) => [label, own?.axis.length])).toEqual([
    ['/short', 5],
    ['/b /short', 9],
  ])
})

test('what cannot be drawn is said, and the others are drawn', async () => {
  const { curves, problems } = await find(['/gone'], ['/none'], ['/one'], ['/'], ['/short'])
  expect(curves.map(({ label }) => label)).toEqual(['/short'])
  expect(problems.map(text => text.split(' ')[0])).toEqual(['/gone', '/none', '/one', '/'])
})

test('a curve has the slice of the plot if its dataset has it, and its first line otherwise', async () => {
  const { curves } = await find(['/stack'], ['/other'], ['/short'])
  const uses = (slice: readonly (number | 'x')[]) => curves.map(curve => curve.uses(slice))
  expect(uses([2, 'x'])).toEqual([[2, 'x'], [2, 'x'], ['x']])
  expect(uses([5, 'x'])).toEqual([[0, 'x'], [5, 'x'], ['x']])
  // Its axis is the one that it had from the beginning.
  expect(uses(['x', 1])).toEqual([[0, 'x'], [0, 'x'], ['x']])
})

test('curves are read of their file as far as they are in sight on their own axis', async () => {
  const { curves } = await find(['/short', '/b'])
  const subject = lineOf(newPlot({ shape: [100] }), {}, curves)
  const x = subject.axis && axisOf(subject.axis, undefined, false)
  if (x === undefined) throw new Error('a line has an axis')
  const sight = { x: [2, 6], y: [0, 1], width: 50, height: 50 } as const
  const requests = lineRequests(subject, subject.curves, { x, zoom: { x: [2, 6] }, sight }, [])
  expect(requests.map(({ tiles, sight }) => [tiles, sight])).toEqual([
    [undefined, [2, 7]],
    [curves[0]?.own?.tiles, [2, 7]],
  ])
  expect(curves[0]?.own?.tiles).toBeDefined()
  expect(xDomainOf(axesOf(x, subject.curves), 'linear')[1]).toBeCloseTo(99.99, 0)
})

test('the note says which curves have other units, and what is not drawn', async () => {
  const { curves, problems } = await find(['/short'], ['/gone'])
  const noteFor = (units: string) => {
    const subject = lineOf(newPlot({ shape: [4], attributes: { units } }), {}, curves)
    const values = Float64Array.of(1, 2)
    const points = {
      extent: { start: 0, stop: 2, block: 1 },
      positions: values,
      values,
      progress: undefined,
    }
    const loaded = { points, overview: points, isComplete: true, error: undefined }
    return noteOfLine(subject, lineSettings(subject, {}), [loaded], problems)
  }
  expect(noteFor('m')).toContain('/short has other units (y: K instead of m). /gone is not drawn')
  expect(noteFor('K')).not.toContain('other units')
})
