import { expect, it } from 'vitest'
import { openTestService, type TestService } from '../../test/fixtures/service.ts'
import type { ObjectId } from '../hdf5/object-id.ts'
import { createGroup } from './groups.ts'
import { putLink } from './links.ts'
import { deleteObject, listObjects } from './objects.ts'
import { pathTo } from './reachable.ts'

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
  const pathOf = (id: ObjectId) => service.readIn(({ reader }) => pathTo(reader, root, id))
  expect(await pathOf(root)).toEqual(['/'])
  expect(await pathOf(a)).toEqual(['/b'])
  // Deeper, but met before the link of the root.
  expect(await pathOf(c)).toEqual(['/b/x/c'])
  expect(await pathOf(alone)).toEqual([])
})
