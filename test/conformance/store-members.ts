import type { ObjectId } from '@hyperslab/model/names'
import { beforeAll, describe, expect, it } from 'vitest'
import type {
  Attribute,
  Link,
  Page,
  Reader,
  Tombstone,
  Writer,
} from '../../packages/store/interfaces/store.ts'
import {
  attribute,
  collect,
  group,
  hardLink,
  newId,
  newRoot,
  softLink,
  TEXT,
  texts,
  type WholeAttribute,
} from './sample-objects.ts'
import type { TheStore } from './store.ts'

/** Links and attributes keep the same promises; this is how the tests speak of both. */
interface Members {
  put(writer: Writer, owner: ObjectId, name: string, created?: number): Promise<void>
  putAll(writer: Writer, owner: ObjectId, names: readonly string[], created: number): Promise<void>
  delete(writer: Writer, owner: ObjectId, name: string): Promise<boolean>
  get(reader: Reader, owner: ObjectId, name: string): Promise<Link | Attribute | undefined>
  names(reader: Reader, owner: ObjectId, page?: Page): Promise<string[]>
  tombstone(owner: ObjectId, name: string): Tombstone
  count(reader: Reader, owner: ObjectId): Promise<number>
}

const LINKS: Members = {
  put: (writer, owner, name, created) => writer.putLinks(owner, softLink(name, created)),
  putAll: (writer, owner, names, created) =>
    writer.putLinks(owner, ...names.map((name, i) => hardLink(name, owner, created + i))),
  delete: (writer, owner, name) => writer.deleteLink(owner, name),
  get: (reader, owner, name) => reader.link(owner, name),
  names: async (reader, owner, page) => (await collect(reader.links(owner, page))).map(({ title }) => title),
  tombstone: (group, title) => ({ group, title }),
  count: async (reader, owner) => (await reader.status(owner)).linkCount,
}

const ATTRIBUTES: Members = {
  put: (writer, owner, name, created) => writer.putAttributes(owner, attribute(name, [1], created)),
  putAll: (writer, owner, names, created) =>
    writer.putAttributes(owner, ...names.map((name, i) => attribute(name, [1], created + i))),
  delete: (writer, owner, name) => writer.deleteAttribute(owner, name),
  get: (reader, owner, name) => reader.attribute(owner, name),
  names: async (reader, owner, page) =>
    (await collect(reader.attributes(owner, page))).map(({ name }) => name),
  tombstone: (owner, name) => ({ owner, attribute: name }),
  count: async (reader, owner) => (await reader.status(owner)).attributeCount,
}

const byUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

export function describeMembers(store: TheStore): void {
  async function newGroup(): Promise<ObjectId> {
    const root = newRoot()
    await store().write(writer => writer.createObject(group(root)))
    return root
  }

  describe.each([
    ['links', LINKS],
    ['attributes', ATTRIBUTES],
  ])('%s', (_kind, members) => {
    const namesIn = (owner: ObjectId, page?: Page): Promise<string[]> =>
      store().read(reader => members.names(reader, owner, page))

    it('names of any script and any look are kept apart and listed as UTF-8', async () => {
      const owner = await newGroup()
      const names = [
        'a',
        'A',
        'ä',
        'a\u0308',
        '2',
        '10',
        '-1',
        '__proto__',
        'constructor',
        'toString',
        ' ',
        'a b',
        '\u0001',
        '\u007f',
        '名前',
        '\uffff',
        '\ue000',
        '😀',
        '\u{10ffff}',
        'x'.repeat(900),
        'x'.repeat(901),
        '✓'.repeat(20_000),
      ]
      await store().write(async writer => {
        for (const name of names) await members.put(writer, owner, name)
      })
      expect(await namesIn(owner)).toEqual([...names].sort(byUtf8))
      await store().read(async reader => {
        for (const name of names) expect(await members.get(reader, owner, name)).toMatchObject({ created: 1 })
        expect(await members.get(reader, owner, 'x'.repeat(902))).toBeUndefined()
        expect(await members.get(reader, owner, 'hasOwnProperty')).toBeUndefined()
        expect(await members.count(reader, owner)).toBe(names.length)
      })
    })

    it('by name, a prefix leaves out at most what begins otherwise', async () => {
      const owner = await newGroup()
      const long = 'ö'.repeat(500)
      const names = ['a', 'ab', 'abc', 'ac', 'b', 'ä', 'äb', '\uffffx', '😀x', long, `${long}x`, `${long}y`]
      for (const name of names) await store().write(writer => members.put(writer, owner, name))
      for (const prefix of ['', 'a', 'ab', 'abcd', 'ä', '\uffff', '😀', 'ö', long, `${long}x`]) {
        const fitting = names.filter(name => name.startsWith(prefix)).sort(byUtf8)
        const begin = async (page: Page): Promise<string[]> =>
          (await namesIn(owner, page)).filter(name => name.startsWith(prefix)).sort(byUtf8)
        expect(await begin({ prefix })).toEqual(fitting)
        for (const marker of ['a', 'ab', 'b', '\uffff', '😀x']) {
          const after = fitting.filter(name => byUtf8(name, marker) > 0)
          expect(await begin({ prefix, marker })).toEqual(after)
        }
        expect(await begin({ prefix, order: 'created' })).toEqual(fitting)
      }
      expect(await namesIn(owner, { prefix: 'ab', limit: 1 })).toEqual(['ab'])
      expect(await namesIn(owner, { prefix: 'b' })).toEqual(['b'])
    })

    it('many at once: new ones, ones that are replaced, and ones that were deleted', async () => {
      const owner = await newGroup()
      const names = Array.from({ length: 50 }, (_, i) => `n${i}`)
      const [replaced, deleted] = [names.slice(0, 10), names.slice(10, 20)]
      await store().write(async writer => {
        for (const name of [...replaced, ...deleted, 'other']) await members.put(writer, owner, name)
        for (const name of deleted) await members.delete(writer, owner, name)
      })
      const before = await store().read(reader => reader.status(owner))
      await store().write(writer => members.putAll(writer, owner, names, 2))
      await store().read(async reader => {
        expect(await namesIn(owner, { order: 'created' })).toEqual(['other', ...names])
        expect(await members.count(reader, owner)).toBe(51)
        expect((await reader.status(owner)).version).not.toBe(before.version)
        for (const name of names) expect(await reader.wasDeleted(members.tombstone(owner, name))).toBe(false)
      })
    })

    it('many at once, one of which another write creates and deletes meanwhile, have no tombstones', async () => {
      const owner = await newGroup()
      let runs = 0
      await store().write(async writer => {
        await members.putAll(writer, owner, ['a', 'b'], 1)
        if (runs++ > 0) return
        await store().write(other => members.put(other, owner, 'a'))
        await store().write(other => members.delete(other, owner, 'a'))
      })
      expect(runs).toBe(2)
      expect(await namesIn(owner)).toEqual(['a', 'b'])
      expect(await store().read(reader => reader.wasDeleted(members.tombstone(owner, 'a')))).toBe(false)
    })

    it('long names that begin alike are different, and can be paged through one by one', async () => {
      const owner = await newGroup()
      const names = Array.from({ length: 20 }, (_, i) => `${'long'.repeat(300)}${i}`)
      await store().write(async writer => {
        for (const name of ['a', ...names, 'z']) await members.put(writer, owner, name)
      })
      const seen: string[] = []
      for (let marker: string | undefined; ; marker = seen.at(-1)) {
        const page = await namesIn(owner, { limit: 1, ...(marker !== undefined && { marker }) })
        if (page.length === 0) break
        seen.push(...page)
      }
      expect(seen[0]).toBe('a')
      expect(seen.at(-1)).toBe('z')
      expect([...seen].sort()).toEqual(['a', ...names, 'z'].sort())
    })

    it.each([127, 128, 129, 130])(
      '%i are in the order of their creation, of one time by name',
      async count => {
        const owner = await newGroup()
        const names = Array.from({ length: count }, (_, i) => `n${String(i).padStart(3, '0')}`)
        const timeOf = (index: number) => 10 - Math.floor(index / 50)
        await store().write(async writer => {
          for (const [i, name] of names.entries()) await members.put(writer, owner, name, timeOf(i))
        })
        const ordered = names.map((name, i) => ({ name, time: timeOf(i) })).sort((a, b) => a.time - b.time)
        const expected = ordered.map(({ name }) => name)
        for (const limit of [1, 128, 129, 1000]) {
          expect(await namesIn(owner, { order: 'created', limit })).toEqual(expected.slice(0, limit))
        }
        expect(await namesIn(owner, { order: 'created' })).toEqual(expected)
      },
    )

    it('replacing one keeps the count and moves its place by creation', async () => {
      const owner = await newGroup()
      await store().write(async writer => {
        await members.put(writer, owner, 'a', 1)
        await members.put(writer, owner, 'b', 2)
        await members.put(writer, owner, 'a', 3)
        await members.put(writer, owner, 'b', 2)
      })
      expect(await namesIn(owner, { order: 'created' })).toEqual(['b', 'a'])
      expect(await store().read(reader => members.count(reader, owner))).toBe(2)
    })

    it('deleting leaves a tombstone, creating again clears it', async () => {
      const owner = await newGroup()
      const wasDeleted = (): Promise<boolean> =>
        store().read(reader => reader.wasDeleted(members.tombstone(owner, 'a')))
      await store().write(writer => members.put(writer, owner, 'a'))
      expect(await wasDeleted()).toBe(false)
      expect(await store().write(writer => members.delete(writer, owner, 'a'))).toBe(true)
      expect(await wasDeleted()).toBe(true)
      expect(await store().write(writer => members.delete(writer, owner, 'a'))).toBe(false)
      expect(await store().read(reader => members.count(reader, owner))).toBe(0)
      await store().write(writer => members.put(writer, owner, 'a'))
      expect(await wasDeleted()).toBe(false)
      expect(await store().read(reader => members.count(reader, owner))).toBe(1)
    })

    it('an owner’s members are its own', async () => {
      const [one, other] = [await newGroup(), await newGroup()]
      await store().write(writer => members.put(writer, one, 'a'))
      expect(await namesIn(other)).toEqual([])
      expect(await store().read(reader => members.get(reader, other, 'a'))).toBeUndefined()
    })

    describe('a thousand of them', () => {
      const names = Array.from({ length: 1000 }, (_, i) => `n${(i * 7919) % 1000}`)
      const byName = [...names].sort()
      let owner: ObjectId

      beforeAll(async () => {
        owner = await newGroup()
        await store().write(async writer => {
          for (const [i, name] of names.entries()) await members.put(writer, owner, name, 10 + i)
          await members.put(writer, owner, 'n5deleted', 10_000)
          await members.delete(writer, owner, 'n5deleted')
        })
      })

      it('are listed and counted', async () => {
        expect(await namesIn(owner)).toEqual(byName)
        expect(await namesIn(owner, { order: 'created' })).toEqual(names)
        expect(await store().read(reader => members.count(reader, owner))).toBe(1000)
      })

      it.each([
        ['name', byName],
        ['created', names],
      ] as const)('can be paged through by %s', async (order, expected) => {
        const seen: string[] = []
        for (;;) {
          const marker = seen.at(-1)
          const page = await namesIn(owner, { order, limit: 170, ...(marker && { marker }) })
          seen.push(...page)
          if (page.length < 170) break
        }
        expect(seen).toEqual(expected)
      })

      it('by name, a marker that is not there is passed over by order', async () => {
        const after = await namesIn(owner, { marker: 'n5000', limit: 2 })
        expect(after).toEqual(byName.filter(name => name > 'n5000').slice(0, 2))
        expect(await namesIn(owner, { marker: '' })).toEqual(byName)
        expect(await namesIn(owner, { marker: '\u{10ffff}' })).toEqual([])
      })

      it('by creation, a deleted marker keeps its place and nothing follows an unknown one', async () => {
        await store().write(async writer => {
          await members.put(writer, owner, 'late', 20_000)
        })
        const page = { order: 'created', marker: 'n5deleted' } as const
        expect(await namesIn(owner, page)).toEqual(['late'])
        expect(await namesIn(owner, { order: 'created', marker: 'unknown' })).toEqual([])
        await store().write(writer => members.delete(writer, owner, 'late'))
      })

      it('a writer sees them with its own changes, in both orders', async () => {
        const dropped = new Error('dropped')
        const attempt = store().write(async writer => {
          await members.delete(writer, owner, byName[0])
          await members.put(writer, owner, 'n0first', 5)
          await members.put(writer, owner, byName[2], 50_000)
          const expected = [byName[1], byName[2], 'n0first']
          expect(await members.names(writer, owner, { limit: 3 })).toEqual(expected.sort())
          const ordered = await members.names(writer, owner, { order: 'created' })
          expect(ordered).toHaveLength(1000)
          expect([ordered[0], ordered.at(-1)]).toEqual(['n0first', byName[2]])
          throw dropped
        })
        await expect(attempt).rejects.toBe(dropped)
        expect(await namesIn(owner)).toEqual(byName)
      })
    })
  })

  describe('links', () => {
    it('to an object are known of it: hard ones, wherever they are, as long as they are there', async () => {
      const root = await newGroup()
      const [a, b] = [group(newId(root)), group(newId(root))]
      const long = 'long '.repeat(1000)
      await store().write(async writer => {
        for (const object of [a, b]) await writer.createObject(object)
        for (const title of ['x', long, 'kept']) await writer.putLinks(root, hardLink(title, a.id))
        await writer.putLinks(a.id, hardLink('itself', a.id))
        await writer.putLinks(b.id, hardLink('from b', a.id))
        await writer.putLinks(root, softLink('soft', 1, '/x'))
        await writer.putLinks(root, hardLink('other', b.id))
        await writer.deleteLink(root, 'x')
      })
      const told = async (id: ObjectId): Promise<string[]> =>
        (await store().read(reader => collect(reader.linksTo(id))))
          .map(({ group, title }) => `${group} ${title}`)
          .sort()
      expect(await told(a.id)).toEqual(
        [`${root} ${long}`, `${root} kept`, `${a.id} itself`, `${b.id} from b`].sort(),
      )
      expect(await told(root)).toEqual([])
      await store().write(async writer => {
        await writer.putLinks(root, hardLink('kept', b.id))
        await writer.deleteObject(b.id, { links: false })
      })
      expect(await told(a.id)).toEqual([`${root} ${long}`, `${a.id} itself`].sort())
    })

    it('of every class come back as they were put', async () => {
      const owner = await newGroup()
      const links: readonly Link[] = [
        hardLink('hard', owner, 3),
        softLink('soft', 4, '../x'),
        {
          title: 'external',
          created: 5,
          target: { class: 'H5L_TYPE_EXTERNAL', h5path: '/p', h5domain: 'd.h5' },
        },
        { title: 'user', created: 6, target: { class: 'H5L_TYPE_USER_DEFINED' } },
      ]
      await store().write(async writer => {
        for (const link of links) await writer.putLinks(owner, link)
      })
      expect(await store().read(reader => collect(reader.links(owner, { order: 'created' })))).toEqual(links)
    })
  })

  describe('attributes', () => {
    it('come back with their values, whatever they are', async () => {
      const owner = await newGroup()
      const times = { created: 3, lastModified: 4 }
      const attributes: readonly WholeAttribute[] = [
        attribute('numbers', [1, -2, 3]),
        attribute('none', []),
        { name: 'null', type: TEXT, space: { class: 'H5S_NULL' }, ...times },
        { name: 'unwritten', type: TEXT, space: { class: 'H5S_SCALAR' }, ...times },
        { name: 'text', type: TEXT, space: { class: 'H5S_SCALAR' }, value: texts(['a\0b ✓']), ...times },
        {
          name: 'committed',
          type: TEXT,
          committedType: newId(owner),
          space: { class: 'H5S_SIMPLE', dims: [3] },
          value: texts(['', 'x'.repeat(1000), '']),
          ...times,
        },
      ]
      await store().write(async writer => {
        for (const one of attributes) await writer.putAttributes(owner, one)
      })
      await store().read(async reader => {
        for (const one of attributes) expect(await reader.attribute(owner, one.name)).toEqual(one)
      })
    })

    it('belong to datasets and committed datatypes as well', async () => {
      const root = newRoot()
      const id = newId(root)
      await store().write(async writer => {
        await writer.createObject({ kind: 'datatype', id, created: 1, acl: [], type: TEXT })
        await writer.putAttributes(id, attribute('a'))
      })
      expect(await store().read(reader => reader.status(id))).toMatchObject({ attributeCount: 1 })
    })
  })
}
