// The mounted files that listeners of the feed follow. Nobody tells this process that a file has changed, so it looks
// at the states of these files again and again, and records each new one with its event (records/followed.ts). The
// first look at a path is over before its listener begins: what has changed while nobody listened is in the feed by
// then, after the position that the listener had before.

import type { CancelTimer } from '@hyperslab/base/clock'
import { type DomainPath, isWithin } from '@hyperslab/model/names'
import type { KeyValue } from '../interfaces/engine.ts'
import {
  isJoinedEntry,
  type JoinedEntry,
  type MountedEntry,
  type MountedLook,
  type Mounts,
} from '../interfaces/mounted-domains.ts'
import type { Following } from '../interfaces/store.ts'
import { getDomain, listJoined } from '../records/domains.ts'
import { isSameEntry, listFollowed, recordAllFollowed, recordFound } from '../records/followed.ts'
import { withSnapshot } from '../records/with-snapshot.ts'
import { conflict } from '../transaction/expectations.ts'
import { Transaction, type TransactionParts } from '../transaction/transaction.ts'

/** The pause between two looks. */
const PAUSE_MILLISECONDS = 500
/** The pause as a multiple of the time that the look before it took: a slow disk. */
const REST = 4
/** The same of the processor time that it took: looks take 1 % of a core. */
const REST_OF_PROCESSOR = 99
/** The longest such pause. */
const LONGEST_MILLISECONDS = 10_000
/** The longest one for no more than `FEW` files, whose changes come within two seconds. */
const LONGEST_OF_FEW_MILLISECONDS = 1500
const FEW = 1000
/**
 * Mounted files and folders whose states a process looks at again and again for listeners.
 * @limit safety, files and folders
 */
const MAX_FOLLOWED = 2000
/** Files that are recorded in one commit, all of which its event can name. @limit safety, files and folders */
const RECORDED_AT_ONCE = 100
/** Attempts to record new states beside other processes; the next look does it then. @limit safety, attempts */
const MAX_ATTEMPTS = 10
/** A path is followed for so long after its last listener: a client that polls comes again. */
const LINGER_MILLISECONDS = 10_000

export interface FollowedFilesParts {
  readonly mounts: Mounts
  readonly keyValue: Pick<KeyValue, 'snapshot'>
  /** Parts for the transactions. */
  readonly base: TransactionParts
  readonly report: (error: unknown) => void
  /** Microseconds of processor time that this process has taken. Default: as the system counts. */
  readonly processorTime?: () => number
}

interface FollowedPath {
  readonly path: DomainPath
  readonly isFolder: boolean
  followers: number
  /** The time by the clock of the process at which the last follower ended. */
  leftAt: number
  /** The entries that the last look found, all of which are recorded; undefined: there was no look yet. */
  seen: ReadonlyMap<DomainPath, MountedEntry> | undefined
  /** Whether there were no more than the limit. */
  isWhole: boolean
  /** The first look. */
  ready: Promise<void>
}

const NOT_SEEN = { followers: 0, leftAt: 0, seen: undefined, isWhole: false } as const

export class FollowedFiles {
  readonly #parts: FollowedFilesParts
  readonly #paths = new Map<string, FollowedPath>()
  #cancelLook: CancelTimer | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(parts: FollowedFilesParts) {
    this.#parts = parts
  }

  follow(path: DomainPath, isFolder: boolean): Following {
    const key = `${isFolder} ${path}`
    let followed = this.#paths.get(key)
    if (followed === undefined) {
      const added: FollowedPath = { ...NOT_SEEN, path, isFolder, ready: Promise.resolve() }
      added.ready = this.#inTurn(() => this.#lookAt(added, this.#room))
      this.#paths.set(key, added)
      followed = added
      this.#cancelLook ??= this.#lookLater(PAUSE_MILLISECONDS)
    }
    const { clock } = this.#parts.base
    const own = followed
    own.followers++
    return {
      ready: own.ready,
      end() {
        own.followers--
        own.leftAt = clock.elapsed()
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelLook?.()
    await this.#running
  }

  /** Files that one more path may add. */
  get #room(): number {
    let room = MAX_FOLLOWED
    for (const { seen } of this.#paths.values()) room -= seen?.size ?? 0
    return Math.max(1, room)
  }

  #lookLater(milliseconds: number): CancelTimer {
    const look = () => void this.#inTurn(() => this.#lookAtAll())
    return this.#parts.base.clock.after(milliseconds, look, 'while-running')
  }

  /** Runs one work after another. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#running = this.#running.then(work)
    return this.#running
  }

  async #lookAtAll(): Promise<void> {
    const { clock } = this.#parts.base
    const begun = clock.elapsed()
    const { processorTime = processorTimeOfProcess } = this.#parts
    const before = processorTime()
    let left = MAX_FOLLOWED
    for (const [key, followed] of this.#paths) {
      if (this.#isClosed) return
      if (followed.followers === 0 && begun - followed.leftAt > LINGER_MILLISECONDS) {
        this.#paths.delete(key)
        continue
      }
      // Each path itself is looked at, whatever the limit.
      await this.#lookAt(followed, Math.max(1, left))
      left -= followed.seen?.size ?? 0
    }
    const most = MAX_FOLLOWED - left <= FEW ? LONGEST_OF_FEW_MILLISECONDS : LONGEST_MILLISECONDS
    const budget = Math.min(most, (REST_OF_PROCESSOR * (processorTime() - before)) / 1000)
    const rest = Math.max(PAUSE_MILLISECONDS, REST * (clock.elapsed() - begun), budget)
    this.#cancelLook = this.#paths.size > 0 && !this.#isClosed ? this.#lookLater(rest) : undefined
  }

  /** After a failure the changes are found by the next look. */
  async #lookAt(followed: FollowedPath, limit: number): Promise<void> {
    if (this.#isClosed) return
    try {
      const look = await this.#look(followed.path, limit, followed.isFolder)
      if (look) await this.#record(followed, look)
    } catch (error) {
      if (!this.#isClosed) this.#parts.report(error)
    }
  }

  async #look(path: DomainPath, limit: number, isFolder: boolean): Promise<MountedLook | undefined> {
    const joined: JoinedEntry[] = []
    await withSnapshot(this.#parts.keyValue, async snapshot => {
      for await (const at of listJoined(snapshot)) {
        const isThere = isFolder ? isWithin(path, at) : path === at
        const entry = isThere && joined.length < limit && (await getDomain(snapshot, at))
        if (entry && isJoinedEntry(entry)) joined.push(entry)
      }
    })
    return this.#parts.mounts.look(path, limit, isFolder, joined)
  }

  async #record(
    followed: FollowedPath,
    { entries, isWhole, unknown = [], aclAt }: MountedLook,
  ): Promise<void> {
    const { path } = followed
    const before = followed.seen ?? (await this.#recorded(followed))
    const now = new Map(entries.map(entry => [entry.path, entry]))
    // Entries that do not answer now count as unchanged.
    for (const [at, entry] of unknown.length > 0 ? before : []) {
      if (!now.has(at) && unknown.some(folder => isWithin(folder, at))) now.set(at, entry)
    }
    const changed = entries.map(entry => entry.path).filter(at => !isSameEntry(before.get(at), now.get(at)))
    const gone = [...before.keys()].filter(at => !now.has(at))
    const lookAgain = async (at: DomainPath) => {
      const again = await this.#look(at, 1, false)
      if (!again?.unknown?.includes(at)) return again?.entries[0]
      // A list passes over a file that fails, which may still be there.
      const last = before.get(at)
      if (last) now.set(at, last)
      return 'unknown'
    }
    const all = [...changed, ...gone]
    for (let start = 0; start < all.length; start += RECORDED_AT_ONCE) {
      const found = new Map(all.slice(start, start + RECORDED_AT_ONCE).map(at => [at, now.get(at)]))
      await this.#write(transaction => recordFound(transaction, { found, aclAt, lookAgain }))
    }
    if (followed.seen === undefined || followed.isWhole !== isWhole) {
      await this.#write(transaction => recordAllFollowed(transaction, path, isWhole))
    }
    followed.seen = now
    followed.isWhole = isWhole
  }

  async #recorded({ path, isFolder }: FollowedPath): Promise<ReadonlyMap<DomainPath, MountedEntry>> {
    const entries = new Map<DomainPath, MountedEntry>()
    await withSnapshot(this.#parts.keyValue, async snapshot => {
      for await (const entry of listFollowed(snapshot, path, isFolder)) entries.set(entry.path, entry)
    })
    return entries
  }

  async #write(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const transaction = new Transaction(this.#parts.base)
      try {
        await work(transaction)
        if (await transaction.commit(() => false)) return
      } finally {
        await transaction.end()
      }
    }
    throw conflict()
  }
}

function processorTimeOfProcess(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
