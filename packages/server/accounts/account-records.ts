// The accounts of a store in the memory of one process, so that a look-up reads nothing. Before a request uses them
// they are read again if that was not done lately: one small record, and all accounts if it has changed. So a request
// sees every change that was committed `MAX_AGE_MILLISECONDS` before it began, of any process on any machine, however
// long this process has been idle or stopped. While they cannot be read, `read` throws: a user may have been removed
// since.

import { type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { KeyValue } from '@hyperslab/store/engines'
import { type AccountsState, readAccounts, type StoredUser } from '@hyperslab/store/records'

/** The accounts with the groups of each user. */
export interface KnownAccounts extends AccountsState {
  readonly groupsOf: ReadonlyMap<string, readonly string[]>
  /** The names of users of identity providers, by `identityKey`. */
  readonly nameOfIdentity: ReadonlyMap<string, string>
}

export function identityKey(issuer: string, subject: string): string {
  return `${issuer}\n${subject}`
}

/** The hash of an account without a password: it is of no password. */
export const NO_HASH = ''

/** Accounts that were read longer ago are read again before a request uses them. @limit safety, ms */
export const MAX_AGE_MILLISECONDS = 250

/** Waits until each process uses all that is committed now: a timer of Node may end a millisecond early. */
export function waitUntilUsed(clock: Clock = SYSTEM_CLOCK): Promise<void> {
  return clock.sleep(MAX_AGE_MILLISECONDS + 2)
}

export interface AccountRecordsParts {
  readonly keyValue: Pick<KeyValue, 'snapshot'>
  /** Milliseconds; only differences count. */
  readonly now: () => number
  /** Gets the error when the accounts become unreadable, once. */
  readonly report: (error: unknown) => void
}

export class AccountRecords {
  readonly #parts: AccountRecordsParts
  /** The accounts when they could be read last. */
  #known: KnownAccounts
  /** The error when they could not be read. */
  #failure: { readonly error: unknown } | undefined
  /** The time at which the last reading began. */
  #since: number
  #reading: Promise<void> | undefined

  /** Reads the accounts for the first time; rejects if they cannot be read. */
  static async open(parts: AccountRecordsParts): Promise<AccountRecords> {
    const since = parts.now()
    return new AccountRecords(parts, await readNewer(parts.keyValue, undefined), since)
  }

  private constructor(parts: AccountRecordsParts, known: KnownAccounts, since: number) {
    this.#parts = parts
    this.#known = known
    this.#since = since
  }

  /** Reads the accounts again. Undefined: they were read lately. Does not reject. */
  refresh(): Promise<void> | undefined {
    const now = this.#parts.now()
    return this.#isOldAt(now) ? this.#refreshFor(now) : undefined
  }

  /** The accounts of the last refresh; callers must not change them. */
  read(): KnownAccounts {
    if (this.#failure) throw this.#failure.error
    return this.#known
  }

  #isOldAt(time: number): boolean {
    return time - this.#since >= MAX_AGE_MILLISECONDS
  }

  async #refreshFor(time: number): Promise<void> {
    // A running reading may have begun too early, too.
    while (this.#isOldAt(time)) {
      this.#reading ??= this.#readAgain()
      await this.#reading
    }
  }

  async #readAgain(): Promise<void> {
    const { keyValue, now, report } = this.#parts
    const since = now()
    try {
      this.#known = await readNewer(keyValue, this.#known)
      this.#failure = undefined
    } catch (error) {
      if (String(error) !== String(this.#failure?.error)) report(error)
      this.#failure = { error }
    }
    this.#since = since
    this.#reading = undefined
  }
}

/** `known` if nothing has changed since. */
async function readNewer(
  keyValue: AccountRecordsParts['keyValue'],
  known: KnownAccounts | undefined,
): Promise<KnownAccounts> {
  const accounts = await readAccounts(keyValue, known)
  if ('groupsOf' in accounts) return accounts
  if (accounts.damaged.length > 0) throw damagedAccounts(accounts)
  const groupsOf = groupsOfUsers(accounts.groups)
  return { ...accounts, groupsOf, nameOfIdentity: namesOfIdentities(accounts.users) }
}

export function namesOfIdentities(users: ReadonlyMap<string, StoredUser>): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [name, { identity }] of users) {
    if (identity) names.set(identityKey(identity.issuer, identity.subject), name)
  }
  return names
}

export function damagedAccounts({ damaged }: AccountsState): HyperslabError {
  const problem = `the records of ${damaged.join(', ')} are damaged`
  return new HyperslabError(
    'accounts-unavailable',
    `${problem}: make them anew with "hyperslab user add" or "hyperslab group add"`,
  )
}

/** The groups of each user, from the members of each group. */
export function groupsOfUsers(
  groups: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const ofUser = new Map<string, string[]>()
  for (const [group, members] of groups) {
    for (const member of members) {
      const known = ofUser.get(member)
      if (known) known.push(group)
      else ofUser.set(member, [group])
    }
  }
  return ofUser
}
