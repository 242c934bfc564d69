// Logins, which are sessions of browsers, tokens of programs, and shares, as the rest of the service sees them;
// `packages/server/accounts` knows where they are stored. A share is an address that shows a domain or folder to people
// without an account (docs/decisions/083). A session belongs to a user, however the user was proved: by a password, or
// by an identity provider. Each login has a secret that only its owner has. All processes of a store agree: one that
// was ended is accepted by none when the promise of its end resolves.

import type { DomainPath } from '@hyperslab/model/names'
import type { StoredPassword } from './accounts.ts'

/** The requests that a token is good for. */
export interface Scope {
  readonly writes: boolean
  /** A domain, or a folder with all below it; absent: all domains and folders. */
  readonly within?: DomainPath
  /** The path through hard links to the one dataset of the domain that a share is for; absent: all of it. */
  readonly h5path?: string
}

export type LoginKind = 'session' | 'token' | 'share'

/** A user, and how the user was proved. */
export interface ProvedUser {
  readonly name: string
  /** Present: an identity provider has named the user, with these groups, and the user needs no account here. */
  readonly providerGroups?: readonly string[]
  /** The time at which it named them; absent: now. */
  readonly named?: number
}

/** The provider at which a session began with a login, and the ID token that ends the login there. */
export interface SessionProvider {
  readonly name: string
  readonly idToken?: string
}

/** A session, token or share that a request has used. */
export interface UsedLogin extends ProvedUser {
  readonly kind: LoginKind
  readonly id: string
  /** The name of a token. */
  readonly label?: string
  readonly secret: string
  /** Milliseconds since the epoch, as all times here. */
  readonly end: number
  /** Absent: all that the user may do. */
  readonly scope?: Scope
  /** The query of the address of the page, for the view that a share opens. */
  readonly view?: string
  /** The origins whose pages may show a share in a frame, if its user has chosen some. */
  readonly frameAncestors?: readonly string[]
}

export interface NewLogin {
  readonly id: string
  /** It is not stored, so this is the only time that it is shown. */
  readonly secret: string
  readonly created: number
  readonly end: number
}

export interface ListedLogin {
  readonly id: string
  readonly created: number
  readonly end: number
}

export interface ListedSession extends ListedLogin {
  /** The last use that was noted: uses shortly after it are not. */
  readonly used: number
  readonly client: string
}

/** The requests with a login that were counted: those of the last seconds may be absent. */
export interface CountedUses {
  readonly uses: number
  /** The time of the last one; absent: there was none. */
  readonly used?: number
}

export interface ListedToken extends ListedLogin, Scope, CountedUses {
  readonly name: string
}

export interface TokenRequest {
  readonly name: string
  readonly end: number
  readonly writes: boolean
  readonly within?: DomainPath
}

/** The domain or folder that a share shows, and for how long. */
export interface ShareRequest {
  readonly note: string
  readonly end: number
  readonly within: DomainPath
  readonly h5path?: string
  /** The query of the address of the page, for the view that it opens. */
  readonly view: string
  /** The origins whose pages may show it in a frame, of those that the service allows; absent: all of these. */
  readonly frameAncestors?: readonly string[]
}

export interface ListedShare extends ListedLogin, ShareRequest, CountedUses {}

/** A login of any user, as administrators see it: without secrets, notes and views. */
export interface LoginOfAll extends ListedLogin {
  readonly user: string
  readonly kind: LoginKind
  /** The name of a token, or the program of a session. */
  readonly title?: string
  readonly writes?: boolean
  /** The domain or folder of a token or share. */
  readonly within?: DomainPath
  readonly used?: number
  readonly uses?: number
}

export interface LoginFilter {
  readonly user?: string | undefined
  readonly kind?: LoginKind | undefined
}

export interface Logins {
  /**
   * The login with the secret; undefined: there is none, and perhaps never was. Throws `session-ended` or
   * `token-ended`, with the reason, if it is not accepted any more; of a share nobody learns that it was there.
   */
  find(kind: LoginKind, secret: string): Promise<UsedLogin | undefined>
  /**
   * Begins a session. The oldest one of a user with too many ends. The groups that an identity provider names now are
   * those of the user's other logins from now on.
   */
  beginSession(user: ProvedUser, client: string, provider?: SessionProvider): Promise<NewLogin>
  /** The provider at which the session began; undefined: it began in another way. */
  providerOf(session: UsedLogin): Promise<SessionProvider | undefined>
  /** Makes a token; `too-many-tokens` if the user has too many. */
  createToken(user: ProvedUser, request: TokenRequest): Promise<NewLogin>
  /** Makes a share; `too-many-shares` if the user has too many. */
  createShare(user: ProvedUser, request: ShareRequest): Promise<NewLogin>
  /** Counts a request with a token or share. The count is stored some seconds later. */
  countUse(secret: string): void
  /** The sessions, tokens or shares of a user that have not ended, the newest first. */
  listSessions(user: string): Promise<readonly ListedSession[]>
  listTokens(user: string): Promise<readonly ListedToken[]>
  listShares(user: string): Promise<readonly ListedShare[]>
  /**
   * Logins of all users that have not ended, `limit` at most, after a position; `next` is the position after them if
   * there may be more. Of one user: all of them, the newest first. `malformed-parameter` for another position.
   */
  listAll(
    filter: LoginFilter,
    limit: number,
    after: string | undefined,
  ): Promise<{ readonly logins: readonly LoginOfAll[]; readonly next?: string }>
  /** Ends one of the user's logins; false: there is none with the id. Without a reason, the user has ended it. */
  end(user: string, kind: LoginKind, id: string, reason?: string): Promise<boolean>
  /** Must be awaited before the user's password becomes the next one, if the session is to go on. */
  keepSession(session: UsedLogin, next: StoredPassword): Promise<void>
  /** Ends the user's sessions except for the one with the id; returns their number. */
  endOtherSessions(user: string, kept: string | undefined, reason: string): Promise<number>
}
