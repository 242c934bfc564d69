// Copies one store into another, of any engines, while the source is served. It copies one state: all records as they
// are, so that ids, times and entity tags stay, and the blobs. Entries that the target has already are not copied
// again, so an interrupted copy continues, and a second one brings the first up to date. At the end the records, and
// the bytes of the blobs, are compared.

import { inParallel, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { isSameValue } from './batch.ts'
import { chunkKey, isBlobNamed } from './chunk-records/chunk-record.ts'
import type { Blobs, Change, Engine, Entry, Snapshot } from './interfaces/engine.ts'
import { EVERYTHING } from './key-range.ts'
import { parseBlobName } from './records/blob-name.ts'
import { type ParsedKey, parseKey } from './records/keys.ts'
import { withSnapshot } from './records/with-snapshot.ts'

export interface CopyProgress {
  readonly phase: 'values' | 'records' | 'comparison'
  /** Blobs or records that this phase has read. */
  readonly done: number
  /** Bytes that were copied or, in the last phase, compared. */
  readonly bytes: number
}

export interface CopyOptions {
  readonly signal?: AbortSignal
  readonly progress?: (progress: CopyProgress) => void
}

export interface CopySummary {
  readonly records: number
  readonly blobs: number
  /** Records, and bytes of blobs, that had to be copied. */
  readonly changedRecords: number
  readonly copiedBytes: number
}

/** A copy cannot be made, or is not complete. */
export class CopyFailed extends Error {}

/** The copy differs from the store: copying once more repairs it. */
class CopyDiffers extends CopyFailed {
  constructor(problem: string) {
    super(`the copy differs from the store in ${problem}: copy once more`)
  }
}

/** Changes in one commit of the target. */
const BATCH_RECORDS = 1000
const BATCH_BYTES = 2 ** 20
/** A blob is copied in pieces of this size. */
const PIECE_BYTES = 4 * 2 ** 20

/** Makes `target` the same as the newest state of `source`. Throws `CopyDiffers` if they differ at the end. */
export function copyStore(
  source: Engine,
  target: Engine,
  { signal, progress = () => {} }: CopyOptions = {},
): Promise<CopySummary> {
  return withSnapshot(source.keyValue, async snapshot => {
    const copy = new StoreCopy(source, target, snapshot, progress, signal)
    // Blobs before records: a blob is there before a record of the target names it.
    const copiedBytes = await copy.copyBlobs()
    const { records, changedRecords } = await copy.copyRecords()
    const blobs = await copy.compare()
    return { records, blobs, changedRecords, copiedBytes }
  })
}

class StoreCopy {
  readonly #source: Engine
  readonly #target: Engine
  readonly #snapshot: Snapshot
  readonly #progress: (progress: CopyProgress) => void
  readonly #signal: AbortSignal | undefined

  constructor(
    source: Engine,
    target: Engine,
    snapshot: Snapshot,
    progress: (progress: CopyProgress) => void,
    signal: AbortSignal | undefined,
  ) {
    this.#source = source
    this.#target = target
    this.#snapshot = snapshot
    this.#progress = progress
    this.#signal = signal
  }

  /**
   * Copies the missing blobs, and removes blobs of an earlier copy that the copied state does not name. Returns the
   * bytes that were copied.
   */
  async copyBlobs(): Promise<number> {
    const from = this.#source.blobs
    const to = this.#target.blobs
    await this.#eachBlob(to, 'values', async name => {
      if (!(await this.#isNamed(name))) await to.delete(name)
      return 0
    })
    const { bytes } = await this.#eachBlob(from, 'values', async name =>
      (await this.#isNamed(name)) ? copyBlob(from, to, name) : 0,
    )
    return bytes
  }

  /** Whether a record of the copied state names the blob. Other blobs are of later or failed writes, or garbage. */
  async #isNamed(name: string): Promise<boolean> {
    const blob = parseBlobName(name)
    return blob !== undefined && isBlobNamed(blob, await this.#snapshot.get(chunkKey(blob)))
  }

  async copyRecords(): Promise<{ records: number; changedRecords: number }> {
    let records = 0
    let changedRecords = 0
    let bytes = 0
    let changes: Change[] = []
    let changeBytes = 0
    const commit = async (): Promise<void> => {
      if (changes.length > 0) await this.#target.keyValue.commit({ expect: [], changes })
      changedRecords += changes.length
      bytes += changeBytes
      changes = []
      changeBytes = 0
      this.#progress({ phase: 'records', done: records, bytes })
    }
    for await (const { before, after } of this.#differences(() => records++)) {
      if (after) changes.push({ op: 'set', key: after.key, value: after.value })
      else if (before) changes.push({ op: 'delete', key: before.key })
      changeBytes += (after?.key.length ?? 0) + (after?.value.length ?? 0)
      if (changes.length >= BATCH_RECORDS || changeBytes >= BATCH_BYTES) await commit()
    }
    await commit()
    return { records, changedRecords }
  }

  /**
   * Returns the number of blobs. Throws when a record of the target differs from the source, or a blob still differs
   * after it was copied again.
   */
  async compare(): Promise<number> {
    for await (const { before, after } of this.#differences()) {
      const key = Buffer.from((after ?? before)?.key ?? []).toString('latin1')
      throw new CopyDiffers(`the record ${JSON.stringify(key)}`)
    }
    const from = this.#source.blobs
    const to = this.#target.blobs
    const { blobs } = await this.#eachBlob(to, 'comparison', async name => {
      for (const isLast of [false, true]) {
        const size = await from.size(name)
        // It was deleted since: no record of the copied state names it.
        if (size === undefined) return 0
        const isSame = await unlessDeleted(from, name, isSameBlob(from, to, name, size))
        if (isSame !== false) return size
        // Its length may be right, and then it would not be copied.
        await to.delete(name)
        if (!isLast) await copyBlob(from, to, name)
      }
      throw new CopyDiffers(`the values ${name}`)
    })
    return blobs
  }

  /** Entries of the target and of the copied state that are not the same, in the order of their keys. */
  async *#differences(
    onRecord: () => void = () => {},
  ): AsyncGenerator<{ before: Entry | undefined; after: Entry | undefined }> {
    const target = this.#target.keyValue.snapshot()
    try {
      const left = target.range(EVERYTHING)[Symbol.asyncIterator]()
      const right = this.#snapshot.range(EVERYTHING)[Symbol.asyncIterator]()
      let before = await nextCopied(left)
      let after = await nextCopied(right)
      while (before || after) {
        this.#signal?.throwIfAborted()
        if (isTurnOver()) await nextTurn()
        const order = before && after ? Buffer.compare(before.key, after.key) : before ? -1 : 1
        if (order !== 0 || !isSameValue(before?.value, after?.value)) {
          yield { before: order <= 0 ? before : undefined, after: order >= 0 ? after : undefined }
        }
        if (order >= 0) onRecord()
        if (order <= 0) before = await nextCopied(left)
        if (order >= 0) after = await nextCopied(right)
      }
    } finally {
      target.close()
    }
  }

  /** Calls `work` with each name; `work` returns the bytes that it handled. */
  async #eachBlob(
    blobs: Blobs,
    phase: CopyProgress['phase'],
    work: (name: string) => Promise<number>,
  ): Promise<{ readonly blobs: number; readonly bytes: number }> {
    const parallel = Math.min(blobs.parallelism, this.#target.blobs.parallelism)
    let done = 0
    let bytes = 0
    await inParallel(blobs.list(''), parallel, async name => {
      this.#signal?.throwIfAborted()
      const more = await work(name)
      bytes += more
      this.#progress({ phase, done: ++done, bytes })
    })
    return { blobs: done, bytes }
  }
}

/** Events have numbers that only the engine that gave them goes on with, and mounted files are of this machine. */
const OF_THIS_LOCATION: ReadonlySet<ParsedKey['type']> = new Set([
  'identity',
  'longWrite',
  'probe',
  'event',
  'eventsRemoved',
  'followed',
  'allFollowed',
])

/** The next entry that belongs to the contents of the store, and not to this location or its processes. */
async function nextCopied(entries: AsyncIterator<Entry>): Promise<Entry | undefined> {
  for (;;) {
    const { done, value } = await entries.next()
    if (done) return undefined
    const type = parseKey(value.key)?.type
    if (type === undefined || !OF_THIS_LOCATION.has(type)) return value
  }
}

/** Returns the bytes that were copied: none if the blob is there, or has been deleted from the source meanwhile. */
async function copyBlob(from: Blobs, to: Blobs, name: string): Promise<number> {
  const size = await from.size(name)
  if (size === undefined || (await to.size(name)) === size) return 0
  await to.delete(name)
  const copying = to.put(name, piecesOf(from, name, size)).then(() => size)
  return (await unlessDeleted(from, name, copying)) ?? 0
}

/**
 * The result of the work; undefined if the blob is deleted meanwhile. The source is served, and its sweeper may delete
 * blobs that no record of the copied state names.
 */
async function unlessDeleted<T>(
  from: Pick<Blobs, 'size'>,
  name: string,
  work: Promise<T>,
): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((await from.size(name)) !== undefined) throw error
    return undefined
  }
}

async function* piecesOf(
  blobs: Pick<Blobs, 'readCompared'>,
  name: string,
  size: number,
): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(Math.min(size, PIECE_BYTES))
  for (let offset = 0; offset < size; offset += piece.length) {
    yield await readPiece(blobs, name, offset, piece.subarray(0, Math.min(piece.length, size - offset)))
  }
}

async function isSameBlob(from: Blobs, to: Blobs, name: string, size: number): Promise<boolean> {
  if ((await to.size(name)) !== size) return false
  const pieces = [0, 1].map(() => new Uint8Array(Math.min(size, PIECE_BYTES)))
  for (let offset = 0; offset < size; offset += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, size - offset)
    // A damaged blob of the copy differs from the source, and is copied again.
    const [ours, theirs] = await Promise.all([
      readPiece(from, name, offset, pieces[0].subarray(0, length)),
      readPiece({ readCompared: to.read.bind(to) }, name, offset, pieces[1].subarray(0, length)),
    ])
    if (Buffer.compare(ours, theirs) !== 0) return false
  }
  return true
}

async function readPiece(
  blobs: Pick<Blobs, 'readCompared'>,
  name: string,
  offset: number,
  into: Uint8Array,
): Promise<Uint8Array> {
  const count = await blobs.readCompared(name, offset, into)
  if (count === into.length) return into
  throw new Error(
    `the values ${name} are shorter than they were: ${count} of ${into.length} bytes at ${offset}`,
  )
}
