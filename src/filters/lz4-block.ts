// One block of LZ4, as filters hold them: without the length that the package puts before each.

import { compressSync, uncompressSync } from 'lz4-napi'

const PREFIX_LENGTH = 4

export function compressLz4(bytes: Uint8Array): Uint8Array {
  return compressSync(bufferOf(bytes)).subarray(PREFIX_LENGTH)
}

/** The `length` bytes that the block holds. */
export function decompressLz4(block: Uint8Array, length: number): Uint8Array {
  const prefixed = Buffer.allocUnsafe(PREFIX_LENGTH + block.length)
  prefixed.writeUInt32LE(length)
  prefixed.set(block, PREFIX_LENGTH)
  const bytes = uncompressSync(prefixed)
  if (bytes.length !== length) throw new Error(`an LZ4 block holds ${bytes.length} bytes, not ${length}`)
  return bytes
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
