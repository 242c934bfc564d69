// The records that were decoded last, so that a domain or an object that many requests read is decoded once. A record
// is read from the store each time, and the decoded value is used only while its bytes are the same: no decoded value
// can be stale.

import { BoundedMap } from '@hyperslab/base/bounded'
import type { CacheFigures } from '../interfaces/engine.ts'

interface DecodedRecord {
  readonly record: Uint8Array
  readonly value: unknown
}

/** The longest record whose decoded value is kept, so that memory stays small. @limit memory, bytes */
const MAX_RECORD_BYTES = 4096

export class DecodedRecords {
  readonly #decoded: BoundedMap<string, DecodedRecord>
  #hits = 0
  #misses = 0

  /** Keeps records of up to `limit` bytes together. */
  constructor(limit: number) {
    /** Records of domains and objects. @limit speed, bytes, bench/results.md#062-limits-of-speed */
    this.#decoded = new BoundedMap(limit, { weightOf: ({ record }) => record.length })
  }

  get size(): number {
    return this.#decoded.size
  }

  get figures(): CacheFigures {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#decoded.weight }
  }

  /**
   * The result of `decode(record)`, perhaps an earlier one for the same bytes. `name` distinguishes records and their
   * kinds.
   */
  decode<T>(name: string, record: Uint8Array, decode: (record: Uint8Array) => T): T {
    const known = this.#decoded.get(name)
    // A name is used for one kind of record only.
    if (known && Buffer.compare(known.record, record) === 0) {
      this.#hits++
      return known.value as T
    }
    this.#misses++
    const value = decode(record)
    // A copy, since the record may be a part of something larger.
    if (record.length <= MAX_RECORD_BYTES) this.#decoded.set(name, { record: new Uint8Array(record), value })
    else this.#decoded.forget(name)
    return value
  }
}
