// Checks the credentials of a request and finds its caller.

import { HyperslabError } from '../../errors.ts'
import type { Accounts } from '../../service/accounts.ts'
import { ANONYMOUS, type Caller } from '../../service/context.ts'
import type { Rules } from '../dialect/rules.ts'
import { type PasswordCredentials, parseAuthorization } from './authorization.ts'
import type { PasswordChecks } from './password-checks.ts'
import type { VerifyToken } from './tokens.ts'

/** Finds the caller of a request; the address is that of the connection. */
export type Authenticate = (header: string | undefined, rules: Rules, address: string) => Promise<Caller>

export interface AuthenticateOptions {
  readonly accounts: Accounts
  readonly passwords: Pick<PasswordChecks, 'isRight'>
  /** Absent: no token is accepted. */
  readonly verifyToken?: VerifyToken
  /** Requests without credentials are accepted, as those of the user `default`. */
  readonly allowAnonymous: boolean
}

/** The function that finds the caller of each request; it throws when there is none. */
export function createAuthenticate({
  accounts,
  passwords,
  verifyToken,
  allowAnonymous,
}: AuthenticateOptions): Authenticate {
  async function byPassword(credentials: PasswordCredentials, address: string): Promise<Caller> {
    const { name } = credentials
    const { password, groups, admin } = accounts.find(name)
    if (await passwords.isRight(credentials, password, address)) return { name, groups, admin }
    throw new HyperslabError('wrong-credentials', 'unknown user or wrong password')
  }

  async function byToken(token: string): Promise<Caller> {
    if (verifyToken === undefined) {
      throw new HyperslabError(
        'wrong-credentials',
        'bearer token rejected: this server accepts no tokens, send a name and password',
      )
    }
    const { name, groups: tokenGroups } = await verifyToken(token)
    const { groups, admin } = accounts.find(name, tokenGroups)
    return { name, groups, admin }
  }

  return async (header, rules, address) => {
    const lenient = rules.requests.lenientCredentials
    const credentials = parseAuthorization(header, lenient)
    // Without tokens, Bearer is a scheme like any other, and a lenient reading treats it as no credentials (classic
    // 13.1).
    const isOther = credentials !== undefined && 'token' in credentials && verifyToken === undefined
    if (credentials === undefined || (isOther && lenient)) {
      if (allowAnonymous) return ANONYMOUS
      throw new HyperslabError(
        'credentials-required',
        'this server requires credentials: send an Authorization header',
      )
    }
    return 'token' in credentials ? byToken(credentials.token) : byPassword(credentials, address)
  }
}
