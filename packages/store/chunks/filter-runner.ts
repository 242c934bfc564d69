// The interface to the thread or threads in which the filters of chunks run. Loading this module installs the native
// codecs in the thread that loads it: the program, and each of its threads of filters.

import type { EncodedChunk, Pipeline } from '@hyperslab/h5/filters'
import { decodeChunk, encodeChunk, frameBlocks } from '@hyperslab/h5/filters'
import { useNativeCodecs } from './native-codecs.ts'

useNativeCodecs()

/**
 * Runs `encodeChunk` and `decodeChunk`, perhaps in other threads. An array that is passed in is alone in its memory and
 * is transferred; `memory` in the result is that memory, to be reused.
 */
export interface FilterRunner {
  encode(pipeline: Pipeline, chunk: Uint8Array): Promise<EncodedChunk & { readonly memory: Uint8Array }>
  /** Decodes a chunk into the memory of `into`, which has its length. */
  decode(pipeline: Pipeline, encoded: EncodedChunk, into: Uint8Array): Promise<DecodedChunk>
  /** Decodes a chunk into new memory. */
  decodeNew(pipeline: Pipeline, encoded: EncodedChunk, length: number, least: number): Promise<Uint8Array>
  /** Runs `frameBlocks` into new memory. */
  frame(pipeline: Pipeline, encoded: EncodedChunk, length: number): Promise<Uint8Array>
  /** Ends the runner; no task may be running. */
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
