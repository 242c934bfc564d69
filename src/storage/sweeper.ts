// Removes blobs that no record names. Each is noted as garbage first: old values by the commit that replaced them,
// orphans (put but never named, because the write failed or the process died) by a slow search. What was noted is
// deleted when nobody can need it any more: when the grace time has passed since, and every transaction that was open
// then has ended.
//
// Transactions of other processes are known from leases: a process that has one open for more than half the grace
// time says so in a record. So clocks may differ, and a process may stall, by up to a quarter of the grace time.
// An import fills a domain that has no entry yet for as long as it wants, but says that it does; what one leaves that
// was killed goes an hour later. No other records are swept.

import type { Timestamp } from '../hdf5/timestamp.ts'
import { chunkKey, decodeChunkRecord } from './chunks/chunk-record.ts'
import type { Clock, Engine, Entry, Random } from './engine.ts'
import type { OpenTransactions } from './open-transactions.ts'
import { parseBlobName } from './records/blob-name.ts'
import { dropContents, type Unfinished } from './records/domains.ts'
import {
  garbageBefore,
  garbageKey,
  LEASE_RANGE,
  leaseKey,
  timeOfGarbage,
  UNFINISHED_RANGE,
} from './records/keys.ts'
import { decodeRecord, encodeRecord } from './records/record.ts'
import { Transaction } from './transaction.ts'

export interface SweeperParts {
  readonly engine: Engine
  readonly clock: Clock
  readonly random: Random
  readonly open: OpenTransactions
  readonly graceMilliseconds: number
  readonly report: (error: unknown) => void
}

interface Lease {
  /** When the process's oldest open transaction began. */
  readonly oldest: Timestamp
  readonly renewed: Timestamp
}

/** Garbage or blobs that are handled at once. */
const BATCH = 256
/** Rounds on the timer, four in each grace time, between searches for orphans: a day, if the grace time is 15 minutes. */
const ROUNDS_PER_SEARCH = 384
/** In microseconds: much longer than an import needs for a batch of its changes. */
const UNFINISHED_LIFETIME = 60 * 60 * 1e6
const PROCESS_ID_BYTES = 8
const GARBAGE_RANDOM = 8

export class Sweeper {
  readonly #parts: SweeperParts
  readonly #grace: number
  readonly #lease: Uint8Array
  #isAnnounced = false
  #timer: NodeJS.Timeout | undefined
  #round = 0
  #running: Promise<void> = Promise.resolve()

  constructor(parts: SweeperParts) {
    this.#parts = parts
    this.#grace = parts.graceMilliseconds * 1000
    this.#lease = leaseKey(parts.random(PROCESS_ID_BYTES))
  }

  start(): void {
    const interval = Math.max(1, Math.floor(this.#parts.graceMilliseconds / 4))
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#tick()).catch(this.#parts.report)
    }, interval)
    this.#timer.unref()
  }

  /** Resolves when nothing is being swept any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
    if (this.#isAnnounced) await this.announce()
  }

  /** Says, or says no longer, that this process has had a transaction open for long. */
  async announce(): Promise<void> {
    const { engine, clock, open } = this.#parts
    const now = clock.now()
    const oldest = open.oldest()
    if (oldest !== undefined && now - oldest >= this.#grace / 2) {
      const value = encodeRecord({ oldest, renewed: now } satisfies Lease)
      await engine.keyValue.commit({ expect: [], changes: [{ op: 'set', key: this.#lease, value }] })
      this.#isAnnounced = true
    } else if (this.#isAnnounced) {
      await engine.keyValue.commit({ expect: [], changes: [{ op: 'delete', key: this.#lease }] })
      this.#isAnnounced = false
    }
  }

  /** Removes the garbage that nobody can need any more. */
  async sweepGarbage(): Promise<void> {
    const { engine } = this.#parts
    const horizon = await this.#horizon()
    for (;;) {
      const noted = await this.#entries({ ...garbageBefore(horizon), limit: BATCH })
      for (const { key, value } of noted) {
        const name = Buffer.from(value).toString()
        if (!name.endsWith('/')) await engine.blobs.delete(name)
        else {
          // The object may have been created anew: what was written since is not what was noted.
          for await (const unnamed of this.#unnamed(name, timeOfGarbage(key))) {
            await engine.blobs.delete(unnamed)
          }
        }
      }
      if (noted.length === 0) return
      const changes = noted.map(({ key }) => ({ op: 'delete', key }) as const)
      await engine.keyValue.commit({ expect: [], changes })
    }
  }

  /** Looks at every blob there is, and notes those that no record names and nobody can be about to name. */
  async findOrphans(): Promise<void> {
    const { engine, clock, random } = this.#parts
    for await (const name of this.#unnamed('', await this.#horizon())) {
      const key = garbageKey(clock.now(), random(GARBAGE_RANDOM))
      const changes = [{ op: 'set', key, value: Buffer.from(name) }] as const
      await engine.keyValue.commit({ expect: [], changes })
    }
  }

  /** Drops what imports that have died were filling. */
  async dropUnfinished(): Promise<void> {
    const { engine, clock, random } = this.#parts
    for (const { key } of await this.#entries(UNFINISHED_RANGE)) {
      const transaction = new Transaction({ engine, clock, random })
      try {
        // Read here, so that the import or its domain may still come first.
        const value = await transaction.get(key)
        const unfinished = value && decodeRecord<Unfinished>(value)
        if (!unfinished || unfinished.renewed >= clock.now() - UNFINISHED_LIFETIME) continue
        dropContents(transaction, unfinished.root)
        await transaction.commit(() => false)
      } finally {
        await transaction.end()
      }
    }
  }

  async #tick(): Promise<void> {
    await this.announce()
    await this.dropUnfinished()
    await this.sweepGarbage()
    // The first search comes when the blobs of a process that died are old enough.
    if (this.#round++ % ROUNDS_PER_SEARCH === 5) await this.findOrphans()
  }

  /** What was given up before this time is needed by nobody. */
  async #horizon(): Promise<Timestamp> {
    const { engine, clock, open } = this.#parts
    const now = clock.now()
    let oldest = Math.min(now, open.oldest() ?? now)
    for (const { key, value } of await this.#entries(LEASE_RANGE)) {
      const lease = decodeRecord<Lease>(value)
      if (lease.renewed >= now - this.#grace) oldest = Math.min(oldest, lease.oldest)
      // A process that no longer renews its lease has died.
      else await engine.keyValue.commit({ expect: [], changes: [{ op: 'delete', key }] })
    }
    return oldest - this.#grace
  }

  /** Blobs of chunks that were written before a time and are not named by the records of their chunks. */
  async *#unnamed(prefix: string, before: Timestamp): AsyncGenerator<string> {
    let names: string[] = []
    for await (const { name, written } of this.#parts.engine.blobs.list(prefix)) {
      if (written * 1000 >= before) continue
      if (names.push(name) < BATCH) continue
      yield* await this.#unnamedOf(names)
      names = []
    }
    yield* await this.#unnamedOf(names)
  }

  async #unnamedOf(names: readonly string[]): Promise<string[]> {
    const snapshot = this.#parts.engine.keyValue.snapshot()
    try {
      const chunks = names.flatMap(name => {
        const parsed = parseBlobName(name)
        return parsed ? [{ name, ...parsed }] : []
      })
      const records = await snapshot.getMany(chunks.map(chunkKey))
      const isUnnamed = (record: Uint8Array | undefined, version: string): boolean =>
        record === undefined || decodeChunkRecord(record).version !== version
      return chunks.filter(({ version }, i) => isUnnamed(records[i], version)).map(({ name }) => name)
    } finally {
      snapshot.close()
    }
  }

  async #entries(range: { start: Uint8Array; end: Uint8Array; limit?: number }): Promise<Entry[]> {
    const snapshot = this.#parts.engine.keyValue.snapshot()
    try {
      const entries: Entry[] = []
      for await (const entry of snapshot.range(range)) entries.push(entry)
      return entries
    } finally {
      snapshot.close()
    }
  }
}
