import { idFromHex, type ObjectId } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import {
  openTestService,
  outcomeOf,
  path,
  RUN7,
  type TestService,
} from '../../../../test/fixtures/service.ts'
import { createGroup } from '../creation/groups.ts'
import { createDomain } from '../domains/domain-creation.ts'
import { openDomain } from '../domains/domains.ts'
import { deleteObject, getObject } from '../objects/objects.ts'
import { deleteLink, getLink, type LinkRequest, listLinks, putLink, putLinks } from './links.ts'

async function start() {
  const service = await openTestService()
  const { root } = await service.read(context => openDomain(context, RUN7))
  const { object } = await service.writeIn((context, domain) => createGroup(context, domain, {}))
  return {
    service,
    root: root.id,
    group: object.id,
    unknown: idFromHex(`${root.id.slice(0, 16)}${'0'.repeat(16)}`),
  }
}

type Same = 'conflict' | 'accept'

const put = (
  service: TestService,
  group: ObjectId,
  title: string,
  request: LinkRequest,
  same: Same = 'conflict',
) =>
  service.writeIn(async (context, domain) => {
    const created = await putLink(context, domain, group, title, request, { same })
    return { created, link: await getLink(context, domain, group, title) }
  })

const get = (service: TestService, group: ObjectId, title: string) =>
  service.readIn((context, domain) => getLink(context, domain, group, title))

const remove = (service: TestService, group: ObjectId, title: string) =>
  service.writeIn((context, domain) => deleteLink(context, domain, group, title))

describe('putting many links', () => {
  it('takes as many look-ups for targets of their own as for a few', async () => {
    const { service, root } = await start()
    const gets = async (count: number): Promise<number> => {
      const targets = await service.writeIn(async (context, domain) => {
        const ids: ObjectId[] = []
        for (let i = 0; i < count; i++) ids.push((await createGroup(context, domain, {})).object.id)
        return ids
      })
      const items = new Map(targets.map(id => [`to ${id}`, { id }]))
      const owner = { kind: 'group', id: root } as const
      const counted = await service.engine.count(() =>
        service.writeIn((context, domain) =>
          putLinks(context, domain, [{ owner, items }], { same: 'conflict' }),
        ),
      )
      return counted.gets
    }
    expect(await gets(100)).toBe(await gets(2))
  })
})

describe('putting a link', () => {
  it('makes a hard, a soft or an external link', async () => {
    const { service, root, group } = await start()
    const cases: [LinkRequest, object][] = [
      [{ id: group }, { class: 'H5L_TYPE_HARD', kind: 'group', id: group }],
      [{ id: root }, { class: 'H5L_TYPE_HARD', kind: 'group', id: root }],
      [{ h5path: '/no/where' }, { class: 'H5L_TYPE_SOFT', h5path: '/no/where' }],
      [
        { h5path: 'a', h5domain: 'x.org' },
        { class: 'H5L_TYPE_EXTERNAL', h5path: 'a', h5domain: 'x.org' },
      ],
    ]
    for (const [index, [request, target]] of cases.entries()) {
      const { created, link } = await put(service, root, `l${index}`, request)
      expect({ created, target: link.target }).toEqual({ created: true, target })
      expect(await get(service, root, `l${index}`)).toEqual(link)
    }
    expect(
      (await service.readIn((context, domain) => getObject(context, domain, 'group', root))).status,
    ).toMatchObject({
      linkCount: 4,
    })
  })

  it('a title that is taken is a conflict, before anything is said of the target', async () => {
    const { service, root, group, unknown } = await start()
    await put(service, root, 'x', { h5path: '/a' })
    for (const request of [{ id: group }, { id: unknown }, { h5path: '/a' }, { h5path: '/b' }]) {
      expect(await outcomeOf(put(service, root, 'x', request))).toBe('link-exists')
    }
  })

  it('an identical link is accepted where the dialect wants that', async () => {
    const { service, root, group } = await start()
    const requests: LinkRequest[] = [
      { id: group },
      { id: root },
      { h5path: '/a' },
      { h5path: '/b' },
      { h5path: '/a', h5domain: '/d' },
      { h5path: '/a', h5domain: '/e' },
      { h5path: '/b', h5domain: '/d' },
    ]
    for (const [index, first] of requests.entries()) {
      const { link } = await put(service, root, `l${index}`, first)
      for (const second of requests) {
        if (second === first) {
          expect(await put(service, root, `l${index}`, second, 'accept')).toEqual({ link, created: false })
        } else {
          expect(await outcomeOf(put(service, root, `l${index}`, second, 'accept'))).toBe('link-exists')
        }
      }
    }
  })

  it('a hard link needs an object of the domain', async () => {
    const { service, root, group, unknown } = await start()
    const other = await service.write(context =>
      createDomain(context, path('/test/other'), { createParents: false }),
    )
    await service.writeIn((context, domain) => deleteObject(context, domain, 'group', group, { links: true }))
    expect(await outcomeOf(put(service, root, 'x', { id: unknown }))).toBe('object-not-found')
    expect(await outcomeOf(put(service, root, 'x', { id: group }))).toBe('object-deleted')
    expect(await outcomeOf(put(service, root, 'x', { id: other.entry.root ?? group }))).toBe(
      'object-not-in-domain',
    )
    expect(await outcomeOf(put(service, group, 'x', { h5path: '/a' }))).toBe('object-deleted')
    expect(await outcomeOf(put(service, unknown, 'x', { h5path: '/a' }))).toBe('object-not-found')
    expect(await outcomeOf(put(service, root, 'x', { id: root, kind: 'dataset' }))).toBe('object-not-found')
    expect(await outcomeOf(get(service, root, 'x'))).toBe('link-not-found')
  })

  it('changes the group', async () => {
    const { service, root, group } = await start()
    const status = async () =>
      (await service.readIn((context, domain) => getObject(context, domain, 'group', group))).status
    const before = await status()
    await put(service, group, 'x', { id: root })
    const after = await status()
    expect(after.lastModified).toBeGreaterThan(before.lastModified)
    expect(after.version).not.toBe(before.version)
    await remove(service, group, 'x')
    expect((await status()).lastModified).toBeGreaterThan(after.lastModified)
    expect((await status()).linkCount).toBe(0)
  })
})

describe('deleting a link', () => {
  it('keeps the object, and is remembered until the title is used again', async () => {
    const { service, root, group } = await start()
    await put(service, root, 'x', { id: group })
    await remove(service, root, 'x')
    expect(await outcomeOf(get(service, root, 'x'))).toBe('link-deleted')
    expect(await outcomeOf(remove(service, root, 'x'))).toBe('link-deleted')
    expect(
      await outcomeOf(service.readIn((context, domain) => getObject(context, domain, 'group', group))),
    ).toBe('granted')
    await put(service, root, 'x', { h5path: '/' })
    expect(await outcomeOf(get(service, root, 'x'))).toBe('granted')
  })

  it('one that never was is not found', async () => {
    const { service, root, unknown } = await start()
    expect(await outcomeOf(remove(service, root, 'x'))).toBe('link-not-found')
    expect(await outcomeOf(remove(service, unknown, 'x'))).toBe('object-not-found')
  })

  it('a user-defined link is protected', async () => {
    const { service, root } = await start()
    const link = { title: 'ud', created: 1, target: { class: 'H5L_TYPE_USER_DEFINED' } } as const
    await service.write(({ writer }) => writer.putLinks(root, link))
    expect(await get(service, root, 'ud')).toEqual(link)
    expect(await outcomeOf(remove(service, root, 'ud'))).toBe('link-protected')
  })
})

describe('listing links', () => {
  const titles = ['', ...'zyxbaZ'].map((letter, index) => `${letter}${index}`)

  async function withLinks() {
    const { service, root } = await start()
    for (const title of titles) await put(service, root, title, { h5path: `/${title}` })
    const list = async (page: object) => {
      const links = await service.readIn((context, domain) => listLinks(context, domain, root, page))
      return links.map(link => link.title)
    }
    return { service, root, list }
  }

  it('by title or by creation, a page at a time', async () => {
    const { list } = await withLinks()
    const sorted = titles.toSorted()
    expect(await list({})).toEqual(sorted)
    expect(await list({ order: 'created' })).toEqual(titles)
    expect(await list({ limit: 3 })).toEqual(sorted.slice(0, 3))
    expect(await list({ limit: 3, marker: sorted[2] })).toEqual(sorted.slice(3, 6))
    expect(await list({ limit: 3, marker: titles[1], order: 'created' })).toEqual(titles.slice(2, 5))
    expect(await list({ marker: sorted.at(-1) })).toEqual([])
  })

  it('a marker that is not there is passed over, ends the listing, or is an error', async () => {
    const { list } = await withLinks()
    expect(await list({ marker: 'c' })).toEqual(titles.toSorted().filter(title => title > 'c'))
    expect(await list({ marker: 'c', unknownMarker: 'empty' })).toEqual([])
    expect(await outcomeOf(list({ marker: 'c', unknownMarker: 'missing' }))).toBe('link-not-found')
    expect(await list({ marker: titles[1], unknownMarker: 'missing' })).toEqual([])
  })

  it('of a group that is not there is an error', async () => {
    const { service, unknown } = await start()
    const links = service.readIn((context, domain) => listLinks(context, domain, unknown, {}))
    expect(await outcomeOf(links)).toBe('object-not-found')
  })
})
