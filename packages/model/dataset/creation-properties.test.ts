// Creation properties: what is checked, what is reported, what follows for storage.

import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { jsonValue } from '../../../test/arbitraries/json.ts'
import { parseShape } from '../../server/http/input/shapes.ts'
import { parseDatatype } from '../datatype/parse.ts'
import { stringifyJson } from '../json/json.ts'
import { parseJson } from '../json/json-parser.ts'
import {
  type CreationProperties,
  type CreationRules,
  HDF5_JSON,
  parseCreationProperties,
} from './creation-properties.ts'

interface DatasetCase {
  type?: string
  shape?: string
  maxdims?: string
}

/** All parts as JSON; an empty string is a part left out. By default a dataset of 10 x 20 32-bit integers. */
function parse(
  json: string,
  { type = '"H5T_STD_I32LE"', shape = '[10,20]', maxdims = '' }: DatasetCase = {},
  rules?: CreationRules,
) {
  const given = (text: string) => (text ? parseJson(text) : undefined)
  return parseCreationProperties(
    given(json),
    parseDatatype(parseJson(type)),
    parseShape(given(shape), given(maxdims)),
    rules,
  )
}

const reported = (properties: CreationProperties) => stringifyJson(properties.json)

const STRING = '{"class":"H5T_STRING","charSet":"H5T_CSET_ASCII","length":"H5T_VARIABLE"}'
const PAIR =
  '{"class":"H5T_COMPOUND","fields":[{"name":"a","type":"H5T_STD_I16BE"},{"name":"b","type":"H5T_STD_U8LE"}]}'
const REFERENCE = '{"class":"H5T_REFERENCE","base":"H5T_STD_REF_OBJ"}'
const EXTENSIBLE = { maxdims: '[0,20]' }

describe('nothing given: the values in effect are reported', () => {
  const LATE = '{"allocTime":"H5D_ALLOC_TIME_LATE","fillTime":'
  const INCR =
    '{"allocTime":"H5D_ALLOC_TIME_INCR","fillTime":"H5D_FILL_TIME_ALLOC","layout":{"class":"H5D_CHUNKED","dims":'

  test.each<[string, DatasetCase, string]>([
    ['fixed', {}, `${LATE}"H5D_FILL_TIME_IFSET","layout":{"class":"H5D_CONTIGUOUS"}}`],
    ['variable size', { type: STRING }, `${LATE}"H5D_FILL_TIME_ALLOC","layout":{"class":"H5D_CONTIGUOUS"}}`],
    ['scalar', { shape: '' }, `${LATE}"H5D_FILL_TIME_IFSET","layout":{"class":"H5D_CONTIGUOUS"}}`],
    ['null', { shape: '"H5S_NULL"' }, `${LATE}"H5D_FILL_TIME_IFSET","layout":{"class":"H5D_CONTIGUOUS"}}`],
    [
      'maxdims that allow no growth',
      { maxdims: '[10,20]' },
      `${LATE}"H5D_FILL_TIME_IFSET","layout":{"class":"H5D_CONTIGUOUS"}}`,
    ],
    ['extensible', { shape: '[1,0]', maxdims: '[0,0]' }, `${INCR}[1024,1024]}}`],
    ['extensible to a bound', { shape: '10', maxdims: '20' }, `${INCR}[20]}}`],
  ])('%s', (_, dataset, json) => {
    for (const nothing of ['', '{}']) {
      const properties = parse(nothing, dataset)
      expect(reported(properties)).toBe(json)
      expect(properties.given).toBe(false)
      expect(properties.filters).toEqual([])
      expect(properties).not.toHaveProperty('fillValue')
    }
  })
})

describe('what is given is reported word for word', () => {
  test.each([
    '{"fillTime":"H5D_FILL_TIME_NEVER"}',
    '{"trackTimes":true,"allocTime":"H5D_ALLOC_TIME_EARLY"}',
    '{"10":1,"2":{"x":[null]},"__proto__":"y","CreateOrder":1}',
    '{"layout":{"class":"H5D_CHUNKED","dims":[5,5],"note":1}}',
    '{"layout":{"class":"H5D_COMPACT"}}',
    '{"fillValue":42}',
    '{"fillValue":null}',
    '{"filters":[]}',
    '{"layout":{"class":"H5D_CHUNKED","dims":[5,5]},"filters":[{"class":"H5Z_FILTER_USER","id":1,"level":0,"name":"x"}]}',
  ])('%s', json => {
    const properties = parse(json)
    expect(reported(properties)).toBe(json)
    expect(properties.given).toBe(true)
  })

  test('filters without a class get it, and chunks get a layout', () => {
    const ids = [1, 2, 3, 4, 5, 6, 32000, 32015, 0]
    const filters = ids.map(id => (id === 6 ? '{"id":6,"scaleOffset":0}' : `{"id":${id}}`))
    const properties = parse(`{"filters":[${filters}]}`)
    expect(reported(properties)).toBe(
      `{"filters":[${[
        '{"id":1,"class":"H5Z_FILTER_DEFLATE"}',
        '{"id":2,"class":"H5Z_FILTER_SHUFFLE"}',
        '{"id":3,"class":"H5Z_FILTER_FLETCHER32"}',
        '{"id":4,"class":"H5Z_FILTER_SZIP"}',
        '{"id":5,"class":"H5Z_FILTER_NBIT"}',
        '{"id":6,"scaleOffset":0,"class":"H5Z_FILTER_SCALEOFFSET"}',
        '{"id":32000,"class":"H5Z_FILTER_LZF"}',
        '{"id":32015,"class":"H5Z_FILTER_USER"}',
        '{"id":0,"class":"H5Z_FILTER_USER"}',
      ]}],"layout":{"class":"H5D_CHUNKED","dims":[10,20]}}`,
    )
    expect(properties.filters.map(filter => filter.id)).toEqual(ids)
    expect(properties.layout).toBe('H5D_CHUNKED')
  })

  test("the specification's szip filter", () => {
    const filter =
      '{"id":4,"bitsPerPixel":8,"coding":"H5_SZIP_EC_OPTION_MASK","pixelsPerBlock":32,"pixelsPerScanline":100}'
    const json = `{"layout":{"class":"H5D_CHUNKED","dims":[10,10]},"filters":[${filter}]}`
    expect(reported(parse(json))).toBe(json.replace('100}', '100,"class":"H5Z_FILTER_SZIP"}'))
  })

  test('a dataset that can grow gets a layout', () => {
    expect(reported(parse('{"fillValue":1}', { shape: '[10,20]', maxdims: '[30,0]' }))).toBe(
      '{"fillValue":1,"layout":{"class":"H5D_CHUNKED","dims":[30,16384]}}',
    )
  })
})

describe('the chunks that values are stored in', () => {
  test.each<[string, DatasetCase, string, readonly number[] | undefined]>([
    ['as given', {}, '{"layout":{"class":"H5D_CHUNKED","dims":[5,7]}}', [5, 7]],
    [
      'as given, beyond the extent where it can grow',
      EXTENSIBLE,
      '{"layout":{"class":"H5D_CHUNKED","dims":[50,7]}}',
      [50, 7],
    ],
    [
      'as given, up to the bound',
      { maxdims: '[15,20]' },
      '{"layout":{"class":"H5D_CHUNKED","dims":[15,7]}}',
      [15, 7],
    ],
    ['automatic', {}, '', [10, 20]],
    ['automatic, whatever the layout', {}, '{"layout":{"class":"H5D_CONTIGUOUS"}}', [10, 20]],
    ['automatic, whatever the layout', {}, '{"layout":{"class":"H5D_COMPACT"}}', [10, 20]],
    ['automatic, large', { shape: '[50000,80000]' }, '', [782, 1250]],
    ['never of extent 0', { shape: '[0,10]' }, '', [1, 10]],
    ['none for a scalar', { shape: '' }, '', []],
    ['absent for a null dataspace', { shape: '"H5S_NULL"' }, '', undefined],
  ])('%s', (_, dataset, json, chunkDims) => {
    expect(parse(json, dataset).chunkDims).toEqual(chunkDims)
  })
})

describe('fill values', () => {
  test.each<[string, string, number[]]>([
    ['"H5T_STD_I32BE"', '258', [0, 0, 1, 2]],
    ['"H5T_STD_U64LE"', '18446744073709551615', [255, 255, 255, 255, 255, 255, 255, 255]],
    ['"H5T_IEEE_F32LE"', 'NaN', [0, 0, 192, 127]],
    [PAIR, '[1,2]', [0, 1, 2]],
    ['{"class":"H5T_ARRAY","dims":[2],"base":"H5T_STD_U8LE"}', '[3,4]', [3, 4]],
  ])('%s: %s', (type, fillValue, bytes) => {
    const { fillValue: elements } = parse(`{"fillValue":${fillValue}}`, { type })
    expect(elements?.count).toBe(1)
    expect([...(elements?.data ?? [])]).toEqual(bytes)
  })

  test('of a string lies in the heap', () => {
    expect(new TextDecoder().decode(parse('{"fillValue":"blank"}', { type: STRING }).fillValue?.heap)).toBe(
      'blank',
    )
  })

  test('an object reference is spelled with a prefix', () => {
    const text = 'groups/g-01234567-89abcdef-0123-456789-abcdef'
    const { fillValue } = parse(`{"fillValue":"${text}"}`, { type: REFERENCE })
    expect(new TextDecoder().decode(fillValue?.data)).toBe(text.padEnd(48, '\0'))
  })

  test('null is the default', () => {
    expect(parse('{"fillValue":null}')).not.toHaveProperty('fillValue')
  })
})

describe('refused', () => {
  const layout = (members: string) => `{"layout":{${members}}}`
  const chunks = (dims: string) => layout(`"class":"H5D_CHUNKED","dims":${dims}`)
  const filter = (members: string) => `{"filters":[{"id":2},{${members}}]}`

  test.each<[string, DatasetCase, string]>([
    ['[]', {}, 'creationProperties must be an object, not []'],
    ['null', {}, 'creationProperties must be an object, not null'],
    ['"text"', {}, 'creationProperties must be an object'],
    ['{"layout":"H5D_CHUNKED"}', {}, 'layout must be an object with a "class", not "H5D_CHUNKED"'],
    ['{"layout":null}', {}, 'layout must be an object'],
    [
      layout('"dims":[5,5]'),
      {},
      'layout.class must be one of H5D_CHUNKED, H5D_CONTIGUOUS, H5D_COMPACT, not null',
    ],
    [layout('"class":"H5D_VIRTUAL"'), {}, 'not "H5D_VIRTUAL"'],
    [layout('"class":"H5D_CHUNKED"'), {}, 'layout.dims must be 2 positive integers, not null'],
    [chunks('[5]'), {}, 'layout.dims must be 2 positive integers, not [5]'],
    [chunks('[5,5,5]'), {}, 'must be 2 positive integers'],
    [chunks('5'), { shape: '10' }, 'must be 1 positive integers, not 5'],
    [chunks('[5,0]'), {}, 'must be 2 positive integers'],
    [chunks('[5,-1]'), {}, 'must be 2 positive integers'],
    [chunks('[5,true]'), {}, 'must be 2 positive integers'],
    [chunks('[5,99999999999999999999]'), {}, 'must be 2 positive integers'],
    [chunks('[11,20]'), {}, 'layout.dims[0] is 11, which must be at most the maximum extent 10'],
    [chunks('[10,21]'), EXTENSIBLE, 'layout.dims[1] is 21, which must be at most the maximum extent 20'],
    [
      chunks('[16,20]'),
      { maxdims: '[15,20]' },
      'layout.dims[0] is 16, which must be at most the maximum extent 15',
    ],
    [
      chunks('[33554433]'),
      { shape: '0', maxdims: '0' },
      'a chunk must have at most 134217728 bytes, it has 134217732',
    ],
    [chunks('[1]'), { shape: '' }, 'a dataspace of class H5S_SCALAR has no chunks'],
    [chunks('[1]'), { shape: '"H5S_NULL"' }, 'a dataspace of class H5S_NULL has no chunks'],
    [layout('"class":"H5D_CONTIGUOUS","dims":[5,5]'), {}, 'a layout of class H5D_CONTIGUOUS has no chunks'],
    [
      layout('"class":"H5D_CONTIGUOUS"'),
      EXTENSIBLE,
      'a dataset that can grow cannot have the layout H5D_CONTIGUOUS',
    ],
    [layout('"class":"H5D_COMPACT"'), EXTENSIBLE, 'cannot have the layout H5D_COMPACT'],
    ['{"filters":{"id":1}}', {}, 'filters must be a list, not {"id":1}'],
    ['{"filters":null}', {}, 'filters must be a list'],
    ['{"filters":[1]}', {}, 'filters[0] must be an object with an integer "id", not 1'],
    [filter(''), {}, 'filters[1] must be an object with an integer "id", not {}'],
    [filter('"class":"H5Z_FILTER_DEFLATE"'), {}, 'filters[1] must be'],
    [filter('"id":"1"'), {}, 'filters[1] must be'],
    [filter('"id":1.5'), {}, 'filters[1] must be'],
    [filter('"id":-1'), {}, 'filters[1] must be'],
    [filter('"id":true'), {}, 'filters[1] must be'],
    [filter('"id":1,"level":10'), {}, 'filters[1].level must be an integer from 0 to 9, not 10'],
    [filter('"id":1,"level":-1'), {}, 'filters[1].level'],
    [filter('"id":1,"level":"9"'), {}, 'filters[1].level'],
    [filter('"id":1,"level":null'), {}, 'filters[1].level'],
    [
      filter('"id":4,"coding":"EC"'),
      {},
      'filters[1].coding must be one of H5_SZIP_EC_OPTION_MASK, H5_SZIP_NN_OPTION_MASK',
    ],
    [filter('"id":6'), {}, 'filters[1] needs a "scaleOffset", a whole number'],
    [filter('"id":6,"scaleOffset":"2"'), {}, 'filters[1] needs a "scaleOffset", a whole number'],
    [filter('"id":1'), { shape: '' }, 'a dataset with a dataspace of class H5S_SCALAR cannot have filters'],
    [
      filter('"id":1'),
      { shape: '"H5S_NULL"' },
      'a dataset with a dataspace of class H5S_NULL cannot have filters',
    ],
    ['{"fillValue":"text"}', {}, 'fillValue: '],
    ['{"fillValue":300}', { type: '"H5T_STD_U8LE"' }, 'fillValue: '],
    ['{"fillValue":[1]}', { type: PAIR }, 'fillValue: '],
    ['{"fillValue":[1,2,3]}', { type: PAIR }, 'fillValue: '],
    ['{"fillValue":"groups/x"}', { type: REFERENCE }, 'fillValue: '],
  ])('%s %j', (json, dataset, message) => {
    expect(() => parse(json, dataset)).toThrow(
      expect.objectContaining({ code: 'malformed-creation-properties' }),
    )
    expect(() => parse(json, dataset)).toThrow(message)
  })

  test('an empty list of filters is fine for a scalar', () => {
    expect(parse('{"filters":[]}', { shape: '' }).filters).toEqual([])
  })
})

const MANY_FORMS: CreationRules = {
  ...HDF5_JSON,
  filterSpelling: 'any',
  fillValueForms: 'several',
  initializers: true,
  contiguousFilters: false,
  compactFilters: false,
  adjustsChunks: true,
  limitsContiguous: true,
  referenceLayouts: true,
}

test('exact chunks stay as they are given (hsds-values 16)', () => {
  const chunkDims = (exact: string) =>
    parse(`{"layout":{"class":"H5D_CHUNKED","dims":[20]${exact}}}`, { shape: '[100]' }, MANY_FORMS).chunkDims
  expect(chunkDims('')).toEqual([100])
  expect(chunkDims(',"exact":false')).toEqual([100])
  expect(chunkDims(',"exact":true')).toEqual([20])
  expect(() => chunkDims(',"exact":1')).toThrow('layout.exact must be true or false, not 1')
})

describe('fill values in more forms (hsds-values 15)', () => {
  const NESTED = `{"class":"H5T_COMPOUND","fields":[{"name":"p","type":${PAIR}},{"name":"c","type":"H5T_STD_U8LE"}]}`

  test.each<[string, string, number[]]>([
    ['"H5T_IEEE_F32LE"', '{"fillValue":"AADAfw==","fillValue_encoding":"base64"}', [0, 0, 192, 127]],
    ['"H5T_STD_U8LE"', '{"fillValue":7,"fillValue_encoding":"None"}', [7]],
    ['"H5T_STD_U8LE"', '{"fillValue":7,"fillValue_encoding":null}', [7]],
    [PAIR, '{"fillValue":3}', [0, 3, 3]],
    [NESTED, '{"fillValue":3}', [0, 3, 3, 3]],
    [NESTED, '{"fillValue":[3,4]}', [0, 3, 3, 4]],
    [PAIR, '{"fillValue":[5,6]}', [0, 5, 6]],
    [PAIR, '{"fillValue":"AQID","fillValue_encoding":"base64"}', [1, 2, 3]],
  ])('%s %s', (type, json, bytes) => {
    const properties = parse(json, { type }, MANY_FORMS)
    expect(properties.fillValue?.count).toBe(1)
    expect([...(properties.fillValue?.data ?? [])]).toEqual(bytes)
    expect(reported(properties)).toBe(json)
  })

  test.each<[string, string, string]>([
    ['{"fillValue":"AADAfw==","fillValue_encoding":"base64"}', '"H5T_IEEE_F64LE"', '8 bytes, not 4'],
    ['{"fillValue":"%","fillValue_encoding":"base64"}', '"H5T_IEEE_F64LE"', 'not Base64'],
    [
      '{"fillValue":1,"fillValue_encoding":"base64"}',
      '"H5T_IEEE_F64LE"',
      'must be a string of Base64, not 1',
    ],
    [
      '{"fillValue":"1","fillValue_encoding":"hex"}',
      '"H5T_IEEE_F64LE"',
      'must be "base64" or "None", not "hex"',
    ],
    ['{"fillValue":"AQ==","fillValue_encoding":"base64"}', STRING, 'of variable size'],
    ['{"fillValue":[1,2,3]}', PAIR, 'fillValue: '],
    ['{"fillValue":NaN}', '"H5T_STD_I32LE"', 'fillValue: '],
    ['{"fillValue":300}', '"H5T_STD_U8LE"', 'fillValue: '],
    [
      `{"fillValue":"${'eHh4'.repeat(16)}","fillValue_encoding":"base64"}`,
      REFERENCE,
      'not an object reference',
    ],
  ])('%s is no fill value of %s', (json, type, message) => {
    expect(() => parse(json, { type }, MANY_FORMS)).toThrow(
      expect.objectContaining({ code: 'malformed-creation-properties' }),
    )
    expect(() => parse(json, { type }, MANY_FORMS)).toThrow(message)
  })

  test('are not those of HDF5/JSON', () => {
    expect(() => parse('{"fillValue":3}', { type: PAIR })).toThrow('fillValue: ')
    const json = '{"fillValue":"abc","fillValue_encoding":"base64"}'
    expect(new TextDecoder().decode(parse(json, { type: STRING }).fillValue?.heap)).toBe('abc')
  })
})

describe('chunk shapes that are adjusted (hsds-values 3.5 and 16)', () => {
  test.each<[DatasetCase, string, readonly number[]]>([
    [{ shape: '[365,780,1024]', maxdims: '[0,780,1024]' }, '[1,390,512]', [1, 390, 1024]],
    [{ shape: '[45,54]' }, '[10,10]', [45, 54]],
    [{ shape: '[4096,4096]' }, '[512,512]', [512, 512]],
    [{ shape: '[1024,1024]' }, '[1024,1024]', [1024, 1024]],
  ])('%j of %s', (dataset, dims, adjusted) => {
    const json = `{"layout":{"class":"H5D_CHUNKED","dims":${dims}}}`
    const properties = parse(json, dataset, MANY_FORMS)
    expect(properties.chunkDims).toEqual(adjusted)
    expect(reported(properties)).toBe(json)
  })

  test('what is computed may have chunks of any size', () => {
    const layout = '"layout":{"class":"H5D_CHUNKED","dims":[1000000000]}'
    const dataset = { type: '"H5T_STD_I64LE"', shape: '[1000000000]' }
    expect(parse(`{${layout},"initializer":["arange"]}`, dataset, MANY_FORMS).chunkDims).toEqual([488282])
    expect(() => parse(`{${layout}}`, dataset, MANY_FORMS)).toThrow(
      'a chunk must have at most 134217728 bytes, it has 8000000000',
    )
  })
})

describe('layouts', () => {
  const contiguous = '{"layout":{"class":"H5D_CONTIGUOUS"}}'
  const compact = '{"layout":{"class":"H5D_COMPACT"}}'

  test('sizes: compact up to 64 KiB, contiguous up to 128 MiB where it is limited', () => {
    expect(parse(compact, { shape: '[16384]' }).chunkDims).toEqual([16384])
    expect(() => parse(compact, { shape: '[16385]' })).toThrow('at most 65536 bytes, it has 65540')
    expect(parse(contiguous, { shape: '[33554432]' }, MANY_FORMS).layout).toBe('H5D_CONTIGUOUS')
    expect(() => parse(contiguous, { shape: '[33554433]' }, MANY_FORMS)).toThrow('at most 134217728')
    expect(parse(contiguous, { shape: '[33554433]' }).layout).toBe('H5D_CONTIGUOUS')
  })

  test.each(['H5D_CONTIGUOUS', 'H5D_COMPACT'])(
    '%s has no filters, but for the contiguous one where it may',
    name => {
      const json = `{"layout":{"class":"${name}"},"filters":["gzip"]}`
      expect(() => parse(json, {}, MANY_FORMS)).toThrow('cannot have filters')
      const may = { ...MANY_FORMS, contiguousFilters: true }
      if (name === 'H5D_CONTIGUOUS') expect(parse(json, {}, may).filters).toHaveLength(1)
      else expect(() => parse(json, {}, may)).toThrow('cannot have filters')
      expect(parse(json.replace('"gzip"', ''), {}, MANY_FORMS).filters).toEqual([])
    },
  )
})

describe('reference layouts (hsds-values 3.4 and 18)', () => {
  const CONTIGUOUS = '"class":"H5D_CONTIGUOUS_REF","file_uri":"b/k","offset":8,"size":400'
  const CHUNKED = '"class":"H5D_CHUNKED_REF","file_uri":"b/k","dims":[5,20],"chunks":{"0_0":[8,400]}'
  const INDIRECT = '"class":"H5D_CHUNKED_REF_INDIRECT","dims":[5,20],"chunk_table":"d-1"'

  test.each<[string, DatasetCase, readonly number[]]>([
    [CONTIGUOUS, {}, [10, 20]],
    [CONTIGUOUS, { shape: '[50000,8000000]' }, [1, 1000000]],
    [CONTIGUOUS, { shape: '[0,10]', type: '"H5T_STD_I16LE"' }, [0, 10]],
    [CHUNKED, {}, [5, 20]],
    [INDIRECT, {}, [5, 20]],
    [`${INDIRECT},"file_uri":"s3://b/k","hyper_dims":[5,10]`, {}, [5, 20]],
  ])('%s of %j', (members, dataset, chunkDims) => {
    const json = `{"layout":{${members}}}`
    const properties = parse(json, dataset, MANY_FORMS)
    expect(properties.chunkDims).toEqual(chunkDims)
    expect(reported(properties)).toBe(json)
  })

  test.each<[string, DatasetCase, string]>([
    [CONTIGUOUS.replace('"file_uri":"b/k",', ''), {}, 'layout.file_uri must be a string'],
    [CONTIGUOUS.replace('"offset":8,', ''), {}, 'layout.offset must be a whole number'],
    [CONTIGUOUS.replace('400', '-1'), {}, 'layout.size must be a whole number, not -1'],
    [`${CONTIGUOUS},"dims":[10,20]`, {}, 'has no chunks'],
    [CONTIGUOUS, { type: STRING }, 'of variable size cannot'],
    [CONTIGUOUS, { shape: '' }, 'H5S_SCALAR has no chunks'],
    [CHUNKED.replace('"dims":[5,20],', ''), {}, 'layout.dims must be 2'],
    [CHUNKED, { type: STRING }, 'of variable size cannot'],
    [CHUNKED.replace('0_0', '0'), {}, 'layout.chunks maps 2 numbers'],
    [CHUNKED.replace('[8,400]', '[8]'), {}, 'layout.chunks maps'],
    [CHUNKED.replace('{"0_0":[8,400]}', '[]'), {}, 'layout.chunks must be an object'],
    [INDIRECT.replace('"d-1"', '1'), {}, 'layout.chunk_table must be a string'],
    [`${INDIRECT},"hyper_dims":[5,3]`, {}, 'layout.hyper_dims must divide'],
    [`${INDIRECT},"hyper_dims":[5]`, {}, 'layout.hyper_dims must divide'],
  ])('%s of %j', (members, dataset, message) => {
    expect(() => parse(`{"layout":{${members}}}`, dataset, MANY_FORMS)).toThrow(message)
  })

  test('have no filters if contiguous, and are not in HDF5/JSON', () => {
    expect(() => parse(`{"layout":{${CONTIGUOUS}},"filters":[1]}`, {}, MANY_FORMS)).toThrow(
      'cannot have filters',
    )
    expect(parse(`{"layout":{${CHUNKED}},"filters":[1]}`, {}, MANY_FORMS).filters).toHaveLength(1)
    expect(() => parse(`{"layout":{${CONTIGUOUS}}}`)).toThrow('layout.class must be one of')
  })
})

test('any members give properties or malformed-creation-properties, nothing else', () => {
  const words = fc.constantFrom('H5D_CHUNKED', 'H5D_CONTIGUOUS', 'H5D_COMPACT')
  const layout = fc.oneof(
    jsonValue,
    fc.tuple(words, fc.oneof(jsonValue, fc.array(fc.nat(30)))).map(
      ([name, dims]) =>
        new Map([
          ['class', name],
          ['dims', dims],
        ]),
    ),
  )
  const filter = fc.tuple(fc.constantFrom(1, 4, 6), jsonValue).map(
    ([id, option]) =>
      new Map([
        ['id', id],
        ['level', option],
        ['coding', option],
        ['scaleOffset', option],
      ]),
  )
  const members = fc.record(
    { layout, filters: fc.oneof(jsonValue, fc.array(filter)), fillValue: jsonValue },
    { requiredKeys: [] },
  )
  const shape = fc.constantFrom('[]', '"H5S_NULL"', '[5]', '[0,3]')
  fc.assert(
    fc.property(
      members,
      datatype,
      shape,
      fc.constantFrom('[0]', '[9]', '[0,3]', ''),
      fc.constantFrom(HDF5_JSON, MANY_FORMS),
      (members, type, shape, maxdims, rules) => {
        try {
          const space = parseShape(parseJson(shape), maxdims ? parseJson(maxdims) : undefined)
          const properties = parseCreationProperties(new Map(Object.entries(members)), type, space, rules)
          expect(properties.chunkDims?.every(extent => extent >= 1) ?? true).toBe(true)
        } catch (error) {
          if (!(error instanceof HyperslabError)) throw error
          expect(error.code).toMatch(/^malformed-(shape|creation-properties)$/)
        }
      },
    ),
    { numRuns: 500 },
  )
})
