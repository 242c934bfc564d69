// New values of chunks, before the transaction names them. Short values are kept for the key beside the record; others
// are durable in a blob when they are stored, unless a shared write holds the chunk.

import { isUnfiltered } from '@hyperslab/h5/filters'
import type { ChunkPart } from '@hyperslab/model/selection'
import type { Elements, FieldCopy } from '@hyperslab/model/values'
import type { ChunkFilters } from '../chunks/chunk-filters.ts'
import { type ChunkLayout, chunkElements, usedElements } from '../chunks/chunk-layout.ts'
import { elementsBytes, withFill } from '../chunks/read-chunk.ts'
import type { Blobs } from '../interfaces/engine.ts'
import type { AdoptedChunk, EncodedChunk, StoredFile } from '../interfaces/store.ts'
import { newVersion } from '../records/blob-name.ts'
import type { Transaction } from '../transaction/transaction.ts'
import {
  addressOf,
  type ChunkAddress,
  type ChunkRecord,
  type FileChunk,
  type RepeatedChunk,
  type StoredChunk,
  valuesName,
} from './chunk-record.ts'
import type { HeldChunks } from './held-chunks.ts'
import type { ValueSource } from './value-source.ts'
import type { WriteLimit } from './write-limit.ts'

/**
 * Inline values that one transaction may hold in memory until its commit; more of them go to blobs. @limit memory,
 * bytes
 */
const MAX_INLINE_BYTES_PER_TRANSACTION = 16 * 2 ** 20

/** Bytes of an element that a record holds: records are read often. @limit memory, bytes */
const MAX_REPEATED_BYTES = 4096

/** The record of new values, and the values themselves if they are inline. */
export interface StoredValues {
  readonly record: ChunkRecord
  readonly values: Uint8Array | undefined
}

/** A chunk's new values. */
export interface NewChunk extends StoredValues {
  readonly address: ChunkAddress
  readonly before: ChunkRecord | undefined
  /** Absent: everything was written, whatever was there before. */
  readonly written?: WrittenPart
}

/** The part of a chunk that was written. */
export interface WrittenPart {
  readonly part: ChunkPart
  /** The fields to copy, from whole elements to whole elements; absent: all. */
  readonly fields: FieldCopy | undefined
}

/** The bytes to store, filtered if filters make them shorter, and their description in the record. */
type StoredForm = Pick<StoredChunk, 'dataLength' | 'heapLength' | 'filtered'> & {
  readonly pieces: readonly Uint8Array[]
}

export interface ChunkValuesParts {
  readonly transaction: Transaction
  readonly blobs: Blobs
  readonly filters: ChunkFilters
  /** Values of up to this many bytes are stored inline. */
  readonly maxInlineBytes: number
  /** The limit of the bytes and chunks that this transaction may store. */
  readonly limit: WriteLimit
  /** Holds chunks; its blobs are `blobs`. Absent: each chunk is stored at once. */
  readonly held?: HeldChunks | undefined
}

/** Whether a record can hold the element. */
export function isShort(element: Elements): boolean {
  return elementsBytes(element) <= MAX_REPEATED_BYTES
}

export class ChunkValues {
  /** The values as this transaction sees them. */
  readonly source: ValueSource
  readonly limit: WriteLimit
  /** The number of chunks that are best stored at once. */
  readonly parallelism: number
  readonly #transaction: Transaction
  readonly #maxInlineBytes: number
  readonly #held: HeldChunks | undefined
  #inlineBytes = 0

  constructor({ transaction, blobs, filters, maxInlineBytes, limit, held }: ChunkValuesParts) {
    this.source = { blobs, filters, get: key => transaction.glance(key) }
    this.limit = limit
    this.parallelism = blobs.parallelism
    this.#transaction = transaction
    this.#maxInlineBytes = maxInlineBytes
    this.#held = held
  }

  /** Bytes that the next inline value may have. */
  get inlineRoom(): number {
    return Math.min(this.#maxInlineBytes, MAX_INLINE_BYTES_PER_TRANSACTION - this.#inlineBytes)
  }

  /** Counts bytes that are kept in memory until the commit. */
  addInline(bytes: number): void {
    this.#inlineBytes += bytes
  }

  /** Stores the elements of a chunk, up to the last one inside the extents; no record names them yet. */
  async store(layout: ChunkLayout, address: ChunkAddress, elements: Elements): Promise<StoredValues> {
    const { data, heap } = elements
    this.limit.addStored(elementsBytes(elements))
    if (this.#held?.blobs.hasRoom(elementsBytes(elements))) {
      const version = newVersion(this.#transaction.random)
      const record: StoredChunk = { at: 'blob', version, dataLength: data.length, heapLength: heap.length }
      this.#held.add({ layout, address })
      await this.#transaction.putBlob(valuesName(address, record), [data, heap])
      return { record, values: undefined }
    }
    return this.#putForm(address, await this.#storedForm(layout, elements))
  }

  /** Stores a chunk that went through filters elsewhere. */
  async storeEncoded(
    layout: ChunkLayout,
    { coordinates, bytes, mask }: EncodedChunk,
    origin: { readonly isForeign?: true } = { isForeign: true },
  ): Promise<NewChunk> {
    const { elementSize, grid, pipeline } = layout
    if (pipeline === undefined || isUnfiltered(pipeline, mask)) {
      throw new Error(`the chunk [${coordinates}] of ${layout.dataset} went through no filter`)
    }
    this.limit.addStored(bytes.length)
    const address = addressOf(layout, coordinates)
    const stored = await this.#putForm(address, {
      dataLength: chunkElements(grid) * elementSize,
      heapLength: 0,
      filtered: { length: bytes.length, mask, ...origin },
      pieces: [bytes],
    })
    return { address, ...stored, before: undefined }
  }

  /** The new chunks whose values are bytes of a file. */
  adopt(layout: ChunkLayout, file: StoredFile, adopted: readonly AdoptedChunk[]): readonly NewChunk[] {
    const { elementSize, grid, pipeline } = layout
    const all = chunkElements(grid) * elementSize
    return adopted.map(({ coordinates, offset, length, mask }) => {
      const isFiltered = pipeline !== undefined && !isUnfiltered(pipeline, mask)
      const used = isFiltered ? all : usedElements(grid, coordinates) * elementSize
      if (offset + length > file.length || (!isFiltered && length < used)) {
        throw new Error(
          `the chunk [${coordinates}] of ${layout.dataset} has not all of its bytes in the file`,
        )
      }
      this.limit.addChanged()
      const record: FileChunk = {
        at: 'file',
        version: newVersion(this.#transaction.random),
        dataLength: used,
        heapLength: 0,
        ...(isFiltered && { filtered: { length, mask } }),
        file: file.version,
        offset,
      }
      return { address: addressOf(layout, coordinates), record, values: undefined, before: undefined }
    })
  }

  /** The record of chunks all elements of which are the given one, which is short. */
  repeatedRecord({ grid }: ChunkLayout, { data, heap }: Elements): RepeatedChunk {
    return {
      at: 'record',
      version: newVersion(this.#transaction.random),
      dataLength: data.length,
      heapLength: heap.length,
      inside: grid.chunkDims,
      element: Buffer.concat([data, heap]),
    }
  }

  /** Stores a blob durably at once, instead of holding it in memory until all works have run. */
  putForGood(name: string, pieces: readonly Uint8Array[]): Promise<void> {
    return this.#transaction.putBlob(name, this.#held ? streamed(pieces) : pieces)
  }

  /** Stores the values beside the record or in a blob. */
  async #putForm(address: ChunkAddress, { pieces, ...lengths }: StoredForm): Promise<StoredValues> {
    const version = newVersion(this.#transaction.random)
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
    if (bytes <= this.inlineRoom) {
      this.addInline(bytes)
      return { record: { at: 'inline', version, ...lengths }, values: Buffer.concat(pieces) }
    }
    const record: StoredChunk = { at: 'blob', version, ...lengths }
    await this.putForGood(valuesName(address, record), pieces)
    return { record, values: undefined }
  }

  async #storedForm(layout: ChunkLayout, elements: Elements): Promise<StoredForm> {
    const { pipeline } = layout
    if (pipeline) {
      const { data, heap } = withFill(layout, elements, chunkElements(layout.grid))
      const lengths = { dataLength: data.length, heapLength: heap.length }
      const { bytes, mask } = await this.source.filters.encode(pipeline, [data, heap])
      const filtered = { length: bytes.length, mask }
      if (!isUnfiltered(pipeline, mask)) return { pieces: [bytes], ...lengths, filtered }
    }
    const { data, heap } = elements
    return { pieces: [data, heap], dataLength: data.length, heapLength: heap.length }
  }
}

/** The same pieces as a stream: streamed blobs are not held. */
function streamed(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* pieces
    },
  }
}
