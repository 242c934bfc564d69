// Runs reads, each on one snapshot, which is closed when the read ends or has lasted for too long.

import type { AbortCheck } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Reads } from '../changes.ts'
import type { CacheFigures, Engine } from '../interfaces/engine.ts'
import type { Reader, ReadOptions } from '../interfaces/store.ts'
import type { Trace } from '../interfaces/trace.ts'
import { tracedEngine } from '../trace.ts'
import type { OpenTransaction, OpenTransactions } from './open-transactions.ts'
import { RememberedReads } from './remembered-reads.ts'
import { type ReaderParts, StoreReader } from './store-reader.ts'

/** Results of small reads that are kept. */
const REMEMBERED_READS = 4096

export interface ReadRunnerParts extends ReaderParts {
  readonly engine: Engine
  readonly open: OpenTransactions
  readonly maxSnapshotAgeSeconds: number
}

export class ReadRunner {
  readonly #parts: ReadRunnerParts
  readonly #remembered = new RememberedReads(REMEMBERED_READS)
  #tooOld = 0

  constructor(parts: ReadRunnerParts) {
    this.#parts = parts
  }

  /** The number of reads that were ended because they had lasted for too long. */
  get tooOld(): number {
    return this.#tooOld
  }

  /** Reads whose result may be kept. */
  get remembered(): CacheFigures {
    return this.#remembered.figures
  }

  async run<T>(
    run: (reader: Reader) => Promise<T>,
    { recall, signal, trace }: ReadOptions<T>,
    opened: OpenTransaction,
  ): Promise<T> {
    const { open, maxSnapshotAgeSeconds } = this.#parts
    const parts = trace ? tracedParts(this.#parts, trace) : this.#parts
    let expired: HyperslabError | undefined
    const snapshot = parts.engine.keyValue.snapshot()
    opened.onOld = () => {
      expired = snapshotTooOld(maxSnapshotAgeSeconds)
      this.#tooOld++
      snapshot.expire(expired)
      open.letGo(opened)
    }
    try {
      if (recall === undefined) return await this.#run(run, snapshot, parts, signal)
      let hasReadRecordsOnly = true
      const isKept = (result: T) => hasReadRecordsOnly && recall.isKept(result)
      return await this.#remembered.read(snapshot, { ...recall, isKept }, reads =>
        this.#run(run, reads, parts, signal, reader => {
          hasReadRecordsOnly = reader.hasReadRecordsOnly
        }),
      )
    } catch (error) {
      // The read of an expired state may have failed otherwise before, since its blobs may be deleted.
      throw expired ?? error
    } finally {
      snapshot.close()
    }
  }

  async #run<T>(
    run: (reader: Reader) => Promise<T>,
    reads: Reads,
    parts: ReadRunnerParts,
    signal: AbortCheck | undefined,
    onEnd?: (reader: StoreReader) => void,
  ): Promise<T> {
    const reader = new StoreReader(reads, parts, signal)
    try {
      return await run(reader)
    } finally {
      onEnd?.(reader)
      reader.end()
    }
  }
}

function tracedParts(parts: ReadRunnerParts, trace: Trace): ReadRunnerParts {
  const engine = tracedEngine(parts.engine, trace)
  return { ...parts, engine, blobs: engine.blobs }
}

function snapshotTooOld(seconds: number): HyperslabError {
  return new HyperslabError(
    'snapshot-too-old',
    `the answer took longer than max_snapshot_age (${seconds} s), and the state that it reads is kept no longer: ` +
      'ask for less at once',
  )
}
