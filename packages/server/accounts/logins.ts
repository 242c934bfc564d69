// The sessions, tokens and shares of a store. A request finds its login by one look into the store, which is remembered
// for as long as accounts are: so a login that was ended in any process is not accepted when `end` has resolved. A use
// of a session is noted now and then, not each time; uses of tokens and shares are all counted, and stored some seconds
// later, those of many in one commit.

import { hash } from 'node:crypto'
import { BoundedMap } from '@hyperslab/base/bounded'
import type { Clock } from '@hyperslab/base/clock'
import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import type { KeyValue, Random } from '@hyperslab/store/engines'
import { digestOf, LoginStore, type LoginsOfUser, type StoredLogin } from '@hyperslab/store/records'
import { Seal } from '../seal.ts'
import type { Accounts, StoredPassword } from '../service/accounts.ts'
import type {
  ListedSession,
  ListedShare,
  ListedToken,
  LoginFilter,
  LoginKind,
  Logins,
  NewLogin,
  ProvedUser,
  Scope,
  SessionProvider,
  ShareRequest,
  TokenRequest,
  UsedLogin,
} from '../service/logins.ts'
import { MAX_AGE_MILLISECONDS, waitUntilUsed } from './account-records.ts'
import { shownToAdministrators } from './login-of-all.ts'

/** Sessions of a user; the one that was not used for longest ends for a new one. @limit memory, sessions */
const MAX_SESSIONS = 20
/** Tokens of a user. @limit memory, tokens */
const MAX_TOKENS = 50
/** Shares of a user. @limit memory, shares */
const MAX_SHARES = 1000
/** Logins of a user that have ended and are kept, so that the service can say so. @limit memory, logins */
const MAX_ENDED = 50
/** Logins that are remembered for 250 ms. @limit memory, logins */
const MAX_REMEMBERED = 10_000
/** A position of `LoginStore.page`. */
const POSITION = /^[0-9a-f]{32}$/
/** Records of logins that one request looks at, of all users. @limit safety, logins */
const MAX_LOOKED_AT = 10_000
/** Characters of the name of a program that has logged in. @limit memory, characters */
const MAX_CLIENT = 200
/** Digits of the digest of a secret that are the id of its login. */
const ID_LENGTH = 16
/** The notes of uses of a session within the time in which it would end for not being used. */
const NOTED_USES = 10
/** Tokens and shares with uses that are not stored yet; uses of more are not counted. @limit memory, logins */
const MAX_COUNTED = 10_000
/** The time after which uses of tokens and shares are stored, in milliseconds. */
const COUNT_MILLISECONDS = 10_000
/** Tokens and shares whose uses are stored in one commit. @limit safety, logins */
const STORED_AT_ONCE = 100

export interface LoginSettings {
  /** Seconds for which a session may be unused. */
  readonly sessionIdle: number
  /** Seconds after which a session ends in any case. */
  readonly sessionEnd: number
}

export interface LoginParts {
  readonly keyValue: Pick<KeyValue, 'snapshot' | 'commit'>
  readonly random: Random
  readonly accounts: Pick<Accounts, 'find'>
  readonly settings: LoginSettings
  readonly clock: Clock
  readonly report: (error: unknown) => void
}

/** Requests with a token or share. */
interface Uses {
  readonly count: number
  /** The time of the last one. */
  readonly last: number
}

/** A login as it was read, and when. */
interface KnownLogin {
  readonly login: StoredLogin
  readonly since: number
}

export class StoredLogins implements Logins {
  readonly #parts: LoginParts
  readonly #store: LoginStore
  /** Logins by the digests of their secrets. @limit safety, logins */
  readonly #known = new BoundedMap<string, KnownLogin>(MAX_REMEMBERED)
  /** Digests of sessions whose use is being noted. */
  readonly #noting = new Set<string>()
  /** Uses of tokens and shares that are not stored yet, by their secrets. */
  #uses = new Map<string, Uses>()
  #storing: Promise<void> = Promise.resolve()

  constructor(parts: LoginParts) {
    this.#parts = parts
    this.#store = new LoginStore(parts.keyValue, parts.random)
  }

  async find(kind: LoginKind, secret: string): Promise<UsedLogin | undefined> {
    const digest = digestOf(secret)
    const login = await this.#read(digest, secret)
    if (login?.kind !== kind) return undefined
    const reason = this.#whyEnded(login, secret)
    if (reason !== undefined && kind === 'share') return undefined
    if (reason !== undefined) throw endedLogin(kind, reason)
    if (login.kind === 'session') this.#noteUse(digest, secret, login)
    return {
      kind,
      id: idOf(digest),
      secret,
      name: login.user,
      end: login.end,
      ...this.#groupsOf(login),
      ...(login.kind === 'token' && { label: login.name, scope: scopeOf(login) }),
      ...(login.kind === 'share' && { scope: { writes: false, ...placeOf(login) } }),
      ...(login.kind === 'share' && { view: login.view, ...framesOf(login) }),
    }
  }

  async beginSession(
    { name, providerGroups }: ProvedUser,
    client: string,
    provider?: SessionProvider,
  ): Promise<NewLogin> {
    const { settings, clock } = this.#parts
    const secret = this.#store.newSecret(name)
    const created = clock.now()
    const { password } = this.#parts.accounts.find(name)
    const session: StoredLogin<'session'> = {
      kind: 'session',
      user: name,
      created,
      end: created + settings.sessionEnd * 1000,
      used: created,
      client: client.slice(0, MAX_CLIENT),
      ...(providerGroups && { providerGroups }),
      ...(!providerGroups && password && { proofs: [proofOf(secret, password)] }),
      ...(provider && { provider: withSealedToken(provider, secret) }),
    }
    await this.#change(name, logins => {
      const sessions = this.#accepted(logins).filter(isSession)
      const surplus = sessions.length + 1 - MAX_SESSIONS
      const unused = sessions.sort(([, a], [, b]) => a.used - b.used).slice(0, Math.max(0, surplus))
      for (const one of unused)
        this.#end(logins, one, `the user has begun more than ${MAX_SESSIONS} sessions`)
      if (providerGroups) this.#renewGroups(logins, providerGroups)
      logins.set(digestOf(secret), session)
    })
    return { id: idOf(digestOf(secret)), secret, created, end: session.end }
  }

  async providerOf({ secret }: UsedLogin): Promise<SessionProvider | undefined> {
    const session = await this.#read(digestOf(secret), secret)
    if (session?.kind !== 'session' || !session.provider) return undefined
    const { name, idToken: sealed } = session.provider
    const idToken = sealed === undefined ? undefined : sealOf(secret).open(sealed)
    return { name, ...(idToken !== undefined && { idToken }) }
  }

  createToken(owner: ProvedUser, { name, end, writes, within }: TokenRequest): Promise<NewLogin> {
    return this.#create(owner, MAX_TOKENS, created => ({
      kind: 'token',
      user: owner.name,
      name,
      created,
      end,
      writes,
      ...(within !== undefined && { within }),
    }))
  }

  createShare(owner: ProvedUser, request: ShareRequest): Promise<NewLogin> {
    return this.#create(owner, MAX_SHARES, created => ({
      kind: 'share',
      user: owner.name,
      created,
      uses: 0,
      ...request,
    }))
  }

  /** Stores a token or share, of which a user may have `max`. */
  async #create<Login extends StoredLogin<'token'> | StoredLogin<'share'>>(
    { name: user, providerGroups, named }: ProvedUser,
    max: number,
    make: (created: number) => Login,
  ): Promise<NewLogin> {
    const secret = this.#store.newSecret(user)
    const created = this.#parts.clock.now()
    const login = {
      ...make(created),
      ...(providerGroups && { providerGroups, named: named ?? created }),
    }
    const { kind, end } = login
    await this.#change(user, logins => {
      const { length } = this.#accepted(logins).filter(([, other]) => other.kind === kind)
      if (length >= max) {
        const problem = `${user} has ${length} ${kind}s, and a user may have ${max}: revoke one first`
        throw new HyperslabError(`too-many-${kind}s`, problem)
      }
      logins.set(digestOf(secret), login)
    })
    return { id: idOf(digestOf(secret)), secret, created, end }
  }

  /** The users with sessions, tokens or shares. */
  listUsers(): Promise<readonly string[]> {
    return this.#store.listUsers()
  }

  #storeSoon(): void {
    this.#parts.clock.after(COUNT_MILLISECONDS, () => void this.storeUses(), 'while-running')
  }

  countUse(secret: string): void {
    if (this.#uses.size === 0) this.#storeSoon()
    const before = this.#uses.get(secret)
    if (before === undefined && this.#uses.size >= MAX_COUNTED) return
    this.#uses.set(secret, { count: (before?.count ?? 0) + 1, last: this.#parts.clock.now() })
  }

  /** Stores the uses that were counted until now; never rejects. */
  storeUses(): Promise<void> {
    const uses = [...this.#uses]
    this.#uses = new Map()
    this.#storing = this.#storing.then(async () => {
      for (let from = 0; from < uses.length; from += STORED_AT_ONCE)
        await this.#addUses(uses.slice(from, from + STORED_AT_ONCE)).catch(this.#parts.report)
    })
    return this.#storing
  }

  async listSessions(user: string): Promise<readonly ListedSession[]> {
    const sessions = (await this.#list(user)).filter(isSession)
    return sessions.map(([digest, { created, end, used, client }]) => ({
      id: idOf(digest),
      created,
      end: Math.min(end, used + this.#parts.settings.sessionIdle * 1000),
      used,
      client,
    }))
  }

  async listTokens(user: string): Promise<readonly ListedToken[]> {
    await this.storeUses()
    const tokens = (await this.#list(user)).filter(isToken)
    return tokens.map(([digest, token]) => {
      const { name, created, end, uses = 0, used } = token
      const common = { id: idOf(digest), name, created, end, uses }
      return { ...common, ...scopeOf(token), ...(used !== undefined && { used }) }
    })
  }

  async listShares(user: string): Promise<readonly ListedShare[]> {
    await this.storeUses()
    const shares = (await this.#list(user)).filter(isShare)
    return shares.map(([digest, share]) => {
      const { note, view, created, end, uses, used } = share
      const common = { id: idOf(digest), note, view, created, end, uses }
      return { ...common, ...placeOf(share), ...framesOf(share), ...(used !== undefined && { used }) }
    })
  }

  async listAll({ user, kind }: LoginFilter, limit: number, after: string | undefined) {
    await this.storeUses()
    const shown = (entries: readonly (readonly [string, StoredLogin])[]) =>
      entries
        .filter(([, login]) => kind === undefined || login.kind === kind)
        .map(([digest, login]) => shownToAdministrators(idOf(digest), login))
    if (user !== undefined) return { logins: shown(await this.#list(user)) }
    if (after !== undefined && !POSITION.test(after))
      throw new HyperslabError('malformed-parameter', 'Marker must be the "next" of an answer')
    let looked = 0
    for (let position = after; ; ) {
      const page = await this.#store.page(position, limit)
      const logins = shown(this.#accepted(new Map(page.logins)))
      looked += page.logins.length
      if (logins.length > 0 || page.next === undefined || looked >= MAX_LOOKED_AT)
        return { logins, ...(page.next !== undefined && { next: page.next }) }
      position = page.next
    }
  }

  async end(user: string, kind: LoginKind, id: string, reason?: string): Promise<boolean> {
    const isEnded = await this.#change(user, logins => {
      const found = this.#accepted(logins).find(
        ([digest, login]) => login.kind === kind && idOf(digest) === id,
      )
      const byUser = kind === 'session' ? 'the user has ended it' : 'it was revoked'
      if (found) this.#end(logins, found, reason ?? byUser)
      return found !== undefined
    })
    if (isEnded) await waitUntilUsed(this.#parts.clock)
    return isEnded
  }

  async endOtherSessions(user: string, kept: string | undefined, reason: string): Promise<number> {
    const ended = await this.#change(user, logins => {
      const others = this.#accepted(logins)
        .filter(isSession)
        .filter(([digest]) => idOf(digest) !== kept)
      for (const one of others) this.#end(logins, one, reason)
      return others.length
    })
    if (ended > 0) await waitUntilUsed(this.#parts.clock)
    return ended
  }

  async keepSession({ name, secret }: UsedLogin, next: StoredPassword): Promise<void> {
    const present = this.#parts.accounts.find(name).password
    await this.#change(name, logins => {
      const session = logins.get(digestOf(secret))
      if (session?.kind !== 'session') return
      const passwords = present ? [present, next] : [next]
      logins.set(digestOf(secret), { ...session, proofs: passwords.map(one => proofOf(secret, one)) })
    })
    await waitUntilUsed(this.#parts.clock)
  }

  async #read(digest: string, secret: string): Promise<StoredLogin | undefined> {
    const { clock } = this.#parts
    const known = this.#known.get(digest)
    const since = clock.elapsed()
    if (known && since - known.since < MAX_AGE_MILLISECONDS) return known.login
    const login = await this.#store.find(secret)
    // An unknown login is not remembered: another process may just have made it.
    if (login) this.#known.set(digest, { login, since })
    else this.#known.forget(digest)
    return login
  }

  async #list(user: string): Promise<readonly (readonly [string, StoredLogin])[]> {
    const logins = await this.#store.list(user)
    return this.#accepted(logins).sort(([, a], [, b]) => b.created - a.created)
  }

  async #change<T>(user: string, work: (logins: LoginsOfUser) => T): Promise<T> {
    const result = await this.#store.change(user, logins => {
      const result = work(logins)
      this.#removeOld(logins)
      return result
    })
    this.#known.forgetIf(({ login }) => login.user === user)
    return result
  }

  /** Removes the records of logins that have ended, except for the newest; those of shares say nothing to anybody. */
  #removeOld(logins: LoginsOfUser): void {
    const endOf = ({ ended, end }: StoredLogin) => ended?.at ?? end
    const ended = [...logins].filter(([, login]) => this.#whyOver(login) !== undefined)
    for (const [digest] of ended.filter(isShare)) logins.delete(digest)
    const told = ended.filter(entry => !isShare(entry))
    const old = told.sort(([, a], [, b]) => endOf(b) - endOf(a)).slice(MAX_ENDED)
    for (const [digest] of old) logins.delete(digest)
  }

  #end(logins: LoginsOfUser, [digest, login]: readonly [string, StoredLogin], reason: string): void {
    logins.set(digest, { ...login, ended: { at: this.#parts.clock.now(), reason } })
  }

  /** The logins that have not ended, as far as their records say. */
  #accepted(logins: LoginsOfUser): [string, StoredLogin][] {
    return [...logins].filter(([, login]) => this.#whyOver(login) === undefined)
  }

  /** The reason why the login is not accepted any more, as far as its record says; undefined: it is accepted. */
  #whyOver(login: StoredLogin): string | undefined {
    const { settings, clock } = this.#parts
    if (login.ended) return login.ended.reason
    if (clock.now() >= login.end) return `it has expired at ${new Date(login.end).toISOString()}`
    const isIdle = login.kind === 'session' && clock.now() - login.used >= settings.sessionIdle * 1000
    return isIdle ? `it was not used for ${settings.sessionIdle} s` : undefined
  }

  #whyEnded(login: StoredLogin, secret: string): string | undefined {
    const over = this.#whyOver(login)
    if (over !== undefined) return over
    const { disabled, password, issuer } = this.#parts.accounts.find(login.user)
    if (disabled) return `the account ${login.user} is disabled`
    if (login.providerGroups) return undefined
    if (!password && issuer === undefined) return `there is no account ${login.user} any more`
    const isOther =
      login.kind === 'session' && !(password && login.proofs?.includes(proofOf(secret, password)))
    return isOther ? `the password of ${login.user} has changed` : undefined
  }

  /**
   * The groups that the provider named at the user's last login; none when that was longer ago than a session lasts:
   * the provider may have taken them away since.
   */
  #groupsOf({ providerGroups, named, created }: StoredLogin): Pick<ProvedUser, 'providerGroups' | 'named'> {
    if (!providerGroups) return {}
    const since = named ?? created
    const isOld = this.#parts.clock.now() - since >= this.#parts.settings.sessionEnd * 1000
    return { providerGroups: isOld ? [] : providerGroups, named: since }
  }

  /** Gives the logins that a provider has proved the groups that it names now. */
  #renewGroups(logins: LoginsOfUser, providerGroups: readonly string[]): void {
    const named = this.#parts.clock.now()
    for (const [digest, login] of this.#accepted(logins)) {
      if (login.providerGroups) logins.set(digest, { ...login, providerGroups, named })
    }
  }

  #noteUse(digest: string, secret: string, session: StoredLogin<'session'>): void {
    const { settings, clock, report } = this.#parts
    const used = clock.now()
    if (used - session.used < (settings.sessionIdle * 1000) / NOTED_USES || this.#noting.has(digest)) return
    this.#noting.add(digest)
    this.#store
      .noteUses([{ secret, before: session, after: { ...session, used } }])
      .then(() => this.#known.forget(digest))
      .catch(report)
      .finally(() => this.#noting.delete(digest))
  }

  /** Adds uses to those that any process has stored, except for logins that have ended. */
  async #addUses(added: readonly (readonly [string, Uses])[]): Promise<void> {
    for (;;) {
      const noted: { secret: string; before: StoredLogin; after: StoredLogin }[] = []
      for (const [secret, { count, last }] of added) {
        const before = await this.#store.find(secret)
        if (!before || before.kind === 'session' || before.ended) continue
        const { uses = 0, used = 0 } = before
        noted.push({ secret, before, after: { ...before, uses: uses + count, used: Math.max(used, last) } })
      }
      if (noted.length === 0 || (await this.#store.noteUses(noted))) return
    }
  }
}

/** The seal of what only the holder of the secret may read. */
function sealOf(secret: string): Seal {
  return new Seal(secret, 'ID token')
}

function withSealedToken({ name, idToken }: SessionProvider, secret: string): SessionProvider {
  return { name, ...(idToken !== undefined && { idToken: sealOf(secret).close(idToken) }) }
}

/** With the secret, so that the record does not help to guess a password. */
function proofOf(secret: string, stored: StoredPassword): string {
  const password = 'hash' in stored ? stored.hash : 'plain' in stored ? stored.plain : stored.sha224
  return hash('sha256', `${secret}\n${password}`)
}

function isSession(entry: readonly [string, StoredLogin]): entry is [string, StoredLogin<'session'>] {
  return entry[1].kind === 'session'
}

function isToken(entry: readonly [string, StoredLogin]): entry is [string, StoredLogin<'token'>] {
  return entry[1].kind === 'token'
}

function isShare(entry: readonly [string, StoredLogin]): entry is [string, StoredLogin<'share'>] {
  return entry[1].kind === 'share'
}

function scopeOf({ writes, within }: StoredLogin<'token'>): Scope {
  return { writes, ...(within !== undefined && { within }) }
}

function placeOf({ within, h5path }: Pick<StoredLogin<'share'>, 'within' | 'h5path'>) {
  return { within, ...(h5path !== undefined && { h5path }) }
}

function framesOf({ frameAncestors }: StoredLogin<'share'>): Pick<ShareRequest, 'frameAncestors'> {
  return frameAncestors ? { frameAncestors } : {}
}

function idOf(digest: string): string {
  return digest.slice(0, ID_LENGTH)
}

function endedLogin(kind: LoginKind, reason: string): HyperslabError {
  const code: ErrorCode = kind === 'session' ? 'session-ended' : 'token-ended'
  const remedy = kind === 'session' ? 'log in again' : 'use another token'
  return new HyperslabError(code, `the ${kind} has ended: ${reason}; ${remedy}`)
}
