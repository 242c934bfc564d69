// Filters of chunks that are encoded while files are written. Files that are written at once share one, which bounds
// the memory of all of them.

import { ByteGate } from '../../bounded/byte-gate.ts'
import { nextTurn } from '../../bounded/turns.ts'
import { type EncodedChunk, encodeChunk, type Pipeline } from '../../filters/pipeline.ts'

/** Larger chunks go through no filter: each would be in memory as a whole. Also the bytes that are encoded at once. */
export const MAX_ENCODED_CHUNK = 64 * 2 ** 20

/** `encodeChunk`, perhaps elsewhere: what is passed in is handed over. */
type ChunkEncoder = (pipeline: Pipeline, chunk: Uint8Array) => Promise<EncodedChunk>

/** In this thread, which does other work between two chunks. */
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

  /** `read` gives the chunk, of a length of `bytes`, when there is room for it. */
  run(pipeline: Pipeline, bytes: number, read: () => Promise<Uint8Array>): Promise<EncodedChunk> {
    return this.#gate.pass(bytes, async () => this.#encode(pipeline, await read()))
  }
}
