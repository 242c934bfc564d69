import type { Datatype, StringType } from '@hyperslab/model/datatype'
import { describe, expect, it } from 'vitest'
import { elementConversion } from './element-conversion.ts'

const NONE = new Uint8Array(0)
const string = (
  length: StringType['length'],
  strPad: StringType['strPad'] = 'H5T_STR_NULLTERM',
): Datatype => ({
  class: 'H5T_STRING',
  length,
  charSet: 'H5T_CSET_ASCII',
  strPad,
})
const enumOf = (members: Readonly<Record<string, number>>): Datatype => ({
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' },
  members: Object.entries(members).map(([name, value]) => ({ name, value })),
})

describe('elements in another type', () => {
  it.each([
    ['H5T_STR_NULLTERM', 'a\0bc', 'a\0\0\0bc\0\0'],
    ['H5T_STR_NULLPAD', 'a\0bc', 'a\0\0\0bc\0\0'],
    ['H5T_STR_SPACEPAD', 'a bc', 'a   bc  '],
  ] as const)('are longer strings, padded as %s', async (strPad, stored, expected) => {
    const data = new TextEncoder().encode(stored)
    const convert = elementConversion(string(2, strPad), string(4, strPad))
    const converted = await convert?.({ count: 2, data, heap: NONE })
    expect(converted && new TextDecoder().decode(converted.data)).toBe(expected)
  })

  it('are the same numbers of an enum with more names', async () => {
    const elements = { count: 2, data: Uint8Array.of(2, 7), heap: NONE }
    const convert = elementConversion(enumOf({ b: 2, a: 1 }), enumOf({ a: 1, b: 2, c: 3 }))
    expect(await convert?.(elements)).toEqual(elements)
  })

  it.each([
    [string(4), string(2)],
    [string(2), string(4, 'H5T_STR_SPACEPAD')],
    [string('H5T_VARIABLE'), string(4)],
    [enumOf({ a: 1, b: 2 }), enumOf({ a: 1 })],
    [enumOf({ a: 1 }), enumOf({ a: 2 })],
    [enumOf({ a: 1 }), string(2)],
  ])('are refused where they would change', (from, to) => {
    expect(elementConversion(from, to)).toBeUndefined()
  })
})
