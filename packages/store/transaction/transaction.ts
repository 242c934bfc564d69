// A write before it is committed: it reads one snapshot with its own changes (staged-reads.ts), and remembers the
// committed entries that it has read (expectations.ts). They become the expectations of the commit, so a commit that
// succeeds is serialisable. A transaction can be within another one: it sees the changes of the outer one, and its
// commit adds its own changes to them.

import { HyperslabError } from '@hyperslab/base/errors'
import { isSameDomain, type ObjectId, type Timestamp } from '@hyperslab/model/names'
import type { Changes, Reads, Stamp } from '../changes.ts'
import type {
  BlobPieces,
  Change,
  CommitResult,
  Engine,
  Entry,
  Expectation,
  Follow,
  Random,
  Snapshot,
  StoreClock,
} from '../interfaces/engine.ts'
import { type KeyText, keyTextOf, type Range } from '../key-range.ts'
import { explainExceeded, withCharges } from '../quotas/charges.ts'
import { EventNotes } from '../records/event-notes.ts'
import { EVENTS_KEY } from '../records/keys.ts'
import { conflict, Expectations, type KeyMerge, type Merge } from './expectations.ts'
import { noteGarbage } from './garbage.ts'
import { PutBlobs } from './put-blobs.ts'
import { StagedChanges } from './staged-changes.ts'
import { StagedReads } from './staged-reads.ts'
import { TransactionState } from './transaction-state.ts'

export interface TransactionParts {
  readonly engine: Engine
  readonly clock: StoreClock
  readonly random: Random
  /** The time of the write; absent: now. */
  readonly time?: Timestamp | undefined
  /** Called with each claimed key, such as a key whose value is read to be changed in part; may throw. */
  readonly claimKey?: (key: KeyText) => void
  /**
   * True: `isAbsent` assumes that keys are absent. If the work or its commit fails, the work must run again without
   * this.
   */
  readonly guesses?: boolean
  /** Called when an event has been committed. */
  readonly onEvent?: () => void
  /** Deletes garbage when the disk is full (sweeper.ts); false: there is none. */
  readonly makeRoom?: (letGo: () => Promise<void>) => Promise<boolean>
}

export class Transaction implements Changes {
  readonly random: Random
  readonly touched = new Set<ObjectId>()
  readonly touchedDomains = new Map<string, Timestamp>()
  lastStamp: Stamp | undefined
  readonly event = new EventNotes()
  readonly #parts: TransactionParts
  readonly #outer: Transaction | undefined
  readonly #state: TransactionState
  readonly #staged = new StagedChanges()
  readonly #expectations = new Expectations()
  readonly #reads: StagedReads
  readonly #blobs: PutBlobs
  readonly #garbage = new Set<string>()
  readonly #afterCommit: (() => void)[] = []
  #room: Promise<boolean> | undefined
  #conflict: KeyText | undefined
  #filled: ObjectId | undefined
  #time: Timestamp | undefined
  /** The latest of the times that this transaction, and those within it, took from the clock. */
  #latestTime: Timestamp | undefined

  constructor(parts: TransactionParts, outer?: Transaction) {
    const { engine, random, time } = parts
    this.#time = time
    this.random = random
    this.#parts = parts
    this.#outer = outer
    const snapshot = outer === undefined ? engine.keyValue.snapshot() : nestedSnapshot(outer)
    this.#state = new TransactionState(engine, snapshot)
    this.#reads = new StagedReads(this.#state, this.#staged, this.#expectations, parts, outer)
    this.#blobs = new PutBlobs(engine.blobs)
  }

  /** A transaction within this one, which must not be used until the inner one has ended. */
  within(time?: Timestamp): Transaction {
    return new Transaction({ ...this.#parts, time }, this)
  }

  /**
   * The given time, or else the time of the first call: later than all commits that this process then knows, including
   * those in the state that was read, whatever the clocks of other machines show.
   */
  get time(): Timestamp {
    if (this.#time !== undefined) return this.#time
    const { clock, engine } = this.#parts
    this.#time = clock.stamp(engine.keyValue.newestTime)
    this.#latestTime = this.#time
    return this.#time
  }

  /** The time of the event, by the clock also where the write has the time of a file: events are kept by their age. */
  get #commitTime(): Timestamp {
    const { clock, engine } = this.#parts
    this.#latestTime ??= clock.stamp(engine.keyValue.newestTime)
    return this.#latestTime
  }

  /** The keys that were read of the committed state, in order. */
  get keysRead(): Iterable<KeyText> {
    return this.#expectations.keysRead
  }

  /** The keys that are amended. */
  get keysAmended(): Iterable<KeyText> {
    return this.#staged.amendedKeys
  }

  /** The first key that another write had changed when a commit failed, or the beginning of a range. */
  get conflict(): KeyText | undefined {
    return this.#conflict
  }

  /** Whether this can be committed even if another write changes the key before. */
  canMerge(key: KeyText): boolean {
    return this.#expectations.canMerge(key) || !this.#expectations.findRead(key)
  }

  // Reading

  get(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#reads.get(key)
  }

  getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    return this.#reads.getMany(keys)
  }

  range(range: Range & { limit?: number }): AsyncIterable<Entry> {
    return this.#reads.range(range)
  }

  /** Reads without depending on the value, unless this transaction amends it. */
  glance(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#reads.glance(key)
  }

  get stored(): Reads {
    return this.#state.snapshot
  }

  /**
   * Reads the value that a change is based on. If another write changes it before the commit, `merge` is called with
   * the new value, and the work does not run again, unless it has read the key itself too.
   */
  getForMerge(key: Uint8Array, merge: Merge): Promise<Uint8Array | undefined> {
    return this.#reads.getForMerge(key, merge)
  }

  readAhead(keys: readonly Uint8Array[]): Promise<void> {
    return this.#reads.readAhead(keys)
  }

  /** Announces a change of the key: a write that would conflict ends here, before it has done its work. */
  claim(key: Uint8Array): void {
    this.#parts.claimKey?.(keyTextOf(key))
  }

  expectAbsent(key: Uint8Array): void {
    this.#reads.expectAbsent(key)
  }

  expectEmpty(range: Range): void {
    this.#reads.expectEmpty(range)
  }

  isAbsent(key: Uint8Array): boolean | Promise<boolean> {
    return this.#reads.isAbsent(key)
  }

  /** Whether `isAbsent` has assumed that a key is absent, which may be wrong. */
  get hasGuessed(): boolean {
    return this.#reads.hasGuessed
  }

  noteEmpty(range: Range): void {
    this.#reads.noteEmpty(range)
  }

  // Changing

  fill(root: ObjectId): void {
    this.#filled = root
  }

  isFilling(id: ObjectId): boolean {
    return this.#filled !== undefined && isSameDomain(id, this.#filled)
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.#staged.set(keyTextOf(key), key, value)
  }

  /** Sets a key to a value that no longer depends on the one that was read for a merge. */
  setWhole(key: Uint8Array, value: Uint8Array): void {
    this.#expectations.forgetMerge(keyTextOf(key))
    this.set(key, value)
  }

  delete(key: Uint8Array): void {
    const text = keyTextOf(key)
    const isChanged = this.#staged.find(text, key) !== undefined || this.#staged.isAmended(text)
    if (this.#reads.isNotedEmpty(text) && !isChanged) return
    this.#expectations.forgetMerge(text)
    this.#staged.delete(text, key)
  }

  deleteRange(range: Range): void {
    for (const text of this.#staged.deleteRange(range, false)) this.#expectations.forgetMerge(text)
  }

  deleteLater(range: Range): void {
    for (const text of this.#staged.deleteRange(range, true)) this.#expectations.forgetMerge(text)
  }

  deleteFirst(range: Range, limit: number): void {
    this.#staged.deleteFirst(range, limit)
  }

  add(key: Uint8Array, delta: number | bigint): void {
    this.#staged.add(key, delta)
  }

  raise(key: Uint8Array, value: number): void {
    this.#staged.raise(key, value)
  }

  /** Adds changes that are derived from the value at the commit; see `StagedChanges.follow`. */
  follow(key: Uint8Array, changes: Follow): void {
    this.#staged.follow(key, changes)
  }

  /** Adds changes that are derived from the value at the commit, after all others; see `StagedChanges.amend`. */
  amend(key: Uint8Array, changes: Follow): void {
    this.#staged.amend(key, changes)
  }

  /**
   * Turns the amendments into changes of keys, so that the counters that they change can be read. The write then
   * depends on the values of these keys.
   */
  async applyAmendments(): Promise<void> {
    await this.#outer?.applyAmendments()
    await this.#reads.applyAllAmendments()
  }

  /** Calls `work` when this has been committed, with the outermost transaction. */
  afterCommit(work: () => void): void {
    this.#afterCommit.push(work)
  }

  noteGarbage(name: string): void {
    this.#garbage.add(name)
  }

  /** The change that notes garbage; also for derived changes. */
  garbageNotes(names: readonly string[]): Change {
    return noteGarbage(names, this.random)
  }

  /**
   * Puts a blob. It is durable when this resolves, and not used until the commit names it. The pieces may be iterated
   * twice.
   */
  async putBlob(name: string, pieces: BlobPieces): Promise<void> {
    await this.#withRoom(() => this.#blobs.put(name, pieces))
  }

  /**
   * Drops a blob that no record will name: it is deleted at the end if this transaction put it, else noted as garbage.
   */
  dropBlob(name: string): void {
    if (!this.#blobs.drop(name)) this.#garbage.add(name)
  }

  // Committing

  /**
   * Commits the changes. False: another commit got in between, and nothing was changed. When it rejects, the batch may
   * have been committed all the same, except with `storage-locked`. `mayMerge` is called when the changes of the other
   * commit can be merged; they are merged with the state after its answer.
   */
  async commit(mayMerge: (key: KeyText) => boolean | Promise<boolean>): Promise<boolean> {
    if (this.#outer !== undefined) {
      this.#moveTo(this.#outer)
      return true
    }
    this.#state.fix()
    while (!this.#staged.isEmpty) {
      // Before the expectations are listed, since this reads the quotas.
      const changes = await withCharges(this, this.#staged.list())
      const expect = [...this.#expectations.list(), ...this.#state.expectations]
      const result = await this.#commitBatch(expect, changes)
      if (result.committed) break
      const conflicts = result.conflicts.map(position => expect[position])
      const [first] = conflicts
      this.#conflict = keyTextOf('key' in first ? first.key : first.range.start)
      const merges = this.#expectations.findMerges(conflicts)
      if (merges === undefined || !(await mayMerge(this.#conflict))) return false
      await this.#merge(merges)
    }
    for (const work of this.#afterCommit) work()
    if (!this.event.isEmpty) this.#parts.onEvent?.()
    return true
  }

  async #commitBatch(expect: readonly Expectation[], changes: Change[]): Promise<CommitResult> {
    if (this.#garbage.size > 0) changes.push(this.garbageNotes([...this.#garbage]))
    if (!this.event.isEmpty)
      changes.push({ op: 'log', key: EVENTS_KEY, value: this.event.encode(this.#commitTime) })
    const batch = { expect, changes, time: this.#latestTime }
    const commit = (): Promise<CommitResult> => {
      this.#state.requireKept()
      return this.#parts.engine.keyValue.commit(batch)
    }
    const blobs = this.#blobs.release()
    try {
      const result = await this.#withRoom(commit)
      if (!result.committed) this.#blobs.takeBack(blobs)
      return result
    } catch (error) {
      if (!(error instanceof HyperslabError)) throw error
      if (error.code === 'storage-locked') this.#blobs.takeBack(blobs)
      if (error.code !== 'quota-exceeded') throw error
      this.#blobs.takeBack(blobs)
      throw await explainExceeded(this.#parts.engine.keyValue, error)
    }
  }

  /** Makes the changes again over the newest values. */
  async #merge(merges: readonly KeyMerge[]): Promise<void> {
    this.#state.advance()
    for (const { key, text, merge } of merges) {
      const value = await this.#state.snapshot.get(key)
      this.#expectations.noteRead(text, { key, value })
      await merge(value)
    }
  }

  /** Passes the changes of this transaction to the outer one. */
  #moveTo(outer: Transaction): void {
    this.#staged.replay(outer)
    this.event.addTo(outer.event)
    // The time of an inner transaction comes later.
    outer.#latestTime = this.#latestTime ?? outer.#latestTime
    // No record names these blobs of the outer one any more.
    for (const name of this.#garbage) outer.dropBlob(name)
    this.#blobs.moveTo(outer.#blobs)
    for (const work of this.#afterCommit) outer.afterCommit(work)
  }

  /** Runs the work; on a full disk, deletes garbage and runs it a second time. */
  async #withRoom<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const isFull = error instanceof HyperslabError && error.code === 'storage-full'
      if (!isFull || !(await this.#findRoom())) throw error
    }
    return work()
  }

  #findRoom(): Promise<boolean> {
    if (this.#outer !== undefined) return this.#outer.#findRoom()
    this.#room ??= this.#parts.makeRoom?.(() => this.renew()) ?? Promise.resolve(false)
    return this.#room
  }

  /**
   * Continues with the newest state, so that no older one is kept for this transaction. If an entry that it has read
   * has changed, its next read throws `storage-conflict`.
   */
  renew(): Promise<void> {
    return this.#state.renew(this.random, newest => this.#expectations.holdIn(newest), conflict)
  }

  /** Closes the snapshot, and deletes the blobs that no commit can have named. */
  async end(): Promise<void> {
    this.#state.close()
    await this.#blobs.deleteAll()
    await this.#state.removeRecord()
  }
}

/** The snapshot of a transaction within another one; the outer one depends on all that it reads. */
function nestedSnapshot(outer: Transaction): Snapshot {
  return {
    get: key => outer.get(key),
    getMany: keys => outer.getMany(keys),
    range: range => outer.range(range),
    close() {},
    expire() {},
    expired: undefined,
  }
}
