// Keeps the most recently used files open for reading, so that a read costs one call instead of three. A file that is
// dropped while it is read is closed when the last of its reads has ended. Files that no read uses are dropped as soon
// as a request for a slot waits (file-slots.ts).

import { close, fstat, fstatSync, open, read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { BoundedMap } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { FileSlots } from './file-slots.ts'

const openFile = promisify(open)
const closeFile = promisify(close)
const statFile = promisify(fstat)

/**
 * The longest read that this thread does itself: from the page cache that takes less time than passing the work to
 * another thread. When such a read was slow, the bytes came from the disk, and other threads read for a while.
 * @limit speed, bytes, bench/results.md#062-limits-of-speed
 */
const MAX_AT_ONCE = 2 ** 18
/** Milliseconds after which a read counts as slow. */
const SLOW_READ = 4
const SLOW_SPELL = 1000

/** A file while it is used. */
export interface OpenedFile<Known> {
  /** Data of its user, kept while the file is open. */
  known: Known | undefined
  size(): Promise<number>
  /** Fills `into` from `offset` on; returns the number of bytes read. */
  read(offset: number, into: Uint8Array): Promise<number>
}

interface OpenFile<Known> {
  readonly descriptor: Promise<number>
  readonly opened: Promise<OpenedFile<Known>>
  users: number
  isGivenUp: boolean
  /** Called when it is closed. */
  readonly ended: () => void
}

export class OpenFiles<Known = undefined> {
  readonly #files: BoundedMap<string, OpenFile<Known>>
  readonly #slots: FileSlots
  /** A promise for each file that is not closed yet. */
  readonly #open = new Set<Promise<void>>()
  /** The time until which other threads read. */
  #slowUntil = 0

  /** Each file takes one of the slots until it is closed. */
  constructor(capacity: number, slots: FileSlots) {
    const onForget = (file: OpenFile<Known>): void => {
      file.isGivenUp = true
      this.#closeIfUnused(file)
    }
    /** Open files of blobs. @limit speed, files, bench/results.md#062-limits-of-speed */
    this.#files = new BoundedMap(capacity, { onForget })
    this.#slots = slots
    slots.onWait(() => this.#files.forgetIf(({ users }) => users === 0))
  }

  /** Fills `into` from `offset` of the file on; returns the number of bytes read. */
  read(path: string, offset: number, into: Uint8Array): Promise<number> {
    return this.using(path, file => file.read(offset, into))
  }

  /** Runs `work` with the file, which stays open at least until the work has ended. */
  async using<T>(path: string, work: (file: OpenedFile<Known>) => Promise<T>): Promise<T> {
    const file = this.#use(path)
    try {
      return await work(await file.opened)
    } finally {
      file.users--
      if (file.users === 0 && this.#slots.areWanted && this.#files.get(path) === file) this.forget(path)
      else this.#closeIfUnused(file)
    }
  }

  #opened(descriptor: number): OpenedFile<Known> {
    return {
      known: undefined,
      size: async () => (this.#readsAtOnce(0) ? fstatSync(descriptor) : await statFile(descriptor)).size,
      read: async (offset, into) =>
        this.#readsAtOnce(into.length)
          ? this.#readAtOnce(descriptor, offset, into)
          : readFully(descriptor, offset, into),
    }
  }

  #readsAtOnce(length: number): boolean {
    return length <= MAX_AT_ONCE && SYSTEM_CLOCK.elapsed() >= this.#slowUntil
  }

  #readAtOnce(descriptor: number, offset: number, into: Uint8Array): number {
    const start = SYSTEM_CLOCK.elapsed()
    let filled = 0
    while (filled < into.length) {
      const count = readSync(descriptor, into, filled, into.length - filled, offset + filled)
      if (count === 0) break
      filled += count
    }
    if (SYSTEM_CLOCK.elapsed() - start > SLOW_READ) this.#slowUntil = start + SLOW_SPELL
    return filled
  }

  /** The next read opens the path anew. */
  forget(path: string): void {
    this.#files.forget(path)
  }

  /** Closes all files after the running reads. */
  async close(): Promise<void> {
    this.#files.forgetIf(() => true)
    while (this.#open.size > 0) await Promise.all(this.#open)
  }

  #use(path: string): OpenFile<Known> {
    const present = this.#files.use(path)
    const file = present ?? this.#openFile(path)
    file.users++
    if (present === undefined) {
      file.opened.catch(() => {
        if (this.#files.get(path) === file) this.forget(path)
      })
      this.#files.set(path, file)
    }
    return file
  }

  #openFile(path: string): OpenFile<Known> {
    let resolveEnd = () => {}
    const end = new Promise<void>(resolve => {
      resolveEnd = resolve
    }).then(() => void this.#open.delete(end))
    this.#open.add(end)
    const descriptor = this.#slots.take(1).then(() => openFile(path, 'r'))
    const opened = descriptor.then(number => this.#opened(number))
    return { descriptor, opened, users: 0, isGivenUp: false, ended: resolveEnd }
  }

  #closeIfUnused(file: OpenFile<Known>): void {
    if (!file.isGivenUp || file.users > 0) return
    // A failure to close a file that was only read from does no harm.
    file.descriptor
      .then(closeFile)
      .catch(() => undefined)
      .finally(() => {
        this.#slots.give(1)
        file.ended()
      })
  }
}

async function readFully(descriptor: number, offset: number, into: Uint8Array): Promise<number> {
  let filled = 0
  while (filled < into.length) {
    const count = await readPart(descriptor, into, filled, offset + filled)
    if (count === 0) break
    filled += count
  }
  return filled
}

/** Reads once, without the object that the promisified call makes for its result. */
function readPart(descriptor: number, into: Uint8Array, at: number, offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    read(descriptor, into, at, into.length - at, offset, (error, count) =>
      error ? reject(error) : resolve(count),
    )
  })
}
