// Filters of files as the classic dialect shows them.

import { describe, expect, it } from 'vitest'
import { filterJson } from './filter-json.ts'

describe('a filter', () => {
  it.each([
    ['without a stored name', 1, '', [6], { id: 1, name: 'deflate', level: 6 }],
    ['with one', 1, 'gzip', [6], { id: 1, name: 'gzip', level: 6 }],
    ['without options', 2, '', [8], { id: 2, name: 'shuffle' }],
    [
      'with a negative factor',
      6,
      '',
      [0, 0xfffffffe],
      { id: 6, name: 'scaleoffset', scaleType: 'H5Z_SO_FLOAT_DSCALE', scaleOffset: -2 },
    ],
    ['of others', 32001, 'blosc', [2, 2], { id: 32001, name: 'blosc', parameters: [2, 2] }],
    ['of others without a name', 40000, '', [], { id: 40000, parameters: [] }],
  ])('%s', (_what, id, name, clientData, json) => {
    expect(Object.fromEntries(filterJson({ id, name, clientData, isOptional: true }))).toEqual(json)
  })
})
