import type { JsonValue } from '@hyperslab/model/json'
import type { AclItem, ObjectId } from '@hyperslab/model/names'
import type { Dataset, Writer } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import {
  all,
  attribute,
  box,
  collect,
  dataset,
  domain,
  fieldsOfRows,
  group,
  hardLink,
  inPieces,
  int32s,
  newId,
  newRoot,
  oneFor,
  ROW,
  readNumbers,
  readRows,
  SHUFFLE_DEFLATE,
  softLink,
} from './sample-objects.ts'
import type { TheStore } from './store.ts'

const ITEM: AclItem = {
  userName: 'ann',
  create: true,
  read: true,
  update: true,
  delete: true,
  readACL: true,
  updateACL: true,
}

export function describeTransactions(store: TheStore): void {
  async function newGroup(): Promise<ObjectId> {
    const root = newRoot()
    await store().write(writer => writer.createObject(group(root)))
    return root
  }

  /** Runs `work`, with the `interference` of another transaction committed between its first run and its commit. */
  async function interfered<T>(
    work: (writer: Writer) => Promise<T>,
    interference: (writer: Writer) => Promise<unknown>,
    options?: { once: boolean },
  ): Promise<{ result: T; runs: number }> {
    let runs = 0
    const result = await store().write(async writer => {
      const result = await work(writer)
      if (runs++ === 0) await store().write(interference)
      return result
    }, options)
    return { result, runs }
  }

  describe('transactions', () => {
    it('may make datasets whose extents together claim more than 2^53 bytes, and delete them', async () => {
      const root = newRoot()
      const entry = domain('/claims', root)
      const ids = [newId(root), newId(root), newId(root)]
      const shape = { dims: [2 ** 51], chunkDims: [1000] }
      await store().write(async writer => {
        await writer.createObject(group(root))
        for (const id of ids) await writer.createObject(dataset(id, shape))
        await writer.putDomain(entry)
      })
      const claimed = async () => (await store().read(reader => reader.statistics(entry.path)))?.logicalBytes
      expect(await claimed()).toBe(Number(3n * (2n ** 53n - 1n)))
      await store().write(async writer => {
        for (const id of ids) await writer.deleteObject(id, { links: false })
      })
      expect(await claimed()).toBe(0)
    })

    it('the result of the work is the result', async () => {
      expect(await store().read(async () => 1)).toBe(1)
      expect(await store().write(async () => 2)).toBe(2)
    })

    it('work that throws changes nothing', async () => {
      const owner = await newGroup()
      const failure = new Error('no')
      const attempt = store().write(async writer => {
        await writer.putLinks(owner, softLink('a'))
        await writer.putDomain(domain('/thrown', owner))
        throw failure
      })
      await expect(attempt).rejects.toBe(failure)
      await store().read(async reader => {
        expect(await collect(reader.links(owner))).toEqual([])
        expect(await reader.domain(domain('/thrown').path)).toBeUndefined()
      })
    })

    it('a reader sees one state, whatever is committed meanwhile', async () => {
      const owner = await newGroup()
      await store().write(writer => writer.putLinks(owner, softLink('a')))
      await store().read(async reader => {
        const links = reader.links(owner)[Symbol.asyncIterator]()
        expect((await links.next()).value).toMatchObject({ title: 'a' })
        const status = await reader.status(owner)
        await store().write(async writer => {
          await writer.putLinks(owner, softLink('b'))
          await writer.deleteLink(owner, 'a')
        })
        expect((await links.next()).done).toBe(true)
        expect(await reader.link(owner, 'b')).toBeUndefined()
        expect(await reader.link(owner, 'a')).toBeDefined()
        expect(await reader.status(owner)).toEqual(status)
      })
    })

    it('a reader sees one state of the values, even of large ones that are replaced meanwhile', async () => {
      const into = dataset(newId(newRoot()), { dims: [20_000], chunkDims: [20_000] })
      await store().write(async writer => {
        await writer.createObject(into)
        await writer.writeValues(into, all(into), inPieces(int32s(new Array(20_000).fill(1))))
      })
      await store().read(async reader => {
        await store().write(writer =>
          writer.writeValues(into, all(into), inPieces(int32s(new Array(20_000).fill(2)))),
        )
        await store().sweeper.sweepGarbage()
        await store().sweeper.findOrphans()
        expect(new Set(await readNumbers(reader, into))).toEqual(new Set([1]))
      })
      expect(new Set(await store().read(reader => readNumbers(reader, into)))).toEqual(new Set([2]))
    })

    it('what is read after the work has settled is an error', async () => {
      const owner = await newGroup()
      const reader = await store().read(async reader => reader)
      await expect(reader.object(owner)).rejects.toThrow('closed')
    })

    it('a writer sees its own changes, others do not until it has ended', async () => {
      const owner = await newGroup()
      await store().write(async writer => {
        await writer.putLinks(owner, softLink('a'))
        await writer.putAttributes(owner, attribute('x'))
        expect(await writer.link(owner, 'a')).toEqual(softLink('a'))
        expect(await writer.status(owner)).toMatchObject({ linkCount: 1, attributeCount: 1 })
        expect(await store().read(reader => reader.link(owner, 'a'))).toBeUndefined()
        await writer.deleteLink(owner, 'a')
        expect(await writer.link(owner, 'a')).toBeUndefined()
        expect(await writer.wasDeleted({ group: owner, title: 'a' })).toBe(true)
        expect(await writer.status(owner)).toMatchObject({ linkCount: 0 })
        await writer.deleteObject(owner, { links: true })
        expect(await writer.object(owner)).toBeUndefined()
        expect(await writer.status(owner)).toMatchObject({ attributeCount: 0 })
        await writer.createObject(group(owner))
        expect(await collect(writer.attributes(owner))).toEqual([])
      })
      expect(await store().read(reader => reader.object(owner))).toEqual(group(owner))
    })

    it('counters are right when many change them at once', async () => {
      const owner = await newGroup()
      const names = Array.from({ length: 30 }, (_, i) => `n${i}`)
      await Promise.all(names.map(name => store().write(writer => writer.putLinks(owner, softLink(name)))))
      await Promise.all(names.slice(10).map(name => store().write(writer => writer.deleteLink(owner, name))))
      const status = await store().read(reader => reader.status(owner))
      expect(status.linkCount).toBe(10)
      expect(await store().read(reader => collect(reader.links(owner)))).toHaveLength(10)
    })
  })

  describe('writers that meet', () => {
    const other = newRoot()
    const meetings: readonly (readonly [
      string,
      (writer: Writer, owner: ObjectId) => Promise<unknown>,
      (writer: Writer, owner: ObjectId) => Promise<unknown>,
      number,
    ])[] = [
      ['links of one group', put('a'), put('b'), 1],
      ['attributes of one object', putAttribute('a'), putAttribute('b'), 1],
      ['a link and an attribute', put('a'), putAttribute('b'), 1],
      ['a link and the deletion of another', put('a'), (writer, owner) => writer.deleteLink(owner, 'old'), 1],
      ['objects of one domain', create(), create(), 1],
      ['an object and a link elsewhere', create(), put('b'), 1],
      ['one link twice', put('a'), put('a'), 2],
      ['one attribute twice', putAttribute('a'), putAttribute('a'), 2],
      ['a link and the deletion of its group', put('a'), remove('group'), 2],
      ['a link and the deletion of its target', put('a'), remove('target'), 2],
      ['an attribute and the deletion of its owner', putAttribute('a'), remove('group'), 2],
      ['a list of links and a new link', list(), put('b'), 2],
      ['the first link and a link after it', list(1), put('zzz'), 1],
      ['the first link and a link before it', list(1), put('aaa'), 2],
      ['the first link and its deletion', list(1), (writer, owner) => writer.deleteLink(owner, 'old'), 2],
      ['a status and a change', status(), put('b'), 2],
      ['an object and its list', look(), (writer, owner) => writer.setAcl(owner, [ITEM]), 2],
      ['an object and its links', look(), put('b'), 1],
    ]

    /** The domain that a meeting is in: a root with the group `owner`, which has the link `old` to `target`. */
    const targets = new Map<ObjectId, ObjectId>()
    async function scene(): Promise<ObjectId> {
      const root = newRoot()
      const [owner, target] = [newId(root), newId(root)]
      await store().write(async writer => {
        for (const id of [root, owner, target]) await writer.createObject(group(id))
        await writer.putLinks(owner, hardLink('old', target))
      })
      targets.set(owner, target)
      return owner
    }
    function targetOf(owner: ObjectId): ObjectId {
      return targets.get(owner) ?? other
    }
    function put(title: string) {
      return (writer: Writer, owner: ObjectId) => writer.putLinks(owner, hardLink(title, targetOf(owner)))
    }
    function putAttribute(name: string) {
      return (writer: Writer, owner: ObjectId) => writer.putAttributes(owner, attribute(name))
    }
    function create() {
      return (writer: Writer, owner: ObjectId) => writer.createObject(group(newId(owner)))
    }
    function remove(what: 'group' | 'target') {
      return (writer: Writer, owner: ObjectId) =>
        writer.deleteObject(what === 'group' ? owner : targetOf(owner), { links: true })
    }
    function list(limit?: number) {
      return async (writer: Writer, owner: ObjectId) => {
        await collect(writer.links(owner, limit === undefined ? {} : { limit }))
        await writer.setAcl(targetOf(owner), [])
      }
    }
    function status() {
      return async (writer: Writer, owner: ObjectId) => {
        await writer.status(owner)
        await writer.setAcl(targetOf(owner), [])
      }
    }
    function look() {
      return async (writer: Writer, owner: ObjectId) => {
        await writer.object(owner)
        await writer.setAcl(targetOf(owner), [])
      }
    }

    it.each(meetings)('over %s', async (_name, work, interference, runs) => {
      const owner = await scene()
      let seen = 0
      const attempt = store().write(async writer => {
        seen++
        await work(writer, owner)
        if (seen === 1) await store().write(writer => interference(writer, owner))
      })
      // The object that the work depends on may be gone when it runs again: then that is its answer.
      await attempt.catch(error => expect(error).toMatchObject({ code: 'object-not-found' }))
      expect(seen).toBe(runs)
      await store().read(async reader => {
        const links = await collect(reader.links(owner))
        expect((await reader.status(owner)).linkCount).toBe(links.length)
        const attributes = await collect(reader.attributes(owner))
        expect((await reader.status(owner)).attributeCount).toBe(attributes.length)
      })
    })

    it('work that can run only once fails instead, and nothing of it is written', async () => {
      const owner = await newGroup()
      const attempt = interfered(
        async writer => {
          await writer.link(owner, 'a')
          await writer.putLinks(owner, softLink('b'))
        },
        writer => writer.putLinks(owner, softLink('a')),
        { once: true },
      )
      await expect(attempt).rejects.toMatchObject({ code: 'storage-conflict', kind: 'busy' })
      expect(await store().read(reader => reader.link(owner, 'b'))).toBeUndefined()
    })

    it('work that can run only once runs again if it keeps what it has written', async () => {
      const into = dataset(newId(newRoot()), { dims: [40_000], chunkDims: [20_000] })
      await store().write(writer => writer.createObject(into))
      const owner = await newGroup()
      const given = Array.from({ length: 40_000 }, (_, index) => index)
      let kept: readonly number[] | undefined
      const { runs } = await interfered(
        async writer => {
          await writer.link(owner, 'a')
          writer.onConflict(async () => {
            kept = await readNumbers(writer, into)
          })
          await writer.writeValues(into, box([0], [40_000]), inPieces(int32s(kept ?? given)))
        },
        writer => writer.putLinks(owner, softLink('a')),
        { once: true },
      )
      expect(runs).toBe(2)
      expect(kept).toEqual(given)
      expect(await store().read(reader => readNumbers(reader, into))).toEqual(given)
    })
  })

  describe('a title that a write takes for free', () => {
    const putInto = (owner: ObjectId) => (writer: Writer) => writer.putLinks(owner, softLink('a'))

    it.each([{ once: false }, { once: true }])('and is taken is known in the end (%o)', async options => {
      const owner = await newGroup()
      await store().write(putInto(owner))
      const write = store().write(async writer => {
        const isFree = await writer.isTitleFree(owner, 'a')
        await writer.putLinks(owner, softLink(isFree ? 'a' : 'b'))
        return isFree
      }, options)
      expect(await write).toBe(false)
      expect(await store().read(reader => reader.link(owner, 'b'))).toBeDefined()
    })

    it('and is taken is known when the write fails with something else', async () => {
      const owner = await newGroup()
      await store().write(putInto(owner))
      const write = store().write(async writer => {
        throw new Error((await writer.isTitleFree(owner, 'a')) ? 'free' : 'taken')
      })
      await expect(write).rejects.toThrow('taken')
    })

    it('and is free takes one run, and is taken afterwards, in the same write too', async () => {
      const owner = await newGroup()
      let runs = 0
      const seen = await store().write(async writer => {
        runs++
        const before = await writer.isTitleFree(owner, 'a')
        await writer.putLinks(owner, softLink('a'))
        return [before, await writer.isTitleFree(owner, 'a')]
      })
      expect([runs, ...seen]).toEqual([1, true, false])
    })

    it('and another write takes is not taken twice', async () => {
      const owner = await newGroup()
      const { result, runs } = await interfered(async writer => {
        const isFree = await writer.isTitleFree(owner, 'a')
        await writer.putLinks(owner, softLink(isFree ? 'a' : 'b'))
        return isFree
      }, putInto(owner))
      expect([result, runs]).toEqual([false, 2])
    })
  })

  describe('writers of values that meet', () => {
    async function create(chunkDims: readonly number[], length = 12): Promise<Dataset> {
      const created = dataset(newId(newRoot()), { dims: [length], chunkDims, maxdims: ['H5S_UNLIMITED'] })
      await store().write(writer => writer.createObject(created))
      return created
    }
    const put = (into: Dataset, from: number, numbers: readonly number[]) => (writer: Writer) =>
      writer.writeValues(into, box([from], [numbers.length]), inPieces(int32s(numbers)))
    const numbers = (from: Dataset): Promise<number[]> => store().read(reader => readNumbers(reader, from))

    it('in different chunks: both are there, and neither runs twice', async () => {
      const into = await create([4])
      expect((await interfered(put(into, 0, [1, 1]), put(into, 5, [2, 2]))).runs).toBe(1)
      expect(await numbers(into)).toEqual([1, 1, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0])
    })

    it.each([
      ['inline chunks', 12],
      ['chunks in blobs', 20_000],
    ])('in one chunk: merged, even if the work can run only once (%s)', async (_name, length) => {
      const into = await create([length], length)
      const first = await interfered(put(into, 0, [1, 1]), put(into, 1, [2, 2]), { once: true })
      expect(first.runs).toBe(1)
      expect((await numbers(into)).slice(0, 5)).toEqual([1, 1, 2, 0, 0])
      const second = await interfered(
        async writer => {
          await put(into, 4, [5])(writer)
          await put(into, 0, [6])(writer)
        },
        put(into, 3, [4, 4, 4]),
        { once: true },
      )
      expect(second.runs).toBe(1)
      expect((await numbers(into)).slice(0, 7)).toEqual([6, 1, 2, 4, 5, 4, 0])
    })

    it.each([
      ['inline chunks', 6],
      ['chunks in blobs', 20_000],
    ])('other fields of the same elements: both are there (%s)', async (_name, length) => {
      const into = dataset(newId(newRoot()), { type: ROW, dims: [length], chunkDims: [length] })
      await store().write(writer => writer.createObject(into))
      const putFields =
        (from: number, rows: readonly (readonly JsonValue[])[], ...names: string[]) =>
        (writer: Writer) =>
          writer.writeValues(into, box([from], [rows.length]), inPieces(fieldsOfRows(names, rows)), {
            fields: names,
          })
      const rows = async () => (await store().read(reader => readRows(reader, into))).slice(0, 4)
      const texts = putFields(
        0,
        [
          ['x', 1],
          ['y', 2],
          ['z', 3],
        ],
        'text',
        'c',
      )
      const numbers = putFields(1, [[7], [8], [9]], 'a')
      expect((await interfered(texts, numbers, { once: true })).runs).toBe(1)
      expect(await rows()).toEqual([
        [0, 'x', 1],
        [7, 'y', 2],
        [8, 'z', 3],
        [9, '', 0],
      ])
      const both = async (writer: Writer): Promise<void> => {
        await putFields(0, [[1], [2]], 'a')(writer)
        await putFields(1, [['both']], 'text')(writer)
      }
      const whole = putFields(
        0,
        [
          [5, 'v', 5],
          [6, 'w', 6],
        ],
        'a',
        'text',
        'c',
      )
      expect((await interfered(both, whole, { once: true })).runs).toBe(1)
      expect((await rows()).slice(0, 3)).toEqual([
        [1, 'v', 5],
        [2, 'both', 6],
        [8, 'z', 3],
      ])
    })

    it('the whole chunk by one of them: as if one came after the other', async () => {
      const into = await create([12])
      const whole = new Array<number>(12).fill(3)
      expect((await interfered(put(into, 0, whole), put(into, 0, [9]), { once: true })).runs).toBe(1)
      expect(await numbers(into)).toEqual(whole)
      expect((await interfered(put(into, 0, [8]), put(into, 0, whole.fill(4)), { once: true })).runs).toBe(1)
      expect(await numbers(into)).toEqual([8, ...whole.slice(1)])
    })

    it.each([
      ['inline chunks', 12],
      ['chunks in blobs', 20_000],
    ])('one element for the whole chunk by one of them (%s)', async (_name, length) => {
      const into = await create([length], length)
      const fill = (number: number) => (writer: Writer) =>
        writer.writeValues(into, all(into), oneFor(length, int32s([number])))
      const first = async () => (await numbers(into)).slice(0, 4)
      expect((await interfered(fill(3), put(into, 0, [9]), { once: true })).runs).toBe(1)
      expect(await first()).toEqual([3, 3, 3, 3])
      expect((await interfered(put(into, 1, [8]), fill(4), { once: true })).runs).toBe(1)
      expect(await first()).toEqual([4, 8, 4, 4])
      expect((await interfered(fill(5), fill(6), { once: true })).runs).toBe(1)
      const into1 = put(into, 1, [1])
      expect((await interfered(into1, put(into, 2, [2]), { once: true })).runs).toBe(1)
      expect(await first()).toEqual([5, 1, 2, 5])
    })

    it('one element for all of very many chunks, and a part of one of them, is a conflict', async () => {
      const into = await create([1], 5000)
      const fill = (writer: Writer) => writer.writeValues(into, all(into), oneFor(5000, int32s([3])))
      const first = () =>
        store().read(async reader => {
          const there = await reader.object(into.id)
          return there?.kind === 'dataset' ? readNumbers(reader, there, box([0], [3])) : []
        })
      expect((await interfered(put(into, 0, [1, 1]), fill)).runs).toBe(2)
      expect(await first()).toEqual([1, 1, 3])
      await interfered(fill, put(into, 1, [2, 2]))
      expect(await first()).toEqual([3, 3, 3])
    })

    it('values that the work itself has read are no matter of merging', async () => {
      const into = await create([12])
      const increment = async (writer: Writer): Promise<void> => {
        const [value] = await readNumbers(writer, into, box([0], [1]))
        await put(into, 0, [value + 1])(writer)
      }
      expect((await interfered(increment, put(into, 0, [10]))).runs).toBe(2)
      expect((await numbers(into))[0]).toBe(11)
      const readAfter = async (writer: Writer): Promise<void> => {
        await put(into, 1, [1])(writer)
        const [value] = await readNumbers(writer, into, box([0], [1]))
        await put(into, 0, [value + 1])(writer)
      }
      await expect(interfered(readAfter, put(into, 0, [20]), { once: true })).rejects.toMatchObject({
        code: 'storage-conflict',
      })
      expect((await numbers(into))[0]).toBe(20)
    })

    it('a change of the extents or a deletion meanwhile is a conflict', async () => {
      for (const interfere of [
        (writer: Writer, into: Dataset) => writer.setExtents(into, [6]),
        (writer: Writer, { id }: Dataset) => writer.deleteObject(id, { links: true }),
      ]) {
        const into = await create([4])
        const interference = (writer: Writer): Promise<void> => interfere(writer, into)
        await expect(interfered(put(into, 0, [1]), interference, { once: true })).rejects.toMatchObject({
          code: 'storage-conflict',
        })
      }
    })

    it('values that are written while the dataset shrinks are not lost and not left outside', async () => {
      const into = await create([4])
      const { runs } = await interfered(writer => writer.setExtents(into, [6]), put(into, 4, [1, 2, 3, 4]))
      expect(runs).toBe(2)
      await store().write(async writer => {
        const small = await writer.object(into.id)
        if (small?.kind === 'dataset') await writer.setExtents(small, [12])
      })
      expect(await numbers(into)).toEqual([0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0])
    })

    it.each([
      ['an inline chunk', 100, []],
      ['a chunk in a blob', 20_000, []],
      ['a chunk behind filters', 20_000, SHUFFLE_DEFLATE],
    ] as const)('a hundred in %s at once: every element is there', async (_name, length, filters) => {
      const into = dataset(newId(newRoot()), { dims: [length], chunkDims: [length], filters })
      await store().write(writer => writer.createObject(into))
      const writers = Array.from({ length: 100 }, (_, i) => i)
      const failure = new Error('the work fails')
      const outcomes = await Promise.allSettled(
        writers.map(i =>
          store().write(
            async writer => {
              await put(into, i, [i + 1])(writer)
              if (i % 10 === 3) throw failure
              return i
            },
            { once: i % 10 === 7 },
          ),
        ),
      )
      expect(outcomes).toEqual(
        writers.map(i =>
          i % 10 === 3 ? { status: 'rejected', reason: failure } : { status: 'fulfilled', value: i },
        ),
      )
      expect((await numbers(into)).slice(0, 100)).toEqual(writers.map(i => (i % 10 === 3 ? 0 : i + 1)))
    })

    it('a hundred that append, while others write what is there: none is lost, none is there twice', async () => {
      const into = await create([64], 10)
      const append = (number: number) => async (writer: Writer) => {
        const now = await writer.object(into.id)
        if (now?.kind !== 'dataset' || now.space.class !== 'H5S_SIMPLE') throw new Error('it is gone')
        const [length] = now.space.dims
        await writer.setExtents(now, [length + 1])
        const grown: Dataset = { ...now, space: { ...now.space, dims: [length + 1] } }
        await put(grown, length, [number])(writer)
      }
      const write = (i: number) => async (writer: Writer) => {
        const now = await writer.object(into.id)
        if (now?.kind === 'dataset') await put(now, i, [-i])(writer)
      }
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => [
          store().write(append(i + 1)),
          ...(i < 10 ? [store().write(write(i))] : []),
        ]).flat(),
      )
      const grown = await store().read(reader => reader.object(into.id))
      if (grown?.kind !== 'dataset') throw new Error('it is gone')
      const written = await numbers(grown)
      expect(written.slice(0, 10).map(Math.abs)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(written.slice(10).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
    })
  })
}
