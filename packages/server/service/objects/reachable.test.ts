import { type ObjectId, ObjectIds } from '@hyperslab/model/names'
import { expect, it } from 'vitest'
import { domain as domainAt, group } from '../../../../test/conformance/sample-objects.ts'
import { seededNumbers, seededRandom } from '../../../../test/engines/clock.ts'
import {
  ANONYMOUS,
  item,
  openTestService,
  path,
  type TestService,
} from '../../../../test/fixtures/service.ts'
import { createGroup } from '../creation/groups.ts'
import { putLink } from '../links/links.ts'
import { deleteObject, listObjects } from './objects.ts'
import { pathTo } from './path-to.ts'

function newGroup(service: TestService): Promise<ObjectId> {
  return service.writeIn(async (context, domain) => (await createGroup(context, domain, {})).object.id)
}

function link(service: TestService, from: ObjectId, title: string, id: ObjectId): Promise<unknown> {
  return service.writeIn((context, domain) =>
    putLink(context, domain, from, title, { id }, { same: 'conflict' }),
  )
}

it('a collection of what can be reached: by hard links, each object once, ordered by id', async () => {
  const service = await openTestService()
  const root = await service.readIn(async (_, domain) => domain.root.id)
  const [a, b, c, deleted, below, alone, belowAlone] = await Promise.all(
    Array.from({ length: 7 }, () => newGroup(service)),
  )
  await link(service, root, 'a', a)
  await link(service, a, 'b', b)
  await link(service, b, 'circle', a)
  await link(service, b, 'root', root)
  await link(service, root, 'twice', b)
  await link(service, b, 'c', c)
  await link(service, root, 'deleted', deleted)
  await link(service, deleted, 'below', below)
  await link(service, alone, 'below', belowAlone)
  await service.writeIn((context, domain) =>
    putLink(context, domain, root, 'soft', { h5path: '/nowhere' }, { same: 'conflict' }),
  )
  await service.writeIn((context, domain) =>
    deleteObject(context, domain, 'group', deleted, { links: false }),
  )
  const list = (page: Parameters<typeof listObjects>[3]) =>
    service.readIn((context, domain) => listObjects(context, domain, 'group', page))

  const reached = [a, b, c].sort()
  expect(await list({ reachable: true })).toEqual(reached)
  expect(await list({ reachable: true, limit: 2 })).toEqual(reached.slice(0, 2))
  expect(await list({ reachable: true, marker: reached[0] })).toEqual(reached.slice(1))
  expect(await list({})).toEqual([a, b, c, below, alone, belowAlone].sort())
})

it('a page of what can be reached reads the same, whatever the size of the domain', async () => {
  const service = await openTestService()
  const root = await service.readIn(async (_, domain) => domain.root.id)
  const addGroups = (count: number) =>
    service.writeIn(async (context, domain) => {
      const inner = (await createGroup(context, domain, { link: { group: root, title: `of ${count}` } }))
        .object.id
      for (let i = 0; i < count; i++) {
        await createGroup(context, domain, { link: { group: inner, title: `${i}` } })
      }
    })
  const readPage = async () => {
    const [first] = await service.readIn((context, domain) =>
      listObjects(context, domain, 'group', { reachable: true, limit: 1 }),
    )
    const { keys, entries } = await service.engine.count(() =>
      service.readIn((context, domain) =>
        listObjects(context, domain, 'group', { reachable: true, limit: 20, marker: first }),
      ),
    )
    return keys + entries
  }
  await addGroups(100)
  const ofFew = await readPage()
  await addGroups(2000)
  expect(await readPage()).toBe(ofFew)
})

it('the path to an object is the first one in depth-first order', async () => {
  const service = await openTestService()
  const root = await service.readIn(async (_, domain) => domain.root.id)
  const [a, b, c, alone] = await Promise.all(Array.from({ length: 4 }, () => newGroup(service)))
  await link(service, root, 'c', c)
  await link(service, root, 'b', a)
  await link(service, a, 'x', b)
  await link(service, a, 'circle', root)
  await link(service, b, 'circle', a)
  await link(service, b, 'c', c)
  const pathOf = (id: ObjectId) => service.readIn((context, domain) => pathTo(context, domain, id))
  expect(await pathOf(root)).toEqual(['/'])
  expect(await pathOf(a)).toEqual(['/b'])
  // Deeper, but met before the link of the root.
  expect(await pathOf(c)).toEqual(['/b/x/c'])
  expect(await pathOf(alone)).toEqual([])
})

it('the path to an object in random graphs is that of a walk from the root, and a list has those with a path', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const number = seededNumbers(seed)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(number() * from.length)]
    const random = seededRandom(1000 + seed)
    const root = new ObjectIds(random).newRoot()
    const ids = [root, ...Array.from({ length: 8 }, () => new ObjectIds(random).newObject(root))]
    const secret = new Set(ids.filter(id => id !== root && number() < 0.15))
    const links = new Map(ids.map(id => [id, new Map<string, ObjectId>()]))
    const titles = ['10', '9', 'B', 'a', '\uffff', '\u{10000}', 'é', 'x'.repeat(1000)]
    for (let i = 0; i < 12; i++) links.get(pick(ids))?.set(pick(titles), pick(ids))
    const service = await openTestService()
    const where = path('/test/random')
    await service.write(async ({ writer }) => {
      await writer.putDomain(domainAt(where, root))
      for (const id of ids) {
        await writer.createObject({ ...group(id), acl: secret.has(id) ? [item('default')] : [] })
      }
      for (const [id, targets] of links) {
        for (const [title, target] of targets) {
          await writer.putLinks(id, {
            title,
            created: 1,
            target: { class: 'H5L_TYPE_HARD', kind: 'group', id: target },
          })
        }
      }
    })
    const walk = (from: ObjectId, so: string, seen: Set<ObjectId>, wanted: ObjectId): string | undefined => {
      seen.add(from)
      if (secret.has(from)) return undefined
      const byName = [...(links.get(from) ?? [])].sort(([a], [b]) =>
        Buffer.compare(Buffer.from(a), Buffer.from(b)),
      )
      for (const [title, id] of byName) {
        if (id === wanted) return `${so}/${title}`
        const found = seen.has(id) ? undefined : walk(id, `${so}/${title}`, seen, wanted)
        if (found !== undefined) return found
      }
      return undefined
    }
    const reached: ObjectId[] = []
    for (const id of ids) {
      const found = await service.readIn((context, opened) => pathTo(context, opened, id), ANONYMOUS, where)
      const expected = id === root ? '/' : walk(root, '', new Set(), id)
      expect(found, `seed ${seed}, ${id}`).toEqual(expected === undefined ? [] : [expected])
      if (id !== root && expected !== undefined) reached.push(id)
    }
    const page = { reachable: true, limit: [undefined, 3, 20][seed % 3] }
    const listed = await service.readIn(
      (context, opened) => listObjects(context, opened, 'group', page),
      ANONYMOUS,
      where,
    )
    expect(listed, `seed ${seed}`).toEqual(reached.sort().slice(0, page.limit))
  }
})
