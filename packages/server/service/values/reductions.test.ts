import { nextTurn } from '@hyperslab/base/bounded'
import { parseDatatype } from '@hyperslab/model/datatype'
import { expect, it } from 'vitest'
import { openTestService } from '../../../../test/fixtures/service.ts'
import { parseShape } from '../../http/input/shapes.ts'
import { createDataset } from '../creation/datasets.ts'
import { SELECT_ALL } from '../selection/request.ts'
import { reduceValues, summarizeValues } from './reductions.ts'
import { readValues } from './values.ts'

it('statistics of reduced values end when the caller leaves, also where nothing is stored', async () => {
  const service = await openTestService()
  const type = parseDatatype('H5T_STD_I32LE')
  const { object } = await service.writeIn((context, domain) =>
    createDataset(context, domain, { type: { type }, space: parseShape(2 ** 50, undefined) }),
  )
  const abort = new AbortController()
  const reason = new Error('the client has left')
  const statistics = service.readIn(async (context, domain) => {
    const leaving = { ...context, signal: abort.signal }
    const selected = await readValues(leaving, domain, object.id, { selection: SELECT_ALL })
    const values = reduceValues(leaving, selected, { name: 'mean', factors: [1] })
    return summarizeValues(values, 1)
  })
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  abort.abort(reason)
  await expect(statistics).rejects.toBe(reason)
})
