// Reads of records in the state of a number, from the current records and their history. Single records that any
// snapshots request at the same time are read in one statement, and so are short ranges. Each answer confirms that the
// process still has its lease: without it, the history of an older state may be gone.

import type { Entry, KeyRange } from '../../interfaces/engine.ts'
import { bigintArray, booleanArray, bytesArray } from './arrays.ts'
import type { Connections, Row } from './connections.ts'
import type { RecordAtHand } from './records-at-hand.ts'

const RECORDS = 'select * from hyperslab.read($1, $2, $3)'
const RANGES = `select u.position, r.key, r.value
  from unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::bigint[], $6::boolean[])
    with ordinality u(first, last, number, most, reverse, position)
  cross join lateral hyperslab.read_range($1, u.first, u.last, u.number, u.most, u.reverse) r`
const NEWEST_VALUES = `select u.key, r.value from unnest($1::bytea[]) u(key) cross join lateral (
  select value from hyperslab.records r where r.key = u.key order by since desc limit 1) r`

/** Statements for single records at once. @limit safety, statements */
const MAX_STATEMENTS = 4
/** Records of one statement. @limit memory, records */
const MAX_RECORDS = 500
/** Entries of the ranges that are read in one statement. @limit memory, entries */
const MAX_ENTRIES = 1000

interface WaitingRead {
  readonly key: Uint8Array
  readonly number: number
  resolve(record: RecordAtHand): void
  reject(error: unknown): void
}

type LimitedRange = KeyRange & { readonly limit: number }

interface WaitingRange {
  readonly range: LimitedRange
  readonly number: number
  resolve(entries: Entry[]): void
  reject(error: unknown): void
}

export interface ReadsParts {
  readonly connections: Connections
  readonly node: () => Promise<string>
  readonly onFenced: (node: string) => Error
}

export class RecordReads {
  readonly #parts: ReadsParts
  readonly #waiting: WaitingRead[] = []
  #ranges: WaitingRange[] = []
  #underWay = 0

  constructor(parts: ReadsParts) {
    this.#parts = parts
  }

  read(key: Uint8Array, number: number): Promise<RecordAtHand> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, number, resolve, reject })
      // All requests of this turn of the event loop go together.
      if (this.#waiting.length === 1) queueMicrotask(() => this.#send())
    })
  }

  /** Reads up to `range.limit` entries. */
  readRange(range: LimitedRange, number: number): Promise<Entry[]> {
    return new Promise((resolve, reject) => {
      this.#ranges.push({ range, number, resolve, reject })
      if (this.#ranges.length === 1) queueMicrotask(() => this.#sendRanges())
    })
  }

  /** The newest values of keys, in any order; absent ones are left out. */
  async readNewest(keys: readonly Uint8Array[]): Promise<Entry[]> {
    const rows = await this.#parts.connections.send(NEWEST_VALUES, [bytesArray(keys)])
    return rows.map(([key, value]) => ({ key: bytesOf(key), value: bytesOf(value) }))
  }

  #send(): void {
    while (this.#underWay < MAX_STATEMENTS && this.#waiting.length > 0) {
      const reads = this.#waiting.splice(0, MAX_RECORDS)
      this.#underWay++
      void this.#readTogether(reads)
        .catch((error: unknown) => {
          for (const { reject } of reads) reject(error)
        })
        .finally(() => {
          this.#underWay--
          this.#send()
        })
    }
  }

  /** Sends the ranges of this turn of the event loop, as many together as have few entries. */
  #sendRanges(): void {
    let together: WaitingRange[] = []
    let entries = 0
    const waiting = this.#ranges
    this.#ranges = []
    for (const each of waiting) {
      if (together.length > 0 && entries + each.range.limit > MAX_ENTRIES) {
        void this.#readRanges(together)
        together = []
        entries = 0
      }
      together.push(each)
      entries += each.range.limit
    }
    void this.#readRanges(together)
  }

  async #readRanges(waiting: readonly WaitingRange[]): Promise<void> {
    try {
      const name = await this.#parts.node()
      const rows = await this.#parts.connections.send(RANGES, [
        name,
        bytesArray(waiting.map(({ range }) => range.start)),
        bytesArray(waiting.map(({ range }) => range.end)),
        bigintArray(waiting.map(({ number }) => number)),
        bigintArray(waiting.map(({ range }) => range.limit)),
        booleanArray(waiting.map(({ range }) => range.reverse === true)),
      ])
      // Each range has a row without a key before its entries, if the process has its lease.
      const found = waiting.map((): Entry[] => [])
      const confirmed = new Set<number>()
      for (const [position, key, value] of rows) {
        const index = Number(position) - 1
        if (key === null) confirmed.add(index)
        else found[index].push({ key: bytesOf(key), value: bytesOf(value) })
      }
      if (confirmed.size < waiting.length) throw this.#parts.onFenced(name)
      for (const [index, { resolve }] of waiting.entries()) resolve(found[index])
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  async #readTogether(reads: readonly WaitingRead[]): Promise<void> {
    const name = await this.#parts.node()
    const keys = bytesArray(reads.map(({ key }) => key))
    const numbers = bigintArray(reads.map(({ number }) => number))
    const rows = await this.#parts.connections.send(RECORDS, [name, keys, numbers])
    this.#requireLease(
      rows.find(([position]) => Number(position) === 0),
      name,
    )
    const found = new Map(rows.map(row => [Number(row[0]), row]))
    for (const [index, { number, resolve }] of reads.entries()) {
      const row = found.get(index + 1)
      resolve(
        row === undefined
          ? { value: undefined, since: number }
          : { value: bytesOf(row[2]), since: Number(row[1]) },
      )
    }
  }

  #requireLease(row: Row | undefined, name: string): void {
    if (row === undefined) throw this.#parts.onFenced(name)
  }
}

/** The bytes as a plain array that belongs to the caller. */
function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new Error('the database returned no bytes')
  return new Uint8Array(value)
}
