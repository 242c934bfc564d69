// Contents that are filled for a domain that is to be, as an import does it: nothing earlier is looked for, and what
// comes out is the same.

import type { ObjectId } from '@hyperslab/model/names'
import type { Writer } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import {
  all,
  attribute,
  box,
  collect,
  count,
  dataset,
  domain,
  group,
  hardLink,
  inPieces,
  int32s,
  newId,
  newRoot,
  oneFor,
  readNumbers,
  SHUFFLE_DEFLATE,
  softLink,
} from './sample-objects.ts'
import type { TheStore } from './store.ts'

/** The values of a longer attribute have an id of their own. */
const LARGE = 20_000

/** The creation time of the objects, like in an import. */
const TIME = { time: 1 }

export function describeFilling(store: TheStore): void {
  /** The same contents under any root, in two writes. */
  function contentsOf(root: ObjectId) {
    const child = group(newId(root))
    const small = dataset(newId(root), { dims: [2, 3], chunkDims: [4, 3] })
    const filtered = dataset(newId(root), { dims: [5], chunkDims: [8], filters: SHUFFLE_DEFLATE })
    const chunked = dataset(newId(root), { dims: [6], chunkDims: [4] })
    const repeated = dataset(newId(root), { dims: [5000], chunkDims: [1] })
    const unreadable = dataset(newId(root), { dims: [6], chunkDims: [4] })
    const datasets = { small, filtered, chunked, repeated, unreadable }
    const writes = [
      async (writer: Writer) => {
        await writer.createObject(child)
        for (const object of Object.values(datasets)) await writer.createObject(object)
        await writer.putLinks(root, hardLink('child', child.id))
        for (const [title, { id }] of Object.entries(datasets)) {
          await writer.putLinks(child.id, hardLink(title, id, 1, 'dataset'))
        }
        for (const into of [small, filtered, unreadable]) {
          await writer.writeValues(into, all(into), inPieces(int32s(count(into)), 4))
        }
        await writer.writeValues(chunked, box([0], [2]), inPieces(int32s([1, 2])))
      },
      async (writer: Writer) => {
        await writer.putLinks(child.id, hardLink('up', root))
        await writer.putLinks(root, softLink('soft'))
        await writer.putAttributes(root, attribute('a', [1, 2]))
        await writer.putAttributes(child.id, attribute('large', Array(LARGE).fill(3)))
        await writer.writeValues(chunked, box([2], [3]), inPieces(int32s([3, 4, 5])))
        await writer.writeValues(repeated, all(repeated), oneFor(5000, int32s([7])))
        await writer.markUnreadable(unreadable.id, 'it is damaged')
      },
    ]
    return { child, datasets, writes }
  }

  async function make(path: string, isFilled: boolean) {
    const root = newRoot()
    const { child, datasets, writes } = contentsOf(root)
    await store().write(writer => writer.createObject(group(root)), TIME)
    for (const write of writes) {
      await store().write(async writer => {
        if (isFilled) await writer.renewUnfinished(root, store().now())
        await write(writer)
      }, TIME)
    }
    await store().write(writer => writer.putDomain(domain(path, root)), TIME)
    return store().read(async reader => {
      const values: Record<string, unknown> = {}
      const statuses: unknown[] = []
      for (const [name, { id }] of Object.entries(datasets)) {
        const stored = await reader.object(id)
        if (stored?.kind !== 'dataset') throw new Error(`there is no dataset ${name}`)
        values[name] = stored.unreadable ?? (await readNumbers(reader, stored))
        const { linkCount, attributeCount, lastModified } = await reader.status(id)
        statuses.push({ linkCount, attributeCount, lastModified }, await reader.allocation(id))
      }
      return {
        values,
        statuses,
        statistics: await reader.statistics(domain(path).path),
        titles: (await collect(reader.links(child.id, { order: 'created' }))).map(({ title }) => title),
        up: (await collect(reader.linksTo(root))).map(({ title }) => title),
        names: (await collect(reader.attributes(child.id))).map(({ name }) => name),
        groups: (await collect(reader.objects(root, 'group'))).length,
      }
    })
  }

  describe('contents that are filled', () => {
    it('are those that the same calls make in a domain', async () => {
      const filled = await make('/filling-1', true)
      expect(filled).toEqual(await make('/filling-2', false))
      expect(filled.values).toMatchObject({ chunked: [1, 2, 3, 4, 5, 0], unreadable: 'it is damaged' })
      expect(filled.titles).toContain('up')
    })
  })
}
