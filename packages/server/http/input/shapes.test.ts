// Dataspaces of requests.

import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonValue } from '../../../../test/arbitraries/json.ts'
import { elementCount } from '../../../model/dataset/dataspace.ts'
import { parseJson } from '../../../model/json/json-parser.ts'
import { parseAnyShape, parseShape } from './shapes.ts'

/** Both parts as JSON; an empty string is a part left out. */
const parse = (shape: string, maxdims = '') =>
  parseAnyShape(shape ? parseJson(shape) : undefined, maxdims ? parseJson(maxdims) : undefined)

describe('parseShape', () => {
  test.each(['"H5S_NULL"', '[2,3]', '5', '[]'])('the same: %s', shape => {
    expect(parseShape(parseJson(shape), undefined)).toEqual(parse(shape))
  })

  test.each([
    '"H5S_SCALAR"',
    '{"class":"H5S_SCALAR"}',
    '{"class":"H5S_NULL"}',
    '{"class":"H5S_SIMPLE","dims":[2]}',
  ])('no shape: %s', shape => {
    expect(() => parseShape(parseJson(shape), undefined)).toThrow('must be a whole number from 0 to 2^53 - 1')
  })
})

describe('parseAnyShape', () => {
  test.each(['', '[]', '"H5S_SCALAR"', '{"class":"H5S_SCALAR"}', '{"class":"H5S_SIMPLE","dims":[]}'])(
    'scalar: %s',
    shape => {
      expect(parse(shape)).toEqual({ class: 'H5S_SCALAR' })
      expect(parse(shape, '[]')).toEqual({ class: 'H5S_SCALAR' })
    },
  )

  test.each(['"H5S_NULL"', '{"class":"H5S_NULL"}'])('null: %s', shape => {
    expect(parse(shape)).toEqual({ class: 'H5S_NULL' })
  })

  test.each([
    ['5', [5]],
    ['0', [0]],
    ['-0', [0]],
    ['[2,3]', [2, 3]],
    ['[0,3,0]', [0, 3, 0]],
    ['{"class":"H5S_SIMPLE","dims":[2,3]}', [2, 3]],
    ['9007199254740991', [Number.MAX_SAFE_INTEGER]],
    ['[0,9007199254740991,9007199254740991]', [0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]],
    [`[${Array.from({ length: 32 }, () => 1)}]`, Array.from({ length: 32 }, () => 1)],
  ])('simple: %s', (shape, dims) => {
    expect(parse(shape)).toStrictEqual({ class: 'H5S_SIMPLE', dims })
  })

  test.each([
    ['5', '5', [5], [5]],
    ['[10,10]', '[10,20]', [10, 10], [10, 20]],
    ['[10]', '0', [10], ['H5S_UNLIMITED']],
    ['[10]', '"H5S_UNLIMITED"', [10], ['H5S_UNLIMITED']],
    ['[0,3]', '["H5S_UNLIMITED",0]', [0, 3], ['H5S_UNLIMITED', 'H5S_UNLIMITED']],
    ['{"class":"H5S_SIMPLE","dims":[2],"maxdims":[4]}', '', [2], [4]],
    ['{"class":"H5S_SIMPLE","dims":[2],"maxdims":[4]}', '[6]', [2], [6]],
    ['[1]', '[9007199254740991]', [1], [Number.MAX_SAFE_INTEGER]],
  ])('with maxdims: %s %s', (shape, maxdims, dims, maxima) => {
    expect(parse(shape, maxdims)).toStrictEqual({ class: 'H5S_SIMPLE', dims, maxdims: maxima })
  })

  test.each([
    ['-5', '', 'a whole number from 0 to 2^53 - 1, not -5'],
    ['[2,-1]', '', 'the shape [2,-1] is malformed'],
    ['1.5', '', 'not 1.5'],
    ['true', '', 'not true'],
    ['[true]', '', 'not true'],
    ['["2"]', '', 'not "2"'],
    ['[[2]]', '', 'not [2]'],
    ['null', '', 'not null'],
    ['NaN', '', 'not NaN'],
    ['Infinity', '', 'not Infinity'],
    ['9007199254740992', '', 'not 9007199254740992'],
    ['[99999999999999999999999]', '', 'not 99999999999999999999999'],
    ['"H5S_SIMPLE"', '', 'not "H5S_SIMPLE"'],
    ['"10"', '', 'not "10"'],
    ['{}', '', 'H5S_NULL, H5S_SCALAR or H5S_SIMPLE, not null'],
    ['{"class":"H5S_ALL"}', '', 'not "H5S_ALL"'],
    ['{"dims":[2]}', '', 'not null'],
    ['{"class":"H5S_SIMPLE"}', '', 'needs a list "dims", not null'],
    ['{"class":"H5S_SIMPLE","dims":2}', '', 'needs a list "dims", not 2'],
    ['{"class":"H5S_NULL","dims":[2]}', '', 'a shape of class H5S_NULL cannot have "dims"'],
    ['{"class":"H5S_SCALAR","dims":[]}', '', 'a shape of class H5S_SCALAR cannot have "dims"'],
    [`[${Array.from({ length: 33 }, () => 1)}]`, '', 'at most 32 dimensions, not 33'],
    ['[94906266,94906266,2]', '', 'more than 2^53 elements'],
    ['[9007199254740991,2]', '[0,0]', 'more than 2^53 elements'],
    ['"H5S_NULL"', '0', 'a null dataspace cannot have maxdims'],
    ['{"class":"H5S_NULL"}', '[]', 'a null dataspace cannot have maxdims'],
    ['{"class":"H5S_NULL","maxdims":[2]}', '', 'a null dataspace cannot have maxdims'],
    ['', '5', 'maxdims 5 must have one entry for each of the 0 dimensions'],
    ['[]', '[0]', 'for each of the 0 dimensions'],
    ['[2,3]', '[4]', 'for each of the 2 dimensions'],
    ['[2,3]', '4', 'for each of the 2 dimensions'],
    [
      '[2,3]',
      '[4,2]',
      'entry 1 of maxdims must be 0 (unlimited) or a whole number of at least the extent 3, not 2',
    ],
    ['2', '-1', 'not -1'],
    ['2', '2.5', 'not 2.5'],
    ['2', 'true', 'not true'],
    ['2', 'null', 'not null'],
    ['2', '"unlimited"', 'not "unlimited"'],
    ['2', '9007199254740992', 'not 9007199254740992'],
    ['2', '{}', 'not {}'],
  ])('refused: %s %s', (shape, maxdims, message) => {
    expect(() => parse(shape, maxdims)).toThrow(expect.objectContaining({ code: 'malformed-shape' }))
    expect(() => parse(shape, maxdims)).toThrow(message)
  })
})

test('any values give a dataspace or malformed-shape, nothing else', () => {
  const extents = fc.oneof(jsonValue, fc.array(fc.oneof(fc.nat(9), jsonValue), { maxLength: 3 }))
  const shape = fc.oneof(
    extents,
    fc.tuple(fc.constantFrom('H5S_NULL', 'H5S_SCALAR', 'H5S_SIMPLE'), extents, extents).map(
      ([name, dims, maxdims]) =>
        new Map([
          ['class', name],
          ['dims', dims],
          ['maxdims', maxdims],
        ]),
    ),
  )
  fc.assert(
    fc.property(shape, fc.option(extents, { nil: undefined }), (shape, maxdims) => {
      try {
        expect(elementCount(parseAnyShape(shape, maxdims))).toBeGreaterThanOrEqual(0)
      } catch (error) {
        expect(error).toBeInstanceOf(HyperslabError)
        expect(error).toHaveProperty('code', 'malformed-shape')
      }
    }),
    { numRuns: 1000 },
  )
})
