// A store over an engine: opens a snapshot for each read and a transaction for each write, runs writes again that
// somebody else's commit got in the way of, and keeps the sweeper going.

import { setTimeout as pause } from 'node:timers/promises'
import { HyperslabError } from '../errors.ts'
import type { Timestamp } from '../hdf5/timestamp.ts'
import { BufferPool } from './chunks/buffer-pool.ts'
import { ChunkFilters } from './chunks/chunk-filters.ts'
import { type FilterRunner, IN_THIS_THREAD } from './chunks/filter-runner.ts'
import type { Clock, Engine, Random } from './engine.ts'
import { OpenTransactions } from './open-transactions.ts'
import { probe } from './probe.ts'
import { DecodedRecords } from './records/decoded-records.ts'
import { RememberedReads } from './remembered-reads.ts'
import type { Reader, Recall, Store, StoreFigures, WriteOptions, Writer } from './store.ts'
import { StoreReader } from './store-reader.ts'
import { StoreWriter, type WriterParts } from './store-writer.ts'
import { Sweeper } from './sweeper.ts'
import { Transaction } from './transaction.ts'

export interface StoreOptions {
  readonly clock: Clock
  readonly random: Random
  /** Values that no record names any more are kept so long. Default: 15 minutes. */
  readonly graceMilliseconds?: number
  /** False: values that no record names are left to another process. Default: true. */
  readonly sweeps?: boolean
  /** Memory that a write may take for values of chunks that are not complete. Default: 64 MiB. */
  readonly maxOpenBytes?: number
  /** About how many bytes of values are moved at once. Default: 4 MiB. */
  readonly pieceBytes?: number
  /** Chunks of up to so many bytes are kept with the records; larger ones become blobs. Default: 64 KiB. */
  readonly maxInlineBytes?: number
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
/** Where files become as fast as LMDB (stack.md, section 1). */
const MAX_INLINE_BYTES = 2 ** 16
/** Domains and objects whose records are kept decoded. */
const DECODED_RECORDS = 4096
/** Results of small reads that are kept. */
const REMEMBERED_READS = 4096
const MAX_POOLED_BYTES = 64 * 2 ** 20
/** Decoded chunks that are kept for the next read. */
const MAX_DECODED_BYTES = 64 * 2 ** 20
const GRACE_MILLISECONDS = 15 * 60 * 1000

export function openStore(engine: Engine, options: StoreOptions): OpenStore {
  const { clock, random, report = warn } = options
  const parts: WriterParts = {
    decoded: new DecodedRecords(DECODED_RECORDS),
    blobs: engine.blobs,
    filters: new ChunkFilters(options.filterRunner ?? IN_THIS_THREAD, MAX_DECODED_BYTES),
    pool: new BufferPool(MAX_POOLED_BYTES),
    pieceBytes: options.pieceBytes ?? PIECE_BYTES,
    maxOpenBytes: options.maxOpenBytes ?? MAX_OPEN_BYTES,
    maxInlineBytes: options.maxInlineBytes ?? MAX_INLINE_BYTES,
  }
  const remembered = new RememberedReads(REMEMBERED_READS)
  const open = new OpenTransactions()
  const graceMilliseconds = options.graceMilliseconds ?? GRACE_MILLISECONDS
  const sweeper = new Sweeper({ engine, clock, random, open, graceMilliseconds, report })
  if (options.sweeps ?? true) sweeper.start()
  let closed = false
  let commits = 0
  let retries = 0
  let conflicts = 0

  function begin(): () => void {
    if (closed) throw new Error('the store has been closed')
    return open.begin(clock.now())
  }

  async function read<T>(work: (reader: Reader) => Promise<T>, recall?: Recall<T>): Promise<T> {
    const ended = begin()
    try {
      const snapshot = engine.keyValue.snapshot()
      try {
        if (recall === undefined) return await work(new StoreReader(snapshot, parts))
        return await remembered.read(snapshot, recall, reads => work(new StoreReader(reads, parts)))
      } finally {
        snapshot.close()
      }
    } finally {
      ended()
    }
  }

  /** Undefined: somebody else's commit got in between. */
  async function tryWrite<T>(
    work: (writer: Writer) => Promise<T>,
    patience: Patience,
    time: Timestamp | undefined,
  ): Promise<{ readonly result: T } | undefined> {
    const ended = begin()
    try {
      const transaction = new Transaction({ engine, clock, random, ...(time !== undefined && { time }) })
      try {
        const result = await work(new StoreWriter(transaction, parts))
        return (await transaction.commit(() => patience.isLeft())) ? { result } : undefined
      } finally {
        await transaction.end().catch(report)
      }
    } finally {
      ended()
    }
  }

  async function write<T>(
    work: (writer: Writer) => Promise<T>,
    { once = false, time }: WriteOptions = {},
  ): Promise<T> {
    const patience = new Patience(clock)
    for (;;) {
      const done = await tryWrite(work, patience, time)
      if (done) {
        commits++
        return done.result
      }
      if (once || patience.isGone) {
        conflicts++
        throw conflict()
      }
      retries++
      await patience.wait(random)
    }
  }

  return {
    read,
    write,
    sweeper,
    now: () => clock.now(),
    random,
    async probe() {
      const ended = begin()
      try {
        await probe({ engine, clock, random })
      } finally {
        ended()
      }
    },
    get figures(): StoreFigures {
      const { count, bytes } = parts.filters.kept
      return {
        commits,
        retries,
        conflicts,
        open: open.size,
        cachedRecords: parts.decoded.size,
        cachedChunks: count,
        cachedChunkBytes: bytes,
      }
    },
    async close() {
      closed = true
      await open.settled()
      await sweeper.stop()
      await parts.filters.close()
      await engine.close()
    },
  }
}

const MAX_CONFLICTS = 100
const MAX_MICROSECONDS = 10_000_000

/** How long a write goes on trying, counted from its first conflict. */
class Patience {
  readonly #clock: Clock
  #conflicts = 0
  #since: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Asked at each conflict. */
  isLeft(): boolean {
    this.#since ??= this.#clock.now()
    this.#conflicts++
    return !this.isGone
  }

  get isGone(): boolean {
    if (this.#since === undefined) return false
    return this.#conflicts >= MAX_CONFLICTS || this.#clock.now() - this.#since > MAX_MICROSECONDS
  }

  /** Writers that meet again and again part by chance. */
  async wait(random: Random): Promise<void> {
    if (this.#conflicts < 3) return
    const [chance] = random(1)
    await pause((chance / 256) * Math.min(100, 2 ** this.#conflicts))
  }
}

function conflict(): HyperslabError {
  return new HyperslabError(
    'storage-conflict',
    'others kept changing what this write depends on; nothing was written: try again',
  )
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
