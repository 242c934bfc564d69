// Random worlds of domains whose links lead in all directions, against a resolver that rewrites the path as text:
// each symbolic link is replaced by the titles of its target.

import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, type ObjectId, ObjectIds, parseDomainPath } from '@hyperslab/model/names'
import type { HdfObject, LinkTarget } from '@hyperslab/store/store'
import { expect, it, vi } from 'vitest'
import { dataset, domain, group } from '../../../../test/conformance/sample-objects.ts'
import { seededNumbers, seededRandom } from '../../../../test/engines/clock.ts'
import {
  ANONYMOUS,
  item,
  openTestService,
  outcomeOf,
  type TestService,
} from '../../../../test/fixtures/service.ts'
import { createGroup } from '../creation/groups.ts'
import { openDomain } from '../domains/domains.ts'
import { type FollowedLinks, locate, locateAll, titlesOf } from './paths.ts'

interface Node {
  readonly object: HdfObject
  readonly home: DomainPath
  /** Whether the caller may read it. */
  readonly isOpen: boolean
  readonly isDeleted: boolean
  /** Absent: deleted. */
  readonly links: Map<string, LinkTarget | undefined>
}

interface World {
  readonly roots: ReadonlyMap<DomainPath, ObjectId>
  readonly nodes: ReadonlyMap<ObjectId, Node>
}

const LOCKED = parseDomainPath('/test/locked')
const DOMAINS = [parseDomainPath('/test/a'), parseDomainPath('/test/b'), LOCKED]
const TITLES = ['p', 'q', 'r', 's', 't']
const FILES = [
  'a',
  './b',
  '/test/a',
  'hdf5://test/b',
  'locked',
  '../test/locked',
  'gone',
  '/test',
  '..',
  '/x//',
]

function drawWorld(pick: <T>(from: readonly T[]) => T, chance: (of: number) => boolean, seed: number): World {
  const random = seededRandom(1000 + seed)
  const roots = new Map(DOMAINS.map(path => [path, new ObjectIds(random).newRoot()]))
  const nodes = new Map<ObjectId, Node>()
  const add = (home: DomainPath, object: HdfObject, isOpen: boolean, isDeleted: boolean) => {
    nodes.set(object.id, { object, home, isOpen, isDeleted, links: new Map() })
  }
  for (const [home, root] of roots) {
    const isOpen = home !== LOCKED
    add(home, group(root), isOpen, false)
    for (let i = 0; i < 4; i++) {
      const made = group(new ObjectIds(random).newObject(root))
      const differs = chance(isOpen ? 0.15 : 0.7)
      const acl = isOpen ? [item('default')] : [item('default', 'read')]
      add(home, differs ? { ...made, acl } : made, isOpen !== differs, chance(0.1))
    }
    add(home, dataset(new ObjectIds(random).newObject(root), { dims: [1], chunkDims: [1] }), isOpen, false)
  }
  const drawPath = () =>
    pick(['', '', './', '/', '//']) +
    Array.from({ length: pick([0, 1, 1, 2, 3]) }, () => pick(TITLES)).join(pick(['/', '/', '//'])) +
    pick(['', '', '/'])
  for (const { object, home, links } of nodes.values()) {
    if (object.kind !== 'group') continue
    const neighbours = [...nodes.values()].filter(node => node.home === home)
    for (const title of TITLES) {
      const kind = pick(['hard', 'hard', 'hard', 'soft', 'soft', 'external', 'other', 'deleted', 'none'])
      if (kind === 'none') continue
      const { object: target } = pick(neighbours)
      const h5path = drawPath() || '.'
      if (kind === 'hard') links.set(title, { class: 'H5L_TYPE_HARD', kind: target.kind, id: target.id })
      else if (kind === 'soft') links.set(title, { class: 'H5L_TYPE_SOFT', h5path })
      else if (kind === 'external') {
        links.set(title, { class: 'H5L_TYPE_EXTERNAL', h5path, h5domain: pick(FILES) })
      } else links.set(title, kind === 'other' ? { class: 'H5L_TYPE_USER_DEFINED' } : undefined)
    }
  }
  return { roots, nodes }
}

async function store(service: TestService, { roots, nodes }: World): Promise<void> {
  await service.store.write(async writer => {
    for (const [path, root] of roots) {
      await writer.putDomain({ ...domain(path, root), closed: path === LOCKED })
    }
    for (const { object } of nodes.values()) await writer.createObject(object)
    for (const { object, links } of nodes.values()) {
      for (const [title, target] of links) {
        const link = { title, created: 1, target: target ?? { class: 'H5L_TYPE_USER_DEFINED' as const } }
        await writer.putLinks(object.id, link)
        if (target === undefined) await writer.deleteLink(object.id, title)
      }
    }
    for (const { object, isDeleted } of nodes.values()) {
      if (isDeleted) await writer.deleteObject(object.id, { links: false })
    }
  })
}

/** The object that the path leads to, `domain id`, or the kind of the error. */
function naive({ roots, nodes }: World, start: Node, path: string, follow: FollowedLinks): string {
  let at: Node = start
  let isRefused: string | undefined
  /** Titles still to go, each with the number of symbolic links whose targets it is part of. */
  let todo: { title: string; inside: number }[] = []
  let followed = 0
  const enter = (node: Node, inside: number): string | undefined => {
    at = node
    if (!node.isOpen) isRefused = 'unauthenticated'
    // A caller without `read` on the domain does not learn which objects are missing.
    if (node.isDeleted) isRefused = node.home === LOCKED ? 'unauthenticated' : 'gone'
    return isRefused && (inside > 0 ? 'missing' : isRefused)
  }
  const split = (text: string, inside: number) =>
    text
      .split('/')
      .filter((title, i) => title !== '' && !(i === 0 && title === '.'))
      .map(title => ({ title, inside }))
  const refused = enter(path.startsWith('/') ? nodeAt(start.home) : start, 0)
  if (refused) return refused
  todo = split(path, 0)
  for (let next = todo.shift(); next; next = todo.shift()) {
    const { title, inside } = next
    if (at.object.kind !== 'group') return 'missing'
    if (!at.links.has(title)) return 'missing'
    const target = at.links.get(title)
    if (target === undefined) return inside > 0 ? 'missing' : 'gone'
    let error: string | undefined
    switch (target.class) {
      case 'H5L_TYPE_HARD':
        error = enter(required(nodes.get(target.id)), inside)
        break
      case 'H5L_TYPE_SOFT':
        if (!follow.soft) return 'invalid'
        if (target.h5path.startsWith('/')) error = enter(nodeAt(at.home), inside + 1)
        todo = [...split(target.h5path, inside + 1), ...todo]
        break
      case 'H5L_TYPE_EXTERNAL': {
        if (!follow.external) return 'invalid'
        const file = target.h5domain.split('/').at(-1) ?? ''
        const home = DOMAINS.find(name => name === `/test/${file}`)
        if (!home) return 'missing'
        error = enter(nodeAt(home), inside + 1)
        todo = [...split(target.h5path, inside + 1), ...todo]
        break
      }
      case 'H5L_TYPE_USER_DEFINED':
        return follow.external ? 'missing' : 'invalid'
    }
    if (target.class !== 'H5L_TYPE_HARD' && ++followed > 100) return 'missing'
    if (error) return error
  }
  return `${at.home} ${at.object.id}`

  function nodeAt(home: DomainPath): Node {
    return required(nodes.get(required(roots.get(home))))
  }
}

function required<T>(found: T | undefined): T {
  if (found === undefined) throw new Error('the world has no such thing')
  return found
}

it('random paths through random worlds lead where a naive resolver says', async () => {
  const seen = new Map<string, number>()
  for (let seed = 1; seed <= 40; seed++) {
    const number = seededNumbers(seed)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(number() * from.length)]
    const world = drawWorld(pick, of => number() < of, seed)
    const service = await openTestService()
    await store(service, world)
    const starts = [...world.nodes.values()].filter(
      ({ object, isDeleted, isOpen }) => object.kind === 'group' && !isDeleted && isOpen,
    )
    for (let i = 0; i < 100; i++) {
      const start = pick(starts)
      const path =
        pick(['', '', '/', './']) + Array.from({ length: pick([1, 2, 3, 5]) }, () => pick(TITLES)).join('/')
      const follow = { soft: number() < 0.8, external: number() < 0.8 }
      const asked = `seed ${seed}, ${i}: ${path} from ${start.object.id} of ${start.home}, ${JSON.stringify(follow)}`
      const expected = naive(world, start, path, follow)
      const found = await service.readIn(
        async (context, opened) => {
          const from = path.startsWith('/') ? {} : { start: start.object.id }
          try {
            const { domain: where, object } = await locate(
              context,
              opened,
              { ...from, titles: titlesOf(path) },
              follow,
            )
            return `${where.entry.path} ${object.id}`
          } catch (error) {
            if (error instanceof HyperslabError) return error.kind
            throw error
          }
        },
        ANONYMOUS,
        start.home,
      )
      expect(found, asked).toBe(expected)
      const sort = found.startsWith('/') ? 'found' : found
      seen.set(sort, (seen.get(sort) ?? 0) + 1)
    }
  }
  // The worlds are of a sort in which everything happens.
  expect([...seen.keys()].sort()).toEqual(['found', 'gone', 'invalid', 'missing', 'unauthenticated'])
  expect(seen.get('found')).toBeGreaterThan(300)
})

it('several paths: all or none, and the error tells which', async () => {
  const service = await openTestService()
  const following = { soft: true, external: true }
  const find = (paths: readonly string[]) =>
    service.readIn((context, opened) => locateAll(context, opened, paths, { following }))
  expect([...(await find(['/', './', '/'])).keys()]).toEqual(['/', './'])
  expect(await outcomeOf(find(['/', 'nothing']))).toBe('link-not-found')
  await expect(find(['/', 'nothing'])).rejects.toThrow(/^"nothing": the group/)
})

it('errors of a path name the path and what to do', async () => {
  const service = await openTestService()
  const start = await service.writeIn(async (context, opened) => {
    const { object } = await createGroup(context, opened, { link: { group: opened.root.id, title: 'g' } })
    const links: [string, LinkTarget][] = [
      ['soft', { class: 'H5L_TYPE_SOFT', h5path: '/g' }],
      ['external', { class: 'H5L_TYPE_EXTERNAL', h5path: '/', h5domain: 'archive/run.h5' }],
      ['own', { class: 'H5L_TYPE_USER_DEFINED' }],
    ]
    for (const [title, target] of links) {
      await context.writer.putLinks(object.id, { title, created: 1, target })
    }
    return object.id
  })
  const find = (asked: string, following = { soft: false, external: false }) =>
    service.readIn((context, opened) => locateAll(context, opened, [asked], { start, following }))
  await expect(find('/g/soft')).rejects.toThrow(
    'the path "/g/soft": "soft" is a soft link: GET / and POST / follow it with follow_soft_links=1',
  )
  await expect(find('soft/x')).rejects.toThrow('the path "soft/x": "soft" is a soft link')
  await expect(find('external')).rejects.toThrow(
    'an external link: GET / and POST / follow it with follow_external',
  )
  await expect(find('own')).rejects.toThrow('"own" is a user-defined link: it is not followed')
  await expect(find('external', { soft: true, external: true })).rejects.toThrow(
    'there is no domain /test/archive/run.h5 in the same bucket, which external links stay in',
  )
})

it('an absolute name of an external link is a path, or else its last part beside the domain of the link', async () => {
  const service = await openTestService()
  const names = [
    '/beam line/raw/Röntgen.h5',
    'C:\\raw\\Röntgen.h5',
    '/raw/none.h5',
    '/raw/x.h5',
    'raw/Röntgen.h5',
  ]
  await service.writeIn(async (context, opened) => {
    const random = seededRandom(77)
    for (const path of ['/test/Röntgen.h5', '/raw/x.h5', '/test/x.h5']) {
      const root = new ObjectIds(random).newRoot()
      await context.writer.createObject(group(root))
      await context.writer.putDomain(domain(path, root))
    }
    for (const [index, h5domain] of names.entries()) {
      const target = { class: 'H5L_TYPE_EXTERNAL', h5path: '/', h5domain } as const
      await context.writer.putLinks(opened.root.id, { title: `${index}`, created: 1, target })
    }
  })
  const following = { soft: true, external: true }
  const find = (index: number) =>
    service.readIn(async (context, opened) => {
      const located = await locateAll(context, opened, [`${index}`], { following })
      return located.get(`${index}`)?.domain.entry.path
    })
  expect([await find(0), await find(1), await find(3)]).toEqual([
    '/test/Röntgen.h5',
    '/test/Röntgen.h5',
    '/raw/x.h5',
  ])
  await expect(find(2)).rejects.toThrow(
    'there is no domain /raw/none.h5 in the same bucket, which external links stay in, and no "none.h5" beside the domain of the link',
  )
  expect(await outcomeOf(find(4))).toBe('object-not-found')
})

it('a client that disconnects ends the search', async () => {
  const service = await openTestService()
  const gone = AbortSignal.abort(new Error('gone'))
  await service.write(async context => {
    const opened = await openDomain(context, parseDomainPath('/test/run7'))
    await context.writer.putLinks(opened.root.id, {
      title: 'me',
      created: 1,
      target: { class: 'H5L_TYPE_HARD', kind: 'group', id: opened.root.id },
    })
  })
  const search = service.readIn((context, opened) =>
    locate({ ...context, signal: gone }, opened, { titles: ['me'] }),
  )
  await expect(search).rejects.toThrow('gone')
})

it('many short paths do not block the event loop', async () => {
  const service = await openTestService()
  await service.write(async context => {
    const opened = await openDomain(context, parseDomainPath('/test/run7'))
    for (let i = 0; i < 50; i++) {
      await context.writer.putLinks(opened.root.id, {
        title: `${i}`,
        created: i,
        target: { class: 'H5L_TYPE_SOFT', h5path: i === 49 ? '/' : `${i + 1}` },
      })
    }
  })
  const paths = Array.from({ length: 1000 }, (_, i) => `0${'/'.repeat(i)}`)
  const following = { soft: true, external: false }
  // The turn that is under way counts by the clock of the system.
  await new Promise(resolve => setImmediate(resolve))
  // With this clock every look at it takes a millisecond, so a slot of five is over after a few steps.
  let milliseconds = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => milliseconds++)
  let others = 0
  let next = setImmediate(function other() {
    others++
    next = setImmediate(other)
  })
  await service.readIn((context, opened) => locateAll(context, opened, paths, { following }))
  clearImmediate(next)
  clock.mockRestore()
  // 50 steps for each path.
  expect(others).toBeGreaterThan((50 * paths.length) / 10)
})
