// JSON in and out: what is accepted, what is exact, what an error says.

import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonValue } from '../../../test/arbitraries/json.ts'
import { unicodeString } from '../../../test/wire/unicode.ts'
import { lazyList } from '../../server/http/message/lazy-json.ts'
import { excerpt, type JsonOutput, type JsonValue, stringifyJson } from './json.ts'
import { JsonParser, MemoryCount, parseJson } from './json-parser.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('parseJson', () => {
  test.each<[string, JsonValue]>([
    ['null', null],
    [' \t\r\n true ', true],
    ['false', false],
    ['0', 0],
    ['-12', -12],
    ['1.5e-3', 0.0015],
    ['1E2', 100],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-Infinity', Number.NEGATIVE_INFINITY],
    ['[NaN,-Infinity]', [Number.NaN, Number.NEGATIVE_INFINITY]],
    ['[]', []],
    ['[ 1 , [ ] ]', [1, []]],
    ['""', ''],
    ['"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9z"', 'a"\\/\b\f\n\r\téz'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\ud83d"', '\ud83d'],
    ['"\u007f\u2028"', '\u007f\u2028'],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toEqual(value)
    expect(parseJson(bytes(text))).toEqual(value)
  })

  test('a negative zero keeps its sign', () => {
    expect(parseJson('-0')).toBe(-0)
    expect(parseJson('-0.0')).toBe(-0)
  })

  test.each<[string, number | bigint]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740991', -9007199254740991],
    ['-9007199254740993', -9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['-9223372036854775808', -9223372036854775808n],
    ['1e19', 1e19],
    ['9007199254740993.0', 9007199254740992],
    [`1${'0'.repeat(308)}`, 10n ** 308n],
  ])('an integer beyond 2^53 - 1 is exact: %s', (text, value) => {
    expect(parseJson(text)).toBe(value)
  })

  test('members keep their order, whatever their names', () => {
    const json = parseJson('{"10": 1, "__proto__": 2, "2": 3, "": {"constructor": 4}}')
    expect([...(json as Map<string, JsonValue>)]).toEqual([
      ['10', 1],
      ['__proto__', 2],
      ['2', 3],
      ['', new Map([['constructor', 4]])],
    ])
  })

  test('of members with the same name the last one counts', () => {
    expect(parseJson('{"a": 1, "b": 2, "\\u0061": 3}')).toEqual(
      new Map([
        ['a', 3],
        ['b', 2],
      ]),
    )
  })

  test('a byte order mark before the bytes is passed over', () => {
    expect(parseJson(new Uint8Array([0xef, 0xbb, 0xbf, 0x31]))).toBe(1)
  })

  test.each([
    ['', 'character 0: expected a value, found the end'],
    ['  ', 'character 2: expected a value, found the end'],
    ['nul', 'character 0: expected a value, found "n"'],
    ['nan', 'character 0: expected a value, found "n"'],
    ['-nan', 'character 1: expected a digit, found "n"'],
    ['+1', 'character 0: expected a value, found "+"'],
    ['-', 'character 1: expected a digit, found the end'],
    ['01', 'character 0: a number must not start with a superfluous 0'],
    ['-00.5', 'character 1: a number must not start with a superfluous 0'],
    ['.5', 'character 0: expected a value, found "."'],
    ['1.', 'character 2: expected a digit, found the end'],
    ['1e', 'character 2: expected a digit, found the end'],
    ['1e+-2', 'character 3: expected a digit, found "-"'],
    ['1 2', 'character 2: expected the end, found "2"'],
    ['[1,]', 'character 3: expected a value, found "]"'],
    ['[1 2]', 'character 3: expected "," or "]", found "2"'],
    ['[1', 'character 2: expected "," or "]", found the end'],
    ['{"a":1,}', 'character 7: expected a member name in quotes, found "}"'],
    ["{'a':1}", 'character 1: expected a member name in quotes, found "\'"'],
    ['{"a" 1}', 'character 5: expected ":", found "1"'],
    ['{"a":1', 'character 6: expected "," or "}", found the end'],
    ['"a', 'character 2: expected the closing quote of a string, found the end'],
    ['"a\nb"', 'character 2: a control character in a string must be escaped'],
    ['["\\x41"]', 'character 1: after a backslash the string must have one of "\\/bfnrt, or u and four'],
    ['"\\u12g4"', 'character 0: after a backslash the string must have'],
    ['"a\\u12"', 'character 0: after a backslash the string must have'],
    ['"\\', 'character 2: expected the closing quote of a string, found the end'],
    ['"\\"', 'character 3: expected the closing quote of a string, found the end'],
    ['"\\\n"', 'after a backslash the string must have'],
    ['\u00a01', 'character 0: expected a value, found "\u00a0"'],
    ['[😀]', 'character 1: expected a value, found "😀"'],
    ['// no', 'character 0: expected a value, found "/"'],
    ['[', 'character 1: expected a value, found the end'],
    [`1${'0'.repeat(309)}`, 'character 0: a number is beyond what a double can hold'],
    ['[1e999]', 'character 1: a number is beyond what a double can hold'],
    ['-1.8e308', 'character 0: a number is beyond what a double can hold'],
    [`0.${'3'.repeat(4096)}`, 'character 0: a number has more than 4096 characters'],
    ['['.repeat(513), 'character 512: more than 512 levels of nesting'],
    ['{"a":'.repeat(1e5), 'more than 512 levels of nesting'],
  ])('refused: %.40s', (text, message) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: 'malformed-json' }))
    expect(() => parseJson(text)).toThrow(message)
  })

  test('512 levels of nesting are accepted', () => {
    expect(() => parseJson('['.repeat(512) + ']'.repeat(512))).not.toThrow()
    expect(() => parseJson(`[${'[],'.repeat(1000)}[]]`)).not.toThrow()
  })

  test.each([
    ['a stray continuation byte', [0x22, 0x80, 0x22], 1],
    ['a cut sequence', [0x22, 0x61, 0xc3], 2],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 1],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22], 1],
  ])('bytes that are not UTF-8 are refused: %s', (_, invalid, at) => {
    expect(() => parseJson(new Uint8Array(invalid))).toThrow(
      `malformed JSON: not valid UTF-8 near byte ${at}`,
    )
  })

  test('agrees with JSON.parse on every JSON text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), text => {
        expect(plain(parseJson(text))).toEqual(JSON.parse(text))
      }),
      { numRuns: 300 },
    )
  })

  test('takes exactly what JSON.parse takes, the bare words apart', () => {
    const fragment = fc.constantFrom(...'[]{},:"\\ -+.01eEu9tfn', 'true', 'null', '"a"', '\\u00', '\n', 'é')
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), fragments => {
        const text = fragments.join('')
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(() => parseJson(text)).toThrow(HyperslabError)
          return
        }
        expect(plain(parseJson(text))).toEqual(expected)
      }),
      { numRuns: 3000 },
    )
  })

  test('garbage gives a value or malformed-json, nothing else', () => {
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '\\', '{', '[', ',', '\0', '-', 'N', '\ud800'))
      .map(([text, at, piece]) => {
        const index = at % (text.length + 1)
        return text.slice(0, index) + piece + text.slice(index + 1)
      })
    fc.assert(
      fc.property(fc.oneof(unicodeString(), mutated, fc.uint8Array()), input => {
        try {
          parseJson(input)
        } catch (error) {
          if (!(error instanceof HyperslabError && error.code === 'malformed-json')) throw error
        }
      }),
      { numRuns: 2000 },
    )
  })
})

describe('JsonParser', () => {
  /** The pieces end at these positions, which may be the same. */
  function inPieces(text: Uint8Array, ends: readonly number[]): JsonValue {
    const parser = new JsonParser()
    let start = 0
    for (const end of [...ends, text.length]) {
      const piece = text.slice(start, end)
      parser.push(piece)
      piece.fill(0x41)
      start = end
    }
    return parser.finish()
  }

  function outcome(parse: () => JsonValue): JsonValue | Error {
    try {
      return parse()
    } catch (error) {
      if (error instanceof HyperslabError) return error
      throw error
    }
  }

  const token = fc.oneof(
    fc.constantFrom(...'[[[{{]]}},,,,:::"\\ -0.e\n\u00e9\ufeff'),
    fc.constantFrom(
      'true',
      'null',
      'NaN',
      '-Infinity',
      '"a":',
      '{"b":1}',
      '[2,',
      '12345678901234567890',
      '😀',
    ),
    fc.integer().map(String),
    unicodeString({ maxLength: 5 }).map(text => JSON.stringify(text)),
  )
  const text = fc.oneof(
    jsonValue.map(value => bytes(stringifyJson(value))),
    fc.array(token, { maxLength: 20 }).map(tokens => bytes(tokens.join(''))),
    fc.tuple(jsonValue, fc.nat(), fc.uint8Array({ maxLength: 3 })).map(([value, at, wrong]) => {
      const right = bytes(stringifyJson(value))
      right.set(wrong.subarray(0, right.length), at % Math.max(1, right.length - 2))
      return right
    }),
  )

  test('finds in pieces what parseJson finds in the whole, also what is wrong', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(), { maxLength: 8 }), (whole, positions) => {
        const expected = outcome(() => parseJson(whole))
        const ends = positions.map(position => position % (whole.length + 1)).sort((a, b) => a - b)
        const single = Array.from(whole.keys())
        const found = [outcome(() => inPieces(whole, ends)), outcome(() => inPieces(whole, single))]
        expect(found).toEqual([expected, expected])
      }),
      { numRuns: 3000 },
    )
  })

  test.each([
    ['a byte order mark', '\ufeff1'],
    ['two of them', '\ufeff\ufeff1'],
    ['one inside', '["a\ufeff"]'],
    ['512 levels', '['.repeat(512) + ']'.repeat(512)],
    ['513 levels', '['.repeat(513)],
    ['an integer of 401 digits', `[${'1'.repeat(401)}]`],
    ['a fraction of 3000 digits', `0.${'3'.repeat(3000)}`],
    ['no end', '[1, "a'],
    ['nothing', ''],
  ])('%s, byte by byte', (_, text) => {
    const whole = bytes(text)
    expect(outcome(() => inPieces(whole, Array.from(whole.keys())))).toEqual(outcome(() => parseJson(whole)))
  })

  test('errors of the encoding come before errors of the syntax', () => {
    const parser = new JsonParser()
    parser.push(bytes('[nul, "'))
    expect(() => parser.push(new Uint8Array([0x61, 0x80]))).toThrow('not valid UTF-8 near byte 8')
  })

  test.each([
    ['a string', '"', 'x'],
    ['a string with escapes', '"', '\\ud83d\\ude00\\n'],
    ['a name', '{"', 'x'],
    ['blanks', '[', ' '],
    ['a value behind a long name', `{"${'n'.repeat(2 ** 20)}":"`, 'x'],
  ])('%s is not looked at again with each piece', (_, before, repeated) => {
    const parser = new JsonParser()
    const piece = bytes(repeated.repeat(Math.floor(256 / repeated.length)))
    // Looking at all 4 MiB with each of 16,384 pieces would take minutes, more than a test may take.
    for (let at = 0; at < before.length; at += 1024) parser.push(bytes(before.slice(at, at + 1024)))
    for (let i = 0; i < 16_384; i++) parser.push(piece)
    expect(() => parser.finish()).toThrow(`character ${before.length + 16_384 * piece.length}:`)
  })

  test('the memory of values is reported while they are parsed', () => {
    const reported = (text: string): number => {
      let sum = 0
      const count = new MemoryCount(more => {
        sum += more
      })
      const parser = new JsonParser(count)
      for (let at = 0; at < text.length; at += 65_536) parser.push(bytes(text.slice(at, at + 65_536)))
      return sum
    }
    const count = 100_000
    expect(reported(`[${'{},'.repeat(count)}`)).toBeGreaterThan(150 * count)
    expect(reported(`[${'[],'.repeat(count)}`)).toBeGreaterThan(50 * count)
    expect(reported(`[${'1,'.repeat(count)}`)).toBeGreaterThan(10 * count)
    expect(reported(`[${'"",'.repeat(count)}`)).toBeGreaterThan(20 * count)
    const names = Array.from({ length: count }, (_, index) => `"${index}":1,`)
    expect(reported(`{${names.join('')}`)).toBeGreaterThan(60 * count)
    expect(reported(`"${'x'.repeat(2 ** 21)}`)).toBeGreaterThanOrEqual(2 ** 21)
    expect(reported(`[${'{},'.repeat(1000)}`)).toBe(0)
  })

  test('the receiver of the count can reject more', () => {
    const enough = new Error('enough')
    const refuse = new MemoryCount(() => {
      throw enough
    })
    expect(() => new JsonParser(refuse).push(bytes('{},'.repeat(10)))).not.toThrow()
    expect(() => new JsonParser(refuse).push(bytes(`[${'{},'.repeat(10_000)}`))).toThrow(enough)
    expect(() => parseJson(`[${'{},'.repeat(10_000)}{}]`, refuse)).toThrow(enough)
  })
})

describe('stringifyJson', () => {
  test.each<[string, JsonOutput]>([
    ['null', null],
    ['true', true],
    ['-0.0', -0],
    ['1e+21', 1e21],
    ['0.1', 0.1],
    ['18446744073709551615', 2n ** 64n - 1n],
    ['"a\\"\\\\\\n\\u0001é😀"', 'a"\\\n\u0001é😀'],
    ['"\\ud83d"', '\ud83d'],
    ['[]', []],
    ['[1,[2],"x"]', [1, [2n], 'x']],
    ['[""]', ['']],
    ['{}', {}],
    ['{"a":1,"c":{"d":[null]}}', { a: 1, b: undefined, c: { d: [null] } }],
    ['{"2":1,"1":{"\\"":{}}}', mapOf(['2', 1], ['1', mapOf(['"', {}])])],
  ])('%s', (text, value) => {
    expect(stringifyJson(value)).toBe(text)
  })

  test.each([
    ['bare', '[NaN,Infinity,-Infinity,{"a":NaN}]'],
    ['text', '["NaN","Infinity","-Infinity",{"a":"NaN"}]'],
    ['null', '[null,null,null,{"a":null}]'],
  ] as const)('numbers that JSON has no words for: %s', (mode, text) => {
    const value = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, { a: Number.NaN }]
    expect(stringifyJson(value, mode)).toBe(text)
  })

  test('bare words are the default', () => {
    expect(stringifyJson(Number.NaN)).toBe('NaN')
  })

  test('what is written is read back as it was', () => {
    fc.assert(
      fc.property(jsonValue, value => {
        expect(parseJson(stringifyJson(value))).toStrictEqual(value)
      }),
      { numRuns: 300 },
    )
  })

  test('agrees with JSON.stringify, negative zero apart', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        const value = JSON.parse(text.replaceAll('-0', '0'))
        expect(stringifyJson(value)).toBe(JSON.stringify(value))
      }),
      { numRuns: 300 },
    )
  })
})

test('a lazy list is written as the list that it makes', () => {
  const list = lazyList(['x', 'y'], text => ({ text }))
  expect(stringifyJson({ list, none: lazyList([], () => null) })).toBe(
    '{"list":[{"text":"x"},{"text":"y"}],"none":[]}',
  )
  expect([...list]).toHaveLength(list.length)
})

test('an excerpt stays short and readable', () => {
  expect(excerpt('a')).toBe('"a"')
  expect(excerpt([])).toBe('[]')
  expect(excerpt(parseJson('{"a": [1, "b"], "d": {}}'))).toBe('{"a":[1,"b"],"d":{}}')
  expect(excerpt('x'.repeat(1e7))).toHaveLength(83)
  expect(excerpt(Array.from({ length: 1e6 }, () => 7))).toHaveLength(83)
  expect(excerpt([['y'.repeat(200)], 1])).toHaveLength(83)
})

function mapOf(...members: [string, JsonOutput][]): ReadonlyMap<string, JsonOutput> {
  return new Map(members)
}

/** A parsed value as JSON.parse gives it. */
function plain(json: JsonValue): unknown {
  if (json instanceof Map) return Object.fromEntries([...json].map(([name, value]) => [name, plain(value)]))
  if (Array.isArray(json)) return json.map(plain)
  return typeof json === 'bigint' ? Number(json) : json
}

describe('numbers of extents', () => {
  test.each([
    ['{"shape": 5.0}', '"shape" must be written as integers, not "5.0"'],
    ['{"shape": [3, 1e2]}', 'not "1e2"'],
    ['{"a": {"b": 1.5, "shape": [2.0]}}', 'not "2.0"'],
    ['{"shape": {"class": "H5S_SIMPLE", "dims": [4.0]}}', '"dims" must'],
    ['{"maxdims": [0.0]}', '"maxdims" must'],
  ])('in %s must be integers', (text, message) => {
    const error = expect.objectContaining({
      code: 'malformed-shape',
      message: expect.stringContaining(message),
    })
    expect(() => parseJson(text)).toThrow(error)
    for (const cut of [1, 9, 11, text.length - 2]) {
      const parser = new JsonParser()
      const parse = () => {
        parser.push(Buffer.from(text.slice(0, cut)))
        parser.push(Buffer.from(text.slice(cut)))
        parser.finish()
      }
      expect(parse).toThrow(error)
    }
  })

  test('are those of the member whose value began last', () => {
    const text = '{"shape": [5], "value": [5.0, [1e2]], "fillValue": 2.0}'
    expect(stringifyJson(parseJson(text))).toBe('{"shape":[5],"value":[5,[100]],"fillValue":2}')
    expect(() => parseJson('5.0', undefined, 'shape')).toThrow('integers')
    expect(parseJson('5.0', undefined, 'value')).toBe(5)
  })
})
