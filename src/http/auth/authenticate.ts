// Who a request is from: its credentials checked. A password is hashed with argon2, which costs milliseconds (off the
// event loop), and Basic credentials come with every request; so what was verified is remembered for a short while
// under a keyed digest, and forgotten when the account changes. A refusal takes as long for a name that nobody has.

import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { HyperslabError } from '../../errors.ts'
import type { Accounts, StoredPassword } from '../../service/accounts.ts'
import { ANONYMOUS, type Caller } from '../../service/context.ts'
import type { Rules } from '../dialect/dialect.ts'
import { type Password, parseAuthorization } from './authorization.ts'
import type { VerifyToken } from './tokens.ts'

const REMEMBERED_FOR_MS = 60_000
const REMEMBERED_AT_MOST = 10_000

export type Authenticate = (header: string | undefined, rules: Rules) => Promise<Caller>

export interface AuthenticateOptions {
  readonly accounts: Accounts
  /** Absent: no token is accepted. */
  readonly verifyToken?: VerifyToken
  /** Callers without credentials may ask, as the user `default`. */
  readonly allowAnonymous: boolean
  /** Milliseconds; only differences count. */
  readonly now: () => number
}

/** The function that tells the caller of each request: an error if it cannot. */
export function createAuthenticate({
  accounts,
  verifyToken,
  allowAnonymous,
  now,
}: AuthenticateOptions): Authenticate {
  const isRight = createPasswordCheck(now)

  async function byPassword(credentials: Password): Promise<Caller> {
    const { name } = credentials
    const { password, groups, admin } = accounts.find(name)
    if (await isRight(credentials, password)) return { name, groups, admin }
    throw new HyperslabError('wrong-credentials', 'unknown user or wrong password')
  }

  async function byToken(token: string): Promise<Caller> {
    if (verifyToken === undefined) {
      throw new HyperslabError('wrong-credentials', 'this server accepts no bearer tokens')
    }
    const { name, groups: tokenGroups } = await verifyToken(token)
    const { groups, admin } = accounts.find(name, tokenGroups)
    return { name, groups, admin }
  }

  return async (header, rules) => {
    const credentials = parseAuthorization(header, rules.lenientCredentials)
    // Where tokens mean nothing, Bearer is a scheme like any other, which the lenient take for none (contract 10, 13.1).
    const isOther = credentials !== undefined && 'token' in credentials && verifyToken === undefined
    if (credentials === undefined || (isOther && rules.lenientCredentials)) {
      if (allowAnonymous) return ANONYMOUS
      throw new HyperslabError('credentials-required', 'this server answers identified callers only')
    }
    return 'token' in credentials ? byToken(credentials.token) : byPassword(credentials)
  }
}

/** Whether credentials are right for what is stored under their name. */
type PasswordCheck = (credentials: Password, stored: StoredPassword | undefined) => Promise<boolean>

function createPasswordCheck(now: () => number): PasswordCheck {
  const key = randomBytes(32).toString('base64')
  const digestOf = (text: string) => digest('sha256', key + text, 'base64')
  /** Digest of name and password -> the hash that they were verified against, and until when that holds. */
  const verified = new Map<string, { readonly hash: string; readonly until: number }>()
  /** Those that are being verified: of a burst of requests one pays. */
  const underway = new Map<string, Promise<boolean>>()
  let nobodysHash: Promise<string> | undefined

  /** False, after the time that a wrong password of an account takes. */
  async function refuse(password: string): Promise<false> {
    nobodysHash ??= hash(randomBytes(16).toString('hex'))
    await verify(await nobodysHash, password)
    return false
  }

  async function isOfHash(credentials: string, stored: string, password: string): Promise<boolean> {
    // A hash that argon2 does not understand is nobody's password.
    if (!(await verify(stored, password).catch(() => false))) return false
    if (verified.size >= REMEMBERED_AT_MOST) verified.clear()
    verified.set(credentials, { hash: stored, until: now() + REMEMBERED_FOR_MS })
    return true
  }

  return async ({ name, password }, stored) => {
    if (stored === undefined) return refuse(password)
    if ('plain' in stored) {
      return (
        timingSafeEqual(Buffer.from(digestOf(stored.plain)), Buffer.from(digestOf(password))) ||
        refuse(password)
      )
    }
    const credentials = digestOf(`${name.length}:${name}${password}`)
    const known = verified.get(credentials)
    if (known?.hash === stored.hash && known.until > now()) return true
    verified.delete(credentials)
    const place = `${credentials}${stored.hash}`
    const check = underway.get(place) ?? isOfHash(credentials, stored.hash, password)
    underway.set(place, check)
    try {
      return await check
    } finally {
      underway.delete(place)
    }
  }
}
