import { expect, test } from 'vitest'
import type { Plot } from '../../data/plot.ts'
import { formatView, parseView, type View } from '../../view-address.ts'
import { chosenNumber, followModel } from './follow.ts'
import { newPlot } from './test-plots.ts'

function plotOf(dims: readonly number[], maxdims?: readonly number[]): Plot {
  const plot = newPlot({ shape: dims })
  const object = { class: 'dataset', shape: { class: 'H5S_SIMPLE', dims, maxdims } }
  return { ...plot, signal: { ...plot.signal, object: object as never } }
}

const log = plotOf([200], [0])
const frames = plotOf([3, 4], [0, 4])
const address = (view: Partial<View>) => formatView(parseView(formatView(view)))

test.each([
  [[200], [0], true],
  [[200], [300], true],
  [[200], [200], false],
  [[200], undefined, false],
  // The other dimensions have no end to follow.
  [[3, 4], [3, 0], false],
])('a dataset of %j, at most %j, has an end to follow: %s', (dims, maxdims, expected) => {
  const facts = { plot: plotOf(dims, maxdims), uses: ['x'] as const, view: {} }
  expect(followModel({ ...facts, isLive: true }) !== undefined).toBe(expected)
  expect(followModel({ ...facts, isLive: false })).toBeUndefined()
})

test('a line follows the end with all or some of its last elements, and stays where it is', () => {
  const facts = { plot: log, uses: ['x'] as const, isLive: true }
  expect(followModel({ ...facts, view: {} })).toMatchObject({
    isOn: false,
    toggled: { isFollowed: true },
    numbers: undefined,
    title: 'The newest elements stay in sight.',
  })
  const followed = followModel({ ...facts, view: { isFollowed: true, last: 70 }, zoom: { x: [150, 199] } })
  expect(followed?.numbers?.slice(0, 3)).toEqual([
    ['all', 'all'],
    ['50', 'the last 50'],
    ['70', 'the last 70'],
  ])
  expect([followed?.isOn, followed?.number]).toEqual([true, '70'])
  expect(address({ isFollowed: true, last: 70, ...followed?.toggled })).toBe('zoom=150%2C199')
  const view = { isFollowed: true, zoom: { x: [0, 9] } } as const
  expect(address({ ...view, ...chosenNumber('50') })).toBe('follow=1&last=50')
  expect(address({ ...view, last: 50, ...chosenNumber('all') })).toBe('follow=1')
})

test('a slice follows the newest frame, and stays at the one that it shows', () => {
  const facts = { plot: frames, uses: [2, 'x'] as const, isLive: true }
  const followed = followModel({ ...facts, view: { isFollowed: true } })
  expect(followed).toMatchObject({ numbers: undefined, title: 'The newest frame stays in sight.' })
  expect(address({ isFollowed: true, ...followed?.toggled })).toBe('slice=2%2Cx')
})
