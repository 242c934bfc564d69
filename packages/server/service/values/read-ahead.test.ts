import { parseDatatype } from '@hyperslab/model/datatype'
import { parseJson } from '@hyperslab/model/json'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openTestService } from '../../../../test/fixtures/service.ts'
import { parseShape } from '../../http/input/shapes.ts'
import { createDataset } from '../creation/datasets.ts'
import { parseHyperslab } from '../selection/parse.ts'
import { SELECT_ALL, type SelectionRequest } from '../selection/request.ts'
import { readSeveralValues } from './several-values.ts'
import { readValues, type SelectedValues, writeValues } from './values.ts'

const FIELDS = '[{"name": "x", "type": "H5T_STD_I32LE"}, {"name": "y", "type": "H5T_STD_U8LE"}]'
const POINT = parseDatatype(parseJson(`{"class": "H5T_COMPOUND", "fields": ${FIELDS}}`))
const DIMS = [40, 30] as const

/** A hyperslab within the extents; few kinds of columns, so that several differ in their rows only. */
const HYPERSLAB = fc
  .record({
    row: fc.nat({ max: DIMS[0] - 1 }),
    rows: fc.integer({ min: 1, max: DIMS[0] }),
    step: fc.integer({ min: 1, max: 9 }),
    columns: fc.constantFrom([0, 30], [3, 9], [7, 8]),
  })
  .map(
    ({ row, rows, step, columns: [from, to] }): SelectionRequest =>
      parseHyperslab([row, from], [Math.min(DIMS[0], row + rows), to], [step, 1]),
  )
const POINTS = fc
  .array(fc.tuple(fc.nat({ max: DIMS[0] - 1 }), fc.nat({ max: DIMS[1] - 1 })), { minLength: 1, maxLength: 9 })
  .map(
    (points): SelectionRequest => ({
      kind: 'points',
      rank: 2,
      coordinates: Float64Array.from(points.flat()),
    }),
  )
const REQUESTS = fc.array(
  fc.record({
    selection: fc.oneof({ weight: 8, arbitrary: HYPERSLAB }, POINTS, fc.constant(SELECT_ALL)),
    fields: fc.constantFrom(undefined, ['x'], ['y', 'x']),
    isOther: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40 },
)

async function bytesOf({ pieces, elements, type }: SelectedValues): Promise<string> {
  const all: Uint8Array[] = []
  for await (const { data } of elements) all.push(data.slice())
  let count = 0
  for await (const piece of pieces) count += piece.count
  return `${JSON.stringify(type)} ${count} ${Buffer.concat(all).toString('hex')}`
}

it('values of one request are those of each alone, in the order of the request', async () => {
  const service = await openTestService()
  const create = (creationProperties: string) =>
    service.writeIn(async (context, domain) => {
      const { object } = await createDataset(context, domain, {
        type: { type: POINT },
        space: parseShape([...DIMS], undefined),
        creationProperties: parseJson(creationProperties),
      })
      return object.id
    })
  const first = await create('{"layout": {"class": "H5D_CHUNKED", "dims": [7, 11]}}')
  const other = await create('{}')
  const rows = 21
  const data = Uint8Array.from({ length: rows * DIMS[1] * 5 }, (_, i) => (i * 7 + (i >> 8)) % 256)
  async function* decode() {
    yield { count: rows * DIMS[1], data, heap: new Uint8Array(0) }
  }
  // The other rows are not stored.
  const selection = parseHyperslab([4, 0], [4 + rows, DIMS[1]], [1, 1])
  for (const id of [first, other])
    await service.writeIn((context, domain) => writeValues(context, domain, id, { selection, decode }))

  await fc.assert(
    fc.asyncProperty(REQUESTS, async requests => {
      const items = requests.map(({ isOther, ...request }, i) => ({
        dataset: { id: isOther ? other : first },
        location: `body.values[${i}]`,
        request,
      }))
      await service.readIn(async (context, domain) => {
        const together = await readSeveralValues(context, domain, items)
        expect(together.map(({ item }) => item)).toEqual(items)
        for (const [i, { values }] of together.entries()) {
          const alone = await readValues(context, domain, items[i].dataset.id, items[i].request)
          expect(values.shape).toEqual(alone.shape)
          expect(await bytesOf(values)).toBe(await bytesOf(alone))
        }
      })
    }),
  )
})
