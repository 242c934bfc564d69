import { describe, expect, test } from 'vitest'
import { parseShape } from '../../server/http/input/shapes.ts'
import type { Datatype, FloatType, IntegerType } from '../datatype/datatype.ts'
import { parseDatatype } from '../datatype/parse.ts'
import { isJsonObject } from '../json/json.ts'
import { parseJson } from '../json/json-parser.ts'
import { readFloat, readInteger } from '../values/numbers.ts'
import { arange, parseArange, parseChunkLocator } from './initializer.ts'

function parse(json: string, { type = 'H5T_STD_I32LE', shape = '[9]' } = {}) {
  const given = parseJson(json)
  if (!isJsonObject(given)) throw new Error('not an object')
  return parseArange(
    given,
    parseDatatype(parseJson(JSON.stringify(type))),
    parseShape(parseJson(shape), undefined),
  )
}

test.each([
  ['{"initializer":["arange"]}', { start: 0, step: 1 }],
  ['{"initializer":"arange"}', { start: 0, step: 1 }],
  ['{"initializer":["arange","--start=10","--step=2"]}', { start: 10, step: 2 }],
  ['{"initializer":["arange","--step=-2"]}', { start: 0, step: -2 }],
  ['{"initializer":"arange","initializer_opts":["--start=5"]}', { start: 5, step: 1 }],
  ['{"initializer":null}', undefined],
  ['{}', undefined],
])('%s', (json, expected) => {
  expect(parse(json)).toEqual(expected)
})

test('floats may begin and step by any number', () => {
  const given = '{"initializer":["arange","--start=0.5","--step=1e-3"]}'
  expect(parse(given, { type: 'H5T_IEEE_F64LE' })).toEqual({ start: 0.5, step: 0.001 })
})

describe('refused', () => {
  test.each<[string, { type?: string; shape?: string }, string]>([
    ['{"initializer":["linspace"]}', {}, 'the initializer "linspace" is not available'],
    ['{"initializer":[]}', {}, 'the initializer null is not available'],
    ['{"initializer":5}', {}, 'the initializer 5'],
    ['{"initializer":["arange"]}', { shape: '[3,3]' }, 'one dimension'],
    ['{"initializer":["arange"]}', { shape: '[]' }, 'one dimension'],
    ['{"initializer":["arange","--start"]}', {}, 'not "--start"'],
    ['{"initializer":["arange","--stop=5"]}', {}, 'not "--stop=5"'],
    ['{"initializer":["arange","--start=0.5"]}', {}, 'not "--start=0.5"'],
    ['{"initializer":["arange","--start=x"]}', {}, 'not "--start=x"'],
    ['{"initializer":["arange",5]}', {}, 'not 5'],
  ])('%s of %j', (json, dataset, message) => {
    expect(() => parse(json, dataset)).toThrow(
      expect.objectContaining({ code: 'malformed-creation-properties' }),
    )
    expect(() => parse(json, dataset)).toThrow(message)
  })

  test('for text', () => {
    const text: Datatype = {
      class: 'H5T_STRING',
      charSet: 'H5T_CSET_ASCII',
      strPad: 'H5T_STR_NULLPAD',
      length: 4,
    }
    const given = new Map([['initializer', ['arange']]])
    expect(() => parseArange(given, text, parseShape([3], undefined))).toThrow('not H5T_STRING')
  })
})

describe('elements', () => {
  test.each([
    ['H5T_STD_I8LE', 5, [9, 11, 13]],
    ['H5T_STD_U16BE', 0, [-1, 1, 3].map(value => value & 0xffff)],
    ['H5T_STD_I32BE', 5, [9, 11, 13]],
    ['H5T_STD_I32LE', 0, [-1, 1, 3]],
    ['H5T_STD_I64LE', 2 ** 40, [2 ** 41 - 1, 2 ** 41 + 1, 2 ** 41 + 3]],
    ['H5T_STD_I64BE', 0, [-1, 1, 3]],
    ['H5T_STD_I8BE', 64, [127, -127, -125]],
  ] as const)('of %s from %i on', (name, first, expected) => {
    const type = parseDatatype(name) as IntegerType
    const { data, count } = arange(type, { start: -1, step: 2 }, first, 3)
    const view = new DataView(data.buffer)
    expect(count).toBe(3)
    expect([0, 1, 2].map(i => readInteger(type, view, i * type.size))).toEqual(expected)
  })

  test.each(['H5T_IEEE_F16LE', 'H5T_IEEE_F32BE', 'H5T_IEEE_F64LE'])('of %s', name => {
    const type = parseDatatype(name) as FloatType
    const { data } = arange(type, { start: 0.5, step: 0.25 }, 2, 2)
    const view = new DataView(data.buffer)
    expect([0, 1].map(i => readFloat(type, view, i * type.size))).toEqual([1, 1.25])
  })
})

describe('chunklocator', () => {
  function locator(json: string) {
    const given = parseJson(json)
    if (!isJsonObject(given)) throw new Error('not an object')
    return parseChunkLocator(given)
  }

  test.each([
    [
      '["chunklocator","--h5path=/a b","--filepath=x/y.h5","--bucket=m"]',
      { h5path: '/a b', fileUri: 'm/x/y.h5' },
    ],
    [
      '"chunklocator","initializer_opts":["--filepath=y=1.h5","--h5path=/"]',
      { h5path: '/', fileUri: 'y=1.h5' },
    ],
    [
      '["chunklocator","--h5path=/a","--filepath=/data/x.h5","--bucket=b"]',
      { h5path: '/a', fileUri: 'b/data/x.h5' },
    ],
    [
      '["chunklocator","--h5path=/a","--filepath=//data/x.h5","--bucket=s3://b/"]',
      { h5path: '/a', fileUri: 's3://b/data/x.h5' },
    ],
    [
      '["chunklocator","--h5path=/a","--filepath=s3://b/data/x.h5","--bucket=b"]',
      { h5path: '/a', fileUri: 's3://b/data/x.h5' },
    ],
    ['["arange"]', undefined],
    ['null', undefined],
  ])('%s', (json, expected) => {
    const given = `{"initializer":${json}}`
    expect(locator(given)).toEqual(expected)
    if (expected) expect(parse(given)).toBeUndefined()
  })

  test.each([
    ['["chunklocator"]', 'needs --h5path=P and --filepath=F'],
    ['["chunklocator","--h5path=/x"]', 'needs --h5path=P and --filepath=F'],
    ['["chunklocator","--h5path="]', 'not "--h5path="'],
    ['["chunklocator","--path=/x"]', 'not "--path=/x"'],
    ['["chunklocator",5]', 'not 5'],
  ])('%s is refused', (json, message) => {
    expect(() => locator(`{"initializer":${json}}`)).toThrow(
      expect.objectContaining({
        code: 'malformed-creation-properties',
        message: expect.stringContaining(message),
      }),
    )
  })
})
