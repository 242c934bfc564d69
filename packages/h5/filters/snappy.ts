// Snappy (32003): the chunk in Snappy's raw format (no frames). No client data.

import type { FilterCodec } from './filter.ts'

let loaded: Promise<typeof import('snappy')> | undefined

/** Loads the package at its first use, so that the start of the service does not wait for it. */
function loadPackage() {
  loaded ??= import('snappy')
  return loaded
}

export const snappy: FilterCodec = {
  id: 32003,
  takesAnyBytes: true,
  clientData: () => [],
  async encode(bytes) {
    const compressed = await compressSnappy(bytes)
    return compressed.length < bytes.length ? compressed : undefined
  },
  decode: (bytes, _clientData, maxLength) => decompressSnappy(bytes, maxLength),
}

export async function compressSnappy(bytes: Uint8Array): Promise<Uint8Array> {
  const { compressSync } = await loadPackage()
  return compressSync(bytes, { copyOutputData: true })
}

export async function decompressSnappy(bytes: Uint8Array, maxLength: number): Promise<Uint8Array> {
  const length = claimedLength(bytes)
  if (length > maxLength) throw new Error(`it claims to hold ${length} bytes`)
  const { uncompressSync } = await loadPackage()
  const decoded = uncompressSync(bytes, { asBuffer: true, copyOutputData: true })
  return typeof decoded === 'string' ? Buffer.from(decoded) : decoded
}

/** A varint at the start: seven bits a byte, the least significant first. The package makes a buffer of this length. */
function claimedLength(bytes: Uint8Array): number {
  let length = 0
  for (let i = 0; i < 5 && i < bytes.length; i++) {
    length += (bytes[i] & 0x7f) * 2 ** (7 * i)
    if (bytes[i] < 0x80) return length
  }
  throw new Error('it does not begin with a length')
}
