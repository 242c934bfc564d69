// The names in folders, sorted. A folder is read when it was changed since the last time; the memory of all names is
// limited; of a larger folder only a part is in memory.

import type { BigIntStats, Dir } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { BoundedMap, isTurnOver, nextTurn, sortInTurns } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { compareUtf8 } from '@hyperslab/model/names'
import { DIRECT_CALLS, type FileCalls, openInTime } from '../transfer/file-descriptor.ts'
import { stampOf } from '../transfer/file-source.ts'
import { unsettledMilliseconds } from './local-file.ts'

/** Names of one folder that are held at once: some 16 MB. @limit memory, names */
const MAX_NAMES = 250_000
/** Names of all folders that are kept. @limit memory, names */
const MAX_KEPT_NAMES = 2 * MAX_NAMES
/** Folders that are read in tens of milliseconds, however often they change: at most once a second. */
const MANY_NAMES = 10_000
const MANY_NAMES_MILLISECONDS = 1000
/** Entries of a folder that are read in one call of the system. @limit memory, entries */
const ENTRIES_AT_ONCE = 200

/** The names of a folder that are not skipped, from a name on, in the order of their bytes in UTF-8. */
export interface NameWindow {
  readonly names: readonly string[]
  /** True: more names follow, after the last one. */
  readonly isCut: boolean
}

interface KeptWindow extends NameWindow {
  readonly from: string
  /** The stamp of the folder before it was read; empty: a later change might not change it. */
  readonly stamp: string
  readonly readAt: number
}

/**
 * Hidden names; and those that are not UTF-8, whose other bytes are replaced by U+FFFD: no file is found by such a
 * name.
 */
export function isPassedOver(name: string): boolean {
  return name.startsWith('.') || name.includes('\ufffd')
}

export class FolderNames {
  readonly #maxNames: number
  /** Windows of names by folder, the least recently used first. @limit speed, names, bench/mounts.bench.mjs */
  readonly #kept = new BoundedMap<string, KeptWindow>(MAX_KEPT_NAMES, {
    weightOf: ({ names }) => names.length + 1,
  })
  readonly #reading = new Map<string, Promise<KeptWindow>>()

  /** `maxNames` in one window. */
  constructor(maxNames = MAX_NAMES) {
    this.#maxNames = maxNames
  }

  /** Names from `from` on, perhaps with others before them. Fails with the errors of the system or of `calls`. */
  async read(folder: string, from: string, calls = DIRECT_CALLS): Promise<NameWindow> {
    const now = await calls.run(() => stat(folder, { bigint: true }))
    const kept = this.#kept.use(folder)
    if (kept && isCurrent(kept, now)) {
      if (covers(kept, from)) return kept
    }
    const first = await this.#readOnce(folder, kept?.isCut ? from : '', now, calls)
    return covers(first, from) ? first : this.#readOnce(folder, from, now, calls)
  }

  #readOnce(folder: string, from: string, now: BigIntStats, calls: FileCalls): Promise<KeptWindow> {
    const key = `${from}\0${folder}`
    const reading = this.#reading.get(key)
    if (reading) return reading
    const started = this.#readWindow(folder, from, now, calls).finally(() => this.#reading.delete(key))
    this.#reading.set(key, started)
    return started
  }

  async #readWindow(folder: string, from: string, now: BigIntStats, calls: FileCalls): Promise<KeptWindow> {
    const stamp = unsettledMilliseconds(now) > 0 ? '' : stampOf(now)
    const readAt = SYSTEM_CLOCK.elapsed()
    let names: string[] = []
    let end: string | undefined
    const cut = async () => {
      names = await sortInTurns(names, compareUtf8)
      if (names.length <= this.#maxNames) return
      names.length = this.#maxNames
      end = names.at(-1)
    }
    for await (const name of namesIn(folder, calls)) {
      if (isTurnOver()) await nextTurn()
      if (isPassedOver(name) || compareUtf8(name, from) < 0) continue
      if (end !== undefined && compareUtf8(name, end) >= 0) continue
      names.push(name)
      if (names.length >= 2 * this.#maxNames) await cut()
    }
    await cut()
    const window = { from, names, isCut: end !== undefined, stamp, readAt }
    this.#kept.set(folder, window)
    return window
  }
}

/** The names in a folder, in any order. */
async function* namesIn(folder: string, calls: FileCalls): AsyncGenerator<string> {
  const directory = await openInTime(calls, () => opendir(folder, { bufferSize: ENTRIES_AT_ONCE }))
  try {
    for (;;) {
      const names = await calls.run(() => readSome(directory))
      yield* names
      if (names.length < ENTRIES_AT_ONCE) return
    }
  } finally {
    // Closing it waits for a call that has not ended in time.
    calls.runLater(() => directory.close())
  }
}

/** The names that one call of the system reads; fewer only at the end. */
async function readSome(directory: Dir): Promise<readonly string[]> {
  const names: string[] = []
  while (names.length < ENTRIES_AT_ONCE) {
    const entry = await directory.read()
    if (!entry) return names
    names.push(entry.name)
  }
  return names
}

function isCurrent({ stamp, names, readAt }: KeptWindow, now: BigIntStats): boolean {
  if (stamp === stampOf(now)) return true
  return names.length >= MANY_NAMES && SYSTEM_CLOCK.elapsed() - readAt < MANY_NAMES_MILLISECONDS
}

function covers({ from, names, isCut }: KeptWindow, name: string): boolean {
  const last = names.at(-1)
  return compareUtf8(from, name) <= 0 && (!isCut || (last !== undefined && compareUtf8(name, last) <= 0))
}
