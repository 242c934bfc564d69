// The blobs that a transaction has put. They belong to it until its commit has named them: if it ends without, it
// deletes them.

import type { BlobPieces, Blobs } from '../engine.ts'

export class PutBlobs {
  readonly #blobs: Blobs
  /** To be named by the commit, and not to be named at all. */
  readonly #kept = new Set<string>()
  readonly #dropped = new Set<string>()

  constructor(blobs: Blobs) {
    this.#blobs = blobs
  }

  async put(name: string, pieces: BlobPieces): Promise<void> {
    this.#kept.add(name)
    await this.#blobs.put(name, pieces)
  }

  /** No record shall name the blob. False: it was not put here. */
  drop(name: string): boolean {
    if (!this.#kept.delete(name)) return false
    this.#dropped.add(name)
    return true
  }

  /** Gives up the blobs that the commit may name, whatever its answer: they cannot be deleted any more. */
  release(): readonly string[] {
    const names = [...this.#kept]
    this.#kept.clear()
    return names
  }

  /** Takes back what was released: the commit has not named it. */
  takeBack(names: readonly string[]): void {
    for (const name of names) this.#kept.add(name)
  }

  /** Makes all of them those of another transaction. */
  moveTo(other: PutBlobs): void {
    for (const name of this.#kept) other.#kept.add(name)
    for (const name of this.#dropped) other.#dropped.add(name)
    this.#kept.clear()
    this.#dropped.clear()
  }

  async deleteAll(): Promise<void> {
    for (const name of [...this.#dropped, ...this.#kept]) await this.#blobs.delete(name)
  }
}
