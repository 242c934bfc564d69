// What records are read from and written to. The functions of records/ know a snapshot or a transaction by these
// interfaces only.

import type { ObjectId } from '../hdf5/object-id.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import type { Entry, Random } from './engine.ts'
import type { Range } from './key-range.ts'

/** What records are read from: a snapshot, or a transaction. */
export interface Reads {
  get(key: Uint8Array): Promise<Uint8Array | undefined>
  getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]>
  /** In the order of the keys. */
  range(range: Range & { readonly limit?: number }): AsyncIterable<Entry>
}

/** What records are written to. Later reads see the changes. */
export interface Changes extends Reads {
  /** The time of this write. */
  readonly time: Timestamp
  readonly random: Random
  /** The objects that this write has marked as changed. */
  readonly touched: Set<ObjectId>
  /** From now on this write fills the contents of a root group that no domain has yet. */
  fill(root: ObjectId): void
  /**
   * Whether this write fills the contents that the id belongs to. No other write changes them, and what is put there is
   * new: nothing earlier is looked for. They are marked as changed when they are created, and not again.
   */
  isFilling(id: ObjectId): boolean
  /**
   * The key is to have no value at the commit, else the write runs again. It reads as absent without being looked up.
   */
  expectAbsent(key: Uint8Array): void
  /**
   * Whether the key has no value. Where it will hardly have one, the first run of a write takes that for true, as with
   * `expectAbsent`; the run after it looks the key up.
   */
  isAbsent(key: Uint8Array): Promise<boolean>
  /** While what was read so far is the same, nothing is committed in the range: it is not looked up. */
  noteEmpty(range: Range): void
  set(key: Uint8Array, value: Uint8Array): void
  delete(key: Uint8Array): void
  deleteRange(range: Range): void
  /** The range reads as empty from now on, but its committed entries are left for others to remove. */
  deleteLater(range: Range): void
  /** Deletes the first `limit` keys of those that the range has at the commit; reads do not see it. */
  deleteFirst(range: Range, limit: number): void
  /** The committed state, without these changes and without depending on it. */
  readonly stored: Reads
  /** Adds to a counter, which needs no reading, so that writes that count the same thing do not conflict. */
  add(key: Uint8Array, delta: number | bigint): void
  /** Makes a counter at least `value`, without reading it. */
  raise(key: Uint8Array, value: number): void
  /** Lets what is counted of chunks be read: some of it may follow from the values at the commit. */
  applyAmendments(): Promise<void>
  /** Once this is committed, the blob of that name, or the ones below a name that ends with `/`, may be swept. */
  noteGarbage(name: string): void
}
