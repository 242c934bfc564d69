import { parseDatatype } from '@hyperslab/model/datatype'
import { type Acl, idFromHex, type ObjectId, ObjectIds, type ObjectKind } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import {
  ADMIN,
  ANN,
  ANONYMOUS,
  BOB,
  item,
  openTestService,
  outcomeOf,
  path,
  RUN7,
  type TestService,
} from '../../../../test/fixtures/service.ts'
import { parseShape } from '../../http/input/shapes.ts'
import type { NewLink } from '../creation/creation.ts'
import { createDataset, type NewDataset } from '../creation/datasets.ts'
import { createDatatype } from '../creation/datatypes.ts'
import { createGroup } from '../creation/groups.ts'
import { createDomain } from '../domains/domain-creation.ts'
import { openDomain } from '../domains/domains.ts'
import { getLink, listLinks, putLink } from '../links/links.ts'
import { setShape } from '../values/extents.ts'
import { deleteObject, getObject, listObjects, openObject } from './objects.ts'

const I32 = { type: parseDatatype('H5T_STD_I32LE') }
const UNKNOWN = (root: ObjectId) => idFromHex(`${root.slice(0, 16)}0000000000000001`)

async function newGroup(service: TestService, link?: NewLink): Promise<ObjectId> {
  const { object } = await service.writeIn((context, domain) =>
    createGroup(context, domain, link ? { link } : {}),
  )
  return object.id
}

async function newDataset(service: TestService, input: Partial<NewDataset> = {}): Promise<ObjectId> {
  const { object } = await service.writeIn((context, domain) =>
    createDataset(context, domain, { type: I32, space: { class: 'H5S_SCALAR' }, ...input }),
  )
  return object.id
}

async function rootOf(service: TestService): Promise<ObjectId> {
  return (await service.read(context => openDomain(context, RUN7))).root.id
}

function setAcl(service: TestService, id: ObjectId, acl: Acl) {
  return service.write(({ writer }) => writer.setAcl(id, acl))
}

const list = (service: TestService, kind: ObjectKind, page = {}) =>
  service.readIn((context, domain) => listObjects(context, domain, kind, page))

const get = (service: TestService, kind: ObjectKind, id: ObjectId) =>
  service.readIn((context, domain) => getObject(context, domain, kind, id))

const remove = (service: TestService, kind: ObjectKind, id: ObjectId, links = true) =>
  service.writeIn((context, domain) => deleteObject(context, domain, kind, id, { links }))

describe('opening an object', () => {
  it('gives the object and its status', async () => {
    const service = await openTestService()
    const root = await rootOf(service)
    const id = await newDataset(service, { link: { group: root, title: 'd' } })
    const view = await get(service, 'dataset', id)
    expect(view.object).toMatchObject({ kind: 'dataset', id, ...I32, space: { class: 'H5S_SCALAR' } })
    expect(view.status).toMatchObject({ lastModified: view.object.created, attributeCount: 0 })
    expect((await get(service, 'group', root)).status.linkCount).toBe(1)
  })

  it('tells what is wrong with an id', async () => {
    const service = await openTestService()
    const dataset = await newDataset(service)
    const gone = await newGroup(service)
    await remove(service, 'group', gone)
    const other = await service.write(context =>
      createDomain(context, path('/test/other'), { createParents: false }),
    )
    const otherRoot = other.entry.root ?? gone
    const cases: [ObjectId, string][] = [
      [UNKNOWN(dataset), 'object-not-found'],
      [dataset, 'object-not-found'], // a dataset is not among the groups
      [gone, 'object-deleted'],
      [otherRoot, 'object-not-in-domain'],
      [new ObjectIds(length => new Uint8Array(length).fill(3)).newRoot(), 'object-not-found'],
    ]
    for (const [id, code] of cases) expect(await outcomeOf(get(service, 'group', id))).toBe(code)
  })

  it('asks for the permission before it says whether there is such an object', async () => {
    const service = await openTestService()
    const id = await newGroup(service)
    const gone = await newGroup(service)
    await remove(service, 'group', gone)
    await setAcl(service, await rootOf(service), [item('default')])
    const open = (of: ObjectId, caller = ANONYMOUS) =>
      outcomeOf(service.readIn((context, domain) => openObject(context, domain, 'group', of, 'read'), caller))
    for (const of of [id, gone, UNKNOWN(id)]) {
      expect(await open(of)).toBe('not-authenticated')
      expect(await open(of, ANN)).toBe('permission-denied')
    }
    // The object's own list is asked first.
    await setAcl(service, id, [item('default', 'read')])
    expect(await open(id)).toBe('granted')
  })
})

describe('creating an object', () => {
  const creators: [ObjectKind, (service: TestService, link?: NewLink) => Promise<ObjectId>][] = [
    ['group', newGroup],
    ['dataset', (service, link) => newDataset(service, link ? { link } : {})],
    [
      'datatype',
      async (service, link) => {
        const input = { ...I32, ...(link && { link }) }
        const view = await service.writeIn((context, domain) => createDatatype(context, domain, input))
        return view.object.id
      },
    ],
  ]

  it.each(creators)('a %s without a link is listed and readable', async (kind, create) => {
    const service = await openTestService()
    const id = await create(service)
    expect(await list(service, kind)).toEqual([id])
    expect((await get(service, kind, id)).object.kind).toBe(kind)
  })

  it.each(creators)('a %s with a link is in the group under that title', async (kind, create) => {
    const service = await openTestService()
    const group = await newGroup(service)
    const id = await create(service, { group, title: 'x' })
    const link = await service.readIn((context, domain) => getLink(context, domain, group, 'x'))
    expect(link).toMatchObject({ title: 'x', target: { class: 'H5L_TYPE_HARD', kind, id } })
    const { object } = await get(service, kind, id)
    expect(link.created).toBe(object.created)
  })

  it.each(creators)(
    'a %s and its link have one time, that of the change of the group',
    async (kind, create) => {
      const service = await openTestService()
      const root = await rootOf(service)
      const id = await create(service, { group: root, title: 'x' })
      const { object, status } = await get(service, kind, id)
      const { created } = await service.readIn((context, domain) => getLink(context, domain, root, 'x'))
      const { lastModified } = (await get(service, 'group', root)).status
      expect([status.lastModified, created, lastModified]).toEqual(Array(3).fill(object.created))
    },
  )

  it.each(creators)('a %s whose link cannot be made is not made either', async (kind, create) => {
    const service = await openTestService()
    const root = await rootOf(service)
    const group = await newGroup(service, { group: root, title: 'taken' })
    const dataset = await newDataset(service)
    const gone = await newGroup(service)
    await remove(service, 'group', gone)
    const other = await service.write(context =>
      createDomain(context, path('/test/other'), { createParents: false }),
    )
    const before = await list(service, kind)
    const cases: [ObjectId, string, string][] = [
      [root, 'taken', 'link-exists'],
      [UNKNOWN(root), 'x', 'object-not-found'],
      [dataset, 'x', 'object-not-found'],
      [gone, 'x', 'object-deleted'],
      [other.entry.root ?? gone, 'x', 'object-not-in-domain'],
    ]
    for (const [id, title, code] of cases) {
      expect(await outcomeOf(create(service, { group: id, title }))).toBe(code)
    }
    await setAcl(service, group, [item('default', 'read', 'update', 'delete')])
    expect(await outcomeOf(create(service, { group, title: 'x' }))).toBe('not-authenticated')
    expect(await list(service, kind)).toEqual(before)
  })

  it('a group keeps its creation properties word for word', async () => {
    const service = await openTestService()
    const creationProperties = new Map([['CreateOrder', true]])
    const { object } = await service.writeIn((context, domain) =>
      createGroup(context, domain, { creationProperties }),
    )
    expect((await get(service, 'group', object.id)).object).toMatchObject({ creationProperties })
  })

  it.each<[string, Partial<NewDataset>, string]>([
    [
      'creation properties that do not fit',
      { creationProperties: new Map([['layout', 'H5D_ROUND']]) },
      'malformed-creation-properties',
    ],
    [
      'a committed datatype that is not there',
      { type: { committed: idFromHex('0'.repeat(32)) } },
      'object-not-found',
    ],
  ])('a dataset with %s is not made', async (_, input, code) => {
    const service = await openTestService()
    expect(await outcomeOf(newDataset(service, input))).toBe(code)
    expect(await list(service, 'dataset')).toEqual([])
  })
})

describe('using a committed datatype', () => {
  it('copies the type, and names the committed datatype while it lives', async () => {
    const service = await openTestService()
    const { object } = await service.writeIn((context, domain) => createDatatype(context, domain, I32))
    const dataset = await newDataset(service, { type: { committed: object.id } })
    expect((await get(service, 'dataset', dataset)).object).toMatchObject({
      ...I32,
      committedType: object.id,
    })
    await remove(service, 'datatype', object.id)
    const after = (await get(service, 'dataset', dataset)).object
    expect(after).toMatchObject(I32)
    expect(after).not.toHaveProperty('committedType')
  })

  it('a group is not a committed datatype', async () => {
    const service = await openTestService()
    const group = await newGroup(service)
    expect(await outcomeOf(newDataset(service, { type: { committed: group } }))).toBe('object-not-found')
  })
})

describe('deleting an object', () => {
  it('removes the hard links to it and keeps what it linked to', async () => {
    const service = await openTestService()
    const root = await rootOf(service)
    const group = await newGroup(service, { group: root, title: 'g' })
    const child = await newDataset(service, { link: { group, title: 'd' } })
    await service.writeIn((context, domain) =>
      putLink(context, domain, root, 'also', { id: group }, { same: 'conflict' }),
    )
    await remove(service, 'group', group)
    expect(await list(service, 'group')).toEqual([])
    expect(await list(service, 'dataset')).toEqual([child])
    expect(await service.readIn((context, domain) => listLinks(context, domain, root, {}))).toEqual([])
    for (const title of ['g', 'also']) {
      // A link that vanished because its target was deleted counts as deleted (classic 3.10).
      const link = service.readIn((context, domain) => getLink(context, domain, root, title))
      expect(await outcomeOf(link)).toBe('link-deleted')
    }
    expect(await outcomeOf(remove(service, 'group', group))).toBe('object-deleted')
  })

  it('leaves the links dangling where the dialect wants that', async () => {
    const service = await openTestService()
    const root = await rootOf(service)
    const group = await newGroup(service, { group: root, title: 'g' })
    await remove(service, 'group', group, false)
    const links = await service.readIn((context, domain) => listLinks(context, domain, root, {}))
    expect(links).toMatchObject([{ title: 'g', target: { id: group } }])
  })

  it('the root group is protected', async () => {
    const service = await openTestService()
    const root = await rootOf(service)
    expect(await outcomeOf(remove(service, 'group', root))).toBe('root-group-protected')
    expect(await outcomeOf(remove(service, 'dataset', root))).toBe('object-not-found')
    expect(await outcomeOf(remove(service, 'group', UNKNOWN(root)))).toBe('object-not-found')
  })
})

describe('listing objects', () => {
  it('gives ids of one kind in order, without the root group, a page at a time', async () => {
    const service = await openTestService()
    const ids: ObjectId[] = []
    for (let i = 0; i < 20; i++) ids.push(await newGroup(service))
    await newDataset(service)
    ids.sort()
    expect(await list(service, 'group')).toEqual(ids)
    for (const limit of [1, 3, 20, 21]) {
      const paged: ObjectId[] = []
      for (;;) {
        const marker = paged.at(-1)
        const page = await list(service, 'group', { limit, marker })
        paged.push(...page)
        if (page.length < limit) break
      }
      expect(paged).toEqual(ids)
    }
    expect(await list(service, 'datatype')).toEqual([])
  })

  it.each([
    ['passed', 'granted', 1],
    ['empty', 'granted', 0],
    ['missing', 'object-not-found', 0],
  ] as const)('a marker that is not there is %s', async (unknownMarker, code, count) => {
    const service = await openTestService()
    const id = await newGroup(service)
    const marker = idFromHex(`${id.slice(0, 16)}${'0'.repeat(16)}`)
    const page = { marker, unknownMarker }
    expect(await outcomeOf(list(service, 'group', page))).toBe(code)
    if (code === 'granted') expect(await list(service, 'group', page)).toHaveLength(count)
    expect(await list(service, 'group', { ...page, marker: id })).toEqual([])
  })

  it('needs `read` on the root group', async () => {
    const service = await openTestService()
    await setAcl(service, await rootOf(service), [item('default'), item('ann', 'read')])
    const listAs = (caller = ANONYMOUS) =>
      outcomeOf(service.readIn((context, domain) => listObjects(context, domain, 'group', {}), caller))
    expect([await listAs(), await listAs(BOB), await listAs(ANN), await listAs(ADMIN)]).toEqual([
      'not-authenticated',
      'permission-denied',
      'granted',
      'granted',
    ])
  })
})

describe('changing the shape of a dataset (classic 7.6)', () => {
  const cases: [string, unknown, unknown, number[], boolean, string][] = [
    ['grows up to its maximum', [10, 10], [10, 20], [10, 20], false, 'granted'],
    ['grows without bound', [10], [0], [1_000_000], false, 'granted'],
    ['takes the extents it has', [10, 10], [10, 20], [10, 10], false, 'granted'],
    ['grows from nothing', [0], [0], [5], false, 'granted'],
    ['does not grow beyond its maximum', [10, 10], [10, 20], [10, 21], false, 'extent-out-of-bounds'],
    ['does not grow where it cannot', [10, 10], [10, 20], [11, 10], false, 'extent-out-of-bounds'],
    ['does not shrink', [10], [20], [9], false, 'extent-out-of-bounds'],
    ['shrinks where the dialect allows it', [10], [20], [9], true, 'granted'],
    ['shrinks to nothing', [10], [20], [0], true, 'granted'],
    ['keeps its rank', [10], [20], [10, 10], false, 'malformed-shape'],
    ['does not lose all of its rank', [10], [20], [], false, 'malformed-shape'],
    ['without maxdims keeps its extents', [10], undefined, [10], false, 'not-extensible'],
    ['that is a scalar has none', undefined, undefined, [1], false, 'not-extensible'],
    ['that is null has none', 'H5S_NULL', undefined, [1], false, 'not-extensible'],
    ['counts its elements exactly', [1, 1], [0, 0], [2 ** 30, 2 ** 30], false, 'malformed-shape'],
  ]
  it.each(cases)('a dataset %s: %j of at most %j to %j', async (_, shape, maxdims, dims, shrink, code) => {
    const service = await openTestService()
    const space = parseShape(shape as never, maxdims as never)
    const id = await newDataset(service, { space })
    const before = await get(service, 'dataset', id)
    const change = () => service.writeIn((context, domain) => setShape(context, domain, id, dims, { shrink }))
    if (code === 'granted') {
      const changed = await change()
      expect(changed.object.space).toMatchObject({ dims })
      expect(changed.status.lastModified).toBeGreaterThan(before.status.lastModified)
    } else expect(await outcomeOf(change())).toBe(code)
    const after = await get(service, 'dataset', id)
    expect(after.object).toMatchObject({ space: code === 'granted' ? { ...space, dims } : space })
  })

  it.each<[string, { extend: number; dimension: number }, number[] | string]>([
    ['by so much along one dimension', { extend: 5, dimension: 1 }, [10, 15]],
    ['by nothing', { extend: 0, dimension: 0 }, [10, 10]],
    ['not beyond its maximum', { extend: 11, dimension: 1 }, 'extent-out-of-bounds'],
    ['not along a dimension that it has not', { extend: 1, dimension: 2 }, 'malformed-shape'],
    ['not beyond what can be counted', { extend: Number.MAX_SAFE_INTEGER, dimension: 1 }, 'malformed-shape'],
  ])('a dataset grows %s: %j gives %j', async (_, change, expected) => {
    const service = await openTestService()
    const id = await newDataset(service, { space: parseShape([10, 10], [10, 20]) })
    const grow = service.writeIn((context, domain) =>
      setShape(context, domain, id, change, { shrink: false }),
    )
    if (typeof expected === 'string') expect(await outcomeOf(grow)).toBe(expected)
    else expect(await grow).toMatchObject({ object: { space: { dims: expected } }, before: [10, 10] })
  })

  it('is for datasets, and needs `update`', async () => {
    const service = await openTestService()
    const group = await newGroup(service)
    const change = (id: ObjectId) =>
      outcomeOf(service.writeIn((context, domain) => setShape(context, domain, id, [1], { shrink: false })))
    expect(await change(group)).toBe('object-not-found')
    const dataset = await newDataset(service, { space: parseShape([1], [2]) })
    await setAcl(service, dataset, [item('default', 'read', 'create', 'delete')])
    expect(await change(dataset)).toBe('not-authenticated')
  })
})
