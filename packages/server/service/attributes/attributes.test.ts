import { type Dataspace, extentsOf } from '@hyperslab/model/dataset'
import { parseDatatype } from '@hyperslab/model/datatype'
import { elementsFromJson, type JsonValue, parseJson } from '@hyperslab/model/json'
import { idFromHex, type ObjectReference } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import {
  openTestService,
  outcomeOf,
  REFERENCES,
  RUN7,
  type TestService,
} from '../../../../test/fixtures/service.ts'
import { parseShape } from '../../http/input/shapes.ts'
import { createDatatype } from '../creation/datatypes.ts'
import { createGroup } from '../creation/groups.ts'
import { openDomain } from '../domains/domains.ts'
import { deleteObject, getObject } from '../objects/objects.ts'
import {
  deleteAttribute,
  getAttribute,
  listAttributes,
  type NewAttribute,
  putAttribute,
} from './attributes.ts'

const SCALAR: Dataspace = { class: 'H5S_SCALAR' }
const I32 = parseDatatype('H5T_STD_I32LE')
const OBJECT_REFERENCE = parseDatatype(parseJson('{"class": "H5T_REFERENCE", "base": "H5T_STD_REF_OBJ"}'))

async function start() {
  const service = await openTestService()
  const { root } = await service.read(context => openDomain(context, RUN7))
  const owner: ObjectReference = { kind: 'group', id: root.id }
  const unknown: ObjectReference = {
    kind: 'group',
    id: idFromHex(`${root.id.slice(0, 16)}${'0'.repeat(16)}`),
  }
  return { service, owner, unknown }
}

function put(service: TestService, owner: ObjectReference, name: string, input: Partial<NewAttribute> = {}) {
  const attribute: NewAttribute = {
    type: { type: I32 },
    space: SCALAR,
    value: 42,
    valueRequired: true,
    references: REFERENCES,
    checkReferences: true,
    replace: false,
    ...input,
  }
  return service.writeIn(async (context, domain) => {
    const changed = await putAttribute(context, domain, owner, name, attribute)
    return { changed, attribute: await getAttribute(context, domain, owner, name) }
  })
}

const get = (service: TestService, owner: ObjectReference, name: string) =>
  service.readIn((context, domain) => getAttribute(context, domain, owner, name))

const remove = (service: TestService, owner: ObjectReference, name: string) =>
  service.writeIn((context, domain) => deleteAttribute(context, domain, owner, name))

const status = async (service: TestService, { kind, id }: ObjectReference) =>
  (await service.readIn((context, domain) => getObject(context, domain, kind, id))).status

describe('putting an attribute', () => {
  const cases: [string, Dataspace, JsonValue][] = [
    ['a scalar', SCALAR, 7],
    [
      'a list',
      parseShape([2, 2], undefined),
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['a list of none', parseShape([0], undefined), []],
  ]
  it.each(cases)('stores %s', async (_, space, value) => {
    const { service, owner } = await start()
    const { attribute, changed } = await put(service, owner, 'a/b c', { space, value })
    expect(changed).toBe(true)
    expect(attribute.value).toEqual(elementsFromJson(I32, extentsOf(space), value, REFERENCES))
    expect(attribute.lastModified).toBe(attribute.created)
    expect(await get(service, owner, 'a/b c')).toEqual(attribute)
  })

  it('changes its owner', async () => {
    const { service, owner } = await start()
    const before = await status(service, owner)
    await put(service, owner, 'a')
    const after = await status(service, owner)
    expect(after).toMatchObject({ attributeCount: 1, linkCount: 0 })
    expect(after.lastModified).toBeGreaterThan(before.lastModified)
    await remove(service, owner, 'a')
    expect(await status(service, owner)).toMatchObject({ attributeCount: 0 })
    expect((await status(service, owner)).lastModified).toBeGreaterThan(after.lastModified)
  })

  it('a null dataspace takes no value, another one needs it where the dialect says so', async () => {
    const { service, owner } = await start()
    await put(service, owner, 'null', { space: { class: 'H5S_NULL' }, value: 42 })
    expect(await get(service, owner, 'null')).not.toHaveProperty('value')
    const missing = put(service, owner, 'x', { value: undefined as never })
    expect(await outcomeOf(missing)).toBe('malformed-value')
    await put(service, owner, 'x', { value: undefined as never, valueRequired: false })
    expect(await get(service, owner, 'x')).not.toHaveProperty('value')
  })

  it('a name that is taken is a conflict, before anything is said of the value', async () => {
    const { service, owner } = await start()
    await put(service, owner, 'a')
    for (const value of [42, 43, 'not a number', null]) {
      expect(await outcomeOf(put(service, owner, 'a', { value }))).toBe('attribute-exists')
    }
  })

  it('replaces where that is asked for, and remembers when it was created', async () => {
    const { service, owner } = await start()
    const first = await put(service, owner, 'a')
    const second = await put(service, owner, 'a', {
      value: [1],
      space: parseShape([1], undefined),
      replace: true,
    })
    expect(second.changed).toBe(true)
    expect(second.attribute.created).toBe(first.attribute.created)
    expect(second.attribute.lastModified).toBeGreaterThan(first.attribute.lastModified)
    expect(await get(service, owner, 'a')).toEqual(second.attribute)
    expect(await status(service, owner)).toMatchObject({ attributeCount: 1 })
  })

  it('accepts an identical attribute where the dialect wants that', async () => {
    const { service, owner } = await start()
    const text = parseDatatype(
      parseJson(
        '{"class": "H5T_STRING", "length": "H5T_VARIABLE", "charSet": "H5T_CSET_UTF8", "strPad": "H5T_STR_NULLTERM"}',
      ),
    )
    const inputs: Partial<NewAttribute>[] = [
      {},
      { value: 43 },
      { type: { type: parseDatatype('H5T_STD_I64LE') } },
      { space: parseShape([1], undefined), value: [42] },
      { space: { class: 'H5S_NULL' } },
      { type: { type: text }, value: 'one' },
      { type: { type: text }, value: 'two' },
    ]
    for (const [index, first] of inputs.entries()) {
      const { attribute } = await put(service, owner, `a${index}`, first)
      for (const second of inputs) {
        const again = () => put(service, owner, `a${index}`, { ...second, same: 'accept' })
        if (second === first) expect(await again()).toEqual({ attribute, changed: false })
        else expect(await outcomeOf(again())).toBe('attribute-exists')
      }
    }
  })

  it('a value that does not fit changes nothing', async () => {
    const { service, owner } = await start()
    const before = await status(service, owner)
    for (const input of [
      { value: 'text' },
      { value: [1, 2] },
      { space: parseShape([3], undefined), value: [1, 2] },
    ]) {
      expect(await outcomeOf(put(service, owner, 'a', input))).not.toBe('granted')
    }
    expect(await status(service, owner)).toEqual(before)
    expect(await outcomeOf(get(service, owner, 'a'))).toBe('attribute-not-found')
  })

  it('of an object that is not there is an error', async () => {
    const { service, owner, unknown } = await start()
    expect(await outcomeOf(put(service, unknown, 'a'))).toBe('object-not-found')
    expect(await outcomeOf(put(service, { kind: 'dataset', id: owner.id }, 'a'))).toBe('object-not-found')
    expect(await outcomeOf(get(service, unknown, 'a'))).toBe('object-not-found')
  })
})

describe('references in values', () => {
  it('must name objects of the domain, of that kind, where the dialect wants that', async () => {
    const { service, owner, unknown } = await start()
    const { object } = await service.writeIn((context, domain) => createGroup(context, domain, {}))
    const type = { type: OBJECT_REFERENCE }
    const there = REFERENCES.format({ kind: 'group', id: object.id })
    const wrongKind = REFERENCES.format({ kind: 'dataset', id: object.id })
    const gone = REFERENCES.format(unknown)
    await put(service, owner, 'there', { type, value: there })
    await put(service, owner, 'root', { type, value: REFERENCES.format(owner) })
    await put(service, owner, 'null', { type, value: '' })
    for (const value of [gone, wrongKind]) {
      expect(await outcomeOf(put(service, owner, 'x', { type, value }))).toBe('reference-not-found')
      await put(service, owner, `unchecked ${value}`, { type, value, checkReferences: false })
    }
    const list = { type, space: parseShape([3], undefined), value: [there, there, gone] }
    expect(await outcomeOf(put(service, owner, 'x', list))).toBe('reference-not-found')
  })
})

describe('committed datatypes of attributes', () => {
  it('are named while they live; the type is a copy', async () => {
    const { service, owner } = await start()
    const { object } = await service.writeIn((context, domain) =>
      createDatatype(context, domain, { type: I32 }),
    )
    const type = { committed: object.id }
    for (const name of ['a', 'b']) await put(service, owner, name, { type })
    const list = () => service.readIn((context, domain) => listAttributes(context, domain, owner, {}))
    for (const attribute of [await get(service, owner, 'a'), ...(await list())]) {
      expect(attribute).toMatchObject({ type: I32, committedType: object.id })
    }
    await service.writeIn((context, domain) =>
      deleteObject(context, domain, 'datatype', object.id, { links: true }),
    )
    for (const attribute of [await get(service, owner, 'a'), ...(await list())]) {
      expect(attribute).toMatchObject({ type: I32 })
      expect(attribute).not.toHaveProperty('committedType')
    }
    expect(await outcomeOf(put(service, owner, 'c', { type }))).toBe('object-deleted')
  })
})

describe('deleting an attribute', () => {
  it('is remembered until the name is used again', async () => {
    const { service, owner } = await start()
    expect(await outcomeOf(remove(service, owner, 'a'))).toBe('attribute-not-found')
    await put(service, owner, 'a')
    await remove(service, owner, 'a')
    expect(await outcomeOf(get(service, owner, 'a'))).toBe('attribute-deleted')
    expect(await outcomeOf(remove(service, owner, 'a'))).toBe('attribute-deleted')
    await put(service, owner, 'a')
    expect(await outcomeOf(get(service, owner, 'a'))).toBe('granted')
  })
})

describe('listing attributes', () => {
  it('by name or by creation, a page at a time', async () => {
    const { service, owner } = await start()
    const created = ['b', 'a', 'D', '10', '9']
    for (const name of created) await put(service, owner, name)
    const list = async (page: object) => {
      const attributes = await service.readIn((context, domain) =>
        listAttributes(context, domain, owner, page),
      )
      return attributes.map(attribute => attribute.name)
    }
    expect(await list({})).toEqual(['10', '9', 'D', 'a', 'b'])
    expect(await list({ order: 'created' })).toEqual(created)
    expect(await list({ limit: 2, marker: '9' })).toEqual(['D', 'a'])
    expect(await list({ marker: 'C' })).toEqual(['D', 'a', 'b'])
    expect(await list({ marker: 'C', unknownMarker: 'empty' })).toEqual([])
    expect(await outcomeOf(list({ marker: 'C', unknownMarker: 'missing' }))).toBe('attribute-not-found')
  })
})
