// The reads of a write: the committed state with the staged changes. The committed entries that were read are noted as
// expectations of the commit.

import { type CounterChange, changeCounter } from '../batch.ts'
import type { Reads } from '../changes.ts'
import type { Change, Entry, Follow, Snapshot } from '../interfaces/engine.ts'
import { type KeyText, keyTextOf, type Range } from '../key-range.ts'
import { EmptyRanges } from './empty-ranges.ts'
import { conflict, type Expectations, type Merge } from './expectations.ts'
import { isOfCounter, type StagedChanges, setValueOf } from './staged-changes.ts'
import type { TransactionState } from './transaction-state.ts'

export interface StagedReadsOptions {
  readonly claimKey?: (key: KeyText) => void
  readonly guesses?: boolean
}

const ABSENT = { value: undefined }

export class StagedReads implements Reads {
  readonly #state: TransactionState
  readonly #staged: StagedChanges
  readonly #expectations: Expectations
  readonly #options: StagedReadsOptions
  readonly #outer: Pick<StagedReads, 'glance' | 'expectAbsent' | 'expectEmpty'> | undefined
  readonly #empty = new EmptyRanges()
  /** Keys whose amendments are being turned into changes. */
  readonly #amending = new Map<KeyText, Promise<void>>()
  #hasGuessed = false
  /** Values that were read ahead last, and the state that they are of. */
  #ahead:
    | { readonly snapshot: Snapshot; readonly values: ReadonlyMap<KeyText, Uint8Array | undefined> }
    | undefined

  /** `outer` is the transaction that the snapshot of `state` reads; absent: the state is a committed one. */
  constructor(
    state: TransactionState,
    staged: StagedChanges,
    expectations: Expectations,
    options: StagedReadsOptions,
    outer: Pick<StagedReads, 'glance' | 'expectAbsent' | 'expectEmpty'> | undefined,
  ) {
    this.#state = state
    this.#staged = staged
    this.#expectations = expectations
    this.#options = options
    this.#outer = outer
  }

  /** The write runs again if another write has set the key, also one within the same outer transaction. */
  expectAbsent(key: Uint8Array): void {
    const text = keyTextOf(key)
    if (this.#staged.find(text, key) !== undefined) throw conflict()
    this.#expectAbsent(text, key)
  }

  #expectAbsent(text: KeyText, key: Uint8Array): void {
    this.#outer?.expectAbsent(key)
    this.#expectations.forbidMerge(text)
    if (!this.#expectations.findRead(text)) this.#expectations.noteRead(text, { key, value: undefined })
  }

  expectEmpty(range: Range): void {
    if (this.#staged.findInRange(range).length > 0) throw conflict()
    this.#outer?.expectEmpty(range)
    this.#expectations.noteEmptyRange(range)
    this.#empty.add(range)
  }

  isAbsent(key: Uint8Array): boolean | Promise<boolean> {
    const text = keyTextOf(key)
    if (this.#options.guesses && this.#staged.find(text, key) === undefined && !this.#known(text)) {
      this.#hasGuessed = true
      this.#expectAbsent(text, key)
      return true
    }
    return this.get(key).then(value => value === undefined)
  }

  /** Whether `isAbsent` has assumed that a key is absent. */
  get hasGuessed(): boolean {
    return this.#hasGuessed
  }

  noteEmpty(range: Range): void {
    this.#empty.add(range)
  }

  /** Whether the key is in a range that was noted as empty. */
  isNotedEmpty(text: KeyText): boolean {
    return this.#empty.hasKey(text)
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    const text = keyTextOf(key)
    if (this.#mayBeAmended) await this.#applyAmendments(text)
    this.#expectations.forbidMerge(text)
    const change = this.#staged.find(text, key)
    if (change === undefined) return this.#read(text, key)
    return isOfCounter(change) ? changeCounter(await this.#read(text, key), change) : setValueOf(change)
  }

  async getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    if (this.#mayBeAmended) for (const key of keys) await this.#applyAmendments(keyTextOf(key))
    const values: (Uint8Array | undefined)[] = []
    const unread: { readonly position: number; readonly text: KeyText; readonly key: Uint8Array }[] = []
    const counters: { readonly position: number; readonly change: CounterChange }[] = []
    for (const [position, key] of keys.entries()) {
      const text = keyTextOf(key)
      this.#expectations.forbidMerge(text)
      const change = this.#staged.find(text, key)
      const committed = this.#known(text)
      if (change !== undefined && !isOfCounter(change)) values[position] = setValueOf(change)
      else {
        values[position] = committed?.value
        if (committed === undefined) unread.push({ position, text, key })
        if (change !== undefined) counters.push({ position, change })
      }
    }
    const stored = unread.length > 0 ? await this.#state.snapshot.getMany(unread.map(({ key }) => key)) : []
    for (const [i, { position, text, key }] of unread.entries()) {
      values[position] = stored[i]
      this.#expectations.noteRead(text, { key, value: stored[i] })
    }
    for (const { position, change } of counters) values[position] = changeCounter(values[position], change)
    return values
  }

  /**
   * The entries at the time of the call, without changes made during the walk. The write depends on the entries that
   * were walked.
   */
  range(range: Range & { limit?: number }): AsyncIterable<Entry> {
    if (!this.#mayBeAmended) return this.#range(range)
    const amended = this.#staged.amendedIn(range)
    return amended.length === 0 ? this.#range(range) : this.#rangeAfter(amended, range)
  }

  async *#rangeAfter(amended: readonly KeyText[], range: Range & { limit?: number }): AsyncGenerator<Entry> {
    for (const text of amended) await this.#applyAmendments(text)
    yield* this.#range(range)
  }

  #range({ start, end, limit = Number.POSITIVE_INFINITY }: Range & { limit?: number }): AsyncIterable<Entry> {
    const changes = this.#staged.findInRange({ start, end })
    for (const { text } of changes) this.#expectations.forbidMerge(text)
    // Entries that are deleted here still count in a limit of the snapshot.
    const isBare = changes.length === 0 && !this.#staged.hasDeletedRanges && Number.isFinite(limit)
    const stored = this.#empty.hasRange({ start, end })
      ? []
      : this.#expectations.noteRange(this.#state, { start, end }, isBare ? limit : undefined)
    return take(this.#staged.overlay(stored, changes), limit)
  }

  /** Reads a value without depending on it, unless it is amended. */
  async glance(key: Uint8Array): Promise<Uint8Array | undefined> {
    const text = keyTextOf(key)
    if (this.#mayBeAmended) await this.#applyAmendments(text)
    const change = this.#staged.find(text, key)
    if (change && !isOfCounter(change)) return setValueOf(change)
    if (this.#empty.hasKey(text)) return undefined
    return this.#outer === undefined ? this.#stored(text, key) : this.#outer.glance(key)
  }

  async getForMerge(key: Uint8Array, merge: Merge): Promise<Uint8Array | undefined> {
    const text = keyTextOf(key)
    if (this.#mayBeAmended) await this.#applyAmendments(text)
    const change = this.#staged.find(text, key)
    if (change === undefined && !this.#known(text)) {
      this.#options.claimKey?.(text)
      this.#expectations.allowMerge(text, merge)
    }
    return change === undefined || isOfCounter(change) ? this.#read(text, key) : setValueOf(change)
  }

  /**
   * Reads entries together, which are then found without waiting. The write does not depend on them yet; so one within
   * another reads none, as its reads are those of the other.
   */
  async readAhead(keys: readonly Uint8Array[]): Promise<void> {
    if (this.#outer !== undefined) return
    const { snapshot } = this.#state
    const unknown = keys.filter(key => !this.#known(keyTextOf(key)))
    const found = unknown.length > 0 ? await snapshot.getMany(unknown) : []
    this.#ahead = { snapshot, values: new Map(unknown.map((key, i) => [keyTextOf(key), found[i]])) }
  }

  async applyAllAmendments(): Promise<void> {
    for (const text of [...this.#staged.amendedKeys]) await this.#applyAmendments(text)
  }

  get #mayBeAmended(): boolean {
    return this.#staged.hasAmended || this.#amending.size > 0
  }

  /**
   * Turns the amendments of the key into changes, since its value is about to be read: the write depends on it from now
   * on.
   */
  async #applyAmendments(text: KeyText): Promise<void> {
    const running = this.#amending.get(text)
    if (running) return running
    const amended = this.#staged.takeAmendments(text)
    if (!amended) return
    const work = this.#amendNow(text, amended.key, amended.all)
    this.#amending.set(text, work)
    try {
      await work
    } finally {
      this.#amending.delete(text)
    }
  }

  async #amendNow(text: KeyText, key: Uint8Array, all: readonly Follow[]): Promise<void> {
    for (const changes of all) {
      this.#expectations.forbidMerge(text)
      const change = this.#staged.find(text, key)
      const value = change && !isOfCounter(change) ? setValueOf(change) : await this.#read(text, key)
      await this.#stage(changes(value))
    }
  }

  async #stage(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      if (change.op === 'set') this.#staged.set(keyTextOf(change.key), change.key, change.value)
      else if (change.op === 'delete') this.#staged.delete(keyTextOf(change.key), change.key)
      else if (change.op === 'add') this.#staged.add(change.key, change.delta)
      else if (change.op === 'follow') await this.#stage(change.changes(await this.get(change.key)))
      else throw new Error(`a change of the kind "${change.op}" cannot be staged`)
    }
  }

  /** The committed value if it need not be looked up. */
  #known(text: KeyText): { readonly value: Uint8Array | undefined } | undefined {
    return this.#expectations.findRead(text) ?? (this.#empty.hasKey(text) ? ABSENT : undefined)
  }

  async #read(text: KeyText, key: Uint8Array): Promise<Uint8Array | undefined> {
    const known = this.#known(text)
    if (known) return known.value
    const value = await this.#stored(text, key)
    this.#expectations.noteRead(text, { key, value })
    return value
  }

  #stored(text: KeyText, key: Uint8Array): Promise<Uint8Array | undefined> | Uint8Array | undefined {
    const { snapshot } = this.#state
    const isAhead = this.#ahead?.snapshot === snapshot && this.#ahead.values.has(text)
    return isAhead ? this.#ahead?.values.get(text) : snapshot.get(key)
  }
}

async function* take(entries: AsyncIterable<Entry>, limit: number): AsyncGenerator<Entry> {
  if (limit <= 0) return
  let taken = 0
  for await (const entry of entries) {
    yield entry
    if (++taken === limit) return
  }
}
