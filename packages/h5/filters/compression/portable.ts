// Compressors in JavaScript and WebAssembly, which run everywhere. Packages are loaded at their first use.

import type { Compressors } from './compressors.ts'
import { decompressLz4 } from './portable-lz4.ts'

/** The header that numcodecs puts before a block of LZ4: the length of the content. */
const LZ4_PREFIX = 4
/** A stream of zlib, not of gzip, with the longest window. */
const WINDOW_BITS = 15
/** The memory for content that is inflated at once. */
const SHORT_PIECE = 64
const LONG_PIECE = 2 ** 22
/** Compressed bytes that are inflated at once where the content is not kept. */
const STEP = 2 ** 14

export const PORTABLE: Compressors = {
  async deflate(bytes, level) {
    const pako = await import('pako')
    return pako.deflate(bytes, { level: level as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 })
  },
  async inflate(bytes, maxLength) {
    const pieces: Uint8Array[] = []
    let length = 0
    const chunkSize = Math.min(Math.max(maxLength, SHORT_PIECE), LONG_PIECE)
    const { Inflate } = await import('pako')
    const stream = new Inflate({ windowBits: WINDOW_BITS, chunkSize })
    stream.onData = piece => {
      length += piece.length
      if (length > maxLength) throw new Error(`the stream holds more than ${maxLength} bytes`)
      pieces.push(piece)
    }
    stream.push(bytes, true)
    requireEnd(stream)
    if (pieces.length === 1) return pieces[0]
    const content = new Uint8Array(length)
    let offset = 0
    for (const piece of pieces) {
      content.set(piece, offset)
      offset += piece.length
    }
    return content
  },
  async *inflatePieces(bytes) {
    const { Inflate } = await import('pako')
    const stream = new Inflate({ windowBits: WINDOW_BITS })
    let ready: Uint8Array[] = []
    stream.onData = piece => ready.push(piece)
    for (let start = 0; start < bytes.length && !stream.ended; start += STEP) {
      stream.push(bytes.subarray(start, start + STEP), start + STEP >= bytes.length)
      yield* ready
      ready = []
    }
    requireEnd(stream)
  },
  async compressLz4(bytes) {
    const { default: Lz4 } = await import('numcodecs/lz4')
    return (await new Lz4().encode(bytes)).subarray(LZ4_PREFIX)
  },
  decompressLz4,
  async compressZstd(bytes, level) {
    const { default: Zstd } = await import('numcodecs/zstd')
    return new Zstd(level).encode(bytes)
  },
  async decompressZstd(frame) {
    const { default: Zstd } = await import('numcodecs/zstd')
    return new Zstd().decode(frame)
  },
  async compressSnappy(bytes) {
    const { compress } = await import('snappyjs')
    return compress(bytes)
  },
  async decompressSnappy(bytes) {
    const { uncompress } = await import('snappyjs')
    return uncompress(bytes)
  },
}

function requireEnd({ err, ended, msg }: { err: number; ended: boolean; msg: string }): void {
  if (err !== 0) throw new Error(err === -5 ? 'unexpected end of the zlib stream' : msg)
  if (!ended) throw new Error('unexpected end of the zlib stream')
}
