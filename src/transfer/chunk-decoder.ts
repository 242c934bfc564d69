// Decodes the chunks of HDF5 files where the filters of the store run, so that the event loop goes on meanwhile: a
// chunk of some megabytes takes up to a second. Small chunks are decoded in the thread of the caller, between turns of
// the event loop: handing them over would take longer.

import { nextTurn } from '../bounded/turns.ts'
import type { FilterRunner } from '../chunks/filter-runner.ts'
import { decodeChunk, type Pipeline } from '../filters/pipeline.ts'
import type { ChunkDecoder } from '../h5file/reader/values/value-source.ts'

/**
 * Decoded bytes. The slowest filter, bzip2, takes 3 ms for this many; most take less than the 100 us of handing them
 * over.
 */
const SMALL_BYTES = 2 ** 14

/**
 * Blosc, bitshuffle, Zstandard, Blosc 2: Zstandard keeps the memory that it held when it fails, until its thread is
 * given up.
 */
const LEAKING: ReadonlySet<number> = new Set([32001, 32008, 32015, 32026])

export function chunkDecoder(runner: FilterRunner): ChunkDecoder {
  return async (pipeline, { bytes, mask }, length, least) => {
    if (length <= SMALL_BYTES && !mayLeak(pipeline)) {
      await nextTurn()
      return decodeChunk(pipeline, { bytes, mask }, length, least)
    }
    // What is handed over is lost here, and other chunks may be in the same memory.
    return runner.decodeNew(pipeline, { bytes: new Uint8Array(bytes), mask }, length, least)
  }
}

function mayLeak(pipeline: Pipeline): boolean {
  return pipeline.some(({ id }) => LEAKING.has(id))
}
