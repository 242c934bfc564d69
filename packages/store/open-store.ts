// A store over an engine: a snapshot for each read (read-runner.ts), a transaction for each write (write-runner.ts),
// and the sweeper.

import { BoundedMap } from '@hyperslab/base/bounded'
import { ObjectIds } from '@hyperslab/model/names'
import { fileBlob } from './chunk-records/chunk-record.ts'
import { Folds } from './chunk-records/folds.ts'
import { OpenChunkCount } from './chunk-records/write-limit.ts'
import { BufferPool } from './chunks/buffer-pool.ts'
import { ChunkFilters } from './chunks/chunk-filters.ts'
import { type FilterRunner, IN_THIS_THREAD } from './chunks/filter-runner.ts'
import { Failures } from './failures.ts'
import type { Engine, Random, StoreClock } from './interfaces/engine.ts'
import type { Mounts, ReadStored } from './interfaces/mounted-domains.ts'
import type { Store, StoreFigures } from './interfaces/store.ts'
import { probe } from './probe.ts'
import { DecodedRecords } from './records/decoded-records.ts'
import { MAX_KEY_LENGTH } from './records/keys.ts'
import type { KeptEvents } from './runs/event-trimmer.ts'
import { FollowedFiles } from './runs/followed-files.ts'
import { Expiry, type OpenTransaction, OpenTransactions } from './runs/open-transactions.ts'
import { ReadRunner, type ReadRunnerParts } from './runs/read-runner.ts'
import { StoreFeed } from './runs/store-feed.ts'
import type { WriterParts } from './runs/store-writer.ts'
import { WriteRunner } from './runs/write-runner.ts'
import { Sweeper } from './sweeper.ts'
import type { TransactionParts } from './transaction/transaction.ts'

export interface StoreOptions {
  readonly clock: StoreClock
  readonly random: Random
  /** False: another process removes garbage and remains. Default: true. */
  readonly sweeps?: boolean
  /**
   * The longest time for which a state is read: after it a read ends, and a write continues with a newer state.
   * Default: an hour.
   */
  readonly maxSnapshotAgeSeconds?: number
  /** Memory that a write may take for values of chunks that are not complete. Default: 64 MiB. */
  readonly maxOpenBytes?: number
  /** The approximate number of bytes of values that are moved at once. Default: 4 MiB. */
  readonly pieceBytes?: number
  /**
   * Chunks, and values of attributes, of up to this many bytes are kept with the records. Default: the best number for
   * the engine.
   */
  readonly maxInlineBytes?: number
  /** Bytes of values that one write may store. Default: no limit. */
  readonly maxWriteBytes?: number
  /** The runner of the filters of chunks; closed with the store. Default: in this thread. */
  readonly filterRunner?: FilterRunner
  /** Domains that are files, served where they are; closed with the store. Default: none. */
  readonly mounts?: Mounts
  /** Events that are kept. Default: those of a day, up to 64 MiB. */
  readonly keptEvents?: Partial<KeptEvents>
  /** Called with failures of the storage and of work in the background. Default: a warning of the process. */
  readonly report?: (error: unknown) => void
}

/** Closing it also closes the engine. */
export interface OpenStore extends Store {
  readonly sweeper: Sweeper
  readonly folds: Folds
}

const PIECE_BYTES = 4 * 2 ** 20
/** Bytes of chunks that all writes hold open. @limit memory, bytes */
const MAX_OPEN_BYTES = 64 * 2 ** 20
/** Bytes of the decoded records of domains and objects that are kept: some ten thousand records. */
const DECODED_RECORD_BYTES = 6 * 2 ** 20
/** Bytes of buffers that are used again. @limit memory, bytes */
const MAX_POOLED_BYTES = 64 * 2 ** 20
/** Bytes of decoded chunks that are kept for later reads. @limit memory, bytes */
const MAX_DECODED_BYTES = 64 * 2 ** 20
/**
 * Mounted files and folders of tables of contents whose paths are kept, so that an id leads to a folder without a walk,
 * and the link of a file that is gone is 410.
 * @limit memory, entries
 */
const MAX_SHOWN_ENTRIES = 10_000
/** Age of the state of a read or write. @limit safety, s */
const MAX_SNAPSHOT_AGE_SECONDS = 60 * 60
const KEPT_EVENTS: KeptEvents = { hours: 24, bytes: 64 * 2 ** 20 }

export function openStore(engine: Engine, options: StoreOptions): OpenStore {
  requireKeyLength(engine)
  const { clock, random, sweeps = true, mounts, maxSnapshotAgeSeconds = MAX_SNAPSHOT_AGE_SECONDS } = options
  const failures = new Failures(clock, options.report ?? warn)
  const report = (error: unknown): void => failures.report(error)
  const open = new OpenTransactions()
  const keptEvents = { ...KEPT_EVENTS, ...options.keptEvents }
  const sweeper = new Sweeper({ engine, clock, random, report, keptEvents })
  const makeRoom = (letGo: () => Promise<void>): Promise<boolean> => sweeper.makeRoom(letGo)
  const onEvent = () => {
    feed.tell()
    sweeper.noteWork()
  }
  const base: TransactionParts = { engine, clock, random, onEvent, ...(sweeps && { makeRoom }) }
  const files = mounts && new FollowedFiles({ mounts, keyValue: engine.keyValue, base, report })
  const feed = new StoreFeed({ keyValue: engine.keyValue, clock, report, ...(files && { files }) })
  const withoutFolds = writerPartsOf(engine, options)
  const folds = new Folds({ ...withoutFolds, base, report })
  const parts: WriterParts = { ...withoutFolds, folds }
  const readParts = { ...parts, engine, open, maxSnapshotAgeSeconds }
  const reads = new ReadRunner(readParts)
  const writes = new WriteRunner({ ...parts, base, open, report })
  const letGo = mounts?.joinStored(readStored(readParts, inTransaction))
  if (sweeps) sweeper.start()
  const expiry = new Expiry(open, clock, maxSnapshotAgeSeconds * 1000)

  function inTransaction<T>(run: (opened: OpenTransaction) => Promise<T>): Promise<T> {
    expiry.begin()
    return open.during(clock.elapsed(), run)
  }

  return {
    read: (run, options = {}) => failures.count(inTransaction(opened => reads.run(run, options, opened))),
    write: (run, options = {}) => failures.count(inTransaction(opened => writes.run(run, options, opened))),
    probe: half => inTransaction(() => probe(half, { engine, clock, random })),
    readFile: (root, { version }, offset, into) => engine.blobs.read(fileBlob(root, version), offset, into),
    feed,
    sweeper,
    folds,
    now: () => clock.stamp(engine.keyValue.newestTime),
    ids: parts.ids,
    get figures() {
      const running = { ...writes.figures, ...failures.figures, ...open.figures(clock.elapsed()) }
      return { ...running, ...sweeper.figures, ...heldFigures(engine, parts, reads) }
    },
    recordBytes: async () => engine.recordBytes?.(),
    processes: async () => engine.processes?.(),
    async close() {
      letGo?.()
      // Both refuse at once what comes after.
      await Promise.all([feed.close(), open.close()])
      expiry.end()
      await folds.stop()
      await sweeper.stop()
      await mounts?.close()
      await parts.filters.close()
      await engine.close()
    },
  }
}

/** Reads of the store without its mounts. */
function readStored(
  { mounts: _, ...parts }: ReadRunnerParts,
  inTransaction: <T>(run: (opened: OpenTransaction) => Promise<T>) => Promise<T>,
): ReadStored {
  const reads = new ReadRunner(parts)
  return run => inTransaction(opened => reads.run(run, {}, opened))
}

type HeldFigures = Omit<
  StoreFigures,
  | keyof WriteRunner['figures']
  | keyof Failures['figures']
  | keyof Sweeper['figures']
  | 'open'
  | 'oldestSeconds'
>

/** The figures of reads, of caches, and of the parts of the engine that are on other machines. */
function heldFigures(engine: Engine, { decoded, filters }: WriterParts, reads: ReadRunner): HeldFigures {
  const database = engine.databaseFigures?.()
  const bucket = engine.bucketFigures?.()
  return {
    tooOld: reads.tooOld,
    snapshotSlots: engine.keyValue.snapshotSlots(),
    cachedRecords: decoded.size,
    cachedChunks: filters.kept.count,
    cachedChunkBytes: filters.kept.bytes,
    decodedChunks: filters.decoded,
    calls: { ...(database && { postgresql: database.calls }), ...(bucket && { s3: bucket.calls }) },
    caches: {
      answers: reads.remembered,
      records: decoded.figures,
      chunks: { hits: filters.found, misses: filters.decoded, bytes: filters.kept.bytes },
      ...(database?.cache && { postgresql: database.cache }),
      ...(bucket?.cache && { s3: bucket.cache }),
    },
  }
}

function requireKeyLength({ maxKeyLength }: Engine): void {
  if (maxKeyLength >= MAX_KEY_LENGTH) return
  throw new Error(
    `the engine stores keys of up to ${maxKeyLength} bytes, but records need up to ${MAX_KEY_LENGTH}`,
  )
}

function writerPartsOf(engine: Engine, options: StoreOptions): Omit<WriterParts, 'folds'> {
  return {
    processName: () => engine.keyValue.process,
    ids: new ObjectIds(options.random),
    decoded: new DecodedRecords(DECODED_RECORD_BYTES),
    blobs: engine.blobs,
    filters: new ChunkFilters(options.filterRunner ?? IN_THIS_THREAD, MAX_DECODED_BYTES),
    pool: new BufferPool(MAX_POOLED_BYTES),
    pieceBytes: options.pieceBytes ?? PIECE_BYTES,
    maxOpenBytes: options.maxOpenBytes ?? MAX_OPEN_BYTES,
    maxInlineBytes: options.maxInlineBytes ?? engine.maxInlineBytes,
    maxWriteBytes: options.maxWriteBytes ?? Infinity,
    openChunks: new OpenChunkCount(),
    /** Their paths. @limit memory, entries */
    shownEntries: new BoundedMap(MAX_SHOWN_ENTRIES),
    ...(options.mounts && { mounts: options.mounts }),
  }
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
