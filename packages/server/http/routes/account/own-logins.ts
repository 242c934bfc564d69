// The routes by which users list, make and end what lets them, or others, in: their sessions, tokens and shares. They
// need a user that has logged in; a token is good for none of them, so that a stolen one cannot make others.

import type { Clock } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonObject, type JsonOutput } from '@hyperslab/model/json'
import { requireNoToken } from '../../../service/access/scope.ts'
import type { Logins, ProvedUser } from '../../../service/logins.ts'
import type { Buckets } from '../../dialect/buckets.ts'
import type { Body } from '../../dialect/dialect.ts'
import { objectBody } from '../../input/members.ts'
import type { JsonReply, Request } from '../../message/message.ts'
import type { Parameter } from '../../route/parameter.ts'
import { type Route, serviceRoute } from '../../route/route.ts'

export const LOGIN_ID: Parameter<string> = {
  name: 'id',
  in: 'path',
  description: 'The id, as the list has it.',
  schema: { type: 'string', minLength: 1 },
  read: ({ parameters }) => parameters.id ?? '',
}

/** Only the users themselves are asked about, and with their own credentials. */
const OF_CALLER = { identifies: 'yes' } as const

type Kind = 'session' | 'token' | 'share'

interface ListOfLogins {
  readonly summary: string
  /** The schema of the answer. */
  readonly json: string
  readonly list: (name: string, request: Request) => Promise<readonly JsonOutput[]>
}

export function listRoute(kind: Kind, { summary, json, list }: ListOfLogins): Route {
  const plural = `${kind}s`
  return serviceRoute({
    name: `list-${plural}`,
    method: 'GET',
    path: `/${plural}`,
    summary,
    ...OF_CALLER,
    answers: { 200: { description: `The ${plural}, the newest first.`, json } },
    async answer(_, request) {
      const { name } = requireUser(request, plural)
      return { status: 200, body: { [plural]: await list(name, request) } }
    },
  })
}

interface NewLogin<Wanted> {
  readonly summary: string
  /** The description of the body. */
  readonly description: string
  /** The schemas of the body and of the answer. */
  readonly json: { readonly body: string; readonly answer: string }
  readonly parse: (body: JsonObject, buckets: Buckets, now: number) => Wanted
  readonly clock: Clock
  readonly create: (user: ProvedUser, wanted: Wanted, request: Request) => Promise<CreatedLogin>
}

export function createRoute<Wanted>(
  kind: Kind,
  { summary, description, json, clock, parse, create }: NewLogin<Wanted>,
): Route {
  const plural = `${kind}s`
  return serviceRoute({
    name: `create-${kind}`,
    method: 'POST',
    path: `/${plural}`,
    summary,
    ...OF_CALLER,
    permit: request => {
      requireUser(request, plural)
    },
    body: {
      description,
      required: true,
      json: json.body,
      read: async (body, _dialect, _values, buckets) =>
        parse(objectBody(await body.json()), buckets, clock.now()),
    },
    answers: { 201: { description: `The ${kind}.`, json: json.answer } },
    answer: async ({ body }, request) => ({
      status: 201,
      ...(await create(requireUser(request, plural), body, request)),
    }),
  })
}

interface CreatedLogin {
  readonly body: Body
  /** For the audit: what was made, without its secret. */
  readonly changed: NonNullable<JsonReply['changed']>
}

interface EndOfLogin {
  /** The name of the operation. */
  readonly name: string
  readonly summary: string
  /** The description of the answer. */
  readonly ended: string
  /** The state of logins that can be ended, as messages say it. */
  readonly state: string
  readonly logins: Pick<Logins, 'end'>
}

export function endRoute(kind: Kind, { name: operation, summary, ended, state, logins }: EndOfLogin): Route {
  const plural = `${kind}s`
  return serviceRoute({
    name: operation,
    method: 'DELETE',
    path: `/${plural}/:id`,
    summary,
    ...OF_CALLER,
    parameters: { id: LOGIN_ID },
    answers: { 200: { description: ended, json: 'EndedLogins' } },
    async answer({ id }, request) {
      const { name } = requireUser(request, plural)
      if (await logins.end(name, kind, id)) return { status: 200, body: { ended: 1 } }
      const problem = `${name} has no ${kind} ${excerpt(id)} that ${state}: GET /${plural} lists the ${plural}`
      throw new HyperslabError(`${kind}-not-found`, problem, { subject: id })
    },
  })
}

/** The user of a request without a token or share of this service; `subject` is what the request is about. */
export function requireUser({ identity }: Pick<Request, 'identity'>, subject: string): ProvedUser {
  const { caller, providerGroups, login } = identity
  const { name } = caller
  requireNoToken(caller, subject)
  if (name !== undefined) {
    const named = login?.named
    return { name, ...(providerGroups && { providerGroups, ...(named !== undefined && { named }) }) }
  }
  throw new HyperslabError(
    'credentials-required',
    `a request about ${subject} needs a user that has logged in`,
  )
}
