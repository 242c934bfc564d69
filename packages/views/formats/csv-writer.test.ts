import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import { elementsFromJson, type JsonValue, parseJson } from '@hyperslab/model/json'
import { type Elements, type Piece, PREFIXED_REFERENCES, repeatElement } from '@hyperslab/model/values'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvWriter, rowLengthOf } from './csv-writer.ts'

const I16: Datatype = { class: 'H5T_INTEGER', size: 2, signed: true, order: 'BE' }
const U64: Datatype = { class: 'H5T_INTEGER', size: 8, signed: false, order: 'LE' }
const F32: Datatype = { class: 'H5T_FLOAT', size: 4, order: 'LE' }
const F64: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'BE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}
const FIXED: Datatype = { ...TEXT, length: 6, strPad: 'H5T_STR_SPACEPAD' }
const OPAQUE: Datatype = { class: 'H5T_OPAQUE', size: 4 }
const BOOLEAN: Datatype = {
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' },
  members: [
    { name: 'FALSE', value: 0 },
    { name: 'TRUE', value: 1 },
  ],
}
const SEQUENCE: Datatype = { class: 'H5T_VLEN', base: I16 }
const REFERENCE: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }

function array(base: Datatype, ...dims: number[]): Datatype {
  return { class: 'H5T_ARRAY', base, dims }
}

function compound(members: Readonly<Record<string, Datatype>>): Datatype {
  return {
    class: 'H5T_COMPOUND',
    fields: Object.entries(members).map(([name, type]) => ({ name, type })),
  }
}

/** The CSV of a JSON value of this shape, in pieces of a number of elements. */
function csvOf(type: Datatype, shape: readonly number[], json: JsonValue, atOnce = 1e6): string {
  const writer = new CsvWriter(type, rowLengthOf(type, shape), PREFIXED_REFERENCES)
  const all = elementsFromJson(type, shape, json, PREFIXED_REFERENCES)
  const text: Uint8Array[] = [writer.header()]
  for (const piece of piecesOf(type, all, atOnce)) text.push(...writer.write(piece))
  return Buffer.concat([...text, writer.finish()]).toString()
}

function* piecesOf(type: Datatype, { count, data, heap }: Elements, atOnce: number): Iterable<Elements> {
  const size = elementSize(type)
  for (let from = 0; from < count; from += atOnce) {
    const to = Math.min(count, from + atOnce)
    yield { count: to - from, data: data.subarray(from * size, to * size), heap }
  }
}

/** RFC 4180, read character by character. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++
        cell += text[at]
      }
      at++
    } else while (at < text.length && text[at] !== ',' && text[at] !== '\r') cell += text[at++]
    row.push(cell)
    if (text[at] === ',') at++
    else {
      expect(text.slice(at, at + 2)).toBe('\r\n')
      at += 2
      rows.push(row)
      row = []
    }
  }
  return rows
}

describe('equal elements that come as one', () => {
  test.each<[string, Datatype, number[], JsonValue]>([
    ['numbers of one dimension', I16, [40_000], -7],
    ['rows of numbers', F32, [70, 900], 0.1],
    ['rows longer than a spreadsheet has', U64, [3, 20_000], 5],
    ['a single row', F64, [1, 30_000], 1e300],
    ['texts', TEXT, [5, 400], 'a "quoted", text'],
    ['short arrays', array(I16, 3), [400], [1, 2, 3]],
    [
      'a matrix',
      array(I16, 2, 3),
      [1],
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    ['compounds', compound({ a: I16, b: TEXT }), [9000], [3, '']],
  ])('make the same text: %s', (_, type, shape, json) => {
    const count = shape.reduce((product, extent) => product * extent, 1)
    const element = elementsFromJson(type, [1], [json], PREFIXED_REFERENCES)
    const all = repeatElement(type, element, count)
    const size = elementSize(type)
    const rowLength = rowLengthOf(type, shape)
    const textOf = (pieces: readonly Piece[]) => {
      const writer = new CsvWriter(type, rowLength, PREFIXED_REFERENCES)
      const text = pieces.flatMap(piece => [...writer.write(piece)])
      return Buffer.concat([...text, writer.finish()]).toString()
    }
    const expected = textOf([all])
    for (const before of [0, 1, Math.floor(count / 3)].filter(length => length < count)) {
      const pieces: Piece[] = [
        { ...all, count: before, data: all.data.subarray(0, before * size) },
        { count: Math.max(1, count - before - 1), element },
        ...(count - before > 1 ? [{ ...all, count: 1, data: all.data.subarray(0, size) }] : []),
      ]
      expect(textOf(pieces) === expected).toBe(true)
    }
  })
})

describe('values without members are rows and columns', () => {
  test.each<[string, Datatype, readonly number[], string, string]>([
    ['a scalar', I16, [], '-7', '-7\r\n'],
    ['a column', I16, [3], '[1,-2,3]', '1\r\n-2\r\n3\r\n'],
    ['a matrix', I16, [2, 3], '[[1,2,3],[4,5,6]]', '1,2,3\r\n4,5,6\r\n'],
    ['a row', I16, [1, 3], '[[1,2,3]]', '1,2,3\r\n'],
    ['a column of two dimensions', I16, [2, 1], '[[1],[2]]', '1\r\n2\r\n'],
    ['a slice of a stack', I16, [1, 2, 2], '[[[1,2],[3,4]]]', '1,2\r\n3,4\r\n'],
    ['a line through a stack', I16, [2, 1, 1], '[[[1]],[[2]]]', '1\r\n2\r\n'],
    ['arrays', array(I16, 2), [2], '[[1,2],[3,4]]', '1,2\r\n3,4\r\n'],
    ['no rows', I16, [0, 3], '[]', ''],
    ['empty rows', I16, [3, 0], '[[],[],[]]', ''],
    [
      'beyond 2^53',
      U64,
      [2],
      '[18446744073709551615,9007199254740993]',
      '18446744073709551615\r\n9007199254740993\r\n',
    ],
    ['float32 in few digits', F32, [2], '[0.1,-0.0]', '0.1\r\n-0.0\r\n'],
    ['non-finite numbers', F64, [3], '[NaN,Infinity,-Infinity]', 'NaN\r\nInfinity\r\n-Infinity\r\n'],
    ['booleans', BOOLEAN, [2], '[true,false]', 'true\r\nfalse\r\n'],
    ['strings', TEXT, [2, 2], '[["a","é"],["x,y","z"]]', 'a,é\r\n"x,y",z\r\n'],
    [
      'quotes and ends of lines',
      TEXT,
      [3],
      '["say \\"a\\"","1\\n2","\\r"]',
      '"say ""a"""\r\n"1\n2"\r\n"\r"\r\n',
    ],
    ['empty strings and spaces', TEXT, [3], '[""," a","a "]', '""\r\n" a"\r\n"a "\r\n'],
    ['fixed strings', FIXED, [2], '["ab","c,"]', 'ab\r\n"c,"\r\n'],
    ['opaque bytes', OPAQUE, [1], '["AQIDBA=="]', 'AQIDBA==\r\n'],
    ['sequences', SEQUENCE, [3], '[[1,2],[],[3]]', '"[1,2]"\r\n[]\r\n[3]\r\n'],
    [
      'references',
      REFERENCE,
      [2],
      '["groups/g-00000000-1111-2222-3333-444444555555",""]',
      'groups/g-00000000-11112222-3333-444444-555555\r\n""\r\n',
    ],
  ])('%s', (_, type, shape, json, text) => {
    for (const atOnce of [1, 2, 1e6]) expect(csvOf(type, shape, parseJson(json), atOnce)).toBe(text)
  })

  test('strings come back as they are, whatever is in them', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ',', '"', '\r', '\n', ' ', 'é', '😀'), maxLength: 8 })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(text, text), { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        (rows, atOnce) => {
          expect(parseCsv(csvOf(TEXT, [rows.length, 2], rows, atOnce))).toEqual(rows)
        },
      ),
    )
  })

  test('bytes that are no UTF-8 are written as they are', () => {
    const writer = new CsvWriter(TEXT, 1, PREFIXED_REFERENCES)
    const [piece] = [elementsFromJson(TEXT, [1], ['a\udcffb'], PREFIXED_REFERENCES)]
    expect([...writer.write(piece)]).toEqual([])
    expect([...writer.finish()]).toEqual([0x61, 0xff, 0x62, 0x0d, 0x0a])
  })

  test('long values are written in steps', () => {
    const long = 'x"'.repeat(300_000)
    const numbers = Array.from({ length: 100_000 }, (_, i) => i % 1000)
    for (const [type, value, cell] of [
      [TEXT, long, long],
      [SEQUENCE, numbers, JSON.stringify(numbers)],
      [compound({ a: SEQUENCE }), [numbers], JSON.stringify(numbers)],
      [
        { class: 'H5T_OPAQUE', size: 300_000 } as const,
        Buffer.alloc(300_000, 7).toString('base64'),
        undefined,
      ],
    ] as const) {
      const writer = new CsvWriter(type, 1, PREFIXED_REFERENCES)
      const header = Buffer.from(writer.header()).toString()
      const pieces = [
        ...writer.write(elementsFromJson(type, [1], [value], PREFIXED_REFERENCES)),
        writer.finish(),
      ]
      expect(pieces.length).toBeGreaterThan(3)
      expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(2 ** 18)
      const rows = parseCsv(header + Buffer.concat(pieces).toString())
      expect(rows.at(-1)).toEqual([cell ?? value])
    }
  })
})

describe('compounds have a line of names', () => {
  test.each<[string, Datatype, readonly number[], string, string]>([
    ['members', compound({ n: I16, t: TEXT }), [2], '[[1,"a"],[2,"b,c"]]', 'n,t\r\n1,a\r\n2,"b,c"\r\n'],
    ['a scalar', compound({ n: I16 }), [], '[5]', 'n\r\n5\r\n'],
    [
      'members of members',
      compound({ p: compound({ x: I16, y: F64 }) }),
      [1],
      '[[[1,2.5]]]',
      'p.x,p.y\r\n1,2.5\r\n',
    ],
    [
      'arrays',
      compound({ a: array(I16, 2, 2) }),
      [1],
      '[[[[1,2],[3,4]]]]',
      'a[0][0],a[0][1],a[1][0],a[1][1]\r\n1,2,3,4\r\n',
    ],
    [
      'arrays of compounds',
      compound({ a: array(compound({ x: I16 }), 2) }),
      [1],
      '[[[[1],[2]]]]',
      'a[0].x,a[1].x\r\n1,2\r\n',
    ],
    [
      'odd names',
      compound({ 'a,b': I16, '"': I16, '': I16 }),
      [1],
      '[[1,2,3]]',
      '"a,b","""",""\r\n1,2,3\r\n',
    ],
    ['none', compound({ n: I16 }), [0], '[]', 'n\r\n'],
  ])('%s', (_, type, shape, json, text) => {
    for (const atOnce of [1, 1e6]) expect(csvOf(type, shape, parseJson(json), atOnce)).toBe(text)
  })
})

describe('what CSV cannot hold', () => {
  test.each<[string, Datatype, readonly number[], string]>([
    ['three dimensions', I16, [2, 3, 4], 'values of the extents [2, 3, 4]: select at most two dimensions'],
    ['a matrix of arrays', array(I16, 2), [3, 3], 'values of the extents [3, 3, 2]'],
    [
      'a matrix of compounds',
      compound({ n: I16 }),
      [2, 2],
      'compounds of the extents [2, 2]: select at most one',
    ],
  ])('%s', (_, type, shape, message) => {
    expect(() => rowLengthOf(type, shape)).toThrow(message)
  })

  test('more columns than spreadsheets have', () => {
    expect(() => new CsvWriter(compound({ a: array(I16, 16_385) }), 1, PREFIXED_REFERENCES)).toThrow(
      '16384 columns',
    )
    expect(() => new CsvWriter(compound({ a: array(I16, 2 ** 31) }), 1, PREFIXED_REFERENCES)).toThrow(
      '16384 columns',
    )
    expect(() => new CsvWriter(compound({ a: array(I16, 16_384) }), 1, PREFIXED_REFERENCES)).not.toThrow()
  })
})

test('dates and durations of h5py are text of ISO 8601', () => {
  const of = (dtype: string): Datatype => ({ class: 'H5T_OPAQUE', size: 8, tag: `NUMPY:${dtype}` })
  const number = (value: bigint) => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(value)
    return bytes.toString('base64')
  }
  expect(csvOf(of('<M8[s]'), [2], [number(1n), number(-(2n ** 63n))])).toBe('1970-01-01T00:00:01\r\nNaT\r\n')
  const type = compound({ t: of('<M8[D]'), d: of('<m8[ms]') })
  expect(csvOf(type, [1], [[number(-1n), number(1500n)]])).toBe('t,d\r\n1969-12-31,PT1.5S\r\n')
})
