import { ObjectIds } from '@hyperslab/model/names'
import { expect, it } from 'vitest'
import {
  all,
  dataset,
  domain,
  group,
  hardLink,
  inPieces,
  int32s,
  numbersOf,
} from '../../../../test/conformance/sample-objects.ts'
import { seededRandom } from '../../../../test/engines/clock.ts'
import { ADMIN, ANONYMOUS, item, openTestService, path } from '../../../../test/fixtures/service.ts'
import { describeDomain } from './bulk-descriptions.ts'

const PATH = path('/test/bulk')

it('tells each dataset its own value, if it lies in one chunk', async () => {
  const service = await openTestService()
  const random = seededRandom(100)
  const root = new ObjectIds(random).newRoot()
  const shapes = Array.from({ length: 50 }, (_, i) => ({ dims: [3], chunkDims: [i % 2 === 0 ? 3 : 2] }))
  const datasets = shapes.map(shape => dataset(new ObjectIds(random).newObject(root), shape))
  await service.write(async ({ writer }) => {
    await writer.putDomain(domain(PATH, root))
    for (const object of [group(root), ...datasets]) await writer.createObject(object)
    for (const [i, object] of datasets.entries()) {
      await writer.putLinks(root, hardLink(`d${i}`, object.id, 1, 'dataset'))
      await writer.writeValues(object, all(object), inPieces(int32s([i, i + 1, i + 2])))
    }
  })
  const values = await service.readIn(
    async (context, opened) => {
      const found = new Map<string, readonly number[] | undefined>()
      for await (const { object, value } of describeDomain(context, opened, {
        attributes: false,
        byCreation: false,
      })) {
        found.set(object.id, value && numbersOf(value))
      }
      return found
    },
    ANONYMOUS,
    PATH,
  )
  expect(values.size).toBe(51)
  for (const [i, { id }] of datasets.entries()) {
    expect(values.get(id)).toEqual(i % 2 === 0 ? [i, i + 1, i + 2] : undefined)
  }
})

it('leaves out what the caller may not read, and what only that leads to', async () => {
  const service = await openTestService()
  const random = seededRandom(101)
  const root = new ObjectIds(random).newRoot()
  const [secret, behind, shared] = Array.from({ length: 3 }, () =>
    group(new ObjectIds(random).newObject(root)),
  )
  await service.write(async ({ writer }) => {
    await writer.putDomain(domain(PATH, root))
    const objects = [group(root), { ...secret, acl: [item('default')] }, behind, shared]
    for (const object of objects) await writer.createObject(object)
    await writer.putLinks(root, hardLink('a', secret.id))
    await writer.putLinks(secret.id, hardLink('b', behind.id))
    await writer.putLinks(secret.id, hardLink('c', shared.id))
    await writer.putLinks(root, hardLink('d', shared.id))
  })
  const idsFor = (caller: typeof ADMIN) =>
    service.readIn(
      async (context, opened) => {
        const ids: string[] = []
        for await (const { object } of describeDomain(context, opened, {
          attributes: true,
          byCreation: false,
        }))
          ids.push(object.id)
        return ids
      },
      caller,
      PATH,
    )
  expect(await idsFor(ADMIN)).toEqual([root, secret.id, behind.id, shared.id])
  expect(await idsFor(ANONYMOUS)).toEqual([root, shared.id])
})
