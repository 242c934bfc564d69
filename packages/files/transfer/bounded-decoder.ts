// Decodes the chunks of a file whose values are converted. A few bytes may claim any length: decoded bytes are limited
// in proportion to the bytes of the file, for each chunk and for all together, and large chunks are in memory one after
// another.

import { ByteGate } from '@hyperslab/base/bounded'
import type { ChunkDecoder } from '@hyperslab/h5/reader'

/**
 * A chunk of at most this many bytes may come from any number of bytes; of a larger one each byte of the file becomes
 * at most this many.
 */
const FREE_CHUNK_BYTES = 16 * 2 ** 20
/** Decoded bytes of one chunk for each stored byte. @limit safety, times */
const MAX_CHUNK_RATIO = 32
/** The limit for all chunks of a file together: deflate makes 1,032 bytes of one at most. */
const FREE_BYTES = 128 * 2 ** 20
/** Decoded bytes of all chunks for each byte of the file. @limit safety, times */
const MAX_RATIO = 512
/** Large chunks are decoded again for each part that is read. @limit safety, chunks */
const MAX_REPEATED = 4
/** Decoded bytes of chunks that are decoded at once, unless one alone has more. @limit memory, bytes */
const BYTES_AT_ONCE = 2 * 2 ** 20

/**
 * A decoder for one import, with limits for each chunk and for all together; `decode` runs the filters. `fileSize` is
 * the length of the file with all chunks, so that bytes that damaged datasets share do not count for each of them;
 * absent: they are in several files.
 */
export function boundedDecoder(decode: ChunkDecoder, fileSize = Number.POSITIVE_INFINITY): ChunkDecoder {
  const decodeBounded = boundedChunks(decode)
  let encodedBytes = 0
  let decodedBytes = 0
  return async (pipeline, chunk, length, least) => {
    encodedBytes = Math.min(encodedBytes + chunk.bytes.length, MAX_REPEATED * fileSize)
    decodedBytes += length
    if (decodedBytes > FREE_BYTES + MAX_RATIO * encodedBytes) {
      const rule = `above ${FREE_BYTES} bytes the limit is ${MAX_RATIO} times the stored length`
      throw new Error(`with the chunks before it, ${encodedBytes} bytes become ${decodedBytes}: ${rule}`)
    }
    return decodeBounded(pipeline, chunk, length, least)
  }
}

/** A decoder for a file of which any part may be read any number of times: limits each chunk. */
export function boundedChunks(decode: ChunkDecoder): ChunkDecoder {
  const gate = new ByteGate(BYTES_AT_ONCE)
  return async (pipeline, chunk, length, least) => {
    const encoded = chunk.bytes.length
    if (length > Math.max(FREE_CHUNK_BYTES, MAX_CHUNK_RATIO * encoded)) {
      const rule = `above ${FREE_CHUNK_BYTES} bytes the limit is ${MAX_CHUNK_RATIO} times the stored length`
      throw new Error(`its ${encoded} bytes become ${length}: ${rule}`)
    }
    return gate.pass(length, () => decode(pipeline, chunk, length, least))
  }
}
