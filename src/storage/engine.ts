// The narrow waist: everything durable goes through these two interfaces, so an engine is small and all engines behave
// alike (test/conformance/engine.ts runs on each). No code above depends on which engine it has.

/** A key and its value. Keys sort as unsigned bytes, a prefix before what it begins. */
export interface Entry {
  readonly key: Uint8Array
  readonly value: Uint8Array
}

/** Keys from `start` (inclusive) to `end` (exclusive); with `reverse`, from the last one down. */
export interface KeyRange {
  readonly start: Uint8Array
  readonly end: Uint8Array
  /** At most this many entries; absent: all. */
  readonly limit?: number
  readonly reverse?: boolean
}

/**
 * One committed state of the store. Reads through one snapshot never see a later commit, of this process or another.
 * Bytes that are returned belong to the caller. `close` must be called once; reads afterwards throw.
 */
export interface Snapshot {
  get(key: Uint8Array): Promise<Uint8Array | undefined>
  /** In the order of `keys`. */
  getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]>
  range(range: KeyRange): AsyncIterable<Entry>
  close(): void
  /** Closes the state before `close`, which must still be called: from now on reads throw `reason`. */
  expire(reason: Error): void
  /** Why the state is not kept any more, though it was not closed; undefined: it is kept. */
  readonly expired: Error | undefined
}

/** What must still hold when a batch commits. Compared as bytes. */
export type Expectation =
  | { readonly key: Uint8Array; readonly value: Uint8Array | undefined }
  | { readonly range: KeyRange; readonly entries: readonly Entry[] }

/**
 * Applied in the order given; a later change sees the earlier ones. `add` adds to a signed 64-bit little-endian
 * counter (0 when absent), `max` makes it at least `value` (absent: that), and `follow` applies what `changes` makes of
 * the value that the key has then, for what depends on a value that others may replace. None of the three needs an
 * expectation, so writes that count the same thing do not conflict. `deleteRange` with a `limit` deletes at
 * most that number of keys, the first of the range.
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

/**
 * Depends on nothing but the value: an engine may call it several times, and for a batch that is not committed. It may
 * give a `follow` of another key. The key is in no range of which the same batch has deleted the first keys.
 */
export type Follow = (value: Uint8Array | undefined) => readonly Change[]

export interface Batch {
  readonly expect: readonly Expectation[]
  readonly changes: readonly Change[]
  /** The latest time, by the clock of this process, that the changes contain; absent: they contain none. */
  readonly time?: number | undefined
}

/** `conflicts` are positions in `expect` that no longer held, one at least; then nothing was changed. */
export type CommitResult =
  | { readonly committed: true }
  | { readonly committed: false; readonly conflicts: readonly number[] }

export interface KeyValue {
  /** The newest committed state, commits of other processes included. */
  snapshot(): Snapshot
  /**
   * Applies the batch atomically if every expectation holds. Serialisable. When it resolves with `committed`, the
   * changes are durable (they survive a crash of the process and of the machine) and every later snapshot of any
   * process sees them. A failure of the disk rejects; what then is on disk is either all of the batch or none. It waits
   * for other processes that commit; when that takes too long it rejects with `storage-locked`, and nothing is changed.
   */
  commit(batch: Batch): Promise<CommitResult>
  /** The latest time of the commits that this process knows of; 0: all processes have the clock of one machine. */
  readonly newestTime: number
  /** What is being read now, by all processes. Those that have died do not count; those that are stopped do. */
  openSnapshots(): Promise<OpenSnapshots>
  /**
   * Slots for snapshots that all processes have taken, and how many there are; those of one state may share a slot.
   */
  snapshotSlots(): { readonly taken: number; readonly limit: number }
  /** The name of this process for `isAlive`. */
  readonly process: string
  /** False: no process of that name has the store open. */
  isAlive(process: string): Promise<boolean>
  /**
   * Whether this process, of those that have the store open, is to remove what is not needed any more. It does no harm
   * if several do.
   */
  readonly isSweeper: boolean
}

/** Committed states have numbers: a later one has a higher number, also after the store was opened anew. */
export interface OpenSnapshots {
  readonly newest: number
  /** The number of the oldest state that a snapshot has open; `newest` when none is open. */
  readonly oldest: number
}

const BLOB_NAME = /^[0-9a-f]+(\/[0-9a-f]+)*$/
const BLOB_PREFIX = /^([0-9a-f]+\/)*[0-9a-f]*$/

/** Every engine passes a blob's name through here first: no name can lead out of the engine's own folder. */
export function checkBlobName(name: string): void {
  if (!BLOB_NAME.test(name)) throw new Error(`Not a blob's name: ${JSON.stringify(name)}`)
}

export function checkBlobPrefix(prefix: string): void {
  if (!BLOB_PREFIX.test(prefix))
    throw new Error(`Not the beginning of a blob's name: ${JSON.stringify(prefix)}`)
}

/** The bytes of a blob, in pieces; those that are iterated one by one may be reused when the next one is asked for. */
export type BlobPieces = readonly Uint8Array[] | AsyncIterable<Uint8Array>

/**
 * Write-once objects under fresh names: `[0-9a-f]+(/[0-9a-f]+)*`, the first part naming the domain. A blob means
 * nothing until a commit names it, so a torn or forgotten one does no harm and is swept later. No name may be the
 * folder of another (`ab` and `ab/cd`).
 */
export interface Blobs {
  /** Durable when it resolves. The pieces are one after another the blob's bytes; they may be reused afterwards. */
  put(name: string, pieces: BlobPieces): Promise<void>
  /**
   * Fills `into` from `offset` on; returns how many bytes there were (less than asked at the blob's end).
   * An absent blob is an error: a record named it.
   */
  read(name: string, offset: number, into: Uint8Array): Promise<number>
  /**
   * The same, and throws `values-damaged` if the bytes are not those that were written. Parts of a blob that are within
   * the range are compared; how long a part is depends on the engine. It takes half a millisecond for a MiB. Engines
   * may compare in each read.
   */
  readCompared(name: string, offset: number, into: Uint8Array): Promise<number>
  /** Bytes of the blob; undefined: there is none of that name. */
  size(name: string): Promise<number | undefined>
  /** Whether its bytes can be compared with those that were written. False also for one that is not there. */
  hasChecksums(name: string): Promise<boolean>
  /** Absent names are passed over. */
  delete(name: string): Promise<void>
  /** The names of all blobs that start with `prefix`, in no order. */
  list(prefix: string): AsyncIterable<string>
  /** The number of blobs that are best read, put or deleted at once. */
  readonly parallelism: number
}

/** The half of an engine that stores records. */
export interface RecordsEngine {
  readonly keyValue: KeyValue
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
  close(): Promise<void>
}

export interface Engine extends RecordsEngine, BlobsEngine {}

/** Where time and randomness come from, so that a test can drive both. */
export interface Clock {
  /** Microseconds since the epoch, later than `after` and strictly increasing within the process. */
  now(after?: number): number
  /** Milliseconds since some moment, for how long something takes: no setting of the machine's clock changes it. */
  elapsed(): number
}
export type Random = (byteLength: number) => Uint8Array
