// Sizes and slots of datatypes in storage form.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { parseJson } from '../json/json-parser.ts'
import type { Datatype } from './datatype.ts'
import { elementSize, isBoolean, isVariableSize, slotCount, slotOffsets } from './layout.ts'
import { parseDatatype } from './parse.ts'

const type = (json: string) => parseDatatype(parseJson(json))

const VARIABLE = '{"class":"H5T_STRING","charSet":"H5T_CSET_UTF8","length":"H5T_VARIABLE"}'
const REGION = '{"class":"H5T_REFERENCE","base":"H5T_STD_REF_DSETREG"}'
const VLEN = `{"class":"H5T_VLEN","base":${VARIABLE}}`
const MIXED = `{"class":"H5T_COMPOUND","fields":[
  {"name":"a","type":"H5T_STD_I8LE"},
  {"name":"b","type":{"class":"H5T_ARRAY","dims":[2,2],"base":${VARIABLE}}},
  {"name":"c","type":"H5T_STD_I16LE"},
  {"name":"d","type":{"class":"H5T_COMPOUND","fields":[{"name":"e","type":${REGION}},{"name":"f","type":"H5T_STD_I8LE"}]}},
  {"name":"g","type":${VLEN}}]}`

test.each<[string, number, number[]]>([
  ['"H5T_STD_I8LE"', 1, []],
  ['"H5T_IEEE_F16BE"', 2, []],
  ['"H5T_STD_U64BE"', 8, []],
  ['{"class":"H5T_BITFIELD","base":"H5T_STD_B32LE"}', 4, []],
  ['{"class":"H5T_STRING","charSet":"H5T_CSET_ASCII","length":7}', 7, []],
  ['{"class":"H5T_OPAQUE","size":5}', 5, []],
  ['{"class":"H5T_REFERENCE","base":"H5T_STD_REF_OBJ"}', 48, []],
  ['{"class":"H5T_ENUM","base":"H5T_STD_I16LE","mapping":{"A":0}}', 2, []],
  ['{"class":"H5T_ARRAY","dims":[3,5],"base":"H5T_STD_I32LE"}', 60, []],
  [
    '{"class":"H5T_COMPOUND","fields":[{"name":"a","type":"H5T_STD_I8LE"},{"name":"b","type":"H5T_IEEE_F64LE"}]}',
    9,
    [],
  ],
  [VARIABLE, 8, [0]],
  [REGION, 8, [0]],
  [VLEN, 8, [0]],
  [`{"class":"H5T_ARRAY","dims":[3],"base":${VLEN}}`, 24, [0, 8, 16]],
  [MIXED, 52, [1, 9, 17, 25, 35, 44]],
  [`{"class":"H5T_ARRAY","dims":[2],"base":${MIXED}}`, 104, [1, 9, 17, 25, 35, 44, 53, 61, 69, 77, 87, 96]],
])('elements are packed, variable parts are slots of 8 bytes: %.80s', (json, size, offsets) => {
  expect(elementSize(type(json))).toBe(size)
  expect(slotOffsets(type(json))).toEqual(offsets)
})

test('size, slots and their number agree for every type', () => {
  fc.assert(
    fc.property(datatype, type => {
      const offsets = slotOffsets(type)
      expect(offsets).toEqual(naiveSlots(type, 0).slots)
      expect(elementSize(type)).toBe(naiveSlots(type, 0).end)
      expect(slotCount(type)).toBe(offsets.length)
      expect(isVariableSize(type)).toBe(offsets.length > 0)
    }),
  )
})

/** Walks one element part by part, every array element by itself. */
function naiveSlots(type: Datatype, start: number): { end: number; slots: number[] } {
  const parts =
    type.class === 'H5T_COMPOUND'
      ? type.fields.map(field => field.type)
      : type.class === 'H5T_ARRAY'
        ? Array.from({ length: type.dims.reduce((a, b) => a * b) }, () => type.base)
        : undefined
  if (parts === undefined) {
    const isSlot =
      type.class === 'H5T_VLEN' ||
      (type.class === 'H5T_STRING' && type.length === 'H5T_VARIABLE') ||
      (type.class === 'H5T_REFERENCE' && type.base === 'H5T_STD_REF_DSETREG')
    return { end: start + elementSize(type), slots: isSlot ? [start] : [] }
  }
  const slots: number[] = []
  let end = start
  for (const part of parts) {
    const walked = naiveSlots(part, end)
    slots.push(...walked.slots)
    end = walked.end
  }
  return { end, slots }
}

describe('the boolean', () => {
  const enumOf = (base: string, mapping: string) =>
    type(`{"class":"H5T_ENUM","base":"${base}","mapping":${mapping}}`)

  test.each([
    ['H5T_STD_I8LE', '{"FALSE":0,"TRUE":1}', true],
    ['H5T_STD_I8BE', '{"TRUE":1,"FALSE":0}', true],
    ['H5T_STD_U8LE', '{"FALSE":0,"TRUE":1}', false],
    ['H5T_STD_I16LE', '{"FALSE":0,"TRUE":1}', false],
    ['H5T_STD_I8LE', '{"FALSE":1,"TRUE":0}', false],
    ['H5T_STD_I8LE', '{"False":0,"True":1}', false],
    ['H5T_STD_I8LE', '{"FALSE":0,"TRUE":1,"MAYBE":2}', false],
    ['H5T_STD_I8LE', '{"TRUE":1}', false],
  ])('is an enum over I8 of FALSE 0 and TRUE 1: %s %s', (base, mapping, expected) => {
    expect(isBoolean(enumOf(base, mapping))).toBe(expected)
  })

  test('is no other class', () => {
    expect(isBoolean(type('"H5T_STD_I8LE"'))).toBe(false)
  })
})
