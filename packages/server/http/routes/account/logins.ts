// Routes of the login: the caller is described, begins a session with credentials, and ends it.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Accounts } from '../../../service/accounts.ts'
import { ANONYMOUS, type Caller } from '../../../service/context.ts'
import type { Logins, SessionProvider } from '../../../service/logins.ts'
import type { Providers } from '../../../service/providers.ts'
import { ANONYMOUS_USER } from '../../../service/user-names.ts'
import type { Identity } from '../../auth/authenticate.ts'
import { sessionCookie } from '../../auth/session-cookie.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import { START_PAGE } from '../pages.ts'
import { requireUser } from './own-logins.ts'
import { formatTime } from './times.ts'

export interface LoginFacts {
  readonly logins: Logins
  readonly accounts: Pick<Accounts, 'find' | 'exist'>
  /** Absent: people log in with passwords and tokens only. */
  readonly providers?: Pick<Providers, 'list'>
  /** The address that callers use, if it is known. */
  readonly publicUrl?: string
}

export function loginRoutes(facts: LoginFacts): Route[] {
  return [describeRoute(facts), beginRoute(facts), endOwnRoute(facts)]
}

function describeRoute(facts: LoginFacts): Route {
  return serviceRoute({
    name: 'get-login',
    method: 'GET',
    path: '/login',
    summary: 'Describes the caller, and how the caller has logged in.',
    identifies: 'yes',
    answers: { 200: { description: 'The caller.', json: 'Login' } },
    answer: (_, { identity }) => ({ status: 200, body: shown(facts, identity) }),
  })
}

function beginRoute(facts: LoginFacts): Route {
  const { logins, publicUrl } = facts
  return serviceRoute({
    name: 'begin-session',
    method: 'POST',
    path: '/login',
    summary: 'Begins a session for the user of the `Authorization` header, and sets its cookie.',
    identifies: 'yes',
    answers: { 201: { description: 'The session has begun.', json: 'Login' } },
    async answer(_, request) {
      const { headers, identity } = request
      if (headers.authorization === undefined) {
        throw new HyperslabError(
          'credentials-required',
          'POST /login needs an Authorization header with a name and a password, or a token of the identity provider',
        )
      }
      const user = requireUser(request, 'logging in')
      const client = headers['user-agent'] ?? ''
      const { id, secret, created, end } = await logins.beginSession(user, client)
      const login = { ...identity, login: { ...user, kind: 'session', id, secret, end } } as const
      const cookie = sessionCookie(headers, publicUrl, secret, Math.ceil((end - created) / 1000))
      const changed = () => ({ session: id })
      return { status: 201, headers: { 'Set-Cookie': cookie }, body: shown(facts, login), changed }
    },
  })
}

function endOwnRoute(facts: LoginFacts): Route {
  const { logins, publicUrl } = facts
  return serviceRoute({
    name: 'end-session-of-caller',
    method: 'DELETE',
    path: '/login',
    summary: 'Ends the session of the cookie, and removes the cookie. Without a session it does nothing.',
    identifies: 'if-right',
    answers: { 200: { description: 'The caller has no session now.', json: 'Login' } },
    async answer(_, { headers, identity: { login } }) {
      const session = login?.kind === 'session' ? login : undefined
      const began = session && (await logins.providerOf(session))
      if (session) await logins.end(session.name, 'session', session.id)
      const logout = began && (await logoutAddress(facts, began))
      const cookie = sessionCookie(headers, publicUrl, '', 0)
      const body = { ...nobody(facts, ANONYMOUS), ...(logout !== undefined && { logout }) }
      const changed = () => ({ session: session?.id })
      return { status: 200, headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }, body, changed }
    },
  })
}

/** The login of a caller, with the name to show. */
function shown(facts: LoginFacts, identity: Identity) {
  const { name } = identity.caller
  if (name === undefined) return loginOf(identity) ?? nobody(facts, identity.caller)
  const { displayName } = facts.accounts.find(name)
  return { ...loginOf(identity), ...(displayName !== undefined && { displayName }) }
}

/** A caller that has not logged in, and whether anybody can. */
function nobody({ accounts, providers }: LoginFacts, { admin }: Pick<Caller, 'admin'>) {
  return { ...NOBODY, isadmin: admin, accounts: accounts.exist() || providers !== undefined }
}

/** The address at which a user logs out of the identity provider, too. */
async function logoutAddress(
  { providers, publicUrl = '' }: LoginFacts,
  { name, idToken }: SessionProvider,
): Promise<string | undefined> {
  const provider = providers?.list.find(provider => provider.name === name)
  return provider?.logoutAddress(idToken, publicUrl + START_PAGE)
}

const NOBODY = { username: ANONYMOUS_USER, isadmin: false, login: 'none' }

/** Undefined: the caller has not logged in. */
function loginOf({ caller: { name, admin, scope }, login, providerGroups }: Identity) {
  if (login?.kind === 'share') {
    const { end, view } = login
    return {
      ...NOBODY,
      login: 'share',
      end: formatTime(end),
      scope: { ...scope },
      view: view ?? '',
    }
  }
  if (name === undefined) return undefined
  return {
    username: name,
    isadmin: admin,
    login: login?.kind ?? (providerGroups ? 'provider' : 'password'),
    ...(login && { id: login.id, end: formatTime(login.end) }),
    ...(scope && { scope: { ...scope } }),
  }
}
