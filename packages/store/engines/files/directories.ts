// Makes directories, and the entries in them, durable. A new file survives a crash of the machine only when its
// directory has been synced too, and so on upwards for directories that are new themselves.

import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BoundedMap } from '@hyperslab/base/bounded'

/** Makes the entries of the directory durable, but not the directory itself; returns its identity. */
export async function syncDirectory(path: string): Promise<string> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
    // Distinguishes this directory from a later one of the same name (an inode number alone may be used again).
    const { ino, birthtimeNs } = await handle.stat({ bigint: true })
    return `${ino} ${birthtimeNs}`
  } finally {
    await handle.close()
  }
}

/** Directories that are known to be durable; others are synced again. */
const KNOWN_DIRECTORIES = 10_000

/** The directories below a root that is durable itself. Callers that wait for the same directory share a sync. */
export class Directories {
  readonly #root: string
  /**
   * Directories that are not synced again: the identity with which a directory's own entry is known to be durable.
   * @limit speed, folders, bench/results.md#062-limits-of-speed
   */
  readonly #durable = new BoundedMap<string, string>(KNOWN_DIRECTORIES)
  readonly #running = new Map<string, Promise<void>>()
  readonly #waiting = new Map<string, Promise<void>>()

  constructor(root: string) {
    this.#root = root
  }

  /** Resolves when the current entries of the directory, and of those above it, would survive a crash. */
  sync(directory: string): Promise<void> {
    const waiting = this.#waiting.get(directory)
    if (waiting !== undefined) return waiting
    // A sync that has begun may have missed entries that were created since.
    const before = this.#running.get(directory) ?? Promise.resolve()
    const next = before
      .catch(() => undefined)
      .then(() => {
        this.#waiting.delete(directory)
        this.#running.set(directory, next)
        return this.#syncWithParents(directory)
      })
      .finally(() => {
        if (this.#running.get(directory) === next) this.#running.delete(directory)
      })
    this.#waiting.set(directory, next)
    return next
  }

  async #syncWithParents(directory: string): Promise<void> {
    const identity = await syncDirectory(directory)
    if (directory === this.#root || this.#durable.get(directory) === identity) return
    await this.sync(dirname(directory))
    this.#durable.set(directory, identity)
  }
}
