// Where the elements are that a query finds: `/datasets/:id/query`. Queries of values stand in values.ts.

import { HyperslabError } from '../../errors.ts'
import { queryIndexes } from '../../service/values/queries.ts'
import { queryInUrl, queryRules } from '../body/query-input.ts'
import { indexesReply } from '../body/query-output.ts'
import { oldReadRoute } from '../old-route.ts'
import { idOf } from '../parameters.ts'
import type { Route } from '../route.ts'

export const queryRoutes: readonly Route[] = [
  oldReadRoute({
    name: 'query-dataset',
    method: 'GET',
    path: '/datasets/:id/query',
    access: 'read',
    only: 'hsds',
    parse(request) {
      const query = queryInUrl(request)
      if (query === undefined) throw new HyperslabError('malformed-query', 'the parameter query is needed')
      return {
        id: idOf(request, 'dataset'),
        search: query,
        rules: queryRules(request),
      }
    },
    run: (context, domain, { id, search, rules }) => queryIndexes(context, domain, id, search, rules),
    respond: indexesReply,
  }),
]
