import { describe, expect, it } from 'vitest'
import { parseCreationProperties } from '../../../hdf5/creation-properties.ts'
import { type Dataspace, parseShape } from '../../../hdf5/dataspace.ts'
import { parseDatatype } from '../../../hdf5/datatype/parse.ts'
import { parseDomainPath } from '../../../hdf5/domain-path.ts'
import { type JsonValue, parseJson, stringifyJson } from '../../../hdf5/json.ts'
import { idFromHex, parsePrefixed } from '../../../hdf5/object-id.ts'
import { elementsFromJson } from '../../../hdf5/values/json-tree.ts'
import { PREFIXED_REFERENCES } from '../../../hdf5/values/references.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../../../service/access.ts'
import type { Attribute, Dataset, LinkTarget } from '../../../service/model.ts'
import type { Body, Place } from '../dialect.ts'
import { hsdsPresent as present } from './present.ts'

const ROOT = 'g-acdb532f-995a6284-2453-dba711-d2ea0c'
const GROUP = 'g-acdb532f-995a6284-1025-8f3e23-b0f316'
const DATASET = 'd-acdb532f-995a6284-1025-8f3e23-b0f317'
const DATATYPE = 't-acdb532f-995a6284-1025-8f3e23-b0f318'

function idOf(text: string) {
  return parsePrefixed(text)?.id ?? idFromHex('')
}

const PLACE: Place = {
  base: 'http://h',
  suffix: '?domain=/home/ann/run7',
  domain: parseDomainPath('/home/ann/run7'),
  dnsName: '',
  baseDomain: 'hdfgroup.org',
  root: idOf(ROOT),
  nonFinite: 'bare',
  apiVersion: '1.0.2',
}
const CREATED = 1_795_210_419_070_001
const MODIFIED = 1_795_210_420_000_000
const TIMES = { created: 1795210419.070001, lastModified: 1795210420 }
const STATUS = { lastModified: MODIFIED, linkCount: 4, attributeCount: 2, version: 'v' }

/** What a client reads. */
function sent(body: Body): { readonly [name: string]: unknown } {
  const text = stringifyJson(body)
  expect(text).not.toContain('"statusCode"')
  for (const href of text.matchAll(/\{[^{}]*"rel"[^{}]*\}/g)) expect(href[0]).toMatch(/^\{"href":"/)
  return JSON.parse(text)
}

function rels(body: Body): unknown {
  return (sent(body).hrefs as { rel: string }[]).map(({ rel }) => rel)
}

/** The href with that `rel`, without what all hrefs share. */
function href(body: Body, rel: string): string | undefined {
  const hrefs = sent(body).hrefs as { href: string; rel: string }[]
  return hrefs.find(item => item.rel === rel)?.href.replace(/^http:\/\/h/, '')
}

function json(value: unknown): JsonValue {
  return parseJson(JSON.stringify(value))
}

describe('a domain (contract 20, 8.1)', () => {
  const entry = {
    path: PLACE.domain,
    root: idOf(ROOT),
    owner: 'ann',
    created: CREATED,
    lastModified: CREATED,
    readOnly: false,
    closed: true,
  }
  const { root: _, ...folder } = entry

  it('tells its root, owner, times, limits and compressors', () => {
    const body = present.domain(PLACE, { entry, status: STATUS })
    expect(sent(body)).toMatchObject({
      root: ROOT,
      class: 'domain',
      owner: 'ann',
      ...TIMES,
      version: '1.0.2',
    })
    expect(sent(body)).toMatchObject({ limits: { max_request_size: 104857600 }, dn_ids: ['dn-001'] })
    expect(sent(body).compressors).toEqual(
      expect.arrayContaining(['blosclz', 'lz4', 'lz4hc', 'gzip', 'zstd']),
    )
    expect(rels(body)).toEqual(['self', 'database', 'groupbase', 'typebase', 'root', 'acls', 'parent'])
    expect(href(body, 'parent')).toBe('/?domain=/home/ann')
    expect(href(body, 'root')).toBe(`/groups/${ROOT}?domain=/home/ann/run7`)
  })

  it('has no parent at the top level, and one with any name in an address', () => {
    const at = (path: string) => ({ ...PLACE, domain: parseDomainPath(path) })
    expect(rels(present.domain(at('/top'), { entry }))).toHaveLength(6)
    expect(href(present.domain(at('/a b&c/x'), { entry }), 'parent')).toBe('/?domain=/a%20b%26c')
  })

  it('that is a folder has neither root nor limits', () => {
    const body = present.domain({ ...PLACE, root: undefined }, { entry: folder })
    expect(Object.keys(sent(body)).sort()).toEqual(
      ['class', 'created', 'dn_ids', 'hrefs', 'lastModified', 'owner'].sort(),
    )
    expect(sent(body)).toMatchObject({ class: 'folder' })
    expect(rels(body)).toEqual(['self', 'domains', 'acls', 'parent'])
  })

  it('that nobody owns has the owner ""', () => {
    const { owner: __, ...common } = entry
    expect(sent(present.domain(PLACE, { entry: common }))).toMatchObject({ owner: '' })
  })

  it('that was made shows its access list as a map, and no hrefs', () => {
    const acl = [
      { userName: 'ann', ...ALL_PERMISSIONS },
      { userName: '10', ...NO_PERMISSIONS },
    ]
    const body = sent(present.domainCreated(PLACE, { entry, acl }))
    expect(body).toMatchObject({
      root: ROOT,
      owner: 'ann',
      acls: { ann: ALL_PERMISSIONS, 10: NO_PERMISSIONS },
    })
    expect(body).not.toHaveProperty('hrefs')
    expect(sent(present.domainCreated(PLACE, { entry: folder, acl }))).not.toHaveProperty('root')
  })

  it('that was deleted is told by an empty object', () => {
    expect(sent(present.domainDeleted(PLACE))).toEqual({})
  })
})

it('a collection lists ids', () => {
  const body = present.collection(PLACE, 'dataset', [idOf(DATASET)])
  expect(sent(body)).toMatchObject({ datasets: [DATASET] })
  expect(rels(body)).toEqual(['self', 'root', 'home'])
})

describe('a group (contract 20, 10)', () => {
  const object = { kind: 'group', id: idOf(GROUP), created: CREATED, acl: [] } as const
  const members = { id: GROUP, root: ROOT, ...TIMES, linkCount: 4, attributeCount: 2 }

  it('that was made', () => {
    expect(sent(present.groupCreated(PLACE, { object, status: STATUS }))).toEqual(members)
  })

  it('names its domain, and shows links and creation properties only if there are any to show', () => {
    const body = present.group(PLACE, { object, status: STATUS }, undefined)
    const { hrefs: _, ...shown } = sent(body)
    expect(shown).toEqual({ ...members, domain: '/home/ann/run7' })
    expect(rels(body)).toEqual(['self', 'links', 'root', 'home', 'attributes'])
  })

  it.each<[unknown]>([[{ CreateOrder: true }], ['AAECAw=='], [null]])(
    'keeps creation properties %j',
    given => {
      const view = { object: { ...object, creationProperties: json(given) }, status: STATUS }
      expect(sent(present.group(PLACE, view, undefined)).creationProperties).toEqual(given)
    },
  )

  it('shows its links as a map, in their order whatever their titles', () => {
    const target = { class: 'H5L_TYPE_SOFT', h5path: '/x' } as const
    const links = ['__proto__', '10', '9'].map(title => ({ title, created: CREATED, target }))
    const text = stringifyJson(present.group(PLACE, { object, status: STATUS }, links))
    const shown = '{"class":"H5L_TYPE_SOFT","h5path":"/x","created":1795210419.070001}'
    expect(text).toContain(`"links":{"__proto__":${shown},"10":${shown},"9":${shown}}`)
  })
})

describe('links (contract 20, 11)', () => {
  const hard = { class: 'H5L_TYPE_HARD', kind: 'dataset', id: idOf(DATASET) } as const
  const soft = { class: 'H5L_TYPE_SOFT', h5path: 'a/b' } as const
  const external = { class: 'H5L_TYPE_EXTERNAL', h5path: '/x', h5domain: 'other.h5' } as const
  const userDefined = { class: 'H5L_TYPE_USER_DEFINED' } as const
  const link = (target: LinkTarget, title = 'a') => ({ title, created: CREATED, target })
  const owner = ['self', 'home', 'owner']

  it.each<[LinkTarget, object, string[]]>([
    [hard, { class: hard.class, id: DATASET, collection: 'datasets' }, [...owner, 'target']],
    [soft, { class: soft.class, h5path: 'a/b' }, owner],
    [external, { class: external.class, h5path: '/x', h5domain: 'other.h5', file: 'other.h5' }, owner],
    [userDefined, { class: userDefined.class }, owner],
  ])('one link: %j', (target, members, hrefs) => {
    const body = present.link(PLACE, idOf(GROUP), link(target))
    expect(sent(body)).toMatchObject({ created: TIMES.created, lastModified: TIMES.created })
    expect(sent(body).link).toEqual({ title: 'a', ...members })
    expect(rels(body)).toEqual(hrefs)
  })

  it('listed, each with its address and a hard one with that of its target', () => {
    const body = present.links(PLACE, idOf(GROUP), [link(hard), link(soft, 'b c+d'), link(external)])
    const address = (path: string) => `http://h${path}?domain=/home/ann/run7`
    const created = TIMES.created
    expect(sent(body).links).toEqual([
      {
        title: 'a',
        class: hard.class,
        id: DATASET,
        created,
        collection: 'datasets',
        target: address(`/datasets/${DATASET}`),
        href: address(`/groups/${GROUP}/links/a`),
      },
      {
        title: 'b c+d',
        class: soft.class,
        h5path: 'a/b',
        created,
        href: address(`/groups/${GROUP}/links/b%20c%2Bd`),
      },
      {
        title: 'a',
        class: external.class,
        h5path: '/x',
        h5domain: 'other.h5',
        file: 'other.h5',
        created,
        href: address(`/groups/${GROUP}/links/a`),
      },
    ])
    expect(rels(body)).toEqual(owner)
    expect(sent(present.links(PLACE, idOf(GROUP), [])).links).toEqual([])
  })

  it('made and deleted', () => {
    expect(sent(present.linkPut(PLACE, idOf(GROUP), 'a'))).toEqual({ hrefs: [] })
    expect(sent(present.linkDeleted(PLACE, idOf(GROUP)))).toEqual({})
  })
})

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

describe('a dataset (contract 30, 3.7 and 4)', () => {
  const integer = { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' }
  const show = (object: Dataset, place = PLACE) => present.dataset(place, { object, status: STATUS })

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
    expect(sent(present.datasetCreated(PLACE, { object, status: STATUS }))).toEqual(members)
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
  ])('layout of %s (contract 30, 3.5)', (_, shape, layout, effective, reported) => {
    const object = dataset('H5T_STD_I8LE', shape, undefined, layout && { layout })
    const body = sent(show(object))
    expect(body.layout).toMatchObject(effective ?? {})
    expect(body.creationProperties).toMatchObject({ layout: reported })
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

  it('writes a fill value that is no number as a text, where null is asked for (contract 30, 1.3)', () => {
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
    const shape = present.shape(PLACE, { object, status: STATUS })
    expect(sent(shape)).toMatchObject({ shape: { dims: [3], maxdims: [0] }, ...TIMES })
    expect(sent(shape)).not.toHaveProperty('type')
    expect(rels(shape)).toEqual(['self', 'owner', 'root'])
    const type = present.type(PLACE, object)
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
  ])('its shape changed: %s (contract 30, section 5)', (_, before, after, shown) => {
    const object = dataset('H5T_STD_I8LE', after)
    expect(sent(present.shapeChanged(PLACE, { object, status: STATUS, before }))).toEqual(shown)
  })

  it('its values read and written', () => {
    const read = present.valueRead(PLACE, idOf(DATASET), 'select=[0:1]')
    expect(rels(read)).toEqual(['self', 'root', 'home', 'owner'])
    expect(sent(present.valueWritten(PLACE, idOf(DATASET)))).toEqual({})
  })
})

describe('types (contract 20, 14; 35, 7.3)', () => {
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
    expect(sent(present.datatype(PLACE, { object, status: STATUS })).type).toEqual(shown)
  })

  it('an enum tells its members twice, in their order: `mapping` first (contract 00, decision 10)', () => {
    const given = '{"class":"H5T_ENUM","base":"H5T_STD_I8LE","mapping":{"10":1,"9":2}}'
    const type = parseDatatype(parseJson(`{"class":"H5T_ARRAY","base":${given},"dims":[2]}`))
    const object = { kind: 'datatype', id: idOf(DATATYPE), created: CREATED, acl: [], type } as const
    expect(stringifyJson(present.datatype(PLACE, { object, status: STATUS }))).toContain(
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
    expect(sent(present.datatypeCreated(PLACE, { object, status: STATUS }))).toEqual(members)
    const body = present.datatype(PLACE, { object, status: STATUS })
    expect(sent(body)).toMatchObject({ ...members, domain: '/home/ann/run7' })
    expect(rels(body)).toEqual(['self', 'root', 'home', 'attributes'])
  })
})

describe('attributes (contract 20, 12)', () => {
  const owner = { kind: 'group', id: idOf(GROUP) } as const
  function attribute(type: string, space: Dataspace, value: unknown): Attribute {
    const parsed = parseDatatype(type)
    const dims = space.class === 'H5S_SIMPLE' ? space.dims : []
    return {
      name: 'a b',
      type: parsed,
      space,
      ...(value !== undefined && { value: elementsFromJson(parsed, dims, json(value), PREFIXED_REFERENCES) }),
      created: CREATED,
      lastModified: MODIFIED,
    }
  }
  const one = (item: Attribute, values = true, place = PLACE) =>
    present.attribute(place, owner, item, { values })
  const two = parseShape([2], undefined)
  const scalar = parseShape(undefined, undefined)

  it('one, with its value', () => {
    const body = one(attribute('H5T_STD_I32LE', two, [1, 2]))
    const { hrefs: _, ...members } = sent(body)
    expect(members).toEqual({
      name: 'a b',
      type: { class: 'H5T_INTEGER', base: 'H5T_STD_I32LE' },
      shape: { class: 'H5S_SIMPLE', dims: [2] },
      value: [1, 2],
      ...TIMES,
    })
    expect(rels(body)).toEqual(['self', 'home', 'owner'])
    expect(href(body, 'self')).toBe(`/groups/${GROUP}/attributes/a%20b?domain=/home/ann/run7`)
  })

  it.each<[string, Attribute, unknown]>([
    ['a scalar', attribute('H5T_STD_I8LE', scalar, 42), 42],
    ['a 32-bit float as it was sent', attribute('H5T_IEEE_F32LE', two, [0.42, 0.1]), [0.42, 0.1]],
    ['no elements', attribute('H5T_STD_I8LE', parseShape([0], undefined), []), []],
    ['never written', attribute('H5T_STD_I8LE', two, undefined), null],
    ['a null dataspace', attribute('H5T_STD_I8LE', { class: 'H5S_NULL' }, undefined), null],
  ])('the value of %s', (_, item, value) => {
    expect(sent(one(item)).value).toEqual(value)
  })

  it('non-finite values as the place wants them', () => {
    const item = {
      ...attribute('H5T_IEEE_F64LE', scalar, 0),
      value: { count: 1, data: new Uint8Array([0, 0, 0, 0, 0, 0, 0xf8, 0x7f]), heap: new Uint8Array(0) },
    }
    expect(stringifyJson(one(item))).toContain('"value":NaN')
    const texts = { ...PLACE, nonFinite: 'text' } as const
    expect(stringifyJson(one(item, true, texts), texts.nonFinite)).toContain('"value":"NaN"')
  })

  it('one, without its value', () => {
    expect(sent(one(attribute('H5T_STD_I8LE', scalar, 42), false))).not.toHaveProperty('value')
  })

  it('listed, with values where they are asked for', () => {
    const item = attribute('H5T_STD_I8LE', scalar, 42)
    const list = (values: boolean) => present.attributes(PLACE, owner, [item], { values })
    const shown = {
      name: 'a b',
      type: { class: 'H5T_INTEGER', base: 'H5T_STD_I8LE' },
      shape: { class: 'H5S_SCALAR' },
      created: TIMES.created,
      href: `http://h/groups/${GROUP}/attributes/a%20b?domain=/home/ann/run7`,
    }
    expect(sent(list(false)).attributes).toEqual([shown])
    expect(sent(list(true)).attributes).toEqual([{ ...shown, value: 42 }])
    expect(rels(list(false))).toEqual(['self', 'home', 'owner'])
  })

  it('made and deleted', () => {
    expect(sent(present.attributePut(PLACE, owner, 'a'))).toEqual({})
    expect(sent(present.attributeDeleted(PLACE, owner))).toEqual({})
  })
})

describe('access control lists (contract 20, 9)', () => {
  const root = { kind: 'group', id: idOf(ROOT) } as const
  const ann = { userName: 'ann', ...ALL_PERMISSIONS }

  it('sorted by name', () => {
    const acl = [
      ann,
      { userName: 'Z', ...NO_PERMISSIONS },
      { userName: '\u{10000}', ...NO_PERMISSIONS },
      { userName: '\uffff', ...NO_PERMISSIONS },
    ]
    const body = present.acls(PLACE, root, acl)
    expect((sent(body).acls as { userName: string }[]).map(({ userName }) => userName)).toEqual([
      'Z',
      'ann',
      '\uffff',
      '\u{10000}',
    ])
    expect(rels(body)).toEqual(['self', 'root', 'home', 'owner'])
  })

  it('one item, of seven members', () => {
    const body = present.acl(PLACE, root, ann)
    expect(sent(body).acl).toEqual(ann)
    expect(href(body, 'self')).toBe('/acls/ann?domain=/home/ann/run7')
    expect(sent(present.aclPut(PLACE, root, 'ann'))).toEqual({})
  })
})
