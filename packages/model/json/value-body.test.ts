import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonValue, stringifyJson } from './json.ts'
import { parseJson } from './json-parser.ts'
import {
  decodeBase64Text,
  readRange,
  type StoredText,
  splitValueBodies,
  splitValueBody,
  type ValueBody,
} from './value-body.ts'

/** Gives at most `most` bytes at a time. */
function stored(text: string, most = 1000): StoredText {
  const bytes = Buffer.from(text)
  return {
    length: bytes.length,
    async read(offset, into) {
      return bytes.copy(into, 0, offset, Math.min(offset + most, offset + into.length))
    },
  }
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const copies: Buffer[] = []
  for await (const piece of pieces) copies.push(Buffer.from(piece))
  return Buffer.concat(copies).toString()
}

async function* cut(text: string, lengths: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += lengths) yield Buffer.from(text.slice(at, at + lengths))
}

/** The members that were found, the streamed ones by their text. */
async function split(text: string, most?: number): Promise<string> {
  const body = stored(text, most)
  const { members, value, valueBase64 }: ValueBody = await splitValueBody(body, 1000)
  const streamed = new Map<string, string>()
  if (value) streamed.set('value', await textOf(readRange(body, value)))
  if (valueBase64) streamed.set('value_base64', await textOf(readRange(body, valueBase64)))
  return `${stringifyJson(members)} ${[...streamed].map(([name, json]) => `${name}=${json}`).join(' ')}`.trim()
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no error',
    error => {
      if (error instanceof HyperslabError) return error.code
      throw error
    },
  )
}

/** The text of each item, and the other members. */
async function splitList(text: string, most?: number): Promise<string> {
  const { members, bodies } = await splitValueBodies(stored(text, most), 'values', 3, 1000)
  if (bodies === undefined) return `${stringifyJson(members)} no list`
  const texts = bodies.map(body => textOf(readRange(body, { from: 0, to: body.length })))
  return `${stringifyJson(members)} ${(await Promise.all(texts)).join(' | ')}`
}

describe('splitValueBodies', () => {
  test.each<[string, string]>([
    ['{"values":[]}', '{} '],
    ['{"values":[{"a":1}]}', '{} {"a":1}'],
    [
      ' { "a" : 1 , "values" : [ {"b":[{}]} , { } ,{"c":"]}"}\n] , "d":2} ',
      '{"a":1,"d":2} {"b":[{}]} | { } | {"c":"]}"}',
    ],
    ['{"a":1}', '{"a":1} no list'],
    ['{"values":null}', '{"values":null} no list'],
    ['{"values":[{"a":1}],"values":[{"a":2}]}', '{} {"a":2}'],
  ])('of %s', async (text, expected) => {
    for (const most of [1, 2, 3, 1000]) expect(await splitList(text, most)).toBe(expected)
  })

  test.each<[string, string]>([
    ['{"values":7}', 'malformed-body'],
    ['{"values":{"a":1}}', 'malformed-body'],
    ['{"values":"[]"}', 'malformed-body'],
    ['{"values":[{},7]}', 'malformed-body'],
    ['{"values":[[]]}', 'malformed-body'],
    ['{"values":[,{}]}', 'malformed-body'],
    ['{"values":[{},]}', 'malformed-body'],
    ['{"values":[{}{}]}', 'malformed-json'],
    ['{"values":[{} 1]}', 'malformed-json'],
    ['{"values":[{}', 'malformed-json'],
    ['{"values":[{"a":1}', 'malformed-json'],
    ['{"values":[{},{},{},{}]}', 'body-too-large'],
    ['[]', 'malformed-body'],
  ])('of %s fails', async (text, code) => {
    for (const most of [1, 1000]) expect(await codeOf(splitList(text, most))).toBe(code)
  })

  test('names the item that is wrong', async () => {
    await expect(splitList('{"values":[{},"x"]}')).rejects.toThrow('body.values[1] must be an object')
  })

  test('gives items that are split like a body of their own', async () => {
    const text = '{"values":[{"value":[1]},{"x":"y","value":"two","points":[3]}]}'
    for (const most of [1, 7, 1000]) {
      const { bodies = [] } = await splitValueBodies(stored(text, most), 'values', 3, 1000)
      const [one, two] = bodies
      if (!one || !two) throw new Error('there are two items')
      const parts = await splitValueBody(two, 1000)
      expect(stringifyJson(parts.members)).toBe('{"x":"y"}')
      expect(await textOf(readRange(two, parts.value ?? { from: 0, to: 0 }))).toBe('"two"')
      expect(await textOf(readRange(two, parts.points ?? { from: 0, to: 0 }))).toBe('[3]')
      expect(
        await textOf(readRange(one, (await splitValueBody(one, 1000)).value ?? { from: 0, to: 0 })),
      ).toBe('[1]')
    }
  })
})

describe('splitValueBody', () => {
  test.each<[string, string]>([
    ['{}', '{}'],
    ['{"value":[1,2]}', '{} value=[1,2]'],
    ['{"start":0,"value":[1,[2]],"stop":[3]}', '{"start":0,"stop":[3]} value=[1,[2]]'],
    [' { "value" : 7 , "start" : 1 } ', '{"start":1} value=7'],
    ['{"value":7}', '{} value=7'],
    ['{"value":"a\\"}]","start":1}', '{"start":1} value="a\\"}]"'],
    ['{"value_base64":"AAAA","value":null}', '{"value":null} value_base64="AAAA"'],
    ['{"value":1,"value": null , "a":null}', '{"value":null,"a":null}'],
    ['{"value":null,"value":1}', '{"value":null} value=1'],
    ['{"value":"null","value_base64":null}', '{"value_base64":null} value="null"'],
    ['{"value":[null]}', '{} value=[null]'],
    ['{"v\\u0061lue":[1]}', '{} value=[1]'],
    ['{"value":1,"value":2}', '{} value=2'],
    ['{"a":{"value":[1]},"value":3}', '{"a":{"value":[1]}} value=3'],
    ['{"value":[NaN,-Infinity]}', '{} value=[NaN,-Infinity]'],
    ['{"big":18446744073709551615}', '{"big":18446744073709551615}'],
  ])('%s', async (text, expected) => {
    expect(await split(text)).toBe(expected)
    expect(await split(text, 1)).toBe(expected)
  })

  test.each<[string, string]>([
    ['', 'malformed-json'],
    ['[1]', 'malformed-body'],
    ['{', 'malformed-json'],
    ['{"value":[1', 'malformed-json'],
    ['{"value":[1]', 'malformed-json'],
    ['{"value":}', 'no error'],
    ['{"start":}', 'malformed-json'],
    ['{"start" 1}', 'malformed-json'],
    ['{"start":1,}', 'malformed-json'],
    ['{"start":1 "stop":2}', 'malformed-json'],
    ['{"start":[1}}', 'malformed-json'],
    ['{start:1}', 'malformed-json'],
    ['{"start":1}}', 'malformed-json'],
    ['{"st\nart":1}', 'malformed-json'],
  ])('%s gives %s', async (text, code) => {
    expect(await codeOf(split(text, 3))).toBe(code)
  })

  test('finds what parseJson finds, whatever the members are and however the text is cut', async () => {
    const name = fc.oneof(fc.constantFrom('value', 'value_base64', 'start', '__proto__', '1'), fc.string())
    const members = fc.array(fc.tuple(name, fc.jsonValue({ maxDepth: 3 })), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(members, fc.integer({ min: 1, max: 9 }), fc.nat(2), async (members, most, indent) => {
        const item = ([name, value]: [string, unknown]) =>
          `${JSON.stringify(name)}:${JSON.stringify(value, null, indent)}`
        const text = `{${members.map(item).join(' ,\n')}}`
        const body = stored(text, most)
        const found = await splitValueBody(body, 1e6)
        const all = new Map<string, JsonValue>(found.members)
        if (found.value) all.set('value', parseJson(await textOf(readRange(body, found.value))))
        if (found.valueBase64)
          all.set('value_base64', parseJson(await textOf(readRange(body, found.valueBase64))))
        expect(new Set(all)).toEqual(new Set(parseJson(text) as ReadonlyMap<string, JsonValue>))
      }),
    )
  })
})

describe('members that are kept', () => {
  test('are limited, values are not', async () => {
    const values = `"value":[${'1,'.repeat(900)}1],"value_base64":"${'A'.repeat(2000)}"`
    expect(await codeOf(split(`{${values},"a":"${'x'.repeat(900)}"}`))).toBe('no error')
    expect(await codeOf(split(`{${values},"a":"${'x'.repeat(500)}","b":"${'x'.repeat(500)}"}`))).toBe(
      'body-too-large',
    )
    expect(await codeOf(split(`{"${'x'.repeat(1100)}":1}`))).toBe('body-too-large')
  })
})

describe('decodeBase64Text', () => {
  test('gives the bytes however the text is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 50 }),
        fc.integer({ min: 1, max: 20 }),
        async (bytes, length) => {
          const text = JSON.stringify(Buffer.from(bytes).toString('base64'))
          const found: number[] = []
          for await (const piece of decodeBase64Text(cut(text, length))) found.push(...piece)
          expect(found).toEqual([...bytes])
        },
      ),
    )
  })

  test.each<[string, string]>([
    ['"AP+A"', '00ff80'],
    ['"AP\\u002bA"', '00ff80'],
    ['"\\/\\/\\/\\/"', 'ffffff'],
    ['"AA=="', '00'],
    ['"AA"', 'malformed-value'],
    ['"AAA"', 'malformed-value'],
    ['"AAA="', '0000'],
    ['"AA\\r\\nAA"', '000000'],
    ['""', ''],
    ['"A"', 'malformed-value'],
    ['"AAA=="', 'malformed-value'],
    ['"AA=A"', 'malformed-value'],
    ['"A A="', 'malformed-value'],
    ['"AP-_"', 'malformed-value'],
    ['"\\u00e9AAA"', 'malformed-value'],
    ['"AAAA', 'malformed-json'],
    ['12', 'malformed-value'],
    ['null', 'malformed-value'],
    ['["AAAA"]', 'malformed-value'],
  ])('%s gives %s', async (text, expected) => {
    const decode = async () => {
      const copies: Buffer[] = []
      for await (const piece of decodeBase64Text(cut(text, 2))) copies.push(Buffer.from(piece))
      return Buffer.concat(copies).toString('hex')
    }
    const result = await decode().catch(error => (error instanceof HyperslabError ? error.code : error))
    expect(result).toBe(expected)
  })
})
