// The accounts of users, as the rest of the service sees them; `packages/server/accounts` knows where they are stored.
// A name identifies a user, whether a password or a token proves it. A look-up after `refresh` sees every earlier
// change, also of other processes; it throws `accounts-unavailable` when the accounts cannot be read.

import { HyperslabError } from '@hyperslab/base/errors'

/**
 * The stored form of a password: its argon2 hash, as an argon2 string; the password itself; or its SHA-224, in
 * hexadecimal digits. `of: 'sha224'`: the argon2 hash is that of these digits.
 */
export type StoredPassword =
  | { readonly hash: string; readonly of?: 'sha224' }
  | { readonly plain: string }
  | { readonly sha224: string }

export interface Account {
  /** Absent: no password is accepted for that name. */
  readonly password?: StoredPassword
  /** Passes every permission check. */
  readonly admin: boolean
  /** The user cannot log in in any way; the name stays taken. */
  readonly disabled?: boolean
  /** The name to show, if an identity provider has given one. */
  readonly displayName?: string
  /** Present: the user logs in at the identity provider of that issuer. */
  readonly issuer?: string
  /** The names of the user's groups. */
  readonly groups: readonly string[]
}

export interface ListedUser extends Pick<Account, 'admin' | 'groups' | 'displayName' | 'issuer'> {
  readonly name: string
  readonly disabled: boolean
  /** False: the account is in the password file, and the service does not change it. */
  readonly stored: boolean
}

export interface AccountChange {
  /** The argon2 hash of a new password: sessions that began with another one end. */
  readonly hash?: string
  readonly admin?: boolean
  readonly disabled?: boolean
}

/**
 * Changes of accounts of the store. Each process uses a change when its promise resolves. `last-administrator` if
 * nobody could administer the service any more.
 */
export interface Users {
  /** Creates the first account, an administrator; `accounts-exist` if the store has, or has ever had, accounts. */
  createFirst(name: string, hash: string): Promise<void>
  /** Creates an account with the argon2 hash of its password; `user-exists` if the name is taken. */
  create(name: string, hash: string, options: { readonly admin: boolean }): Promise<void>
  /** From now on the user cannot log in in any way; `user-not-found` if there is none. The name stays taken. */
  disable(name: string): Promise<void>
  /**
   * Changes an account as an administrator wants. `user-not-found` if there is none; `password-elsewhere` for users of
   * the password file, and for a password of one of an identity provider.
   */
  change(name: string, change: AccountChange): Promise<void>
  /** Removes an account, its logins, and its name from groups. Access control lists that name it stay. */
  remove(name: string): Promise<void>
  /** Replaces a password, which must still be `before`; `password-elsewhere` if it is not one of the store. */
  setPassword(name: string, before: StoredPassword, hash: string): Promise<void>
}

export interface Accounts {
  /** Must be awaited before the look-ups of a request. Undefined: no wait is needed. Does not reject. */
  refresh(): Promise<void> | undefined
  /** The account of any name; `tokenGroups` are groups of the user that a token names, besides those known here. */
  find(name: string, tokenGroups?: readonly string[]): Account
  /** The name of the user that the identity provider of the issuer calls `subject`. */
  nameOfIdentity(issuer: string, subject: string): string | undefined
  /**
   * True for the names that access control lists may contain besides `default`: of a user, or `g:` and the name of a
   * group. Any name, if tokens are accepted, because tokens name users that have no account.
   */
  isKnownUser(name: string): boolean
  /** The users with an account of the store or a password in the password file, by their names. */
  list(): readonly ListedUser[]
  /** True when any user can log in. */
  exist(): boolean
  /** True when the store has never had an account or a group of users, and no setting names other users. */
  areUnused(): boolean
  /** False while the accounts cannot be read. It refreshes them. */
  areAvailable(): Promise<boolean>
}

/** The error of a request that would make the first account again. */
export function accountsExist(): HyperslabError {
  const message =
    'the service has, or has had, accounts: an administrator makes others, or "hyperslab user add"'
  return new HyperslabError('accounts-exist', message)
}
