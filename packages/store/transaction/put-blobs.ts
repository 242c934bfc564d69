// The blobs that a transaction has put. They belong to it until its commit has named them: if it ends without a commit,
// it deletes them.

import type { BlobPieces, Blobs } from '../interfaces/engine.ts'

export class PutBlobs {
  readonly #blobs: Blobs
  /** Blobs that the commit will name, and blobs that it will not name. */
  readonly #kept = new Set<string>()
  readonly #dropped = new Set<string>()

  constructor(blobs: Blobs) {
    this.#blobs = blobs
  }

  async put(name: string, pieces: BlobPieces): Promise<void> {
    this.#kept.add(name)
    await this.#blobs.put(name, pieces)
  }

  /** Excludes the blob from the commit. False: it was not put by this transaction. */
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

  /** Takes back released blobs, which the commit has not named. */
  takeBack(names: readonly string[]): void {
    for (const name of names) this.#kept.add(name)
  }

  /** Passes all of them to another transaction. */
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
