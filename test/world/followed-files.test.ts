// Mounted files that the feed follows, from several processes: each new state has one event, in order, also when files
// change while nobody listens, while a look fails, or while processes are killed.

import { parseDomainPath } from '@hyperslab/model/names'
import { expect, test } from 'vitest'
import type { Following, StoreEvent } from '../../packages/store/interfaces/store.ts'
import { domain, group, newRoot } from '../conformance/sample-objects.ts'
import { WorldMounts } from './mounts.ts'
import type { WorldService } from './service.ts'
import { inWorlds, WORLDS, type World } from './world.ts'

const at = parseDomainPath
const START = '0-00000000'
/** Every process has looked again by then. */
const LOOKED = 10_000

/** The lines of an event about files: `created /m/a`, `/m/a s2`. */
function linesOf({ entries, domains, more }: StoreEvent): string[] {
  expect(more).toBe(false)
  for (const { more, objects } of domains) expect([more, objects]).toEqual([true, []])
  return [
    ...entries.map(({ path, change, root }) => `${change} ${path}${root === undefined ? '/' : ''}`),
    ...domains.map(({ path, state }) => `${path} ${state}`),
  ]
}

class Scene {
  readonly mounts = new WorldMounts()
  readonly world: World
  readonly first: WorldService

  constructor(world: World) {
    this.world = world
    this.mounts.put('/m/f', undefined)
    for (const file of ['/m/a', '/m/f/b']) this.mounts.put(file, 's1')
    this.first = this.start()
  }

  start(): WorldService {
    return this.world.start({ mounts: this.mounts })
  }

  follow(path: string, isFolder = true, by = this.first): Promise<Following> {
    const following = by.store.feed.follow(at(path), isFolder)
    return this.world.until(following.ready.then(() => following))
  }

  async events(since = START): Promise<string[][]> {
    const service = this.world.pick(this.world.services.filter(({ isAlive }) => isAlive))
    const found = await this.world.until(service.store.feed.after(since, 1000))
    if (typeof found === 'string') throw new Error(found)
    return found.map(linesOf)
  }

  /** The events of all changes until now. */
  async eventsNow(since?: string): Promise<string[][]> {
    await this.world.pass(LOOKED)
    return this.events(since)
  }
}

const inScenes = (program: (scene: Scene, world: World) => Promise<void>, count = 1) =>
  inWorlds(world => program(new Scene(world), world), count)

test('followed files are no news when they are first seen', () =>
  inScenes(async scene => {
    await scene.follow('/')
    expect(await scene.eventsNow()).toEqual([])
    expect(scene.world.story).toEqual([])
  }))

test('of a folder that does not answer count as unchanged, and others have their events', () =>
  inScenes(async scene => {
    await scene.follow('/')
    scene.mounts.hung = at('/m/f')
    scene.mounts.put('/m/a', 's2')
    expect(await scene.eventsNow()).toEqual([['/m/a s2']])
    scene.mounts.hung = undefined
    scene.mounts.put('/m/f/b', 's2')
    expect(await scene.eventsNow()).toEqual([['/m/a s2'], ['/m/f/b s2']])
    expect(scene.world.story).toEqual([])
  }))

test('have events when they change, come and go', () =>
  inScenes(async scene => {
    await scene.follow('/m')
    scene.mounts.put('/m/a', 's2')
    scene.mounts.put('/m/f/g', undefined)
    scene.mounts.put('/m/f/g/c', 's1')
    scene.mounts.remove('/m/f/b')
    const first = ['created /m/f/g/', 'created /m/f/g/c', 'deleted /m/f/b', '/m/a s2']
    expect(await scene.eventsNow()).toEqual([first])
    scene.mounts.put('/m/a', 's3')
    expect(await scene.eventsNow()).toEqual([first, ['/m/a s3']])
  }))

test('that have changed while nobody listened have events before the next listener begins', () =>
  inScenes(async scene => {
    ;(await scene.follow('/m/a', false)).end()
    ;(await scene.follow('/m/f')).end()
    await scene.world.until(scene.first.end())
    scene.mounts.put('/m/a', 's2')
    scene.mounts.put('/m/f/c', 's1')
    scene.mounts.remove('/m/f/b')
    const next = scene.start()
    await scene.follow('/m/a', false, next)
    await scene.follow('/m/f', true, next)
    expect(await scene.events()).toEqual([['/m/a s2'], ['created /m/f/c', 'deleted /m/f/b']])
  }))

test('come back after they were deleted', () =>
  inScenes(async scene => {
    await scene.follow('/m/a', false)
    scene.mounts.remove('/m/a')
    expect(await scene.eventsNow()).toEqual([['deleted /m/a']])
    scene.mounts.put('/m/a', 's1')
    expect(await scene.eventsNow()).toEqual([['deleted /m/a'], ['created /m/a']])
  }))

test('are named all, however many change at once', () =>
  inScenes(async scene => {
    await scene.follow('/m')
    for (let i = 0; i < 250; i++) scene.mounts.put(`/m/f/new-${i}`, 's1')
    const found = (await scene.eventsNow()).flat()
    expect([found.length, new Set(found).size]).toEqual([250, 250])
  }))

test('that a stored domain hides have no events', () =>
  inScenes(async (scene, world) => {
    const root = newRoot()
    const { store } = scene.first
    await world.until(
      store.write(async writer => {
        await writer.createObject(group(root))
        await writer.putDomain(domain('/m/a', root))
      }),
    )
    const before = await world.until(store.feed.newest())
    await scene.follow('/m')
    scene.mounts.put('/m/a', 's2')
    scene.mounts.put('/m/f/b', 's2')
    expect(await scene.eventsNow(before)).toEqual([['/m/f/b s2']])
  }))

test('have their events later when a look fails, and the failure is reported', () =>
  inScenes(async scene => {
    await scene.follow('/m')
    scene.mounts.put('/m/a', 's2')
    scene.mounts.failure = new Error('no disk')
    expect(await scene.eventsNow()).toEqual([])
    expect(scene.world.story.join()).toContain('no disk')
    scene.mounts.failure = undefined
    expect(await scene.eventsNow()).toEqual([['/m/a s2']])
  }))

test('beyond the limit are not followed, and those that come within it are no news', () =>
  inScenes(async scene => {
    for (let i = 0; i < 2000; i++) scene.mounts.put(`/m/f/c${i}`, 's1')
    await scene.follow('/m')
    scene.mounts.remove('/m/a')
    scene.mounts.put('/m/f/zz', 's1')
    expect(await scene.eventsNow()).toEqual([['deleted /m/a']])
  }))

test('cost nothing where nothing is mounted', () =>
  inScenes(async scene => {
    const { commits } = scene.first.store.figures
    await scene.follow('/other')
    expect(await scene.eventsNow()).toEqual([])
    expect(scene.first.store.figures.commits).toBe(commits)
  }))

test('have each state once and in order, from processes that follow, leave, begin and are killed', () =>
  inScenes(async (scene, world) => {
    world.disk.delay = () => world.below(40)
    scene.mounts.wait = () => new Promise(resolve => world.time.after(world.below(600), resolve))
    const followings: Following[] = [await scene.follow('/m')]
    for (let i = 0; i < 2; i++) await scene.follow('/m', true, scene.start())
    const states = new Map<string, string[]>()
    let number = 1
    const change = () => {
      const path = world.pick(['/m/a', '/m/f/b', '/m/f/c', '/m/d'])
      const isThere = scene.mounts.files.has(at(path))
      if (isThere && world.below(4) === 0) scene.mounts.remove(path)
      else scene.mounts.put(path, `s${++number}`)
    }
    for (let step = 0; step < 40; step++) {
      const draw = world.below(12)
      if (draw < 8) change()
      else if (draw === 8) followings.push(await scene.follow('/m', true, scene.start()))
      else if (draw === 9) followings.pop()?.end()
      else if (draw === 10) {
        const alive = world.services.filter(({ isAlive }) => isAlive)
        if (alive.length > 1) world.pick(alive).kill()
      } else scene.mounts.failure = scene.mounts.failure ? undefined : new Error('no disk')
      await world.pass(world.below(1500))
    }
    scene.mounts.failure = undefined
    const last = scene.start()
    await scene.follow('/m', true, last)
    await world.pass(LOOKED)
    for (const line of (await scene.events()).flat()) {
      const [word, second] = line.split(' ')
      const path = word === 'created' || word === 'deleted' ? second : word
      const of = states.get(path) ?? states.set(path, []).get(path)
      of?.push(word === 'created' || word === 'deleted' ? word : second)
    }
    for (const [path, all] of states) {
      const began = path === '/m/a' || path === '/m/f/b'
      // Created and deleted come in turn, and no state comes twice.
      const turns = all.filter(word => !word.startsWith('s'))
      expect(turns.every((word, i) => word === (i % 2 === (began ? 1 : 0) ? 'created' : 'deleted'))).toBe(
        true,
      )
      const numbers = all.filter(word => word.startsWith('s')).map(word => Number(word.slice(1)))
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      const now = scene.mounts.files.get(at(path))
      expect(turns.length === 0 ? began : turns.at(-1) === 'created').toBe(now !== undefined)
      if (now !== undefined && all.at(-1)?.startsWith('s')) expect(all.at(-1)).toBe(now)
    }
  }, WORLDS))
