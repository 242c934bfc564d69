// Runs chunks through the filters of their dataset, as many at once as memory allows. The chunks that were decoded last
// are kept, because small reads, and reads of large chunks in pieces, use the same chunk again. Their memory is reused:
// new memory of this size costs the garbage collector more time than the filters take.

import { BoundedMap, ByteGate } from '@hyperslab/base/bounded'
import type { EncodedChunk, Pipeline } from '@hyperslab/h5/filters'
import { BufferPool } from './buffer-pool.ts'
import type { FilterRunner } from './filter-runner.ts'

/** Decoded bytes of chunks that are in the filters at once; a longer chunk goes alone. @limit memory, bytes */
const MAX_BYTES_AT_ONCE = 64 * 2 ** 20
/** Buffers that threads of filters give back and that are used again. @limit memory, bytes */
const MAX_POOLED_BYTES = 32 * 2 ** 20

export interface FilteredChunk {
  /** A name that is the same only for the same bytes: that of its blob, whether it has one or not. */
  readonly name: string
  readonly pipeline: Pipeline
  readonly mask: number
  /** Bytes of the decoded chunk, and of the encoded one. */
  readonly length: number
  readonly encodedLength: number
  /** Fills `into` with the encoded bytes. */
  read(into: Uint8Array): Promise<void>
}

/** A decoded chunk, or one that is being decoded. */
interface CachedChunk {
  readonly length: number
  readonly bytes: Promise<Uint8Array>
  /** Reads that use the bytes or wait for them. The memory is reused only when there are none. */
  users: number
  isKept: boolean
}

export class ChunkFilters {
  readonly #runner: FilterRunner
  readonly #gate = new ByteGate(MAX_BYTES_AT_ONCE)
  readonly #pool = new BufferPool(MAX_POOLED_BYTES)
  /** Decoded chunks by name. The newest is kept however long it is: the next piece of a read may need it. */
  readonly #kept: BoundedMap<string, CachedChunk>

  constructor(runner: FilterRunner, maxKeptBytes: number) {
    this.#runner = runner
    /**
     * Decoded chunks, so that small blocks of one chunk need no filters again.
     * @limit speed, bytes, bench/filters.bench.mjs
     */
    this.#kept = new BoundedMap(maxKeptBytes, {
      weightOf: ({ length }) => length,
      onForget: decoded => {
        decoded.isKept = false
        this.#reuseMemory(decoded)
      },
    })
  }

  /** The number of chunks that were decoded. */
  decoded = 0
  /** The number of chunks that reads have found decoded. */
  found = 0

  /** Decoded chunks that are kept for the next read. */
  get kept(): { readonly count: number; readonly bytes: number } {
    return { count: this.#kept.size, bytes: this.#kept.weight }
  }

  /** Encodes a chunk whose bytes are `pieces`, one after another. */
  encode(pipeline: Pipeline, pieces: readonly Uint8Array[]): Promise<EncodedChunk> {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    return this.#gate.pass(length, async () => {
      const chunk = this.#pool.take(length)
      let offset = 0
      for (const piece of pieces) {
        chunk.set(piece, offset)
        offset += piece.length
      }
      const { memory, ...encoded } = await this.#runner.encode(pipeline, chunk)
      this.#pool.give(memory)
      return encoded
    })
  }

  /** Decodes a chunk and returns the result of `use`, which must neither change the bytes nor keep them. */
  async decode<T>(chunk: FilteredChunk, use: (bytes: Uint8Array) => T): Promise<T> {
    const { name } = chunk
    const known = this.#kept.use(name)
    if (known) this.found++
    const decoded = known ?? this.#begin(chunk)
    decoded.users++
    try {
      return use(await decoded.bytes)
    } catch (error) {
      if (decoded.isKept) this.#kept.forget(name)
      throw error
    } finally {
      decoded.users--
      this.#reuseMemory(decoded)
    }
  }

  /**
   * Decodes a chunk of `length` bytes that is not stored and went through all filters. `use` must neither change the
   * bytes nor keep them.
   */
  decodeGiven<T>(
    pipeline: Pipeline,
    given: Uint8Array,
    length: number,
    use: (bytes: Uint8Array) => T,
  ): Promise<T> {
    return this.#gate.pass(length, async () => {
      const bytes = this.#pool.take(given.length)
      bytes.set(given)
      const { chunk, memory } = await this.#runner.decode(
        pipeline,
        { bytes, mask: 0 },
        this.#pool.take(length),
      )
      this.#pool.give(memory)
      try {
        return use(chunk)
      } finally {
        this.#pool.give(chunk)
      }
    })
  }

  /** The frame of a chunk whose plan is `blocks` (filters/frame.ts). */
  frame({ pipeline, mask, length, encodedLength, read }: FilteredChunk): Promise<Uint8Array> {
    return this.#gate.pass(2 * encodedLength, async () => {
      const bytes = new Uint8Array(encodedLength)
      await read(bytes)
      return this.#runner.frame(pipeline, { bytes, mask }, length)
    })
  }

  close(): Promise<void> {
    return this.#runner.close()
  }

  #begin(chunk: FilteredChunk): CachedChunk {
    const decoded = { length: chunk.length, bytes: this.#decode(chunk), users: 0, isKept: true }
    this.#kept.set(chunk.name, decoded)
    return decoded
  }

  #decode({ pipeline, mask, length, encodedLength, read }: FilteredChunk): Promise<Uint8Array> {
    this.decoded++
    return this.#gate.pass(length, async () => {
      const bytes = this.#pool.take(encodedLength)
      await read(bytes)
      const decoded = await this.#runner.decode(pipeline, { bytes, mask }, this.#pool.take(length))
      this.#pool.give(decoded.memory)
      return decoded.chunk
    })
  }

  #reuseMemory({ users, isKept, bytes }: CachedChunk): void {
    if (users > 0 || isKept) return
    bytes.then(
      memory => this.#pool.give(memory),
      // The reads that waited for the chunk have got the failure.
      () => {},
    )
  }
}
