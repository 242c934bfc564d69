// A write before it is committed: it reads one snapshot with its own changes laid over, and remembers what it has
// read of others' state. That becomes the expectations of the commit, so a commit that succeeds is serialisable.
// Blobs that were put belong to the transaction until its commit has named them. A transaction can be within another
// one: it sees that one's changes, and its commit makes its own changes part of them.

import { HyperslabError } from '../errors.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import { type CounterChange, changeCounter, isSameValue } from './batch.ts'
import type { Batch, Change, Clock, Engine, Entry, Expectation, Follow, Random, Snapshot } from './engine.ts'
import { noteGarbage } from './garbage.ts'
import { type Range, successor } from './key-range.ts'
import { LongWrite } from './long-writes.ts'

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
  set(key: Uint8Array, value: Uint8Array): void
  delete(key: Uint8Array): void
  deleteRange(range: Range): void
  /** The range reads as empty from now on, but what is committed of it is left for others to remove. */
  deleteLater(range: Range): void
  /** Deletes the first so many keys of those that the range has at the commit; reads do not see it. */
  deleteFirst(range: Range, limit: number): void
  /** What is committed, without these changes and without depending on it. */
  readonly stored: Reads
  /** Adds to a counter, which needs no reading, so that writers who count the same thing do not conflict. */
  add(key: Uint8Array, delta: number | bigint): void
  /** Makes a counter at least `value`, without reading it. */
  raise(key: Uint8Array, value: number): void
  /** Once this is committed, the blob of that name, or the ones below a name that ends with `/`, may be swept. */
  noteGarbage(name: string): void
}

/**
 * Makes a change again on the value that somebody else has put under its key in the meantime, by `set`ting what both
 * together give.
 */
export type Merge = (current: Uint8Array | undefined) => Promise<void>

type KeyChange =
  | { readonly op: 'set'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly op: 'delete'; readonly key: Uint8Array }
  | CounterChange

/** A key as text of one character per byte: such texts sort like the bytes. */
export type KeyText = string

interface OwnChange {
  readonly text: KeyText
  readonly change: KeyChange
}

interface DeletedRange {
  readonly from: KeyText
  readonly to: KeyText
  readonly range: Range
  /** It is not this transaction that removes what is committed. */
  readonly isLeft: boolean
}

interface KeyRead {
  readonly key: Uint8Array
  readonly value: Uint8Array | undefined
}

interface RangeRead {
  readonly range: Range
  readonly entries: readonly Entry[]
}

interface OwnMerge {
  readonly key: Uint8Array
  readonly text: KeyText
  readonly merge: Merge
}

export interface TransactionParts {
  readonly engine: Engine
  readonly clock: Clock
  readonly random: Random
  /** Of the write; absent: now. */
  readonly time?: Timestamp | undefined
  /** Called with each key whose value is read to be changed in part, before it is read; may throw. */
  readonly claimKey?: (key: KeyText) => void
  /** Deletes what nobody needs any more, where the disk is full (sweeper.ts); false: there is nothing. */
  readonly makeRoom?: (letGo: () => Promise<void>) => Promise<boolean>
}

export class Transaction implements Changes {
  readonly time: Timestamp
  readonly random: Random
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #claimKey: ((key: KeyText) => void) | undefined
  readonly #makeRoom: TransactionParts['makeRoom']
  #room: Promise<boolean> | undefined
  readonly #outer: Transaction | undefined
  #snapshot: Snapshot
  /** The state that it began with, when another one is read now: it keeps the blobs that were put (sweeper.ts). */
  #first: Snapshot | undefined
  /** Keeps them when that state was let go, too. */
  #long: LongWrite | undefined
  #isCommitting = false
  #isEnded = false
  readonly #staged = new Map<KeyText, KeyChange>()
  readonly #deleted: DeletedRange[] = []
  readonly #deletedFirst: Change[] = []
  readonly #reads = new Map<KeyText, KeyRead>()
  readonly #rangeReads: RangeRead[] = []
  readonly #merges = new Map<KeyText, Merge>()
  readonly #follows = new Map<KeyText, Extract<Change, { readonly op: 'follow' }>>()
  readonly #garbage = new Set<string>()
  /** Put by this transaction: to be named by its commit, and not to be named at all. */
  readonly #blobs = new Set<string>()
  readonly #dropped = new Set<string>()
  #conflict: KeyText | undefined

  constructor(parts: TransactionParts, outer?: Transaction) {
    const { engine, clock, random, time = clock.now(), claimKey, makeRoom } = parts
    this.#engine = engine
    this.#clock = clock
    this.random = random
    this.time = time
    this.#claimKey = claimKey
    this.#makeRoom = makeRoom
    this.#outer = outer
    this.#snapshot = outer === undefined ? engine.keyValue.snapshot() : viewOf(outer)
  }

  /** A transaction within this one, which then waits for it. */
  within(time?: Timestamp): Transaction {
    const parts = { engine: this.#engine, clock: this.#clock, random: this.random, time }
    return new Transaction({ ...parts, ...(this.#claimKey && { claimKey: this.#claimKey }) }, this)
  }

  /** The keys that were read of others' state, in order. */
  get keysRead(): Iterable<KeyText> {
    return this.#reads.keys()
  }

  /** The first key that somebody else had changed when a commit failed, or the beginning of a range. */
  get conflict(): KeyText | undefined {
    return this.#conflict
  }

  /** Whether this can be committed even if somebody else changes the key before. */
  canMerge(key: KeyText): boolean {
    return this.#merges.has(key)
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    const text = textOf(key)
    this.#merges.delete(text)
    const own = this.#own(text, key)
    if (own === undefined) return this.#read(text, key)
    return isOfCounter(own) ? changeCounter(await this.#read(text, key), own) : valueSet(own)
  }

  async getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    const unread = keys.filter(key => {
      const text = textOf(key)
      const own = this.#own(text, key)
      return (own === undefined || isOfCounter(own)) && !this.#reads.has(text)
    })
    const values = await this.#snapshot.getMany(unread)
    unread.forEach((key, position) => {
      this.#reads.set(textOf(key), { key, value: values[position] })
    })
    return Promise.all(keys.map(key => this.get(key)))
  }

  /**
   * What is seen is the state at the call: changes made while it is walked do not show. What was walked is what this
   * write depends on.
   */
  range({ start, end, limit = Number.POSITIVE_INFINITY }: Range & { limit?: number }): AsyncIterable<Entry> {
    const own = this.#ownIn(start, end)
    for (const { text } of own) this.#merges.delete(text)
    // What is deleted here still counts in a limit of the snapshot.
    const isBare = own.length === 0 && this.#deleted.length === 0 && Number.isFinite(limit)
    const stored = this.#recorded({ start, end }, isBare ? limit : undefined)
    return take(overlay(stored, own, this.#deleted.slice()), limit)
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.#staged.set(textOf(key), { op: 'set', key, value })
  }

  delete(key: Uint8Array): void {
    const text = textOf(key)
    this.#forgetMerge(text)
    this.#staged.set(text, { op: 'delete', key })
  }

  deleteRange(range: Range): void {
    this.#forgetRange(range, false)
  }

  deleteLater(range: Range): void {
    this.#forgetRange(range, true)
  }

  deleteFirst(range: Range, limit: number): void {
    this.#deletedFirst.push({ op: 'deleteRange', ...range, limit })
  }

  #forgetRange(range: Range, isLeft: boolean): void {
    const [from, to] = [textOf(range.start), textOf(range.end)]
    for (const text of this.#staged.keys()) {
      if (text < from || text >= to) continue
      this.#forgetMerge(text)
      this.#follows.delete(text)
      this.#staged.delete(text)
    }
    this.#deleted.push({ from, to, range, isLeft })
  }

  add(key: Uint8Array, delta: number | bigint): void {
    const own = this.#staged.get(textOf(key))
    this.#changeCounter({ op: 'add', key, delta: own?.op === 'add' ? sum(own.delta, delta) : delta })
  }

  raise(key: Uint8Array, value: number): void {
    const own = this.#staged.get(textOf(key))
    this.#changeCounter({ op: 'max', key, value: own?.op === 'max' ? Math.max(own.value, value) : value })
  }

  /**
   * What follows from the value that the key has when this is committed, which may be another than was seen here. It
   * is applied before the changes of this transaction. It is passed over if this transaction has changed the key before,
   * since then it is no longer somebody else's value that is replaced, and forgotten with a range that is deleted.
   */
  follow(key: Uint8Array, changes: Follow): void {
    const text = textOf(key)
    if (this.#own(text, key) === undefined) this.#follows.set(text, { op: 'follow', key, changes })
  }

  noteGarbage(name: string): void {
    this.#garbage.add(name)
  }

  /** Reads without depending on what is read. */
  async glance(key: Uint8Array): Promise<Uint8Array | undefined> {
    const own = this.#own(textOf(key), key)
    if (own && !isOfCounter(own)) return valueSet(own)
    return this.#outer === undefined ? this.#snapshot.get(key) : this.#outer.glance(key)
  }

  get stored(): Reads {
    return this.#snapshot
  }

  /**
   * Reads what a change is based on. When somebody else has changed it before the commit, `merge` is called with what
   * is there now, and the work need not run again, unless the work itself has read the key too.
   */
  async getForMerge(key: Uint8Array, merge: Merge): Promise<Uint8Array | undefined> {
    const text = textOf(key)
    const own = this.#own(text, key)
    const isRead = this.#reads.has(text)
    if (own === undefined && !isRead) {
      this.#claimKey?.(text)
      this.#merges.set(text, merge)
    }
    if (own === undefined || isOfCounter(own)) return this.#read(text, key)
    return valueSet(own)
  }

  /** Sets a key to what no longer depends on what was read for a merge. */
  setWhole(key: Uint8Array, value: Uint8Array): void {
    this.#forgetMerge(textOf(key))
    this.set(key, value)
  }

  /** Durable when it resolves; meaningless until the commit names it. */
  async putBlob(name: string, pieces: readonly Uint8Array[]): Promise<void> {
    this.#blobs.add(name)
    await this.#withRoom(() => this.#engine.blobs.put(name, pieces))
  }

  /** A blob that no record shall name after all: deleted in the end if this transaction put it, else garbage. */
  dropBlob(name: string): void {
    if (this.#blobs.delete(name)) this.#dropped.add(name)
    else this.#garbage.add(name)
  }

  /**
   * Commits what was changed. False: somebody else's commit got in between, and nothing was changed. When it rejects,
   * the batch may have been committed all the same, except with `storage-locked`. `mayMerge` is asked where what the other one has changed can be
   * merged; what is merged is the state after it has answered.
   */
  async commit(mayMerge: (key: KeyText) => boolean | Promise<boolean>): Promise<boolean> {
    if (this.#outer !== undefined) {
      this.#outer.#take(this)
      return true
    }
    this.#isCommitting = true
    while (this.#staged.size + this.#deleted.length + this.#deletedFirst.length > 0) {
      const expect: Expectation[] = [...this.#reads.values(), ...this.#rangeReads]
      if (this.#long) expect.push(this.#long.expectation)
      const changes = this.#changes()
      const blobs = [...this.#blobs]
      // From here on the batch may name them, whatever the answer: they are no longer ours to delete.
      this.#blobs.clear()
      const batch: Batch = { expect, changes }
      const result = await this.#withRoom(() => this.#engine.keyValue.commit(batch)).catch(
        (error: unknown) => {
          const isLocked = error instanceof HyperslabError && error.code === 'storage-locked'
          if (isLocked) for (const name of blobs) this.#blobs.add(name)
          throw error
        },
      )
      if (result.committed) return true
      for (const name of blobs) this.#blobs.add(name)
      const conflicts = result.conflicts.map(position => expect[position])
      const [first] = conflicts
      this.#conflict = textOf('key' in first ? first.key : first.range.start)
      const merges = this.#mergesOf(conflicts)
      if (merges === undefined || !(await mayMerge(this.#conflict))) return false
      await this.#merge(merges)
    }
    return true
  }

  /** Where the disk is full, tries it once more when something could be deleted, which happens once at most. */
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
    this.#room ??= this.#makeRoom?.(() => this.renew()) ?? Promise.resolve(false)
    return this.#room
  }

  /**
   * Goes on with the newest state, so that nothing older is kept for this transaction any more. If what it has read is
   * another now, it can only fail: with `storage-conflict`, as soon as it reads on.
   */
  async renew(): Promise<void> {
    const long = this.#long ?? new LongWrite(this.#engine, this.random)
    if (this.#long === undefined) await long.store()
    // What is being committed does not expect the record.
    if (this.#isCommitting || this.#isEnded) return this.#long ? undefined : long.remove()
    this.#long = long
    const newest = this.#engine.keyValue.snapshot()
    const isSame = await this.#isSameIn(newest).catch((error: unknown) => {
      newest.close()
      throw error
    })
    if (this.#isEnded) return newest.close()
    const before = this.#snapshot
    this.#snapshot = newest
    this.#first?.close()
    this.#first = undefined
    before.expire(conflict())
    before.close()
    if (!isSame) newest.expire(conflict())
  }

  /** Lets the snapshot go, and deletes the blobs that no commit can have named. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#snapshot.close()
    this.#first?.close()
    for (const name of [...this.#dropped, ...this.#blobs]) await this.#engine.blobs.delete(name)
    await this.#long?.remove()
  }

  /** What a transaction within this one has changed. */
  #take(inner: Transaction): void {
    for (const { key, changes } of inner.#follows.values()) this.follow(key, changes)
    for (const { range, isLeft } of inner.#deleted) this.#forgetRange(range, isLeft)
    for (const change of inner.#deletedFirst) this.#deletedFirst.push(change)
    for (const change of inner.#staged.values()) {
      if (change.op === 'set') this.set(change.key, change.value)
      else if (change.op === 'delete') this.delete(change.key)
      else if (change.op === 'add') this.add(change.key, change.delta)
      else this.raise(change.key, change.value)
    }
    // Those that this transaction has put are named by nothing any more.
    for (const name of inner.#garbage) this.dropBlob(name)
    for (const name of inner.#blobs) this.#blobs.add(name)
    for (const name of inner.#dropped) this.#dropped.add(name)
    inner.#blobs.clear()
    inner.#dropped.clear()
  }

  /** Undefined: something has changed that cannot be merged. */
  #mergesOf(conflicts: readonly Expectation[]): OwnMerge[] | undefined {
    const merges: OwnMerge[] = []
    for (const conflict of conflicts) {
      if (!('key' in conflict)) return undefined
      const text = textOf(conflict.key)
      const merge = this.#merges.get(text)
      if (merge === undefined) return undefined
      merges.push({ key: conflict.key, text, merge })
    }
    return merges
  }

  async #merge(merges: readonly OwnMerge[]): Promise<void> {
    const newest = this.#engine.keyValue.snapshot()
    if (this.#first === undefined && this.#long === undefined) this.#first = this.#snapshot
    else this.#snapshot.close()
    this.#snapshot = newest
    for (const { key, text, merge } of merges) {
      const value = await this.#snapshot.get(key)
      this.#reads.set(text, { key, value })
      await merge(value)
    }
  }

  /** Whether a snapshot has all that was read, but for what the commit can merge. */
  async #isSameIn(snapshot: Snapshot): Promise<boolean> {
    const reads = [...this.#reads].flatMap(([text, read]) => (this.#merges.has(text) ? [] : [read]))
    const values = await snapshot.getMany(reads.map(({ key }) => key))
    if (reads.some(({ value }, i) => !isSameValue(value, values[i]))) return false
    for (const { range, entries } of this.#rangeReads) {
      let same = 0
      for await (const { key, value } of snapshot.range(range)) {
        const before = entries.at(same++)
        if (before === undefined || !isSameValue(before.key, key) || !isSameValue(before.value, value))
          return false
      }
      if (same !== entries.length) return false
    }
    return true
  }

  #changes(): Change[] {
    const changes: Change[] = [...this.#follows.values()]
    for (const { range, isLeft } of this.#deleted) {
      if (!isLeft) changes.push({ op: 'deleteRange', ...range })
    }
    // One by one: there may be more than a call takes arguments.
    for (const change of this.#deletedFirst) changes.push(change)
    for (const change of this.#staged.values()) changes.push(change)
    if (this.#garbage.size > 0) changes.push(this.garbageNotes([...this.#garbage]))
    return changes
  }

  /** The change that notes garbage; also for what `follow` finds. */
  garbageNotes(names: readonly string[]): Change {
    return noteGarbage(names, this.random)
  }

  /** `change` has in it what was changed of the counter so far, if that was the same operation. */
  #changeCounter(change: CounterChange): void {
    const text = textOf(change.key)
    const own = this.#own(text, change.key)
    if (own === undefined || own.op === change.op) this.#staged.set(text, change)
    else if (isOfCounter(own)) throw new Error('a counter is either added to or raised')
    else this.set(change.key, changeCounter(valueSet(own), change))
  }

  /** This transaction's own change of the key; undefined: it has none. */
  #own(text: KeyText, key: Uint8Array): KeyChange | undefined {
    const staged = this.#staged.get(text)
    if (staged) return staged
    return isIn(this.#deleted, text) ? { op: 'delete', key } : undefined
  }

  #ownIn(start: Uint8Array, end: Uint8Array): OwnChange[] {
    const [from, to] = [textOf(start), textOf(end)]
    const own: OwnChange[] = []
    for (const [text, change] of this.#staged) {
      if (text >= from && text < to) own.push({ text, change })
    }
    return own.sort((a, b) => (a.text < b.text ? -1 : 1))
  }

  async #read(text: KeyText, key: Uint8Array): Promise<Uint8Array | undefined> {
    const read = this.#reads.get(text)
    if (read) return read.value
    const value = await this.#snapshot.get(key)
    this.#reads.set(text, { key, value })
    return value
  }

  #forgetMerge(text: KeyText): void {
    if (this.#merges.delete(text)) this.#reads.delete(text)
  }

  /** The stored entries of the range; those that were walked are what this write depends on. */
  async *#recorded(range: Range, limit: number | undefined): AsyncGenerator<Entry> {
    const entries: Entry[] = []
    let isWhole = false
    try {
      const source = this.#snapshot.range({ ...range, ...(limit !== undefined && { limit }) })
      for await (const entry of source) {
        entries.push(entry)
        yield entry
      }
      isWhole = limit === undefined || entries.length < limit
    } finally {
      const last = entries.at(-1)
      if (isWhole) this.#rangeReads.push({ range, entries })
      else if (last) {
        this.#rangeReads.push({ range: { start: range.start, end: successor(last.key) }, entries })
      }
    }
  }
}

/** Of a write that cannot be done again by itself. */
export function conflict(): HyperslabError {
  return new HyperslabError(
    'storage-conflict',
    'others kept changing what this write depends on; nothing was written: try again',
  )
}

/** What a transaction within another one reads; the outer one depends on it. */
function viewOf(outer: Transaction): Snapshot {
  return {
    get: key => outer.get(key),
    getMany: keys => outer.getMany(keys),
    range: range => outer.range(range),
    close() {},
    expire() {},
  }
}

/** The stored entries with a transaction's changes laid over them, both in the order of their keys. */
async function* overlay(
  stored: AsyncIterable<Entry>,
  own: readonly OwnChange[],
  deleted: readonly DeletedRange[],
): AsyncGenerator<Entry> {
  let next = 0
  for await (const entry of stored) {
    const text = textOf(entry.key)
    for (; next < own.length && own[next].text < text; next++) yield* entryOf(own[next])
    if (next < own.length && own[next].text === text) yield* entryOf(own[next++], entry.value)
    else if (!isIn(deleted, text)) yield entry
  }
  for (; next < own.length; next++) yield* entryOf(own[next])
}

/** None for what was deleted. */
function entryOf({ change }: OwnChange, stored?: Uint8Array): Entry[] {
  const value = isOfCounter(change) ? changeCounter(stored, change) : valueSet(change)
  return value === undefined ? [] : [{ key: change.key, value }]
}

async function* take(entries: AsyncIterable<Entry>, limit: number): AsyncGenerator<Entry> {
  if (limit <= 0) return
  let taken = 0
  for await (const entry of entries) {
    yield entry
    if (++taken === limit) return
  }
}

/** A transaction may count bytes of several datasets, each of which may claim nearly 2^53. */
function sum(a: number | bigint, b: number | bigint): number | bigint {
  const total = typeof a === 'number' && typeof b === 'number' ? a + b : undefined
  return total !== undefined && Number.isSafeInteger(total) ? total : BigInt(a) + BigInt(b)
}

function isOfCounter(change: KeyChange): change is CounterChange {
  return change.op === 'add' || change.op === 'max'
}

function valueSet(change: KeyChange): Uint8Array | undefined {
  return change.op === 'set' ? change.value : undefined
}

function isIn(ranges: readonly DeletedRange[], text: KeyText): boolean {
  return ranges.some(({ from, to }) => text >= from && text < to)
}

function textOf(key: Uint8Array): KeyText {
  const bytes = Buffer.isBuffer(key) ? key : Buffer.from(key.buffer, key.byteOffset, key.byteLength)
  return bytes.toString('latin1')
}
