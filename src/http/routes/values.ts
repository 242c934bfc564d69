// Values: `/datasets/:id/value`.

import { HyperslabError } from '../../errors.ts'
import { SELECT_ALL } from '../../hdf5/selection/request.ts'
import { selectionOfRegion } from '../../service/regions.ts'
import { readValues, writeValues } from '../../service/values.ts'
import { valueInput } from '../body/value-input.ts'
import { valueReply } from '../body/value-output.ts'
import { fieldsOf, readRequestInBody, regionInQuery, selectionInQuery } from '../body/value-selection.ts'
import { idOf, requireWholeLimit } from '../parameters.ts'
import { type Route, readRoute, writeRoute } from '../route.ts'

const PATH = '/datasets/:id/value'

export const valueRoutes: readonly Route[] = [
  readRoute({
    name: 'get-value',
    method: 'GET',
    path: PATH,
    access: 'read',
    parse(request) {
      if (request.target.query.get('query')) {
        throw new HyperslabError('query-unsupported', 'queries of values are not supported yet')
      }
      requireWholeLimit(request)
      const region = regionInQuery(request)
      const selection = region === undefined ? selectionInQuery(request) : SELECT_ALL
      return { id: idOf(request, 'dataset'), region, values: { selection, fields: fieldsOf(request) } }
    },
    async run(context, domain, { id, region, values }) {
      if (region === undefined) return readValues(context, domain, id, values)
      const selection = await selectionOfRegion(context, domain, region)
      return selection && readValues(context, domain, id, { ...values, selection })
    },
    // The null reference selects nothing that there could be a value of (contract 35, 8.5).
    respond: (values, answer) => (values === undefined ? { status: 204 } : valueReply(values, answer)),
  }),

  readRoute({
    name: 'read-points',
    method: 'POST',
    path: PATH,
    access: 'read',
    parse: async request => ({
      id: idOf(request, 'dataset'),
      values: await readRequestInBody(request),
    }),
    async run(context, domain, { id, values }) {
      const selected = await readValues(context, domain, id, values)
      if (selected.dataset.space.class === 'H5S_SIMPLE') return selected
      throw new HyperslabError('malformed-selection', 'a dataset without dimensions has no points and ranges')
    },
    respond: valueReply,
  }),

  writeRoute({
    name: 'put-value',
    method: 'PUT',
    path: PATH,
    access: 'update',
    parse: async request => ({
      id: idOf(request, 'dataset'),
      rules: request.dialect.rules,
      input: await valueInput(request),
    }),
    once: ({ input }) => input.once,
    run: (context, domain, { id, rules, input }) =>
      writeValues(context, domain, id, input.selection, input.decode, {
        checkReferences: rules.checksReferences,
      }),
    respond: (_, { place, request: { dialect } }, { id }) => ({
      status: 200,
      body: dialect.present.valueWritten(place, id),
    }),
  }),
]
