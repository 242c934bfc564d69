// Decodes the chunks of HDF5 files where the filters of the store run, so that the event loop is not blocked: a chunk
// of some megabytes takes up to a second. Small chunks are decoded in the thread of the caller, between turns of the
// event loop, because their transfer would take longer.

import { nextTurn } from '@hyperslab/base/bounded'
import { decodeChunk, type Pipeline } from '@hyperslab/h5/filters'
import type { ChunkDecoder } from '@hyperslab/h5/reader'
import type { FilterRunner } from '@hyperslab/store/chunks'

/**
 * The decoded length of a small chunk. The slowest filter, bzip2, takes 3 ms for it; most take less than the 100 us of
 * a transfer.
 */
const SMALL_BYTES = 2 ** 14

/** Blosc, bitshuffle, Zstandard, Blosc 2: when Zstandard fails it does not free its memory before its thread ends. */
const LEAKING: ReadonlySet<number> = new Set([32001, 32008, 32015, 32026])

export function chunkDecoder(runner: FilterRunner): ChunkDecoder {
  return async (pipeline, { bytes, mask }, length, least) => {
    if (length <= SMALL_BYTES && !mayLeak(pipeline)) {
      await nextTurn()
      return decodeChunk(pipeline, { bytes, mask }, length, least)
    }
    // The bytes are copied, because transferred memory is lost here, and other chunks may be in it.
    return runner.decodeNew(pipeline, { bytes: new Uint8Array(bytes), mask }, length, least)
  }
}

function mayLeak(pipeline: Pipeline): boolean {
  return pipeline.some(({ id }) => LEAKING.has(id))
}
