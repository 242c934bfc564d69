// The results of reads that are likely to come again. The result of such a read depends only on its name and on the
// records that it read: if they are the same in the new snapshot, so is the result. So no result can be stale. Small
// GETs take about half the time: the records are compared, and nothing is decoded or formatted. A result is kept when
// its name comes for the second time, because most requests of a client that walks through a tree are never repeated.

import { BoundedMap } from '@hyperslab/base/bounded'
import { isSameValue } from '../batch.ts'
import type { Reads } from '../changes.ts'
import type { CacheFigures, Entry, Snapshot } from '../interfaces/engine.ts'
import type { Recall } from '../interfaces/store.ts'
import type { Range } from '../key-range.ts'

interface RememberedRead {
  readonly keys: readonly Uint8Array[]
  readonly values: readonly (Uint8Array | undefined)[]
  readonly result: unknown
}

/** Records of a read whose result is kept, so that memory stays small. @limit memory, records */
const MAX_RECORDS = 16
/** Bytes of a record of such a read. @limit memory, bytes */
const MAX_BYTES = 4096

export class RememberedReads {
  readonly #remembered: BoundedMap<string, RememberedRead>
  /** Hashes of the latest names, each at an index that follows from it. */
  readonly #lately: Uint32Array
  #hits = 0
  #misses = 0

  /** Keeps up to `limit` results, and remembers about twice as many names. */
  constructor(limit: number) {
    /** Short answers that are given again. @limit speed, reads, bench/small-reads.bench.mjs */
    this.#remembered = new BoundedMap(limit)
    this.#lately = new Uint32Array(2 * limit)
  }

  get figures(): CacheFigures {
    return { hits: this.#hits, misses: this.#misses }
  }

  async read<T>(
    snapshot: Snapshot,
    { name, isKept }: Recall<T>,
    work: (reads: Reads) => Promise<T>,
  ): Promise<T> {
    const known = this.#remembered.get(name)
    // A name is used for one kind of result only.
    if (known && areSame(known.values, await snapshot.getMany(known.keys))) {
      this.#hits++
      return known.result as T
    }
    this.#misses++
    if (known === undefined && !this.#cameLately(name)) return work(snapshot)
    const reads = new RecordedReads(snapshot)
    const result = await work(reads)
    const { recorded } = reads
    if (recorded && isKept(result)) this.#remembered.set(name, { ...recorded, result })
    else this.#remembered.forget(name)
    return result
  }

  /** Whether the name came before; another name with the same hash counts too, which costs memory only. */
  #cameLately(name: string): boolean {
    const hash = hashOf(name)
    const index = hash % this.#lately.length
    if (this.#lately[index] === hash) return true
    this.#lately[index] = hash
    return false
  }
}

/** FNV-1a of the UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
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

  /** The records read so far; undefined: there are too many to compare. */
  get recorded(): Pick<RememberedRead, 'keys' | 'values'> | undefined {
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

function areSame(
  before: readonly (Uint8Array | undefined)[],
  now: readonly (Uint8Array | undefined)[],
): boolean {
  return before.every((value, position) => isSameValue(value, now[position]))
}
