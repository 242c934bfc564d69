import { parseCreationProperties } from '@hyperslab/model/dataset'
import { parseDatatype } from '@hyperslab/model/datatype'
import { type JsonValue, parseJson, stringifyJson } from '@hyperslab/model/json'
import type { Dataset } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import {
  CREATED,
  DATASET,
  DATATYPE,
  href,
  idOf,
  json,
  PLACE,
  ROOT,
  rels,
  STATUS,
  sent,
  TIMES,
} from '../../../../../test/fixtures/hsds-answers.ts'
import { parseShape } from '../../input/shapes.ts'
import { hsdsPresent as present } from './present.ts'

function dataset(type: unknown, shape: unknown, maxdims?: unknown, creationProperties?: unknown): Dataset {
  const parsed = parseDatatype(json(type))
  const space = parseShape(shape === undefined ? undefined : json(shape), maxdims as JsonValue | undefined)
  const given = creationProperties === undefined ? undefined : json(creationProperties)
  return {
    kind: 'dataset',
    id: idOf(DATASET),
    created: CREATED,
    acl: [],
    type: parsed,
    space,
    creationProperties: parseCreationProperties(given, parsed, space),
  }
}

describe('a dataset (hsds-values 3.7 and 4)', () => {
  const integer = { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }
  const show = (object: Dataset, place = PLACE) => present.datasets.shown(place, { object, status: STATUS })

  it('tells its shape and type before what holds other types', () => {
    const body = show(dataset('H5T_STD_I32LE', [4, 6], [4, 0]))
    const { hrefs: _, ...members } = sent(body)
    const layout = { class: 'H5D_CHUNKED', dims: expect.any(Array) }
    expect(members).toEqual({
      id: DATASET,
      root: ROOT,
      ...TIMES,
      attributeCount: 2,
      shape: { class: 'H5S_SIMPLE', dims: [4, 6], maxdims: [4, 0] },
      type: integer,
      layout,
      creationProperties: { layout },
      domain: '/home/ann/run7',
    })
    expect(rels(body)).toEqual(['self', 'root', 'home', 'attributes', 'data'])
    expect(stringifyJson(body)).toMatch(/"shape".*"type".*"creationProperties".*"hrefs":\[[^\]]*\]\}$/)
  })

  it('that was made shows the same, without hrefs', () => {
    const object = dataset('H5T_STD_I32LE', [4, 6])
    const { hrefs: _, domain: __, ...members } = sent(show(object))
    expect(sent(present.datasets.created(PLACE, { object, status: STATUS }))).toEqual(members)
  })

  it.each<[string, unknown, unknown, object]>([
    ['scalar', undefined, undefined, { class: 'H5S_SCALAR' }],
    ['null', 'H5S_NULL', undefined, { class: 'H5S_NULL' }],
    ['one dimension', 5, undefined, { class: 'H5S_SIMPLE', dims: [5] }],
    ['no elements', [0, 3], undefined, { class: 'H5S_SIMPLE', dims: [0, 3] }],
    ['fixed maxdims', [2], [2], { class: 'H5S_SIMPLE', dims: [2], maxdims: [2] }],
    ['unlimited', [2, 3], ['H5S_UNLIMITED', 0], { class: 'H5S_SIMPLE', dims: [2, 3], maxdims: [0, 0] }],
  ])('shape: %s', (_, shape, maxdims, shown) => {
    expect(sent(show(dataset('H5T_STD_I8LE', shape, maxdims))).shape).toEqual(shown)
  })

  it.each<[string, unknown, unknown, object | undefined, object]>([
    ['none was given', [20], undefined, { class: 'H5D_CHUNKED' }, { class: 'H5D_CHUNKED' }],
    ['chunks', [20], { class: 'H5D_CHUNKED', dims: [10] }, { class: 'H5D_CHUNKED' }, { dims: [10] }],
    ['contiguous', [20], { class: 'H5D_CONTIGUOUS' }, { class: 'H5D_CHUNKED' }, { class: 'H5D_CONTIGUOUS' }],
    ['compact', [20], { class: 'H5D_COMPACT' }, { class: 'H5D_COMPACT' }, { class: 'H5D_COMPACT' }],
    ['a scalar', undefined, undefined, { class: 'H5D_CHUNKED', dims: [1] }, { dims: [1] }],
  ])('layout of %s (hsds-values 3.5)', (_, shape, layout, effective, reported) => {
    const object = dataset('H5T_STD_I8LE', shape, undefined, layout && { layout })
    const body = sent(show(object))
    expect(body.layout).toMatchObject(effective ?? {})
    expect(body.creationProperties).toMatchObject({ layout: reported })
  })

  it('names the filters that were given by their ids alone', () => {
    const filters = [{ id: 1, level: 4 }, { id: 32015 }]
    const { creationProperties } = sent(show(dataset('H5T_STD_I8LE', [20], undefined, { filters })))
    expect(creationProperties).toMatchObject({
      filters: [
        { id: 1, level: 4, class: 'H5Z_FILTER_DEFLATE', name: 'gzip' },
        { id: 32015, class: 'H5Z_FILTER_USER', name: 'zstd' },
      ],
    })
  })

  it('names filters as its clients do, whatever a file or the other dialect called them (hsds-values 17.2)', () => {
    const filters = [
      { id: 2, name: 'shuffle' },
      { id: 1, name: 'deflate', level: 4 },
      { id: 32004, name: 'HDF5 lz4 filter; see http://www.hdfgroup.org', parameters: [0] },
      { id: 65000, name: 'mine', parameters: [] },
    ]
    const { creationProperties } = sent(show(dataset('H5T_STD_I8LE', [20], undefined, { filters })))
    expect(creationProperties).toMatchObject({
      filters: [{ name: 'shuffle' }, { name: 'gzip', level: 4 }, { name: 'lz4' }, { name: 'mine' }],
    })
  })

  it('without elements to store has no layout', () => {
    const body = sent(show(dataset('H5T_STD_I8LE', 'H5S_NULL')))
    expect(body).not.toHaveProperty('layout')
    expect(body.creationProperties).toEqual({})
  })

  it.each<[string, unknown, string | undefined]>([
    ['one element', undefined, 'data'],
    ['100 elements', [10, 10], 'data'],
    ['101 elements', [101], 'preview'],
    ['no elements', [0], 'data'],
    ['a null dataspace', 'H5S_NULL', undefined],
  ])('leads to its values: %s', (_, shape, rel) => {
    expect((rels(show(dataset('H5T_STD_I8LE', shape))) as string[])[4]).toBe(rel)
  })

  it('leads to a corner of many elements', () => {
    const many = dataset('H5T_STD_I8LE', [200, 2])
    const path = `/datasets/${DATASET}/value`
    expect(href(show(many), 'preview')).toBe(`${path}?domain=/home/ann/run7&select=[0:50,0:2]`)
    expect(href(show(many, { ...PLACE, suffix: '' }), 'preview')).toBe(`${path}?select=[0:50,0:2]`)
  })

  it('writes a fill value that is no number as a string, where null is asked for (hsds-values 1.3)', () => {
    const space = parseShape([2], undefined)
    const type = parseDatatype('H5T_IEEE_F64LE')
    const given = new Map<string, JsonValue>([['fillValue', Number.NaN]])
    const object = {
      ...dataset('H5T_IEEE_F64LE', [2]),
      creationProperties: parseCreationProperties(given, type, space),
    }
    expect(stringifyJson(show(object))).toContain('"fillValue":NaN')
    expect(sent(show(object, { ...PLACE, nonFinite: 'null' })).creationProperties).toMatchObject({
      fillValue: 'nan',
    })
  })

  it('its shape and type', () => {
    const object = { ...dataset('H5T_STD_I32LE', [3], [0]), committedType: idOf(DATATYPE) }
    const shape = present.datasets.shape(PLACE, { object, status: STATUS })
    expect(sent(shape)).toMatchObject({ shape: { dims: [3], maxdims: [0] }, ...TIMES })
    expect(sent(shape)).not.toHaveProperty('type')
    expect(rels(shape)).toEqual(['self', 'owner', 'root'])
    const type = present.datasets.type(PLACE, object)
    expect(sent(type).type).toEqual({ ...integer, id: DATATYPE })
    expect(rels(type)).toEqual(['self', 'owner', 'root'])
  })

  it.each<[string, number[], number[], object]>([
    ['one dimension grows', [10], [15], { selection: '[10:15]' }],
    ['the first of two', [10, 4], [15, 4], { selection: '[10:15,:]' }],
    ['the last of three', [1, 2, 5], [1, 2, 7], { selection: '[:,:,5:7]' }],
    ['from nothing', [0, 4], [5, 4], { selection: '[0:5,:]' }],
    ['two grow', [1, 1], [2, 2], {}],
    ['one grows, one shrinks', [1, 2], [2, 1], {}],
    ['one shrinks', [10], [5], {}],
    ['nothing changes', [10], [10], {}],
  ])('its shape changed: %s (hsds-values 5)', (_, before, after, shown) => {
    const object = dataset('H5T_STD_I8LE', after)
    expect(sent(present.datasets.shapeChanged(PLACE, { object, status: STATUS, before }))).toEqual(shown)
  })

  it('its values read and written', () => {
    const read = present.values.read(PLACE, idOf(DATASET), 'select=[0:1]')
    expect(rels(read)).toEqual(['self', 'root', 'home', 'owner'])
    expect(sent(present.values.written(PLACE, idOf(DATASET)))).toEqual({})
  })
})

describe('types (hsds-objects 14; hsds-values 12)', () => {
  const text = (length: unknown) => ({
    class: 'H5T_STRING',
    charSet: 'H5T_CSET_UTF8',
    strPad: 'H5T_STR_NULLTERM',
    length,
  })
  const integer = { class: 'H5T_INTEGER', base: 'H5T_STD_I16BE' }
  it.each<[string, unknown, unknown]>([
    ['a predefined name', 'H5T_IEEE_F32BE', { class: 'H5T_FLOAT', base: 'H5T_IEEE_F32BE' }],
    ['a fixed string, padded as it is', text(16), text(16)],
    ['a variable string', text('H5T_VARIABLE'), text('H5T_VARIABLE')],
    [
      'an opaque type with its tag',
      { class: 'H5T_OPAQUE', size: 4, tag: 't' },
      { class: 'H5T_OPAQUE', size: 4, tag: 't' },
    ],
    [
      'a reference',
      { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ', length: 48 },
      { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' },
    ],
    [
      'a sequence',
      { class: 'H5T_VLEN', base: 'H5T_STD_I16BE' },
      { class: 'H5T_VLEN', base: integer, size: 'H5T_VARIABLE' },
    ],
    [
      'an array',
      { class: 'H5T_ARRAY', base: integer, dims: [2, 3] },
      { class: 'H5T_ARRAY', dims: [2, 3], base: integer },
    ],
    [
      'a compound',
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'a', type: 'H5T_STD_I16BE' },
          { name: 's', type: text(3) },
        ],
      },
      {
        class: 'H5T_COMPOUND',
        fields: [
          { name: 'a', type: integer },
          { name: 's', type: text(3) },
        ],
      },
    ],
  ])('%s', (_, given, shown) => {
    const object = {
      kind: 'datatype',
      id: idOf(DATATYPE),
      created: CREATED,
      acl: [],
      type: parseDatatype(json(given)),
    } as const
    expect(sent(present.datatypes.shown(PLACE, { object, status: STATUS })).type).toEqual(shown)
  })

  it('an enum tells its members twice, in their order: `mapping` first (hsds-values 12.2)', () => {
    const given = '{"class":"H5T_ENUM","base":"H5T_STD_I8LE","mapping":{"10":1,"9":2}}'
    const type = parseDatatype(parseJson(`{"class":"H5T_ARRAY","base":${given},"dims":[2]}`))
    const object = { kind: 'datatype', id: idOf(DATATYPE), created: CREATED, acl: [], type } as const
    expect(stringifyJson(present.datatypes.shown(PLACE, { object, status: STATUS }))).toContain(
      '"mapping":{"10":1,"9":2},"members":[{"name":"10","value":1},{"name":"9","value":2}]',
    )
  })

  it('committed: made and shown', () => {
    const object = {
      kind: 'datatype',
      id: idOf(DATATYPE),
      created: CREATED,
      acl: [],
      type: parseDatatype('H5T_STD_I16BE'),
    } as const
    const members = { id: DATATYPE, root: ROOT, ...TIMES, attributeCount: 2, type: integer }
    expect(sent(present.datatypes.created(PLACE, { object, status: STATUS }))).toEqual(members)
    const body = present.datatypes.shown(PLACE, { object, status: STATUS })
    expect(sent(body)).toMatchObject({ ...members, domain: '/home/ann/run7' })
    expect(rels(body)).toEqual(['self', 'root', 'home', 'attributes'])
  })
})
