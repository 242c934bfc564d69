// Ordered reading of LMDB. The ranges of lmdb-js differ from those of `Engine` in three ways, which this file handles:
// their bounds are in the order of reading, and they accept neither an empty key nor one that is too long to be stored.

import type { RangeOptions, RootDatabase, Transaction } from 'lmdb'
import type { Entry, KeyRange } from '../../interfaces/engine.ts'

/** The longest key that LMDB stores, with pages of 4096 bytes. @limit format, bytes */
export const MAX_KEY_LENGTH = 1978

export type Database = RootDatabase<Uint8Array, Uint8Array> & {
  /**
   * The method with its options, which the types of lmdb-js leave out. The returned bytes are lent until the next call.
   */
  getBinaryFast(key: Uint8Array, options?: { readonly transaction: Transaction }): Uint8Array | undefined
  /** LMDB's table of readers as text, which the types leave out too. */
  readerList(): string
  /** lmdb-js's own object; the types leave it out. */
  readonly env: { readonly address: number }
}

/**
 * Entries of the range in its order; without `transaction`, those of the open write transaction. The bytes belong to
 * the caller.
 */
export function* scan(db: Database, range: KeyRange, transaction?: Transaction): Iterable<Entry> {
  const bounds = boundsOf(range, transaction)
  if (bounds === undefined) return
  for (const { key, value } of db.getRange(bounds)) yield { key: plainBytes(key), value: plainBytes(value) }
}

/** The entries of the range, or only the first ones once they have `enoughBytes`. */
export function scanPiece(
  db: Database,
  range: KeyRange,
  enoughBytes: number,
  transaction: Transaction,
): { readonly entries: readonly Entry[]; readonly isComplete: boolean } {
  const entries: Entry[] = []
  const bounds = boundsOf(range, transaction)
  if (bounds === undefined) return { entries, isComplete: true }
  let bytes = 0
  for (const { key, value } of db.getRange(bounds)) {
    entries.push({ key: plainBytes(key), value: plainBytes(value) })
    bytes += value.length
    if (bytes >= enoughBytes) return { entries, isComplete: false }
  }
  return { entries, isComplete: true }
}

/** The keys alone. */
export function scanKeys(db: Database, range: KeyRange): Uint8Array[] {
  const bounds = boundsOf(range)
  return bounds === undefined ? [] : Array.from(db.getKeys(bounds))
}

/**
 * The bytes as a plain Uint8Array, as `Engine` promises: lmdb-js returns Buffers, whose `slice` and `toString` differ.
 */
function plainBytes(bytes: Uint8Array): Uint8Array {
  // Short arrays are inside the JavaScript heap, where a copy is cheap and access to their buffer is not.
  return bytes.length <= 64
    ? new Uint8Array(bytes)
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

const LOWEST_KEY = new Uint8Array([0])

function boundsOf(
  { start, end, limit, reverse = false }: KeyRange,
  transaction?: Transaction,
): RangeOptions | undefined {
  if (limit === 0 || Buffer.compare(start, end) >= 0) return undefined
  const isLowClipped = start.length > MAX_KEY_LENGTH
  const isHighClipped = end.length > MAX_KEY_LENGTH
  const low = start.length === 0 ? LOWEST_KEY : isLowClipped ? clip(start) : start
  const high = isHighClipped ? clip(end) : end
  // A stored key is below a clipped bound if it is not above the part of the bound that is left.
  const bounds: RangeOptions = reverse
    ? { start: high, exclusiveStart: !isHighClipped, end: low, inclusiveEnd: !isLowClipped, reverse }
    : { start: low, exclusiveStart: isLowClipped, end: high, inclusiveEnd: isHighClipped, reverse }
  if (limit !== undefined) bounds.limit = limit
  if (transaction !== undefined) bounds.transaction = transaction
  return bounds
}

function clip(key: Uint8Array): Uint8Array {
  return key.subarray(0, MAX_KEY_LENGTH)
}
