// Blobs with a cache on the local disk. Missing data are read in blocks of a MiB, adjacent blocks in one request. Reads
// of the same block share its request. The cache is never out of date, because the bytes of a name never change.

import { type BlobPieces, type Blobs, checkBlobName } from '../../interfaces/engine.ts'
import { BLOCK_BYTES } from './block-file.ts'
import type { DiskCache } from './disk-cache.ts'

/** Blocks that one request reads. @limit speed, blocks, bench/results.md#062-limits-of-speed */
const MAX_RUN = 8
/**
 * Blobs of up to this many blocks are in the cache when they have been put.
 * @limit speed, blocks, bench/results.md#062-limits-of-speed
 */
const MAX_PUT = 16

/** The part of a block that a read needs. */
interface BlockPart {
  readonly block: number
  /** The offset of the part in the block. */
  readonly offset: number
  readonly into: Uint8Array
}

export class CachedBlobs implements Blobs {
  readonly parallelism: number
  readonly #blobs: Blobs
  readonly #cache: DiskCache
  /** Blocks that are being fetched, by name and number. */
  readonly #coming = new Map<string, Promise<Uint8Array>>()

  constructor(blobs: Blobs, cache: DiskCache) {
    this.parallelism = blobs.parallelism
    this.#blobs = blobs
    this.#cache = cache
  }

  async put(name: string, pieces: BlobPieces): Promise<void> {
    await this.#blobs.put(name, pieces)
    if (!Array.isArray(pieces)) return
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (length > MAX_PUT * BLOCK_BYTES) return
    // A copy, since the pieces may be used again.
    const bytes = Buffer.concat(pieces)
    for (let block = 0; block * BLOCK_BYTES < length; block++) {
      this.#cache.keep(name, block, bytes.subarray(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES))
    }
  }

  async read(name: string, offset: number, into: Uint8Array): Promise<number> {
    checkBlobName(name)
    if (into.length === 0) return this.#blobs.read(name, offset, into)
    const parts = partsOf(offset, into)
    const counts = await Promise.all(parts.map(part => this.#readPresent(name, part)))
    const missing = parts.filter((_, index) => counts[index] === undefined)
    const fetched = this.#fetch(name, missing)
    let total = 0
    for (const [index, part] of parts.entries()) {
      const count = counts[index] ?? copyPart(await fetched.get(part.block), part)
      total += count
      if (count < part.into.length) break
    }
    // The failure of a block that is no longer needed is ignored.
    for (const block of fetched.values()) block.catch(() => undefined)
    return total
  }

  readCompared(name: string, offset: number, into: Uint8Array): Promise<number> {
    return this.read(name, offset, into)
  }

  size(name: string): Promise<number | undefined> {
    return this.#blobs.size(name)
  }

  hasChecksums(name: string): Promise<boolean> {
    return this.#blobs.hasChecksums(name)
  }

  async delete(name: string): Promise<void> {
    await this.#blobs.delete(name)
    await this.#cache.forget(name)
  }

  list(prefix: string): AsyncIterable<string> {
    return this.#blobs.list(prefix)
  }

  /** Reads the part from the cache; undefined: the block must be fetched, or is being fetched. */
  #readPresent(name: string, { block, offset, into }: BlockPart): Promise<number | undefined> {
    if (this.#coming.has(`${name}/${block}`)) return Promise.resolve(undefined)
    return this.#cache.read(name, block, offset, into)
  }

  /** Fetches the blocks of the parts; returns them by their numbers. */
  #fetch(name: string, parts: readonly BlockPart[]): Map<number, Promise<Uint8Array>> {
    const blocks = new Map<number, Promise<Uint8Array>>()
    let run: number[] = []
    const endRun = () => {
      if (run.length > 0) this.#fetchRun(name, run, blocks)
      run = []
    }
    for (const { block } of parts) {
      const coming = this.#coming.get(`${name}/${block}`)
      if (coming) blocks.set(block, coming)
      else {
        if (run.length === MAX_RUN || block !== (run.at(-1) ?? block - 1) + 1) endRun()
        run.push(block)
      }
    }
    endRun()
    return blocks
  }

  #fetchRun(name: string, run: readonly number[], blocks: Map<number, Promise<Uint8Array>>): void {
    const bytes = new Uint8Array(Buffer.allocUnsafeSlow(run.length * BLOCK_BYTES).buffer)
    const read = this.#blobs.read(name, run[0] * BLOCK_BYTES, bytes)
    for (const [index, block] of run.entries()) {
      const key = `${name}/${block}`
      const coming = read.then(count => {
        const found = bytes.subarray(index * BLOCK_BYTES, Math.min((index + 1) * BLOCK_BYTES, count))
        if (found.length > 0) this.#cache.keep(name, block, found)
        return found
      })
      blocks.set(block, coming)
      this.#coming.set(key, coming)
      coming.catch(() => undefined).finally(() => this.#coming.delete(key))
    }
  }
}

function partsOf(offset: number, into: Uint8Array): readonly BlockPart[] {
  const parts: BlockPart[] = []
  for (let position = 0; position < into.length; ) {
    const block = Math.floor((offset + position) / BLOCK_BYTES)
    const start = offset + position - block * BLOCK_BYTES
    const part = into.subarray(position, position + BLOCK_BYTES - start)
    parts.push({ block, offset: start, into: part })
    position += part.length
  }
  return parts
}

function copyPart(block: Uint8Array | undefined, { offset, into }: BlockPart): number {
  const found = block?.subarray(offset, offset + into.length) ?? new Uint8Array(0)
  into.set(found)
  return found.length
}
