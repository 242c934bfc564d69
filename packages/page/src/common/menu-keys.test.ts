import { expect, test } from 'vitest'
import { itemForKey } from './menu-keys.ts'

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, 0],
  ['ArrowDown', -1, 0],
  ['ArrowUp', 2, 1],
  ['ArrowUp', 0, 2],
  ['ArrowUp', -1, 2],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['x', 0, undefined],
  ['Tab', 0, undefined],
])('in a menu of 3 items %s leads from item %i to %s', (key, at, next) => {
  expect(itemForKey(key, at, 3)).toBe(next)
})
