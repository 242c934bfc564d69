// Who a request is from: its credentials checked against the accounts. A password is hashed with argon2, which costs
// milliseconds, and Basic credentials come with every request; so what was verified is remembered for a short while
// under a keyed digest, and forgotten when the account changes.

import { createHmac, randomBytes } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { HyperslabError } from '../../errors.ts'
import type { Accounts } from '../../service/accounts.ts'
import { ANONYMOUS, type Caller } from '../../service/context.ts'
import type { Rules } from '../dialect/dialect.ts'
import { type Credentials, parseAuthorization } from './basic.ts'

const REMEMBERED_FOR_MS = 60_000
const REMEMBERED_AT_MOST = 10_000

export type Authenticate = (header: string | undefined, rules: Rules) => Promise<Caller>

export interface AuthenticateOptions {
  readonly accounts: Accounts
  /** Callers without credentials may ask, as the user `default`. */
  readonly allowAnonymous: boolean
  /** Milliseconds; only differences count. */
  readonly now: () => number
}

/** The function that tells the caller of each request: an error if it cannot. */
export function createAuthenticate({ accounts, allowAnonymous, now }: AuthenticateOptions): Authenticate {
  const key = randomBytes(32)
  /** Digest of name and password -> the account's hash that they were verified against, and until when that holds. */
  const verified = new Map<string, { readonly hash: string; readonly until: number }>()

  async function isRight({ name, password }: Credentials, hash: string): Promise<boolean> {
    const digest = createHmac('sha256', key).update(`${name.length}:${name}${password}`).digest('base64')
    const known = verified.get(digest)
    if (known?.hash === hash && known.until > now()) return true
    verified.delete(digest)
    if (!(await verify(hash, password))) return false
    if (verified.size >= REMEMBERED_AT_MOST) verified.clear()
    verified.set(digest, { hash, until: now() + REMEMBERED_FOR_MS })
    return true
  }

  return async (header, rules) => {
    const credentials = parseAuthorization(header, rules.lenientCredentials)
    if (credentials === undefined) {
      if (allowAnonymous) return ANONYMOUS
      throw new HyperslabError('credentials-required', 'this server answers identified callers only')
    }
    const account = accounts.find(credentials.name)
    if (account === undefined || !(await isRight(credentials, account.hash))) {
      throw new HyperslabError('wrong-credentials', 'unknown user or wrong password')
    }
    return { name: credentials.name, groups: account.groups, admin: account.admin }
  }
}
