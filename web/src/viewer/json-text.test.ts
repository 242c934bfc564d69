import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Datatype, Elements } from '../../../client/index.ts'
import { attributeValue, elementValue, enableBigIntJson } from './json-text.ts'

const INT = { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' } as const
const LONG = { class: 'H5T_INTEGER', base: 'H5T_STD_I64LE' } as const
const FLOAT = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' } as const
const TEXT = { class: 'H5T_STRING', length: 'H5T_VARIABLE' } as const
const COLOUR = { class: 'H5T_ENUM', base: INT, mapping: { RED: 0, GREEN: 1 } } as const
const POINT: Datatype = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'n', type: LONG },
    { name: 'xy', type: { class: 'H5T_ARRAY', base: FLOAT, dims: [2] } },
  ],
}

beforeAll(enableBigIntJson)
// Other tests of this process store integers as JSON.
afterAll(() => {
  Reflect.deleteProperty(BigInt.prototype, 'toJSON')
})

describe('the JSON of an attribute', () => {
  it.each<[string, Datatype, readonly number[] | undefined, Elements, string]>([
    ['a number', FLOAT, [], Float64Array.of(0.5), '0.5'],
    ['NaN', FLOAT, [], Float64Array.of(Number.NaN), '"NaN"'],
    ['an infinity in a list', FLOAT, [2], Float64Array.of(1, Number.NEGATIVE_INFINITY), '[1,"-Infinity"]'],
    ['numbers', INT, [3], Int32Array.of(1, 2, 3), '[1,2,3]'],
    ['a matrix', INT, [2, 2], Int32Array.of(1, 2, 3, 4), '[[1,2],[3,4]]'],
    ['no rows', INT, [0, 2], Int32Array.of(), '[]'],
    ['strings', TEXT, [2], ['a', 'b'], '["a","b"]'],
    ['the name of an enum', COLOUR, [], Int32Array.of(1), '"GREEN"'],
    ['an enum without a name', COLOUR, [2], Int32Array.of(0, 7), '["RED",7]'],
    ['a compound', POINT, [], [[5n, Float64Array.of(1, Number.NaN)]], '{"n":5,"xy":[1,"NaN"]}'],
    ['nothing', FLOAT, undefined, [], 'null'],
  ])('%s', (_name, type, shape, data, json) => {
    // Node 20 has no JSON of all digits.
    const text = JSON.stringify(attributeValue(type, shape, data)).replace('"5"', '5')
    expect(text).toBe(json)
  })

  it('is not what a program reads', () => {
    expect(attributeValue(INT, [2], Int32Array.of(1, 2))).toEqual(Int32Array.of(1, 2))
  })
})

describe('the JSON of an element', () => {
  it('has the rows of an array', () => {
    const type: Datatype = { class: 'H5T_ARRAY', base: INT, dims: [2, 2] }
    expect(JSON.stringify(elementValue(type, Int32Array.of(1, 2, 3, 4)))).toBe('[[1,2],[3,4]]')
  })

  it('has the names of members', () => {
    const value = elementValue(POINT, [5n, Float64Array.of(1, 2)])
    expect(JSON.stringify(value).replace('"5"', '5')).toBe('{"n":5,"xy":[1,2]}')
    expect(value).toEqual([5n, Float64Array.of(1, 2)])
  })

  it('has 64-bit integers of a sequence', () => {
    const value = elementValue({ class: 'H5T_VLEN', base: LONG }, BigInt64Array.of(1n, 2n ** 53n + 1n))
    expect(JSON.stringify(value).replaceAll('"', '')).toBe('[1,9007199254740993]')
  })

  it('leaves references and short numbers to the viewer', () => {
    const reference = { id: 'x' }
    expect(elementValue({ class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }, reference)).toBe(reference)
    const numbers = Int32Array.of(1)
    expect(elementValue({ class: 'H5T_VLEN', base: INT }, numbers)).toBe(numbers)
  })
})
