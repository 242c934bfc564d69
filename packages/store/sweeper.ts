// Removes data that are no longer needed: blobs that were noted as garbage (garbage.ts), when no transaction that may
// need them is left; blobs that were put but never named, because the write failed or the process died, which a slow
// search of all blobs notes; the contents of deleted domains and objects (records/remains.ts); the contents that
// imports were filling when they died; and old events (event-trimmer.ts). Before a blob is deleted its record is read
// once more: a blob that a record names is never deleted.
//
// The engine knows which states are being read, by all processes, and a write keeps the state that it began with until
// it ends, or a record says that it runs (long-writes.ts). So neither a stopped process nor a wrong clock does harm.

import { inParallel, nextTurn } from '@hyperslab/base/bounded'
import type { CancelTimer } from '@hyperslab/base/clock'
import { chunkKey, isBlobNamed } from './chunk-records/chunk-record.ts'
import type { Engine, Entry, Random, StoreClock } from './interfaces/engine.ts'
import type { StoreFigures } from './interfaces/store.ts'
import { rangeAfter } from './key-range.ts'
import { parseBlobName } from './records/blob-name.ts'
import { dropContents, type UnfinishedContents } from './records/domains.ts'
import { removeEvents } from './records/events.ts'
import { garbageBelow, REMAINS_RANGE, UNFINISHED_RANGE } from './records/keys.ts'
import { decodeRecord } from './records/record.ts'
import { removePiece } from './records/remains.ts'
import { withSnapshot } from './records/with-snapshot.ts'
import { EventTrimmer, type KeptEvents } from './runs/event-trimmer.ts'
import { type ClosedBins, closeBins, noteGarbage, UNCERTAIN } from './transaction/garbage.ts'
import { oldestLongWrite } from './transaction/long-writes.ts'
import { Transaction } from './transaction/transaction.ts'

export interface SweeperParts {
  readonly engine: Engine
  readonly clock: StoreClock
  readonly random: Random
  readonly report: (error: unknown) => void
  readonly keptEvents: KeptEvents
}

const ROUND_MILLISECONDS = 1000
/** The longest rest between two rounds, of which each that finds nothing is followed by a rest twice as long. */
const MOST_ROUND_MILLISECONDS = 64_000
/** The time for which remains are removed before garbage is swept again. */
const REMAINS_MILLISECONDS = 1000
/** The time from the start to the first search of all blobs; after it, the time from one search to the next. */
const FIRST_SEARCH_MILLISECONDS = 20 * 60 * 1000
const SEARCH_MILLISECONDS = 24 * 60 * 60 * 1000
/** Much longer than an import needs for a batch of its changes. */
const UNFINISHED_MILLISECONDS = 60 * 60 * 1000
/** Notes of garbage, or blobs, that are handled at once. */
const BATCH = 256
/** The time for which a write that met a full disk waits for other transactions that may need the garbage. */
const ROOM_MILLISECONDS = 1000
const ROOM_PAUSE_MILLISECONDS = 50

/** A domain that is being filled, and the time since which its record is unchanged. */
interface UnchangedRecord {
  readonly record: Uint8Array
  readonly since: number
}

export class Sweeper {
  readonly #parts: SweeperParts
  /** Bins that are not empty, the oldest first. */
  #closed: ClosedBins[] = []
  #newestClosed = 0
  #unfinished = new Map<string, UnchangedRecord>()
  readonly #trimmer: EventTrimmer
  #nextSearch: number
  #deletions = 0
  #cancelRound: CancelTimer | undefined
  /** The rest before the next round. */
  #rest = ROUND_MILLISECONDS
  #hasWork = false
  #isStopped = false
  #running: Promise<void> = Promise.resolve()

  constructor(parts: SweeperParts) {
    this.#parts = parts
    this.#trimmer = new EventTrimmer(parts.keptEvents, parts.clock)
    this.#nextSearch = parts.clock.elapsed() + FIRST_SEARCH_MILLISECONDS
  }

  /** All are 0 in a process that does not sweep. */
  get figures(): Pick<StoreFigures, 'eventBytes' | 'garbageBins' | 'deletedBlobs'> {
    return {
      eventBytes: this.#trimmer.bytes,
      garbageBins: this.#closed.length,
      deletedBlobs: this.#deletions,
    }
  }

  start(milliseconds = ROUND_MILLISECONDS): void {
    this.#rest = milliseconds
    const round = () => {
      this.#cancelRound = undefined
      this.#hasWork = false
      void this.#after(() => this.#round())
        .catch((error: unknown) => {
          this.#parts.report(error)
          return 'some'
        })
        .then(found => {
          const isBusy = this.#hasWork || found !== 'nothing'
          const next = isBusy ? ROUND_MILLISECONDS : Math.min(2 * this.#rest, MOST_ROUND_MILLISECONDS)
          if (!this.#isStopped) this.start(found === 'more' ? 0 : Math.max(ROUND_MILLISECONDS, next))
        })
    }
    this.#cancelRound = this.#parts.clock.after(milliseconds, round, 'while-running')
  }

  /** Notes a change of this process, after which there may be something to remove. */
  noteWork(): void {
    this.#hasWork = true
    if (this.#rest <= ROUND_MILLISECONDS || this.#cancelRound === undefined) return
    this.#cancelRound()
    this.start()
  }

  /** Resolves when nothing is being swept any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancelRound?.()
    await this.#running
  }

  /**
   * Deletes garbage for a write that met a full disk. `letGo` closes the state that the write reads. False: nothing
   * could be deleted.
   */
  async makeRoom(letGo: () => Promise<void>): Promise<boolean> {
    const before = this.#deletions
    const { clock } = this.#parts
    const until = clock.elapsed() + ROOM_MILLISECONDS
    // The write continues with a state later than all garbage so far.
    await this.#after(() => this.sweepGarbage())
    await letGo()
    do {
      // The blobs below a name are deleted in the second round.
      while (await this.#after(() => this.sweepGarbage()));
      if (this.#deletions > before || this.#closed.length === 0) break
      await clock.sleep(ROOM_PAUSE_MILLISECONDS)
    } while (clock.elapsed() < until)
    return this.#deletions > before
  }

  /**
   * Removes all remains and all garbage that no transaction can need, for a process that ends soon and may be the only
   * one.
   */
  async sweepAll(): Promise<void> {
    await this.#after(async () => {
      while (!this.#isStopped && (await this.removeRemains()));
      while (!this.#isStopped && (await this.sweepGarbage()));
    })
  }

  /** Deletes the garbage that no transaction can need any more; false: there was none. */
  async sweepGarbage(): Promise<boolean> {
    const { engine } = this.#parts
    const closed = await closeBins(engine)
    if (closed.below > this.#newestClosed) {
      this.#closed.push(closed)
      this.#newestClosed = closed.below
    }
    if (this.#closed.length === 0) return false
    const { oldest } = await engine.keyValue.openSnapshots()
    // The snapshots are read before the records of running writes: a write stores such a record before it closes its
    // first state.
    const written = Math.min(oldest, await oldestLongWrite(engine))
    const unread = this.#closed.findLast(({ state }) => state <= oldest)?.below ?? 0
    const unneeded = this.#closed.findLast(({ state }) => state <= written)?.below ?? 0
    const isEmptied = await this.#empty(unread, unneeded)
    this.#closed = this.#closed.filter(({ below }) => below > unneeded)
    return isEmptied
  }

  /** Removes events that are older, or more, than those to be kept. */
  async trimEvents(): Promise<void> {
    const { keyValue } = this.#parts.engine
    const before = await withSnapshot(keyValue, snapshot => this.#trimmer.findOld(snapshot))
    if (before !== undefined) await this.#write(async transaction => removeEvents(transaction, before))
  }

  /** Goes through all blobs, and notes those that no record names. */
  findOrphans(): Promise<void> {
    return this.#noteUnnamed([''])
  }

  /** Removes the contents of deleted domains and objects, piece by piece, for a while; returns whether more is left. */
  async removeRemains(): Promise<boolean> {
    const { clock } = this.#parts
    const until = clock.elapsed() + REMAINS_MILLISECONDS
    for (const { key } of await this.#entries({ ...REMAINS_RANGE, limit: BATCH })) {
      while (!this.#isStopped) {
        const isLeft = await this.#write(transaction => removePiece(transaction, key))
        if (!isLeft) break
        if (clock.elapsed() >= until) return true
        // Other work runs between the pieces, also work of several steps.
        await new Promise<void>(resolve => setImmediate(resolve))
      }
    }
    return false
  }

  /**
   * Drops the contents that dead imports were filling; an import that is alive keeps changing a record. Those of a dead
   * process are dropped in the second round that finds it dead: in the first one it may just have started.
   */
  async dropUnfinished(): Promise<void> {
    const now = this.#parts.clock.elapsed()
    const watched = new Map<string, UnchangedRecord>()
    for (const { key, value } of await this.#entries(UNFINISHED_RANGE)) {
      const text = Buffer.from(key).toString('latin1')
      const before = this.#unfinished.get(text)
      const isSame = before !== undefined && Buffer.compare(before.record, value) === 0
      const { since } = isSame ? before : { since: now }
      watched.set(text, { record: value, since })
      const isDead = isSame && (await this.#hasDied(value))
      if (!isDead && now - since < UNFINISHED_MILLISECONDS) continue
      await this.#write(async transaction => {
        // Read here, so that the import or its domain may still come first.
        const record = await transaction.get(key)
        if (record === undefined || Buffer.compare(record, value) !== 0) return
        await dropContents(transaction, decodeRecord<UnfinishedContents>(record).root)
      })
    }
    this.#unfinished = watched
  }

  async #hasDied(record: Uint8Array): Promise<boolean> {
    const { process } = decodeRecord<UnfinishedContents>(record)
    return !(await this.#parts.engine.keyValue.isAlive(process))
  }

  /** Runs one round. `more`: another one is needed at once; `some`: it has found something, or waits for something. */
  async #round(): Promise<'more' | 'some' | 'nothing'> {
    const { clock, engine } = this.#parts
    if (!engine.keyValue.isSweeper) return 'nothing'
    await this.dropUnfinished()
    const isLeft = await this.removeRemains()
    const isSwept = await this.sweepGarbage()
    await this.trimEvents()
    if (clock.elapsed() >= this.#nextSearch) {
      this.#nextSearch = clock.elapsed() + SEARCH_MILLISECONDS
      await this.findOrphans()
    }
    if (isLeft) return 'more'
    return isSwept || this.#closed.length > 0 || this.#unfinished.size > 0 ? 'some' : 'nothing'
  }

  /** Runs the work after all earlier work. */
  #after<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#running.then(work)
    this.#running = done.then(
      () => undefined,
      () => undefined,
    )
    return done
  }

  /**
   * Undefined: another commit has changed the records that the work read, perhaps one of another process that sweeps
   * too.
   */
  async #write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T | undefined> {
    const transaction = new Transaction(this.#parts)
    try {
      const result = await work(transaction)
      return (await transaction.commit(() => false)) ? result : undefined
    } finally {
      await transaction.end()
    }
  }

  /**
   * Deletes the garbage of bins: all of the bins before `unneeded`, and the certain garbage of those before `unread`.
   * False: there was none.
   */
  async #empty(unread: number, unneeded: number): Promise<boolean> {
    const { engine } = this.#parts
    const certainOnly = garbageBelow(unneeded).end
    let range = garbageBelow(unread)
    let isAny = false
    while (!this.#isStopped) {
      const noted = await this.#entries({ ...range, limit: BATCH })
      const last = noted.at(-1)
      if (last === undefined) break
      range = rangeAfter(range, last.key)
      const notes = noted
        .map(({ key, value }) => ({ key, name: Buffer.from(value).toString() }))
        .filter(({ key, name }) => !name.startsWith(UNCERTAIN) || Buffer.compare(key, certainOnly) < 0)
      if (notes.length === 0) continue
      const names = notes.map(({ name }) => (name.startsWith(UNCERTAIN) ? name.slice(1) : name))
      await this.#deleteUnnamed(names.filter(name => !name.endsWith('/')))
      // Each blob below a name is looked up: an object of the same id may have been created again.
      await this.#noteUnnamed(names.filter(name => name.endsWith('/')))
      const changes = notes.map(({ key }) => ({ op: 'delete', key }) as const)
      await engine.keyValue.commit({ expect: [], changes })
      isAny = true
    }
    return isAny
  }

  async #deleteUnnamed(names: readonly string[]): Promise<void> {
    const { blobs } = this.#parts.engine
    await inParallel(await this.#unnamedOf(names), blobs.parallelism, async name => {
      await blobs.delete(name)
      this.#deletions++
    })
  }

  /**
   * Notes the blobs with those prefixes that no record names. The blobs of many prefixes are noted in one commit, since
   * each long attribute of a deleted object has a prefix of its own, with one blob.
   */
  async #noteUnnamed(prefixes: readonly string[]): Promise<void> {
    const { engine, random } = this.#parts
    const note = async (names: readonly string[]): Promise<void> => {
      const unnamed = await this.#unnamedOf(names)
      if (unnamed.length === 0) return
      const uncertain = unnamed.map(name => UNCERTAIN + name)
      await engine.keyValue.commit({ expect: [], changes: [noteGarbage(uncertain, random)] })
    }
    let names: string[] = []
    for (const prefix of prefixes) {
      for await (const name of engine.blobs.list(prefix)) {
        if (names.push(name) < BATCH) continue
        await note(names)
        await nextTurn()
        names = []
      }
    }
    await note(names)
  }

  /** Blobs of chunks that are not named by the records of their chunks. */
  async #unnamedOf(names: readonly string[]): Promise<string[]> {
    const chunks = names.flatMap(name => {
      const parsed = parseBlobName(name)
      return parsed ? [{ name, ...parsed }] : []
    })
    if (chunks.length === 0) return []
    const { keyValue } = this.#parts.engine
    const records = await withSnapshot(keyValue, snapshot => snapshot.getMany(chunks.map(chunkKey)))
    return chunks.filter((chunk, i) => !isBlobNamed(chunk, records[i])).map(({ name }) => name)
  }

  #entries(range: { start: Uint8Array; end: Uint8Array; limit?: number }): Promise<Entry[]> {
    return withSnapshot(this.#parts.engine.keyValue, async snapshot => {
      const entries: Entry[] = []
      for await (const entry of snapshot.range(range)) entries.push(entry)
      return entries
    })
  }
}
