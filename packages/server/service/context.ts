// The arguments of every operation: its transaction, the caller, and the settings. An operation with a Context can only
// read; one with a WriteContext can also write. Nothing here knows HTTP.

import type { AbortCheck } from '@hyperslab/base/bounded'
import type { DomainPath, ObjectIds, Permissions, Timestamp } from '@hyperslab/model/names'
import type { DomainEntry, Group, Reader, Writer } from '@hyperslab/store/store'
import type { Scope } from './logins.ts'

/** The user that sent the request, as authenticated by the HTTP layer. */
export interface Caller {
  /** Absent: the request has no credentials, or they do not count, because the service is open. */
  readonly name?: string
  /** Groups of users that the caller belongs to: `g:NAME` items apply. */
  readonly groups: readonly string[]
  /** Passes every permission check. */
  readonly admin: boolean
  /** The part of these permissions that the token or share of the request has; absent: all. */
  readonly scope?: Scope
  /**
   * Present: the request came by a share, without a user. It may read what the user that has made the share may read
   * now, within the scope.
   */
  readonly sharedBy?: Pick<Caller, 'name' | 'groups' | 'admin'>
  /** The session, token or share of the request; absent: it has none. */
  readonly login?: CallerLogin
}

/** A login, for requests that go on for long. */
interface CallerLogin {
  readonly id: string
  /** The caller with the rights of now; throws when the login is not accepted any more. */
  readonly renew: () => Promise<Caller>
}

export const ANONYMOUS: Caller = { groups: [], admin: false }

/** Whether the caller is not identified, and has no rights of its own (docs/decisions/098). */
export function isAnonymous({ name, admin }: Pick<Caller, 'name' | 'admin'>): boolean {
  return name === undefined && !admin
}

export interface ServiceSettings {
  /** The permissions where no item matches (specification 5.4, rule 5). */
  readonly defaultAcl: Permissions
  /** The callers that may create domains where no folder has a list. */
  readonly newDomains: 'anyone' | 'authenticated' | 'nobody'
  /**
   * New domains with an owner get an item that lets everybody read, if the folder does. Absent: only folders get it.
   */
  readonly defaultPublic?: boolean
  /** True for names that access control lists may contain besides `default`. */
  readonly isKnownUser: (name: string) => boolean
  /** False: there are no accounts, and so no users. Absent: there may be some. */
  readonly hasAccounts?: () => boolean
  /** The items of administrators are not inherited from folders. Absent: there are no administrators. */
  readonly isAdmin?: (name: string) => boolean
  /** The groups of a user, without `g:`. Absent: there are none. */
  readonly groupsOf?: (name: string) => readonly string[]
}

export interface Context {
  readonly reader: Reader
  readonly caller: Caller
  readonly settings: ServiceSettings
  /** Throws when the client has disconnected. */
  readonly signal: AbortCheck
  /** The state that the domain of the request must have; absent: any. */
  readonly requiredState?: string | undefined
  /** The meanings of the name in the request; absent: it is the path of a domain or folder, and nothing else. */
  readonly meanings?: NameMeanings | undefined
}

export interface WriteContext extends Context {
  readonly writer: Writer
  /** The time of this change, one for the whole request; later than that of every earlier request. */
  readonly now: Timestamp
  /** Fresh ids. */
  readonly ids: ObjectIds
}

/** The most by which a creation time in a request may differ from the time of the server, in microseconds. */
const CLOCK_TOLERANCE = 300 * 1e6

/**
 * The creation time that the request names, if it is close to the time of the server; else `now` (hsds-objects 17.6).
 */
export function acceptedTime(given: Timestamp | undefined, now: Timestamp): Timestamp {
  return given !== undefined && Math.abs(given - now) <= CLOCK_TOLERANCE ? given : now
}

/**
 * The creation times of the links or attributes that one request puts into one object: those of the request, or now.
 * Equal times become one microsecond apart, because listings are ordered by creation (hsds-objects 11.7 and 17.6).
 */
export class CreationTimes {
  readonly #now: Timestamp
  /** The time to try after one that is in use: all times between are in use too. */
  readonly #after = new Map<Timestamp, Timestamp>()

  constructor(now: Timestamp) {
    this.#now = now
  }

  next(given: Timestamp | undefined): Timestamp {
    let time = acceptedTime(given, this.#now)
    for (let after = this.#after.get(time); after !== undefined; after = this.#after.get(time)) {
      // Path halving: the next search is shorter, so that the time for many equal times does not grow with their
      // square.
      this.#after.set(time, this.#after.get(after) ?? after)
      time = after
    }
    this.#after.set(time, time + 1)
    return time
  }
}

/** The meanings of a name in a dialect in which it is more than a path. */
export interface NameMeanings {
  /** Opens the table of contents that the name may mean; undefined: it means a domain. Absent: always a domain. */
  readonly openContents?: (context: Context) => Promise<OpenDomain | undefined>
  /** Throws for a path at which the dialect knows no domain, whatever is there. */
  readonly requireKnown: (context: Context, path: DomainPath) => Promise<void>
  /** Throws when the name means more than a domain, so that none can be created or deleted there. */
  readonly requireOrdinary: (
    context: Context,
    path: DomainPath,
    change: 'created' | 'deleted',
  ) => Promise<void>
  /** The meanings change with the accounts. */
  readonly dependsOnAccounts: boolean
}

/** The domain of a request: its entry and its root group. */
export interface OpenDomain {
  readonly entry: DomainEntry
  readonly root: Group
}

/** Whether the contents of the domain are in files: it is mounted, or joined of mounted files. */
export function isOfFiles({ mounted, join }: DomainEntry): boolean {
  return mounted === true || join !== undefined
}
