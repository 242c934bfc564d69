// Queries over scalars that lie each in elements of its own.

import { describe, expect, it } from 'vitest'
import type { Datatype } from '../../../model/datatype/datatype.ts'
import { elementsFromJson } from '../../../model/json/json-tree.ts'
import { PREFIXED_REFERENCES } from '../../../model/values/references.ts'
import { parseQuery } from './parse.ts'
import { compileScalarQuery, type Scalar } from './scalars.ts'

const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const U64: Datatype = { class: 'H5T_INTEGER', size: 8, signed: false, order: 'BE' }
const F32: Datatype = { class: 'H5T_FLOAT', size: 4, order: 'LE' }
const FIXED: Datatype = {
  class: 'H5T_STRING',
  length: 6,
  charSet: 'H5T_CSET_ASCII',
  strPad: 'H5T_STR_SPACEPAD',
}
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

function query(text: string) {
  return compileScalarQuery(parseQuery(text, 'words'), PREFIXED_REFERENCES)
}

function scalar(type: Datatype, json: string | number | bigint): Scalar {
  return { type, value: elementsFromJson(type, [], json, PREFIXED_REFERENCES) }
}

describe('names', () => {
  it.each([
    ['a == 1', ['a']],
    ["a == 1 AND (b IN (1, 2) OR NOT 'c d' > 2) XOR a < 7", ['a', 'b', 'c d']],
    ["x > 0 where y in ('n')", ['x', 'y']],
  ])('%s', (text, names) => {
    expect(query(text).names).toEqual(names)
  })
})

describe('matches', () => {
  it('strings of variable length lie behind one another', () => {
    const { matches } = query("a == 'first' AND b == 2 AND c == 'third' AND d == 'x'")
    const [a, b, d] = [scalar(TEXT, 'first'), scalar(I32, 2), scalar(FIXED, 'x')]
    expect(matches([a, b, scalar(TEXT, 'third'), d])).toBe(true)
    expect(matches([a, b, scalar(TEXT, 'thir'), d])).toBe(false)
    expect(matches([scalar(TEXT, ''), b, scalar(TEXT, 'third'), d])).toBe(false)
    expect(query("a == '' AND b == 'b'").matches([scalar(TEXT, ''), scalar(TEXT, 'b')])).toBe(true)
  })

  it('numbers compare as in datasets: exact, and never with NaN', () => {
    const max = 2n ** 64n - 1n
    expect(query(`n == ${max}`).matches([scalar(U64, max)])).toBe(true)
    expect(query(`n == ${max}`).matches([scalar(U64, max - 1n)])).toBe(false)
    expect(query('n > 2.5').matches([scalar(I32, 3)])).toBe(true)
    expect(query('n > 0 OR n <= 0').matches([scalar(F32, Number.NaN)])).toBe(false)
  })

  it('what cannot be compared does not match, whatever else holds, and the next one may', () => {
    const { matches } = query('n > 1 OR m == 1')
    expect(matches([scalar(TEXT, '2'), scalar(I32, 1)])).toBe(false)
    expect(matches([scalar(I32, 2), scalar(I32, 0)])).toBe(true)
    expect(matches([scalar(F32, 2), scalar(I32, 0)])).toBe(true)
    expect(matches([scalar(I32, 1), scalar(TEXT, '1')])).toBe(false)
  })
})
