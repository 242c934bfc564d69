// Datatypes from JSON and back: what is accepted, what comes out, and where an error says it is.

import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { stringifyJson } from '../json/json.ts'
import { parseJson } from '../json/json-parser.ts'
import type { Datatype } from './datatype.ts'
import { formatDatatype } from './format.ts'
import { parseDatatype } from './parse.ts'

const parse = (json: string) => parseDatatype(parseJson(json))
/** The JSON that comes out for the JSON that went in. */
const reformat = (json: string) => stringifyJson(formatDatatype(parse(json)))

const I32 = '{"class":"H5T_INTEGER","base":"H5T_STD_I32LE"}'

describe('predefined names', () => {
  test.each<[string, Datatype]>([
    ['H5T_STD_I8LE', { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }],
    ['H5T_STD_U16BE', { class: 'H5T_INTEGER', size: 2, signed: false, order: 'BE' }],
    ['H5T_STD_I32BE', { class: 'H5T_INTEGER', size: 4, signed: true, order: 'BE' }],
    ['H5T_STD_U64LE', { class: 'H5T_INTEGER', size: 8, signed: false, order: 'LE' }],
    ['H5T_STD_I64', { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' }],
    ['H5T_IEEE_F16LE', { class: 'H5T_FLOAT', size: 2, order: 'LE' }],
    ['H5T_IEEE_F32BE', { class: 'H5T_FLOAT', size: 4, order: 'BE' }],
    ['H5T_IEEE_F64', { class: 'H5T_FLOAT', size: 8, order: 'LE' }],
  ])('%s', (name, type) => {
    expect(parseDatatype(name)).toEqual(type)
  })

  test('a number of one byte has no byte order', () => {
    expect(parseDatatype('H5T_STD_I8BE')).toEqual(parseDatatype('H5T_STD_I8LE'))
    expect(reformat('"H5T_STD_U8BE"')).toBe('{"class":"H5T_INTEGER","base":"H5T_STD_U8LE"}')
  })

  test.each([
    '',
    'badtype',
    'int32',
    'H5T_NATIVE_INT',
    'H5T_C_S1',
    'H5T_STD_REF_OBJ',
    'H5T_STD_B8LE',
    'H5T_STD_I24LE',
    'H5T_STD_I128LE',
    'H5T_IEEE_F8LE',
    'H5T_IEEE_F128LE',
    'H5T_IEEE_F32VAX',
    'h5t_std_i32le',
    'H5T_STD_I32LE ',
    'H5T_STD_I32LE\n',
    'xH5T_STD_I32LE',
    'H5T_STD_F32LE',
  ])('nothing else is one: %j', name => {
    expect(() => parseDatatype(name)).toThrow(expect.objectContaining({ code: 'malformed-type' }))
    expect(() => parseDatatype(name)).toThrow('is not a predefined type')
  })
})

describe('classes', () => {
  // biome-ignore format: one case a line
  test.each([
    ['integer', I32, I32],
    ['integer, suffix missing', '{"class":"H5T_INTEGER","base":"H5T_STD_I16"}', '{"class":"H5T_INTEGER","base":"H5T_STD_I16LE"}'],
    ['float', '{"class":"H5T_FLOAT","base":"H5T_IEEE_F64BE"}', '{"class":"H5T_FLOAT","base":"H5T_IEEE_F64BE"}'],
    ['fixed string', '{"class":"H5T_STRING","charSet":"H5T_CSET_ASCII","strPad":"H5T_STR_SPACEPAD","length":6}', '{"class":"H5T_STRING","charSet":"H5T_CSET_ASCII","strPad":"H5T_STR_SPACEPAD","length":6}'],
    ['fixed string, padding left out', '{"class":"H5T_STRING","charSet":"H5T_CSET_UTF8","length":1}', '{"class":"H5T_STRING","charSet":"H5T_CSET_UTF8","strPad":"H5T_STR_NULLPAD","length":1}'],
    ['variable string, padding left out', '{"class":"H5T_STRING","charSet":"H5T_CSET_UTF8","length":"H5T_VARIABLE"}', '{"class":"H5T_STRING","charSet":"H5T_CSET_UTF8","strPad":"H5T_STR_NULLTERM","length":"H5T_VARIABLE"}'],
    ['string in the words of the specification', '{"class":"H5T_STRING","strsize":"H5T_VARIABLE","cset":"H5T_CSET_ASCII","order":"H5T_ORDER_NONE","strpad":"H5T_STR_NULLTERM"}', '{"class":"H5T_STRING","charSet":"H5T_CSET_ASCII","strPad":"H5T_STR_NULLTERM","length":"H5T_VARIABLE"}'],
    ['compound of names and objects', `{"class":"H5T_COMPOUND","fields":[{"name":"a","type":"H5T_STD_I32LE"},{"name":"été","type":{"class":"H5T_COMPOUND","fields":[{"name":"a","type":${I32}}]}}]}`, `{"class":"H5T_COMPOUND","fields":[{"name":"a","type":${I32}},{"name":"été","type":{"class":"H5T_COMPOUND","fields":[{"name":"a","type":${I32}}]}}]}`],
    ['array', '{"class":"H5T_ARRAY","base":"H5T_STD_I32LE","dims":[3,5]}', `{"class":"H5T_ARRAY","dims":[3,5],"base":${I32}}`],
    ['array, dims as a number', '{"class":"H5T_ARRAY","base":"H5T_STD_I32LE","dims":3}', `{"class":"H5T_ARRAY","dims":[3],"base":${I32}}`],
    ['array of arrays', `{"class":"H5T_ARRAY","dims":[2],"base":{"class":"H5T_ARRAY","dims":[3],"base":${I32}}}`, `{"class":"H5T_ARRAY","dims":[2],"base":{"class":"H5T_ARRAY","dims":[3],"base":${I32}}}`],
    ['enum', `{"class":"H5T_ENUM","base":${I32},"mapping":{"A":0,"B":-1}}`, `{"class":"H5T_ENUM","base":${I32},"mapping":{"A":0,"B":-1}}`],
    ['enum, base as a name', '{"class":"H5T_ENUM","base":"H5T_STD_I32LE","mapping":{"A":0}}', `{"class":"H5T_ENUM","base":${I32},"mapping":{"A":0}}`],
    ['enum, odd names in order', `{"class":"H5T_ENUM","base":${I32},"mapping":{"10":1,"2":2,"__proto__":3}}`, `{"class":"H5T_ENUM","base":${I32},"mapping":{"10":1,"2":2,"__proto__":3}}`],
    ['enum, members as a list', `{"class":"H5T_ENUM","base":${I32},"members":[{"name":"B","value":1},{"name":"A","value":0}]}`, `{"class":"H5T_ENUM","base":${I32},"mapping":{"B":1,"A":0}}`],
    ['enum, both spellings', `{"class":"H5T_ENUM","base":${I32},"mapping":{"A":0,"B":1},"members":[{"name":"B","value":1},{"name":"A","value":0}]}`, `{"class":"H5T_ENUM","base":${I32},"mapping":{"A":0,"B":1}}`],
    ['enum, the ends of the base type', '{"class":"H5T_ENUM","base":"H5T_STD_U64LE","mapping":{"A":0,"B":18446744073709551615}}', '{"class":"H5T_ENUM","base":{"class":"H5T_INTEGER","base":"H5T_STD_U64LE"},"mapping":{"A":0,"B":18446744073709551615}}'],
    ['sequence', '{"class":"H5T_VLEN","size":"H5T_VARIABLE","base":"H5T_STD_I32"}', `{"class":"H5T_VLEN","base":${I32}}`],
    ['sequence of compounds', `{"class":"H5T_VLEN","base":{"class":"H5T_COMPOUND","fields":[{"name":"a","type":${I32}}]}}`, `{"class":"H5T_VLEN","base":{"class":"H5T_COMPOUND","fields":[{"name":"a","type":${I32}}]}}`],
    ['opaque', '{"class":"H5T_OPAQUE","size":7}', '{"class":"H5T_OPAQUE","size":7}'],
    ['opaque with a tag', '{"class":"H5T_OPAQUE","size":7,"tag":"t"}', '{"class":"H5T_OPAQUE","size":7,"tag":"t"}'],
    ['bitfield', '{"class":"H5T_BITFIELD","base":"H5T_STD_B16BE"}', '{"class":"H5T_BITFIELD","base":"H5T_STD_B16BE"}'],
    ['object reference with the members of a string', '{"class":"H5T_REFERENCE","base":"H5T_STD_REF_OBJ","length":48,"charSet":"H5T_CSET_ASCII","strPad":"H5T_STR_NULLPAD"}', '{"class":"H5T_REFERENCE","base":"H5T_STD_REF_OBJ"}'],
    ['region reference', '{"class":"H5T_REFERENCE","base":"H5T_STD_REF_DSETREG"}', '{"class":"H5T_REFERENCE","base":"H5T_STD_REF_DSETREG"}'],
    ['members that no class knows', `{"id":"t-1","class":"H5T_INTEGER","base":"H5T_STD_I32LE","order":"x","size":9,"base_size":4}`, I32],
  ])('%s', (_, input, output) => {
    expect(reformat(input)).toBe(output)
  })
})

describe('refused', () => {
  const compound = (...fields: string[]) => `{"class":"H5T_COMPOUND","fields":[${fields.join(',')}]}`
  const enumOf = (members: string, base = 'H5T_STD_I8LE') =>
    `{"class":"H5T_ENUM","base":"${base}",${members}}`
  const string = (members: string) => `{"class":"H5T_STRING",${members}}`
  const nest = (levels: number) =>
    `${'{"class":"H5T_VLEN","base":'.repeat(levels - 1)}"H5T_STD_I8LE"${'}'.repeat(levels - 1)}`

  // biome-ignore format: one case a line
  test.each([
    ['no type', 'null', 'the type must be a predefined name or an object, not null'],
    ['a number', '5', 'the type must be a predefined name or an object, not 5'],
    ['a list', '["H5T_STD_I8LE"]', 'the type must be'],
    ['no class', '{"base":"H5T_STD_I8LE"}', 'the type needs a "class"'],
    ['unknown class', '{"class":"H5T_TIME"}', `the type's class "H5T_TIME" is not one of H5T_INTEGER,`],
    ['unknown class', '{"class":"toString"}', `the type's class "toString" is not one of`],
    ['class of the wrong kind', '{"class":1}', `the type's class 1 is not one of`],
    ['integer without base', '{"class":"H5T_INTEGER"}', 'the type needs a "base"'],
    ['class and base disagree', '{"class":"H5T_FLOAT","base":"H5T_STD_I8LE"}', `the type's base "H5T_STD_I8LE" is not a predefined name of class H5T_FLOAT`],
    ['class and base disagree', '{"class":"H5T_INTEGER","base":"H5T_STD_B8LE"}', `the type's base`],
    ['class and base disagree', '{"class":"H5T_BITFIELD","base":"H5T_STD_I8LE"}', `the type's base`],
    ['integer with an object as base', `{"class":"H5T_INTEGER","base":${I32}}`, `the type's base {"class":"H5T_INTEGER"`],
    ['dims on another class', '{"class":"H5T_INTEGER","base":"H5T_STD_I8LE","dims":[2]}', `the type's dims is allowed in the class H5T_ARRAY only, not in H5T_INTEGER`],
    ['string without length', string('"charSet":"H5T_CSET_ASCII"'), 'the type needs a "length"'],
    ['string of length 0', string('"charSet":"H5T_CSET_ASCII","length":0'), `the type's length must be a positive integer or "H5T_VARIABLE", not 0`],
    ['string of length true', string('"charSet":"H5T_CSET_ASCII","length":true'), `the type's length`],
    ['string of length 1.5', string('"charSet":"H5T_CSET_ASCII","length":1.5'), `the type's length`],
    ['string too long', string('"charSet":"H5T_CSET_ASCII","length":2147483648'), 'elements of more than 2147483647 bytes'],
    ['a long string in a compound', compound(`{"name":"a","type":${string('"charSet":"H5T_CSET_ASCII","length":16777217')}}`), 'elements of more than 16777216 bytes'],
    ['a long string in a sequence', `{"class":"H5T_VLEN","base":${string('"charSet":"H5T_CSET_ASCII","length":16777217')}}`, `the type's base has elements of more than 16777216 bytes`],
    ['opaque too long', '{"class":"H5T_OPAQUE","size":2147483648}', 'elements of more than 2147483647 bytes'],
    ['string far too long', string('"charSet":"H5T_CSET_ASCII","length":99999999999999999999'), `the type's length`],
    ['string without charSet', string('"length":4'), 'the type needs a "charSet"'],
    ['unknown charSet', string('"length":4,"charSet":"UTF-8"'), `the type's charSet must be one of H5T_CSET_ASCII, H5T_CSET_UTF8, not "UTF-8"`],
    ['unknown strPad', string('"length":4,"charSet":"H5T_CSET_UTF8","strPad":"x"'), `the type's strPad must be one of`],
    ['compound without fields', '{"class":"H5T_COMPOUND"}', 'the type needs a "fields"'],
    ['compound with no field', compound(), `the type's fields must be a list of fields, not []`],
    ['fields no list', '{"class":"H5T_COMPOUND","fields":{"a":"H5T_STD_I8LE"}}', `the type's fields must be`],
    ['field no object', compound('"H5T_STD_I8LE"'), `the type's fields[0] must be an object with "name" and "type"`],
    ['field without name', compound('{"type":"H5T_STD_I8LE"}'), `the type's fields[0] needs a "name"`],
    ['field without type', compound('{"name":"a"}'), `the type's fields[0] needs a "type"`],
    ['empty name', compound('{"name":"","type":"H5T_STD_I8LE"}'), `the type's fields[0].name must be a name, not ""`],
    ['name with NUL', compound('{"name":"a\\u0000","type":"H5T_STD_I8LE"}'), `the type's fields[0].name`],
    ['name no text', compound('{"name":1,"type":"H5T_STD_I8LE"}'), `the type's fields[0].name must be a name, not 1`],
    ['name cannot be encoded', compound('{"name":"\\ud800","type":"H5T_STD_I8LE"}'), `half of a surrogate pair`],
    ['duplicate field', compound('{"name":"a","type":"H5T_STD_I8LE"}', '{"name":"a","type":"H5T_STD_I8LE"}'), `the type's fields[1].name "a" is used more than once`],
    ['too many fields', compound(...Array.from({ length: 8193 }, (_, i) => `{"name":"f${i}","type":"H5T_STD_I8LE"}`)), 'at most 8192 fields in all'],
    ['too many fields in all', compound(...['a', 'b'].map(name => `{"name":"${name}","type":${compound(...Array.from({ length: 5000 }, (_, i) => `{"name":"f${i}","type":"H5T_STD_I8LE"}`))}}`)), 'fields[1].type.fields is too long'],
    ['long names', compound(...['a', 'b', 'c'].map(name => `{"name":"${name.repeat(2 ** 20)}","type":"H5T_STD_I8LE"}`)), `fields[2].name is too long: a type has names and tags of at most 2097152 characters in all`],
    ['long names of enum members', `{"class":"H5T_ENUM","base":"H5T_STD_I32LE","mapping":{"${'x'.repeat(2 ** 21)}":1,"b":2}}`, `the type's mapping is too long`],
    ['a long tag', `{"class":"H5T_OPAQUE","size":1,"tag":"${'x'.repeat(2 ** 21 + 1)}"}`, `the type's tag is too long`],
    ['too many enum members', `{"class":"H5T_ENUM","base":"H5T_STD_I32LE","mapping":{${Array.from({ length: 65_536 }, (_, i) => `"m${i}":${i}`)}}}`, 'at most 65535 enum members in all'],
    ['too many listed members', `{"class":"H5T_ENUM","base":"H5T_STD_I32LE","members":[${Array.from({ length: 65_536 }, (_, i) => `{"name":"m${i}","value":${i}}`)}]}`, 'at most 65535 enum members in all'],
    ['bad base inside a field', compound('{"name":"a","type":"H5T_STD_I8LE"}', '{"name":"b","type":{"class":"H5T_VLEN","base":{"class":"H5T_FLOAT","base":"x"}}}'), `the type's fields[1].type.base.base "x" is not`],
    ['array without dims', '{"class":"H5T_ARRAY","base":"H5T_STD_I8LE"}', 'the type needs a "dims"'],
    ['array without base', '{"class":"H5T_ARRAY","dims":[2]}', 'the type needs a "base"'],
    ['array of no dimension', '{"class":"H5T_ARRAY","base":"H5T_STD_I8LE","dims":[]}', `the type's dims must be a list of 1 to 32 positive integers, not []`],
    ['array extent 0', '{"class":"H5T_ARRAY","base":"H5T_STD_I8LE","dims":[2,0]}', `the type's dims`],
    ['array extent negative', '{"class":"H5T_ARRAY","base":"H5T_STD_I8LE","dims":-1}', `the type's dims`],
    ['array extent no integer', '{"class":"H5T_ARRAY","base":"H5T_STD_I8LE","dims":["2"]}', `the type's dims`],
    ['array rank 33', `{"class":"H5T_ARRAY","base":"H5T_STD_I8LE","dims":[${Array.from({ length: 33 }, () => 1)}]}`, `the type's dims`],
    ['array too large', '{"class":"H5T_ARRAY","base":"H5T_STD_I8LE","dims":[65536,65536]}', 'elements of more than 16777216 bytes'],
    ['array far too large', `{"class":"H5T_ARRAY","base":"H5T_STD_I8LE","dims":[${Array.from({ length: 32 }, () => 2 ** 50)}]}`, 'elements of more than 16777216 bytes'],
    ['sequence of too large elements', '{"class":"H5T_VLEN","base":{"class":"H5T_OPAQUE","size":2147483648}}', `the type's base has elements of more than`],
    ['too many variable parts', `{"class":"H5T_ARRAY","dims":[16385],"base":${nest(2)}}`, 'more than 16384 parts of variable size'],
    ['enum of floats', enumOf('"mapping":{"A":0}', 'H5T_IEEE_F32LE'), `the type's base must be of class H5T_INTEGER, not H5T_FLOAT`],
    ['enum without mapping', '{"class":"H5T_ENUM","base":"H5T_STD_I8LE"}', 'the type needs a "mapping"'],
    ['enum without base', '{"class":"H5T_ENUM","mapping":{"A":0}}', 'the type needs a "base"'],
    ['enum with no member', enumOf('"mapping":{}'), `the type's mapping must be an object of names and integers, not {}`],
    ['enum with an empty list', enumOf('"members":[]'), `the type's members must be a list`],
    ['mapping no object', enumOf('"mapping":[0]'), `the type's mapping must be`],
    ['member no integer', enumOf('"mapping":{"A":0,"B":1.5}'), `the type's mapping["B"] must be an integer, not 1.5`],
    ['member a boolean', enumOf('"mapping":{"A":true}'), `the type's mapping["A"] must be an integer, not true`],
    ['member not finite', enumOf('"mapping":{"A":Infinity}'), `the type's mapping["A"] must be an integer, not Infinity`],
    ['member does not fit', enumOf('"mapping":{"A":128}'), `the type's mapping["A"] 128 does not fit H5T_STD_I8LE`],
    ['member does not fit', enumOf('"mapping":{"A":-1}', 'H5T_STD_U64LE'), 'does not fit H5T_STD_U64LE'],
    ['member does not fit', enumOf('"mapping":{"A":18446744073709551616}', 'H5T_STD_U64LE'), 'does not fit'],
    ['member with an empty name', enumOf('"mapping":{"":0}'), `the type's mapping must be a name, not ""`],
    ['listed member without value', enumOf('"members":[{"name":"A"}]'), `the type's members[0] needs a "value"`],
    ['listed member no object', enumOf('"members":[1]'), `the type's members[0] must be an object`],
    ['listed member twice', enumOf('"members":[{"name":"A","value":0},{"name":"A","value":0}]'), `the type's members[1].name "A" is used more than once`],
    ['the two spellings disagree', enumOf('"mapping":{"A":0},"members":[{"name":"A","value":1}]'), `the type's members must agree with "mapping"`],
    ['the two spellings disagree', enumOf('"mapping":{"A":0},"members":[{"name":"A","value":0},{"name":"B","value":1}]'), `the type's members must agree`],
    ['opaque without size', '{"class":"H5T_OPAQUE"}', 'the type needs a "size"'],
    ['opaque of size 0', '{"class":"H5T_OPAQUE","size":0}', `the type's size must be a positive integer, not 0`],
    ['tag no text', '{"class":"H5T_OPAQUE","size":1,"tag":5}', `the type's tag must be a string`],
    ['reference without base', '{"class":"H5T_REFERENCE"}', 'the type needs a "base"'],
    ['unknown reference', '{"class":"H5T_REFERENCE","base":"H5T_STD_REF"}', `the type's base must be one of H5T_STD_REF_OBJ, H5T_STD_REF_DSETREG, not "H5T_STD_REF"`],
    ['too deep', nest(33), `base is nested more than 32 types deep`],
  ])('%s: %.60s', (_, json, message) => {
    expect(() => parse(json)).toThrow(expect.objectContaining({ code: 'malformed-type' }))
    expect(() => parse(json)).toThrow(message)
  })

  test('32 types in one another are accepted', () => {
    expect(() => parse(nest(32))).not.toThrow()
  })
})

test('every type comes back from its JSON', () => {
  fc.assert(
    fc.property(datatype, type => {
      expect(parseDatatype(parseJson(stringifyJson(formatDatatype(type))))).toEqual(normal(type))
    }),
    { numRuns: 300 },
  )
})

test('a mutilated type gives a type or malformed-type, nothing else', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'null',
      '[]',
      '{}',
      '0',
      '-1',
      '1.5',
      'NaN',
      '1e400',
      '99999999999999999999',
      '""',
      'true',
    ),
    fc.constantFrom('"H5T_VARIABLE"', '"H5T_STD_I8LE"', '"H5T_ENUM"', '"H5T_COMPOUND"', '"__proto__"'),
  )
  fc.assert(
    fc.property(datatype, fc.nat(), piece, (type, at, replacement) => {
      const text = stringifyJson(formatDatatype(type))
      const values = [...text.matchAll(/(?<=[:[,])("[^"]*"|-?\d+|\{\}|\[[\d,]*\])/g)]
      const value = values[at % values.length]
      if (value === undefined) return
      const mutilated = text.slice(0, value.index) + replacement + text.slice(value.index + value[0].length)
      let json: ReturnType<typeof parseJson>
      try {
        json = parseJson(mutilated)
      } catch {
        return
      }
      try {
        expect(parseDatatype(json)).toHaveProperty('class')
      } catch (error) {
        expect(error).toBeInstanceOf(HyperslabError)
        expect(error).toHaveProperty('code', 'malformed-type')
      }
    }),
    { numRuns: 500 },
  )
})

/** The type that its JSON describes: a type of one byte is little-endian. */
function normal(type: Datatype): Datatype {
  switch (type.class) {
    case 'H5T_INTEGER':
    case 'H5T_BITFIELD':
      return type.size === 1 ? { ...type, order: 'LE' } : type
    case 'H5T_ENUM':
      return type.base.size === 1 ? { ...type, base: { ...type.base, order: 'LE' } } : type
    case 'H5T_COMPOUND':
      return { ...type, fields: type.fields.map(field => ({ ...field, type: normal(field.type) })) }
    case 'H5T_ARRAY':
    case 'H5T_VLEN':
      return { ...type, base: normal(type.base) }
    default:
      return type
  }
}
