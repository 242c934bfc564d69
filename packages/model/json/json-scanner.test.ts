import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { elementJson, nested } from '../../../test/arbitraries/values.ts'
import type { Datatype } from '../datatype/datatype.ts'
import type { Elements, Piece } from '../values/elements.ts'
import { ElementsBuilder, repeatElement } from '../values/elements-builder.ts'
import { GrowingBytes } from '../values/growing-bytes.ts'
import { AT_LEAST, BROADCAST, COUNT_ONLY, EXACT, type NestingRules } from '../values/nesting.ts'
import { PREFIXED_REFERENCES, type ValueStyle } from '../values/references.ts'
import { type JsonValue, stringifyJson } from './json.ts'
import { JsonCursor } from './json-cursor.ts'
import { parseJson } from './json-parser.ts'
import { JsonValueScanner, scanElements } from './json-scanner.ts'
import { elementsFromJson, elementsToJson } from './json-tree.ts'

const WIDENED: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }
const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const F64: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}
const PAIR: Datatype = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'a', type: I32 },
    { name: 'b', type: TEXT },
  ],
}

/** The pieces' elements in one; every piece is copied before the next is asked for, and the text is overwritten. */
function scan(
  type: Datatype,
  dims: readonly number[],
  text: Uint8Array | string,
  { cuts = [], rules = BROADCAST }: { cuts?: number[]; rules?: NestingRules } = {},
): Elements {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const scanner = new JsonValueScanner(type, dims, PREFIXED_REFERENCES, rules)
  const builder = new ElementsBuilder(
    type,
    dims.reduce((a, b) => a * b, 1),
  )
  let count = 0
  const keep = (pieces: Iterable<Piece>) => {
    for (const given of pieces) {
      const piece = written(type, given)
      builder.copy(piece, 0, count, piece.count)
      count += piece.count
    }
  }
  const borders = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const to of [...borders, bytes.length]) {
    const piece = Buffer.from(bytes.subarray(from, to))
    keep(scanner.push(piece))
    piece.fill(0x58)
    from = to
  }
  keep(scanner.finish())
  expect(count).toBe(builder.capacity)
  return builder.finish()
}

/** One that is repeated as a number of elements. */
function written(type: Datatype, piece: Piece): Elements {
  return 'element' in piece ? repeatElement(type, piece.element, piece.count) : piece
}

function read(type: Datatype, dims: readonly number[], elements: Elements): string {
  return stringifyJson(elementsToJson(type, dims, elements, WIDENED))
}

function resultOf(work: () => string): string {
  try {
    return work()
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
}

/** JSON text with blanks at all positions where they may be. */
function spread(json: JsonValue, blank: string): string {
  return stringifyJson(json).replace(/"(?:[^"\\]|\\.)*"|[[\],:{}]/g, token =>
    token.startsWith('"') ? token : blank + token + blank,
  )
}

const FLAT: Datatype = { class: 'H5T_ARRAY', base: I32, dims: [2, 2] }

describe('scanElements', () => {
  const dims = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 })
  const rules = fc.constantFrom(EXACT, BROADCAST, AT_LEAST, COUNT_ONLY)

  test('rows of numbers are what the tree makes of them, number for number, or the same error', () => {
    const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`))
    const sign = fc.constantFrom('', '', '-')
    const plain = fc.oneof(
      fc.integer().map(String),
      fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => String(number).replace('e+', 'E+')),
      fc.tuple(sign, fc.integer({ min: 0, max: 255 })).map(([minus, number]) => `${minus}${number}`),
    )
    const odd = fc.oneof(
      fc.tuple(sign, digits(30)).map(parts => parts.join('')),
      fc.tuple(sign, digits(25), digits(25)).map(([minus, a, b]) => `${minus}${a}.${b}`),
      fc.tuple(digits(3), digits(4)).map(([a, b]) => `${a}e${b}`),
      fc.constantFrom(
        '1.',
        '.5',
        '1e',
        '1e+',
        '--1',
        '-',
        '+1',
        '00',
        '-0',
        '1_0',
        '0x1',
        'null',
        '"7"',
        '2147483648',
      ),
      fc.constantFrom(
        '-9223372036854775808',
        '9223372036854775808',
        '18446744073709551615',
        '-2147483648',
        '256',
      ),
    )
    const numbers = fc.array(plain, { minLength: 10, maxLength: 60, size: 'max' })
    const rows = fc.tuple(numbers, fc.array(odd, { maxLength: 2 }), fc.nat()).map(([many, few, at]) => {
      return many.toSpliced(at % many.length, 0, ...few)
    })
    const type = fc.oneof(
      fc.record({
        class: fc.constant('H5T_INTEGER' as const),
        size: fc.constantFrom(1 as const, 2 as const, 4 as const, 8 as const),
        signed: fc.boolean(),
        order: fc.constantFrom('LE' as const, 'BE' as const),
      }),
      fc.record({
        class: fc.constant('H5T_FLOAT' as const),
        size: fc.constantFrom(2 as const, 4 as const, 8 as const),
        order: fc.constantFrom('LE' as const, 'BE' as const),
      }),
    )
    const comma = fc.constantFrom(',', ', ', ' ,', ',\n ')
    fc.assert(
      fc.property(type, rows, comma, fc.array(fc.nat(), { maxLength: 3 }), (type, texts, comma, cuts) => {
        for (const text of texts) {
          const padded = [...new Array(50).fill('7'), text, ...new Array(50).fill('7')]
          const expected = resultOf(() => {
            const json = parseJson(`[${padded.join()}]`)
            return read(
              type,
              [padded.length],
              elementsFromJson(type, [padded.length], json, PREFIXED_REFERENCES),
            )
          })
          const found = resultOf(() =>
            read(type, [padded.length], scan(type, [padded.length], `[${padded.join(comma)}]`, { cuts })),
          )
          expect(found).toBe(expected)
        }
      }),
      { numRuns: 150 },
    )
  })

  test.each<[1 | 2 | 4 | 8, boolean]>([
    [1, true],
    [1, false],
    [2, true],
    [2, false],
    [4, true],
    [4, false],
    [8, true],
    [8, false],
  ])(
    'integers of %i bytes, signed: %s, are exact or refused around every power and limit',
    (size, signed) => {
      const powers = Array.from({ length: 25 }, (_, exponent) => 10n ** BigInt(exponent))
      const limits = [7n, 8n, 15n, 16n, 31n, 32n, 53n, 56n, 63n, 64n].map(bits => 2n ** bits)
      const around = [...powers, ...limits].flatMap(value => [value - 1n, value, value + 1n])
      const repeated = powers.map(value => (value * 1234567890123456789n) % 10n ** 20n)
      const bits = size * 8
      for (const value of [...around, ...repeated].flatMap(value => [value, -value])) {
        const fits = signed ? BigInt.asIntN(bits, value) === value : BigInt.asUintN(bits, value) === value
        const wrong: string[] = []
        for (const separator of [',', ', ', ' ,']) {
          // Long enough to be read as a row, which is left and entered again at the value.
          const row = [...new Array(30).fill('1'), `${value}`, ...new Array(30).fill('1')]
          for (const order of ['LE', 'BE'] as const) {
            const type: Datatype = { class: 'H5T_INTEGER', size, signed, order }
            const found = resultOf(() => read(type, [61], scan(type, [61], `[${row.join(separator)}]`)))
            if (found !== (fits ? `[${row.join()}]` : 'value-out-of-range')) wrong.push(found)
          }
        }
        expect(wrong).toEqual([])
      }
    },
  )

  test.each([50, 300])('rows of numbers may be cut into pieces of %i bytes', length => {
    const values = Array.from({ length: 600 }, (_, i) => (i % 2 ? -1 : 1) * ((i * 7919 * i) % 2147483647))
    const text = Buffer.from(JSON.stringify(values))
    const cuts = Array.from({ length: Math.ceil(text.length / length) }, (_, i) => i * length)
    expect(read(I32, [600], scan(I32, [600], text, { cuts }))).toBe(text.toString())
  })

  test('gives the elements of the tree, however the text is cut into pieces', () => {
    const typedValue = fc
      .record({ type: datatype, dims })
      .chain(({ type, dims }) => nested(elementJson(type), dims).map(json => ({ type, dims, json })))
    fc.assert(
      fc.property(
        typedValue,
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.constantFrom('', ' ', '\r\n\t '),
        ({ type, dims, json }, cuts, blank) => {
          const expected = elementsFromJson(type, dims, json, PREFIXED_REFERENCES)
          const found = scan(type, dims, spread(json, blank), { cuts, rules: EXACT })
          expect(found.data.length).toBe(expected.data.length)
          expect(read(type, dims, found)).toBe(read(type, dims, expected))
        },
      ),
      { numRuns: 300 },
    )
  })

  test('accepts the shapes that the tree accepts', () => {
    const typedValue = fc
      .record({ type: datatype, dims, given: dims })
      .chain(({ type, dims, given }) => nested(elementJson(type), given).map(json => ({ type, dims, json })))
    fc.assert(
      fc.property(typedValue, rules, ({ type, dims, json }, rules) => {
        // Where a value breaks several rules, the two need not find the same one first.
        const tree = resultOf(() =>
          read(type, dims, elementsFromJson(type, dims, json, PREFIXED_REFERENCES, rules)),
        )
        const stream = resultOf(() => read(type, dims, scan(type, dims, stringifyJson(json), { rules })))
        const code = /^[a-z]+(-[a-z]+)+$/
        expect(stream.replace(code, 'refused')).toBe(tree.replace(code, 'refused'))
      }),
      { numRuns: 300 },
    )
  })

  test('reads every double as JSON.parse does', () => {
    const decimal = fc
      .tuple(
        fc.boolean(),
        fc.bigInt(0n, 10n ** 18n),
        fc.nat(20),
        fc.option(fc.integer({ min: -30, max: 30 })),
      )
      .map(([negative, digits, decimals, exponent]) => {
        const padded = `${digits}`.padStart(decimals + 1, '0')
        const point = padded.length - decimals
        const fraction = decimals > 0 ? `.${padded.slice(point)}` : ''
        return `${negative ? '-' : ''}${padded.slice(0, point)}${fraction}${exponent === null ? '' : `e${exponent}`}`
      })
    fc.assert(
      fc.property(
        fc.array(fc.oneof(decimal, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String))),
        texts => {
          const { data } = scan(F64, [texts.length], `[${texts}]`, { rules: EXACT })
          const found = [...new Float64Array(data.buffer, data.byteOffset, texts.length)]
          expect(found).toEqual(texts.map(text => JSON.parse(text)))
        },
      ),
    )
  })

  test.each<[string, Datatype, number[], string, string]>([
    ['rows of numbers', I32, [2, 2], '[[1,2],[3,4]]', '[[1,2],[3,4]]'],
    ['blanks around everything', I32, [2, 2], ' [ [ 1 , 2 ] , [ 3 , 4 ] ] ', '[[1,2],[3,4]]'],
    ['one for all', I32, [2, 2], '7', '[[7,7],[7,7]]'],
    ['one in a list for all', PAIR, [2], '[[[7,"x"]]]', '[[7,"x"],[7,"x"]]'],
    ['one compound for all', PAIR, [2], '[7,"x"]', '[[7,"x"],[7,"x"]]'],
    ['escapes', TEXT, [], '"\\u00e9\\n\\"\\/\\ud83d\\ude00\\udcff"', '"é\\n\\"/😀\\udcff"'],
    [
      'words, strings and null for floats',
      F64,
      [5],
      '[NaN,"inf",null,-Infinity,1e2]',
      '[NaN,Infinity,NaN,-Infinity,100]',
    ],
    ['the sign of zero', F64, [2], '[-0,-0.0]', '[-0.0,-0.0]'],
    [
      'long integers',
      { ...I32, size: 8 },
      [3],
      '[9223372036854775807,-9223372036854775808,12]',
      '[9223372036854775807,-9223372036854775808,12]',
    ],
    [
      'a flat array',
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'a', type: I32 },
          { name: 'b', type: FLAT },
        ],
      },
      [1],
      '[[1, [2, 3, 4, 5]]]',
      '[[1,[[2,3],[4,5]]]]',
    ],
    ['fractions for integers', I32, [2], '[1.9,-1.9]', '[1,-1]'],
  ])('%s', (_, type, dims, text, expected) => {
    expect(read(type, dims, scan(type, dims, text))).toBe(expected)
  })

  test.each<[string, Datatype, number[], string, string]>([
    ['', I32, [], '', 'malformed-json'],
    ['a comma before the end', I32, [2], '[1,2,]', 'malformed-json'],
    ['a comma before the end, with blanks', I32, [2], '[1,2, ]', 'malformed-json'],
    ['a comma at the start', I32, [2], '[,1]', 'malformed-json'],
    ['no comma', I32, [2], '[1 2]', 'malformed-json'],
    ['no end', I32, [2], '[1,2', 'malformed-json'],
    ['something behind the end', I32, [2], '[1,2]]', 'malformed-json'],
    ['two values', I32, [], '1,2', 'malformed-json'],
    ['two values, with blanks', I32, [], '1 2', 'malformed-json'],
    ['a superfluous zero', I32, [2], '[01,2]', 'malformed-json'],
    ['a superfluous zero of a float', F64, [2], '[00.5,2]', 'malformed-json'],
    ['a point without digits', F64, [2], '[1.,2]', 'malformed-json'],
    ['a very long number', I32, [2], `[${'1'.repeat(5000)},2]`, 'malformed-json'],
    ['a point first', F64, [2], '[.5,2]', 'malformed-json'],
    ['a plus', I32, [2], '[+1,2]', 'malformed-json'],
    ['a lone minus', I32, [2], '[-,2]', 'malformed-json'],
    ['an unknown word', I32, [2], '[nil,2]', 'malformed-json'],
    ['a control character in a string', TEXT, [], '"a\nb"', 'malformed-json'],
    ['an unknown escape', TEXT, [], '"a\\x"', 'malformed-json'],
    ['half an escape', TEXT, [], '"\\u00', 'malformed-json'],
    ['half a surrogate pair', TEXT, [], '"\\ud83dx"', 'malformed-value'],
    ['the wrong bracket', I32, [2], '[1,2}', 'malformed-json'],
    ['very many brackets', I32, [2], '['.repeat(100_000), 'malformed-json'],
    ['too few', I32, [3], '[1,2]', 'value-count-mismatch'],
    ['too many', I32, [3], '[1,2,3,4]', 'value-count-mismatch'],
    ['a flat list for two dimensions', I32, [2, 2], '[1,2,3,4]', 'value-count-mismatch'],
    ['ragged', I32, [4], '[[1,2],[3]]', 'value-count-mismatch'],
    ['an element where an array should be', I32, [2, 2], '[[1,2],3]', 'value-count-mismatch'],
    ['an array where an element should be', I32, [2, 2], '[[1,2],[3,[4]]]', 'type-mismatch'],
    ['out of range', I32, [2], '[1,2147483648]', 'value-out-of-range'],
    ['text for a number', I32, [2], '[1,"x"]', 'type-mismatch'],
    ['an object for a compound', PAIR, [2], '[{"a":1,"b":""}]', 'type-mismatch'],
    ['too few fields', PAIR, [2], '[[1,""],[2]]', 'value-count-mismatch'],
    ['too many fields', PAIR, [2], '[[1,""],[2,"",3]]', 'value-count-mismatch'],
  ])('%s is an error', (_, type, dims, text, code) => {
    const cuts = Array.from({ length: Math.min(text.length, 50) }, (_, at) => at)
    expect(resultOf(() => read(type, dims, scan(type, dims, text)))).toBe(code)
    expect(resultOf(() => read(type, dims, scan(type, dims, text, { cuts })))).toBe(code)
  })

  test('text that is not UTF-8 is an error with its position', () => {
    expect(() => scan(TEXT, [2], Buffer.from([...Buffer.from('["ab","'), 0xff, 0x22, 0x5d]))).toThrow(
      'byte 7',
    )
  })

  test('errors tell the byte of the whole text', () => {
    expect(() => scan(I32, [3], '[1, 2, 03]', { cuts: [1, 3, 6] })).toThrow('byte 7')
    expect(() => scan(I32, [3], '[1, 2 3]', { cuts: [1, 3, 6] })).toThrow('byte 6')
  })

  test('too many elements are refused before the text ends', () => {
    const scanner = new JsonValueScanner(I32, [3], PREFIXED_REFERENCES, BROADCAST)
    expect(() => [...scanner.push(Buffer.from(`[1,2,3,4${' '.repeat(50)}`))]).toThrow(
      '3 elements are needed, the value has more',
    )
  })

  test('one for all is handed on once, however many are needed', async () => {
    async function* text() {
      yield Buffer.from('[[ 4')
      yield Buffer.from('2 ]]')
    }
    const pieces: Piece[] = []
    for await (const piece of scanElements(I32, [1e9, 1000], text(), PREFIXED_REFERENCES)) pieces.push(piece)
    const data = Uint8Array.of(42, 0, 0, 0)
    expect(pieces).toEqual([{ count: 1e12, element: { count: 1, data, heap: new Uint8Array(0) } }])
  })

  test('pieces are bounded by their heap too', () => {
    const scanner = new JsonValueScanner(TEXT, [100], PREFIXED_REFERENCES, BROADCAST)
    const text = JSON.stringify(Array.from({ length: 100 }, (_, i) => String(i % 10).repeat(100_000)))
    const pieces = [...scanner.push(Buffer.from(text))].map(piece => [piece.count, piece.heap.length])
    for (const [, heap] of pieces) expect(heap).toBeLessThan(1_200_000)
    const last = [...scanner.finish()].map(piece => piece.count)
    expect([...pieces.map(([count]) => count), ...last].reduce((a, b) => a + b)).toBe(100)
  })

  test('one long element in small pieces takes time in proportion to its length', () => {
    const text = Buffer.from(JSON.stringify('x'.repeat(4_000_000)))
    const scanner = new JsonValueScanner(TEXT, [], PREFIXED_REFERENCES, BROADCAST)
    for (let at = 0; at < text.length; at += 1000)
      expect([...scanner.push(text.subarray(at, at + 1000))]).toEqual([])
    expect([...scanner.finish()]).toMatchObject([{ count: 1, heap: { length: 4_000_000 } }])
  })
})

describe('an element that is cut anywhere', () => {
  const SEQUENCE: Datatype = { class: 'H5T_VLEN', base: PAIR }
  const NESTED: Datatype = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'texts', type: { class: 'H5T_VLEN', base: TEXT } },
      { name: 'fixed', type: { ...TEXT, length: 7, strPad: 'H5T_STR_NULLPAD' } },
      { name: 'bytes', type: { class: 'H5T_OPAQUE', size: 5 } },
      { name: 'array', type: { class: 'H5T_ARRAY', base: FLAT, dims: [2] } },
      { name: 'numbers', type: { class: 'H5T_VLEN', base: { class: 'H5T_VLEN', base: F64 } } },
    ],
  }

  test.each<[string, Datatype, string]>([
    ['characters of 1 to 4 bytes', TEXT, '"aé€😀, \\u00e9 \\ud83d\\ude00 \\\\ \\" \\udcff"'],
    ['sequences of compounds', SEQUENCE, '[[1, "é"], [-2, "\\n\\n"] , [3,""]]'],
    ['an empty sequence', SEQUENCE, '[ ]'],
    ['a sequence that was never written', SEQUENCE, 'null'],
    [
      'everything',
      NESTED,
      '[["é€", "", "\\ud83d\\ude00"], "aaaaaé😀", "AQID\\nBAU=", [1,2,3,4,5,6,-7,8], [[0.5, NaN], [], null, [1e3]]]',
    ],
  ])('%s', (_, type, text) => {
    const bytes = Buffer.from(text)
    const json = parseJson(bytes)
    const expected = read(type, [], elementsFromJson(type, [], json, PREFIXED_REFERENCES))
    const everyCut: number[][] = [Array.from(bytes, (_, at) => at)]
    for (let first = 0; first <= bytes.length; first++) {
      everyCut.push([first])
      for (let second = first; second < Math.min(bytes.length, first + 8); second++)
        everyCut.push([first, second])
    }
    const isOther = (cuts: number[]) => read(type, [], scan(type, [], bytes, { cuts })) !== expected
    expect(everyCut.filter(isOther)).toEqual([])
  })

  test.each([
    ['the first half of a character', [0x22, 0xc3, 0x22]],
    ['the middle of a character', [0x22, 0xe2, 0x82, 0x61, 0x22]],
    ['no character', [0x22, 0xff, 0x61, 0x61, 0x61, 0x61, 0x22]],
    ['a character at the end of the text', [0x22, 0xe2, 0x82]],
  ])('%s is no text, wherever it is cut', (_, bytes) => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(() => scan(TEXT, [], Uint8Array.from(bytes), { cuts: [cut] })).toThrow('not valid UTF-8')
    }
  })

  test('Base64 for more bytes than the type has is refused, wherever it is cut', () => {
    const type: Datatype = { class: 'H5T_OPAQUE', size: 4 }
    for (let cut = 0; cut < 10; cut++) {
      expect(() => scan(type, [], '"AQIDBAU="', { cuts: [cut] })).toThrow(
        'opaque data of 4 bytes cannot take 5 bytes',
      )
    }
  })

  test('nothing of it is kept but its elements: a string is taken as it comes', () => {
    const cursor = new JsonCursor()
    const out = new GrowingBytes()
    for (const piece of ['"aé', 'bc\\u00', 'e9d', 'x'.repeat(1000)]) {
      cursor.append(Buffer.from(piece))
      expect(() => cursor.takeText(out)).toThrow()
      cursor.keepRest()
      expect(cursor.bytes.length).toBeLessThan(6)
    }
    cursor.append(Buffer.from('z" '))
    cursor.takeText(out)
    expect(Buffer.from(out.used()).toString()).toBe(`aébcéd${'x'.repeat(1000)}z`)
    expect(cursor.isAtEnd()).toBe(true)
  })

  test('a value that is read in one go is limited', () => {
    const reference: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
    const scanner = new JsonValueScanner(reference, [], PREFIXED_REFERENCES, BROADCAST)
    const push = (text: string) => [...scanner.push(Buffer.from(text))]
    push('"')
    expect(() => {
      for (let i = 0; i < 40; i++) push('x'.repeat(2 ** 20))
    }).toThrow('a value within an element is more than 4194304 bytes of JSON')
  })

  test('a sequence is limited, which is an error before the text ends', () => {
    const type: Datatype = { class: 'H5T_VLEN', base: { ...TEXT, length: 4096 } }
    const scanner = new JsonValueScanner(type, [], PREFIXED_REFERENCES, BROADCAST)
    const texts = Buffer.from(`[${'"",'.repeat(2 ** 10)}`)
    expect(() => {
      for (let i = 0; i < 2 ** 5; i++) for (const _ of scanner.push(texts.subarray(i === 0 ? 0 : 1)));
    }).toThrow('a sequence takes more than 67108864 bytes')
  })

  test('one of strings is limited to half a million of them', () => {
    const type: Datatype = { class: 'H5T_VLEN', base: TEXT }
    const texts = (count: number) => `[${'"",'.repeat(count - 1)}""]`
    expect(scan(type, [], texts(2 ** 19)).count).toBe(1)
    expect(() => scan(type, [], texts(2 ** 19 + 1))).toThrow('a sequence takes more than 4194304 bytes')
  })
})

describe('messages', () => {
  test.each<[Datatype, number[], string, string]>([
    [I32, [2, 2], '[[1, 2], [3, "x"]]', 'element [1,1]: "x" cannot be stored as an integer of 4 bytes'],
    [
      I32,
      [3],
      '[1, 2, 4294967296]',
      'element [2]: 4294967296 is out of range for a signed integer of 32 bits',
    ],
    [I32, [], '"x"', '"x" cannot be stored as an integer of 4 bytes'],
    [I32, [2], '[1, ;]', 'in the value that begins at byte 4: malformed JSON'],
    [PAIR, [2], '[{"n": 1}, {"n": 2}]', 'a compound is an array of its members in their order'],
    [PAIR, [1], '[{"n": 1}]', 'a compound is an array of its members in their order'],
  ])('%o %j of %s: %s', (type, dims, text, message) => {
    const scanner = new JsonValueScanner(type, dims, PREFIXED_REFERENCES, BROADCAST)
    const scanned = () => [...scanner.push(Buffer.from(text)), ...scanner.finish()]
    expect(scanned).toThrow(message)
  })
})
