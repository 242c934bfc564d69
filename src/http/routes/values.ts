// Values: `/datasets/:id/value`.

import { HyperslabError } from '../../errors.ts'
import { parsePoints } from '../../hdf5/selection/parse.ts'
import { readValues, writeValues } from '../../service/values.ts'
import { objectBody } from '../body/members.ts'
import { refuseOptions, valueInput } from '../body/value-input.ts'
import { valueReply } from '../body/value-output.ts'
import { fieldsOf, selectionInQuery } from '../body/value-selection.ts'
import { idOf } from '../parameters.ts'
import { type Route, readRoute, writeRoute } from '../route.ts'

const PATH = '/datasets/:id/value'

export const valueRoutes: readonly Route[] = [
  readRoute({
    name: 'get-value',
    method: 'GET',
    path: PATH,
    access: 'read',
    parse(request) {
      const { rules } = request.dialect
      if (request.target.query.get('query')) {
        throw new HyperslabError('query-unsupported', 'queries of values are not supported yet')
      }
      refuseOptions(request, rules.unsupportedReads)
      return {
        id: idOf(request, 'dataset'),
        values: { selection: selectionInQuery(request), fields: fieldsOf(request) },
      }
    },
    run: (context, domain, { id, values }) => readValues(context, domain, id, values),
    respond: valueReply,
  }),

  readRoute({
    name: 'read-points',
    method: 'POST',
    path: PATH,
    access: 'read',
    async parse(request) {
      const body = objectBody(await request.body.json())
      refuseOptions(request, request.dialect.rules.unsupportedReads, body)
      const points = body.get('points')
      if (points === undefined) {
        throw new HyperslabError('malformed-selection', 'body.points must list the points to read')
      }
      return {
        id: idOf(request, 'dataset'),
        values: {
          selection: parsePoints(points, request.dialect.rules.selections),
          fields: fieldsOf(request, body),
        },
      }
    },
    run: (context, domain, { id, values }) => readValues(context, domain, id, values),
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
