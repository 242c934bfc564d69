// What the beginning of a record was decoded to, found again by its bytes. Objects of a domain that are alike, and
// their attributes, have records that begin alike, in most domains with all that is not a value. What they have in
// common is then in memory once, too.

/** Kinds of records that follow each other by turns. */
const MAX_KNOWN = 16

interface KnownRecord<Value> {
  /** In memory of its own. */
  readonly bytes: Buffer
  /** Nothing may follow the bytes. */
  readonly isWhole: boolean
  readonly value: Value
}

export interface FoundBytes<Value> {
  /** The length of the bytes. */
  readonly length: number
  readonly value: Value
}

export class KnownBytes<Value> {
  readonly #known: KnownRecord<Value>[] = []
  /** Where the one that follows the last one found may be. */
  #likely = 0
  /** The index of the entry that the next one replaces when all are in use. */
  #oldest = 0

  /** Undefined: the record begins with none of the bytes that were added last. */
  find(record: Uint8Array): FoundBytes<Value> | undefined {
    const count = this.#known.length
    for (let i = 0; i < count; i++) {
      const at = (this.#likely + i) % count
      const { bytes, isWhole, value } = this.#known[at]
      const { length } = bytes
      if (isWhole ? record.length !== length : record.length < length) continue
      if (record[length - 1] !== bytes[length - 1] || bytes.compare(record, 0, length) !== 0) continue
      this.#likely = at + 1
      return { length, value }
    }
    return undefined
  }

  /** The value of the first `length` bytes, or of a record of so many: then nothing may follow them. */
  add(record: Uint8Array, length: number, value: Value): void {
    const bytes = Buffer.from(record.slice(0, length).buffer)
    const known = { bytes, isWhole: record.length === length, value }
    if (this.#known.length < MAX_KNOWN) {
      this.#known.push(known)
    } else {
      this.#known[this.#oldest] = known
      this.#oldest = (this.#oldest + 1) % MAX_KNOWN
    }
  }
}
