// Values of variable size as bytes: the tables of hsds-values 14, its rules and its errors, and the way from
// JSON to bytes and back for random types and values.

import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../../test/arbitraries/datatype.ts'
import { elementJson, nested } from '../../../../test/arbitraries/values.ts'
import type { Datatype } from '../../../model/datatype/datatype.ts'
import { isVariableSize } from '../../../model/datatype/layout.ts'
import { parseDatatype } from '../../../model/datatype/parse.ts'
import { type JsonValue, stringifyJson } from '../../../model/json/json.ts'
import { parseJson } from '../../../model/json/json-parser.ts'
import { elementsFromJson, elementsToJson } from '../../../model/json/json-tree.ts'
import { ElementsBuilder } from '../../../model/values/elements-builder.ts'
import { PREFIXED_REFERENCES, type ValueStyle } from '../../../model/values/references.ts'
import { hasBinaryForm } from './binary-layout.ts'
import { elementsFromVariableBytes } from './binary-reader.ts'
import { BinaryValueWriter } from './binary-writer.ts'

const STYLE: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }

const typeOf = (json: string): Datatype => parseDatatype(parseJson(json))
const compound = (...fields: string[]): string =>
  `{"class":"H5T_COMPOUND","fields":[${fields.map((type, i) => `{"name":"m${i}","type":${type}}`)}]}`
const array = (dims: string, base: string): string => `{"class":"H5T_ARRAY","dims":[${dims}],"base":${base}}`
const sequence = (base: string): string => `{"class":"H5T_VLEN","base":${base}}`
const text = (length: string): string =>
  `{"class":"H5T_STRING","charSet":"H5T_CSET_UTF8","strPad":"H5T_STR_NULLPAD","length":${length}}`
const integer = (name: string): string => `"H5T_STD_${name}"`
const TEXT = text('"H5T_VARIABLE"')
const REGION = '{"class":"H5T_REFERENCE","base":"H5T_STD_REF_DSETREG"}'

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** The bytes of as many elements as the list of JSON values has. */
function encode(type: Datatype, values: JsonValue): Uint8Array {
  const count = (values as readonly JsonValue[]).length
  const writer = new BinaryValueWriter(type, PREFIXED_REFERENCES)
  const elements = elementsFromJson(type, [count], values, PREFIXED_REFERENCES)
  return Buffer.concat([...writer.write(elements), ...writer.finish()])
}

async function* cut(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const length of [...lengths, bytes.length]) {
    yield bytes.subarray(at, at + length)
    at += length
  }
}

/** The JSON of what the bytes hold, which arrive in pieces of these lengths. */
async function decode(type: Datatype, count: number, bytes: Uint8Array, lengths: number[] = []) {
  const builder = new ElementsBuilder(type, count)
  let found = 0
  for await (const piece of elementsFromVariableBytes(
    type,
    count,
    cut(bytes, lengths),
    PREFIXED_REFERENCES,
  )) {
    builder.copy(piece, 0, found, piece.count)
    found += piece.count
  }
  expect(found).toBe(count)
  return stringifyJson(elementsToJson(type, [count], builder.finish(), STYLE))
}

describe('hsds-values 14', () => {
  test.each<[string, string, string, string]>([
    ['a sequence', sequence(integer('U16LE')), '[[7,8],[],[9]]', '04000000 07000800 00000000 02000000 0900'],
    ['a sequence, big-endian', sequence(integer('U16BE')), '[[7,8]]', '04000000 00070008'],
    ['a string', TEXT, '["né","","q"]', '03000000 6ec3a9 00000000 01000000 71'],
    [
      'a compound',
      compound(integer('I8LE'), sequence(integer('U16LE'))),
      '[[5,[1]],[6,[]]]',
      '05 02000000 0100 06 00000000',
    ],
    [
      'rule 5: a tail of zeros for an array of strings',
      compound(integer('I16LE'), array('2', TEXT)),
      '[[1,["a","bc"]],[2,["",""]]]',
      '0100 01000000 61 02000000 6263 0200 00000000 00000000 0000000000000000',
    ],
    [
      'rule 5: for each such member, in compounds in it too',
      compound(array('1', TEXT), compound(array('1,1', TEXT), integer('I8LE'))),
      '[[["a"],[[["b"]],1]]]',
      '01000000 61 01000000 62 01 0000000000000000',
    ],
    ['no tail for an array that is the type', array('2', TEXT), '[["a","b"]]', '01000000 61 01000000 62'],
    [
      'four sequences: 56 bytes',
      sequence(integer('I32LE')),
      '[[1],[1,2],[1,2,3],[1,2,3,4]]',
      '04000000 01000000 08000000 01000000 02000000 0c000000 01000000 02000000 03000000' +
        '10000000 01000000 02000000 03000000 04000000',
    ],
    [
      'a sequence of compounds',
      sequence(compound(integer('I8LE'), text('3'))),
      '[[[1,"ab"],[2,"c"]]]',
      '08000000 01 616200 02 630000',
    ],
    ['a compound of one variable member', compound(TEXT), '[["é"]]', '02000000 c3a9'],
    [
      'a string in place of a region reference',
      REGION,
      '["datasets/x",null]',
      '0a000000 64617461736574732f78 00000000',
    ],
  ])('%s', async (_, json, values, bytes) => {
    const type = typeOf(json)
    const list = parseJson(values) as readonly JsonValue[]
    const expected = bytes.replaceAll(' ', '')
    expect(hex(encode(type, list))).toBe(expected)
    expect(await decode(type, list.length, Buffer.from(expected, 'hex'))).toBe(values)
    expect(await decode(type, list.length, Buffer.from(expected, 'hex'), [1, 1, 1, 1, 1, 2, 3])).toBe(values)
  })

  test('a region reference travels as the text of its JSON, and means the same', async () => {
    const region =
      '{"id":"01234567-89abcdef-0123-456789-abcdef","select_type":"H5S_SEL_HYPERSLABS","selection":[[[0,0],[1,4]]]}'
    const bytes = encode(typeOf(REGION), [parseJson(region)])
    expect(Buffer.from(bytes).subarray(4).toString()).toBe(region)
    expect(await decode(typeOf(REGION), 1, bytes)).toBe(`[${region}]`)
  })

  test.each<[string, string, string, string]>([
    ['a member', compound(integer('U64BE'), TEXT), '0100000000000000 01000000 61', '[[1,"a"]]'],
    ['a float', compound('"H5T_IEEE_F32BE"', TEXT), '0000c03f 00000000', '[[1.5,""]]'],
    ['a compound in it', compound(compound(integer('I16BE')), TEXT), '0100 00000000', '[[[1],""]]'],
    [
      'arrays keep their order',
      compound(array('2', integer('I16BE')), TEXT),
      '0001 0002 00000000',
      '[[[1,2],""]]',
    ],
    ['sequences keep their order', compound(sequence(integer('I16BE'))), '04000000 0001 0002', '[[[1,2]]]'],
  ])('rule 6: requests bring big-endian numbers in little-endian: %s', async (_, json, bytes, values) => {
    const type = typeOf(json)
    expect(await decode(type, 1, Buffer.from(bytes.replaceAll(' ', ''), 'hex'))).toBe(values)
  })

  test('rule 6: answers have the declared order', () => {
    expect(hex(encode(typeOf(compound(integer('U64BE'), TEXT)), [[1, 'a']]))).toBe(
      '00000000000000010100000061',
    )
  })

  test('rule 5: an array of two strings in each of 4 elements makes 16 more bytes', () => {
    const type = typeOf(compound(integer('U64BE'), text('8'), array('2', TEXT)))
    const row = [1, 'eight ch', ['string one', 'string two']]
    expect(encode(type, [row, row, row, row]).length).toBe(4 * (8 + 8 + 2 * 14) + 16)
  })

  const codeOf = async (json: string, count: number, bytes: string, lengths: number[] = []) => {
    try {
      await decode(typeOf(json), count, Buffer.from(bytes.replaceAll(' ', ''), 'hex'), lengths)
      return 'accepted'
    } catch (error) {
      return error instanceof HyperslabError ? error.code : error
    }
  }

  test.each<[string, string, number, string, string]>([
    ['a negative count', TEXT, 1, 'ffffffff 61', 'malformed-value'],
    ['a count of no whole elements', sequence(integer('I16LE')), 1, '03000000 010203', 'malformed-value'],
    ['an end within a value', TEXT, 1, '03000000 6162', 'value-count-mismatch'],
    ['an end within a count', TEXT, 1, '0300', 'value-count-mismatch'],
    ['a huge count without its bytes', TEXT, 1, 'ffffff7f 61', 'body-too-large'],
    ['an element too few', TEXT, 2, '01000000 61', 'value-count-mismatch'],
    ['bytes behind the last element', TEXT, 1, '01000000 61 00 01', 'value-count-mismatch'],
    ['any number of zeros behind it', TEXT, 1, '01000000 61 0000000000', 'accepted'],
    ['no elements', TEXT, 0, '', 'accepted'],
    ['no elements, bytes', TEXT, 0, '01', 'value-count-mismatch'],
    [
      'a reference that is none',
      compound('{"class":"H5T_REFERENCE","base":"H5T_STD_REF_OBJ"}', TEXT),
      1,
      `${'61'.repeat(48)} 00000000`,
      'malformed-value',
    ],
  ])('%s', async (_, json, count, bytes, code) => {
    expect(await codeOf(json, count, bytes)).toBe(code)
    expect(await codeOf(json, count, bytes, [1, 1, 1, 1, 1])).toBe(code)
  })
})

test('a long value comes out in pieces, and goes in as it came', async () => {
  const type = typeOf(TEXT)
  const long = 'long text '.repeat(300_000)
  const writer = new BinaryValueWriter(type, PREFIXED_REFERENCES)
  const elements = elementsFromJson(type, [2], [long, 'short'], PREFIXED_REFERENCES)
  const pieces = [...writer.write(elements), ...writer.finish()]
  expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(300 * 1024)
  const bytes = Buffer.concat(pieces)
  expect(bytes.length).toBe(4 + long.length + 4 + 5)
  expect(await decode(type, 2, bytes, [70_000, 1_000_000])).toBe(JSON.stringify([long, 'short']))
})

test('random values of random types: JSON, bytes, and JSON again', async () => {
  const cases = datatype
    .filter(type => isVariableSize(type) && hasBinaryForm(type))
    .chain(type =>
      fc.record({
        type: fc.constant(littleEndianMembers(type)),
        values: nested(elementJson(type), [3]),
        lengths: fc.array(fc.nat(20)),
      }),
    )
  await fc.assert(
    fc.asyncProperty(cases, async ({ type, values, lengths }) => {
      const bytes = encode(type, values)
      const json = await decode(type, 3, bytes, lengths)
      const elements = elementsFromJson(type, [3], values, PREFIXED_REFERENCES)
      expect(json).toBe(stringifyJson(elementsToJson(type, [3], elements, STYLE)))
      expect(encode(type, parseJson(json))).toEqual(bytes)
    }),
  )
})

/** The type with numbers of compounds in little-endian, since rule 6 makes the others come back swapped. */
function littleEndianMembers(type: Datatype): Datatype {
  if (type.class === 'H5T_COMPOUND') {
    return {
      ...type,
      fields: type.fields.map(({ name, type }) => ({ name, type: littleEndianMembers(type) })),
    }
  }
  if (type.class === 'H5T_ENUM') return { ...type, base: { ...type.base, order: 'LE' } }
  return 'order' in type ? { ...type, order: 'LE' } : type
}

test('a string that claims more than an element may have is refused before any of it has come', async () => {
  const claimed = Buffer.alloc(5)
  claimed.writeInt32LE(2 ** 26 + 1)
  await expect(decode(typeOf(TEXT), 1, claimed)).rejects.toMatchObject({ code: 'body-too-large' })
})
