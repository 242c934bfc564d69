// Routes of the requests that are being answered: administrators list and end them.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import { requireWriteScope } from '../../../service/access/scope.ts'
import type { Request } from '../../message/message.ts'
import type { Parameter } from '../../route/parameter.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import { requireFigures } from '../../watch/metrics.ts'
import { END_REQUEST, LIST_REQUESTS, type RunningRequests } from '../../watch/running-requests.ts'

export interface RunningFacts {
  readonly running: RunningRequests
}

const REQUEST_ID: Parameter<string> = {
  name: 'id',
  in: 'path',
  description: 'The id of the request.',
  schema: { type: 'string', minLength: 1 },
  read: ({ parameters }) => parameters.id ?? '',
}

export function requestRoutes({ running }: RunningFacts): readonly Route[] {
  return [listRoute(running), endRoute(running)]
}

function listRoute(running: RunningRequests): Route {
  return serviceRoute({
    name: LIST_REQUESTS,
    method: 'GET',
    path: '/requests',
    summary: 'Lists the requests that are being answered, except those about requests, for administrators.',
    identifies: 'yes',
    permit: requireAdministrator,
    answers: { 200: { description: 'The requests, the longest first.', json: 'RequestList' } },
    async answer() {
      const { requests, ...rest } = await running.list()
      return { status: 200, body: { ...rest, requests: requests.map(request => ({ ...request })) } }
    },
  })
}

function endRoute(running: RunningRequests): Route {
  return serviceRoute({
    name: END_REQUEST,
    method: 'DELETE',
    path: '/requests/:id',
    summary:
      'Ends a request, for administrators: its connection is closed and its work stops. What it has committed stays.',
    identifies: 'yes',
    parameters: { id: REQUEST_ID },
    permit(request) {
      requireAdministrator(request)
      requireWriteScope(request.caller)
    },
    answers: { 200: { description: 'It has ended.', json: 'EndedRequests' } },
    async answer({ id }) {
      const ended = await running.end(id)
      if (ended > 0) return { status: 200, body: { ended } }
      const problem = `no request that is being answered has the id ${excerpt(id)}: GET /requests lists them`
      throw new HyperslabError('request-not-found', problem, { subject: id })
    },
  })
}

/** Also where everybody may read the figures: the list names users and addresses. */
function requireAdministrator({ caller }: Request): void {
  requireFigures(caller, 'admin', {
    subject: 'the requests of all',
    message: 'only administrators may list and end the requests of all',
  })
}
