// Where new objects may be, which ids they may have, and what they bring. The forms of requests are tested on the wire.

import { parseDatatype } from '@hyperslab/model/datatype'
import { idFromHex, type ObjectId } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { describe, expect, it } from 'vitest'
import { openTestService, outcomeOf, type TestService } from '../../../../test/fixtures/service.ts'
import type { NewAttribute } from '../attributes/attributes.ts'
import { describeObject } from '../descriptions/descriptions.ts'
import { listLinks } from '../links/links.ts'
import { deleteObject } from '../objects/objects.ts'
import type { NewObject } from './creation.ts'
import { createDataset } from './datasets.ts'
import { createGroup, type NewGroup } from './groups.ts'
import { ObjectBatch } from './object-batch.ts'

const I32 = { type: parseDatatype('H5T_STD_I32LE') }
const SCALAR = { class: 'H5S_SCALAR' } as const
const ATTRIBUTE: NewAttribute = {
  type: I32,
  space: SCALAR,
  value: 1,
  references: PREFIXED_REFERENCES,
  checkReferences: false,
  replace: false,
}

const newGroup = (service: TestService, input: NewGroup = {}) =>
  service.writeIn((context, domain) => createGroup(context, domain, input))
const newDataset = (service: TestService, input: NewObject = {}) =>
  service.writeIn((context, domain) => createDataset(context, domain, { type: I32, space: SCALAR, ...input }))
const rootOf = (service: TestService) => service.readIn(async (_, domain) => domain.root.id)
const at = (path: string, { implicit = false, start }: { implicit?: boolean; start?: ObjectId } = {}) => ({
  titles: path.split('/').filter(title => title !== ''),
  isAbsolute: path.startsWith('/'),
  implicit,
  ...(start && { start }),
})
const titlesIn = (service: TestService, group: ObjectId) =>
  service.readIn(async (context, domain) => {
    const links = await listLinks(context, domain, group, { order: 'created' })
    return links.map(link => link.title)
  })

describe('ids that callers choose', () => {
  it('are taken when they are free, also again after a deletion', async () => {
    const service = await openTestService()
    const id = idFromHex(`${(await rootOf(service)).slice(0, 16)}00000000000000ab`)
    expect((await newGroup(service, { id })).object.id).toBe(id)
    expect(await outcomeOf(newDataset(service, { id }))).toBe('id-not-free')
    await service.writeIn((context, domain) => deleteObject(context, domain, 'group', id, { links: true }))
    expect((await newDataset(service, { id })).object).toMatchObject({ kind: 'dataset', id })
  })

  it('are refused if they are a root group or of another domain', async () => {
    const service = await openTestService()
    const root = await rootOf(service)
    for (const id of [root, idFromHex('0'.repeat(32))]) {
      expect(await outcomeOf(newGroup(service, { id }))).toBe('id-not-free')
    }
  })
})

describe('paths', () => {
  it('make the groups that are missing, if that is wanted, and nothing if the end is taken', async () => {
    const service = await openTestService()
    const root = await rootOf(service)
    expect(await outcomeOf(newDataset(service, { link: at('/a/b/c') }))).toBe('link-not-found')
    await expect(newDataset(service, { link: at('/a/b/c') })).rejects.toThrow('implicit=1')
    expect(await titlesIn(service, root)).toEqual([])
    const { object } = await newDataset(service, { link: at('/a/b/c', { implicit: true }) })
    expect(await outcomeOf(newDataset(service, { link: at('/a/b/c', { implicit: true }) }))).toBe(
      'link-exists',
    )
    expect(await outcomeOf(newDataset(service, { link: at('/a/b/c/d', { implicit: true }) }))).toBe(
      'malformed-path',
    )
    expect(await titlesIn(service, root)).toEqual(['a'])
    const found = await service.readIn((context, domain) =>
      describeObject(context, domain, 'dataset', { titles: ['a', 'b', 'c'] }, { alias: true }),
    )
    expect(found).toMatchObject({ object: { id: object.id }, alias: ['/a/b/c'] })
  })

  it('lead through hard links only', async () => {
    const service = await openTestService()
    const root = await rootOf(service)
    const target = { class: 'H5L_TYPE_SOFT', h5path: '/' } as const
    await service.write(({ writer }) => writer.putLinks(root, { title: 's', created: 1, target }))
    await expect(newGroup(service, { link: at('/s/x', { implicit: true }) })).rejects.toThrow(
      'the path "/s/x": "s" is a soft link: the path of a new object leads through hard links only',
    )
  })

  it('may start at a group, which an absolute one may not', async () => {
    const service = await openTestService()
    const start = (await newGroup(service)).object.id
    await newGroup(service, { link: at('x', { start }) })
    expect(await titlesIn(service, start)).toEqual(['x'])
    expect(await outcomeOf(newGroup(service, { link: at('/y', { start }) }))).toBe('malformed-path')
    expect(await outcomeOf(newGroup(service, { link: at('') }))).toBe('malformed-path')
  })
})

describe('objects that one request creates', () => {
  const createIn = (service: TestService, inputs: readonly NewGroup[]) =>
    service.writeIn(async (context, domain) => {
      const batch = new ObjectBatch(context, inputs.length)
      const views = []
      for (const [position, input] of inputs.entries())
        views.push(await createGroup(context, domain, input, { position, batch }))
      await batch.storeLinks()
      return views
    })

  it('have links in their order, in all groups, also where one is linked in another', async () => {
    const service = await openTestService()
    const root = await rootOf(service)
    const id = idFromHex(`${root.slice(0, 16)}00000000000000cd`)
    const titles = Array.from({ length: 300 }, (_, i) => `${(i * 7) % 300} of them`)
    const inputs = titles.map(title => ({ link: { title } }))
    await createIn(service, [
      { id },
      ...inputs,
      { link: { group: id, title: 'b' } },
      { link: { group: id, title: 'a' } },
    ])
    expect(await titlesIn(service, root)).toEqual(titles)
    expect(await titlesIn(service, id)).toEqual(['b', 'a'])
  })

  it('are refused if two of them have one title, and then none is there', async () => {
    const service = await openTestService()
    const inputs = ['a', 'b', 'a'].map(title => ({ link: { title } }))
    expect(await outcomeOf(createIn(service, inputs))).toBe('link-exists')
    const after = [
      ...Array.from({ length: 200 }, (_, i) => ({ link: { title: `${i}` } })),
      { link: { title: '3' } },
    ]
    expect(await outcomeOf(createIn(service, after))).toBe('link-exists')
    expect(await titlesIn(service, await rootOf(service))).toEqual([])
  })

  it('may have a path through one that comes before', async () => {
    const service = await openTestService()
    const root = await rootOf(service)
    const [, inner] = await createIn(service, [
      { link: { title: 'a' } },
      { link: at('/a/b') },
      { link: at('/a/b/c/d', { implicit: true }) },
    ])
    expect(await titlesIn(service, root)).toEqual(['a'])
    expect(await titlesIn(service, inner.object.id)).toEqual(['c'])
    expect(await outcomeOf(createIn(service, [{ link: { title: 'x' } }, { link: at('/x') }]))).toBe(
      'link-exists',
    )
  })
})

describe('what comes with an object', () => {
  it('attributes and links, in their order, or at the times that are given', async () => {
    const service = await openTestService()
    const target = (await newGroup(service)).object.id
    const { object, status } = await newGroup(service, {
      attributes: new Map([
        ['z', ATTRIBUTE],
        ['a', ATTRIBUTE],
      ]),
      links: new Map([
        ['y', { id: target }],
        ['b', { h5path: '/x' }],
      ]),
    })
    expect(status).toMatchObject({ linkCount: 2, attributeCount: 2 })
    expect(await titlesIn(service, object.id)).toEqual(['y', 'b'])
    const described = await service.readIn((context, domain) =>
      describeObject(context, domain, 'group', object.id, {
        attributes: true,
        links: true,
        order: 'created',
      }),
    )
    expect(described.attributes?.map(attribute => attribute.name)).toEqual(['z', 'a'])
    const created = object.created - 100
    const timed = await newGroup(service, {
      attributes: new Map([['a', { ...ATTRIBUTE, created }]]),
      links: new Map([['far', { h5path: '/x', created: created - 301e6 }]]),
    })
    const { links, attributes } = await service.readIn((context, domain) =>
      describeObject(context, domain, 'group', timed.object.id, { attributes: true, links: true }),
    )
    expect(attributes?.[0]?.created).toBe(created)
    expect(links?.[0]?.created).toBe(timed.object.created)
  })

  it('nothing of it is left when a part fails', async () => {
    const service = await openTestService()
    const root = await rootOf(service)
    const unknown = idFromHex(`${root.slice(0, 16)}00000000000000cd`)
    const input = { link: at('/a/b', { implicit: true }), links: new Map([['x', { id: unknown }]]) }
    expect(await outcomeOf(newGroup(service, input))).toBe('object-not-found')
    expect(await titlesIn(service, root)).toEqual([])
  })
})
