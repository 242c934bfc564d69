// Chunks that are read ahead while the ones before them are written.

import type { SourceChunk } from '../source.ts'

/** Chunks that are read ahead. */
const CHUNKS_AHEAD = 16
const BYTES_AHEAD = 8 * 2 ** 20

/** The bytes of the chunks in order, some of which are read while others are used. */
export async function* bytesAhead(chunks: AsyncIterable<SourceChunk>): AsyncGenerator<Uint8Array> {
  const ahead: { readonly bytes: Promise<Uint8Array>; readonly length: number }[] = []
  let length = 0
  try {
    for await (const chunk of chunks) {
      const bytes = chunk.bytes()
      // The failure is thrown when the chunk is awaited.
      bytes.catch(() => {})
      ahead.push({ bytes, length: chunk.length })
      length += chunk.length
      while (ahead.length > CHUNKS_AHEAD || (length > BYTES_AHEAD && ahead.length > 1)) {
        const [first] = ahead.splice(0, 1)
        length -= first.length
        yield first.bytes
      }
    }
    for (const { bytes } of ahead.splice(0)) yield bytes
  } finally {
    await Promise.allSettled(ahead.map(({ bytes }) => bytes))
  }
}
