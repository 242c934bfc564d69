import type { Dataspace } from '@hyperslab/model/dataset'
import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import { elementsFromJson, type JsonValue } from '@hyperslab/model/json'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { describe, expect, it } from 'vitest'
import { shownType } from './array-types.ts'
import { type ShownAttribute, showAttributes } from './attributes.ts'
import { dimensionNames } from './dimensions.ts'
import { arrayDocuments, ConsolidatedMetadata, documentText, groupDocuments } from './documents.ts'
import type { ZarrFormat } from './names.ts'

const I4: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const I8: Datatype = { class: 'H5T_INTEGER', size: 8, signed: true, order: 'LE' }
const I1: Datatype = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const U1: Datatype = { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' }
const F4: Datatype = { class: 'H5T_FLOAT', size: 4, order: 'LE' }
const F8: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'BE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

function elements(type: Datatype, json: JsonValue, dims: readonly number[] = []) {
  return elementsFromJson(type, dims, json, PREFIXED_REFERENCES)
}

function attribute(name: string, type: Datatype, json: JsonValue, dims?: readonly number[]): ShownAttribute {
  const space: Dataspace = dims ? { class: 'H5S_SIMPLE', dims } : { class: 'H5S_SCALAR' }
  return { name, type, space, value: elements(type, json, dims) }
}

const UNSIGNED = attribute('_Unsigned', TEXT, 'true')

function documentsOf(
  format: ZarrFormat,
  type: Datatype,
  {
    fill,
    attributes = [],
  }: { readonly fill?: JsonValue; readonly attributes?: readonly ShownAttribute[] } = {},
) {
  const shown = shownType(type, format)
  if (shown.kind !== 'array') throw new Error('the type is no array')
  const array = {
    type: shown,
    elementType: type,
    elementSize: elementSize(type),
    dims: [10, 4],
    chunkDims: [5, 4],
    attributes,
    dimensionNames: [],
  }
  const filters = [{ id: 1, json: new Map<string, JsonValue>([['id', 1]]) }]
  const value = fill === undefined ? {} : { fill: elements(type, fill) }
  return arrayDocuments({ ...array, ...value, form: 'frame', filters }, format)
}

describe('the document of an array', () => {
  it('has all that Zarr 3 needs', () => {
    expect(documentsOf(3, I4, { fill: -1 }).metadata).toMatchObject({
      zarr_format: 3,
      node_type: 'array',
      shape: [10, 4],
      data_type: 'int32',
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [5, 4] } },
      fill_value: -1,
      codecs: [
        { name: 'bytes', configuration: { endian: 'little' } },
        {
          name: 'blosc',
          configuration: { cname: 'zlib', clevel: 5, shuffle: 'noshuffle', typesize: 4, blocksize: 0 },
        },
      ],
      dimension_names: ['phony_dim_10', 'phony_dim_4'],
    })
  })

  it('has all that Zarr 2 needs', () => {
    const { metadata, attributes } = documentsOf(2, F8, { fill: 7 })
    expect(metadata).toEqual({
      zarr_format: 2,
      shape: [10, 4],
      chunks: [5, 4],
      dtype: '>f8',
      compressor: { id: 'blosc', cname: 'zlib', clevel: 5, shuffle: 0, blocksize: 0 },
      fill_value: null,
      order: 'C',
      filters: null,
      dimension_separator: '.',
    })
    expect(attributes.get('_ARRAY_DIMENSIONS')).toEqual(['phony_dim_10', 'phony_dim_4'])
  })

  it.each<[string, Datatype, JsonValue | undefined, string]>([
    ['nothing', I4, undefined, '0'],
    ['NaN', F8, Number.NaN, '"NaN"'],
    ['an infinity', F8, Number.NEGATIVE_INFINITY, '"-Infinity"'],
    ['a float', F4, 0.1, '0.1'],
    ['a long integer', I8, -(2n ** 63n), '-9223372036854775808'],
    ['text', TEXT, 'é', '"\\u00e9"'],
    ['no text', TEXT, undefined, '""'],
  ])('of Zarr 3 has the fill value: %s', (_, type, fill, text) => {
    const document = documentText('zarr.json', documentsOf(3, type, fill === undefined ? {} : { fill }), 3)
    expect(document).toContain(`"fill_value":${text},`)
  })

  it('of Zarr 2 has a fill value only where an attribute means the same, or has no number of JSON', () => {
    const missing = (fill: number, said: number) => {
      const attributes = [attribute('_FillValue', F8, [said], [1])]
      const documents = documentsOf(2, F8, { fill, attributes })
      const { metadata, isFillMissing } = documents
      return [metadata.fill_value, documents.attributes.get('_FillValue'), isFillMissing]
    }
    expect(missing(-999, -999)).toEqual([-999, undefined, true])
    expect(missing(Number.NaN, Number.NaN)).toEqual([Number.NaN, undefined, true])
    expect(missing(0, -999)).toEqual([null, -999, false])
    expect(missing(0, Number.POSITIVE_INFINITY)).toEqual([Number.POSITIVE_INFINITY, undefined, false])
  })
})

describe('attributes', () => {
  const shown = (...attributes: ShownAttribute[]) => Object.fromEntries(showAttributes(attributes, 3))

  it('of one item are that item, others are lists', () => {
    expect(
      shown(attribute('a', I4, [3], [1]), attribute('b', I4, [3, 4], [2]), attribute('c', TEXT, 'x')),
    ).toEqual({
      a: 3,
      b: [3, 4],
      c: 'x',
    })
  })

  it('that Zarr says otherwise, or that are too long, are not shown', () => {
    const long = attribute('long', TEXT, 'x'.repeat(70_000))
    const none: ShownAttribute = { name: 'none', type: I4, space: { class: 'H5S_NULL' } }
    expect(shown(attribute('CLASS', TEXT, 'x'), attribute('_Netcdf4Dimid', I4, 1), long, none)).toEqual({})
  })

  it('of OME-Zarr are JSON', () => {
    expect(shown(attribute('multiscales', TEXT, '[{"a":1}]'), attribute('ome', TEXT, 'no JSON'))).toEqual({
      multiscales: [new Map([['a', 1]])],
      ome: 'no JSON',
    })
  })

  const base64 = (value: number) => Buffer.from(new Float64Array([value]).buffer).toString('base64')

  it.each<[string, Datatype, readonly ShownAttribute[], unknown, unknown?]>([
    ['a float', F4, [attribute('_FillValue', F4, [1e20], [1])], Math.fround(1e20)],
    ['a double for floats', F4, [attribute('_FillValue', F8, 0.1)], 0.1],
    ['a float for doubles', F8, [attribute('_FillValue', F4, 0.1)], Math.fround(0.1)],
    ['a long integer', I4, [attribute('_FillValue', I8, -999)], -999],
    ['a whole double for integers', I4, [attribute('_FillValue', F8, -999)], -999],
    ['a larger integer', I4, [attribute('_FillValue', I8, 2 ** 40)], 2 ** 40],
    ['text', TEXT, [attribute('_FillValue', TEXT, 'none')], 'none'],
    ['a fraction for integers', I4, [attribute('_FillValue', F8, 0.5)], undefined, 0.5],
    ['several numbers', F4, [attribute('_FillValue', F8, [3, 4], [2])], undefined, [3, 4]],
    [
      'a fraction beside other missing values',
      I4,
      [attribute('missing_value', I4, [7, 8], [2]), attribute('_FillValue', F8, 0.5)],
      undefined,
      [0.5, 7, 8],
    ],
    ['NaN for integers', I4, [attribute('_FillValue', F8, Number.NaN)], undefined],
    ['text for integers', I4, [attribute('_FillValue', TEXT, '-999')], undefined],
    ['an unsigned number', I1, [UNSIGNED, attribute('_FillValue', U1, 255)], -1],
    ['a number that is unsigned', U1, [UNSIGNED, attribute('_FillValue', U1, 255)], 255],
    ['one of the floats', F4, [attribute('missing_value', F4, 0.1)], undefined, Math.fround(0.1)],
    ['NaN, beside a number', F4, [attribute('missing_value', F4, [Number.NaN, 2], [2])], undefined, 2],
  ])('declare %s as missing in a form that xarray reads', (_, type, given, fill, missing) => {
    const two = showAttributes(given, 2, type)
    expect([two.get('_FillValue'), two.get('missing_value')]).toEqual([fill, missing])
    const three = showAttributes(given, 3, type)
    const isFloat = type.class === 'H5T_FLOAT' && typeof fill === 'number'
    expect(three.get('_FillValue')).toEqual(isFloat ? base64(fill) : fill)
    expect(three.get('missing_value')).toEqual(missing)
  })

  it('with NaN or an infinity are left out, and named', () => {
    const given = [
      attribute('scale_factor', F8, Number.NaN),
      attribute('valid_range', F4, [Number.NEGATIVE_INFINITY, 1], [2]),
      attribute('note', TEXT, 'NaN'),
    ]
    const wanted = { note: 'NaN', _left_out_attributes: ['scale_factor', 'valid_range'] }
    expect(Object.fromEntries(showAttributes(given, 3, I4))).toEqual(wanted)
    expect(Object.fromEntries(showAttributes(given, 2))).toEqual(wanted)
  })

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['<M8[ns]', { units: 'nanoseconds since 1970-01-01', calendar: 'proleptic_gregorian' }],
    ['<M8[2W]', { units: 'days since 1970-01-01', calendar: 'proleptic_gregorian', scale_factor: 14 }],
    ['>m8[25s]', { units: 'seconds', scale_factor: 25 }],
  ])('of %s are those of CF in Zarr 3', (dtype, wanted) => {
    const type: Datatype = { class: 'H5T_OPAQUE', size: 8, tag: `NUMPY:${dtype}` }
    const missing = { numpy_dtype: dtype, _FillValue: -(2n ** 63n) }
    expect(Object.fromEntries(showAttributes([], 3, type))).toEqual({ ...wanted, ...missing })
    expect(showAttributes([], 2, type).size).toBe(0)
    expect(documentsOf(3, type).metadata).toMatchObject({ data_type: 'int64', fill_value: 0 })
  })

  it.each(['<M8[Y]', '<m8[ps]', '<M8[10ns]'])('of %s have no unit that xarray decodes', dtype => {
    const type: Datatype = { class: 'H5T_OPAQUE', size: 8, tag: `NUMPY:${dtype}` }
    expect(Object.fromEntries(showAttributes([], 3, type))).toEqual({ numpy_dtype: dtype })
  })

  it('of an enum are those of CF', () => {
    const members = [
      { name: 'RED', value: 0 },
      { name: 'GREEN', value: 5 },
    ]
    const type: Datatype = {
      class: 'H5T_ENUM',
      base: { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' },
      members,
    }
    expect(Object.fromEntries(showAttributes([], 3, type))).toEqual({
      flag_values: [0, 5],
      flag_meanings: 'RED GREEN',
    })
  })
})

describe('names of dimensions', () => {
  it('are equal only for equal extents', () => {
    expect(dimensionNames([4, 3, 4, 4], [undefined, 'x'])).toEqual([
      'phony_dim_4',
      'x',
      'phony_dim_4_2',
      'phony_dim_4_3',
    ])
  })
})

describe('consolidated metadata', () => {
  const group = (format: ZarrFormat) => groupDocuments([], new Map([['n', 'a reason']]), format)

  it('of Zarr 3 has all nodes below the group', () => {
    const metadata = new ConsolidatedMetadata(3)
    metadata.add('', group(3))
    metadata.add('名', documentsOf(3, I4))
    const text = documentText('zarr.json', group(3), 3, metadata) ?? ''
    expect(text).toMatch(/^[\x20-\x7e]*$/)
    expect(JSON.parse(text)).toMatchObject({
      node_type: 'group',
      attributes: { _left_out: { n: 'a reason' } },
      consolidated_metadata: {
        kind: 'inline',
        must_understand: false,
        metadata: { 名: { data_type: 'int32' } },
      },
    })
  })

  it('has the nodes of a group together, in whatever order they were found', () => {
    const metadata = new ConsolidatedMetadata(3)
    for (const path of ['a/x', 'a', 'b/y', 'b', 'a/g/z', 'a/g']) metadata.add(path, group(3))
    const json = JSON.parse(documentText('zarr.json', group(3), 3, metadata) ?? '')
    const keys = Object.keys(json.consolidated_metadata.metadata)
    expect(keys.filter(key => key.split('/').length === 2)).toEqual(['a/g', 'a/x', 'b/y'])
  })

  it('of Zarr 2 has all documents', () => {
    const metadata = new ConsolidatedMetadata(2)
    metadata.add('', group(2))
    metadata.add('a/b', documentsOf(2, I4))
    const json = JSON.parse(documentText('.zmetadata', group(2), 2, metadata) ?? '')
    expect(Object.keys(json.metadata)).toEqual(['.zattrs', '.zgroup', 'a/b/.zarray', 'a/b/.zattrs'])
    expect(documentText('.zarray', group(2), 2)).toBeUndefined()
  })
})
