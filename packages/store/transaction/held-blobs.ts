// Blobs that are kept in memory as long as it is not known whether they will be needed: the works of a shared write
// replace the same chunk one after another, and only its last state is to be stored on the disk.

import { nextTurn } from '@hyperslab/base/bounded'
import type { BlobPieces, Blobs } from '../interfaces/engine.ts'

/** Memory that all held blobs share. */
export class FreeBytes {
  bytes: number

  constructor(bytes: number) {
    this.bytes = bytes
  }
}

export class HeldBlobs implements Blobs {
  readonly #blobs: Blobs
  readonly #free: FreeBytes
  readonly #held = new Map<string, Uint8Array>()
  #holds = true

  constructor(blobs: Blobs, free: FreeBytes) {
    this.#blobs = blobs
    this.#free = free
  }

  /** Whether a blob of that length would be held if it were put now. */
  hasRoom(bytes: number): boolean {
    return this.#holds && bytes <= this.#free.bytes
  }

  holds(name: string): boolean {
    return this.#held.has(name)
  }

  /** From now on puts are durable. */
  stop(): void {
    this.#holds = false
  }

  async put(name: string, pieces: BlobPieces): Promise<void> {
    if (Symbol.asyncIterator in pieces) return this.#blobs.put(name, pieces)
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
    if (!this.hasRoom(bytes)) return this.#blobs.put(name, pieces)
    this.#free.bytes -= bytes
    this.#held.set(name, Buffer.concat(pieces, bytes))
    // No call here waits for a disk.
    await nextTurn()
  }

  async read(name: string, offset: number, into: Uint8Array): Promise<number> {
    return this.#readHeld(name, offset, into) ?? this.#blobs.read(name, offset, into)
  }

  async readCompared(name: string, offset: number, into: Uint8Array): Promise<number> {
    return this.#readHeld(name, offset, into) ?? this.#blobs.readCompared(name, offset, into)
  }

  #readHeld(name: string, offset: number, into: Uint8Array): number | undefined {
    const found = this.#held.get(name)?.subarray(offset, offset + into.length)
    if (found !== undefined) into.set(found)
    return found?.length
  }

  async size(name: string): Promise<number | undefined> {
    return this.#held.get(name)?.length ?? this.#blobs.size(name)
  }

  async hasChecksums(name: string): Promise<boolean> {
    return this.#held.has(name) || this.#blobs.hasChecksums(name)
  }

  async delete(name: string): Promise<void> {
    const held = this.#held.get(name)
    if (held === undefined) return this.#blobs.delete(name)
    this.#held.delete(name)
    this.#free.bytes += held.length
  }

  get parallelism(): number {
    return this.#blobs.parallelism
  }

  list(prefix: string): AsyncIterable<string> {
    return this.#blobs.list(prefix)
  }

  /** Frees the memory; blobs that are still held are lost. */
  close(): void {
    for (const { length } of this.#held.values()) this.#free.bytes += length
    this.#held.clear()
  }
}
