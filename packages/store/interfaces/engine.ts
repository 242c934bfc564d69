// The narrow waist: all durable data go through these two interfaces, so an engine is small and all engines behave
// alike (test/conformance/engine.ts runs on each). No code above depends on which engine it has.

import type { Clock } from '@hyperslab/base/clock'

/** A key and its value. Keys sort as unsigned bytes, a prefix before the keys that begin with it. */
export interface Entry {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** Keys from `start` (inclusive) to `end` (exclusive); with `reverse`, from the last one down. */
export interface KeyRange {
  readonly start: Uint8Array
  readonly end: Uint8Array
  /** The highest number of entries; absent: all. */
  readonly limit?: number
  readonly reverse?: boolean
}

/**
 * One committed state of the store. Reads through one snapshot never see a later commit, of this process or another.
 * Bytes that are returned belong to the caller. `close` must be called once; reads afterwards throw.
 */
export interface Snapshot {
  get(key: Uint8Array): Promise<Uint8Array | undefined>
  /** The values in the order of `keys`. */
  getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]>
  range(range: KeyRange): AsyncIterable<Entry>
  close(): void
  /** Closes the state before `close`, which must still be called: from now on reads throw `reason`. */
  expire(reason: Error): void
  /** The reason why the state is no longer kept although it was not closed; undefined: it is kept. */
  readonly expired: Error | undefined
}

/** A condition that must still hold when a batch commits. Values are compared as bytes. */
export type Expectation =
  | { readonly key: Uint8Array; readonly value: Uint8Array | undefined }
  | { readonly range: KeyRange; readonly entries: readonly Entry[] }

/**
 * Applied in the order given; a later change sees the earlier ones. `add` adds to a signed 64-bit little-endian counter
 * (0 when absent), `max` makes it at least `value` (absent: that), and `follow` applies the changes that `changes`
 * derives from the value of the key at the commit, for changes that depend on a value that other writes may replace.
 * None of the three needs an expectation, so writes that count the same thing do not conflict. `deleteRange` with a
 * `limit` deletes at most that number of keys, the first of the range. `log` adds an entry to the log at `key`, one in
 * a batch at most: the key of the entry is `key` and a number of 8 bytes, higher than those of all entries that were
 * committed before. A log whose last entry was deleted may begin anew; entries are deleted from its beginning only.
 * `bound` rejects the batch with `quota-exceeded`, whose subject is the key in hexadecimal digits, if the whole batch
 * raises the counter above `most`.
 */
export type Change =
  | { readonly op: 'set'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly op: 'delete'; readonly key: Uint8Array }
  | {
      readonly op: 'deleteRange'
      readonly start: Uint8Array
      readonly end: Uint8Array
      readonly limit?: number
    }
  | { readonly op: 'add'; readonly key: Uint8Array; readonly delta: number | bigint }
  | { readonly op: 'max'; readonly key: Uint8Array; readonly value: number }
  | { readonly op: 'follow'; readonly key: Uint8Array; readonly changes: Follow }
  | { readonly op: 'log'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly op: 'bound'; readonly key: Uint8Array; readonly most: number }

/**
 * Derives changes from the value alone: an engine may call it several times, and for a batch that is not committed. It
 * may return a `follow` of another key. The key must not be in a range of which the same batch deletes the first keys.
 */
export type Follow = (value: Uint8Array | undefined) => readonly Change[]

export interface Batch {
  readonly expect: readonly Expectation[]
  readonly changes: readonly Change[]
  /** The latest time, by the clock of this process, that the changes contain; absent: they contain none. */
  readonly time?: number | undefined
  /** Called when the batch is committed, by engines that know what it waited for. */
  readonly onWaits?: (waits: CommitWaits) => void
}

/**
 * `conflicts` are the positions in `expect` of at least one expectation that no longer held; then nothing was changed.
 */
export type CommitResult =
  | { readonly committed: true }
  | { readonly committed: false; readonly conflicts: readonly number[] }

/** The milliseconds that a commit waited. */
export interface CommitWaits {
  /** Until it was the turn of the batch. */
  readonly before: number
  /** Until the disk had synced the changes. */
  readonly sync: number
  /** The batches that were synced together. */
  readonly batches: number
}

export interface KeyValue {
  /** The newest committed state, commits of other processes included. */
  snapshot(): Snapshot
  /**
   * Applies the batch atomically if every expectation holds. Serialisable. When it resolves with `committed`, the
   * changes are durable (they survive a crash of the process and of the machine) and every later snapshot of any
   * process sees them. A failure of the disk rejects; then either the whole batch is on disk or nothing of it. The call
   * waits for other processes that commit; when that takes too long it rejects with `storage-locked`, and nothing is
   * changed.
   */
  commit(batch: Batch): Promise<CommitResult>
  /** The latest time of the commits that this process knows of; 0: all processes have the clock of one machine. */
  readonly newestTime: number
  /** The states that all processes read now. Processes that have died do not count; stopped ones do. */
  openSnapshots(): Promise<OpenSnapshots>
  /**
   * Slots for snapshots that all processes have taken, and the number of all slots. Snapshots of one state may share a
   * slot.
   */
  snapshotSlots(): { readonly taken: number; readonly limit: number }
  /** The name of this process for `isAlive`. */
  readonly process: string
  /** False: no process of that name has the store open. */
  isAlive(process: string): Promise<boolean>
  /**
   * Whether this process, of those that have the store open, removes what is no longer needed. Several processes may do
   * so at once.
   */
  readonly isSweeper: boolean
  /** Milliseconds after which it is worth looking whether other processes have committed. */
  readonly pollMilliseconds: number
}

/** Committed states have numbers: a later one has a higher number, also after the store was opened again. */
export interface OpenSnapshots {
  readonly newest: number
  /** The number of the oldest state that a snapshot has open; `newest` when none is open. */
  readonly oldest: number
}

const BLOB_NAME = /^[0-9a-f]+(\/[0-9a-f]+)*$/
const BLOB_PREFIX = /^([0-9a-f]+\/)*[0-9a-f]*$/

/**
 * Throws unless the name of a blob is valid. Every engine calls it first, so no name leads out of the engine's folder.
 */
export function checkBlobName(name: string): void {
  if (!BLOB_NAME.test(name)) throw new Error(`Not a blob's name: ${JSON.stringify(name)}`)
}

export function checkBlobPrefix(prefix: string): void {
  if (!BLOB_PREFIX.test(prefix))
    throw new Error(`Not the beginning of a blob's name: ${JSON.stringify(prefix)}`)
}

/** The bytes of a blob, in pieces. The memory of an iterated piece may be reused when the next one is requested. */
export type BlobPieces = readonly Uint8Array[] | AsyncIterable<Uint8Array>

/**
 * Write-once objects under fresh names: `[0-9a-f]+(/[0-9a-f]+)*`, the first part naming the domain. A blob is not used
 * until a commit names it, so an incomplete or forgotten one does no harm and is swept later. No name may be the folder
 * of another (`ab` and `ab/cd`).
 */
export interface Blobs {
  /**
   * Durable when it resolves. The blob's bytes are those of the pieces, in order; the pieces may be reused afterwards.
   */
  put(name: string, pieces: BlobPieces): Promise<void>
  /**
   * Fills `into` from `offset` on; returns the number of bytes (fewer than `into` has at the end of the blob). An
   * absent blob is an error: a record named it.
   */
  read(name: string, offset: number, into: Uint8Array): Promise<number>
  /**
   * Reads as `read` does, and throws `values-damaged` if the bytes are not those that were written. Parts of a blob
   * that are within the range are compared; the length of a part depends on the engine. Comparing a MiB takes half a
   * millisecond. Engines may compare in each read.
   */
  readCompared(name: string, offset: number, into: Uint8Array): Promise<number>
  /** Bytes of the blob; undefined: there is none of that name. */
  size(name: string): Promise<number | undefined>
  /** Whether its bytes can be compared with those that were written; false for an absent blob. */
  hasChecksums(name: string): Promise<boolean>
  /** Deletes the blob; an absent one is no error. */
  delete(name: string): Promise<void>
  /** The names of all blobs that start with `prefix`, in any order. */
  list(prefix: string): AsyncIterable<string>
  /** The number of blobs that are best read, put or deleted at once. */
  readonly parallelism: number
}

/** Finds and failures of a cache since it was opened. */
export interface CacheFigures {
  readonly hits: number
  readonly misses: number
  /** Bytes that it holds; absent: not known. */
  readonly bytes?: number
}

/** The calls of another machine since the engine was opened. */
export interface CallFigures {
  /** Calls that have ended, and those of them that failed. */
  readonly calls: number
  readonly failures: number
  /** Calls that were made again because one before had failed. */
  readonly retries: number
  /** The time that all of them took together, with their waits for a connection. */
  readonly seconds: number
  /** Connections that are open, and calls that wait for one. */
  readonly connections: number
  readonly waiting: number
}

/** The part of an engine that is on another machine. */
export interface RemoteFigures {
  readonly calls: CallFigures
  /** The part of it that this machine keeps. Absent: there is none. */
  readonly cache?: CacheFigures
}

/** The half of an engine that stores records. */
export interface RecordsEngine {
  readonly keyValue: KeyValue
  /** Bytes that the records take where they are, found in one call. Absent: not known. */
  recordBytes?(): Promise<number>
  /** The processes that have the records open, of all machines. Absent: not known. */
  processes?(): Promise<number>
  /** Absent: the records are in the data folder. */
  databaseFigures?(): RemoteFigures
  /** The longest key that can be stored, in bytes. */
  readonly maxKeyLength: number
  /** Values of up to this many bytes are better stored with the records than as blobs. */
  readonly maxInlineBytes: number
  /** Waits for commits under way, then frees everything. */
  close(): Promise<void>
}

/** The half of an engine that stores blobs. */
export interface BlobsEngine {
  readonly blobs: Blobs
  /** Absent: the blobs are in the data folder. */
  bucketFigures?(): RemoteFigures
  close(): Promise<void>
}

export interface Engine extends RecordsEngine, BlobsEngine {}

/** A clock that also gives the times of changes; a process has one, as only its own times are strictly increasing. */
export interface StoreClock extends Clock {
  /** Microseconds since the epoch, later than `after` and strictly increasing. */
  stamp(after?: number): number
}
export type Random = (byteLength: number) => Uint8Array
