// The routes by which administrators see and end the sessions, tokens and shares of all users.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import type { LoginOfAll, Logins } from '../../../service/logins.ts'
import { STRING } from '../../message/schema.ts'
import { LISTING } from '../../route/common-parameters.ts'
import { optionalQuery, wordQuery } from '../../route/parameter.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import { LOGIN_ID } from './own-logins.ts'
import { formatTime } from './times.ts'
import { requireAdministrator } from './users.ts'

/** Logins of one answer about all users. @limit safety, logins */
const MAX_LOGINS = 1000
const KINDS = ['session', 'token', 'share'] as const

const WHOSE = {
  user: optionalQuery({
    name: 'user',
    description: 'The name of the user.',
    schema: STRING,
    parse: text => text,
  }),
  kind: wordQuery('kind', KINDS, 'Sessions, tokens or shares.'),
}

export function allLoginRoutes({ logins }: { readonly logins: Pick<Logins, 'listAll' | 'end'> }): Route[] {
  const permit = (request: Parameters<typeof requireAdministrator>[0]) =>
    requireAdministrator(request, 'logins of all')
  return [
    serviceRoute({
      name: 'list-logins',
      method: 'GET',
      path: '/logins',
      summary: 'Lists the sessions, tokens and shares of all users, or of one, for administrators.',
      identifies: 'yes',
      parameters: {
        ...WHOSE,
        limit: LISTING.limit,
        after: optionalQuery({
          name: 'Marker',
          description: 'The logins after those of an answer: its `next`.',
          schema: STRING,
          parse: text => text,
        }),
      },
      permit,
      answers: { 200: { description: 'The logins, without secrets.', json: 'LoginList' } },
      async answer({ user, kind, limit = MAX_LOGINS, after }) {
        const { logins: found, next } = await logins.listAll(
          { user, kind },
          Math.min(limit, MAX_LOGINS),
          after,
        )
        return { status: 200, body: { logins: found.map(shown), ...(next !== undefined && { next }) } }
      },
    }),
    serviceRoute({
      name: 'end-login',
      method: 'DELETE',
      path: '/logins/:id',
      summary: 'Ends a session, or revokes a token or share, of any user, for administrators.',
      identifies: 'yes',
      parameters: { id: LOGIN_ID, ...WHOSE },
      permit,
      answers: { 200: { description: 'It has ended.', json: 'EndedLogins' } },
      async answer({ id, user, kind }) {
        if (user === undefined || kind === undefined)
          throw new HyperslabError(
            'malformed-parameter',
            'the query must have the user and the kind of the login',
          )
        if (await logins.end(user, kind, id, 'an administrator has ended it'))
          return { status: 200, body: { ended: 1 } }
        const problem = `${excerpt(user)} has no ${kind} ${excerpt(id)} that is accepted: GET /logins lists them`
        throw new HyperslabError(`${kind}-not-found`, problem, { subject: id })
      },
    }),
  ]
}

function shown({ created, end, used, ...login }: LoginOfAll) {
  return {
    ...login,
    created: formatTime(created),
    end: formatTime(end),
    ...(used !== undefined && { used: formatTime(used) }),
  }
}
