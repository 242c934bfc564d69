// Blocks of blobs in a folder of the local disk, a file each, up to a number of bytes; those that were used least
// recently are removed. Several processes may share the folder: a file appears whole under its name, and the time of a
// file is that of its last use. No failure reaches the caller: a block that cannot be read is absent, and one that
// cannot be written is not kept.

import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BoundedMap } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { CacheFigures } from '../../interfaces/engine.ts'
import { hasCode } from '../files/blobs.ts'
import { FileSlots } from '../files/file-slots.ts'
import { OpenFiles } from '../files/open-files.ts'
import {
  arePagesIntact,
  BLOCK_BYTES,
  type BlockHead,
  CheckedPages,
  decodeHead,
  encodeHead,
  HEADER_BYTES,
  pagesAround,
} from './block-file.ts'
import { type CacheEntry, entriesOf, TEMPORARY } from './cache-entries.ts'

const FILES_KEPT_OPEN = 64
/** The share of the limit that is kept when files are removed, so that they are listed seldom. */
const SHARE_KEPT = 0.9
/** The share of the limit that this process writes before it lists the folder again for files of other processes. */
const SHARE_UNSEEN = 0.05
/** Files of the cache. @limit memory, files */
const MAX_FILES = 2 ** 18
/** Files of the cache whose checksums are known. @limit memory, entries */
const MAX_KNOWN = 2 ** 14
/** Blocks that wait to be written; further ones are not kept. @limit memory, bytes */
const MAX_WAITING_BYTES = 64 * 2 ** 20
/** The time after a failure in which nothing is written: the disk is full or gone. */
const REST_MILLISECONDS = 10_000
/** The least time between two updates of the time of a file. */
const TOUCH_MILLISECONDS = 60_000

/**
 * A file in the state in which it was last read. Its pages are checked once in that state, which ends when it is used a
 * minute later.
 */
interface KnownFile {
  readonly changed: number
  readonly head: BlockHead
  readonly checked: CheckedPages
}

export interface DiskCacheOptions {
  readonly folder: string
  readonly maxBytes: number
  /** A name of the store, part of all keys. */
  readonly store: string
}

export class DiskCache {
  readonly #options: DiskCacheOptions
  readonly #files = new OpenFiles(FILES_KEPT_OPEN, new FileSlots(Number.POSITIVE_INFINITY))
  /** The time at which this process last used each file. @limit memory, files */
  readonly #used = new BoundedMap<string, number>(MAX_FILES)
  /** Times at which the use of files was noted on the disk. @limit memory, files */
  readonly #touched = new BoundedMap<string, number>(MAX_FILES)
  /** Checksums of cached blocks. @limit speed, files, bench/results.md#062-limits-of-speed */
  readonly #known = new BoundedMap<string, KnownFile>(MAX_KNOWN)
  /** The contents of the folder; undefined: it has not been listed yet. */
  #held: { bytes: number; files: number } | undefined
  #unseenBytes = 0
  /** Blocks that are not on the disk yet, by their keys. */
  readonly #waiting = new Map<string, Uint8Array>()
  #waitingBytes = 0
  #restsUntil = 0
  /** Writes and removals, one after another. */
  #work: Promise<void> = Promise.resolve()
  #count = 0
  #hits = 0
  #misses = 0

  constructor(options: DiskCacheOptions) {
    this.#options = options
  }

  /**
   * Fills `into` from `offset` of the block on; returns the number of bytes, or undefined when the cache lacks the
   * block.
   */
  async read(name: string, block: number, offset: number, into: Uint8Array): Promise<number | undefined> {
    const count = await this.#find(name, block, offset, into)
    if (count === undefined) this.#misses++
    else this.#hits++
    return count
  }

  /** Bytes are those of all processes that share the folder, as this one has last seen them. */
  get figures(): CacheFigures {
    return {
      hits: this.#hits,
      misses: this.#misses,
      ...(this.#held && { bytes: this.#held.bytes + this.#waitingBytes }),
    }
  }

  async #find(name: string, block: number, offset: number, into: Uint8Array): Promise<number | undefined> {
    const key = this.#keyOf(name, block)
    const waiting = this.#waiting.get(key)
    if (waiting) return copyOf(waiting, offset, into)
    const path = this.#pathOf(key)
    try {
      const count = await this.#readFile(key, path, offset, into)
      if (count === undefined) await this.#remove(path)
      else this.#touch(path)
      return count
    } catch {
      return undefined
    }
  }

  /** Keeps a block; returns at once. The bytes must not change until `flush` has resolved. */
  keep(name: string, block: number, bytes: Uint8Array): void {
    const length = HEADER_BYTES + bytes.length
    const isResting = SYSTEM_CLOCK.elapsed() < this.#restsUntil
    if (isResting || length > this.#options.maxBytes || bytes.length > BLOCK_BYTES) return
    if (this.#waitingBytes + length > MAX_WAITING_BYTES) return
    const key = this.#keyOf(name, block)
    if (this.#waiting.has(key)) return
    this.#waiting.set(key, bytes)
    this.#waitingBytes += length
    this.#enqueue(async () => {
      try {
        await this.#write(key, bytes)
      } finally {
        this.#waiting.delete(key)
        this.#waitingBytes -= length
      }
    })
  }

  /**
   * Removes the first block, the only one of most blobs. Names are not used again, so the other blocks are never read.
   */
  async forget(name: string): Promise<void> {
    await this.flush()
    await this.#remove(this.#pathOf(this.#keyOf(name, 0)))
  }

  /** Resolves when all kept blocks are on the disk. */
  flush(): Promise<void> {
    return this.#work
  }

  async close(): Promise<void> {
    await this.flush()
    await this.#files.close()
  }

  /** Reads from a file of the cache; undefined: the file is damaged. */
  async #readFile(key: string, path: string, offset: number, into: Uint8Array): Promise<number | undefined> {
    const entry = await this.#look(key, path)
    if (!entry) return undefined
    const count = Math.max(0, Math.min(into.length, entry.head.length - offset))
    const range = into.subarray(0, count)
    const pages = pagesAround(entry.head, offset, count)
    if (entry.checked.has(pages)) {
      const length = await this.#files.read(path, HEADER_BYTES + offset, range)
      return length === count ? count : undefined
    }
    const isExact = pages.start === offset && pages.end === offset + count
    const bytes = isExact ? range : new Uint8Array(pages.end - pages.start)
    const found = await this.#files.read(path, HEADER_BYTES + pages.start, bytes)
    if (found < bytes.length || !arePagesIntact(entry.head, pages.start, bytes)) return undefined
    entry.checked.add(pages)
    if (!isExact) range.set(bytes.subarray(offset - pages.start, offset - pages.start + count))
    return count
  }

  /**
   * The entry of the file in its current state. Reading the state takes less time here than starting it in another
   * thread.
   */
  async #look(key: string, path: string): Promise<KnownFile | undefined> {
    const { ctimeMs: changed } = statSync(path)
    const known = this.#known.get(path)
    if (known?.changed === changed) return known
    const bytes = new Uint8Array(HEADER_BYTES)
    const found = await this.#files.read(path, 0, bytes)
    const head = decodeHead(key, bytes.subarray(0, found))
    if (!head) return undefined
    const file = { changed, head, checked: new CheckedPages() }
    this.#known.set(path, file)
    return file
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch(() => {
      this.#restsUntil = SYSTEM_CLOCK.elapsed() + REST_MILLISECONDS
    })
  }

  async #write(key: string, bytes: Uint8Array): Promise<void> {
    if (SYSTEM_CLOCK.elapsed() < this.#restsUntil) return
    const path = this.#pathOf(key)
    await this.#makeRoom(HEADER_BYTES + bytes.length)
    const temporary = `${path}.${process.pid}-${this.#count++}${TEMPORARY}`
    try {
      await writePieces(temporary, [encodeHead(key, bytes), bytes])
      // A handle of a replaced file would read the old bytes.
      this.#files.forget(path)
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    this.#used.set(path, SYSTEM_CLOCK.now())
  }

  async #makeRoom(length: number): Promise<void> {
    const { maxBytes } = this.#options
    this.#unseenBytes += length
    const isUnseen = this.#unseenBytes > SHARE_UNSEEN * maxBytes
    if (this.#held) {
      this.#held.bytes += length
      this.#held.files++
      if (!isUnseen && this.#held.bytes <= maxBytes && this.#held.files <= MAX_FILES) return
    }
    this.#unseenBytes = 0
    const entries = await entriesOf(this.#options.folder)
    const held = { bytes: length, files: 1 }
    for (const { bytes } of entries) {
      held.bytes += bytes
      held.files++
    }
    this.#held = held
    if (held.bytes > maxBytes || held.files > MAX_FILES) await this.#removeOldest(entries, held)
  }

  async #removeOldest(entries: readonly CacheEntry[], held: { bytes: number; files: number }): Promise<void> {
    const lastUse = ({ path, time }: CacheEntry) => Math.max(time, this.#used.get(path) ?? 0)
    const oldestFirst = entries
      .map(entry => ({ entry, time: lastUse(entry) }))
      .sort((a, b) => a.time - b.time)
    for (const { entry } of oldestFirst) {
      if (held.bytes <= SHARE_KEPT * this.#options.maxBytes && held.files <= SHARE_KEPT * MAX_FILES) return
      await this.#remove(entry.path)
      held.bytes -= entry.bytes
      held.files--
    }
  }

  /** Removes a file; a reader that has it open can continue. */
  async #remove(path: string): Promise<void> {
    this.#files.forget(path)
    await rm(path, { force: true }).catch(() => undefined)
  }

  #touch(path: string): void {
    const now = SYSTEM_CLOCK.now()
    this.#used.set(path, now)
    if (now - (this.#touched.get(path) ?? 0) < TOUCH_MILLISECONDS) return
    this.#touched.set(path, now)
    utimes(path, now / 1000, now / 1000).catch(() => undefined)
  }

  #keyOf(name: string, block: number): string {
    return `${this.#options.store}\n${name}\n${block}`
  }

  #pathOf(key: string): string {
    const hash = createHash('sha256').update(key).digest('hex')
    return join(this.#options.folder, hash.slice(0, 2), hash.slice(2, 40))
  }
}

function copyOf(block: Uint8Array, offset: number, into: Uint8Array): number {
  const found = block.subarray(offset, offset + into.length)
  into.set(found)
  return found.length
}

/** Writes a new file, in a folder that may not exist yet. */
async function writePieces(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  try {
    await writeFile(path, pieces)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, pieces)
  }
}
