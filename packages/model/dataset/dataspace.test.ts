// Dataspaces from `shape` and `maxdims` of a request.

import { expect, test } from 'vitest'
import { parseAnyShape } from '../../server/http/input/shapes.ts'
import { parseJson } from '../json/json-parser.ts'
import { elementCount, extentsOf, isExtensible, product } from './dataspace.ts'

/** Both parts as JSON; an empty string is a part left out. */
const parse = (shape: string, maxdims = '') =>
  parseAnyShape(shape ? parseJson(shape) : undefined, maxdims ? parseJson(maxdims) : undefined)

test.each([
  ['"H5S_NULL"', '', 0, [], false],
  ['[]', '', 1, [], false],
  ['[2,3]', '', 6, [2, 3], false],
  ['[2,3]', '[2,3]', 6, [2, 3], false],
  ['[2,3]', '[2,4]', 6, [2, 3], true],
  ['[0,3]', '[0,3]', 0, [0, 3], true],
])('elements, extents, whether they can grow: %s %s', (shape, maxdims, count, extents, extensible) => {
  const space = parse(shape, maxdims)
  expect(elementCount(space)).toBe(count)
  expect(extentsOf(space)).toEqual(extents)
  expect(isExtensible(space)).toBe(extensible)
})

test('a product is exact or refused', () => {
  expect(product([])).toBe(1)
  expect(product([3, 5])).toBe(15)
  expect(product([...Array.from({ length: 32 }, () => Number.MAX_SAFE_INTEGER), 0])).toBe(0)
  expect(() => product([2 ** 27, 2 ** 26])).toThrow('more than 2^53 elements')
})
