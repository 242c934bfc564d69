// Deflate (1): the chunk as one zlib stream. Client data: the level.

import { wholeOption } from './client-data.ts'
import { compressors } from './compression/installed.ts'
import type { FilterCodec } from './filter.ts'

const DEFAULT_LEVEL = 5

export const deflate: FilterCodec = {
  id: 1,
  takesAnyBytes: true,
  isSelfDescribing: true,
  clientData: options => [wholeOption(options, 'level', 0, 9) ?? DEFAULT_LEVEL],
  encode(bytes, [level]) {
    const stream = compressors().deflate(bytes, level)
    const ifSmaller = (stream: Uint8Array) => (stream.length < bytes.length ? stream : undefined)
    return stream instanceof Promise ? stream.then(ifSmaller) : ifSmaller(stream)
  },
  decode: (bytes, _clientData, maxLength) => compressors().inflate(bytes, maxLength),
}

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
  for await (const piece of compressors().inflatePieces(bytes)) {
    if (offset < length) start.set(piece.subarray(0, length - offset), offset)
    offset += piece.length
    if (offset > maxLength) break
  }
  if (offset >= length && offset <= maxLength) return start
  throw new Error(`it has ${offset} bytes instead of ${maxLength}`)
}
