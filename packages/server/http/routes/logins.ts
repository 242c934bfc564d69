// Routes of sessions and tokens: a user logs in, lists and ends sessions, makes, lists and revokes tokens. They need a
// user that has logged in; a token is good for none of them, so that a stolen one cannot make others.

import type { Clock } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonObject } from '@hyperslab/model/json'
import { ANONYMOUS_USER, DEFAULT_BUCKET, isWellFormed } from '@hyperslab/model/names'
import { requireNoToken } from '../../service/access/scope.ts'
import type { Accounts } from '../../service/accounts.ts'
import { ANONYMOUS, type Caller } from '../../service/context.ts'
import type { Logins, ProvedUser, SessionProvider, TokenRequest } from '../../service/logins.ts'
import type { Providers } from '../../service/providers.ts'
import type { Identity } from '../auth/authenticate.ts'
import { TOKEN_PREFIX } from '../auth/authorization.ts'
import { sessionCookie } from '../auth/session-cookie.ts'
import { type Buckets, parseBucketPath } from '../dialect/buckets.ts'
import { kindOf, objectBody, requiredString } from '../input/members.ts'
import type { Request } from '../message/message.ts'
import type { Parameter } from '../route/parameter.ts'
import { type Route, serviceRoute } from '../route/route.ts'
import { START_PAGE } from './pages.ts'

export interface LoginFacts {
  readonly clock: Clock
  readonly logins: Logins
  readonly accounts: Pick<Accounts, 'find' | 'exist'>
  /** Absent: people log in with passwords and tokens only. */
  readonly providers?: Pick<Providers, 'list'>
  /** The address that callers use, if it is known. */
  readonly publicUrl?: string
}

/** Characters of the name of a token. */
const MAX_NAME = 100

export const LOGIN_ID: Parameter<string> = {
  name: 'id',
  in: 'path',
  description: 'The id, as the list has it.',
  schema: { type: 'string', minLength: 1 },
  read: ({ parameters }) => parameters.id ?? '',
}

export function loginRoutes({ clock, logins, accounts, providers, publicUrl }: LoginFacts): Route[] {
  /** The login of a caller, with the name to show. */
  function shown(identity: Identity) {
    const { name } = identity.caller
    if (name === undefined) return loginOf(identity) ?? nobody(identity.caller)
    const { displayName } = accounts.find(name)
    return { ...loginOf(identity), ...(displayName !== undefined && { displayName }) }
  }

  /** A caller that has not logged in, and whether anybody can. */
  function nobody({ admin }: Pick<Caller, 'admin'>) {
    return { ...NOBODY, isadmin: admin, accounts: accounts.exist() || providers !== undefined }
  }

  /** The address at which a user logs out of the identity provider, too. */
  async function logoutAddress({ name, idToken }: SessionProvider): Promise<string | undefined> {
    const provider = providers?.list.find(provider => provider.name === name)
    return provider?.logoutAddress(idToken, (publicUrl ?? '') + START_PAGE)
  }

  return [
    serviceRoute({
      name: 'get-login',
      method: 'GET',
      path: '/login',
      summary: 'Describes the caller, and how the caller has logged in.',
      access: 'none',
      identifies: 'yes',
      parameters: {},
      answers: { 200: { description: 'The caller.', json: 'Login' } },
      answer: (_, { identity }) => ({ status: 200, body: shown(identity) }),
    }),
    serviceRoute({
      name: 'begin-session',
      method: 'POST',
      path: '/login',
      summary: 'Begins a session for the user of the `Authorization` header, and sets its cookie.',
      access: 'none',
      identifies: 'yes',
      parameters: {},
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
        return { status: 201, headers: { 'Set-Cookie': cookie }, body: shown(login) }
      },
    }),
    serviceRoute({
      name: 'end-session-of-caller',
      method: 'DELETE',
      path: '/login',
      summary: 'Ends the session of the cookie, and removes the cookie. Without a session it does nothing.',
      access: 'none',
      identifies: 'if-right',
      parameters: {},
      answers: { 200: { description: 'The caller has no session now.', json: 'Login' } },
      async answer(_, { headers, identity: { login } }) {
        const session = login?.kind === 'session' ? login : undefined
        const began = session && (await logins.providerOf(session))
        if (session) await logins.end(session.name, 'session', session.id)
        const logout = began && (await logoutAddress(began))
        const cookie = sessionCookie(headers, publicUrl, '', 0)
        const body = { ...nobody(ANONYMOUS), ...(logout !== undefined && { logout }) }
        return { status: 200, headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }, body }
      },
    }),
    serviceRoute({
      name: 'list-sessions',
      method: 'GET',
      path: '/sessions',
      summary: 'Lists the sessions of the caller.',
      access: 'none',
      identifies: 'yes',
      parameters: {},
      answers: { 200: { description: 'The sessions, the newest first.', json: 'SessionList' } },
      async answer(_, request) {
        const { name } = requireUser(request, 'sessions')
        const own = request.identity.login?.id
        const sessions = (await logins.listSessions(name)).map(({ id, client, created, used, end }) => ({
          id,
          client,
          current: id === own,
          created: formatTime(created),
          used: formatTime(used),
          end: formatTime(end),
        }))
        return { status: 200, body: { sessions } }
      },
    }),
    serviceRoute({
      name: 'end-other-sessions',
      method: 'DELETE',
      path: '/sessions',
      summary: 'Ends all sessions of the caller but that of the request.',
      access: 'none',
      identifies: 'yes',
      parameters: {},
      answers: { 200: { description: 'They have ended.', json: 'EndedLogins' } },
      async answer(_, request) {
        const { name } = requireUser(request, 'sessions')
        const own = request.identity.login?.id
        return {
          status: 200,
          body: { ended: await logins.endOtherSessions(name, own, 'the user has ended it') },
        }
      },
    }),
    serviceRoute({
      name: 'end-session',
      method: 'DELETE',
      path: '/sessions/:id',
      summary: 'Ends a session of the caller.',
      access: 'none',
      identifies: 'yes',
      parameters: { id: LOGIN_ID },
      answers: { 200: { description: 'It has ended.', json: 'EndedLogins' } },
      async answer({ id }, request) {
        const { name } = requireUser(request, 'sessions')
        if (await logins.end(name, 'session', id)) return { status: 200, body: { ended: 1 } }
        const problem = `${name} has no session ${excerpt(id)} that has not ended: GET /sessions lists the sessions`
        throw new HyperslabError('session-not-found', problem, { subject: id })
      },
    }),
    serviceRoute({
      name: 'list-tokens',
      method: 'GET',
      path: '/tokens',
      summary: 'Lists the tokens of the caller, without their secrets.',
      access: 'none',
      identifies: 'yes',
      parameters: {},
      answers: { 200: { description: 'The tokens, the newest first.', json: 'TokenList' } },
      async answer(_, request) {
        const { name } = requireUser(request, 'tokens')
        const tokens = (await logins.listTokens(name)).map(({ id, created, end, ...token }) => ({
          id,
          ...token,
          created: formatTime(created),
          end: formatTime(end),
        }))
        return { status: 200, body: { tokens } }
      },
    }),
    serviceRoute({
      name: 'create-token',
      method: 'POST',
      path: '/tokens',
      summary: 'Makes a token for programs of the caller. It is shown in this answer only.',
      access: 'none',
      identifies: 'yes',
      parameters: {},
      permit: request => {
        requireUser(request, 'tokens')
      },
      body: {
        description: 'The name of the token, its end, and what it is good for.',
        required: true,
        json: 'NewToken',
        read: async (body, _dialect, _values, buckets) =>
          parseTokenRequest(objectBody(await body.json()), buckets, clock.now()),
      },
      answers: { 201: { description: 'The token.', json: 'CreatedToken' } },
      async answer({ body: { ...wanted } }, request) {
        const { id, secret, created, end } = await logins.createToken(requireUser(request, 'tokens'), wanted)
        const times = { created: formatTime(created), end: formatTime(end) }
        return { status: 201, body: { id, ...wanted, ...times, token: TOKEN_PREFIX + secret } }
      },
    }),
    serviceRoute({
      name: 'revoke-token',
      method: 'DELETE',
      path: '/tokens/:id',
      summary: 'Revokes a token of the caller.',
      access: 'none',
      identifies: 'yes',
      parameters: { id: LOGIN_ID },
      answers: { 200: { description: 'It is revoked.', json: 'EndedLogins' } },
      async answer({ id }, request) {
        const { name } = requireUser(request, 'tokens')
        if (await logins.end(name, 'token', id)) return { status: 200, body: { ended: 1 } }
        const problem = `${name} has no token ${excerpt(id)} that is accepted: GET /tokens lists the tokens`
        throw new HyperslabError('token-not-found', problem, { subject: id })
      },
    }),
  ]
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

export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/
const DATE_LENGTH = 10
/** The rule of `parseEnd`, which follows "must be" in messages. */
export const END_RULE = 'a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z, later than now'

/** The end of a token or share; undefined: it is no time after `now`. */
export function parseEnd(text: string, now: number): number | undefined {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN
  // Date.parse takes the 31st of February for a day of March.
  return time > now && formatTime(time).startsWith(text.slice(0, DATE_LENGTH)) ? time : undefined
}

/** The member `end` of a body. */
export function requiredEnd(body: JsonObject, now: number): number {
  const text = requiredString(body, 'end', 'malformed-body')
  const end = parseEnd(text, now)
  if (end !== undefined) return end
  throw new HyperslabError('malformed-body', `body.end must be ${END_RULE}, not ${excerpt(text)}`)
}

export function isTokenName(text: string): boolean {
  return /^\P{Cc}+$/u.test(text) && isWellFormed(text) && text.length <= MAX_NAME
}

export const TOKEN_NAME_RULE = `have 1 to ${MAX_NAME} characters, without control characters`

function parseTokenRequest(body: JsonObject, buckets: Buckets, now: number): TokenRequest {
  const name = requiredString(body, 'name', 'malformed-body')
  if (!isTokenName(name)) throw new HyperslabError('malformed-body', `body.name must ${TOKEN_NAME_RULE}`)
  const end = requiredEnd(body, now)
  const writes = body.get('writes') ?? false
  if (typeof writes !== 'boolean')
    throw new HyperslabError('malformed-body', `body.writes must be true or false, not ${kindOf(writes)}`)
  if (!body.has('within')) return { name, end, writes }
  const within = requiredString(body, 'within', 'malformed-body')
  return { name, end, writes, within: parseBucketPath(within, DEFAULT_BUCKET, buckets) }
}
