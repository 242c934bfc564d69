// The calls of one read or write to its engine: the keys and bytes that it reads, its commit with the waits in it. An
// engine is wrapped for a request that is traced, so that other requests cost nothing.

import type {
  Batch,
  Blobs,
  CommitResult,
  CommitWaits,
  Engine,
  Entry,
  KeyRange,
  KeyValue,
  Snapshot,
} from './interfaces/engine.ts'
import type { StepFigures, Trace } from './interfaces/trace.ts'

/** Runs the work, and notes how long it took; `measure` counts what it gave. */
async function time<T>(
  trace: Trace,
  name: string,
  work: () => Promise<T>,
  measure: (result: T) => StepFigures,
): Promise<T> {
  const start = trace.now()
  const result = await work()
  trace.add(name, start, measure(result))
  return result
}

/** The engine, with each call of it noted in the trace. */
export function tracedEngine(engine: Engine, trace: Trace): Engine {
  return {
    keyValue: new TracedKeyValue(engine.keyValue, trace),
    blobs: tracedBlobs(engine.blobs, trace),
    maxKeyLength: engine.maxKeyLength,
    maxInlineBytes: engine.maxInlineBytes,
    close: () => engine.close(),
  }
}

class TracedKeyValue implements KeyValue {
  readonly #inner: KeyValue
  readonly #trace: Trace

  constructor(inner: KeyValue, trace: Trace) {
    this.#inner = inner
    this.#trace = trace
  }

  get newestTime() {
    return this.#inner.newestTime
  }
  get process() {
    return this.#inner.process
  }
  get isSweeper() {
    return this.#inner.isSweeper
  }
  get pollMilliseconds() {
    return this.#inner.pollMilliseconds
  }
  openSnapshots() {
    return this.#inner.openSnapshots()
  }
  snapshotSlots() {
    return this.#inner.snapshotSlots()
  }
  isAlive(process: string) {
    return this.#inner.isAlive(process)
  }
  snapshot(): Snapshot {
    return new TracedSnapshot(this.#inner.snapshot(), this.#trace)
  }
  commit(batch: Batch): Promise<CommitResult> {
    let note = 'durable'
    const onWaits = ({ before, sync, batches }: CommitWaits): void => {
      note = `${before.toFixed(2)} ms wait, ${sync.toFixed(2)} ms sync, shared by ${batches}`
    }
    return time(
      this.#trace,
      'records committed',
      () => this.#inner.commit({ ...batch, onWaits }),
      ({ committed }) => ({
        keys: batch.changes.length,
        bytes: batch.changes.reduce((sum, change) => sum + ('value' in change ? sizeOf(change.value) : 0), 0),
        note: committed ? note : 'another write came first',
      }),
    )
  }
}

class TracedSnapshot implements Snapshot {
  readonly #inner: Snapshot
  readonly #trace: Trace

  constructor(inner: Snapshot, trace: Trace) {
    this.#inner = inner
    this.#trace = trace
  }

  get expired() {
    return this.#inner.expired
  }
  close() {
    this.#inner.close()
  }
  expire(reason: Error) {
    this.#inner.expire(reason)
  }
  get(key: Uint8Array) {
    return time(
      this.#trace,
      'records read',
      () => this.#inner.get(key),
      value => ({ keys: 1, bytes: sizeOf(value) }),
    )
  }
  getMany(keys: readonly Uint8Array[]) {
    return time(
      this.#trace,
      'records read',
      () => this.#inner.getMany(keys),
      values => ({ keys: keys.length, bytes: values.reduce<number>((sum, value) => sum + sizeOf(value), 0) }),
    )
  }
  async *range(range: KeyRange): AsyncGenerator<Entry> {
    let start = this.#trace.now()
    for await (const entry of this.#inner.range(range)) {
      this.#trace.add('records read', start, { keys: 1, bytes: entry.value.length })
      yield entry
      start = this.#trace.now()
    }
  }
}

function tracedBlobs(blobs: Blobs, trace: Trace): Blobs {
  const counted = (bytes: number) => ({ bytes })
  return {
    parallelism: blobs.parallelism,
    put: (name, pieces) =>
      time(
        trace,
        'blobs written',
        () => blobs.put(name, pieces),
        () => ({ note: 'durable' }),
      ),
    read: (name, offset, into) => time(trace, 'blobs read', () => blobs.read(name, offset, into), counted),
    readCompared: (name, offset, into) =>
      time(trace, 'blobs read', () => blobs.readCompared(name, offset, into), counted),
    size: name => blobs.size(name),
    hasChecksums: name => blobs.hasChecksums(name),
    delete: name => blobs.delete(name),
    list: prefix => blobs.list(prefix),
  }
}

function sizeOf(value: unknown): number {
  return value instanceof Uint8Array ? value.length : 0
}
