// The indexes of the elements that a query finds: `/datasets/:id/query`. Queries of values are in values.ts.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Query } from '../../service/query/query.ts'
import { queryIndexes } from '../../service/values/queries.ts'
import { queryRules } from '../input/query-input.ts'
import { indexesReply } from '../output/query-output.ts'
import { pathId } from '../route/common-parameters.ts'
import type { Parameter } from '../route/parameter.ts'
import { type Route, readRoute } from '../route/route.ts'
import { QUERY, QUERY_LIMIT, SELECT } from '../route/value-parameters.ts'

const REQUIRED_QUERY: Parameter<Query> = {
  ...QUERY,
  description: 'The condition that the elements must fulfil; it is required.',
  read(head) {
    const query = QUERY.read(head)
    if (query === undefined)
      throw new HyperslabError('malformed-query', 'the query must have the parameter query: a condition')
    return query
  },
}

export const queryRoutes: readonly Route[] = [
  readRoute({
    name: 'query-dataset',
    method: 'GET',
    path: '/datasets/:id/query',
    summary: 'Finds the indexes of the elements for which a condition holds.',
    access: 'read',
    only: 'hsds',
    parameters: { query: REQUIRED_QUERY, selection: SELECT, limit: QUERY_LIMIT, dataset: pathId('dataset') },
    answers: {
      200: {
        description: 'The indexes of the elements, in the order of the selection.',
        json: 'QueryIndexes',
        bytes: 'For each element its index in each dimension, as 64-bit integers, little-endian.',
      },
    },
    run: (context, domain, { dataset, ...search }, dialect) =>
      queryIndexes(context, domain, dataset, search, queryRules(dialect)),
    respond: indexesReply,
  }),
]
