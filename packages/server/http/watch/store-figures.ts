// Figures about the store: its reads and writes, its size, and the calls of a database and a bucket that it is in.

import type { Store } from '@hyperslab/store/store'
import { type FigureList, Glance } from './figure-list.ts'

type StoreFigures = Store['figures']

export function addStoreFigures(figures: FigureList, store: Store): void {
  const now = readTogether(() => store.figures)
  addTransactionFigures(figures, now)
  addSizeFigures(figures, store, now)
  addCacheFigures(figures, now)
  addCallFigures(figures, now)
}

/** Reads at the first call, and gives the same to all calls of one reading of the figures. */
function readTogether<T>(read: () => T): () => T {
  let last: { readonly value: T } | undefined
  return () => {
    if (last === undefined) {
      last = { value: read() }
      setImmediate(() => {
        last = undefined
      })
    }
    return last.value
  }
}

function addTransactionFigures(figures: FigureList, now: () => StoreFigures): void {
  figures.counter('hyperslab_store_commits_total', 'Writes that were committed', () => now().commits)
  figures.counter(
    'hyperslab_store_retries_total',
    'Writes run again because another commit got in between',
    () => now().retries,
  )
  figures.counter(
    'hyperslab_store_conflicts_total',
    'Writes that gave up because other commits got in between',
    () => now().conflicts,
  )
  figures.counter(
    'hyperslab_store_decoded_chunks_total',
    'Chunks of values whose filters were undone',
    () => now().decodedChunks,
  )
  figures.gauge('hyperslab_store_transactions', 'Reads and writes that are open', () => now().open)
  figures.gauge(
    'hyperslab_store_oldest_snapshot_seconds',
    'For how long the oldest read or write has seen the same state',
    () => now().oldestSeconds,
    'max',
  )
  figures.counter(
    'hyperslab_store_snapshots_too_old_total',
    'Reads ended because they took longer than max_snapshot_age',
    () => now().tooOld,
  )
  figures.counter(
    'hyperslab_store_locked_total',
    'Writes rejected because another process did not release the write lock',
    () => now().locked,
  )
  figures.gauge(
    'hyperslab_store_snapshots',
    'Slots for snapshots that all processes on the data folder use',
    () => now().snapshotSlots.taken,
    'first',
  )
  figures.gauge(
    'hyperslab_store_snapshots_limit',
    'Slots for snapshots of the data folder',
    () => now().snapshotSlots.limit,
    'first',
  )
}

function addSizeFigures(figures: FigureList, store: Store, now: () => StoreFigures): void {
  const recordBytes = new Glance(() => store.recordBytes())
  figures.gauge(
    'hyperslab_store_record_bytes',
    'Bytes of the records: of the file of LMDB, or of the tables and indexes in the database',
    () => recordBytes.take(),
    'first',
  )
  figures.gauge(
    'hyperslab_store_event_bytes',
    'Bytes of the events that are kept, where this service removes old ones',
    () => now().eventBytes,
  )
  figures.gauge(
    'hyperslab_store_garbage_bins',
    'Groups of deleted values that are kept for reads or writes that may need them',
    () => now().garbageBins,
  )
  figures.counter(
    'hyperslab_store_deleted_blobs_total',
    'Files or objects of values that were deleted because nothing needs them',
    () => now().deletedBlobs,
  )
}

type CallFigures = StoreFigures['calls'][string]

function addCallFigures(figures: FigureList, now: () => StoreFigures): void {
  const each = (value: (calls: CallFigures) => number) => () =>
    Object.entries(now().calls).map(([backend, calls]) => [backend, value(calls)] as const)
  figures.counters(
    'hyperslab_backend_calls_total',
    'Statements to PostgreSQL, and requests to S3',
    'backend',
    each(({ calls }) => calls),
  )
  figures.counters(
    'hyperslab_backend_failures_total',
    'Those of them that failed',
    'backend',
    each(({ failures }) => failures),
  )
  figures.counters(
    'hyperslab_backend_retries_total',
    'Those of them that were sent again because one before had failed',
    'backend',
    each(({ retries }) => retries),
  )
  figures.counters(
    'hyperslab_backend_seconds_total',
    'The time that they took together, with their waits for a connection',
    'backend',
    each(({ seconds }) => seconds),
  )
  figures.gauges(
    'hyperslab_backend_connections',
    'Open connections to PostgreSQL or S3',
    'backend',
    each(({ connections }) => connections),
  )
  figures.gauges(
    'hyperslab_backend_waiting',
    'Statements or requests that wait for a connection',
    'backend',
    each(({ waiting }) => waiting),
  )
}

function addCacheFigures(figures: FigureList, now: () => StoreFigures): void {
  const caches = () => Object.entries(now().caches)
  figures.counters(
    'hyperslab_cache_hits_total',
    'What was found in a cache: answers, records, chunks, postgresql, s3',
    'cache',
    () => caches().map(([cache, { hits }]) => [cache, hits] as const),
  )
  figures.counters('hyperslab_cache_misses_total', 'What was not', 'cache', () =>
    caches().map(([cache, { misses }]) => [cache, misses] as const),
  )
  figures.gauges('hyperslab_cache_bytes', 'Bytes in a cache', 'cache', () =>
    caches().flatMap(([cache, { bytes }]) => (bytes === undefined ? [] : [[cache, bytes] as const])),
  )
}
