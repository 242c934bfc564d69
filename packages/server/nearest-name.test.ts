import { expect, test } from 'vitest'
import { likelyName, nearestName } from './nearest-name.ts'

const NAMES = ['Limit', 'keep_root', 'meta_only', 'h5path']

test.each([
  ['limit', 'Limit'],
  ['keeproot', 'keep_root'],
  ['keep_rooot', 'keep_root'],
  ['h5paths', 'h5path'],
  ['path', undefined],
  ['getdnids', undefined],
  ['_', undefined],
  ['x'.repeat(1e6), undefined],
])('%.20s may have been meant as %s', (name, expected) => {
  expect(likelyName(name, NAMES)).toBe(expected)
})

test('the nearest of names', () => {
  expect(nearestName('metaonly', NAMES)).toBe('meta_only')
  expect(nearestName('a', [])).toBeUndefined()
})
