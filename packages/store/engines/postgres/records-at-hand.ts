// Records that this process has read and that no commit has changed since, according to the answers of the database
// (states.ts). So a read of them needs no statement, and is as fresh as the last answer.

import { hash } from 'node:crypto'
import { BoundedMap } from '@hyperslab/base/bounded'
import type { CacheFigures } from '../../interfaces/engine.ts'
import type { KeyText } from '../../key-range.ts'

/**
 * The first 8 bytes of the SHA-256 of a key, one character a byte: the form in which the database lists the changed
 * keys.
 */
export type KeyHash = string

const HASH_BYTES = 8

export function hashOfKey(key: Uint8Array): KeyHash {
  return hash('sha256', key, 'binary').slice(0, HASH_BYTES)
}

export interface RecordAtHand {
  /** The value; undefined: there is no record of that key. */
  readonly value: Uint8Array | undefined
  /** It is unchanged in all states since that number. */
  readonly since: number
}

interface Entry extends RecordAtHand {
  readonly text: KeyText
  readonly hash: KeyHash
}

/** Bytes of records that a process keeps. @limit memory, bytes */
const MAX_BYTES = 32 * 2 ** 20
/** Bytes that an entry takes beside its key and value. */
const ENTRY_BYTES = 250
/** Changes that are remembered, so that a record that was read before its change is not kept. @limit memory, changes */
const MAX_CHANGES = 20_000

/** The changes of a commit: the hashes of the keys, one after another. */
interface Changes {
  readonly number: number
  readonly hashes: string
}

export class RecordsAtHand {
  readonly #entries: BoundedMap<KeyText, Entry>
  readonly #byHash = new Map<KeyHash, Entry>()
  readonly #maxChanges: number
  /** The changes of the last commits, in their order. They are searched, not indexed: most are never looked up. */
  #changes: Changes[] = []
  /** Keys in them, and 1 for each commit. */
  #weight = 0
  /** The number of the last state whose changes are not all known. */
  #unknown = 0
  #hits = 0
  #misses = 0

  constructor(maxBytes = MAX_BYTES, maxChanges = MAX_CHANGES) {
    /** Records that reads find without a statement. @limit speed, bytes, bench/results.md#032-postgresql */
    this.#entries = new BoundedMap(maxBytes, {
      weightOf: ({ text, value }) => ENTRY_BYTES + text.length + (value?.length ?? 0),
      onForget: entry => {
        if (this.#byHash.get(entry.hash) === entry) this.#byHash.delete(entry.hash)
      },
    })
    this.#maxChanges = maxChanges
  }

  /** The record in the state of that number; undefined: it must be read from the database. */
  find(text: KeyText, number: number): RecordAtHand | undefined {
    const entry = this.#entries.get(text)
    const found = entry !== undefined && entry.since <= number ? entry : undefined
    if (found) this.#hits++
    else this.#misses++
    return found
  }

  get figures(): CacheFigures {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#entries.weight }
  }

  /** Keeps a record as it was read in the state `number`, unless it may have been changed since. */
  keep(key: Uint8Array, text: KeyText, record: RecordAtHand, number: number): void {
    if (number < this.#unknown) return
    const hash = hashOfKey(key)
    if (this.#isChangedSince(hash, number)) return
    const other = this.#byHash.get(hash)
    if (other !== undefined) this.#entries.forget(other.text)
    const entry = { ...record, text, hash }
    this.#entries.set(text, entry)
    this.#byHash.set(hash, entry)
  }

  /** Notes that the commit of that number, later than all before, has changed the keys with these hashes. */
  noteChanges(hashes: string, number: number): void {
    for (let at = 0; at < hashes.length; at += HASH_BYTES) {
      const entry = this.#byHash.get(hashes.slice(at, at + HASH_BYTES))
      if (entry !== undefined) this.#entries.forget(entry.text)
    }
    this.#changes.push({ number, hashes })
    this.#weight += weightOf(hashes)
    while (this.#weight > this.#maxChanges) {
      const [oldest] = this.#changes.splice(0, 1)
      this.#weight -= weightOf(oldest.hashes)
      this.#unknown = oldest.number
    }
  }

  /** Forgets all records, since the changes of commits up to that number are unknown. */
  forgetAll(number: number): void {
    this.#entries.forgetIf(() => true)
    this.#unknown = Math.max(this.#unknown, number)
  }

  /** Forgets everything, since the numbers of commits continue from an earlier one. */
  clear(): void {
    this.#entries.forgetIf(() => true)
    this.#changes = []
    this.#weight = 0
    this.#unknown = 0
  }

  #isChangedSince(hash: KeyHash, number: number): boolean {
    for (let index = this.#changes.length - 1; index >= 0; index--) {
      const changes = this.#changes[index]
      if (changes.number <= number) return false
      let at = changes.hashes.indexOf(hash)
      while (at >= 0 && at % HASH_BYTES !== 0) at = changes.hashes.indexOf(hash, at + 1)
      if (at >= 0) return true
    }
    return false
  }
}

function weightOf(hashes: string): number {
  return 1 + hashes.length / HASH_BYTES
}
