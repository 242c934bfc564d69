// A store over an engine: opens a snapshot for each read and a transaction for each write, runs writes again that
// somebody else's commit got in the way of, and keeps the sweeper going.

import { HyperslabError } from '../errors.ts'
import { BufferPool } from './chunks/buffer-pool.ts'
import { ChunkFilters } from './chunks/chunk-filters.ts'
import { type FilterRunner, IN_THIS_THREAD } from './chunks/filter-runner.ts'
import { OpenChunkCount } from './chunks/write-limit.ts'
import type { Clock, Engine, Random } from './engine.ts'
import { type OpenTransaction, OpenTransactions } from './open-transactions.ts'
import { Patience } from './patience.ts'
import { probe } from './probe.ts'
import { DecodedRecords } from './records/decoded-records.ts'
import { MAX_KEY_LENGTH } from './records/keys.ts'
import { RememberedReads } from './remembered-reads.ts'
import { SharedWrites, type Work } from './shared-writes.ts'
import type { Reader, Recall, Store, StoreFigures, WriteOptions, Writer } from './store.ts'
import { StoreReader } from './store-reader.ts'
import { StoreWriter, type WriterParts } from './store-writer.ts'
import { Sweeper } from './sweeper.ts'
import { conflict, Transaction } from './transaction.ts'
import { type Slot, type WriteQueue, WriteQueues } from './write-queue.ts'

export interface StoreOptions {
  readonly clock: Clock
  readonly random: Random
  /** False: what nobody needs any more is left to another process. Default: true. */
  readonly sweeps?: boolean
  /** A state is read for so long at most: a read then ends, a write goes on with a newer one. Default: an hour. */
  readonly maxSnapshotAgeSeconds?: number
  /** Memory that a write may take for values of chunks that are not complete. Default: 64 MiB. */
  readonly maxOpenBytes?: number
  /** About how many bytes of values are moved at once. Default: 4 MiB. */
  readonly pieceBytes?: number
  /** Chunks, and values of attributes, of up to so many bytes are kept with the records. Default: 64 KiB. */
  readonly maxInlineBytes?: number
  /** What one write may store of values. Default: no bound. */
  readonly maxWriteBytes?: number
  /** Where the filters of chunks run; closed with the store. Default: in this thread. */
  readonly filterRunner?: FilterRunner
  /** Told of failures in the background, which nobody waits for. Default: a warning of the process. */
  readonly report?: (error: unknown) => void
}

/** Closing it also closes the engine. */
export interface OpenStore extends Store {
  readonly sweeper: Sweeper
}

const PIECE_BYTES = 4 * 2 ** 20
const MAX_OPEN_BYTES = 64 * 2 ** 20
/** Larger values are read and written as fast in files of their own as in LMDB. */
const MAX_INLINE_BYTES = 2 ** 16
/** Domains and objects whose records are kept decoded. */
const DECODED_RECORDS = 4096
/** Results of small reads that are kept. */
const REMEMBERED_READS = 4096
const MAX_POOLED_BYTES = 64 * 2 ** 20
/** Decoded chunks that are kept for the next read. */
const MAX_DECODED_BYTES = 64 * 2 ** 20
const MAX_SNAPSHOT_AGE_SECONDS = 60 * 60
const LOOK_MILLISECONDS = 1000
/** The same failure in the background is told once in this time. */
const REPORT_MILLISECONDS = 60_000

export function openStore(engine: Engine, options: StoreOptions): OpenStore {
  requireKeyLength(engine)
  const { clock, random } = options
  const report = onceInAWhile(clock, options.report ?? warn)
  const parts: WriterParts = {
    decoded: new DecodedRecords(DECODED_RECORDS),
    blobs: engine.blobs,
    filters: new ChunkFilters(options.filterRunner ?? IN_THIS_THREAD, MAX_DECODED_BYTES),
    pool: new BufferPool(MAX_POOLED_BYTES),
    pieceBytes: options.pieceBytes ?? PIECE_BYTES,
    maxOpenBytes: options.maxOpenBytes ?? MAX_OPEN_BYTES,
    maxInlineBytes: options.maxInlineBytes ?? MAX_INLINE_BYTES,
    maxWriteBytes: options.maxWriteBytes ?? Infinity,
    openChunks: new OpenChunkCount(),
  }
  const queues = new WriteQueues<Work>()
  const remembered = new RememberedReads(REMEMBERED_READS)
  const open = new OpenTransactions()
  const sweeper = new Sweeper({ engine, clock, random, report })
  const sweeps = options.sweeps ?? true
  if (sweeps) sweeper.start()
  const base = {
    engine,
    clock,
    random,
    ...(sweeps && { makeRoom: (letGo: () => Promise<void>) => sweeper.makeRoom(letGo) }),
  }
  const shared = new SharedWrites({ ...parts, base, queues, report })
  const maxAge = options.maxSnapshotAgeSeconds ?? MAX_SNAPSHOT_AGE_SECONDS
  const looking = setInterval(() => open.tellOld(clock.elapsed() - maxAge * 1000), LOOK_MILLISECONDS)
  looking.unref()
  let closed = false
  let commits = 0
  let retries = 0
  let conflicts = 0
  let tooOld = 0
  let locked = 0

  /** The first of the keys that another queue than `own` has claimed. */
  function findClaimedKey(keys: Iterable<string>, own: WriteQueue<Work>): string | undefined {
    if (queues.isEmpty) return undefined
    for (const key of keys) {
      const queue = queues.findQueue(key)
      if (queue !== undefined && queue !== own) return key
    }
    return undefined
  }

  function begin(): OpenTransaction {
    if (closed) throw new Error('the store has been closed')
    return open.begin(clock.elapsed())
  }

  /** Counts or tells of what ends a transaction, and hands it on. */
  function noted(error: unknown): unknown {
    if (!(error instanceof HyperslabError)) return error
    if (error.code === 'storage-conflict') conflicts++
    if (error.code === 'storage-locked') locked++
    if (error.code === 'storage-failed' || error.code === 'storage-locked') report(error)
    return error
  }

  async function read<T>(work: (reader: Reader) => Promise<T>, recall?: Recall<T>): Promise<T> {
    const opened = begin()
    let expired: HyperslabError | undefined
    try {
      const snapshot = engine.keyValue.snapshot()
      opened.onOld = () => {
        expired = snapshotTooOld(maxAge)
        tooOld++
        snapshot.expire(expired)
        open.letGo(opened)
      }
      try {
        if (recall === undefined) return await work(new StoreReader(snapshot, parts))
        return await remembered.read(snapshot, recall, reads => work(new StoreReader(reads, parts)))
      } finally {
        snapshot.close()
      }
    } catch (error) {
      // Values that this state had may be gone, too.
      throw expired ?? noted(error)
    } finally {
      open.end(opened)
    }
  }

  async function write<T>(
    run: (writer: Writer) => Promise<T>,
    { once = false, time }: WriteOptions = {},
  ): Promise<T> {
    const opened = begin()
    try {
      const work: Work = { run, time, patience: new Patience(clock), outcome: undefined }
      const queued = await writeAlone(work, once, opened)
      if (queued !== undefined) {
        retries++
        const slot = await queued.slot
        if (slot !== undefined) await shared.runWorks(slot, work)
      }
      const { outcome } = work
      if (outcome === undefined) throw new Error('a write has ended without an outcome')
      if ('error' in outcome) throw outcome.error
      commits++
      return outcome.result as T
    } catch (error) {
      throw noted(error)
    } finally {
      open.end(opened)
    }
  }

  /**
   * Runs the work in a transaction of its own. When another write is in the way, the work is queued to be run again, and
   * its slot is returned. A write that can run only once is not run again: it waits for a slot and is merged.
   */
  async function writeAlone(work: Work, once: boolean, opened: OpenTransaction): Promise<Queued | undefined> {
    let slot = queues.openSlot()
    const patience = new Patience(clock)
    const claimKey = (key: string): void => {
      if (!slot.queue.claimKey(key)) throw new KeyClaimed(key)
    }
    const transaction = new Transaction({ ...base, time: work.time, ...(!once && { claimKey }) })
    const writer = new StoreWriter(transaction, parts)
    const renewWhenOld = (): void => {
      opened.onOld = () => {
        transaction
          .renew()
          .catch(report)
          .finally(() => {
            open.renew(opened, clock.elapsed())
            renewWhenOld()
          })
      }
    }
    renewWhenOld()
    const mayMerge = async (key: string): Promise<boolean> => {
      slot = await queues.acquireSlot(key, slot)
      return patience.isLeft()
    }
    try {
      const result = await work.run(writer)
      const claimed = findClaimedKey(transaction.keysRead, slot.queue)
      if (claimed !== undefined) {
        if (!once && !transaction.canMerge(claimed)) return { slot: queues.enqueueWork(claimed, slot, work) }
        slot = await queues.acquireSlot(claimed, slot)
      }
      if (await transaction.commit(mayMerge)) {
        work.outcome = { result }
        return undefined
      }
      if (once) throw conflict()
      const { conflict: key } = transaction
      if (key === undefined) throw new Error('a commit has failed without a conflict')
      return { slot: queues.enqueueWork(key, slot, work) }
    } catch (error) {
      if (error instanceof KeyClaimed) return { slot: queues.enqueueWork(error.key, slot, work) }
      throw error
    } finally {
      opened.onOld = undefined
      await transaction.end().catch(report)
      writer.end()
      slot.release()
    }
  }

  return {
    read,
    write,
    sweeper,
    now: () => clock.now(),
    random,
    async probe() {
      const opened = begin()
      try {
        await probe({ engine, clock, random })
      } finally {
        open.end(opened)
      }
    },
    get figures(): StoreFigures {
      const { count, bytes } = parts.filters.kept
      const oldest = open.oldest()
      return {
        commits,
        retries: retries + shared.retries,
        conflicts,
        open: open.size,
        oldestSeconds: oldest === undefined ? 0 : (clock.elapsed() - oldest) / 1000,
        tooOld,
        locked,
        snapshotPlaces: engine.keyValue.snapshotPlaces(),
        cachedRecords: parts.decoded.size,
        cachedChunks: count,
        cachedChunkBytes: bytes,
      }
    },
    async close() {
      closed = true
      await open.settled()
      clearInterval(looking)
      await sweeper.stop()
      await parts.filters.close()
      await engine.close()
    },
  }
}

function requireKeyLength({ maxKeyLength }: Engine): void {
  if (maxKeyLength >= MAX_KEY_LENGTH) return
  throw new Error(
    `the engine stores keys of up to ${maxKeyLength} bytes, but records need up to ${MAX_KEY_LENGTH}`,
  )
}

/** The slot that a work waits for; none when the holder of another slot has run the work. */
interface Queued {
  readonly slot: Promise<Slot<Work> | undefined>
}

/** Ends a run that could not be committed: another write is changing the key. */
class KeyClaimed extends Error {
  readonly key: string

  constructor(key: string) {
    super('another write is changing the same')
    this.key = key
  }
}

function snapshotTooOld(seconds: number): HyperslabError {
  return new HyperslabError(
    'snapshot-too-old',
    `the answer took longer than max_snapshot_age (${seconds} s), and what it reads is kept no longer: ask for less at once`,
  )
}

/** Tells the same failure once in a while: what fails in the background is tried again and again. */
function onceInAWhile(clock: Clock, report: (error: unknown) => void): (error: unknown) => void {
  const told = new Map<string, number>()
  return error => {
    const now = clock.elapsed()
    for (const [message, since] of told) if (now - since >= REPORT_MILLISECONDS) told.delete(message)
    const message = String(error)
    if (told.has(message)) return
    told.set(message, now)
    report(error)
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
