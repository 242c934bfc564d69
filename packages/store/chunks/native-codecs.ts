// The native code that this program has for the compressors of filters: zlib of Node, its Zstandard from 22.15 on, and
// packages for LZ4 and Snappy, which are loaded at their first use, so that the start of the service does not wait for
// them.

import zlib, { createInflate, deflateSync, inflate, inflateSync, type ZlibOptions } from 'node:zlib'
import { MAX_RATIO, useCompressors } from '@hyperslab/h5/filters'
import { useUnfilledMemory } from '@hyperslab/model/values'

const LZ4_PREFIX = 4
/** The length from which inflating would block the event loop for some milliseconds. */
const LONG = 2 ** 21
const PIECE_BYTES = 2 ** 18

/** The part of `node:zlib` that Node 20 lacks. */
interface ZstdOfNode {
  readonly constants: { readonly ZSTD_c_compressionLevel: number }
  zstdCompressSync(bytes: Uint8Array, options: object): Uint8Array
  zstdDecompressSync(bytes: Uint8Array, options: object): Uint8Array
}

let lz4: Promise<typeof import('lz4-napi')> | undefined
let snappy: Promise<typeof import('snappy')> | undefined

function loadLz4() {
  lz4 ??= import('lz4-napi')
  return lz4
}

function loadSnappy() {
  snappy ??= import('snappy')
  return snappy
}

/** Installs the native codecs in this thread. */
export function useNativeCodecs(): void {
  useUnfilledMemory(length => new Uint8Array(Buffer.allocUnsafeSlow(length).buffer))
  useCompressors({
    deflate: (bytes, level) => deflateSync(bytes, { level, chunkSize: outputSize(bytes.length) }),
    inflate(bytes, maxLength) {
      const length = Math.min(maxLength, MAX_RATIO * bytes.length)
      const options = { chunkSize: outputSize(length), maxOutputLength: maxLength }
      return length > LONG ? inflateBeside(bytes, options) : inflateSync(bytes, options)
    },
    inflatePieces(bytes) {
      const stream = createInflate({ chunkSize: PIECE_BYTES })
      stream.end(bytes)
      return stream as AsyncIterable<Uint8Array>
    },
    compressLz4: async bytes => (await loadLz4()).compressSync(bufferOf(bytes)).subarray(LZ4_PREFIX),
    async decompressLz4(block, length, dictionary) {
      const { uncompressSync } = await loadLz4()
      const prefixed = Buffer.allocUnsafe(LZ4_PREFIX + block.length)
      prefixed.writeUInt32LE(length)
      prefixed.set(block, LZ4_PREFIX)
      return uncompressSync(prefixed, dictionary)
    },
    compressSnappy: async bytes => (await loadSnappy()).compressSync(bytes, { copyOutputData: true }),
    async decompressSnappy(bytes) {
      const { uncompressSync } = await loadSnappy()
      const decoded = uncompressSync(bytes, { asBuffer: true, copyOutputData: true })
      return typeof decoded === 'string' ? Buffer.from(decoded) : decoded
    },
    ...('zstdDecompressSync' in zlib && zstdOf(zlib as unknown as ZstdOfNode)),
  })
}

function zstdOf({ constants, zstdCompressSync, zstdDecompressSync }: ZstdOfNode) {
  return {
    compressZstd: (bytes: Uint8Array, level: number) =>
      zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } }),
    decompressZstd: (frame: Uint8Array, length: number) =>
      zstdDecompressSync(frame, { chunkSize: outputSize(length), maxOutputLength: Math.max(length, 1) }),
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
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
