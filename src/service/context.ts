// What every operation is given: the transaction it runs in, who calls, and the settings that decide. An operation
// that gets a Context can only read; one that gets a WriteContext can also write. Nothing here knows HTTP.

import type { Permissions } from '../hdf5/acl.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import type { AbortCheck, DomainEntry, Group, Reader, Writer } from '../storage/store.ts'

/** Who asks, as verified by the front. */
export interface Caller {
  /** Absent: not identified. */
  readonly name?: string
  /** Groups of users that the caller belongs to: `g:NAME` items apply. */
  readonly groups: readonly string[]
  /** Passes every permission check. */
  readonly admin: boolean
}

export const ANONYMOUS: Caller = { groups: [], admin: false }

export interface ServiceSettings {
  /** What everybody may do where no item says otherwise (specification 5.4, rule 5). */
  readonly defaultAcl: Permissions
  /** Who may create domains where no folder's list says otherwise. */
  readonly newDomains: 'anyone' | 'authenticated' | 'nobody'
  /** Owned domains, too, are made with an item that lets everybody read, where the folder does. Absent: folders only. */
  readonly defaultPublic?: boolean
  /** Names that may stand in an access control list, besides `default`; undefined: any. */
  readonly isKnownUser: (name: string) => boolean
  /** Administrators' items are not handed down by folders. Absent: nobody is one. */
  readonly isAdmin?: (name: string) => boolean
  /** The groups of users that a user belongs to, without `g:`. Absent: there are none. */
  readonly groupsOf?: (name: string) => readonly string[]
}

export interface Context {
  readonly reader: Reader
  readonly caller: Caller
  readonly settings: ServiceSettings
  /** Throws when the caller has gone away. */
  readonly signal: AbortCheck
}

export interface WriteContext extends Context {
  readonly writer: Writer
  /** The time of this change: one request, one time; strictly later than that of the request before. */
  readonly now: Timestamp
  /** Fresh random bytes, for ids. */
  readonly random: (byteLength: number) => Uint8Array
}

/** In microseconds. */
const CLOCK_TOLERANCE = 300 * 1e6

/** The time that a caller gives something that it makes, if its clock is not far from ours (hsds-objects 17.6). */
export function acceptedTime(given: Timestamp | undefined, now: Timestamp): Timestamp {
  return given !== undefined && Math.abs(given - now) <= CLOCK_TOLERANCE ? given : now
}

/**
 * When the things that one request puts into one object were made: as the caller says or now, and where that is the
 * same time, one microsecond after another, because their order is that of their creation (hsds-objects 11.7 and 17.6).
 */
export class CreationTimes {
  readonly #now: Timestamp
  /** Where to look on from a time that is taken: all times between are taken too. */
  readonly #after = new Map<Timestamp, Timestamp>()

  constructor(now: Timestamp) {
    this.#now = now
  }

  next(given: Timestamp | undefined): Timestamp {
    let time = acceptedTime(given, this.#now)
    for (let after = this.#after.get(time); after !== undefined; after = this.#after.get(time)) {
      // Halves the way for those who come after, so that many equal times take no time that grows with their square.
      this.#after.set(time, this.#after.get(after) ?? after)
      time = after
    }
    this.#after.set(time, time + 1)
    return time
  }
}

/** A domain that a request is about: its entry and its root group. */
export interface OpenDomain {
  readonly entry: DomainEntry
  readonly root: Group
}
