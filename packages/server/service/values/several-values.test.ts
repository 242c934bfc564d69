import { parseDatatype } from '@hyperslab/model/datatype'
import { elementsFromJson } from '@hyperslab/model/json'
import type { ObjectId } from '@hyperslab/model/names'
import { expect, it } from 'vitest'
import { openTestService, REFERENCES, type TestService } from '../../../../test/fixtures/service.ts'
import { parseShape } from '../../http/input/shapes.ts'
import { createDataset } from '../creation/datasets.ts'
import { inSlices } from '../objects/read-together.ts'
import { SELECT_ALL } from '../selection/request.ts'
import { type Item, readSeveralValues, writeSeveralValues } from './several-values.ts'
import type { WriteRequest } from './values.ts'

const I32 = parseDatatype('H5T_STD_I32LE')

/** An abort check that throws when it is asked for the `count`th time. */
function leavesAfter(count: number) {
  let asked = 0
  return {
    throwIfAborted() {
      if (++asked > count) throw new Error('the client has left')
    },
    asked: () => asked,
  }
}

async function newDataset(service: TestService): Promise<ObjectId> {
  const space = parseShape([2], undefined)
  const { object } = await service.writeIn((context, domain) =>
    createDataset(context, domain, { type: { type: I32 }, space }),
  )
  return object.id
}

function itemsOf<Request>(id: ObjectId, request: Request): readonly Item<Request>[] {
  return Array.from({ length: 500 }, (_, i) => ({ dataset: { id }, location: `body.values[${i}]`, request }))
}

it('a client that leaves ends the search for datasets', async () => {
  const service = await openTestService()
  const id = await newDataset(service)
  const signal = leavesAfter(50)
  const reading = service.readIn((context, domain) =>
    readSeveralValues({ ...context, signal }, domain, itemsOf(id, { selection: SELECT_ALL })),
  )
  await expect(reading).rejects.toThrow('the client has left')
  // Datasets that are opened at once look once each.
  expect(signal.asked()).toBeLessThan(100)
})

it('a client that leaves ends a write, of which nothing is stored', async () => {
  const service = await openTestService()
  const id = await newDataset(service)
  const signal = leavesAfter(50)
  let decoded = 0
  async function* decode() {
    decoded++
    yield elementsFromJson(I32, [2], [7, 7], REFERENCES)
  }
  const write: WriteRequest = { selection: SELECT_ALL, decode }
  const writing = service.writeIn((context, domain) =>
    writeSeveralValues({ ...context, signal }, domain, inSlices(itemsOf(id, write)), {}),
  )
  await expect(writing).rejects.toThrow('the client has left')
  expect(decoded).toBeLessThan(60)
  const bytes = await service.readIn(async (context, domain) => {
    const [one] = await readSeveralValues(context, domain, itemsOf(id, { selection: SELECT_ALL }).slice(0, 1))
    const all: Buffer[] = []
    for await (const { data } of one?.values.elements ?? []) all.push(Buffer.from(data))
    return Buffer.concat(all)
  })
  expect(bytes).toEqual(Buffer.alloc(8))
})
