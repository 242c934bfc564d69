import type { ObjectId } from '@hyperslab/model/names'
import type { StoreEvent, Writer } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import {
  attribute,
  box,
  dataset,
  domain,
  group,
  hardLink,
  inPieces,
  int32s,
  newId,
  newRoot,
} from './sample-objects.ts'
import type { TheStore } from './store.ts'

export function describeEvents(store: TheStore): void {
  /** The events of the works, each in a write of its own. */
  async function eventsOf(
    ...works: ((writer: Writer) => Promise<unknown>)[]
  ): Promise<readonly StoreEvent[]> {
    const before = await store().feed.newest()
    for (const work of works) await store().write(work)
    const events = await store().feed.after(before, 1000)
    if (typeof events === 'string') throw new Error(`the events after ${before} are ${events}`)
    return events
  }

  async function newDomain(path: string): Promise<ObjectId> {
    const root = newRoot()
    await store().write(async writer => {
      await writer.createObject(group(root))
      await writer.putDomain(domain(path, root))
    })
    return root
  }

  describe('an event', () => {
    it('is there for a new domain, with the state that the domain has', async () => {
      const root = newRoot()
      const { path } = domain('/e1')
      const [event, ...others] = await eventsOf(async writer => {
        await writer.createObject(group(root))
        await writer.putDomain(domain('/e1', root))
      })
      const { state } = await store().read(reader => reader.state(root))
      expect(others).toEqual([])
      expect(event.entries).toEqual([{ path, change: 'created', root }])
      expect(event.domains).toEqual([
        { root, path, state, objects: [{ id: root, kind: 'group', changes: ['created'] }] },
      ])
    })

    it('tells what changed of each object, and the path by which the domain was found', async () => {
      const root = await newDomain('/e2')
      const { path } = domain('/e2')
      const id = newId(root)
      const shape = dataset(id, { dims: [10], chunkDims: [10], maxdims: [100] })
      const [created, written, resized, described, deleted] = await eventsOf(
        async writer => {
          await writer.domain(path)
          await writer.createObject(shape)
          await writer.putLinks(root, hardLink('d', id))
        },
        writer => writer.writeValues(shape, box([2], [3]), inPieces(int32s([1, 2, 3]))),
        writer => writer.setExtents(shape, [20]),
        writer => writer.putAttributes(id, attribute('a')),
        writer => writer.deleteObject(id, { links: true }),
      )
      expect(created.domains).toMatchObject([
        {
          path,
          objects: [
            { id, kind: 'dataset', changes: ['created'] },
            { id: root, kind: 'group', changes: ['links'] },
          ],
        },
      ])
      const changes = (event: StoreEvent) => event.domains.map(({ objects }) => objects)
      expect(changes(written)).toEqual([
        [{ id, kind: 'dataset', changes: ['values'], box: { start: [2], stop: [5] } }],
      ])
      expect(changes(resized)).toEqual([[{ id, kind: 'dataset', changes: ['values'], dims: [20] }]])
      expect(changes(described)).toEqual([[{ id, kind: 'dataset', changes: ['attributes'] }]])
      expect(changes(deleted)).toEqual([
        [
          { id: root, kind: 'group', changes: ['links'] },
          { id, kind: 'dataset', changes: ['deleted'] },
        ],
      ])
    })

    it('joins the boxes of one write', async () => {
      const root = await newDomain('/e3')
      const id = newId(root)
      const shape = dataset(id, { dims: [10], chunkDims: [10] })
      const [, event] = await eventsOf(
        writer => writer.createObject(shape),
        async writer => {
          await writer.writeValues(shape, box([1], [1]), inPieces(int32s([1])))
          await writer.writeValues(shape, box([7], [2]), inPieces(int32s([1, 2])))
        },
      )
      expect(event.domains[0].objects[0].box).toEqual({ start: [1], stop: [9] })
    })

    it('names a hundred objects, and says that there are more', async () => {
      const root = await newDomain('/e4')
      const ids = Array.from({ length: 101 }, () => newId(root))
      const [event] = await eventsOf(async writer => {
        for (const id of ids) await writer.createObject(group(id))
      })
      expect(event.domains[0].objects).toHaveLength(100)
      expect(event.domains[0].more).toBe(true)
    })

    it('has the list of an object that has one, also when it is deleted', async () => {
      const root = await newDomain('/e5')
      const id = newId(root)
      const acl = [
        {
          userName: 'ann',
          create: false,
          read: true,
          update: false,
          delete: false,
          readACL: false,
          updateACL: false,
        },
      ]
      const events = await eventsOf(
        async writer => {
          await writer.createObject({ ...group(id), acl })
        },
        writer => writer.putAttributes(id, attribute('a')),
        writer => writer.deleteObject(id, { links: true }),
        writer => writer.deleteDomain(domain('/e5').path),
      )
      expect(events.slice(0, 3).map(({ domains }) => domains[0].objects[0].acl)).toEqual([acl, acl, acl])
      expect(events[3].entries).toEqual([{ path: '/e5', change: 'deleted', root, acl: [], closed: false }])
    })

    it('is not there for a write that changes nothing, or fails', async () => {
      const root = await newDomain('/e6')
      const events = await eventsOf(
        async writer => void (await writer.object(root)),
        async writer => void (await writer.deleteLink(root, 'none')),
        writer =>
          writer.putAttributes(root, attribute('a')).then(() => {
            throw new Error('it fails')
          }),
      ).catch((error: unknown) => error)
      expect(events).toEqual(new Error('it fails'))
      expect(await eventsOf()).toEqual([])
    })

    it('is there once for each of many writes at one time', async () => {
      const root = await newDomain('/e7')
      const id = newId(root)
      await store().write(writer => writer.createObject(group(id)))
      const before = await store().feed.newest()
      const titles = Array.from({ length: 60 }, (_, i) => `t${i}`)
      await Promise.all(
        titles.map(title => store().write(writer => writer.putLinks(root, hardLink(title, id)))),
      )
      const events = await store().feed.after(before, 1000)
      if (typeof events === 'string') throw new Error(events)
      // Writes of one commit share an event.
      expect(events.length).toBeGreaterThan(0)
      expect(events.length).toBeLessThanOrEqual(60)
      expect(new Set(events.map(({ number }) => number)).size).toBe(events.length)
      const { state } = await store().read(reader => reader.state(root))
      expect(events.at(-1)?.domains[0].state).toBe(state)
    })
  })

  describe('the feed', () => {
    it('goes on from the position of any event', async () => {
      const before = await store().feed.newest()
      for (const path of ['/f1', '/f2', '/f3']) await newDomain(path)
      const all = await store().feed.after(before, 1000)
      if (typeof all === 'string') throw new Error(all)
      expect(all.map(({ entries }) => entries[0].path)).toEqual(['/f1', '/f2', '/f3'])
      for (const [i, { id }] of all.entries())
        expect(await store().feed.after(id, 1000)).toEqual(all.slice(i + 1))
      expect(await store().feed.after(before, 2)).toEqual(all.slice(0, 2))
      expect(await store().feed.newest()).toBe(all.at(-1)?.id)
    })

    it.each(['', 'x', '1', '1-', '1-zzzzzzzz', '-1-00000000', '01-00000000', '9007199254740993-00000000'])(
      'has no position "%s"',
      async position => {
        expect(await store().feed.after(position, 10)).toBe('unknown')
      },
    )

    it('has no event that it has not given, or has given with another id', async () => {
      await newDomain('/f4')
      const newest = await store().feed.newest()
      const [number, check] = newest.split('-')
      expect(await store().feed.after(`${Number(number) + 1}-${check}`, 10)).toBe('unknown')
      const other = check === '00000000' ? '00000001' : '00000000'
      expect(await store().feed.after(`${number}-${other}`, 10)).toBe('unknown')
    })

    it('tells a listener of each commit until it ends', async () => {
      let told = 0
      const end = store().feed.watch(() => told++)
      await newDomain('/f5')
      expect(told).toBeGreaterThan(0)
      end()
      const before = told
      await newDomain('/f6')
      expect(told).toBe(before)
    })
  })
}
