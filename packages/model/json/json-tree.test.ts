import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { elementJson, nested } from '../../../test/arbitraries/values.ts'
import type { Datatype, StringType } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import { equalElements } from '../values/elements-builder.ts'
import { AT_LEAST, BROADCAST, COUNT_ONLY, EXACT, type NestingRules } from '../values/nesting.ts'
import {
  PREFIXED_REFERENCES,
  type ReferenceSyntax,
  referencesIn,
  type ValueStyle,
} from '../values/references.ts'
import { type JsonValue, stringifyJson } from './json.ts'
import { parseJson } from './json-parser.ts'
import { elementPiecesFromJson, elementsFromJson, elementsToJson } from './json-tree.ts'

const WIDENED: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }
const SHORTEST: ValueStyle = { ...WIDENED, float32: 'shortest' }

function integer(size: 1 | 2 | 4 | 8, signed = true, order: 'LE' | 'BE' = 'LE'): Datatype {
  return { class: 'H5T_INTEGER', size, signed, order }
}
function float(size: 2 | 4 | 8, order: 'LE' | 'BE' = 'LE'): Datatype {
  return { class: 'H5T_FLOAT', size, order }
}
function string(length: StringType['length'], strPad: StringType['strPad'], utf8 = false): StringType {
  return { class: 'H5T_STRING', length, strPad, charSet: utf8 ? 'H5T_CSET_UTF8' : 'H5T_CSET_ASCII' }
}
function compound(...types: Datatype[]): Datatype {
  return { class: 'H5T_COMPOUND', fields: types.map((type, i) => ({ name: `f${i}`, type })) }
}
function vlen(base: Datatype): Datatype {
  return { class: 'H5T_VLEN', base }
}
function array(base: Datatype, ...dims: number[]): Datatype {
  return { class: 'H5T_ARRAY', base, dims }
}
const I32 = integer(4)
const NULLPAD = 'H5T_STR_NULLPAD'
const VARIABLE = string('H5T_VARIABLE', 'H5T_STR_NULLTERM', true)
const BOOLEAN: Datatype = {
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' },
  members: [
    { name: 'FALSE', value: 0 },
    { name: 'TRUE', value: 1 },
  ],
}
const COLOUR: Datatype = {
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', size: 2, signed: false, order: 'BE' },
  members: [{ name: 'RED', value: 300 }],
}
const OBJECT: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
const REGION: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
function encode(type: Datatype, json: string, dims: number[] = [], rules: NestingRules = EXACT) {
  return elementsFromJson(type, dims, parseJson(json), PREFIXED_REFERENCES, rules)
}
function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
  return 'no error'
}

test('values of every type come back as they were given', () => {
  const typedValue = fc
    .record({ type: datatype, dims: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }) })
    .chain(({ type, dims }) => nested(elementJson(type), dims).map(json => ({ type, dims, json })))
  fc.assert(
    fc.property(typedValue, ({ type, dims, json }) => {
      const elements = elementsFromJson(type, dims, json, PREFIXED_REFERENCES)
      expect(elements.data.length).toBe(elements.count * elementSize(type))
      expect(stringifyJson(elementsToJson(type, dims, elements, WIDENED))).toBe(stringifyJson(json))
    }),
    { numRuns: 300 },
  )
})

describe('stored bytes', () => {
  test.each<[string, Datatype, string, string]>([
    [
      'integers in both byte orders',
      compound(integer(2), integer(2, true, 'BE')),
      '[-2, -2]',
      'feff' + 'fffe',
    ],
    ['int64 beyond 2^53', integer(8), '-9223372036854775808', '0000000000000080'],
    ['uint64 beyond 2^53', integer(8, false, 'BE'), '18446744073709551615', 'ffffffffffffffff'],
    ['uint64 of 2^53 + 1', integer(8, false, 'BE'), '9007199254740993', '0020000000000001'],
    ['a negative int64 in halves', integer(8, true, 'BE'), '-2', 'fffffffffffffffe'],
    ['fractions are cut off toward zero', integer(1), '-2.9', 'fe'],
    ['booleans are 1 and 0', integer(1), 'true', '01'],
    [
      'floats in both byte orders',
      compound(float(4), float(8, 'BE')),
      '[1, -2.5]',
      '0000803f' + 'c004000000000000',
    ],
    ['float16 is rounded to even', array(float(2, 'BE'), 4), '[0.5, -1.25, 2049, 2051]', '3800bd0068006802'],
    ['float16 overflows from 65520 on', array(float(2, 'BE'), 3), '[65519.99, 65520, -1e9]', '7bff7c00fc00'],
    [
      'float16 subnormals',
      array(float(2, 'BE'), 3),
      '[5.960464477539063e-8, 2.98e-8, 6.1e-5]',
      '0001000003ff',
    ],
    ['float32 overflows to infinity', float(4, 'BE'), '1e300', '7f800000'],
    [
      'words, strings and null for floats',
      array(float(4, 'BE'), 7),
      '[NaN, "nan", null, Infinity, "-Infinity", "inf", "-INF"]',
      '7fc000007fc000007fc000007f800000ff8000007f800000ff800000',
    ],
    ['the boolean enum', array(BOOLEAN, 4), '[true, false, 1, 0]', '01000100'],
    ['another enum, values outside its members too', array(COLOUR, 2), '[300, 7]', '012c0007'],
    ['a bitfield', { class: 'H5T_BITFIELD', size: 2, order: 'BE' }, '65535', 'ffff'],
    ['opaque data in Base64', { class: 'H5T_OPAQUE', size: 4 }, '"AP+AAA=="', '00ff8000'],
    ['fixed strings are NUL-padded', string(4, NULLPAD), '"ab"', '61620000'],
    [
      'fixed strings are cut to their length in bytes',
      string(7, 'H5T_STR_NULLTERM'),
      '"12345678"',
      '31323334353637',
    ],
    ['space-padded strings are padded with spaces', string(4, 'H5T_STR_SPACEPAD'), '"ab"', '61622020'],
    ['UTF-8 is cut at a character', string(4, NULLPAD, true), '"abc\u00e9"', '61626300'],
    ['UTF-8 that fits is not cut', string(5, NULLPAD, true), '"abc\u00e9x"', '616263c3a9'],
    ['so is text in an ASCII type', string(4, NULLPAD), '"abc\u00e9"', '61626300'],
    ['escaped bytes come back', string(3, NULLPAD, true), '"a\\udcff\\udc80"', '61ff80'],
    [
      'packed compounds',
      compound(integer(2, true, 'BE'), float(2), string(4, NULLPAD)),
      '[-2, 0.5, "ab"]',
      'fffe003861620000',
    ],
  ])('%s', (_, type, json, expected) => {
    expect(hex(encode(type, json).data)).toBe(expected)
  })

  test('slots point into the heap, sequences of sequences too', () => {
    const { data, heap } = encode(vlen(VARIABLE), '["ab", "", "c"]')
    expect(hex(data)).toBe('0000000018000000')
    expect(hex(heap)).toBe('1800000002000000' + '0000000000000000' + '1a00000001000000' + '616263')
  })
})

describe('read back', () => {
  test.each<[string, Datatype, string, string, ValueStyle]>([
    ['float32 is widened', float(4), '0.42', '0.41999998688697815', WIDENED],
    [
      'float32 in the fewest digits',
      array(float(4), 4),
      '[0.42, 16777216, 1e-45, 3.4028235e38]',
      '[0.42,16777216,1e-45,3.4028235e+38]',
      SHORTEST,
    ],
    ['float16 is widened', float(2), '0.42', '0.419921875', WIDENED],
    ['float16 in the fewest digits', array(float(2), 2), '[0.42, 65504]', '[0.42,65504]', SHORTEST],
    ['the sign of zero', array(float(8), 2), '[-0.0, 0]', '[-0.0,0]', WIDENED],
    [
      'interior NULs stay, trailing ones go',
      string(5, NULLPAD),
      '"a\\u0000b\\u0000"',
      '"a\\u0000b"',
      WIDENED,
    ],
    ['trailing spaces stay', string(5, NULLPAD), '"a  "', '"a  "', WIDENED],
    ['spaces of space-padded strings go', string(5, 'H5T_STR_SPACEPAD'), '"a  "', '"a"', WIDENED],
    ['null for a variable string is empty', array(VARIABLE, 2), '[null, "x"]', '["","x"]', WIDENED],
    ['null for a sequence is empty', vlen(I32), 'null', '[]', WIDENED],
  ])('%s', (_, type, json, expected, style) => {
    expect(stringifyJson(elementsToJson(type, [], encode(type, json), style))).toBe(expected)
  })
})

describe('values that do not fit the type', () => {
  test.each<[Datatype, string, string]>([
    [integer(1), '128', 'value-out-of-range'],
    [integer(1), '-129', 'value-out-of-range'],
    [integer(1, false), '-1', 'value-out-of-range'],
    [integer(8), '9223372036854775808', 'value-out-of-range'],
    [integer(8), '9.3e18', 'value-out-of-range'],
    [integer(8, false), '18446744073709551616', 'value-out-of-range'],
    [I32, 'NaN', 'value-out-of-range'],
    [I32, 'Infinity', 'value-out-of-range'],
    [I32, '"1.5"', 'type-mismatch'],
    [I32, '"x"', 'type-mismatch'],
    [I32, '"99999999999"', 'value-out-of-range'],
    [I32, 'null', 'type-mismatch'],
    [I32, '{}', 'type-mismatch'],
    [float(8), '"in"', 'type-mismatch'],
    [float(8), '"1,5"', 'type-mismatch'],
    [float(8), `"${'1'.repeat(100_000)}x"`, 'type-mismatch'],
    [COLOUR, '"RED"', 'type-mismatch'],
    [BOOLEAN, '2', 'value-out-of-range'],
    [VARIABLE, '12', 'type-mismatch'],
    [string(4, NULLPAD), 'true', 'type-mismatch'],
    [string(4, NULLPAD), 'null', 'type-mismatch'],
    [string(4, NULLPAD), '"\\ud800"', 'malformed-value'],
    [{ class: 'H5T_OPAQUE', size: 4 }, '"AP+A"', 'malformed-value'],
    [{ class: 'H5T_OPAQUE', size: 4 }, '"???"', 'malformed-value'],
    [{ class: 'H5T_OPAQUE', size: 1 }, '"AA=A"', 'malformed-value'],
    [{ class: 'H5T_OPAQUE', size: 1 }, '"A"', 'malformed-value'],
    [OBJECT, '"groups/x"', 'malformed-value'],
    [OBJECT, '5', 'malformed-value'],
    [REGION, '{"select_type": "H5S_SEL_ALL"}', 'malformed-value'],
    [compound(I32, I32), '[1]', 'value-count-mismatch'],
    [compound(I32, I32), '[1, 2, 3]', 'value-count-mismatch'],
    [compound(I32, I32), '1', 'type-mismatch'],
    [compound(I32, I32), '{"f0": 1}', 'type-mismatch'],
    [array(I32, 3), '[1, 2]', 'value-count-mismatch'],
    [array(I32, 2, 2), '[[1, 2], 3]', 'type-mismatch'],
    [vlen(I32), '5', 'type-mismatch'],
    [vlen(I32), '[1, "x"]', 'type-mismatch'],
    [float(8), '1e400', 'malformed-json'],
    [float(8), '"1e400"', 'value-out-of-range'],
    [float(4), `"-1${'0'.repeat(309)}"`, 'value-out-of-range'],
  ])('%j from %s', (type, json, code) => {
    expect(codeOf(() => encode(type, json))).toBe(code)
  })
})

describe('text and numbers for one another (hsds-values 7.7)', () => {
  const STRICT: ReferenceSyntax = { ...PREFIXED_REFERENCES, convertsText: false }

  test.each<[Datatype, string, string]>([
    [I32, '" -12 "', '-12'],
    [integer(8), '"9223372036854775807"', '9223372036854775807'],
    [integer(8, false), '"18446744073709551615"', '18446744073709551615'],
    [float(8), '"-1.5e3"', '-1500'],
    [float(8), '".5"', '0.5'],
    [string(4, NULLPAD), '12', '"12"'],
    [string(4, NULLPAD), '-1.5', '"-1.5"'],
    [string(20, NULLPAD), '18446744073709551615', '"18446744073709551615"'],
  ])('%j from %s, where the dialect converts; else it does not fit', (type, json, expected) => {
    expect(stringifyJson(elementsToJson(type, [], encode(type, json), WIDENED))).toBe(expected)
    expect(codeOf(() => elementsFromJson(type, [], parseJson(json), STRICT))).toBe('type-mismatch')
  })
})

describe('shapes (classic 7.10)', () => {
  const PAIR = compound(I32, I32)
  test.each<[string, Datatype, number[], string, NestingRules, string]>([
    ['the shape itself', I32, [2, 2], '[[1,2],[3,4]]', EXACT, '1,2,3,4'],
    ['missing dimensions of extent 1', I32, [1, 3, 1], '[1,2,3]', EXACT, '1,2,3'],
    ['additional dimensions of extent 1', I32, [3], '[[[1],[2],[3]]]', EXACT, '1,2,3'],
    ['a bare value for one element', I32, [1, 1], '7', EXACT, '7'],
    ['a list for a scalar', I32, [], '[[7]]', EXACT, '7'],
    ['a flat list for two dimensions', I32, [2, 2], '[1,2,3,4]', EXACT, 'value-count-mismatch'],
    ['a flat list where only the count matters', I32, [2, 2], '[1,2,3,4]', COUNT_ONLY, '1,2,3,4'],
    ['the transposed shape', I32, [2, 3], '[[1,2],[3,4],[5,6]]', EXACT, 'value-count-mismatch'],
    ['too few', I32, [3], '[1,2]', EXACT, 'value-count-mismatch'],
    ['too many', I32, [3], '[1,2,3,4]', EXACT, 'value-count-mismatch'],
    ['ragged', I32, [4], '[[1,2],[3],[4]]', EXACT, 'value-count-mismatch'],
    ['elements at different depths', I32, [2], '[[1],2]', EXACT, 'value-count-mismatch'],
    ['one for all', I32, [2, 2], '7', BROADCAST, '7,7,7,7'],
    ['one in a list for all', I32, [2, 2], '[[[7]]]', BROADCAST, '7,7,7,7'],
    ['one for all where the count must be exact', I32, [2, 2], '7', EXACT, 'value-count-mismatch'],
    ['one for none', I32, [0], '7', BROADCAST, 'value-count-mismatch'],
    ['none', I32, [0], '[]', EXACT, ''],
    ['none in several dimensions', I32, [2, 0], '[[],[]]', EXACT, ''],
    ['none, flat', I32, [2, 0], '[]', EXACT, ''],
    ['nothing for something', I32, [2], '[]', EXACT, 'value-count-mismatch'],
    ['surplus for points', I32, [2], '[1,2,3]', AT_LEAST, '1,2'],
    ['too few for points', I32, [2], '[1]', AT_LEAST, 'value-count-mismatch'],
    ['fields of one compound, flat', PAIR, [1], '[1,2]', EXACT, '1,2'],
    ['fields of one compound, nested', PAIR, [1], '[[1,2]]', EXACT, '1,2'],
    ['fields of a scalar compound, nested', PAIR, [], '[[1,2]]', EXACT, '1,2'],
    ['compounds', PAIR, [2], '[[1,2],[3,4]]', EXACT, '1,2,3,4'],
    ['one compound for all', PAIR, [2], '[1,2]', BROADCAST, '1,2,1,2'],
    ['arrays', array(I32, 2), [2], '[[1,2],[3,4]]', EXACT, '1,2,3,4'],
    ['a flat array', array(I32, 2, 2), [], '[1,2,3,4]', COUNT_ONLY, '1,2,3,4'],
    ['flat arrays', array(I32, 2, 2), [2], '[[1,2,3,4],[5,6,7,8]]', COUNT_ONLY, '1,2,3,4,5,6,7,8'],
    ['a flat array of arrays', array(array(I32, 2), 2), [1], '[1,2,3,4]', COUNT_ONLY, '1,2,3,4'],
    ['a single array, alone', array(I32, 3, 1), [1], '[[1],[2],[3]]', COUNT_ONLY, '1,2,3'],
    ['a single array, in a list', array(I32, 3, 1), [1], '[[[1],[2],[3]]]', COUNT_ONLY, '1,2,3'],
    ['a single flat array for two dimensions', array(I32, 3, 1), [1, 1], '[1,2,3]', COUNT_ONLY, '1,2,3'],
    [
      'flat arrays in compounds',
      compound(array(I32, 2, 1), I32),
      [2],
      '[[[1,2],3],[[4,5],6]]',
      COUNT_ONLY,
      '1,2,3,4,5,6',
    ],
    ['a flat array behind another member', compound(I32, array(I32, 2, 1)), [], '[1,[2,3]]', EXACT, '1,2,3'],
    ['a flat array of another length', array(I32, 2, 2), [], '[1,2,3]', COUNT_ONLY, 'value-count-mismatch'],
    [
      'one array for all is no flat one',
      array(I32, 2, 2),
      [2],
      '[[1,2],[3,4]]',
      BROADCAST,
      '1,2,3,4,1,2,3,4',
    ],
  ])('%s', (_, type, dims, json, rules, expected) => {
    let result: string
    try {
      const { data } = encode(type, json, dims, rules)
      result = new Int32Array(data.buffer, data.byteOffset, data.length / 4).join()
    } catch (error) {
      if (!(error instanceof HyperslabError)) throw error
      result = error.code
    }
    expect(result).toBe(expected)
  })

  test.each<[string, Datatype, number[], string]>([
    ['a scalar sequence', vlen(I32), [], '[1,2]'],
    ['an empty scalar sequence', vlen(I32), [], '[]'],
    ['sequences, the first one empty', vlen(I32), [2], '[[],[1]]'],
    ['only empty sequences', vlen(I32), [2, 1], '[[[]],[[]]]'],
    ['sequences of sequences, the first one empty', vlen(vlen(I32)), [2], '[[],[[1],[]]]'],
    ['sequences whose first one is empty', vlen(vlen(I32)), [2], '[[[]],[]]'],
    ['a compound that begins with an empty sequence', compound(vlen(I32), I32), [2], '[[[],1],[[2],3]]'],
  ])('%s', (_, type, dims, json) => {
    expect(stringifyJson(elementsToJson(type, dims, encode(type, json, dims), WIDENED))).toBe(json)
  })

  test('messages tell both counts', () => {
    expect(() => encode(I32, '[1,2]', [3])).toThrow('3 elements are needed, the value has 2')
    expect(() => encode(I32, '[1,2,3]', [])).toThrow('1 element is needed, the value has more: at least 2')
  })
})

describe('references', () => {
  const id = '0123456789abcdef0123456789abcdef'
  const CLASSIC: ReferenceSyntax = {
    ...PREFIXED_REFERENCES,
    parseId: text => PREFIXED_REFERENCES.parse(`g-${text}`)?.id,
    nullText: 'null',
    blockEnds: 'exclusive',
  }

  test('are found wherever they are, the null reference left out', () => {
    const type = compound(vlen(OBJECT), array(REGION, 2))
    const group = 'groups/g-01234567-89abcdef-0123-456789-abcdef'
    const region = '{"id":"01234567-89abcdef-0123-456789-abcdef","select_type":"H5S_SEL_ALL"}'
    const elements = encode(type, `[["${group}", ""], [null, ${region}]]`)
    expect([...referencesIn(type, elements)]).toEqual([
      { kind: 'group', id },
      { kind: 'dataset', id, region: { id, selectType: 'H5S_SEL_ALL' } },
    ])
  })

  test.each(['null', '""', '"null"'])('%s is the null object reference', json => {
    const elements = elementsFromJson(OBJECT, [], parseJson(json), CLASSIC)
    expect(hex(elements.data)).toBe('00'.repeat(48))
    expect(elementsToJson(OBJECT, [], elements, { ...WIDENED, references: CLASSIC })).toBe('null')
  })

  test('a bare prefixed id is an object reference too', () => {
    const elements = encode(OBJECT, '"d-01234567-89abcdef-0123-456789-abcdef"')
    expect([...referencesIn(OBJECT, elements)]).toEqual([{ kind: 'dataset', id }])
  })

  test('blocks end as the dialect says, and are stored in one way', () => {
    const block = '"id":"01234567-89abcdef-0123-456789-abcdef","select_type":"H5S_SEL_HYPERSLABS"'
    const exclusive = `{${block},"selection":[[[0,2],[1,5]]]}`
    const inclusive = `{${block},"selection":[[[0,2],[0,4]]]}`
    const elements = encode(REGION, inclusive)
    expect(elementsFromJson(REGION, [], parseJson(exclusive), CLASSIC)).toEqual(elements)
    const read = elementsToJson(REGION, [], elements, { ...WIDENED, references: CLASSIC })
    expect(stringifyJson(read)).toBe(exclusive)
  })

  test.each(['{"select_type": "H5S_SEL_NONE"}', 'null', '""'])('%s is the null region reference', json => {
    const elements = encode(REGION, json)
    expect(hex(elements.data)).toBe('00'.repeat(8))
    expect(elementsToJson(REGION, [], elements, WIDENED)).toBe(null)
  })

  test.each<[string, JsonValue]>([
    ['no select_type', null],
    ['an unknown select_type', ['H5S_SEL_X', null]],
    ['no selection', ['H5S_SEL_POINTS', null]],
    ['different ranks', ['H5S_SEL_POINTS', [[1], [1, 2]]]],
    ['a negative coordinate', ['H5S_SEL_POINTS', [[-1]]]],
    ['a block that ends before it starts', ['H5S_SEL_HYPERSLABS', [[[3], [2]]]]],
    ['a block of one corner', ['H5S_SEL_HYPERSLABS', [[[3]]]]],
  ])('%s is an error', (_, content) => {
    const json = new Map<string, JsonValue>([['id', '01234567-89abcdef-0123-456789-abcdef']])
    if (Array.isArray(content)) json.set('select_type', content[0]).set('selection', content[1])
    expect(codeOf(() => elementsFromJson(REGION, [], json, PREFIXED_REFERENCES))).toBe('malformed-value')
  })
})

test.each<[string, Datatype, readonly number[], (i: number) => JsonValue]>([
  ['numbers', integer(4), [10_000], i => i],
  ['rows', integer(2), [5000, 3], i => i % 1000],
  ['sequences', { class: 'H5T_VLEN', base: integer(1) }, [9000], i => new Array(i % 4).fill(i % 100)],
])('%s in pieces are what they are as a whole', (_, type, dims, make) => {
  let next = 0
  const build = (level: number): JsonValue =>
    level === dims.length ? make(next++) : Array.from({ length: dims[level] }, () => build(level + 1))
  const json = build(0)
  const whole = elementsFromJson(type, dims, json, PREFIXED_REFERENCES)
  let at = 0
  let pieces = 0
  for (const piece of elementPiecesFromJson(type, dims, json, PREFIXED_REFERENCES)) {
    expect(equalElements(type, whole, at, piece, 0, piece.count)).toBe(true)
    if (at > 0) expect(equalElements(type, whole, 0, piece, 0, piece.count)).toBe(false)
    at += piece.count
    pieces++
  }
  expect(at).toBe(whole.count)
  expect(pieces).toBeGreaterThan(1)
  const short = (json as readonly JsonValue[]).slice(1)
  expect(codeOf(() => [...elementPiecesFromJson(type, dims, short, PREFIXED_REFERENCES)])).toBe(
    'value-count-mismatch',
  )
})
