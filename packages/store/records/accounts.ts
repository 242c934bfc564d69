// The accounts of a store: a record for each user and each group of users, and one, the revision, that is new after
// each change of any of them. A reader needs only this record to see that nothing has changed. A change expects it, so
// two changes at once, of any processes, do not undo each other. No error contains any part of a record, because
// records hold hashes of passwords.

import { changesOf, isSameValue } from '../batch.ts'
import type { KeyValue, Random, Snapshot } from '../interfaces/engine.ts'
import { hexOf } from '../key-range.ts'
import { ACCOUNTS_KEY, ACCOUNTS_RANGE, parseKey, userGroupKey, userKey } from './keys.ts'
import { deletionOfLogins } from './logins.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import { withSnapshot } from './with-snapshot.ts'

/** A person as an identity provider has named it; the issuer and the subject never change. */
export interface StoredIdentity {
  readonly issuer: string
  readonly subject: string
  readonly displayName?: string
}

export interface StoredUser {
  /** The hash of the password, as an argon2 string; empty: no password is accepted. */
  readonly hash: string
  /** Present: it is the hash of the SHA-224 of the password, in hexadecimal digits. */
  readonly of?: 'sha224'
  readonly admin: boolean
  /** The user cannot log in; the name stays taken. */
  readonly disabled?: true
  /** Present: the user logs in at an identity provider. */
  readonly identity?: StoredIdentity
}

/** Maps, because a plain object mishandles names like `__proto__`. */
export interface StoredAccounts {
  readonly users: Map<string, StoredUser>
  /** The members of each group of users, in the order in which they were added. */
  readonly groups: Map<string, readonly string[]>
}

export interface AccountsState extends StoredAccounts {
  /** Undefined: the store has never had accounts. */
  readonly revision: Uint8Array | undefined
  /**
   * Users and groups whose records cannot be decoded, in words. They are not among the others; adding them again
   * repairs them.
   */
  readonly damaged: readonly string[]
}

const REVISION_BYTES = 16

/** The accounts; `known` if nothing has changed since it was read. */
export function readAccounts<Known extends AccountsState>(
  keyValue: Pick<KeyValue, 'snapshot'>,
  known?: Known,
): Promise<AccountsState | Known> {
  return withSnapshot(keyValue, async snapshot => {
    if (known && isSameValue(await snapshot.get(ACCOUNTS_KEY), known.revision)) return known
    return readFrom(snapshot)
  })
}

async function readFrom(snapshot: Snapshot): Promise<AccountsState> {
  let revision: Uint8Array | undefined
  const users = new Map<string, StoredUser>()
  const groups = new Map<string, readonly string[]>()
  const damaged: string[] = []
  for await (const { key, value } of snapshot.range(ACCOUNTS_RANGE)) {
    const parsed = parseKey(key)
    try {
      if (parsed?.type === 'accounts') revision = value
      if (parsed?.type === 'user') users.set(parsed.name, decodeUser(value))
      if (parsed?.type === 'userGroup') groups.set(parsed.name, decodeMembers(value))
    } catch {
      if (parsed?.type === 'user') damaged.push(`the user "${parsed.name}"`)
      if (parsed?.type === 'userGroup') damaged.push(`the group "${parsed.name}"`)
    }
  }
  return { revision, users, groups, damaged }
}

/** Notes durably that the store has had users, for those that only settings name: it is not open without them. */
export async function noteUsers(keyValue: KeyValue, random: Random): Promise<void> {
  const { revision } = await readAccounts(keyValue)
  if (revision === undefined) await changeAccounts(keyValue, random, () => undefined)
}

/**
 * Lets `work` change the maps of the accounts, and stores them durably. If another process changes accounts at the same
 * time, `work` runs again with the accounts stored then. If it throws, nothing changes. `isFirst`: the store has never
 * had accounts.
 */
export async function changeAccounts<T>(
  keyValue: KeyValue,
  random: Random,
  work: (accounts: StoredAccounts, isFirst: boolean) => T,
): Promise<T> {
  for (;;) {
    const before = await readAccounts(keyValue)
    const after = { users: new Map(before.users), groups: new Map(before.groups) }
    const result = work(after, before.revision === undefined)
    if (await commitAccounts(keyValue, random, before, after)) return result
  }
}

/** False: accounts have changed since. */
async function commitAccounts(
  keyValue: KeyValue,
  random: Random,
  before: Pick<AccountsState, 'revision' | 'users' | 'groups'>,
  after: StoredAccounts,
): Promise<boolean> {
  const revision = encodeRecord({ revision: hexOf(random(REVISION_BYTES)) })
  const { committed } = await keyValue.commit({
    expect: [{ key: ACCOUNTS_KEY, value: before.revision }],
    changes: [
      { op: 'set', key: ACCOUNTS_KEY, value: revision },
      ...changesOf(before.users, after.users, userKey, encodeRecord),
      // A later user of the same name must not get them.
      ...[...before.users.keys()].filter(name => !after.users.has(name)).map(deletionOfLogins),
      ...changesOf(before.groups, after.groups, userGroupKey, members => encodeRecord({ members })),
    ],
  })
  return committed
}

export function decodeUser(record: Uint8Array): StoredUser {
  return parseUser(headOf(record))
}

export function decodeMembers(record: Uint8Array): readonly string[] {
  const head = headOf(record)
  return parseMembers(isObject(head) ? head.members : undefined)
}

function parseUser(json: unknown): StoredUser {
  if (!isObject(json) || typeof json.hash !== 'string' || typeof json.admin !== 'boolean')
    throw new Error('a user must have a hash and admin')
  if (json.of !== undefined && json.of !== 'sha224')
    throw new Error('the hash of a user must be of a known form')
  if (json.disabled !== undefined && json.disabled !== true)
    throw new Error('the account of a user must be disabled or not')
  const identity = json.identity === undefined ? undefined : parseIdentity(json.identity)
  return {
    hash: json.hash,
    admin: json.admin,
    ...(identity && { identity }),
    ...(json.of === 'sha224' && { of: json.of }),
    ...(json.disabled === true && { disabled: true }),
  }
}

function parseIdentity(json: unknown): StoredIdentity {
  if (!isObject(json) || typeof json.issuer !== 'string' || typeof json.subject !== 'string')
    throw new Error('the identity of a user must have an issuer and a subject')
  const { issuer, subject, displayName } = json
  if (displayName !== undefined && typeof displayName !== 'string')
    throw new Error('the name to show of a user must be a string')
  return { issuer, subject, ...(displayName !== undefined && { displayName }) }
}

function parseMembers(json: unknown): readonly string[] {
  if (Array.isArray(json) && json.every(member => typeof member === 'string')) return json
  throw new Error('a group of users must have a list of names')
}

/** The head; undefined: it is not JSON. The error of the JSON parser would quote the record. */
function headOf(record: Uint8Array): unknown {
  try {
    return decodeRecord<unknown>(record)
  } catch {
    return undefined
  }
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null
}
