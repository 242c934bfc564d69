// The encoder of chunks while files are written. Files that are written at the same time share one, which limits the
// memory of all.

import { ByteGate, nextTurn } from '@hyperslab/base/bounded'
import { type EncodedChunk, encodeChunk, type Pipeline } from '../../filters/pipeline.ts'

/**
 * The largest chunk that is filtered, since it is in memory as a whole; also the bytes that are encoded at once.
 * @limit memory, bytes
 */
export const MAX_ENCODED_CHUNK = 64 * 2 ** 20

/** The function `encodeChunk`, perhaps in another thread: the memory of the chunk is transferred. */
type ChunkEncoder = (pipeline: Pipeline, chunk: Uint8Array) => Promise<EncodedChunk>

/** Encodes chunks in this thread, which does other work between two of them. */
const encodeInTurns: ChunkEncoder = async (pipeline, chunk) => {
  await nextTurn()
  return encodeChunk(pipeline, chunk)
}

export class ChunkEncoding {
  readonly #encode: ChunkEncoder
  readonly #gate = new ByteGate(MAX_ENCODED_CHUNK)

  constructor(encode: ChunkEncoder = encodeInTurns) {
    this.#encode = encode
  }

  /** Encodes a chunk of `bytes` bytes; `read` reads it when there is room for it. */
  run(pipeline: Pipeline, bytes: number, read: () => Promise<Uint8Array>): Promise<EncodedChunk> {
    return this.#gate.pass(bytes, async () => this.#encode(pipeline, await read()))
  }
}
