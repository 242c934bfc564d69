// The accounts of users, as the rest of the service sees them; `src/accounts` knows where they are stored. A name
// identifies a user, whether a password or a token proves it. A look-up after `refresh` sees every earlier change, also
// of other processes; it throws `accounts-unavailable` when the accounts cannot be read.

/** The stored form of a password: its argon2 hash, as an argon2 string, or the password itself. */
export type StoredPassword = { readonly hash: string } | { readonly plain: string }

export interface Account {
  /** Absent: no password is accepted for that name. */
  readonly password?: StoredPassword
  /** Passes every permission check. */
  readonly admin: boolean
  /** The names of the user's groups. */
  readonly groups: readonly string[]
}

export interface Accounts {
  /** Must be awaited before the look-ups of a request. Undefined: no wait is needed. Does not reject. */
  refresh(): Promise<void> | undefined
  /** The account of any name; `tokenGroups` are groups of the user that a token names, besides those known here. */
  find(name: string, tokenGroups?: readonly string[]): Account
  /**
   * True for the names that access control lists may contain besides `default`: of a user, or `g:` and the name of a
   * group. Any name, if tokens are accepted, because tokens name users that have no account.
   */
  isKnownUser(name: string): boolean
  /** True when any user can log in. */
  exist(): boolean
  /** False while the accounts cannot be read. It refreshes them. */
  areAvailable(): Promise<boolean>
}
