import { expect, test } from 'vitest'
import { axisAt } from '../meaning/axes.ts'
import { axisCandidates } from './axis-candidates.ts'
import { contentsOf } from './test-contents.ts'

const contents = contentsOf({
  '/': {},
  '/g': {},
  '/g/counts': { shape: [10] },
  '/g/energy': { shape: [10], attributes: { units: 'eV' } },
  '/g/edges': { shape: [11] },
  '/g/short': { shape: [9] },
  '/g/stack': { shape: [10, 10] },
  '/g/title': { shape: [] },
  '/g/more': {},
})
const { signal } = new AbortController()

test('axes that are offered have an element for each one of the line, or one more', async () => {
  expect(await axisCandidates(contents, '/g/counts', 10)).toEqual(['/g/edges', '/g/energy'])
})

test('a dataset of equal length is an axis with its name and units', async () => {
  const axis = await axisAt(contents, '/g/energy', 10, signal)
  expect(axis).toMatchObject({ name: 'energy', label: 'energy (eV)', length: 10 })
  expect((await axisAt(contents, '/g/edges', 10, signal)).coordinates.areEdges).toBe(true)
})

test.each([
  ['/g/short', 'has 9 values, the dimension has 10'],
  ['/g/stack', 'is of the shape 10 x 10'],
  ['/g/more', 'is no dataset'],
  ['/gone', 'nothing there'],
])('%s is no axis, with the reason', async (path, reason) => {
  await expect(axisAt(contents, path, 10, signal)).rejects.toThrow(reason)
})
