// Checks the credentials of a request, of whatever sort they are, and finds its caller.

import { HyperslabError } from '@hyperslab/base/errors'
import { shareNotFound } from '../../service/access/access.ts'
import type { Accounts } from '../../service/accounts.ts'
import { ANONYMOUS, type Caller } from '../../service/context.ts'
import type { LoginKind, Logins, UsedLogin } from '../../service/logins.ts'
import type { Rules } from '../dialect/rules.ts'
import { OWN_TOKEN, type PasswordCredentials, parseAuthorization, TOKEN_PREFIX } from './authorization.ts'
import type { PasswordChecks } from './password-checks.ts'
import type { VerifyToken } from './tokens.ts'

/** The caller of a request, and how the caller was proved. */
export interface Identity {
  readonly caller: Caller
  /** Absent: the request has no session, no share and no token of this service. */
  readonly login?: UsedLogin
  /** Present: an identity provider has named the user, with these groups. */
  readonly providerGroups?: readonly string[]
}

const NOBODY: Identity = { caller: ANONYMOUS }

/** The credentials of a request as they came. */
export interface SentCredentials {
  /** The header `Authorization`; the secret of a session does not count beside it. */
  readonly authorization: string | undefined
  readonly session: string | undefined
  /** The secret in the address; other credentials do not count beside it. */
  readonly share?: string | undefined
  readonly address: string
}

/** Finds the caller of a request. */
export type Authenticate = (sent: SentCredentials, rules: Rules) => Promise<Identity>

export interface AuthenticateOptions {
  readonly accounts: Accounts
  readonly logins: Pick<Logins, 'find' | 'countUse'>
  readonly passwords: Pick<PasswordChecks, 'isRight' | 'countWrongToken'>
  /** Absent: no token of an identity provider is accepted. */
  readonly verifyToken?: VerifyToken
  /** Requests without credentials are accepted, as those of the user `default`. */
  readonly allowAnonymous: boolean
}

/** The function that finds the caller of each request; it throws when there is none. */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { verifyToken, allowAnonymous } = options
  return async ({ authorization, session, share, address }, rules) => {
    if (share !== undefined) return byShare(options, share)
    if (authorization === undefined && session !== undefined) return bySession(options, session)
    const lenient = rules.requests.lenientCredentials
    const credentials = parseAuthorization(authorization, lenient)
    const isToken = credentials !== undefined && 'token' in credentials
    const isOwnToken = isToken && credentials.token.startsWith(TOKEN_PREFIX)
    // Without a provider, Bearer is a scheme like any other, and a lenient reading treats it as no credentials (classic
    // 13.1).
    const isOther = isToken && !isOwnToken && verifyToken === undefined
    if (credentials === undefined || (isOther && lenient)) {
      if (allowAnonymous) return NOBODY
      throw new HyperslabError(
        'credentials-required',
        'this server requires credentials: send an Authorization header',
      )
    }
    if (!isToken) return byPassword(options, credentials, address)
    return isOwnToken
      ? byOwnToken(options, credentials.token, address)
      : byProviderToken(options, credentials.token)
  }
}

async function byPassword(
  options: AuthenticateOptions,
  credentials: PasswordCredentials,
  address: string,
): Promise<Identity> {
  const { accounts, passwords } = options
  const { name, password: given } = credentials
  if (OWN_TOKEN.test(given)) return byOwnToken(options, given, address, name)
  const { password, groups, admin } = accounts.find(name)
  if (await passwords.isRight(credentials, password, address)) return { caller: { name, groups, admin } }
  throw new HyperslabError('wrong-credentials', 'unknown user or wrong password')
}

/** `user`: the name that came with the token; undefined: none. */
async function byOwnToken(
  parts: LoginParts & Pick<AuthenticateOptions, 'passwords'>,
  token: string,
  address: string,
  user?: string,
): Promise<Identity> {
  const { logins, passwords } = parts
  const account = user ?? ''
  try {
    const login = await logins.find('token', token.slice(TOKEN_PREFIX.length))
    if (login && (user === undefined || user === login.name)) {
      logins.countUse(login.secret)
      return identityOf(parts, login)
    }
  } catch (error) {
    if (error instanceof HyperslabError && error.code === 'token-ended')
      passwords.countWrongToken(account, token, address)
    throw error
  }
  passwords.countWrongToken(account, token, address)
  const problem = user === undefined ? 'it is unknown here' : 'that user has no such token'
  throw new HyperslabError('wrong-credentials', `token rejected: ${problem}`)
}

async function byProviderToken(
  { accounts, verifyToken }: AuthenticateOptions,
  token: string,
): Promise<Identity> {
  if (verifyToken === undefined) {
    throw new HyperslabError(
      'wrong-credentials',
      `bearer token rejected: this server accepts only its own tokens, which begin with ${TOKEN_PREFIX}`,
    )
  }
  const { name, groups: providerGroups } = await verifyToken(token)
  const { groups, admin, disabled } = accounts.find(name, providerGroups)
  if (disabled) throw new HyperslabError('wrong-credentials', `the account ${name} is disabled`)
  return { caller: { name, groups, admin }, providerGroups }
}

type LoginParts = Pick<AuthenticateOptions, 'accounts' | 'logins'>

async function bySession(parts: LoginParts, secret: string): Promise<Identity> {
  const login = await parts.logins.find('session', secret)
  if (login) return identityOf(parts, login)
  throw unknownLogin('session')
}

async function byShare(parts: LoginParts, secret: string): Promise<Identity> {
  const login = await parts.logins.find('share', secret)
  if (!login) throw unknownLogin('share')
  parts.logins.countUse(secret)
  return identityOf(parts, login)
}

function identityOf(parts: LoginParts, login: UsedLogin): Identity {
  const { accounts, logins } = parts
  const { kind, name, scope, providerGroups } = login
  const { groups, admin } = accounts.find(name, providerGroups)
  const renew = async () => {
    await accounts.refresh()
    const present = await logins.find(kind, login.secret)
    if (present) return identityOf(parts, present).caller
    throw unknownLogin(kind)
  }
  const common = { ...(scope && { scope }), login: { id: login.id, renew } }
  if (kind === 'share')
    return { caller: { ...ANONYMOUS, ...common, sharedBy: { name, groups, admin } }, login }
  return { caller: { name, groups, admin, ...common }, login, ...(providerGroups && { providerGroups }) }
}

function unknownLogin(kind: LoginKind): HyperslabError {
  if (kind === 'share') return shareNotFound()
  const problem = `the ${kind} is unknown here: it has ended long ago, or belongs to another server`
  return new HyperslabError(`${kind}-ended`, problem)
}
