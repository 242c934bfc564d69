// Where the filters of chunks run.

import type { Encoded, Pipeline } from '../../filters/pipeline.ts'
import { decodeChunk, encodeChunk } from '../../filters/pipeline.ts'

/** `encodeChunk` and `decodeChunk`, perhaps elsewhere: what is passed in lies in shared memory. */
export interface FilterRunner {
  encode(pipeline: Pipeline, chunk: Uint8Array): Promise<Encoded>
  /** Fills `into`, which is as long as the chunk. */
  decode(pipeline: Pipeline, encoded: Encoded, into: Uint8Array): Promise<void>
  /** Nothing may be under way. */
  close(): Promise<void>
}

export const IN_THIS_THREAD: FilterRunner = {
  encode: (pipeline, chunk) => encodeChunk(pipeline, chunk.slice()),
  async decode(pipeline, { bytes, mask }, into) {
    into.set(await decodeChunk(pipeline, { bytes: bytes.slice(), mask }, into.length))
  },
  close: () => Promise.resolve(),
}
