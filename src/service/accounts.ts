// Who has an account and what it makes of him, as the rest of the service sees it; where accounts are kept is decided
// where the parts are wired. A user is his name, whether a password or a token proves it. A look-up sees a change as
// soon as it has been made, by whatever process; `accounts-unavailable` when the accounts cannot be read.

/** What a password is checked against: its argon2 hash, in argon2's own text form, or the password itself. */
export type StoredPassword = { readonly hash: string } | { readonly plain: string }

export interface Account {
  /** Absent: nobody can log in with a password under that name. */
  readonly password?: StoredPassword
  /** Passes every permission check. */
  readonly admin: boolean
  /** The groups of users that he belongs to, by name. */
  readonly groups: readonly string[]
}

export interface Accounts {
  /** Of any name; `tokenGroups` are those that a token says the user belongs to, besides those known here. */
  find(name: string, tokenGroups?: readonly string[]): Account
  /**
   * What may stand in an access control list besides `default`: a user's name, or `g:` and a group of users. Any name,
   * where tokens bring users that nobody has listed.
   */
  isKnownUser(name: string): boolean
  /** Whether anybody can prove who they are. */
  exist(): boolean
  /** False while the accounts cannot be read. */
  areAvailable(): boolean
}
