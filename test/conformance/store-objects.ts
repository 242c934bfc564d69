import type { ObjectId } from '@hyperslab/model/names'
import type { HdfObject } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import {
  attribute,
  box,
  collect,
  dataset,
  group,
  hardLink,
  INT32,
  inPieces,
  int32s,
  newId,
  newIds,
  newRoot,
  softLink,
  TEXT,
  texts,
} from './sample-objects.ts'
import type { TheStore } from './store.ts'

export function describeObjects(store: TheStore): void {
  /** A domain of objects that are all empty groups. */
  async function groups<N extends string>(...names: readonly N[]): Promise<Record<N | 'root', ObjectId>> {
    const root = newRoot()
    const ids = Object.fromEntries([['root', root], ...names.map(name => [name, newId(root)])])
    await store().write(async writer => {
      for (const id of Object.values<ObjectId>(ids)) await writer.createObject(group(id))
    })
    return ids as Record<N | 'root', ObjectId>
  }

  describe('objects', () => {
    const root = newRoot()
    const objects: readonly (readonly [string, HdfObject])[] = [
      ['a group', { ...group(newId(root)), created: 1_700_000_000_000_001 }],
      [
        'a group with creation properties of every kind of JSON',
        {
          ...group(newId(root)),
          creationProperties: new Map<string, never>(
            Object.entries({
              1: 9007199254740993n,
              0: [null, true, 'text', -0, 0.1, Number.NaN, Number.NEGATIVE_INFINITY],
              __proto__x: new Map([['{"$int":"1"}', '{"$map":[]}']]),
            }) as [string, never][],
          ),
        },
      ],
      [
        'a committed datatype with members beyond 2^53',
        {
          kind: 'datatype',
          id: newId(root),
          created: 2,
          acl: [
            {
              userName: 'ann',
              create: true,
              read: true,
              update: false,
              delete: false,
              readACL: true,
              updateACL: false,
            },
          ],
          type: {
            class: 'H5T_ENUM',
            base: { ...INT32, size: 8, signed: false },
            members: [
              { name: 'MAX', value: 18446744073709551615n },
              { name: '\u0000"\\', value: 1 },
            ],
          },
        },
      ],
      ['a scalar dataset', dataset(newId(root), { dims: [], chunkDims: [] })],
      [
        'a dataset with a committed type, maximum extents and a fill value',
        {
          ...dataset(newId(root), {
            dims: [2, 0],
            maxdims: ['H5S_UNLIMITED', 9],
            chunkDims: [1, 1],
            fillValue: int32s([-1]),
          }),
          committedType: newId(root),
        },
      ],
      [
        'a dataset with a fill value of variable size and filters',
        {
          ...dataset(newId(root), { type: TEXT, dims: [2], chunkDims: [1] }),
          creationProperties: {
            json: new Map([['z', 1]]),
            given: true,
            layout: 'H5D_CHUNKED',
            chunkDims: [1],
            filters: [{ id: 1, json: new Map([['level', 9]]) }],
            fillValue: texts(['fill ✓']),
          },
        },
      ],
      [
        'a dataset without elements',
        {
          ...dataset(newId(root), { dims: [], chunkDims: [] }),
          space: { class: 'H5S_NULL' },
          creationProperties: { json: new Map(), given: false, layout: 'H5D_COMPACT', filters: [] },
        },
      ],
    ]
    it.each(objects)('%s comes back as it was created', async (_name, object) => {
      await store().write(async writer => {
        await writer.createObject(object)
        expect(await writer.object(object.id)).toEqual(object)
      })
      expect(await store().read(reader => reader.object(object.id))).toEqual(object)
    })

    it('an id is taken once', async () => {
      const { a } = await groups('a')
      await expect(store().write(writer => writer.createObject(group(a)))).rejects.toThrow(a)
    })

    describe('ids that are expected to be free', () => {
      const create = (ids: readonly ObjectId[]) =>
        store().write(
          async writer => {
            writer.expectFreeIds(ids)
            for (const id of ids) writer.createFreshObject(group(id))
          },
          { once: true },
        )

      it.each([1, 3])('and are, become objects (%i)', async count => {
        const { root } = await groups()
        const ids = newIds(root, count)
        await create(ids)
        expect(await store().read(reader => collect(reader.objects(root, 'group')))).toEqual(
          [root, ...ids].sort(),
        )
      })

      it.each([
        [1, 0],
        [3, 0],
        [3, 2],
      ])('and one of which an object has or had, are a conflict (of %i, number %i)', async (count, at) => {
        const { root } = await groups('a')
        const ids = newIds(root, count)
        const taken = [ids[at]]
        await create(taken)
        await expect(create(ids)).rejects.toMatchObject({ code: 'storage-conflict' })
        await store().write(writer => writer.deleteObject(ids[at], { links: false }))
        await expect(create(ids)).rejects.toMatchObject({ code: 'storage-conflict' })
        await store().write(writer => writer.createObject(group(ids[at])))
        expect(await store().read(reader => reader.object(ids[at]))).toEqual(group(ids[at]))
      })
    })

    it('ids of a kind are listed by id, paged by any id', async () => {
      const { root, ...others } = await groups('a', 'b', 'c')
      const data = dataset(newId(root), { dims: [1], chunkDims: [1] })
      await store().write(writer => writer.createObject(data))
      const ids = [root, ...Object.values(others)].sort()
      await store().read(async reader => {
        expect(await collect(reader.objects(root, 'group'))).toEqual(ids)
        expect(await collect(reader.objects(others.a, 'group', { limit: 2 }))).toEqual(ids.slice(0, 2))
        expect(await collect(reader.objects(root, 'group', { marker: ids[1] }))).toEqual(ids.slice(2))
        const between = newId(root)
        expect(await collect(reader.objects(root, 'group', { marker: between }))).toEqual(
          ids.filter(id => id > between),
        )
        expect(await collect(reader.objects(root, 'dataset'))).toEqual([data.id])
        expect(await collect(reader.objects(root, 'datatype'))).toEqual([])
      })
    })

    it('a new object was modified when it was created and has nothing', async () => {
      const { root } = await groups()
      const id = newId(root)
      await store().write(writer => writer.createObject(group(id, 1234)))
      const status = await store().read(reader => reader.status(id))
      expect(status).toMatchObject({ lastModified: 1234, linkCount: 0, attributeCount: 0 })
      expect(await store().read(reader => reader.status(newId(root)))).toEqual({
        lastModified: 0,
        linkCount: 0,
        attributeCount: 0,
        version: '',
      })
    })

    it('every change of an object gives it another version and a later time, and its domain another state', async () => {
      const { root, a, b } = await groups('a', 'b')
      const data = dataset(newId(root), { dims: [4], maxdims: [9], chunkDims: [2] })
      await store().write(writer => writer.createObject(data))
      const changes: readonly (readonly [ObjectId, () => Promise<unknown>])[] = [
        [a, () => store().write(writer => writer.setAcl(a, []))],
        [a, () => store().write(writer => writer.putLinks(a, hardLink('x', b)))],
        [a, () => store().write(writer => writer.putLinks(a, softLink('x')))],
        [a, () => store().write(writer => writer.putLinks(a, hardLink('y', b)))],
        [a, () => store().write(writer => writer.deleteLink(a, 'x'))],
        [a, () => store().write(writer => writer.putAttributes(a, attribute('x')))],
        [a, () => store().write(writer => writer.putAttributes(a, attribute('x')))],
        [a, () => store().write(writer => writer.deleteAttribute(a, 'x'))],
        [data.id, () => store().write(writer => writer.setExtents(data, [5]))],
        [
          data.id,
          () =>
            store().write(writer =>
              writer.writeValues(
                { ...data, space: { class: 'H5S_SIMPLE', dims: [5] } },
                box([0], [1]),
                inPieces(int32s([1])),
              ),
            ),
        ],
        [a, () => store().write(writer => writer.deleteObject(b, { links: true }))],
      ]
      const seen = new Set<string | undefined>([undefined])
      const state = () => store().read(reader => reader.state(root))
      const states = new Set([(await state()).state])
      for (const [changed, change] of changes) {
        const before = await store().read(reader => reader.status(changed))
        const other = await store().read(reader => reader.status(root))
        await change()
        const after = await store().read(reader => reader.status(changed))
        expect(after.lastModified).toBeGreaterThan(before.lastModified)
        expect(seen.has(after.version)).toBe(false)
        seen.add(after.version)
        expect(await store().read(reader => reader.status(root))).toEqual(other)
        const { state: domainState } = await state()
        expect(domainState).toMatch(/^[0-9a-f]{32}$/)
        expect(states.has(domainState)).toBe(false)
        states.add(domainState)
      }
    })

    it('what changes nothing keeps the version and the state', async () => {
      const { a } = await groups('a')
      const shown = () => store().read(async reader => [await reader.status(a), await reader.state(a)])
      const before = await shown()
      expect(await store().write(writer => writer.deleteLink(a, 'nothing'))).toBe(false)
      expect(await store().write(writer => writer.deleteAttribute(a, 'nothing'))).toBe(false)
      expect(await shown()).toEqual(before)
    })

    it('a list is set without touching the rest of the record', async () => {
      const root = newRoot()
      const data = dataset(newId(root), { type: TEXT, dims: [1], chunkDims: [1], fillValue: texts(['x']) })
      await store().write(writer => writer.createObject(data))
      const item = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }
      const acl = [{ userName: '__proto__', ...item }]
      await store().write(writer => writer.setAcl(data.id, acl))
      expect(await store().read(reader => reader.object(data.id))).toEqual({ ...data, acl })
    })
  })

  describe('deleting objects', () => {
    it('an object goes with all it holds, and comes back empty when it is created again', async () => {
      const { root, a, b } = await groups('a', 'b')
      await store().write(async writer => {
        await writer.putLinks(root, hardLink('a', a))
        await writer.putLinks(a, hardLink('b', b))
        await writer.putAttributes(a, attribute('x'))
        await writer.putAttributes(a, attribute('y'))
        await writer.deleteAttribute(a, 'y')
      })
      await store().write(writer => writer.deleteObject(a, { links: false }))
      await store().read(async reader => {
        expect(await reader.object(a)).toBeUndefined()
        expect(await reader.wasDeleted({ object: a })).toBe(true)
        expect(await reader.link(a, 'b')).toBeUndefined()
        expect(await reader.attribute(a, 'x')).toBeUndefined()
        expect(await collect(reader.objects(root, 'group'))).not.toContain(a)
        // The link to it dangles.
        expect((await reader.link(root, 'a'))?.target).toMatchObject({ id: a })
      })
      await store().write(writer => writer.createObject(group(a)))
      await store().read(async reader => {
        expect(await reader.wasDeleted({ object: a })).toBe(false)
        expect(await reader.wasDeleted({ owner: a, attribute: 'y' })).toBe(false)
        expect(await reader.status(a)).toMatchObject({ linkCount: 0, attributeCount: 0 })
        expect(await collect(reader.links(a))).toEqual([])
      })
    })

    it('one that comes back is the target of the links that dangled, which go with it', async () => {
      const { root, a } = await groups('a')
      await store().write(writer => writer.putLinks(root, hardLink('a', a)))
      await store().write(writer => writer.deleteObject(a, { links: false }))
      await store().write(writer => writer.createObject(group(a)))
      expect(await store().read(reader => collect(reader.linksTo(a)))).toEqual([{ group: root, title: 'a' }])
      await store().write(writer => writer.deleteObject(a, { links: true }))
      expect(await store().read(reader => reader.link(root, 'a'))).toBeUndefined()
    })

    it('with its links: each of them goes, with a tombstone, and is no longer counted', async () => {
      const { root, a, b } = await groups('a', 'b')
      const long = '✓'.repeat(3000)
      await store().write(async writer => {
        for (const title of ['one', 'two', long]) await writer.putLinks(root, hardLink(title, a))
        await writer.putLinks(root, hardLink('other', b))
        await writer.putLinks(root, softLink('soft', 1, '/one'))
        await writer.putLinks(b, hardLink('back', a))
        // Cycles, the shortest one too.
        await writer.putLinks(a, hardLink('self', a))
        await writer.putLinks(a, hardLink('up', root))
        // Pointed to it once.
        await writer.putLinks(b, hardLink('moved', a))
        await writer.putLinks(b, hardLink('moved', b))
      })
      await store().write(writer => writer.deleteObject(a, { links: true }))
      await store().read(async reader => {
        expect((await collect(reader.links(root))).map(({ title }) => title)).toEqual(['other', 'soft'])
        expect((await collect(reader.links(b))).map(({ title }) => title)).toEqual(['moved'])
        expect(await reader.status(root)).toMatchObject({ linkCount: 2 })
        expect(await reader.status(b)).toMatchObject({ linkCount: 1 })
        for (const title of ['one', 'two', long]) {
          expect(await reader.wasDeleted({ group: root, title })).toBe(true)
        }
        expect(await reader.wasDeleted({ group: b, title: 'back' })).toBe(true)
        expect(await reader.wasDeleted({ object: a })).toBe(true)
        expect(await reader.status(a)).toMatchObject({ linkCount: 0, lastModified: 0 })
      })
      // The object that it linked to no longer lists the link.
      await store().write(writer => writer.deleteObject(b, { links: true }))
      expect(await store().read(reader => reader.status(root))).toMatchObject({ linkCount: 1 })
    })

    it('an object that is not there cannot be changed', async () => {
      const { root } = await groups()
      const missing = newId(root)
      const foreign = newRoot()
      await store().write(writer => writer.createObject(group(foreign)))
      const attempts = [
        () => store().write(writer => writer.deleteObject(missing, { links: true })),
        () => store().write(writer => writer.setAcl(missing, [])),
        () => store().write(writer => writer.putLinks(missing, softLink('x'))),
        () => store().write(writer => writer.putLinks(root, hardLink('x', missing))),
        () => store().write(writer => writer.putAttributes(missing, attribute('x'))),
      ]
      for (const attempt of attempts) {
        await expect(attempt()).rejects.toMatchObject({ code: 'object-not-found', subject: missing })
      }
      await expect(
        store().write(writer => writer.putLinks(root, hardLink('x', foreign))),
      ).rejects.toMatchObject({ code: 'object-not-in-domain' })
    })
  })
}
