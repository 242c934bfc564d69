import type { Dataspace } from '@hyperslab/model/dataset'
import { type Datatype, parseDatatype } from '@hyperslab/model/datatype'
import { elementsFromJson, stringifyJson } from '@hyperslab/model/json'
import { parseDomainPath } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import type { Attribute, LinkTarget } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import {
  CREATED,
  DATASET,
  GROUP,
  href,
  idOf,
  json,
  MODIFIED,
  PLACE,
  ROOT,
  rels,
  STATUS,
  sent,
  TIMES,
} from '../../../../../test/fixtures/hsds-answers.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../../../service/access/access.ts'
import { parseShape } from '../../input/shapes.ts'
import { hsdsPresent as present } from './present.ts'

describe('a domain (hsds-objects 8.1)', () => {
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
    const body = present.domains.shown(PLACE, { entry, status: STATUS })
    expect(sent(body)).toMatchObject({
      root: ROOT,
      class: 'domain',
      owner: 'ann',
      ...TIMES,
      version: '1.0.2',
    })
    expect(sent(body)).toMatchObject({ limits: { max_request_size: 104857600 } })
    expect(sent(body).compressors).toEqual(
      expect.arrayContaining(['blosclz', 'lz4', 'lz4hc', 'gzip', 'zstd']),
    )
    expect(rels(body)).toEqual(['self', 'database', 'groupbase', 'typebase', 'root', 'acls', 'parent'])
    expect(href(body, 'parent')).toBe('/?domain=hyperslab/home/ann')
    expect(href(body, 'root')).toBe(`/groups/${ROOT}?domain=/home/ann/run7`)
  })

  it('has no parent at the top level, and one with any name in an address', () => {
    const at = (path: string) => ({ ...PLACE, domain: parseDomainPath(path) })
    expect(rels(present.domains.shown(at('/top'), { entry }))).toHaveLength(6)
    expect(href(present.domains.shown(at('/a b&c/x'), { entry }), 'parent')).toBe(
      '/?domain=hyperslab/a%20b%26c',
    )
  })

  it('with what it holds has the time at which that was counted', () => {
    const statistics = {
      ...{ groups: 2, datasets: 1, datatypes: 0, chunks: 4, lastModified: MODIFIED },
      ...{ allocatedBytes: 100, metadataBytes: 20, entryBytes: 3, logicalBytes: 200 },
    }
    const body = present.domains.shown(PLACE, { entry, scan: { statistics, time: MODIFIED } })
    const { lastModified } = TIMES
    expect(sent(body)).toMatchObject({ num_objects: 7, total_size: 123, lastModified })
    expect(sent(body).scan_info).toMatchObject({ scan_start: lastModified, scan_complete: lastModified })
  })

  it('that is a folder has neither root nor limits', () => {
    const body = present.domains.shown({ ...PLACE, root: undefined }, { entry: folder })
    expect(Object.keys(sent(body)).sort()).toEqual(
      ['class', 'created', 'hrefs', 'lastModified', 'owner'].sort(),
    )
    expect(sent(body)).toMatchObject({ class: 'folder' })
    expect(rels(body)).toEqual(['self', 'domains', 'acls', 'parent'])
  })

  it('without an owner has the owner ""', () => {
    const { owner: __, ...common } = entry
    expect(sent(present.domains.shown(PLACE, { entry: common }))).toMatchObject({ owner: '' })
  })

  it('that was made shows its access list as a map, and no hrefs', () => {
    const acl = [
      { userName: 'ann', ...ALL_PERMISSIONS },
      { userName: '10', ...NO_PERMISSIONS },
    ]
    const body = sent(present.domains.created(PLACE, { entry, acl }))
    expect(body).toMatchObject({
      root: ROOT,
      owner: 'ann',
      acls: { ann: ALL_PERMISSIONS, 10: NO_PERMISSIONS },
    })
    expect(body).not.toHaveProperty('hrefs')
    expect(sent(present.domains.created(PLACE, { entry: folder, acl }))).not.toHaveProperty('root')
  })
})

it('a collection lists ids', () => {
  const body = present.objects.list(PLACE, 'dataset', [idOf(DATASET)])
  expect(sent(body)).toMatchObject({ datasets: [DATASET] })
  expect(rels(body)).toEqual(['self', 'root', 'home'])
})

describe('a group (hsds-objects 10)', () => {
  const object = { kind: 'group', id: idOf(GROUP), created: CREATED, acl: [] } as const
  const members = { id: GROUP, root: ROOT, ...TIMES, linkCount: 4, attributeCount: 2 }

  it('that was made', () => {
    expect(sent(present.groups.created(PLACE, { object, status: STATUS }))).toEqual(members)
  })

  it('names its domain, and shows links and creation properties only if there are any to show', () => {
    const body = present.groups.shown(PLACE, { object, status: STATUS })
    const { hrefs: _, ...shown } = sent(body)
    expect(shown).toEqual({ ...members, domain: '/home/ann/run7', bucket: 'hyperslab' })
    expect(rels(body)).toEqual(['self', 'links', 'root', 'home', 'attributes'])
  })

  it.each<[unknown]>([[{ CreateOrder: true }], ['AAECAw=='], [null]])(
    'keeps creation properties %j',
    given => {
      const view = { object: { ...object, creationProperties: json(given) }, status: STATUS }
      expect(sent(present.groups.shown(PLACE, view)).creationProperties).toEqual(given)
    },
  )

  it('shows its links as a map, in their order whatever their titles', () => {
    const target = { class: 'H5L_TYPE_SOFT', h5path: '/x' } as const
    const links = ['__proto__', '10', '9'].map(title => ({ title, created: CREATED, target }))
    const text = stringifyJson(present.groups.shown(PLACE, { object, status: STATUS, links }))
    const shown = (title: string) =>
      `"${title}":{"title":"${title}","class":"H5L_TYPE_SOFT","h5path":"/x","created":1795210419.070001}`
    expect(text).toContain(`"links":{${['__proto__', '10', '9'].map(shown).join(',')}}`)
  })
})

describe('links (hsds-objects 11)', () => {
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
    const body = present.links.shown(PLACE, idOf(GROUP), link(target))
    expect(sent(body)).toMatchObject({ created: TIMES.created, lastModified: TIMES.created })
    expect(sent(body).link).toEqual({ title: 'a', ...members })
    expect(rels(body)).toEqual(hrefs)
  })

  it('listed, each with its address and a hard one with that of its target', () => {
    const body = present.links.list(PLACE, idOf(GROUP), [link(hard), link(soft, 'b c+d'), link(external)])
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
    expect(sent(present.links.list(PLACE, idOf(GROUP), [])).links).toEqual([])
  })

  it('made and deleted', () => {
    expect(sent(present.links.put(PLACE, idOf(GROUP), 'a'))).toEqual({ hrefs: [] })
    expect(sent(present.links.deleted(PLACE, idOf(GROUP)))).toEqual({})
  })
})

describe('attributes (hsds-objects 12)', () => {
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
    present.attributes.shown(place, owner, item, { values })
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

  it('a bitfield of a file is the unsigned integer that clients know', () => {
    const bits = { class: 'H5T_BITFIELD', size: 2, order: 'BE' } as const
    const list = { class: 'H5T_VLEN', base: bits } as const
    const typeOf = (type: Datatype) =>
      sent(one({ ...attribute('H5T_STD_I8LE', scalar, 0), type }, false)).type
    expect(typeOf(bits)).toEqual({ class: 'H5T_INTEGER', base: 'H5T_STD_U16BE' })
    expect(typeOf(list)).toMatchObject({ base: { class: 'H5T_INTEGER', base: 'H5T_STD_U16BE' } })
  })

  it('one, without its value', () => {
    expect(sent(one(attribute('H5T_STD_I8LE', scalar, 42), false))).not.toHaveProperty('value')
  })

  it('listed, with values where they are asked for', () => {
    const item = attribute('H5T_STD_I8LE', scalar, 42)
    const list = (values: boolean) => present.attributes.list(PLACE, owner, [item], { values })
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
    expect(sent(present.attributes.put(PLACE, owner, 'a'))).toEqual({})
    expect(sent(present.attributes.deleted(PLACE, owner))).toEqual({})
  })
})

describe('access control lists (hsds-objects 9)', () => {
  const root = { kind: 'group', id: idOf(ROOT) } as const
  const ann = { userName: 'ann', ...ALL_PERMISSIONS }

  it('sorted by name', () => {
    const acl = [
      ann,
      { userName: 'Z', ...NO_PERMISSIONS },
      { userName: '\u{10000}', ...NO_PERMISSIONS },
      { userName: '\uffff', ...NO_PERMISSIONS },
    ]
    const body = present.acls.list(PLACE, undefined, acl)
    expect((sent(body).acls as { userName: string }[]).map(({ userName }) => userName)).toEqual([
      'Z',
      'ann',
      '\uffff',
      '\u{10000}',
    ])
    expect(rels(body)).toEqual(['self', 'root', 'home', 'owner'])
  })

  it('one item, of seven members', () => {
    const body = present.acls.shown(PLACE, undefined, ann)
    expect(sent(body).acl).toEqual(ann)
    expect(href(body, 'self')).toBe('/acls/ann?domain=/home/ann/run7')
    // Where an object is named, under both names that h5pyd and its programs read.
    const ofRoot = present.acls.shown(PLACE, root, ann)
    expect(sent(ofRoot).acl).toEqual({ username: 'ann', ...ann })
    expect(href(ofRoot, 'self')).toBe(`/groups/${ROOT}/acls/ann?domain=/home/ann/run7`)
    expect(sent(present.acls.put(PLACE, root, 'ann'))).toEqual({})
  })
})
