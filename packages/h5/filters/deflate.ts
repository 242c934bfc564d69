// Deflate (1): the chunk as one zlib stream. Client data: the level.

import { createInflate, deflateSync, inflate, inflateSync, type ZlibOptions } from 'node:zlib'
import { wholeOption } from './client-data.ts'
import type { FilterCodec } from './filter.ts'

const DEFAULT_LEVEL = 5

/** The highest compression ratio of a stream, so that no memory is allocated for a false claim. */
export const MAX_RATIO = 1032

export const deflate: FilterCodec = {
  id: 1,
  takesAnyBytes: true,
  clientData: options => [wholeOption(options, 'level', 0, 9) ?? DEFAULT_LEVEL],
  encode(bytes, [level]) {
    const stream = deflateSync(bytes, { level, chunkSize: outputSize(bytes.length) })
    return stream.length < bytes.length ? stream : undefined
  },
  decode(bytes, _clientData, maxLength) {
    const length = Math.min(maxLength, MAX_RATIO * bytes.length)
    const options = { chunkSize: outputSize(length), maxOutputLength: maxLength }
    return length > LONG ? inflateBeside(bytes, options) : inflateSync(bytes, options)
  },
}

/** The length from which inflating would block the event loop for some milliseconds. */
const LONG = 2 ** 21

const PIECE_BYTES = 2 ** 18

/**
 * Inflates the first `length` bytes of a chunk of at most `maxLength`; the others are inflated to find damage, and not
 * kept. Throws like `decode`.
 */
export async function inflateStart(
  bytes: Uint8Array,
  length: number,
  maxLength: number,
): Promise<Uint8Array> {
  const start = new Uint8Array(length)
  let offset = 0
  const stream = createInflate({ chunkSize: PIECE_BYTES })
  stream.end(bytes)
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    if (offset < length) start.set(piece.subarray(0, length - offset), offset)
    offset += piece.length
    if (offset > maxLength) break
  }
  if (offset >= length && offset <= maxLength) return start
  throw new Error(`it has ${offset} bytes instead of ${maxLength}`)
}

function inflateBeside(bytes: Uint8Array, options: ZlibOptions): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    inflate(bytes, options, (error, decoded) => (error ? reject(error) : resolve(decoded)))
  })
}

/** The size of the output buffer. zlib is fast with one buffer for the whole output, which must not be tiny. */
function outputSize(length: number): number {
  return Math.max(length, 64)
}
