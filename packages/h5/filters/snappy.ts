// Snappy (32003): the chunk in Snappy's raw format (no frames). No client data.

import { compressors } from './compression/installed.ts'
import type { FilterCodec } from './filter.ts'

export const snappy: FilterCodec = {
  id: 32003,
  takesAnyBytes: true,
  isSelfDescribing: true,
  clientData: () => [],
  async encode(bytes) {
    const compressed = await compressors().compressSnappy(bytes)
    return compressed.length < bytes.length ? compressed : undefined
  },
  decode: (bytes, _clientData, maxLength) => decompressSnappy(bytes, maxLength),
}

export async function decompressSnappy(bytes: Uint8Array, maxLength: number): Promise<Uint8Array> {
  const length = claimedLength(bytes)
  if (length > maxLength) throw new Error(`it claims to hold ${length} bytes`)
  return compressors().decompressSnappy(bytes)
}

/** A varint at the start: seven bits a byte, the least significant first. Compressors make memory of this length. */
function claimedLength(bytes: Uint8Array): number {
  let length = 0
  for (let i = 0; i < 5 && i < bytes.length; i++) {
    length += (bytes[i] & 0x7f) * 2 ** (7 * i)
    if (bytes[i] < 0x80) return length
  }
  throw new Error('it does not begin with a length')
}
