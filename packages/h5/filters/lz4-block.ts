// One block of LZ4, as filters hold them: without the length that the package puts before each.

const PREFIX_LENGTH = 4

let loaded: Promise<typeof import('lz4-napi')> | undefined

/** Loads the package at its first use, so that the start of the service does not wait for it. */
function loadPackage() {
  loaded ??= import('lz4-napi')
  return loaded
}

export async function compressLz4(bytes: Uint8Array): Promise<Uint8Array> {
  const { compressSync } = await loadPackage()
  return compressSync(bufferOf(bytes)).subarray(PREFIX_LENGTH)
}

/** The `length` bytes that the block holds; `dictionary`: bytes to which it refers as if they were before them. */
export async function decompressLz4(
  block: Uint8Array,
  length: number,
  dictionary?: Uint8Array,
): Promise<Uint8Array> {
  const { uncompressSync } = await loadPackage()
  const prefixed = Buffer.allocUnsafe(PREFIX_LENGTH + block.length)
  prefixed.writeUInt32LE(length)
  prefixed.set(block, PREFIX_LENGTH)
  const bytes = uncompressSync(prefixed, dictionary)
  if (bytes.length !== length) throw new Error(`an LZ4 block holds ${bytes.length} bytes, not ${length}`)
  return bytes
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
