// Where the filters of chunks run.

import type { Encoded, Pipeline } from '../../filters/pipeline.ts'
import { decodeChunk, encodeChunk } from '../../filters/pipeline.ts'

/**
 * `encodeChunk` and `decodeChunk`, perhaps elsewhere: the bytes that are passed in must not be used afterwards, and
 * those that come back are nobody else's.
 */
export interface FilterRunner {
  encode(pipeline: Pipeline, chunk: Uint8Array): Promise<Encoded>
  decode(pipeline: Pipeline, encoded: Encoded, length: number): Promise<Uint8Array>
  /** Nothing may be under way. */
  close(): Promise<void>
}

export const IN_THIS_THREAD: FilterRunner = {
  encode: encodeChunk,
  decode: decodeChunk,
  close: () => Promise.resolve(),
}
