// The interfaces for reading and changing records. The functions of records/ use a snapshot or a transaction only
// through them.

import type { ObjectId, Timestamp } from '@hyperslab/model/names'
import type { Entry, Random } from './interfaces/engine.ts'
import type { Range } from './key-range.ts'
import type { EventNotes } from './records/event-notes.ts'

/** The source of records: a snapshot, or a transaction. */
export interface Reads {
  get(key: Uint8Array): Promise<Uint8Array | undefined>
  getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]>
  /** The entries of the range in the order of their keys. */
  range(range: Range & { readonly limit?: number }): AsyncIterable<Entry>
}

/** The stamp of a change (records/status.ts). */
export interface Stamp {
  readonly time: Timestamp
  readonly bytes: Uint8Array
  readonly version: string
}

/** The target of changes of records: a transaction. Later reads see the changes. */
export interface Changes extends Reads {
  /** The time of this write. */
  readonly time: Timestamp
  readonly random: Random
  /** The objects that this write has marked as changed. */
  readonly touched: Set<ObjectId>
  /** The same of domains, by the half that their ids share: the latest time of a change. */
  readonly touchedDomains: Map<string, Timestamp>
  /** The stamp that this write made last. */
  lastStamp: Stamp | undefined
  /** The event that this write adds to the feed, if it notes anything. */
  readonly event: EventNotes
  /** Declares that this write fills the contents of a root group that no domain has yet. */
  fill(root: ObjectId): void
  /**
   * Whether this write fills the contents that the id belongs to. No other write changes them, and everything put there
   * is new, so no earlier record is looked up. They are marked as changed when they are created, and not again.
   */
  isFilling(id: ObjectId): boolean
  /**
   * Expects that the key has no value at the commit; if it has one, the write runs again. The key reads as absent
   * without a look-up.
   */
  expectAbsent(key: Uint8Array): void
  /** The same for all keys of a range, none of which this write has set. */
  expectEmpty(range: Range): void
  /**
   * Whether the key has no value. If a value is unlikely, the first run of a write assumes that there is none, as with
   * `expectAbsent`; the next run looks the key up.
   */
  isAbsent(key: Uint8Array): boolean | Promise<boolean>
  /**
   * Notes that nothing is committed in the range as long as all that was read so far is unchanged, so that the range is
   * not looked up.
   */
  noteEmpty(range: Range): void
  set(key: Uint8Array, value: Uint8Array): void
  delete(key: Uint8Array): void
  deleteRange(range: Range): void
  /** The range reads as empty from now on, but its committed entries stay until the sweeper removes them. */
  deleteLater(range: Range): void
  /** Deletes the first `limit` keys of those that the range has at the commit; reads do not see it. */
  deleteFirst(range: Range, limit: number): void
  /** The committed state, without these changes and without depending on it. */
  readonly stored: Reads
  /** Adds to a counter without reading it, so that writes that count the same thing do not conflict. */
  add(key: Uint8Array, delta: number | bigint): void
  /** Makes a counter at least `value`, without reading it. */
  raise(key: Uint8Array, value: number): void
  /** Makes the counters of chunks readable: some of them may depend on the values at the commit. */
  applyAmendments(): Promise<void>
  /** Once this is committed, the blob of that name, or the ones below a name that ends with `/`, may be swept. */
  noteGarbage(name: string): void
}
