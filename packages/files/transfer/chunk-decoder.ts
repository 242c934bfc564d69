// Decodes the chunks of HDF5 files where the filters of the store run, so that the event loop is not blocked: a chunk
// of some megabytes takes up to a second. Small chunks are decoded in the thread of the caller, between turns of the
// event loop, because their transfer would take longer.

import { nextTurn } from '@hyperslab/base/bounded'
import { codecOf, decodeChunk } from '@hyperslab/h5/filters'
import type { ChunkDecoder } from '@hyperslab/h5/reader'
import type { FilterRunner } from '@hyperslab/store/chunks'

/**
 * The decoded length of a small chunk. The slowest filter, bzip2, takes 3 ms for it; most take less than the 100 us of
 * a transfer.
 */
const SMALL_BYTES = 2 ** 14
/** The same for `QUICK_FILTERS`, which take half a millisecond for it: under load, a transfer takes more. */
const QUICK_BYTES = 2 ** 16
/** Deflate, shuffle and fletcher32 (file format specification, IV.A.2.l). */
const QUICK_FILTERS = [1, 2, 3]

export function chunkDecoder(runner: FilterRunner): ChunkDecoder {
  return async (pipeline, { bytes, mask }, length, least) => {
    const isQuick = pipeline.every(({ id }) => QUICK_FILTERS.includes(id))
    const isSmall = length <= (isQuick ? QUICK_BYTES : SMALL_BYTES)
    if (isSmall && !pipeline.some(({ id }) => codecOf(id)?.mayLeak)) {
      await nextTurn()
      return decodeChunk(pipeline, { bytes, mask }, length, least)
    }
    // The bytes are copied, because transferred memory is lost here, and other chunks may be in it.
    return runner.decodeNew(pipeline, { bytes: new Uint8Array(bytes), mask }, length, least)
  }
}
