// The engine that keeps everything in memory and nothing after the process. It is the executable model of
// interfaces/engine.ts: written to be obviously right, and compared with the other engines by the conformance suite.
// The entries are one sorted array that is never changed in place, so a snapshot is just a reference to it.

import {
  boundsOf,
  type CurrentState,
  changeCounter,
  checkChange,
  findConflicts,
  logKey,
  logNumber,
  requireBounds,
} from '../../packages/store/batch.ts'
import { HeldSnapshot } from '../../packages/store/engines/held-snapshot.ts'
// The same limit, so that what works on one engine works on the other.
import { MAX_KEY_LENGTH } from '../../packages/store/engines/lmdb/scan.ts'
import { noBlob } from '../../packages/store/engines/system-errors.ts'
import type {
  Batch,
  BlobPieces,
  Blobs,
  Change,
  CommitResult,
  Engine,
  Entry,
  KeyRange,
  KeyValue,
  OpenSnapshots,
  Snapshot,
} from '../../packages/store/interfaces/engine.ts'
import { checkBlobName, checkBlobPrefix } from '../../packages/store/interfaces/engine.ts'

export function openMemoryEngine(): Engine {
  const keyValue = new MemoryKeyValue()
  return {
    keyValue,
    blobs: new MemoryBlobs(),
    maxKeyLength: MAX_KEY_LENGTH,
    maxInlineBytes: 2 ** 16,
    async close() {
      keyValue.closed = true
    },
  }
}

type Entries = readonly Entry[]

class MemoryKeyValue implements KeyValue {
  readonly process = 'this one'
  readonly isSweeper = true
  readonly pollMilliseconds = 20
  closed = false
  newestTime = 0
  #entries: Entries = []
  /** The number of the newest state. */
  #number = 0
  /** Open snapshots with the numbers of their states, the oldest first. */
  readonly #snapshots = new Map<Snapshot, number>()

  snapshot(): Snapshot {
    this.#mustBeOpen()
    const snapshot = new MemorySnapshot(this.#entries, () => this.#snapshots.delete(snapshot))
    this.#snapshots.set(snapshot, this.#number)
    return snapshot
  }

  async openSnapshots(): Promise<OpenSnapshots> {
    const [oldest = this.#number] = this.#snapshots.values()
    return { newest: this.#number, oldest }
  }

  snapshotSlots() {
    return { taken: this.#snapshots.size, limit: Number.POSITIVE_INFINITY }
  }

  async isAlive(process: string): Promise<boolean> {
    return process === this.process
  }

  async commit(batch: Batch): Promise<CommitResult> {
    this.#mustBeOpen()
    for (const change of batch.changes) checkChange(change, MAX_KEY_LENGTH)
    const found = findConflicts(batch.expect, stateOf(this.#entries))
    const conflicts = [...found].filter(position => position !== undefined)
    if (conflicts.length > 0) return { committed: false, conflicts }
    if (batch.changes.length > 0) {
      const entries = this.#entries.slice()
      const bounds = boundsOf(batch.changes, stateOf(entries).get)
      for (const change of batch.changes) apply(entries, change)
      requireBounds(bounds, stateOf(entries).get)
      this.#entries = entries
      this.#number++
      this.newestTime = Math.max(this.newestTime, batch.time ?? 0)
    }
    return { committed: true }
  }

  #mustBeOpen(): void {
    if (this.closed) throw new Error('The engine has been closed')
  }
}

class MemorySnapshot extends HeldSnapshot<Entries> implements Snapshot {
  readonly #onEnd: () => void

  constructor(entries: Entries, onEnd: () => void) {
    super(entries)
    this.#onEnd = onEnd
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    return copyOf(find(this.held(), key)?.value)
  }

  async getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    const entries = this.held()
    return keys.map(key => copyOf(find(entries, key)?.value))
  }

  async *range(range: KeyRange): AsyncIterable<Entry> {
    for (const { key, value } of rangeOf(this.held(), range)) {
      this.held()
      yield { key: new Uint8Array(key), value: new Uint8Array(value) }
    }
  }

  protected override release(): void {
    this.#onEnd()
  }
}

// Not `slice`, which on a Buffer shares the memory instead of copying it.
function copyOf(bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes === undefined ? undefined : new Uint8Array(bytes)
}

/** The position of the first entry whose key is not below `key`. */
function lowerBound(entries: Entries, key: Uint8Array): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const entry = entries[middle]
    if (entry !== undefined && Buffer.compare(entry.key, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function find(entries: Entries, key: Uint8Array): Entry | undefined {
  return entryAt(entries, lowerBound(entries, key), key)
}

/** The entry at a position, if it is that of the key. */
function entryAt(entries: Entries, position: number, key: Uint8Array): Entry | undefined {
  const entry = entries[position]
  return entry !== undefined && Buffer.compare(entry.key, key) === 0 ? entry : undefined
}

function rangeOf(entries: Entries, { start, end, limit, reverse }: KeyRange): Entries {
  const inside = entries.slice(lowerBound(entries, start), lowerBound(entries, end))
  if (reverse) inside.reverse()
  return limit === undefined ? inside : inside.slice(0, limit)
}

function stateOf(entries: Entries): CurrentState {
  return { get: key => find(entries, key)?.value, range: range => rangeOf(entries, range) }
}

function apply(entries: Entry[], change: Change): void {
  if (change.op === 'deleteRange') {
    const { start, end, limit = Number.POSITIVE_INFINITY } = change
    const from = lowerBound(entries, start)
    entries.splice(from, Math.min(limit, Math.max(0, lowerBound(entries, end) - from)))
    return
  }
  if (change.op === 'log') {
    const next = Buffer.from(change.key)
    next[next.length - 1]++
    const last = entries[lowerBound(entries, next) - 1]
    const isOfLog = last !== undefined && Buffer.compare(last.key, change.key) > 0
    const key = logKey(change.key, isOfLog ? logNumber(last.key) + 1 : 1)
    apply(entries, { op: 'set', key, value: change.value })
    return
  }
  if (change.op === 'bound') return
  const position = lowerBound(entries, change.key)
  const present = entryAt(entries, position, change.key)
  if (change.op === 'follow') {
    for (const following of change.changes(copyOf(present?.value))) apply(entries, following)
    return
  }
  const replaced = present === undefined ? 0 : 1
  if (change.op === 'delete') {
    entries.splice(position, replaced)
    return
  }
  const value = change.op === 'set' ? new Uint8Array(change.value) : changeCounter(present?.value, change)
  entries.splice(position, replaced, { key: new Uint8Array(change.key), value })
}

class MemoryBlobs implements Blobs {
  readonly parallelism = 8
  #blobs = new Map<string, Uint8Array>()

  async put(name: string, pieces: BlobPieces): Promise<void> {
    checkBlobName(name)
    const copies: Uint8Array[] = []
    for await (const piece of pieces) copies.push(Uint8Array.from(piece))
    if (this.#blobs.has(name)) throw new Error(`There is already a blob ${name}`)
    this.#blobs.set(name, Buffer.concat(copies))
  }

  async read(name: string, offset: number, into: Uint8Array): Promise<number> {
    checkBlobName(name)
    const blob = this.#blobs.get(name)
    if (blob === undefined) throw noBlob(name)
    const found = blob.subarray(offset, offset + into.length)
    into.set(found)
    return found.length
  }

  readCompared(name: string, offset: number, into: Uint8Array): Promise<number> {
    return this.read(name, offset, into)
  }

  async size(name: string): Promise<number | undefined> {
    checkBlobName(name)
    return this.#blobs.get(name)?.length
  }

  async hasChecksums(name: string): Promise<boolean> {
    checkBlobName(name)
    return this.#blobs.has(name)
  }

  async delete(name: string): Promise<void> {
    checkBlobName(name)
    this.#blobs.delete(name)
  }

  async *list(prefix: string): AsyncIterable<string> {
    checkBlobPrefix(prefix)
    for (const name of this.#blobs.keys()) if (name.startsWith(prefix)) yield name
  }
}
