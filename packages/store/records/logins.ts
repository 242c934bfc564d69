// Logins: sessions of browsers, tokens of programs, and shares, which are addresses for people without an account.
// Each has a secret, of which the store has the hash only, and a record. A secret begins with the hash of its user's
// name, so the logins of a user are one range of keys, and one look into the store finds a login by its secret. A
// login that was ended leaves its record for some time, so that the service can say so. No error contains any part
// of a record.

import { hash } from 'node:crypto'
import type { DomainPath } from '@hyperslab/model/names'
import { changesOf } from '../batch.ts'
import type { Change, Entry, KeyValue, Random } from '../interfaces/engine.ts'
import { hexOf } from '../key-range.ts'
import { digestOfLoginKey, LOGINS_RANGE, loginKey, loginsRange, OWNER_LENGTH } from './keys.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import { withSnapshot } from './with-snapshot.ts'

interface LoginRecord {
  readonly user: string
  /** Milliseconds since the epoch, as all times here. */
  readonly created: number
  /** The time from which on it is not accepted. */
  readonly end: number
  /** Present: an identity provider has named the user, with these groups, and an account is not needed. */
  readonly providerGroups?: readonly string[]
  /** The time at which it named them; absent: when the login was created. */
  readonly named?: number
  /** Present: it was ended before its time. */
  readonly ended?: { readonly at: number; readonly reason: string }
}

interface Session extends LoginRecord {
  readonly kind: 'session'
  /** The last use that was noted. */
  readonly used: number
  /** The program that has logged in, as it names itself. */
  readonly client: string
  /**
   * Hashes of the secret and of the stored password, the present one or the next: when it is another one, the session
   * has ended.
   */
  readonly proofs?: readonly string[]
  /** Present: it began with a login at the identity provider of that name, whose ID token is sealed with the secret. */
  readonly provider?: { readonly name: string; readonly idToken?: string }
}

interface Token extends LoginRecord {
  readonly kind: 'token'
  readonly name: string
  readonly writes: boolean
  /** The domain or folder that it reaches; absent: all. */
  readonly within?: DomainPath
  /** The requests that were counted, and the time of the last one; absent: none. */
  readonly uses?: number
  readonly used?: number
}

interface Share extends LoginRecord {
  readonly kind: 'share'
  /** A note for the user that has made it. */
  readonly note: string
  /** The domain or folder that it shows. */
  readonly within: DomainPath
  /** The one dataset of the domain that it shows; absent: all. */
  readonly h5path?: string
  /** The query of the address of the page, for the view that it opens. */
  readonly view: string
  /** The origins whose pages may show it in a frame; absent: all that the service allows. */
  readonly frameAncestors?: readonly string[]
  /** The requests that were counted, and the time of the last one; absent: none. */
  readonly uses: number
  readonly used?: number
}

/** A login, or one of a kind. */
export type StoredLogin<Kind extends LoginRecords['kind'] = LoginRecords['kind']> = Extract<
  LoginRecords,
  { readonly kind: Kind }
>

type LoginRecords = Session | Token | Share

/** The logins of a user by the digests of their secrets, in hexadecimal digits. */
export type LoginsOfUser = Map<string, StoredLogin>

/** A login as it was read, and with a use that is noted. */
interface NotedUse {
  readonly secret: string
  readonly before: StoredLogin
  readonly after: StoredLogin
}

export interface LoginPage {
  readonly logins: readonly (readonly [string, StoredLogin])[]
  readonly next?: string
}

/** Hexadecimal digits of a key that are its position: few enough that nobody learns the digest of a secret. */
const POSITION_DIGITS = 32
const SECRET_BYTES = 32
const SECRET = /^[A-Za-z0-9_-]{43}$/

/** The digest of a secret, in hexadecimal digits. */
export function digestOf(secret: string): string {
  return hash('sha256', secret)
}

/** The logins of one store. */
export class LoginStore {
  readonly #keyValue: Pick<KeyValue, 'snapshot' | 'commit'>
  readonly #random: Random

  constructor(keyValue: Pick<KeyValue, 'snapshot' | 'commit'>, random: Random) {
    this.#keyValue = keyValue
    this.#random = random
  }

  /** A new secret for a login of the user, of 43 letters, digits, "_" and "-". */
  newSecret(user: string): string {
    return Buffer.concat([ownerOf(user), this.#random(SECRET_BYTES - OWNER_LENGTH)]).toString('base64url')
  }

  /** The login with the secret; undefined: there is none, or the text is no secret. */
  async find(secret: string): Promise<StoredLogin | undefined> {
    if (!SECRET.test(secret)) return undefined
    const record = await withSnapshot(this.#keyValue, snapshot => snapshot.get(keyOfSecret(secret)))
    return record && decodeLogin(record)
  }

  /** The logins of a user. */
  async list(user: string): Promise<LoginsOfUser> {
    return loginsIn(await this.#entriesOf(user), user)
  }

  /**
   * At most `max` logins of any users with their digests, in the order of their keys, after a position. `next` is the
   * position of the last one, if there may be more.
   */
  page(after: string | undefined, max: number): Promise<LoginPage> {
    return withSnapshot(this.#keyValue, async snapshot => {
      const { end } = LOGINS_RANGE
      const start = after === undefined ? LOGINS_RANGE.start : keyAfter(after)
      const logins: [string, StoredLogin][] = []
      let next: string | undefined
      for await (const { key, value } of snapshot.range({ start, end, limit: max })) {
        logins.push([hexOf(digestOfLoginKey(key)), decodeLogin(value)])
        next = hexOf(key.subarray(LOGINS_RANGE.start.length)).slice(0, POSITION_DIGITS)
      }
      return { logins, ...(logins.length === max && next !== undefined && { next }) }
    })
  }

  /** The users with sessions, tokens or shares, accepted or not, by their names. */
  listUsers(): Promise<readonly string[]> {
    return withSnapshot(this.#keyValue, async snapshot => {
      const users = new Set<string>()
      for await (const { value } of snapshot.range(LOGINS_RANGE)) users.add(decodeLogin(value).user)
      return [...users].sort()
    })
  }

  /** The groups that identity providers have named, with the users whose logins are accepted at `now`. */
  providerGroups(now: number): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    return withSnapshot(this.#keyValue, async snapshot => {
      const groups = new Map<string, Set<string>>()
      for await (const { value } of snapshot.range(LOGINS_RANGE)) {
        const { user, end, ended, providerGroups = [] } = decodeLogin(value)
        if (ended || end <= now) continue
        for (const group of providerGroups) groups.set(group, (groups.get(group) ?? new Set()).add(user))
      }
      return groups
    })
  }

  /**
   * Lets `work` change the logins of a user, and stores them durably. If another process changes them at the same time,
   * `work` runs again with the logins stored then. If it throws, nothing changes.
   */
  async change<T>(user: string, work: (logins: LoginsOfUser) => T): Promise<T> {
    const owner = ownerOf(user)
    const keyOf = (digest: string) => loginKey(owner, Buffer.from(digest, 'hex'))
    for (;;) {
      const entries = await this.#entriesOf(user)
      const before = loginsIn(entries, user)
      const after = new Map(before)
      const result = work(after)
      const changes = changesOf(before, after, keyOf, encodeRecord)
      if (changes.length === 0) return result
      const range = loginsRange(owner)
      const { committed } = await this.#keyValue.commit({ expect: [{ range, entries }], changes })
      if (committed) return result
    }
  }

  /** Notes uses in one commit. False: a record has changed since it was read, so nothing was noted. */
  async noteUses(uses: readonly NotedUse[]): Promise<boolean> {
    const keyed = uses.map(({ secret, ...records }) => ({ key: keyOfSecret(secret), ...records }))
    const { committed } = await this.#keyValue.commit({
      expect: keyed.map(({ key, before }) => ({ key, value: encodeRecord(before) })),
      changes: keyed.map(({ key, after }) => ({ op: 'set', key, value: encodeRecord(after) })),
    })
    return committed
  }

  #entriesOf(user: string): Promise<readonly Entry[]> {
    return withSnapshot(this.#keyValue, async snapshot => {
      const entries: Entry[] = []
      for await (const entry of snapshot.range(loginsRange(ownerOf(user)))) entries.push(entry)
      return entries
    })
  }
}

/** The change that deletes all logins of a user. */
export function deletionOfLogins(user: string): Change {
  return { op: 'deleteRange', ...loginsRange(ownerOf(user)) }
}

/** The last possible key with the position. */
function keyAfter(position: string): Uint8Array {
  const rest = Buffer.alloc(SECRET_BYTES, 0xff)
  return Buffer.concat([LOGINS_RANGE.start, Buffer.from(position, 'hex'), rest])
}

function keyOfSecret(secret: string): Uint8Array {
  const owner = Buffer.from(secret, 'base64url').subarray(0, OWNER_LENGTH)
  return loginKey(owner, Buffer.from(digestOf(secret), 'hex'))
}

function ownerOf(user: string): Uint8Array {
  return hash('sha256', user, 'buffer').subarray(0, OWNER_LENGTH)
}

function loginsIn(entries: readonly Entry[], user: string): LoginsOfUser {
  const logins = entries.map(({ key, value }) => [hexOf(digestOfLoginKey(key)), decodeLogin(value)] as const)
  return new Map(logins.filter(([, login]) => login.user === user))
}

/** Decodes a record; the error contains no part of it. */
export function decodeLogin(record: Uint8Array): StoredLogin {
  const head = headOf(record)
  if (isSession(head) || isToken(head) || isShare(head)) return head
  throw new Error('a login must be a session, a token or a share')
}

type Head = Partial<Record<string, unknown>>

/** The head; no members: it is not JSON. The error of the JSON parser would quote the record. */
function headOf(record: Uint8Array): Head {
  try {
    return decodeRecord<Head>(record)
  } catch {
    return {}
  }
}

function isSession(head: Head): head is Head & Session {
  const { kind, used, client, proofs = [], provider } = head
  return (
    isLogin(head) &&
    kind === 'session' &&
    typeof used === 'number' &&
    typeof client === 'string' &&
    areTexts(proofs) &&
    (provider === undefined || isProvider(provider))
  )
}

function isProvider(provider: unknown): boolean {
  if (typeof provider !== 'object' || provider === null || !('name' in provider)) return false
  const hasToken = 'idToken' in provider
  return typeof provider.name === 'string' && (!hasToken || typeof provider.idToken === 'string')
}

function isToken(head: Head): head is Head & Token {
  const { kind, name, writes, within, uses, used } = head
  const isPath = within === undefined || (typeof within === 'string' && within.includes('/'))
  return (
    isLogin(head) &&
    kind === 'token' &&
    typeof name === 'string' &&
    typeof writes === 'boolean' &&
    isPath &&
    (uses === undefined || typeof uses === 'number') &&
    (used === undefined || typeof used === 'number')
  )
}

function isShare(head: Head): head is Head & Share {
  const { kind, note, within, h5path, view, frameAncestors = [], uses, used } = head
  return (
    isLogin(head) &&
    kind === 'share' &&
    typeof note === 'string' &&
    typeof within === 'string' &&
    within.includes('/') &&
    (h5path === undefined || typeof h5path === 'string') &&
    typeof view === 'string' &&
    areTexts(frameAncestors) &&
    typeof uses === 'number' &&
    (used === undefined || typeof used === 'number')
  )
}

function isLogin({ user, created, end, providerGroups = [], named, ended }: Head): boolean {
  return (
    typeof user === 'string' &&
    typeof created === 'number' &&
    typeof end === 'number' &&
    areTexts(providerGroups) &&
    (named === undefined || typeof named === 'number') &&
    (ended === undefined || isEnd(ended))
  )
}

function areTexts(json: unknown): boolean {
  return Array.isArray(json) && json.every(item => typeof item === 'string')
}

function isEnd(ended: unknown): boolean {
  if (typeof ended !== 'object' || ended === null || !('at' in ended && 'reason' in ended)) return false
  return typeof ended.at === 'number' && typeof ended.reason === 'string'
}
