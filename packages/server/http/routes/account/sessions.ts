// Routes of sessions: a user lists and ends them.

import type { Logins } from '../../../service/logins.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import { endRoute, listRoute, requireUser } from './own-logins.ts'
import { formatTime } from './times.ts'

export function sessionRoutes({ logins }: { readonly logins: Logins }): Route[] {
  return [
    listRoute('session', {
      summary: 'Lists the sessions of the caller.',
      json: 'SessionList',
      async list(name, { identity }) {
        const own = identity.login?.id
        return (await logins.listSessions(name)).map(({ id, client, created, used, end }) => ({
          id,
          client,
          current: id === own,
          created: formatTime(created),
          used: formatTime(used),
          end: formatTime(end),
        }))
      },
    }),
    serviceRoute({
      name: 'end-other-sessions',
      method: 'DELETE',
      path: '/sessions',
      summary: 'Ends all sessions of the caller but that of the request.',
      identifies: 'yes',
      answers: { 200: { description: 'They have ended.', json: 'EndedLogins' } },
      async answer(_, request) {
        const { name } = requireUser(request, 'sessions')
        const own = request.identity.login?.id
        const ended = await logins.endOtherSessions(name, own, 'the user has ended it')
        return { status: 200, body: { ended }, changed: () => ({ ended }) }
      },
    }),
    endRoute('session', {
      name: 'end-session',
      summary: 'Ends a session of the caller.',
      ended: 'It has ended.',
      state: 'has not ended',
      logins,
    }),
  ]
}
