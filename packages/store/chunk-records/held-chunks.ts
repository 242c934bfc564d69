// The chunks that the works of a shared write have in common: those that stay in memory, unfiltered, until all works
// have run, and the last patch of each chunk.

import type { ChunkLayout } from '../chunks/chunk-layout.ts'
import type { HeldBlobs } from '../transaction/held-blobs.ts'
import { type ChunkAddress, nameOfChunk } from './chunk-record.ts'
import { SharedPatch } from './patches.ts'

export interface HeldChunk {
  readonly layout: ChunkLayout
  readonly address: ChunkAddress
}

export class HeldChunks {
  readonly blobs: HeldBlobs
  readonly #addresses = new Map<string, HeldChunk>()
  readonly #patches = new Map<string, SharedPatch>()

  constructor(blobs: HeldBlobs) {
    this.blobs = blobs
  }

  /** The patch of the chunk that the works share; a new one holds at most `maxInlineBytes`. */
  patchOf(address: ChunkAddress, maxInlineBytes: number): SharedPatch {
    const name = nameOfChunk(address)
    const patch = this.#patches.get(name) ?? new SharedPatch(maxInlineBytes)
    this.#patches.set(name, patch)
    return patch
  }

  /** All chunks that were ever held; some may no longer be. */
  all(): Iterable<HeldChunk> {
    return this.#addresses.values()
  }

  has(address: ChunkAddress): boolean {
    return this.#addresses.has(nameOfChunk(address))
  }

  add(chunk: HeldChunk): void {
    this.#addresses.set(nameOfChunk(chunk.address), chunk)
  }
}
