// The bytes of one file by address. Metadata comes through a bounded cache of blocks, since structures are small and
// near each other. All requests in the same turn of the event loop are one read of the source, so that a level of a
// tree, walked with Promise.all, costs one request. Values do not use the cache.

import { type ByteRange, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { ownBytes } from '@hyperslab/model/values'
import type { ByteSource } from '../../byte-source.ts'
import { damaged } from '../../format/errors.ts'
import type { Widths } from '../../format/field-reader.ts'

export const BLOCK_SIZE = 64 * 1024
/** Blocks that are read at once when they are requested one after another. */
const BLOCKS_AHEAD = 8
/** Blocks of 64 KiB of a file that are kept: 16 MiB. @limit memory, blocks */
const MAX_BLOCKS = 256

/**
 * The limit of the metadata that are read of a file, without which a damaged file could cause endless reads. All
 * metadata of a file of a million objects are some 500 MB.
 * @limit safety, bytes
 */
const MAX_METADATA_BYTES = 8 * 2 ** 30

/** Bytes that are decoded between two checks of the clock, in far less than a millisecond. @limit safety, bytes */
const MAX_UNTIMED = 16 * 1024
/** The fixed cost of reading and decoding a structure, in bytes. */
const READ_OVERHEAD = 512

type Block = Uint8Array | Promise<Uint8Array>

interface MissingBlock {
  readonly number: number
  readonly resolve: (block: Uint8Array) => void
  readonly reject: (error: unknown) => void
}

/** Addresses count from where the signature is: `base`. */
export class FileBytes {
  readonly widths: Widths
  readonly #source: ByteSource
  readonly #base: number
  /** The most bytes of metadata that are read in all. */
  readonly #maxMetadata: number
  /** Blocks by number, the least recently used first. */
  readonly #blocks = new Map<number, Block>()
  #newest = -1
  #missing: MissingBlock[] = []
  #metadataBytes = 0
  /** Bytes that were read since the last check of the clock, with the fixed cost of each read. */
  #untimed = 0

  /**
   * With `isLongLived`, the sum of all reads of the file, by many requests, is not bounded, but the reads of one walk
   * are.
   */
  constructor(source: ByteSource, base: number, widths: Widths, isLongLived = false) {
    this.#source = source
    this.#base = base
    this.#maxMetadata = isLongLived ? Number.POSITIVE_INFINITY : MAX_METADATA_BYTES
    this.widths = widths
  }

  /** The end of the file, beyond which there is no structure. A file that is written in SWMR mode grows. */
  get end(): number {
    return this.#source.size - this.#base
  }

  get source(): ByteSource {
    return this.#source
  }

  /** Bytes of the blocks that are kept. */
  get heldBytes(): number {
    return this.#blocks.size * BLOCK_SIZE
  }

  /** The position of an address in the whole file, which may begin with a user block. */
  positionOf(address: number): number {
    return this.#base + address
  }

  /**
   * `length` bytes of metadata at `address`: a view that must not be changed. If they are in the cache they are mostly
   * returned at once; so use `await`. Every few milliseconds the event loop runs first, since thousands of objects may
   * be read from the cache alone. `structure`, with its article, is named by the error `file-unreadable` when they are
   * beyond the end of the file.
   */
  read(address: number, length: number, structure: string): Uint8Array | Promise<Uint8Array> {
    this.requireRange({ position: address, length }, structure)
    this.#metadataBytes += length
    if (this.#metadataBytes > this.#maxMetadata) {
      throw new HyperslabError(
        'file-damaged',
        `more than ${MAX_METADATA_BYTES} bytes of metadata were read: the file is damaged, or too large to import`,
      )
    }
    if (length === 0) return new Uint8Array(0)
    const position = this.positionOf(address)
    const first = Math.floor(position / BLOCK_SIZE)
    const last = Math.floor((position + length - 1) / BLOCK_SIZE)
    const start = position - first * BLOCK_SIZE
    if (first === last) {
      const block = this.#block(first)
      // Many reads may have waited for the same block, or for blocks that are read together.
      if (block instanceof Promise)
        return block.then(bytes => this.#inTurn(bytes.subarray(start, start + length)))
      return this.#inTurn(block.subarray(start, start + length))
    }
    if (last - first >= MAX_BLOCKS / 4) return this.#readRange({ position, length })
    return this.#readBlocks(first, last, start, length).then(bytes => this.#inTurn(bytes))
  }

  /** The bytes, which are decoded next; in a later turn of the event loop when this one is over. */
  #inTurn(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
    // A check of the clock takes as long as reading a few bytes.
    this.#untimed += READ_OVERHEAD + bytes.length
    if (this.#untimed < MAX_UNTIMED) return bytes
    // Until the next turn each read checks the clock, since a level of a tree is a thousand reads that do not wait for
    // each other.
    if (isTurnOver()) return nextTurn().then(() => bytes)
    this.#untimed = 0
    return bytes
  }

  /** The bytes of values, each range whole; `structure` as for `read`. */
  async readValues(ranges: readonly ByteRange[], structure: string): Promise<readonly Uint8Array[]> {
    for (const range of ranges) this.requireRange(range, structure)
    const shifted = ranges.map(({ position, length }) => ({ position: this.#base + position, length }))
    return this.#readRanges(shifted)
  }

  /** Fills `target` with the bytes of values from `address` on; `structure` as for `read`. */
  async readInto(target: Uint8Array, address: number, structure: string): Promise<void> {
    this.requireRange({ position: address, length: target.length }, structure)
    const position = this.positionOf(address)
    const count = await this.#source.readInto(target, position)
    if (count < target.length) throw cutOff(position, count, target.length)
  }

  /** Throws `file-damaged` if the file ends before the range does, before memory is allocated for it. */
  requireRange({ position, length }: ByteRange, structure: string): void {
    if (position + length <= this.end) return
    const rule = `it needs ${length} bytes, and the file ends at ${this.end}: it is damaged, or was cut off`
    throw damaged(structure, position, rule)
  }

  async #readRange(range: ByteRange): Promise<Uint8Array> {
    const [bytes] = await this.#readRanges([range])
    return bytes
  }

  async #readRanges(ranges: readonly ByteRange[]): Promise<readonly Uint8Array[]> {
    if (ranges.length === 0) return []
    const pieces = await this.#source.read(ranges)
    for (const [index, { position, length }] of ranges.entries()) {
      if (pieces[index].length < length) throw cutOff(position, pieces[index].length, length)
    }
    // These are not Buffers, whose `slice` does not copy and whose views are slow to make.
    return pieces.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength))
  }

  async #readBlocks(first: number, last: number, start: number, length: number): Promise<Uint8Array> {
    const pending: Block[] = []
    for (let number = first; number <= last; number++) pending.push(this.#block(number))
    const bytes = new Uint8Array(length)
    let offset = -start
    for (const block of await Promise.all(pending)) {
      const from = Math.max(0, -offset)
      bytes.set(block.subarray(from, length - offset), offset + from)
      offset += block.length
    }
    return bytes
  }

  #block(number: number): Block {
    const found = this.#blocks.get(number)
    const known = found && this.#hasGrown(number, found) ? undefined : found
    if (known && number === this.#newest) return known
    this.#newest = number
    if (known) {
      this.#blocks.delete(number)
      this.#blocks.set(number, known)
      return known
    }
    const block = this.#fetch(number)
    // After two blocks in sequence the next ones are read too: mostly they are needed.
    if (this.#blocks.get(number - 1) instanceof Uint8Array) {
      const end = Math.min(number + BLOCKS_AHEAD, Math.ceil(this.#source.size / BLOCK_SIZE))
      for (let next = number + 1; next < end; next++) if (!this.#blocks.has(next)) void this.#fetch(next)
    }
    return block
  }

  /** Whether the file ended in the block when it was read, and no longer does. */
  #hasGrown(number: number, block: Block): boolean {
    if (block instanceof Promise || block.length === BLOCK_SIZE) return false
    return number * BLOCK_SIZE + block.length < this.#source.size
  }

  #fetch(number: number): Promise<Uint8Array> {
    const block = new Promise<Uint8Array>((resolve, reject) => {
      if (this.#missing.length === 0) queueMicrotask(() => this.#readMissing())
      this.#missing.push({ number, resolve, reject })
    })
    this.#keep(number, block)
    block.then(
      bytes => this.#blocks.get(number) === block && this.#blocks.set(number, bytes),
      // The next request reads it again.
      () => this.#blocks.get(number) === block && this.#blocks.delete(number),
    )
    return block
  }

  #keep(number: number, block: Block): void {
    this.#blocks.set(number, block)
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= MAX_BLOCKS) break
      this.#blocks.delete(oldest)
    }
  }

  async #readMissing(): Promise<void> {
    const missing = this.#missing
    this.#missing = []
    const ranges = missing.map(({ number }) => {
      const position = number * BLOCK_SIZE
      return { position, length: Math.min(BLOCK_SIZE, this.#source.size - position) }
    })
    try {
      const pieces = await this.#readRanges(ranges)
      for (const [index, { resolve }] of missing.entries()) {
        if (isTurnOver()) await nextTurn()
        // Blocks that were read together are parts of one memory, all of which one of them would keep.
        resolve(ownBytes(pieces[index]))
      }
    } catch (error) {
      for (const { reject } of missing) reject(error)
    }
  }
}

function cutOff(position: number, count: number, length: number): Error {
  const rule = `the source ended after ${count} of ${length} bytes: the file was changed while it was read`
  return damaged('the file', position, rule)
}
