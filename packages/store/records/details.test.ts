// Details of objects are what `object`, `attributes` and `allocation` give for each, however many attributes objects
// have and whichever names.

import type { ObjectId } from '@hyperslab/model/names'
import { singlePiece } from '@hyperslab/model/values'
import { afterAll, expect, it } from 'vitest'
import {
  attribute,
  box,
  dataset,
  domain,
  group,
  int32s,
  newId,
  newRoot,
} from '../../../test/conformance/sample-objects.ts'
import { openMemoryStore } from '../../../test/fixtures/server.ts'
import type { ListedAttribute, Reader } from '../interfaces/store.ts'

const store = openMemoryStore()
afterAll(() => store.close())

/** The names of the attributes of each object, in the order of their creation. */
const NAMES = [
  ['b', 'a'],
  ['b', 'a'],
  ['a', 'c'],
  ['b', 'a', 'c'],
  [],
  ['c'],
  ['a'],
  Array.from({ length: 65 }, (_, i) => `many ${i}`),
  ['c', 'b'],
]

async function listed(attributes: AsyncIterable<ListedAttribute>): Promise<readonly ListedAttribute[]> {
  const all: ListedAttribute[] = []
  for await (const one of attributes) all.push(one)
  return all
}

async function detailsOfEach(reader: Reader, ids: readonly ObjectId[]) {
  return Promise.all(
    ids.map(async id => {
      const object = await reader.object(id)
      const attributes = await listed(reader.attributes(id, { order: 'created' }))
      const { chunks } = await reader.allocation(id)
      return (
        object && {
          object,
          status: await reader.status(id),
          chunks,
          ...(attributes.length <= 64 && { attributes }),
        }
      )
    }),
  )
}

it('are those of each object', async () => {
  const root = newRoot()
  const ids = [root, ...NAMES.map(() => newId(root)), newId(root)]
  await store.write(async writer => {
    await writer.createObject(group(root))
    await writer.putDomain(domain('/details.h5', root))
    for (const [index, names] of NAMES.entries()) {
      const stored = dataset(ids[index + 1], { dims: [4], chunkDims: [2] })
      await writer.createObject(stored)
      for (const [at, name] of names.entries()) {
        await writer.putAttributes(stored.id, { ...attribute(name), created: at, value: int32s([index, at]) })
      }
      if (index % 2 === 0) await writer.writeValues(stored, box([0], [3]), singlePiece(int32s([1, 2, 3])))
    }
  })
  await store.read(async reader => {
    expect(await reader.details(ids)).toEqual(await detailsOfEach(reader, ids))
    expect(await reader.details([])).toEqual([])
  })
  // An attribute that is deleted, and one under a name that the object before has not.
  await store.write(async writer => {
    await writer.deleteAttribute(ids[2], 'a')
    await writer.putAttributes(ids[2], { ...attribute('d'), created: 7, value: int32s([1]) })
    expect(await writer.details(ids)).toEqual(await detailsOfEach(writer, ids))
  })
})

it('leave out attributes beyond a mebibyte of records', async () => {
  const root = newRoot()
  const ids = Array.from({ length: 80 }, () => newId(root))
  await store.write(async writer => {
    await writer.createObject(group(root))
    await writer.putDomain(domain('/long.h5', root))
    for (const id of ids) {
      await writer.createObject(group(id))
      const value = int32s(Array.from({ length: 4000 }, (_, i) => i))
      await writer.putAttributes(id, { ...attribute('long'), value })
    }
  })
  await store.read(async reader => {
    const details = await reader.details(ids)
    expect(details.map(found => found?.object.id)).toEqual(ids)
    const withAttributes = details.filter(found => found?.attributes).length
    expect(withAttributes).toBeGreaterThan(60)
    expect(withAttributes).toBeLessThan(80)
  })
})
