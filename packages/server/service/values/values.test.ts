import { parseDatatype } from '@hyperslab/model/datatype'
import { elementsFromJson, type JsonValue, parseJson } from '@hyperslab/model/json'
import { idFromHex, type ObjectId } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import { describe, expect, it } from 'vitest'
import {
  ANN,
  item,
  openTestService,
  outcomeOf,
  REFERENCES,
  RUN7,
  type TestService,
} from '../../../../test/fixtures/service.ts'
import { parseShape } from '../../http/input/shapes.ts'
import { createDataset } from '../creation/datasets.ts'
import { createGroup } from '../creation/groups.ts'
import { openDomain } from '../domains/domains.ts'
import { deleteObject, getObject } from '../objects/objects.ts'
import { parseHyperslab, parseSelect } from '../selection/parse.ts'
import { SELECT_ALL, type SelectionRequest } from '../selection/request.ts'
import { setShape } from './extents.ts'
import { readValues, type WriteRequest, type WriteValuesRules, writeValues } from './values.ts'

const I32 = parseDatatype('H5T_STD_I32LE')
const OBJECT_REFERENCE = parseDatatype(parseJson('{"class": "H5T_REFERENCE", "base": "H5T_STD_REF_OBJ"}'))

function points(rank: number, ...coordinates: number[]): SelectionRequest {
  return { kind: 'points', rank, coordinates: Float64Array.from(coordinates) }
}

async function newDataset(
  service: TestService,
  shape: JsonValue | undefined,
  maxdims?: JsonValue,
  type = I32,
) {
  const space = parseShape(shape, maxdims)
  const { object } = await service.writeIn((context, domain) =>
    createDataset(context, domain, { type: { type }, space }),
  )
  return object.id
}

/** The numbers of an I32 dataset. */
async function numbers(
  service: TestService,
  id: ObjectId,
  request: SelectionRequest = SELECT_ALL,
  caller = ANN,
) {
  return service.readIn(async (context, domain) => {
    const { elements } = await readValues(context, domain, id, { selection: request })
    const all: number[] = []
    for await (const { data, count } of elements) {
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
      for (let i = 0; i < count; i++) all.push(view.getInt32(4 * i, true))
    }
    return all
  }, caller)
}

async function* asPieces(pieces: Elements[]) {
  yield* pieces
}

/** Gives the values in pieces of three, whatever is asked for. */
function inThrees(values: readonly JsonValue[]): WriteRequest['decode'] {
  return type => {
    const pieces: Elements[] = []
    for (let i = 0; i < values.length; i += 3) {
      const some = values.slice(i, i + 3)
      pieces.push(elementsFromJson(type, [some.length], some, REFERENCES))
    }
    return asPieces(pieces)
  }
}

function write(
  service: TestService,
  id: ObjectId,
  values: readonly JsonValue[],
  request: Partial<WriteRequest> | SelectionRequest = SELECT_ALL,
  rules: WriteValuesRules = {},
  caller = ANN,
) {
  const asked = 'kind' in request ? { selection: request } : request
  return service.writeIn(
    (context, domain) =>
      writeValues(context, domain, id, { selection: SELECT_ALL, decode: inThrees(values), ...asked }, rules),
    caller,
  )
}

describe('values', () => {
  it('are read as they were written, whole or in part', async () => {
    const service = await openTestService()
    const id = await newDataset(service, [3, 4])
    expect(await numbers(service, id)).toEqual(Array(12).fill(0))
    const all = Array.from({ length: 12 }, (_, index) => index * index)
    await write(service, id, all)
    expect(await numbers(service, id)).toEqual(all)
    await write(service, id, [-1, -2], parseHyperslab([1, 1], [2, 4], [1, 2]))
    expect(await numbers(service, id, parseSelect('[1:2,:]', 'ranges'))).toEqual([16, -1, 36, -2])
    expect(await numbers(service, id, points(2, 2, 3, 0, 0, 2, 3))).toEqual([121, 0, 121])
  })

  it('of a scalar are one', async () => {
    const service = await openTestService()
    const id = await newDataset(service, undefined)
    await write(service, id, [42])
    expect(await numbers(service, id, parseSelect('[0:1]', 'ranges'))).toEqual([42])
  })

  it('of no elements are none', async () => {
    const service = await openTestService()
    const id = await newDataset(service, [0, 3], [0, 3])
    expect(await numbers(service, id)).toEqual([])
    await write(service, id, [])
    await service.writeIn((context, domain) => setShape(context, domain, id, [1, 3], { shrink: false }))
    expect(await numbers(service, id)).toEqual([0, 0, 0])
  })

  it('of a null dataspace are not there: reading says so, points and writing are errors', async () => {
    const service = await openTestService()
    const id = await newDataset(service, 'H5S_NULL')
    const read = (request: SelectionRequest) =>
      service.readIn((context, domain) => readValues(context, domain, id, { selection: request }))
    expect(await read(SELECT_ALL)).toMatchObject({ shape: undefined })
    expect(await numbers(service, id, parseSelect('[0:1]', 'ranges'))).toEqual([])
    expect(await outcomeOf(read(points(1, 0)))).toBe('null-dataspace')
    expect(await outcomeOf(write(service, id, [1]))).toBe('null-dataspace')
  })

  it('written change the dataset and nothing else', async () => {
    const service = await openTestService()
    const id = await newDataset(service, [4])
    const view = () => service.readIn((context, domain) => getObject(context, domain, 'dataset', id))
    const before = await view()
    await write(service, id, [1], points(1, 2))
    const after = await view()
    expect(after.object).toEqual(before.object)
    expect(after.status.lastModified).toBeGreaterThan(before.status.lastModified)
    expect(after.status.version).not.toBe(before.status.version)
  })

  it.each<[string, JsonValue[], SelectionRequest, string]>([
    ['too few', [1, 2, 3], SELECT_ALL, 'value-count-mismatch'],
    ['too many', [1, 2, 3, 4, 5], SELECT_ALL, 'value-count-mismatch'],
    ['not of the type', [1, 2, 3, 'four'], SELECT_ALL, 'type-mismatch'],
    ['outside the extents', [1], points(1, 4), 'selection-out-of-bounds'],
    ['of another rank', [1], parseHyperslab([0, 0], [1, 1], undefined), 'malformed-selection'],
  ])('that are %s are refused and nothing is changed', async (_, values, request, code) => {
    const service = await openTestService()
    const id = await newDataset(service, [4])
    await write(service, id, [9, 8, 7, 6])
    expect(await outcomeOf(write(service, id, values, request))).toBe(code)
    expect(await numbers(service, id)).toEqual([9, 8, 7, 6])
  })

  it('read need `read`, written need `update`, on the dataset', async () => {
    const service = await openTestService()
    const id = await newDataset(service, [1])
    await service.write(({ writer }) => writer.setAcl(id, [item('ann', 'read')]))
    expect(await outcomeOf(write(service, id, [1]))).toBe('permission-denied')
    expect(await outcomeOf(numbers(service, id))).toBe('granted')
    await service.write(({ writer }) => writer.setAcl(id, [item('ann', 'update')]))
    expect(await outcomeOf(write(service, id, [1]))).toBe('granted')
    expect(await outcomeOf(numbers(service, id))).toBe('permission-denied')
  })

  it('that could not be imported are neither read nor written, and everything else of the dataset is', async () => {
    const service = await openTestService()
    const id = await newDataset(service, [2], [4])
    await service.write(({ writer }) => writer.markUnreadable(id, 'the filter lzf is not available'))
    expect(await outcomeOf(numbers(service, id))).toBe('values-unreadable')
    await expect(numbers(service, id)).rejects.toThrow(
      'imported from its file: the filter lzf is not available',
    )
    expect(await outcomeOf(write(service, id, [1, 2]))).toBe('values-unreadable')
    await service.readIn((context, domain) => getObject(context, domain, 'dataset', id))
    await service.writeIn((context, domain) => setShape(context, domain, id, [3], { shrink: false }))
    expect(await outcomeOf(numbers(service, id))).toBe('values-unreadable')
  })

  it('of a dataset that was deleted are gone', async () => {
    const service = await openTestService()
    const id = await newDataset(service, [1])
    await service.writeIn((context, domain) => deleteObject(context, domain, 'dataset', id, { links: true }))
    expect(await outcomeOf(numbers(service, id))).toBe('object-deleted')
    expect(await outcomeOf(write(service, id, [1]))).toBe('object-deleted')
  })

  it('that are references name objects of the domain, where the dialect wants that', async () => {
    const service = await openTestService()
    const { root } = await service.read(context => openDomain(context, RUN7))
    const { object } = await service.writeIn((context, domain) => createGroup(context, domain, {}))
    const id = await newDataset(service, [4], undefined, OBJECT_REFERENCE)
    const there = REFERENCES.format(object)
    const gone = REFERENCES.format({
      kind: 'group',
      id: idFromHex(`${root.id.slice(0, 16)}${'0'.repeat(16)}`),
    })
    const checked = { checkReferences: true }
    await write(service, id, [there, there, '', there], SELECT_ALL, checked)
    const bad = [there, there, '', gone]
    expect(await outcomeOf(write(service, id, bad, SELECT_ALL, checked))).toBe('reference-not-found')
    await write(service, id, bad)
  })

  describe('that are appended', () => {
    const append = (extend: number, dimension = 0): Partial<WriteRequest> => ({
      selection: { kind: 'append', extend, dimension },
    })
    const dims = (service: TestService, id: ObjectId) =>
      service.readIn(async (context, domain) => {
        const { object } = await getObject(context, domain, 'dataset', id)
        return object.space.class === 'H5S_SIMPLE' ? object.space.dims : undefined
      })

    it('stand behind what there was, along any dimension', async () => {
      const service = await openTestService()
      const id = await newDataset(service, [1, 0], [0, 0])
      await write(service, id, [1, 2, 3], append(3, 1))
      await write(service, id, [4, 5, 6, 7, 8, 9], append(2))
      expect(await dims(service, id)).toEqual([3, 3])
      await write(service, id, [-1, -2, -3], append(1, 1))
      expect(await numbers(service, id)).toEqual([1, 2, 3, -1, 4, 5, 6, -2, 7, 8, 9, -3])
    })

    it.each<[string, JsonValue | undefined, JsonValue | undefined, number, number, JsonValue[], string]>([
      ['too few', [2, 3], [0, 3], 2, 0, [1, 2, 3, 4, 5], 'value-count-mismatch'],
      ['too many', [2, 3], [0, 3], 1, 0, [1, 2, 3, 4], 'value-count-mismatch'],
      ['none, since another extent is 0', [0, 0], [0, 0], 1, 0, [], 'malformed-selection'],
      ['beyond the maximum', [2, 3], [3, 3], 2, 0, [1, 2, 3, 4, 5, 6], 'extent-out-of-bounds'],
      ['along a dimension that is not there', [2, 3], [0, 3], 1, 2, [1, 2, 3], 'malformed-shape'],
      ['to fixed extents', [2], undefined, 1, 0, [1], 'not-extensible'],
      ['to a scalar', undefined, undefined, 1, 0, [1], 'not-extensible'],
      ['to nothing', 'H5S_NULL', undefined, 1, 0, [1], 'null-dataspace'],
      ['beyond 2^53', [3], [0], 2 ** 53 - 1, 0, [1], 'malformed-shape'],
    ])(
      '%s are refused, and the dataset is as it was',
      async (_, shape, max, extend, dimension, values, code) => {
        const service = await openTestService()
        const id = await newDataset(service, shape, max)
        const before = await dims(service, id)
        expect(await outcomeOf(write(service, id, values, append(extend, dimension)))).toBe(code)
        expect(await dims(service, id)).toEqual(before)
      },
    )

    it('by many at once stand each in a place of their own', async () => {
      const service = await openTestService()
      const id = await newDataset(service, [0], [0])
      const writers = Array.from({ length: 12 }, (_, i) => i + 1)
      await Promise.all(writers.map(i => write(service, id, [i, i], append(2))))
      const all = await numbers(service, id)
      expect(all.toSorted((a, b) => a - b)).toEqual(writers.flatMap(i => [i, i]))
      expect(all.filter((_, i) => i % 2 === 0)).toEqual(all.filter((_, i) => i % 2 === 1))
    })
  })

  describe('that are repeated', () => {
    it.each<[string, JsonValue, number, JsonValue[], number[]]>([
      ['one', [2, 2], 1, [7], [7, 7, 7, 7]],
      ['a row', [3, 2], 2, [1, 2], [1, 2, 1, 2, 1, 2]],
      ['all', [2, 2], 4, [1, 2, 3, 4], [1, 2, 3, 4]],
      ['a plane', [2, 2, 3], 6, [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]],
    ])('fill the selection: %s', async (_, shape, elementCount, values, expected) => {
      const service = await openTestService()
      const id = await newDataset(service, shape)
      await write(service, id, values, { elementCount })
      expect(await numbers(service, id)).toEqual(expected)
    })

    it('fill steps and points too', async () => {
      const service = await openTestService()
      const id = await newDataset(service, [3, 4])
      await write(service, id, [1, 2], { selection: parseSelect('[0:3:2,1:4:2]', 'ranges'), elementCount: 2 })
      await write(service, id, [9], { selection: points(2, 1, 1, 0, 0), elementCount: 1 })
      expect(await numbers(service, id)).toEqual([9, 1, 0, 2, 0, 9, 0, 0, 0, 1, 0, 2])
    })

    it.each([
      ['a column', [4, 5], 4, 4],
      ['a part of a row', [4, 6], 2, 2],
      ['more than all', [2, 2], 8, 8],
      ['fewer than announced', [4, 5], 5, 4],
      ['more than announced', [4, 5], 5, 6],
      ['more than one for a scalar', undefined, 2, 2],
    ])('are refused: %s', async (_, shape, elementCount, given) => {
      const service = await openTestService()
      const id = await newDataset(service, shape)
      const values = Array.from({ length: given }, (_, i) => i + 1)
      expect(await outcomeOf(write(service, id, values, { elementCount }))).toBe('value-count-mismatch')
      expect((await numbers(service, id)).every(number => number === 0)).toBe(true)
    })
  })

  it('nothing to be written is refused where the dialect wants that', async () => {
    const service = await openTestService()
    const id = await newDataset(service, [0], [0])
    const refused = { refuseNothing: true }
    expect(await outcomeOf(write(service, id, [], SELECT_ALL, refused))).toBe('malformed-selection')
  })
})
