import { describe, expect, it } from 'vitest'
import { attribute, domain, group, newId, newRoot } from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { type OpenStore, openStore } from '../open-store.ts'
import { FIRST_POSITION } from '../records/events.ts'
import type { KeptEvents } from './event-trimmer.ts'

const HOUR = 3600 * 1e6
const MINUTE = 60 * 1e6
const KEPT: KeptEvents = { hours: 2, bytes: 2 ** 20 }

async function scene(keptEvents: Partial<KeptEvents> = {}) {
  const engine = openMemoryEngine()
  const clock = testClock()
  const open = (seed: number) =>
    openStore(engine, {
      clock,
      random: seededRandom(seed),
      sweeps: false,
      keptEvents: { ...KEPT, ...keptEvents },
    })
  const store = open(1)
  const root = newRoot()
  await store.write(async writer => {
    await writer.createObject(group(root))
    await writer.putDomain(domain('/d', root))
  })
  const change = async (name = 'a') => {
    await store.write(writer => writer.putAttributes(root, attribute(name)))
    return store.feed.newest()
  }
  return { store, other: open(2), clock, root, change, created: await store.feed.newest() }
}

/** The numbers of the events after a position; or why there are none. */
async function eventsAfter({ feed }: OpenStore, position: string) {
  const events = await feed.after(position, 10_000)
  return typeof events === 'string' ? events : events.map(({ id }) => id)
}

describe('events', () => {
  it('stay while they are young and few', async () => {
    const { store, clock, change, created } = await scene()
    const first = await change()
    clock.advance(HOUR)
    const second = await change()
    await store.sweeper.trimEvents()
    expect(await eventsAfter(store, created)).toEqual([first, second])
    expect(await eventsAfter(store, FIRST_POSITION)).toEqual([created, first, second])
  })

  it('that are older than the hours are removed, those after them stay', async () => {
    const { store, clock, change, created } = await scene()
    const old = await change()
    clock.advance(1.5 * HOUR)
    const young = await change()
    const last = await change()
    clock.advance(HOUR)
    await store.sweeper.trimEvents()
    for (const position of [FIRST_POSITION, created])
      expect(await eventsAfter(store, position)).toBe('removed')
    // The event itself was removed, and is not distinguished from one that never was.
    expect(await eventsAfter(store, old)).toBe('removed')
    expect(await eventsAfter(store, young)).toEqual([last])
    expect(await eventsAfter(store, last)).toEqual([])
  })

  it('of a file whose objects are older stay: their time is that of the commit', async () => {
    const { store, clock, root, created } = await scene()
    clock.advance(HOUR)
    const now = clock.stamp()
    const time = now - 1000 * HOUR
    await store.write(writer => writer.putAttributes(root, attribute('a')), { time })
    await store.sweeper.trimEvents()
    const events = await store.feed.after(created, 10)
    expect(events).toMatchObject([{ time: expect.any(Number) }])
    expect(events).not.toMatchObject([{ time }])
    expect(typeof events === 'string' ? 0 : events[0].time).toBeGreaterThanOrEqual(now)
  })

  it('are removed while others come all the time', async () => {
    const { store, clock, change } = await scene()
    const events: string[] = []
    for (let minutes = 0; minutes < 600; minutes += 5) {
      events.push(await change())
      await store.sweeper.trimEvents()
      clock.advance(5 * MINUTE)
    }
    const [oldest, newest] = [events.length - 1 - 27, events.length - 1 - 23]
    // At least the events of two hours, and at most a sixteenth more and the last round.
    expect(await eventsAfter(store, events[newest])).toEqual(events.slice(newest + 1))
    expect(await eventsAfter(store, events[oldest])).toBe('removed')
  })

  it('beyond the bytes are removed, the oldest first', async () => {
    const { store, root } = await scene({ bytes: 2 ** 19 })
    const flags = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }
    // The list makes each event some 20 kB long.
    const acl = Array.from({ length: 250 }, (_, i) => ({ userName: `user${i}`, ...flags }))
    const id = newId(root)
    await store.write(writer => writer.createObject({ ...group(id), acl }))
    const events: string[] = []
    for (let i = 0; i < 100; i++) {
      await store.write(writer => writer.putAttributes(id, attribute('a')))
      events.push(await store.feed.newest())
    }
    await store.sweeper.trimEvents()
    expect(await eventsAfter(store, events[0])).toBe('removed')
    const kept = await firstKept(store, events)
    expect(kept).toBeGreaterThan(50)
    expect(kept).toBeLessThan(95)
    expect(await eventsAfter(store, events[kept])).toEqual(events.slice(kept + 1))
  })

  it('the newest one always stays, and the next one has a higher number', async () => {
    const { store, clock, change, created } = await scene()
    clock.advance(100 * HOUR)
    await store.sweeper.trimEvents()
    expect(await store.feed.newest()).toBe(created)
    expect(await eventsAfter(store, created)).toEqual([])
    const next = await change()
    expect(Number(next.split('-')[0])).toBeGreaterThan(Number(created.split('-')[0]))
    expect(await eventsAfter(store, created)).toEqual([next])
  })

  it('nothing is written while there are no old events', async () => {
    const { store, other, clock, change } = await scene()
    await change()
    clock.advance(100 * HOUR)
    await store.sweeper.trimEvents()
    const { commits } = store.figures
    for (let round = 0; round < 3; round++) {
      await store.sweeper.trimEvents()
      await other.sweeper.trimEvents()
    }
    expect(store.figures.commits).toBe(commits)
  })

  it('are removed by several processes, each of which sees the events of all', async () => {
    const { store, other, clock, change } = await scene()
    await change()
    await other.sweeper.trimEvents()
    clock.advance(HOUR)
    const second = await change()
    await store.sweeper.trimEvents()
    clock.advance(1.5 * HOUR)
    const third = await change()
    await other.sweeper.trimEvents()
    await store.sweeper.trimEvents()
    for (const each of [store, other]) {
      expect(await eventsAfter(each, FIRST_POSITION)).toBe('removed')
      expect(await eventsAfter(each, second)).toEqual([third])
    }
  })

  it('are not said to be removed when they never were', async () => {
    const { store, clock, change } = await scene()
    await change()
    const last = await change()
    clock.advance(100 * HOUR)
    await store.sweeper.trimEvents()
    const [number, check] = last.split('-')
    expect(await eventsAfter(store, `${Number(number) + 5}-${check}`)).toBe('unknown')
    expect(await eventsAfter(store, `${number}-${check === '00000000' ? '00000001' : '00000000'}`)).toBe(
      'unknown',
    )
  })
})

async function firstKept(store: OpenStore, events: readonly string[]): Promise<number> {
  for (const [i, id] of events.entries()) if ((await eventsAfter(store, id)) !== 'removed') return i
  throw new Error('no event was kept')
}
