// LZF, the compression filter of h5py (id 32000): the chunk as one LZF stream without any header.
//
// A stream is a row of items. A control byte below 32 says how many literal bytes follow, less one. Any other is a
// back-reference: its upper three bits are the length less two (seven: add the next byte to it), its lower five with
// the byte after them the distance less one. It may overlap the bytes that it produces. Client data: the revision of
// the filter, the version of the format, bytes in a chunk (h5py, lzf_filter.c).

import type { FilterCodec } from './filter.ts'

const FILTER_REVISION = 4
const FORMAT_VERSION = 0x0105

/** Literals of one instruction. @limit format, bytes */
const MAX_LITERALS = 32
/** Distance of a match. @limit format, bytes */
const MAX_DISTANCE = 2 ** 13
const MIN_MATCH = 3
/** Length of a match. @limit format, bytes */
const MAX_MATCH = 2 + 7 + 255

const HASH_BITS = 14

export const lzf: FilterCodec = {
  id: 32000,
  takesAnyBytes: true,
  isSelfDescribing: true,
  clientData(_options, { elementSize, chunkDims }) {
    return [FILTER_REVISION, FORMAT_VERSION, chunkDims.reduce((size, extent) => size * extent, elementSize)]
  },
  encode: compress,
  decode: (bytes, _clientData, maxLength) => decompress(bytes, maxLength),
}

/** Undefined: the stream would not be shorter than the bytes. */
function compress(bytes: Uint8Array): Uint8Array | undefined {
  const { length } = bytes
  const result = new Uint8Array(length)
  /** The last position of three bytes with this hash, plus one. */
  const seen = new Int32Array(2 ** HASH_BITS)
  let to = 0
  let literals = 0

  /** Writes the literals up to `from`; false when they do not fit. */
  function flush(from: number): boolean {
    while (literals < from) {
      const end = Math.min(literals + MAX_LITERALS, from)
      if (to + 1 + end - literals >= length) return false
      result[to++] = end - literals - 1
      while (literals < end) result[to++] = bytes[literals++]
    }
    return true
  }

  for (let i = 0; i + MIN_MATCH <= length; ) {
    const hash = hashAt(bytes, i)
    const match = seen[hash] - 1
    seen[hash] = i + 1
    if (
      match < 0 ||
      i - match > MAX_DISTANCE ||
      bytes[match] !== bytes[i] ||
      bytes[match + 1] !== bytes[i + 1] ||
      bytes[match + 2] !== bytes[i + 2]
    ) {
      i++
      continue
    }
    let end = i + MIN_MATCH
    const limit = Math.min(i + MAX_MATCH, length)
    while (end < limit && bytes[end] === bytes[match + end - i]) end++
    if (!flush(i) || to + MIN_MATCH >= length) return undefined
    const distance = i - match - 1
    const extent = end - i - 2
    result[to++] = (Math.min(extent, 7) << 5) | (distance >>> 8)
    if (extent >= 7) result[to++] = extent - 7
    result[to++] = distance
    literals = end
    // The last bytes of a match are remembered as well, so that the next one can begin within it.
    for (i = Math.max(i + 1, end - 2); i < end && i + MIN_MATCH <= length; i++) seen[hashAt(bytes, i)] = i + 1
    i = end
  }
  return flush(length) && to < length ? result.subarray(0, to) : undefined
}

function hashAt(bytes: Uint8Array, i: number): number {
  const three = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16)
  return Math.imul(three, 0x9e3779b1) >>> (32 - HASH_BITS)
}

function decompress(bytes: Uint8Array, maxLength: number): Uint8Array {
  const result = new Uint8Array(maxLength)
  let to = 0
  for (let from = 0; from < bytes.length; ) {
    const control = bytes[from++]
    if (control < MAX_LITERALS) {
      const end = from + control + 1
      if (end > bytes.length) throw new Error('the LZF stream ends within literal bytes')
      if (to + end - from > maxLength) throw tooLong(maxLength)
      while (from < end) result[to++] = bytes[from++]
      continue
    }
    let extent = control >>> 5
    if (extent === 7) extent += bytes[from++]
    const distance = (((control & 31) << 8) | bytes[from++]) + 1
    if (from > bytes.length) throw new Error('the LZF stream ends within a back-reference')
    if (distance > to)
      throw new Error(`an LZF back-reference reaches ${distance - to} bytes before the start`)
    const end = to + extent + 2
    if (end > maxLength) throw tooLong(maxLength)
    for (let match = to - distance; to < end; ) result[to++] = result[match++]
  }
  return result.subarray(0, to)
}

function tooLong(maxLength: number): Error {
  return new Error(`the LZF stream makes more than ${maxLength} bytes`)
}
