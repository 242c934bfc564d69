import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementJson } from '../../../../test/arbitraries/values.ts'
import type { CompoundType, Datatype } from '../../../model/datatype/datatype.ts'
import type { JsonValue } from '../../../model/json/json.ts'
import { parseJson } from '../../../model/json/json-parser.ts'
import { elementsFromJson } from '../../../model/json/json-tree.ts'
import { roundToSize } from '../../../model/values/numbers.ts'
import { PREFIXED_REFERENCES } from '../../../model/values/references.ts'
import { encodeText } from '../../../model/values/text.ts'
import { classicReferences } from '../../http/dialect/classic/values.ts'
import { BLOCK_LENGTH } from './block.ts'
import { compileQuery } from './compile.ts'
import { fieldsOf } from './fields.ts'
import { parseQuery } from './parse.ts'

const I8: Datatype = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const I64: Datatype = { class: 'H5T_INTEGER', size: 8, signed: true, order: 'BE' }
const U64: Datatype = { class: 'H5T_INTEGER', size: 8, signed: false, order: 'LE' }
const F16: Datatype = { class: 'H5T_FLOAT', size: 2, order: 'LE' }
const F32: Datatype = { class: 'H5T_FLOAT', size: 4, order: 'BE' }
const F64: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
const BOOLEAN: Datatype = {
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' },
  members: [
    { name: 'FALSE', value: 0 },
    { name: 'TRUE', value: 1 },
  ],
}
const BITS: Datatype = { class: 'H5T_BITFIELD', size: 2, order: 'BE' }
const REFERENCE: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
const REGION: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }

function string(
  length: number | 'H5T_VARIABLE',
  strPad: 'H5T_STR_NULLPAD' | 'H5T_STR_SPACEPAD' = 'H5T_STR_NULLPAD',
): Datatype {
  return { class: 'H5T_STRING', length, charSet: 'H5T_CSET_UTF8', strPad }
}

/** Positions of the elements for which the query holds. */
function found(
  type: Datatype,
  json: string | readonly JsonValue[],
  query: string,
  references = PREFIXED_REFERENCES,
): number[] {
  const values = typeof json === 'string' ? (parseJson(json) as readonly JsonValue[]) : json
  const elements = elementsFromJson(type, [values.length], values, references)
  const test = compileQuery(parseQuery(query, 'words'), fieldsOf(type), references)
  const positions: number[] = []
  for (let first = 0; first < elements.count; first += 3) {
    const count = Math.min(3, elements.count - first)
    test.test(elements, first, count).forEach((holds, i) => {
      if (i < count && holds === 1) positions.push(first + i)
    })
  }
  return positions
}

describe('numbers', () => {
  it.each<[string, Datatype, string, string, number[]]>([
    ['order', I32, '[3, -4, 5]', '_ < 4', [0, 1]],
    ['<= takes the equal', I32, '[3, 4, 5]', '_ <= 4', [0, 1]],
    ['>= takes the equal', I32, '[3, 4, 5]', '_ >= 4', [1, 2]],
    ['a literal beyond the type', I8, '[-128, 127]', '_ < 300', [0, 1]],
    ['a literal between integers', I32, '[3, 4]', '_ > 3.5', [1]],
    ['int64 is exact', I64, '[9007199254740992, 9007199254740993]', '_ == 9007199254740993', [1]],
    [
      'int64 below',
      I64,
      '[-9007199254740993, -9007199254740992, -9007199254740994]',
      '_ < -9007199254740993',
      [2],
    ],
    [
      'uint64 is exact',
      U64,
      '[18446744073709551614, 18446744073709551615]',
      '_ >= 18446744073709551615',
      [1],
    ],
    ['beyond uint64', U64, '[18446744073709551615, 0]', '_ < 18446744073709551616', [0, 1]],
    ['below uint64', U64, '[18446744073709551615, 0]', '_ > -9223372036854775809', [0, 1]],
    ['beyond int64', I64, '[9223372036854775807, -1]', '_ == 18446744073709551615', []],
    ['a decimal and int64, as float64', I64, '[9007199254740993, 7]', '_ == 9007199254740992.0', [0]],
    ['int64 in a list', I64, '[9007199254740993, 9007199254740992, 7]', '_ in (7, 9007199254740993)', [0, 2]],
    ['float32 with the literal rounded', F32, '[0.1, 0.2]', '_ == 0.1', [0]],
    ['float16 with the literal rounded', F16, '[0.42, 0.1]', '_ == 0.42', [0]],
    ['float32 in a list', F32, '[0.1, 0.2, 0.3]', '_ in (0.3, 0.1)', [0, 2]],
    ['float64', F64, '[0.1, 0.2]', '_ <= 0.1', [0]],
    ['an integer beyond 2^53 and a float', F64, '[9007199254740992]', '_ == 9007199254740993', [0]],
    ['NaN equals nothing', F64, '[NaN, 1, Infinity]', '_ == 1', [1]],
    ['NaN differs from all', F64, '[NaN, 1, Infinity]', '_ != 1', [0, 2]],
    ['NaN has no order', F64, '[NaN, 1, Infinity]', 'NOT (_ < 2) AND NOT (_ >= 2)', [0]],
    ['NaN is in no list', F64, '[NaN, 1]', '_ not in (1)', [0]],
    ['-0 equals 0', F64, '[-0.0, 0]', '_ in (0)', [0, 1]],
    ['enums are integers', BOOLEAN, '[true, false]', '_ == 1', [0]],
    ['bitfields are unsigned', BITS, '[65535, 1]', '_ > 32768', [0]],
  ])('%s', (_, type, values, query, positions) => {
    expect(found(type, values, query)).toEqual(positions)
  })
})

describe('text', () => {
  const GROUP = 'g-acdb532f-995a6284-2453-dba711-d2ea0c'
  it.each<[string, Datatype, string, string, number[]]>([
    ['without padding', string(6), '["ab", "abc", "", "b"]', "_ == 'ab'", [0]],
    ['b and plain quotes are the same', string(4), '["AAPL", "EBAY"]', "_ == b'AAPL'", [0]],
    ['a literal that fills the field', string(4), '["AAPL", "AAP"]', "_ == 'AAPL'", [0]],
    ['a longer literal equals nothing', string(4), '["AAPL"]', "_ == 'AAPLE'", []],
    ['but is greater', string(4), '["AAPL"]', "_ < 'AAPLE'", [0]],
    ['the empty text', string(4), '["", "a"]', "_ == ''", [0]],
    ['order is by bytes', string('H5T_VARIABLE'), '["Z", "a", "é", "ab", ""]', "_ > 'a'", [2, 3]],
    ['!=', string(4), '["a", "b"]', "_ != 'a'", [1]],
    ['<= of a prefix', string(4), '["a", "ab"]', "_ <= 'a'", [0]],
    ['space padding', string(6, 'H5T_STR_SPACEPAD'), '["ab", "abc"]', "_ == 'ab  '", [0]],
    ['spaces count elsewhere', string(6), '["ab", "ab "]', "_ == 'ab '", [1]],
    ['variable strings', string('H5T_VARIABLE'), '["ab", "abc", "", "ab"]', "_ == 'ab'", [0, 3]],
    ['variable: empty', string('H5T_VARIABLE'), '["ab", ""]', "_ == ''", [1]],
    ['lists', string(4), '["N1", "N2", "N3", ""]', "_ in (N3, 'N1', 'zzzzz')", [0, 2]],
    ['lists of variable', string('H5T_VARIABLE'), '["N1", "N2", ""]', "_ in ('', 'N2')", [1, 2]],
    ['not in a list', string(4), '["N1", "N2"]', '_ not in (N1)', [1]],
    ['opaque data', { class: 'H5T_OPAQUE', size: 3 }, '["AQID", "AQAA"]', "_ == b'\\x01'", [1]],
    ['references', REFERENCE, `["groups/${GROUP}", ""]`, `_ == 'groups/${GROUP}'`, [0]],
    ['null references', REFERENCE, `["groups/${GROUP}", ""]`, "_ == ''", [1]],
    ['references in a list', REFERENCE, `["groups/${GROUP}", ""]`, `_ in ('${GROUP}')`, [0]],
  ])('%s', (_, type, values, query, positions) => {
    expect(found(type, values, query)).toEqual(positions)
  })

  it('references are spelled as the dialect does', () => {
    const uuid = 'groups/acdb532f-995a-6284-2453-dba711d2ea0c'
    expect(found(REFERENCE, [uuid, 'null'], `_ == '${uuid}'`, classicReferences)).toEqual([0])
    expect(found(REFERENCE, [uuid, 'null'], "_ == 'null'", classicReferences)).toEqual([1])
  })
})

const TABLE: Datatype = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'symbol', type: string(4) },
    { name: 'wind speed', type: F32 },
    { name: 'open', type: I32 },
    { name: 'list', type: { class: 'H5T_VLEN', base: I32 } },
    { name: 'pair', type: { class: 'H5T_ARRAY', base: I32, dims: [2] } },
    { name: 'inner', type: compound({ x: I32 }) },
    { name: 'region', type: REGION },
  ],
}

function compound(members: Readonly<Record<string, Datatype>>): CompoundType {
  return { class: 'H5T_COMPOUND', fields: Object.entries(members).map(([name, type]) => ({ name, type })) }
}

function array(base: Datatype, ...dims: number[]): Datatype {
  return { class: 'H5T_ARRAY', base, dims }
}

describe('nested fields', () => {
  it.each<[string, Datatype, string, string, number[]]>([
    [
      'a member of a member',
      compound({ pos: compound({ x: F64, y: F64 }) }),
      '[[[1, 2]], [[2, 1]]]',
      'pos.y < 2',
      [1],
    ],
    [
      'an element of an array',
      compound({ m: array(I32, 2, 2) }),
      '[[[[1, 2], [3, 4]]], [[[1, 2], [9, 4]]]]',
      'm[1][0] == 3',
      [0],
    ],
    [
      'a member of an element',
      compound({ hits: array(compound({ e: F32, n: string('H5T_VARIABLE') }), 2) }),
      '[[[[1, "a"], [2, "b"]]], [[[1, "b"], [2, "c"]]]]',
      "hits[1].n in (b, 'z')",
      [0],
    ],
    [
      'an array of arrays',
      compound({ m: array(array(I32, 2), 2) }),
      '[[[[1, 2], [3, 4]]], [[[1, 2], [9, 4]]]]',
      'm[1][0] > 3',
      [1],
    ],
    ['an element of the element', array(I32, 2), '[[1, 2], [3, 4]]', '_[1] == 4', [1]],
    [
      'a member of an element of the element',
      array(compound({ x: I32 }), 2),
      '[[[1], [2]], [[3], [4]]]',
      '_[0].x < 3',
      [0],
    ],
    [
      'a name in quotes',
      compound({ 'wind & rain': compound({ 'à (m)': I32 }) }),
      '[[[1]], [[2]]]',
      '"wind & rain.à (m)" == 2',
      [1],
    ],
    [
      'a member at the top before a nested one',
      compound({ a: compound({ b: I32 }), 'a.b': I32, 'a[0]': I32 }),
      '[[[1], 2, 3], [[2], 1, 0]]',
      'a.b == 2 and a[0] == 3',
      [0],
    ],
    [
      'a name that only one way leads to',
      compound({ a: compound({ 'b.c': I32 }), 'a.b': compound({ d: I32 }) }),
      '[[[1], [2]], [[2], [1]]]',
      'a.b.c == 2 and a.b.d == 1',
      [1],
    ],
  ])('%s', (_, type, rows, query, positions) => {
    expect(found(type, rows, query)).toEqual(positions)
  })
})

describe('fields', () => {
  const rows = '[["A", 1.5, 7, [1], [1, 2], [3], null], ["B", 2.5, 8, [], [1, 2], [3], null]]'
  it.each<[string, number[]]>([
    ["symbol == 'B'", [1]],
    ['wind speed < 2', [0]],
    ['"open" >= 7 & symbol < \'B\'', [0]],
    ['open == 7 or open == 8', [0, 1]],
    ['open == 7 xor open in (7, 8)', [1]],
    ['open == 7 xor open == 7 xor open == 8', [1]],
    [
      '(open == 7 and (symbol == A or symbol in (B)) or open == 8) and not wind speed == 1.5'.replace(
        ' == A',
        " == 'A'",
      ),
      [1],
    ],
  ])('%s', (query, positions) => {
    expect(found(TABLE, rows, query)).toEqual(positions)
  })

  it.each<[string, Datatype, string, string]>([
    ['an unknown field', TABLE, 'closed == 1', 'at character 0, there is no field "closed"'],
    ['a field of a prototype', TABLE, 'constructor == 1', 'there is no field "constructor"'],
    ['_ of a compound', TABLE, '_ == 1', 'there is no field "_"'],
    ['a name where there are no fields', I32, 'open == 1', 'there is no field "open"'],
    ['arithmetic', TABLE, 'open + 1 == 8', 'there is no field "open + 1"'],
    [
      'a number and text',
      TABLE,
      "open == '7'",
      'at character 8, the field "open" holds numbers, \'7\' is a string',
    ],
    ['a string and a number', TABLE, 'symbol < 7', 'the field "symbol" holds text, 7 is a number'],
    [
      'a list of both',
      TABLE,
      'open in (1, x)',
      'at character 12, the field "open" holds numbers, x is a string',
    ],
    ['a list of numbers for text', TABLE, 'symbol in (1)', 'holds text, 1 is a number'],
    ['a sequence', TABLE, 'list == 1', 'the field "list" is H5T_VLEN, which cannot be compared'],
    [
      'an array',
      TABLE,
      'pair == 1',
      'is H5T_ARRAY, which cannot be compared: name a value in it, such as "pair[0]"',
    ],
    [
      'an inner compound',
      TABLE,
      'inner == 1',
      'is H5T_COMPOUND, which cannot be compared: name a value in it, such as "inner.x"',
    ],
    ['a region reference', TABLE, "region == ''", 'is H5T_REFERENCE'],
    [
      'an array as element',
      array(I32, 2, 3),
      '_ == 1',
      'is H5T_ARRAY, which cannot be compared: name a value in it, such as "_[0][0]"',
    ],
    ['a row of an array', array(I32, 2, 3), '_[1] == 1', 'the field "_[1]" is H5T_ARRAY'],
    [
      'an unknown nested field',
      TABLE,
      'open > 0 and inner.y == 1',
      'at character 13, there is no field "inner.y"',
    ],
    ['a member of a number', TABLE, 'open.x == 1', 'there is no field "open.x"'],
    ['an element of a compound', TABLE, 'inner[0] == 1', 'there is no field "inner[0]"'],
    ['an element of a sequence', TABLE, 'list[0] == 1', 'there is no field "list[0]"'],
    ['an index beyond the extent', TABLE, 'pair[2] == 1', 'there is no field "pair[2]"'],
    ['an index with zeros', TABLE, 'pair[01] == 1', 'there is no field "pair[01]"'],
    ['no index', TABLE, 'pair[] == 1', 'there is no field "pair[]"'],
    ['text behind an index', TABLE, 'pair[0]x == 1', 'there is no field "pair[0]x"'],
    [
      'a nested field of a prototype',
      TABLE,
      'inner.constructor == 1',
      'there is no field "inner.constructor"',
    ],
    [
      'a name of two fields',
      compound({ a: compound({ 'b.c': I32 }), 'a.b': compound({ c: I32 }) }),
      'a.b.c == 1',
      'at character 0, there are several fields "a.b.c"',
    ],
  ])('refuses %s', (_, type, query, message) => {
    expect(() => found(type, '[]', query)).toThrow(message)
    expect(() => found(type, '[]', query)).toThrow(HyperslabError)
  })
})

// Random rows and conditions, against values compared one by one.

const comparable = fc.oneof(
  fc.record({
    class: fc.constant('H5T_INTEGER' as const),
    size: fc.constantFrom(1, 2, 4, 8),
    signed: fc.boolean(),
    order: fc.constantFrom('LE', 'BE'),
  }),
  fc.record({
    class: fc.constant('H5T_FLOAT' as const),
    size: fc.constantFrom(2, 4, 8),
    order: fc.constantFrom('LE', 'BE'),
  }),
  fc.constantFrom(string(1), string(5), string('H5T_VARIABLE')),
  fc.constantFrom(BOOLEAN, BITS),
)

/** Whether the condition holds for the row at this position. */
type Naive = (row: number) => boolean
interface Case {
  readonly text: string
  readonly holds: Naive
}

function sourceOf(value: JsonValue): string {
  if (typeof value !== 'string') return typeof value === 'boolean' ? String(Number(value)) : String(value)
  const hex = [...encodeText(value)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  return `b'${hex}'`
}

const COMPARATORS = ['==', '!=', '<', '<=', '>', '>='] as const

/** The expected result of the comparison, by the rules of hsds-values 11.3. */
function compares(type: Datatype, value: JsonValue, comparator: string, source: string): boolean {
  let a: number | bigint | string = typeof value === 'boolean' ? Number(value) : (value as number)
  let b: number | bigint | string
  if (type.class === 'H5T_STRING') {
    const bytes = [...source.matchAll(/\\x(..)/g)].map(match => Number.parseInt(match[1], 16))
    const strip = (text: string) => (type.length === 'H5T_VARIABLE' ? text : text.replace(/\0+$/, ''))
    a = strip(Buffer.from(encodeText(value as string)).toString('latin1'))
    b = strip(Buffer.from(bytes).toString('latin1'))
  } else if (type.class === 'H5T_FLOAT') {
    b = roundToSize(Number(source), type.size)
  } else if (/^-?\d+$/.test(source)) {
    a = BigInt(a)
    b = BigInt(source)
  } else {
    a = Number(a)
    b = Number(source)
  }
  switch (comparator) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    default:
      return a >= b
  }
}

function literalOf(type: Datatype, values: readonly JsonValue[]): fc.Arbitrary<string> {
  const known = values.map(sourceOf).filter(source => source !== 'NaN' && !source.includes('Infinity'))
  const other =
    type.class === 'H5T_STRING'
      ? fc.string({ maxLength: 4 }).map(sourceOf)
      : fc.oneof(
          fc.integer().map(String),
          fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
          fc.bigInt(-(2n ** 65n), 2n ** 65n).map(String),
        )
  return known.length === 0 ? other : fc.oneof(fc.constantFrom(...known), other)
}

/** A part of an element, with its name in queries. */
interface NamedPart {
  readonly name: string
  readonly type: Datatype
  readonly value: JsonValue
}

/** The parts of an element, of any depth, with the names that CSV has for its columns. */
function partsOf(name: string, type: Datatype, value: JsonValue): readonly NamedPart[] {
  const whole = { name, type, value }
  const parts = value as readonly JsonValue[]
  if (type.class === 'H5T_COMPOUND')
    return [
      whole,
      ...type.fields.flatMap((field, i) => partsOf(`${name}.${field.name}`, field.type, parts[i])),
    ]
  if (type.class !== 'H5T_ARRAY') return [whole]
  const [, ...inner] = type.dims
  const part: Datatype = inner.length === 0 ? type.base : { ...type, dims: inner }
  return [whole, ...parts.flatMap((item, i) => partsOf(`${name}[${i}]`, part, item))]
}

/** The parts of a row that can be compared: a name is that of a member at the top, or of one part only. */
function comparableParts(type: CompoundType, row: JsonValue): readonly NamedPart[] {
  const top = type.fields.map((field, i) => ({ ...field, value: (row as readonly JsonValue[])[i] }))
  const nested = top
    .flatMap(({ name, type, value }) => partsOf(name, type, value).slice(1))
    .filter(
      ({ name }, _, all) =>
        !top.some(field => field.name === name) && all.filter(part => part.name === name).length === 1,
    )
  return [...top, ...nested].filter(({ type }) => type.class !== 'H5T_COMPOUND' && type.class !== 'H5T_ARRAY')
}

/** `columns`: the same part of each row. */
function condition(columns: readonly (readonly NamedPart[])[]): fc.Arbitrary<Case> {
  const leaf = fc.constantFrom(...columns).chain(column => {
    const [{ name, type }] = column
    const values = column.map(({ value }) => value)
    const literal = literalOf(type, values)
    const comparison = fc.tuple(fc.constantFrom(...COMPARATORS), literal).map(
      ([comparator, source]): Case => ({
        text: `${name} ${comparator} ${source}`,
        holds: row => compares(type, values[row], comparator, source),
      }),
    )
    const membership = fc.tuple(fc.boolean(), fc.array(literal, { minLength: 1, maxLength: 6 })).map(
      ([negated, sources]): Case => ({
        text: `${name} ${negated ? 'NOT IN' : 'in'} (${sources.join(', ')})`,
        holds: row => sources.some(source => compares(type, values[row], '==', source)) !== negated,
      }),
    )
    return fc.oneof({ weight: 3, arbitrary: comparison }, { weight: 1, arbitrary: membership })
  })
  const tree = fc.letrec<{ condition: Case }>(tie => ({
    condition: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      tie('condition').map(({ text, holds }) => ({
        text: `NOT (${text})`,
        holds: (row: number) => !holds(row),
      })),
      fc
        .tuple(
          fc.constantFrom('and', 'OR', 'xor', '&', '|'),
          fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
        )
        .map(
          ([word, cases]): Case => ({
            text: cases.map(({ text }) => `(${text})`).join(` ${word} `),
            holds: row => {
              const results = cases.map(({ holds }) => holds(row))
              if (word === 'and' || word === '&') return results.every(Boolean)
              return word === 'xor' ? results.filter(Boolean).length % 2 === 1 : results.some(Boolean)
            },
          }),
        ),
    ),
  }))
  return tree.condition
}

/** Members of any depth, whose names may have points and brackets. */
const table = fc.letrec<{ compound: CompoundType; member: Datatype }>(tie => ({
  compound: fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'a.b', 'a[0]', 'b.a', 'b[1].a'), tie('member')), {
      minLength: 1,
      maxLength: 4,
      selector: ([name]) => name,
    })
    .map(members => compound(Object.fromEntries(members))),
  member: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { weight: 3, arbitrary: comparable as fc.Arbitrary<Datatype> },
    { weight: 1, arbitrary: tie('compound') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('member'), fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 1, maxLength: 2 }))
        .map(([base, dims]) => array(base, ...dims)),
    },
  ),
})).compound

it('finds what comparing one by one finds, at the top and nested', () => {
  const program = table.chain(type =>
    fc.array(elementJson(type), { minLength: 1, maxLength: 12 }).chain(rows => {
      const parts = rows.map(row => comparableParts(type, row))
      const columns = parts[0].map((_, i) => parts.map(row => row[i]))
      return fc.record({
        type: fc.constant(type),
        rows: fc.constant(rows),
        asked: columns.length === 0 ? fc.constant(undefined) : condition(columns),
      })
    }),
  )
  fc.assert(
    fc.property(program, ({ type, rows, asked }) => {
      if (asked === undefined) return
      const expected = [...rows.keys()].filter(row => asked.holds(row))
      expect(found(type, rows, asked.text)).toEqual(expected)
    }),
    { numRuns: 1000 },
  )
})

it('tests a whole block, from any position', () => {
  const values = Array.from({ length: BLOCK_LENGTH + 5 }, (_, i) => i % 7)
  const elements = elementsFromJson(I32, [values.length], values, PREFIXED_REFERENCES)
  const test = compileQuery(parseQuery('_ == 3', 'words'), fieldsOf(I32), PREFIXED_REFERENCES)
  const mask = test.test(elements, 5, BLOCK_LENGTH)
  expect(Array.from(mask)).toEqual(values.slice(5).map(value => (value === 3 ? 1 : 0)))
})

describe('a query of many comparisons', () => {
  const type = compound({ a: I32, b: I32 })
  const compile = (text: string) =>
    compileQuery(parseQuery(text, 'words'), fieldsOf(type), PREFIXED_REFERENCES)
  const nested = (count: number, term: (i: number) => string, word: string) => {
    let text = term(0)
    for (let i = 1; i < count; i++) text = `(${text}) ${word} ${term(i)}`
    return text
  }

  it.each([
    ['values of one field in any number', nested(250, i => `a == ${i}`, 'OR'), 1],
    ['values that it is not', nested(250, i => `a != ${i}`, 'AND'), 1],
    ['values of two fields', nested(200, i => `${'ab'[i % 2]} == ${i}`, 'OR'), 2],
    ['values and a range', `${nested(200, i => `a == ${i}`, 'OR')} OR b > 3 OR b < 1`, 3],
    ['ranges', nested(100, i => `a > ${i}`, 'AND'), 100],
  ])('counts %s', (_, text, count) => {
    expect(compile(text).comparisons).toBe(count)
  })

  it('is refused, with the rule', () => {
    const text = nested(101, i => `a > ${i}`, 'AND')
    expect(() => compile(text)).toThrow(/at most 100 comparisons, this one has 101; .* == joined by OR/)
    expect(() => compile(nested(202, i => `${'ab'[i % 2]} ${i % 3 ? '<' : '>'} ${i}`, 'XOR'))).toThrow('202')
  })

  it('finds the same whether its values are a list or not', () => {
    const rows = Array.from({ length: 50 }, (_, i) => [i, i % 5])
    const values = nested(10, i => `a == ${3 * i}`, 'OR')
    expect(found(type, rows, values)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27])
    const others = nested(49, i => `a != ${i}`, 'AND')
    expect(found(type, rows, `b == 4 AND ${others}`)).toEqual([49])
    expect(found(type, rows, `(${values}) AND b == 0`)).toEqual([0, 15])
  })
})
