// What reads gave that may be asked for again. Such a read is a function of its name and of the records that it got; so
// where these are the same in the new snapshot, whoever changed what else, it gives the same again. Nothing here can be
// stale. It saves small GETs about half of their time: the records are compared, and nothing is decoded or written.

import type { Reads } from './changes.ts'
import type { Entry, Snapshot } from './engine.ts'
import type { Range } from './key-range.ts'
import type { Recall } from './store.ts'

interface Remembered {
  readonly keys: readonly Uint8Array[]
  readonly values: readonly (Uint8Array | undefined)[]
  readonly result: unknown
}

/** A read that got more is made each time, so that memory stays small. */
const MAX_RECORDS = 16
const MAX_BYTES = 4096

export class RememberedReads {
  readonly #remembered = new Map<string, Remembered>()
  readonly #limit: number

  /** Keeps up to `limit` results. */
  constructor(limit: number) {
    this.#limit = limit
  }

  async read<T>(
    snapshot: Snapshot,
    { name, isKept }: Recall<T>,
    work: (reads: Reads) => Promise<T>,
  ): Promise<T> {
    const known = this.#remembered.get(name)
    // Whoever asks under a name asks for one kind of result.
    if (known && isSame(known.values, await snapshot.getMany(known.keys))) return known.result as T
    const reads = new RecordedReads(snapshot)
    const result = await work(reads)
    const { recorded } = reads
    if (known) this.#remembered.delete(name)
    if (recorded && isKept(result)) {
      if (this.#remembered.size >= this.#limit) this.#forgetOldest()
      this.#remembered.set(name, { ...recorded, result })
    }
    return result
  }

  #forgetOldest(): void {
    for (const name of this.#remembered.keys()) {
      this.#remembered.delete(name)
      return
    }
  }
}

/** Notes the single records that are read. */
class RecordedReads implements Reads {
  readonly #snapshot: Snapshot
  readonly #keys: Uint8Array[] = []
  readonly #values: (Uint8Array | undefined)[] = []
  #bytes = 0
  #isWalked = false

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  /** Undefined: it was more than is worth comparing. */
  get recorded(): Pick<Remembered, 'keys' | 'values'> | undefined {
    if (this.#isWalked || this.#keys.length > MAX_RECORDS || this.#bytes > MAX_BYTES) return undefined
    return { keys: this.#keys, values: this.#values }
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    const value = await this.#snapshot.get(key)
    this.#note(key, value)
    return value
  }

  async getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    const values = await this.#snapshot.getMany(keys)
    for (const [position, key] of keys.entries()) this.#note(key, values[position])
    return values
  }

  range(range: Range & { readonly limit?: number }): AsyncIterable<Entry> {
    this.#isWalked = true
    return this.#snapshot.range(range)
  }

  #note(key: Uint8Array, value: Uint8Array | undefined): void {
    this.#bytes += value?.length ?? 0
    if (this.#keys.length > MAX_RECORDS || this.#bytes > MAX_BYTES) return
    this.#keys.push(key)
    this.#values.push(value)
  }
}

function isSame(
  before: readonly (Uint8Array | undefined)[],
  now: readonly (Uint8Array | undefined)[],
): boolean {
  return before.every((value, position) => {
    const other = now[position]
    return value === undefined || other === undefined ? value === other : Buffer.compare(value, other) === 0
  })
}
