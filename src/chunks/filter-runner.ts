// Where the filters of chunks run.

import { frameBlocks } from '../filters/frame.ts'
import type { EncodedChunk, Pipeline } from '../filters/pipeline.ts'
import { decodeChunk, encodeChunk } from '../filters/pipeline.ts'

/**
 * `encodeChunk` and `decodeChunk`, perhaps elsewhere. Whatever is passed in holds nothing else in its memory and is
 * handed over; `memory` is what it lay in, coming back to be used again.
 */
export interface FilterRunner {
  encode(pipeline: Pipeline, chunk: Uint8Array): Promise<EncodedChunk & { readonly memory: Uint8Array }>
  /** `chunk` lies where `into` did, which is as long. */
  decode(pipeline: Pipeline, encoded: EncodedChunk, into: Uint8Array): Promise<DecodedChunk>
  /** `decodeChunk`: in memory of its own. */
  decodeNew(pipeline: Pipeline, encoded: EncodedChunk, length: number, least: number): Promise<Uint8Array>
  /** `frameBlocks`: in memory of its own. */
  frame(pipeline: Pipeline, encoded: EncodedChunk, length: number): Promise<Uint8Array>
  /** Nothing may be under way. */
  close(): Promise<void>
}

export interface DecodedChunk {
  readonly chunk: Uint8Array
  /** The memory in which the encoded bytes were. */
  readonly memory: Uint8Array
}

export const IN_THIS_THREAD: FilterRunner = {
  async encode(pipeline, chunk) {
    const { bytes, mask } = await encodeChunk(pipeline, chunk)
    return { bytes: bytes.buffer === chunk.buffer ? bytes.slice() : bytes, mask, memory: chunk }
  },
  async decode(pipeline, encoded, into) {
    const chunk = await decodeChunk(pipeline, encoded, into.length, into.length, into)
    if (chunk.buffer !== into.buffer) into.set(chunk)
    return { chunk: into, memory: encoded.bytes }
  },
  decodeNew: decodeChunk,
  frame: frameBlocks,
  close: () => Promise.resolve(),
}
