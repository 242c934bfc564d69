// Who has an account, as the rest of the service sees it; where accounts are kept is decided where the parts are
// wired. A look-up sees an account as soon as it has been made, by whatever process.

export interface Account {
  /** An argon2 hash of the password, in its own text form. */
  readonly hash: string
  /** Passes every permission check. */
  readonly admin: boolean
  /** The groups of users that it belongs to, by name. */
  readonly groups: readonly string[]
}

export interface Accounts {
  find(name: string): Account | undefined
  /** What may stand in an access control list besides `default`: an account's name, or `g:` and a group of users. */
  isKnownUser(name: string): boolean
}
