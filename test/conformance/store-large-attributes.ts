// Attributes whose values are too long for their records: whatever happens to them, their elements are read in pieces
// and what they take is counted as metadata of the domain.

import { hash } from 'node:crypto'
import type { ObjectId } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import { describe, expect, it } from 'vitest'
import type { Attribute, LargeValue } from '../../packages/store/interfaces/store.ts'
import {
  attribute,
  dataset,
  domain,
  expectSame,
  group,
  inPieces,
  int32s,
  newId,
  newRoot,
  numbered,
  numbersOf,
  TEXT,
  texts,
  wholeValue,
} from './sample-objects.ts'
import type { TheStore } from './store.ts'

/** 80,000 bytes. */
const LARGE = 20_000

function large(value: Attribute['value']): LargeValue {
  if (value === undefined || !('pieces' in value)) throw new Error('the value is not large')
  return value
}

/** The digest of elements that are too many to be compared one by one. */
function digestOf(elements: Elements | undefined): string {
  if (elements === undefined) return 'none'
  const { count, data, heap } = elements
  return `${count} ${hash('sha1', data)} ${hash('sha1', heap)}`
}

export function describeLargeAttributes(store: TheStore): void {
  let domains = 0

  /** A domain with a group in it. */
  async function newOwner(): Promise<{
    readonly owner: ObjectId
    readonly path: ReturnType<typeof domain>['path']
  }> {
    const root = newRoot()
    const owner = newId(root)
    const entry = domain(`/large${domains++}-${root.slice(0, 8)}`, root)
    await store().write(async writer => {
      await writer.putDomain(entry)
      await writer.createObject(group(root))
      await writer.createObject(group(owner))
    })
    return { owner, path: entry.path }
  }

  async function read(owner: ObjectId, name: string): Promise<number[] | undefined> {
    return store().read(async reader => {
      const found = await reader.attribute(owner, name)
      const value = found && (await wholeValue(found.type, found.value))
      return value && numbersOf(value)
    })
  }

  async function statistics(path: ReturnType<typeof domain>['path']) {
    const found = await store().read(reader => reader.statistics(path))
    if (found === undefined) throw new Error('there is no domain')
    return found
  }

  describe('large attributes', () => {
    it.each<[string, (value: Elements) => Elements | AsyncIterable<Elements>]>([
      ['whole', value => value],
      ['in pieces', value => inPieces(value, 37)],
    ])('given %s come back in pieces, in listings too', async (_, given) => {
      const { owner } = await newOwner()
      const numbers = {
        ...attribute('numbers', numbered(LARGE), 3),
        space: { class: 'H5S_SIMPLE', dims: [100, 200] },
      } as const
      const strings = numbered(3000).map(number => 'é'.repeat(number % 50))
      const text = {
        ...numbers,
        name: 'text',
        type: TEXT,
        space: { class: 'H5S_SIMPLE', dims: [3000] },
      } as const
      const scalar = { ...text, name: 'scalar', space: { class: 'H5S_SCALAR' } } as const
      const long = ['x'.repeat(1_500_000)]
      await store().write(async writer => {
        await writer.putAttributes(owner, { ...numbers, value: given(numbers.value) })
        await writer.putAttributes(owner, { ...text, value: given(texts(strings)) })
        await writer.putAttributes(owner, { ...scalar, value: given(texts(long)) })
        expect((await wholeValue(TEXT, (await writer.attribute(owner, 'scalar'))?.value))?.count).toBe(1)
      })
      await store().read(async reader => {
        const all: Attribute[] = []
        for await (const one of reader.attributes(owner)) if ('type' in one) all.push(one)
        expect(all.map(({ name }) => name)).toEqual(['numbers', 'scalar', 'text'])
        expect(all[0]).toEqual({ ...numbers, value: expect.anything() })
        for (const one of all)
          expect(await reader.attribute(owner, one.name)).toMatchObject({ name: one.name })
        const [first, second, third] = await Promise.all(
          all.map(({ type, value }) => wholeValue(type, large(value))),
        )
        expect(digestOf(first)).toBe(digestOf(int32s(numbered(LARGE))))
        expect(digestOf(second)).toBe(digestOf(texts(long)))
        expect(digestOf(third)).toBe(digestOf(texts(strings)))
        // Read again: the same.
        const again = await wholeValue(TEXT, all[2].value)
        expect(digestOf(again)).toBe(digestOf(third))
      })
    })

    it('given in pieces that hold too few or too many elements are refused, and nothing changes', async () => {
      const { owner, path } = await newOwner()
      const before = await statistics(path)
      for (const count of [0, 1, LARGE - 1, LARGE + 1, 3 * LARGE]) {
        const wrong = { ...attribute('a', [], 3), space: { class: 'H5S_SIMPLE', dims: [LARGE] } } as const
        const attempt = store().write(writer =>
          writer.putAttributes(owner, { ...wrong, value: inPieces(int32s(numbered(count)), 1000) }),
        )
        await expect(attempt).rejects.toMatchObject({ code: 'value-count-mismatch' })
      }
      const few = { ...attribute('a', [], 3), space: { class: 'H5S_SIMPLE', dims: [2] } } as const
      const attempt = store().write(writer =>
        writer.putAttributes(owner, { ...few, value: inPieces(int32s([1, 2, 3])) }),
      )
      await expect(attempt).rejects.toMatchObject({ code: 'value-count-mismatch' })
      expect(await read(owner, 'a')).toBeUndefined()
      expect(await statistics(path)).toEqual(before)
    })

    it('are replaced by smaller and larger ones, each with a version of its own', async () => {
      const { owner, path } = await newOwner()
      const empty = await statistics(path)
      const versions = new Set<string>()
      const sizes: number[] = []
      for (const count of [LARGE, 5, 3 * LARGE, LARGE, LARGE]) {
        await store().write(writer => writer.putAttributes(owner, attribute('a', numbered(count, count))))
        expectSame(await read(owner, 'a'), numbered(count, count))
        const value = await store().read(async reader => (await reader.attribute(owner, 'a'))?.value)
        if (value !== undefined && 'pieces' in value) versions.add(value.version)
        const { metadataBytes, chunks, allocatedBytes } = await statistics(path)
        expect([chunks, allocatedBytes]).toEqual([0, 0])
        sizes.push(metadataBytes)
      }
      expect(versions.size).toBe(4)
      expect(sizes[2] - sizes[0]).toBe(4 * 2 * LARGE)
      expect([sizes[3], sizes[4]]).toEqual([sizes[0], sizes[0]])
      expect(sizes[0]).toBeGreaterThan(sizes[1] + 4 * LARGE - 100)
      await store().write(writer => writer.deleteAttribute(owner, 'a'))
      expect(await statistics(path)).toEqual({ ...empty, lastModified: expect.any(Number) })
      expect(await read(owner, 'a')).toBeUndefined()
    })

    it('that were replaced or deleted are still there for a reader from before', async () => {
      const { owner } = await newOwner()
      await store().write(async writer => {
        await writer.putAttributes(owner, attribute('a', numbered(LARGE)))
        await writer.putAttributes(owner, attribute('b', numbered(LARGE)))
      })
      await store().read(async reader => {
        await store().write(async writer => {
          await writer.putAttributes(owner, attribute('a', [1]))
          await writer.deleteAttribute(owner, 'b')
        })
        await store().sweeper.sweepGarbage()
        await store().sweeper.findOrphans()
        for (const name of ['a', 'b']) {
          const value = await wholeValue(attribute('').type, (await reader.attribute(owner, name))?.value)
          expectSame(value && numbersOf(value), numbered(LARGE))
        }
      })
      expect(await read(owner, 'a')).toEqual([1])
    })

    it('replaced twice in one write are what was put last', async () => {
      const { owner, path } = await newOwner()
      await store().write(async writer => {
        await writer.putAttributes(owner, attribute('a', numbered(LARGE)))
        await writer.putAttributes(owner, attribute('a', numbered(2 * LARGE)))
        await writer.putAttributes(owner, attribute('b', numbered(LARGE)))
        await writer.deleteAttribute(owner, 'b')
      })
      expectSame(await read(owner, 'a'), numbered(2 * LARGE))
      const { chunks, metadataBytes } = await statistics(path)
      expect(chunks).toBe(0)
      expect(metadataBytes).toBeLessThan(4 * 2 * LARGE + 2000)
    })

    it('go with their owner, and do not come back with one of the same id', async () => {
      const { owner, path } = await newOwner()
      const empty = await statistics(path)
      await store().write(writer => writer.putAttributes(owner, attribute('a', numbered(LARGE))))
      await store().write(writer => writer.deleteObject(owner, { links: true }))
      expect((await statistics(path)).metadataBytes).toBeLessThan(empty.metadataBytes)
      await store().write(writer => writer.createObject(group(owner)))
      expect(await read(owner, 'a')).toBeUndefined()
      expect(await statistics(path)).toEqual({ ...empty, lastModified: expect.any(Number) })
    })

    it('are none of the objects of the domain, and their ids open nothing', async () => {
      const { owner, path } = await newOwner()
      await store().write(writer => writer.putAttributes(owner, attribute('a', numbered(LARGE))))
      await store().read(async reader => {
        const { version } = large((await reader.attribute(owner, 'a'))?.value)
        expect(await reader.object(version as ObjectId)).toBeUndefined()
        for (const kind of ['group', 'dataset', 'datatype'] as const) {
          for await (const id of reader.objects(owner, kind)) expect(id).not.toBe(version)
        }
      })
      expect(await statistics(path)).toMatchObject({ groups: 2, datasets: 0, datatypes: 0, logicalBytes: 0 })
    })

    it('written by many at once are those of one of them', async () => {
      const { owner, path } = await newOwner()
      const firsts = [1, 2, 3, 4, 5, 6].map(number => number * 100_000)
      const seen: number[] = []
      await Promise.all(
        firsts.map(first =>
          store()
            .write(async writer => {
              const before = await wholeValue(attribute('').type, (await writer.attribute(owner, 'a'))?.value)
              await writer.putAttributes(owner, {
                ...attribute('a', numbered(LARGE, first)),
                value: inPieces(int32s(numbered(LARGE, first)), 5000),
              })
              // Each saw another one's value, or none: they came one after another.
              return before === undefined ? 0 : numbersOf(before)[0]
            })
            .then(before => seen.push(before)),
        ),
      )
      const [last, ...others] = (await read(owner, 'a')) ?? []
      expect(firsts).toContain(last)
      expectSame(others, numbered(LARGE, last).slice(1))
      expect([...seen, last].sort()).toEqual([0, ...firsts].sort())
      const { chunks, metadataBytes } = await statistics(path)
      expect(chunks).toBe(0)
      expect(metadataBytes).toBeLessThan(4 * LARGE + 2000)
    })

    it('beside the deletion of their owner: one of the two comes first', async () => {
      const { owner, path } = await newOwner()
      const put = store().write(writer => writer.putAttributes(owner, attribute('a', numbered(LARGE))))
      const gone = store().write(writer => writer.deleteObject(owner, { links: true }))
      const [outcome] = await Promise.allSettled([put, gone])
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'object-not-found' })
      expect(await read(owner, 'a')).toBeUndefined()
      expect((await statistics(path)).metadataBytes).toBeLessThan(1000)
    })

    it('do not change what a dataset of the same owner id has', async () => {
      const { owner, path } = await newOwner()
      const into = dataset(newId(owner), { dims: [LARGE], chunkDims: [LARGE] })
      await store().write(async writer => {
        await writer.createObject(into)
        await writer.putAttributes(into.id, attribute('a', numbered(LARGE)))
      })
      expect(await store().read(reader => reader.allocation(into.id))).toEqual({ chunks: 0, bytes: 0 })
      await store().write(writer => writer.markUnreadable(into.id, 'lost'))
      expectSame(await read(into.id, 'a'), numbered(LARGE))
      expect(await statistics(path)).toMatchObject({ chunks: 0, allocatedBytes: 0 })
    })
  })
}
