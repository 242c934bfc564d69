// The changes of a write before its commit: by key, by range, and those that depend on the state at the commit. Reads
// of the write see the committed entries with these changes.

import { type CounterChange, changeCounter } from '../batch.ts'
import type { Changes } from '../changes.ts'
import type { Change, Entry, Follow } from '../interfaces/engine.ts'
import { type KeyText, keyTextOf, type Range } from '../key-range.ts'

export type KeyChange =
  | { readonly op: 'set'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly op: 'delete'; readonly key: Uint8Array }
  | CounterChange

export interface StagedChange {
  readonly text: KeyText
  readonly change: KeyChange
}

interface DeletedRange {
  readonly from: KeyText
  readonly to: KeyText
  readonly range: Range
  /** The committed entries stay: another write removes them. */
  readonly isLeft: boolean
}

/** A target on which staged changes can be made again. */
type ChangeTarget = Pick<
  Changes,
  'set' | 'delete' | 'deleteRange' | 'deleteLater' | 'deleteFirst' | 'add' | 'raise'
> & { follow(key: Uint8Array, changes: Follow): void; amend(key: Uint8Array, changes: Follow): void }

/** The amendments of a key, in their order. */
interface Amendments {
  readonly key: Uint8Array
  readonly all: Follow[]
}

export class StagedChanges {
  readonly #byKey = new Map<KeyText, KeyChange>()
  readonly #deletedRanges: DeletedRange[] = []
  readonly #deletedFirst: { readonly range: Range; readonly limit: number }[] = []
  readonly #follows = new Map<KeyText, Extract<Change, { readonly op: 'follow' }>>()

  readonly #amended = new Map<KeyText, Amendments>()

  /** Whether there is nothing to commit. */
  get isEmpty(): boolean {
    const ranges = this.#deletedRanges.length + this.#deletedFirst.length
    return this.#byKey.size + this.#amended.size + ranges === 0
  }

  get hasDeletedRanges(): boolean {
    return this.#deletedRanges.length > 0
  }

  /** The change of a key; undefined: there is none. */
  find(text: KeyText, key: Uint8Array): KeyChange | undefined {
    const staged = this.#byKey.get(text)
    if (staged) return staged
    return isInRanges(this.#deletedRanges, text) ? { op: 'delete', key } : undefined
  }

  /** The changes of single keys in a range, in the order of the keys. */
  findInRange({ start, end }: Range): StagedChange[] {
    const [from, to] = [keyTextOf(start), keyTextOf(end)]
    const changes: StagedChange[] = []
    for (const [text, change] of this.#byKey) {
      if (text >= from && text < to) changes.push({ text, change })
    }
    return changes.sort((a, b) => (a.text < b.text ? -1 : 1))
  }

  set(text: KeyText, key: Uint8Array, value: Uint8Array): void {
    this.#amended.delete(text)
    this.#byKey.set(text, { op: 'set', key, value })
  }

  delete(text: KeyText, key: Uint8Array): void {
    this.#amended.delete(text)
    this.#byKey.set(text, { op: 'delete', key })
  }

  /** Returns the keys in the range that had a change, which is dropped. */
  deleteRange(range: Range, isLeft: boolean): KeyText[] {
    const [from, to] = [keyTextOf(range.start), keyTextOf(range.end)]
    const dropped = [...this.#byKey.keys()].filter(text => text >= from && text < to)
    for (const text of dropped) {
      this.#follows.delete(text)
      this.#byKey.delete(text)
    }
    for (const text of this.amendedIn(range)) this.#amended.delete(text)
    this.#deletedRanges.push({ from, to, range, isLeft })
    return dropped
  }

  deleteFirst(range: Range, limit: number): void {
    this.#deletedFirst.push({ range, limit })
  }

  add(key: Uint8Array, delta: number | bigint): void {
    this.#changeCounter({ op: 'add', key, delta })
  }

  raise(key: Uint8Array, value: number): void {
    this.#changeCounter({ op: 'max', key, value })
  }

  /**
   * Adds changes that are derived from the value of the key at the commit, which may differ from the one that was read.
   * They are applied before all others. They are ignored if the key has a change already, since then the value at the
   * commit is that of this write, and they are dropped with a range that is deleted.
   */
  follow(key: Uint8Array, changes: Follow): void {
    const text = keyTextOf(key)
    if (this.find(text, key) === undefined) this.#follows.set(text, { op: 'follow', key, changes })
  }

  /**
   * Adds changes that are derived from the value of the key at the commit, after all other changes of this write and
   * the earlier amendments of the key. They are dropped when the key is set or deleted.
   */
  amend(key: Uint8Array, changes: Follow): void {
    const text = keyTextOf(key)
    const amended = this.#amended.get(text) ?? { key, all: [] }
    this.#amended.set(text, amended)
    amended.all.push(changes)
  }

  get hasAmended(): boolean {
    return this.#amended.size > 0
  }

  isAmended(text: KeyText): boolean {
    return this.#amended.has(text)
  }

  get amendedKeys(): Iterable<KeyText> {
    return this.#amended.keys()
  }

  amendedIn({ start, end }: Range): KeyText[] {
    const [from, to] = [keyTextOf(start), keyTextOf(end)]
    return [...this.#amended.keys()].filter(text => text >= from && text < to)
  }

  /** Removes and returns the amendments of a key; the caller turns them into changes of keys. */
  takeAmendments(text: KeyText): Amendments | undefined {
    const amended = this.#amended.get(text)
    this.#amended.delete(text)
    return amended
  }

  /** The changes in the order in which a commit applies them. */
  list(): Change[] {
    const changes: Change[] = [...this.#follows.values()]
    for (const { range, isLeft } of this.#deletedRanges) {
      if (!isLeft) changes.push({ op: 'deleteRange', ...range })
    }
    // They are added one by one: there may be more than the arguments of one call.
    for (const { range, limit } of this.#deletedFirst) changes.push({ op: 'deleteRange', ...range, limit })
    for (const change of this.#byKey.values()) changes.push(change)
    for (const { key, all } of this.#amended.values())
      for (const follow of all) changes.push({ op: 'follow', key, changes: follow })
    return changes
  }

  /** Makes all of the changes again in `target`. */
  replay(target: ChangeTarget): void {
    for (const { key, changes } of this.#follows.values()) target.follow(key, changes)
    for (const { range, isLeft } of this.#deletedRanges) {
      if (isLeft) target.deleteLater(range)
      else target.deleteRange(range)
    }
    for (const { range, limit } of this.#deletedFirst) target.deleteFirst(range, limit)
    for (const change of this.#byKey.values()) {
      if (change.op === 'set') target.set(change.key, change.value)
      else if (change.op === 'delete') target.delete(change.key)
      else if (change.op === 'add') target.add(change.key, change.delta)
      else target.raise(change.key, change.value)
    }
    for (const { key, all } of this.#amended.values()) for (const follow of all) target.amend(key, follow)
  }

  /** Merges `changes` of a range with the committed entries of the range. */
  overlay(
    stored: Iterable<Entry> | AsyncIterable<Entry>,
    changes: readonly StagedChange[],
  ): AsyncIterable<Entry> {
    return overlay(stored, changes, this.#deletedRanges.slice())
  }

  #changeCounter(change: CounterChange): void {
    const text = keyTextOf(change.key)
    const staged = this.find(text, change.key)
    if (staged === undefined) this.#byKey.set(text, change)
    else if (isOfCounter(staged)) this.#byKey.set(text, bothChanges(staged, change))
    else this.set(text, change.key, changeCounter(setValueOf(staged), change))
  }
}

/** Two changes of one counter as one. */
function bothChanges(first: CounterChange, second: CounterChange): CounterChange {
  const { key } = first
  if (first.op === 'add' && second.op === 'add')
    return { op: 'add', key, delta: sum(first.delta, second.delta) }
  if (first.op === 'max' && second.op === 'max') {
    return { op: 'max', key, value: Math.max(first.value, second.value) }
  }
  throw new Error('a counter is either added to or raised')
}

/** Entries and changes are both in the order of their keys. */
async function* overlay(
  stored: Iterable<Entry> | AsyncIterable<Entry>,
  changes: readonly StagedChange[],
  deleted: readonly DeletedRange[],
): AsyncGenerator<Entry> {
  let next = 0
  for await (const entry of stored) {
    const text = keyTextOf(entry.key)
    for (; next < changes.length && changes[next].text < text; next++) yield* entryOf(changes[next])
    if (next < changes.length && changes[next].text === text) yield* entryOf(changes[next++], entry.value)
    else if (!isInRanges(deleted, text)) yield entry
  }
  for (; next < changes.length; next++) yield* entryOf(changes[next])
}

/** The entry of a key after its change; none if the key is deleted. */
function entryOf({ change }: StagedChange, stored?: Uint8Array): Entry[] {
  const value = isOfCounter(change) ? changeCounter(stored, change) : setValueOf(change)
  return value === undefined ? [] : [{ key: change.key, value }]
}

/** A transaction may count bytes of several datasets, each of which may claim nearly 2^53. */
function sum(a: number | bigint, b: number | bigint): number | bigint {
  const total = typeof a === 'number' && typeof b === 'number' ? a + b : undefined
  return total !== undefined && Number.isSafeInteger(total) ? total : BigInt(a) + BigInt(b)
}

export function isOfCounter(change: KeyChange): change is CounterChange {
  return change.op === 'add' || change.op === 'max'
}

/** The value that a change sets; undefined: it deletes the key. */
export function setValueOf(change: KeyChange): Uint8Array | undefined {
  return change.op === 'set' ? change.value : undefined
}

function isInRanges(ranges: readonly DeletedRange[], text: KeyText): boolean {
  return ranges.some(({ from, to }) => text >= from && text < to)
}
