// Chunks on their way through the filters of their dataset: so many at once as memory allows, and those that were
// decoded last are kept, because small reads come back to the same chunk, and reads of large chunks in pieces do.

import type { Encoded, Pipeline } from '../../filters/pipeline.ts'
import type { FilterRunner } from './filter-runner.ts'

/** Decoded bytes of chunks that are in the filters at once; a longer chunk goes alone. */
const MAX_BYTES_AT_ONCE = 64 * 2 ** 20

export interface FilteredChunk {
  /** The same only for the same bytes: that of its blob, whether it has one or not. */
  readonly name: string
  readonly pipeline: Pipeline
  readonly mask: number
  /** Bytes of the decoded chunk. */
  readonly length: number
  /** The encoded bytes, in memory of their own. */
  read(): Promise<Uint8Array>
}

export class ChunkFilters {
  readonly #runner: FilterRunner
  readonly #maxKeptBytes: number
  readonly #gate = new ByteGate(MAX_BYTES_AT_ONCE)
  /** By name, the one that was used last at the end. */
  readonly #kept = new Map<string, Uint8Array>()
  #keptBytes = 0
  readonly #underWay = new Map<string, Promise<Uint8Array>>()

  constructor(runner: FilterRunner, maxKeptBytes: number) {
    this.#runner = runner
    this.#maxKeptBytes = maxKeptBytes
  }

  /** The chunk must lie in memory of its own and not be used afterwards. */
  encode(pipeline: Pipeline, chunk: () => Uint8Array, length: number): Promise<Encoded> {
    return this.#gate.pass(length, () => this.#runner.encode(pipeline, chunk()))
  }

  /** Bytes that others may be reading too. */
  decode(chunk: FilteredChunk): Promise<Uint8Array> {
    const { name } = chunk
    const kept = this.#kept.get(name)
    if (kept) {
      this.#kept.delete(name)
      this.#kept.set(name, kept)
      return Promise.resolve(kept)
    }
    const underWay = this.#underWay.get(name) ?? this.#decodeAndKeep(chunk)
    this.#underWay.set(name, underWay)
    return underWay
  }

  close(): Promise<void> {
    return this.#runner.close()
  }

  async #decodeAndKeep({ name, pipeline, mask, length, read }: FilteredChunk): Promise<Uint8Array> {
    try {
      const decoded = await this.#gate.pass(length, async () =>
        this.#runner.decode(pipeline, { bytes: await read(), mask }, length),
      )
      this.#keep(name, decoded)
      return decoded
    } finally {
      this.#underWay.delete(name)
    }
  }

  /** The newest is kept however long it is: the next piece of a read may want it. */
  #keep(name: string, decoded: Uint8Array): void {
    this.#kept.set(name, decoded)
    this.#keptBytes += decoded.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= this.#maxKeptBytes || oldest === name) return
      this.#kept.delete(oldest)
      this.#keptBytes -= length
    }
  }
}

/** Lets work pass in the order in which it came, as long as the bytes of what is under way are few enough. */
class ByteGate {
  readonly #maxBytes: number
  readonly #waiting: { readonly bytes: number; readonly enter: () => void }[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  async pass<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    await new Promise<void>(enter => {
      this.#waiting.push({ bytes, enter })
      this.#admit()
    })
    try {
      return await work()
    } finally {
      this.#bytes -= bytes
      this.#admit()
    }
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (this.#bytes > 0 && this.#bytes + next.bytes > this.#maxBytes) return
      this.#waiting.shift()
      this.#bytes += next.bytes
      next.enter()
    }
  }
}
