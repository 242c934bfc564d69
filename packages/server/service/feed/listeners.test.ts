import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { openStore } from '@hyperslab/store/engines'
import type { EventId } from '@hyperslab/store/store'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  attribute,
  domain,
  group,
  hardLink,
  newId,
  newRoot,
} from '../../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../../test/engines/memory.ts'
import { withCounters } from '../../../../test/engines/with-counters.ts'
import { withRounds } from '../../../../test/engines/with-rounds.ts'
import { NO_ACCOUNTS } from '../../../../test/fixtures/service.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../access/access.ts'
import { ANONYMOUS, type ServiceSettings } from '../context.ts'
import type { Batch, Follower } from './channel.ts'
import { Listeners } from './listeners.ts'

const HOUR = 3600 * 1e6

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

async function scene(engine = openMemoryEngine()) {
  const clock = testClock()
  const options = { clock, random: seededRandom(1), sweeps: false, keptEvents: { hours: 1 } }
  const store = openStore(engine, options)
  onTestFinished(() => store.close())
  const root = newRoot()
  const { path } = domain('/d', root)
  await store.write(async writer => {
    await writer.createObject(group(root))
    await writer.putDomain(domain('/d', root))
  })
  const settings: Mutable<ServiceSettings> = {
    defaultAcl: ALL_PERMISSIONS,
    newDomains: 'anyone',
    isKnownUser: () => true,
  }
  const listeners = new Listeners({
    store,
    settings,
    accounts: NO_ACCOUNTS,
    maxListeners: 2,
  })
  const change = () => store.write(writer => writer.putAttributes(root, attribute('a')))
  const state = async () => (await store.read(reader => reader.state(root))).state
  return {
    store,
    root,
    clock,
    change,
    state,
    begin: (user = 'one') => listeners.begin(ANONYMOUS, { path, isFolder: false }, { user, form: '' }),
    close: () => listeners.close(),
    settings,
  }
}

/** A follower that takes as many batches as `room` says, before it must follow again. */
function follower(position: EventId) {
  const batches: Batch[] = []
  const ends: unknown[] = []
  const state = { room: Number.POSITIVE_INFINITY, beats: 0 }
  const follower: Follower = {
    position,
    take(batch) {
      batches.push(batch)
      return --state.room > 0
    },
    beat: () => ++state.beats > 0,
    stop: error => ends.push(error),
  }
  const ids = () => batches.flatMap(({ events }) => events.map(({ id }) => id))
  return { follower, batches, state, ids, ends }
}

const NEVER = new AbortController().signal

it('a listener that was away for too long gets `gone`, with the present state, and goes on', async () => {
  const { store, clock, change, state, begin } = await scene()
  const listener = begin()
  const { position } = await listener.begin()
  await change()
  clock.advance(2 * HOUR)
  await change()
  await store.sweeper.trimEvents()
  const gone = await listener.next(position, 0, NEVER)
  expect(gone).toEqual({
    events: [],
    hasMore: false,
    isGone: true,
    position: await store.feed.newest(),
    state: await state(),
  })
  await change()
  const next = await listener.next(gone?.position ?? ('' as EventId), 0, NEVER)
  expect(next).toMatchObject({ isGone: false, events: [{ state: await state() }] })
  listener.end()
})

it('followers have each event once, and one that could take no more goes on where it was', async () => {
  const { store, change, begin, close } = await scene()
  const [first, second] = [begin('one'), begin('two')]
  const { position } = await first.begin()
  const [fast, slow] = [follower(position), follower(position)]
  slow.state.room = 1
  first.follow(fast.follower)
  second.follow(slow.follower)
  const all: EventId[] = []
  for (let i = 0; i < 5; i++) {
    await change()
    all.push(await store.feed.newest())
    await expect.poll(() => fast.ids()).toEqual(all)
  }
  const had = slow.ids()
  expect(had).toEqual(all.slice(0, had.length))
  expect(had.length).toBeLessThan(5)
  slow.state.room = 1000
  second.follow(slow.follower)
  await expect.poll(() => slow.ids()).toEqual(all)
  second.end()
  second.follow(slow.follower)
  await change()
  await expect.poll(() => fast.ids()).toHaveLength(6)
  expect(slow.ids()).toEqual(all)
  close()
  expect([fast.ends, slow.ends]).toEqual([[undefined], []])
  first.end()
})

it('a follower shows that it is alive, and ends with the right to read, also when nothing happens', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { begin, settings } = await scene()
  const listener = begin()
  const { position } = await listener.begin()
  const { follower: own, state, ends } = follower(position)
  listener.follow(own)
  for (let beats = 1; beats < 3; beats++) {
    // It is idle in a moment.
    const beatsNow = () => {
      vi.advanceTimersByTime(15_000)
      return state.beats
    }
    await expect.poll(beatsNow).toBeGreaterThanOrEqual(beats)
  }
  settings.defaultAcl = NO_PERMISSIONS
  const endsNow = () => {
    vi.advanceTimersByTime(15_000)
    return ends
  }
  await expect.poll(endsNow).toMatchObject([{ code: 'not-authenticated' }])
  const { beats } = state
  vi.advanceTimersByTime(60_000)
  expect(state.beats).toBe(beats)
  listener.end()
})

it('events are given as they are made, and the position behind those that are not for the listener', async () => {
  const { store, root, begin, close } = await scene()
  const other = newRoot()
  await store.write(async writer => {
    await writer.createObject(group(other))
    await writer.putDomain(domain('/other', other))
  })
  const position = await store.feed.newest()
  for (let i = 0; i < 120; i++) await store.write(writer => writer.putAttributes(other, attribute(`${i}`)))
  for (let i = 0; i < 11; i++) {
    await store.write(async writer => {
      for (let n = 0; n < 100; n++) await writer.createObject(group(newId(root)))
    })
  }
  const { follower: own, batches } = follower(position)
  const listener = begin()
  listener.follow(own)
  const newest = await store.feed.newest()
  await expect.poll(() => own.position).toBe(newest)
  const lengths = batches.map(({ events, hasMore }) => [events.length, hasMore])
  expect(lengths).toEqual([
    [0, true],
    [5, true],
    [5, true],
    [1, false],
  ])
  listener.end()
  close()
})

it('a follower shows that it is alive while its events are made', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { store, begin, change } = await scene()
  const position = await store.feed.newest()
  await change()
  const events = await store.feed.after(position, 1)
  let answer: (value: typeof events) => void = () => {}
  const slow = vi.spyOn(store.feed, 'after').mockReturnValueOnce(
    new Promise(resolve => {
      answer = resolve
    }),
  )
  const { follower: own, state, ids } = follower(position)
  const listener = begin()
  listener.follow(own)
  await expect.poll(() => slow).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(30_000)
  expect([state.beats, ids()]).toEqual([2, []])
  answer(events)
  await expect.poll(() => ids()).toHaveLength(1)
  listener.end()
})

it('listeners beyond the limit are refused until one ends', async () => {
  const { begin } = await scene()
  const listeners = [begin('one'), begin('two')]
  expect(begin).toThrow('the service has 2 listeners, its limit: try again later')
  listeners[0].end()
  begin().end()
  listeners[1].end()
})

it('objects of many links have paths up to a budget, and then none', async () => {
  const { store, root, begin } = await scene()
  const ids = Array.from({ length: 25 }, () => newId(root))
  const links = ids.flatMap((id, i) => Array.from({ length: 900 }, (_, j) => hardLink(`${i} ${j}`, id)))
  await store.write(async writer => {
    for (const id of ids) await writer.createObject(group(id))
    await writer.putLinks(root, ...links)
  })
  const listener = begin()
  const { position } = await listener.begin()
  await store.write(async writer => {
    for (const id of ids) await writer.putAttributes(id, attribute('a'))
  })
  const batch = await listener.next(position, 0, NEVER)
  const paths = batch?.events[0].changes.map(({ path }) => path)
  expect(paths).toHaveLength(25)
  expect(paths?.[0]).toBe('/0 0')
  expect(paths?.[24]).toBeUndefined()
  listener.end()
})

it('a listener that is behind costs two rounds of reads for each commit, and each event is read once', async () => {
  // Turns end by the time, which divides rounds on a slow machine.
  const clock = vi.spyOn(SYSTEM_CLOCK, 'elapsed').mockReturnValue(0)
  onTestFinished(() => clock.mockRestore())
  const [commits, objects] = [30, 100]
  const counted = withCounters(openMemoryEngine())
  const { engine, takeRounds } = withRounds(counted)
  const { store, root, begin } = await scene(engine)
  const listener = begin()
  const { position } = await listener.begin()
  for (let i = 0; i < commits; i++) {
    const ids = Array.from({ length: objects }, () => newId(root))
    await store.write(async writer => {
      for (const id of ids) await writer.createObject(group(id))
      await writer.putLinks(root, ...ids.map((id, j) => hardLink(`${i} ${j}`, id)))
    })
  }
  takeRounds()
  const behind = follower(position)
  const { entries } = await counted.count(async () => {
    listener.follow(behind.follower)
    await expect.poll(() => behind.ids()).toHaveLength(commits)
  })
  expect(takeRounds()).toBeLessThanOrEqual(2 * commits)
  // One link to each object, the events, and for each batch the last event of the one before it.
  expect(entries).toBeLessThan(commits * objects + 2 * commits)
  listener.end()
})
