// The entries of the committed state that a write has read, and expects to be unchanged when it commits. A key that was
// read for a merge may have changed: then the change is applied again to the new value.

import { HyperslabError } from '@hyperslab/base/errors'
import { isSameValue } from '../batch.ts'
import type { Entry, Expectation, Snapshot } from '../interfaces/engine.ts'
import { type KeyText, keyTextOf, type Range, successor } from '../key-range.ts'

/** Applies a change again to the value that another write has stored under the key, and sets the result of both. */
export type Merge = (current: Uint8Array | undefined) => Promise<void>

interface KeyRead {
  readonly key: Uint8Array
  readonly value: Uint8Array | undefined
}

interface RangeRead {
  readonly range: Range
  readonly entries: readonly Entry[]
}

export interface KeyMerge {
  readonly key: Uint8Array
  readonly text: KeyText
  readonly merge: Merge
}

export class Expectations {
  readonly #reads = new Map<KeyText, KeyRead>()
  readonly #rangeReads: RangeRead[] = []
  readonly #merges = new Map<KeyText, Merge>()

  /** The keys that were read, in order. */
  get keysRead(): Iterable<KeyText> {
    return this.#reads.keys()
  }

  findRead(text: KeyText): KeyRead | undefined {
    return this.#reads.get(text)
  }

  noteRead(text: KeyText, read: KeyRead): void {
    this.#reads.set(text, read)
  }

  /** The entries of the range in the state when it begins to be walked; those that were walked are expected. */
  async *noteRange(
    state: { readonly snapshot: Snapshot },
    range: Range,
    limit: number | undefined,
  ): AsyncGenerator<Entry> {
    const entries: Entry[] = []
    let isWhole = false
    try {
      const source = state.snapshot.range({ ...range, ...(limit !== undefined && { limit }) })
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

  /** The range is expected to be empty, without a look at it. */
  noteEmptyRange(range: Range): void {
    this.#rangeReads.push({ range, entries: [] })
  }

  canMerge(text: KeyText): boolean {
    return this.#merges.has(text)
  }

  allowMerge(text: KeyText, merge: Merge): void {
    this.#merges.set(text, merge)
  }

  /** The value of the key must be unchanged, since the work itself has read it. */
  forbidMerge(text: KeyText): void {
    this.#merges.delete(text)
  }

  /** The value of the key may change, if it was read only for a merge. */
  forgetMerge(text: KeyText): void {
    if (this.#merges.delete(text)) this.#reads.delete(text)
  }

  list(): Expectation[] {
    return [...this.#reads.values(), ...this.#rangeReads]
  }

  /** The merges of all changed keys; undefined: a changed key cannot be merged. */
  findMerges(conflicts: readonly Expectation[]): KeyMerge[] | undefined {
    const merges: KeyMerge[] = []
    for (const conflict of conflicts) {
      if (!('key' in conflict)) return undefined
      const text = keyTextOf(conflict.key)
      const merge = this.#merges.get(text)
      if (merge === undefined) return undefined
      merges.push({ key: conflict.key, text, merge })
    }
    return merges
  }

  /** Whether all entries that were read are the same in the snapshot, except those that the commit can merge. */
  async holdIn(snapshot: Snapshot): Promise<boolean> {
    const reads = [...this.#reads].flatMap(([text, read]) => (this.#merges.has(text) ? [] : [read]))
    const values = await snapshot.getMany(reads.map(({ key }) => key))
    if (reads.some(({ value }, i) => !isSameValue(value, values[i]))) return false
    for (const { range, entries } of this.#rangeReads) {
      let unchanged = 0
      for await (const { key, value } of snapshot.range(range)) {
        const before = entries.at(unchanged++)
        if (before === undefined || !isSameValue(before.key, key) || !isSameValue(before.value, value))
          return false
      }
      if (unchanged !== entries.length) return false
    }
    return true
  }
}

/** The error for a write that cannot be run again by itself. */
export function conflict(): HyperslabError {
  return new HyperslabError(
    'storage-conflict',
    'other writes kept changing the records that this write depends on; nothing was written: try again',
  )
}
