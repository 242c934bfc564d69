// The records that were decoded last, so that a domain and an object that are read by request after request are
// parsed once. A record is read from the store all the same, and what was decoded counts only while its bytes are
// the same: nothing here can be stale.

interface Decoded {
  readonly record: Uint8Array
  readonly value: unknown
}

/** Longer records are decoded each time, so that memory stays small. */
const MAX_RECORD_BYTES = 4096

export class DecodedRecords {
  readonly #decoded = new Map<string, Decoded>()
  readonly #limit: number

  /** Keeps up to `limit` records. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get size(): number {
    return this.#decoded.size
  }

  /** `decode(record)`, perhaps made earlier from the same bytes. `name` tells records apart, and their kinds. */
  decode<T>(name: string, record: Uint8Array, decode: (record: Uint8Array) => T): T {
    const known = this.#decoded.get(name)
    // Whoever asks for a name asks for one kind of record.
    if (known && Buffer.compare(known.record, record) === 0) return known.value as T
    const value = decode(record)
    if (known) this.#decoded.delete(name)
    if (record.length <= MAX_RECORD_BYTES) {
      if (this.#decoded.size >= this.#limit) this.#forgetOldest()
      // A copy, since the record may be a part of something larger.
      this.#decoded.set(name, { record: new Uint8Array(record), value })
    }
    return value
  }

  #forgetOldest(): void {
    for (const name of this.#decoded.keys()) {
      this.#decoded.delete(name)
      return
    }
  }
}
