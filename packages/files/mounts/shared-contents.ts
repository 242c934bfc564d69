// The open files of all requests: each is open once for each of its states, and kept with its decoded parts for later
// requests, until it or a file that it names changes. Their number and the memory of all are limited. A file that no
// request uses is closed after at most a minute, so that the space of a deleted one is freed.

import { type CancelTimer, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { ByteSource, ReadCaller } from '@hyperslab/h5/reader'
import type { MountedContents, ValueParts } from '@hyperslab/store/store'
import { fileChanged } from './domain-errors.ts'
import type { MountedFile, OpenFile } from './mount.ts'

/** The decoded parts of a file, which all requests share. */
export interface KeptContents {
  /** The contents of the file, as one request reads them. */
  for(caller: ReadCaller): MountedContents
  /** The approximate memory that they take now. */
  readonly heldBytes: number
}

/** Opens the contents of an open file; they are read through it until it is closed. */
export type OpenContents = (
  open: OpenFile,
  file: MountedFile,
  parts: ValueParts,
) => Promise<KeptContents> | KeptContents

/**
 * The memory of all open files. Files that requests use, and the newest, are kept whatever their size.
 * @limit memory, bytes
 */
const MAX_HELD_BYTES = 256 * 2 ** 20
const IDLE_MILLISECONDS = 60_000

interface OpenedFile {
  readonly open: OpenFile
  readonly contents: KeptContents
}

interface Entry {
  readonly key: string
  readonly file: MountedFile
  readonly opened: Promise<OpenedFile>
  /** Undefined: not open yet. */
  contents?: KeptContents
  /** Bytes that its contents held when a use of it began or ended last. */
  held: number
  users: number
  /** The time of the last use, by the clock of the process. */
  usedAt: number
}

/** A use of an open file, until `release`. */
export interface SharedContents {
  readonly contents: KeptContents
  /** The bytes of the file. */
  readonly source: ByteSource
  /** Equal to that of `OpenFile`. */
  siblingsState(): string
  /** False: the data that were read may be of two states; then later requests do not get the file. */
  isUnchanged(): Promise<boolean>
  /** True: an unreadable part may be readable in the state that later requests get. */
  hasGrown(): Promise<boolean>
  release(): void
}

export class SharedContentsCache {
  readonly #openContents: OpenContents
  readonly #limit: number
  readonly #maxHeld: number
  /** Entries that later requests may get, the least recently used first. */
  readonly #entries = new Map<string, Entry>()
  readonly #endExpiry: CancelTimer
  /** Bytes that all entries hold. */
  #held = 0

  /** `limit` is the number of files that are kept open in addition to those that requests use. */
  constructor(openContents: OpenContents, limit: number, maxHeld = MAX_HELD_BYTES) {
    this.#openContents = openContents
    this.#limit = limit
    this.#maxHeld = maxHeld
    this.#endExpiry = SYSTEM_CLOCK.every(IDLE_MILLISECONDS / 4, () => this.#dropIdle())
  }

  /**
   * The contents of the file in this state. Throws `file-changed` when it is in another one already and was not open.
   */
  async acquire(file: MountedFile, parts: ValueParts): Promise<SharedContents> {
    const key = `${file.stamp}\0${file.path}`
    const kept = this.#entries.get(key)
    if (kept && !(await areSiblingsCurrent(kept))) this.#drop(kept)
    const existing = this.#entries.get(key)
    const entry: Entry = existing ?? {
      key,
      file,
      opened: this.#open(file, parts),
      held: 0,
      users: 0,
      usedAt: 0,
    }
    entry.users++
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    try {
      const { open, contents } = await entry.opened
      entry.contents = contents
      this.#weigh(entry)
      if (existing === undefined) this.#dropOthers(entry)
      let isReleased = false
      return {
        contents,
        source: open.source,
        siblingsState: () => open.siblingsState(),
        isUnchanged: async () => {
          // A file that was deleted on another machine cannot be looked at; its path may lead to another one.
          let isUnchanged = false
          try {
            isUnchanged = await open.isUnchanged()
          } finally {
            if (!isUnchanged) this.#drop(entry)
          }
          return isUnchanged
        },
        hasGrown: async () => {
          const hasGrown = (await open.hasGrown?.()) ?? false
          if (hasGrown) this.#drop(entry)
          return hasGrown
        },
        release: () => {
          if (!isReleased) this.#release(entry)
          isReleased = true
        },
      }
    } catch (error) {
      this.#drop(entry)
      this.#release(entry)
      throw error
    }
  }

  /** Closes the files; those in use are closed when their use ends. */
  close(): void {
    this.#endExpiry()
    for (const entry of [...this.#entries.values()]) this.#drop(entry)
  }

  async #open(file: MountedFile, parts: ValueParts): Promise<OpenedFile> {
    const open = await file.open()
    try {
      return { open, contents: await this.#openContents(open, file, parts) }
    } catch (error) {
      // Bytes that seem to be damaged may be parts of two states.
      const isUnchanged = await open.isUnchanged().catch(() => false)
      open.close()
      throw isUnchanged ? error : fileChanged(file.path, error)
    }
  }

  #release(entry: Entry): void {
    entry.users--
    entry.usedAt = SYSTEM_CLOCK.elapsed()
    if (this.#entries.get(entry.key) !== entry) {
      if (entry.users === 0) closeFile(entry)
      return
    }
    this.#weigh(entry)
    if (this.#held > this.#maxHeld) this.#dropHeavy()
  }

  #weigh(entry: Entry): void {
    if (this.#entries.get(entry.key) !== entry) return
    const held = entry.contents?.heldBytes ?? 0
    this.#held += held - entry.held
    entry.held = held
  }

  /** Drops an entry, which later requests do not get. */
  #drop(entry: Entry): void {
    if (this.#entries.get(entry.key) !== entry) return
    this.#entries.delete(entry.key)
    this.#held -= entry.held
    if (entry.users === 0) closeFile(entry)
  }

  /** Drops other states of the same file, and the least recently used entries beyond the limit. */
  #dropOthers(newest: Entry): void {
    for (const entry of [...this.#entries.values()]) {
      const isOlder = entry !== newest && entry.file.path === newest.file.path
      if (isOlder || this.#entries.size > this.#limit) this.#drop(entry)
    }
  }

  /**
   * Drops files that no request uses, the least recently used first, until the memory of the others is within the
   * limit.
   */
  #dropHeavy(): void {
    const older = [...this.#entries.values()].slice(0, -1)
    for (const entry of older) {
      if (this.#held <= this.#maxHeld) return
      if (entry.users === 0) this.#drop(entry)
    }
  }

  #dropIdle(): void {
    const before = SYSTEM_CLOCK.elapsed() - IDLE_MILLISECONDS
    for (const entry of [...this.#entries.values()]) {
      if (entry.users === 0 && entry.usedAt < before) this.#drop(entry)
    }
  }
}

async function areSiblingsCurrent({ opened }: Entry): Promise<boolean> {
  try {
    return await (await opened).open.areSiblingsCurrent()
  } catch (error) {
    // The file, or one that it names, cannot be opened. An error without a code is a defect.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

function closeFile({ opened }: Entry): void {
  // A file that could not be opened was closed then.
  opened.then(
    ({ open }) => open.close(),
    () => undefined,
  )
}
